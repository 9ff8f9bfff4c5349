//! Every metric of the service: what it counts, in what unit, and what is normal. `/metrics` and `docs/metrics.md` say what stands here.

use metrics::Unit;

use super::metric_table::{Metric, Sort};

const fn counter(
    name: &'static str,
    labels: &'static [&'static str],
    help: &'static str,
    normal: &'static str,
) -> Metric {
    Metric { name, sort: Sort::Counter, unit: Unit::Count, labels, help, normal }
}

const fn gauge(
    name: &'static str,
    unit: Unit,
    labels: &'static [&'static str],
    help: &'static str,
    normal: &'static str,
) -> Metric {
    Metric { name, sort: Sort::Gauge, unit, labels, help, normal }
}

const fn histogram(
    name: &'static str,
    unit: Unit,
    labels: &'static [&'static str],
    help: &'static str,
    normal: &'static str,
) -> Metric {
    Metric { name, sort: Sort::Histogram, unit, labels, help, normal }
}

/// Parts of the service, each with its metrics.
pub const METRICS: &[(&str, &[Metric])] = &[
    ("The process", PROCESS),
    ("Requests", REQUESTS),
    ("The database layer", DATABASE),
    ("Work outside requests", JOBS),
    ("Logins and messages", LOGINS),
    ("Matches and predictions", MATCHES),
    ("Coins", COINS),
    ("Chat", CHAT),
    ("Other systems", OUTSIDE),
];

const PROCESS: &[Metric] = &[
    gauge(
        "touchline_build_info",
        Unit::Count,
        &["version"],
        "Always 1; its label says which version runs.",
        "one version on all nodes, except during a rollout",
    ),
    gauge(
        "touchline_start_time_seconds",
        Unit::Seconds,
        &[],
        "When this process started, in seconds since 1970.",
        "changes with a rollout and at no other time",
    ),
    gauge(
        "touchline_data_dir_free_bytes",
        Unit::Bytes,
        &[],
        "Room that is left on the disk of the data folder.",
        "more than a tenth of the disk",
    ),
    gauge(
        "touchline_data_dir_size_bytes",
        Unit::Bytes,
        &[],
        "The size of the disk of the data folder.",
        "as the disk is",
    ),
    gauge(
        "touchline_clock_difference_ms",
        Unit::Milliseconds,
        &[],
        "How far this node's clock is ahead of PostgreSQL's, or behind if negative; absent on SQLite.",
        "within 100; beyond 1,000 the node is not ready",
    ),
];

const REQUESTS: &[Metric] = &[
    counter(
        "touchline_http_requests_total",
        &["method", "route", "status"],
        "Requests that were answered.",
        "5xx under one in a thousand",
    ),
    histogram(
        "touchline_http_request_seconds",
        Unit::Seconds,
        &["route"],
        "From the head of a request to the head of its answer.",
        "half under 5 ms; all but one in a hundred under 100 ms, and logins as fast as messages and homeserver are",
    ),
    gauge(
        "touchline_http_in_flight",
        Unit::Count,
        &["lane"],
        "Requests in work at the moment: api, matrix (clients of the embedded homeserver), console, metrics.",
        "far below http.max_in_flight; of matrix as many as clients wait for news",
    ),
    counter(
        "touchline_http_refused_total",
        &["reason"],
        "Turned away: connections and in_flight are a full house, the others are what one caller may hold, by the code of the refusal.",
        "0 of connections and in_flight; a few of the others",
    ),
    counter(
        "touchline_tls_failed_handshakes_total",
        &[],
        "TLS handshakes that were not finished: broken off, not understood, or too slow.",
        "a few: scanners, and apps that do not trust the certificate",
    ),
    gauge(
        "touchline_tls_certificate_stale",
        Unit::Count,
        &[],
        "1 if the files of the certificate have changed and cannot be used, so that the one from before still is; only where there is a certificate.",
        "0; 1 for a moment while a renewal writes the second file",
    ),
    gauge(
        "touchline_stream_listeners",
        Unit::Count,
        &["stream"],
        "Live streams that are open on this node: fans, operators.",
        "about one for each app in the foreground",
    ),
];

const DATABASE: &[Metric] = &[
    gauge(
        "touchline_db_queue_depth",
        Unit::Count,
        &["kind"],
        "Callers that wait for the database: read, write.",
        "0 most of the time; falls back to it within a second",
    ),
    histogram(
        "touchline_db_wait_seconds",
        Unit::Seconds,
        &["kind"],
        "How long a script waited until a connection took it.",
        "under 5 ms",
    ),
    histogram(
        "touchline_db_script_seconds",
        Unit::Seconds,
        &["kind"],
        "From being queued to being answered: read, write (with its commit), stream (a long list, at its reader's pace).",
        "reads under 5 ms, writes under 25 ms",
    ),
    histogram(
        "touchline_db_group_size",
        Unit::Count,
        &[],
        "Callers whose scripts shared one commit on SQLite.",
        "1 on a quiet day, dozens on a busy one",
    ),
    histogram(
        "touchline_db_shared_wishes",
        Unit::Count,
        &[],
        "Callers whose wishes were granted by one script.",
        "1 on a quiet day, dozens on a busy one",
    ),
    counter(
        "touchline_db_errors_total",
        &["kind"],
        "What the database refused: lost, busy, full, serialization, unique, stopped and the like.",
        "now and then unique and serialization, and no other",
    ),
    counter(
        "touchline_db_reads_aside_total",
        &["answered_by"],
        "Reads that a replica may answer, by who did: replica or primary.",
        "all by replica, but for those of users who have just changed something; none without replicas",
    ),
    counter(
        "touchline_db_skipped_total",
        &["kind"],
        "Scripts that were not begun because their callers had gone.",
        "few; many of them are overload",
    ),
];

const JOBS: &[Metric] = &[
    gauge(
        "touchline_jobs_waiting",
        Unit::Count,
        &["lane"],
        "Jobs that wait for their time or for a worker. Of the whole service: every node says the same.",
        "as many as there are chores and matches to come",
    ),
    gauge(
        "touchline_jobs_running",
        Unit::Count,
        &["lane"],
        "Jobs that run. Of the whole service: every node says the same.",
        "up to jobs.workers a node and lane",
    ),
    gauge(
        "touchline_jobs_failing",
        Unit::Count,
        &["lane"],
        "Jobs that failed and are tried again after a pause. Of the whole service: every node says the same.",
        "0; some while a receiver or the homeserver is away",
    ),
    gauge(
        "touchline_jobs_lag_ms",
        Unit::Milliseconds,
        &["lane"],
        "How long the oldest job that is due has waited for a worker. Of the whole service: every node says the same.",
        "under 1,000; otherwise more jobs.workers or a second node is wanted",
    ),
    counter(
        "touchline_jobs_total",
        &["kind", "outcome"],
        "Jobs that were run: ok, failed.",
        "failed only while something is away",
    ),
    histogram(
        "touchline_job_seconds",
        Unit::Seconds,
        &["kind"],
        "How long jobs ran.",
        "under a second, except settlements of crowds and polls of feeds",
    ),
];

const LOGINS: &[Metric] = &[
    counter(
        "touchline_logins_total",
        &["kind"],
        "Codes that were exchanged for a session: registration, login.",
        "most before kick-off",
    ),
    counter(
        "touchline_sms_total",
        &["provider", "status"],
        "Attempts to send a message: sent, failed.",
        "failed under one in twenty",
    ),
    gauge(
        "touchline_sms_budget",
        Unit::Count,
        &[],
        "Messages that everybody may be sent on this UTC day; absent where there is no budget.",
        "login.sends_a_day_in_all",
    ),
    gauge(
        "touchline_sms_budget_left",
        Unit::Count,
        &[],
        "What is left of the day's budget of messages; absent where there is none.",
        "more than a fifth in the evening",
    ),
    histogram(
        "touchline_outbound_seconds",
        Unit::Seconds,
        &["service", "outcome"],
        "Calls to providers of messages (sms_...) and matches (feed_...).",
        "under a second",
    ),
];

const MATCHES: &[Metric] = &[
    counter(
        "touchline_predictions_total",
        &[],
        "Predictions made or changed.",
        "most before kick-off",
    ),
    counter(
        "touchline_kick_offs_total",
        &[],
        "Matches that went live by the clock.",
        "one for each match",
    ),
    counter(
        "touchline_settlements_total",
        &[],
        "Settlements of a match that came to their end.",
        "one for each result and each correction",
    ),
    counter(
        "touchline_predictions_settled_total",
        &[],
        "Predictions whose points changed by a settlement.",
        "moves when a match ends",
    ),
    counter(
        "touchline_tips_total",
        &[],
        "Special tips made or changed.",
        "most before a tournament",
    ),
    counter(
        "touchline_leagues_created_total",
        &[],
        "Leagues that users made.",
        "most before a season",
    ),
    counter(
        "touchline_league_joins_total",
        &[],
        "Users who joined a league of somebody else.",
        "most before a season",
    ),
    counter(
        "touchline_feed_requests_total",
        &["provider", "outcome"],
        "Requests to providers of matches: ok, quota (not sent, to keep within it), and how they failed.",
        "ok; quota only late in a busy day",
    ),
    counter(
        "touchline_feed_matches_total",
        &["provider", "effect"],
        "What providers told that was news: created, changed, held (for a person to decide).",
        "held rarely",
    ),
    counter(
        "touchline_feed_disagreements_total",
        &["provider"],
        "News that another source contradicts.",
        "rarely",
    ),
];

const COINS: &[Metric] = &[
    counter(
        "touchline_coin_transfers_total",
        &["kind"],
        "Transfers of coins: spending, daily_bonus, corrections.",
        "moves all day",
    ),
    gauge(
        "touchline_ledger_difference",
        Unit::Count,
        &[],
        "Coins by which accounts disagree with their entries, without sign, as the last reconciliation found. Every node says the same.",
        "0, always",
    ),
    gauge(
        "touchline_ledger_frozen_accounts",
        Unit::Count,
        &[],
        "Accounts that move no coins until an operator has looked. Every node says the same.",
        "0",
    ),
    gauge(
        "touchline_ledger_house_coins",
        Unit::Count,
        &["account"],
        "What the house accounts came to when this node last reconciled the books.",
        "spending above zero, the others below",
    ),
];

const CHAT: &[Metric] = &[
    counter(
        "touchline_chat_credentials_total",
        &["outcome"],
        "Chat credentials that were asked for: issued, later (the homeserver was away or slow).",
        "issued",
    ),
    gauge(
        "touchline_chat_accounts_behind",
        Unit::Count,
        &[],
        "Accounts that the homeserver does not match yet. Every node says the same.",
        "0 within a minute",
    ),
    gauge(
        "touchline_chat_lag_seconds",
        Unit::Seconds,
        &[],
        "For how long the first account that is behind has waited. Every node says the same.",
        "under 60",
    ),
    counter(
        "touchline_chat_rooms_created_total",
        &[],
        "Rooms that fans made.",
        "moves on match days",
    ),
    counter(
        "touchline_chat_events_total",
        &[],
        "Events that the homeserver told of.",
        "moves while people talk",
    ),
    counter("touchline_chat_reports_total", &[], "Messages that fans reported.", "a few"),
    counter(
        "touchline_matrix_failures_total",
        &[],
        "Calls to the homeserver that it did not answer, or answered with 5xx.",
        "does not move",
    ),
    counter(
        "touchline_matrix_strangers_total",
        &[],
        "Calls in the homeserver's name with a wrong token.",
        "does not move",
    ),
];

const OUTSIDE: &[Metric] = &[
    counter(
        "touchline_webhooks_total",
        &["outcome"],
        "Attempts to tell a webhook: delivered, failed.",
        "failed while its receiver is away",
    ),
    counter(
        "touchline_push_messages_total",
        &["kind", "outcome"],
        "Messages to a user's devices: sent, or why not (quiet, too_many, outdated, switched_off, no_device, refused, gone).",
        "most are sent; quiet at night",
    ),
    counter(
        "touchline_push_calls_total",
        &["service", "outcome"],
        "Calls to the services that reach devices: taken, gone, refused, later, bad_key, not_set_up.",
        "bad_key never; later while a service is away",
    ),
];
