//! Polling: one source after the other until one answers, and what becomes of its answer.

use std::collections::BTreeSet;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::adapters::providers::report::TournamentReport;
use crate::adapters::providers::{
    self, AskError, AskErrorKind, MOST_PAGES, Place, Provider, Source,
};
use crate::features::events::{self, EventId};
use crate::features::feeds::Feeds;
use crate::features::operators::{self, Operator};
use crate::platform::clock::SECOND_MS;
use crate::platform::config::FeedsConfig;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::jobs::{self, Job, Lane, Next, Stop, job};

use super::apply;
use super::convert::{self, FeedTournament};
use super::difference::{self, Difference, MatchEffect, PollSummary};
use super::pace;
use super::plan::{self, Base, FeedAnswer};
use super::quota::{self, Quota};
use super::source::Feed;
use super::store::{self, FeedRow};

const MOST_PROBLEMS: usize = 20;

job! {
    /// Finds the feeds whose time has come; each is then polled by a job of its own, on whichever node takes it.
    pub struct SchedulePolls;
    kind: "feed_schedule", lane: Feeds, every: 10 * SECOND_MS, run: schedule_polls(Feeds)
}

async fn schedule_polls(_: SchedulePolls, feeds: Feeds, _: Stop) -> Result<Next> {
    if feeds.all.is_empty() {
        return Ok(Next::Done);
    }
    let now = feeds.clock.now();
    let next = feeds.db.read(store::list_next_polls).await?;
    let is_due = |feed: &&Feed| next.get(&feed.tournament).is_none_or(|next| *next <= now);
    let due = feeds.all.iter().filter(is_due).map(|feed| Poll(feed.tournament.clone()));
    let due: Vec<Poll> = due.collect();
    if !due.is_empty() {
        let ask = move |tx: &mut Tx| due.iter().try_for_each(|poll| jobs::ask_if_absent(tx, poll));
        feeds.db.write(ask).await?;
    }
    Ok(Next::Done)
}

/// Polls the feed of the tournament with this slug.
#[derive(Serialize, Deserialize)]
pub struct Poll(String);

impl Job for Poll {
    const KIND: &'static str = "feed_poll";
    const LANE: Lane = Lane::Feeds;
    type State = Feeds;

    fn key(&self) -> Option<String> {
        Some(self.0.clone())
    }

    async fn run(self, feeds: Feeds, _: Stop) -> Result<Next> {
        // A feed that was taken out of the settings while its job waited is nobody's concern any more.
        if let Some(feed) = feeds.find(&self.0) {
            poll(&feeds, &feed, Asked::default()).await?;
        }
        Ok(Next::Done)
    }
}

/// How a poll was asked for; by the clock, if by nobody.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    pub operator: Option<Operator>,
    pub dry_run: bool,
    /// Only this one of the feed's sources.
    pub provider: Option<Provider>,
}

/// Asks the feed's sources in their order and uses the first answer that makes sense.
pub async fn poll(feeds: &Feeds, feed: &Feed, asked: Asked) -> Result<PollSummary> {
    let is_asked = |source: &&Source| asked.provider.is_none_or(|only| only == source.provider);
    let (mut failures, mut waits) = (Vec::new(), Vec::new());
    for source in feed.sources.iter().filter(is_asked) {
        let provider = source.provider;
        match fetch(feeds, feed, source).await? {
            Ok(told) => return answered(feeds, feed, provider, told, failures, asked).await,
            Err(error) => {
                tracing::warn!(
                    tournament = feed.tournament,
                    provider = provider.name(),
                    error = error.words,
                    "a source of matches gave no answer"
                );
                waits.push(match error.kind {
                    AskErrorKind::Busy(wait) => wait,
                    _ => None,
                });
                failures.push(format!("{}: {}", provider.name(), error.words));
            }
        }
    }
    let summary = PollSummary::unanswered(&feed.tournament, asked.dry_run, failures);
    let (this, feed) = (summary.clone(), feed.clone());
    let write_down = move |tx: &mut Tx| {
        audit(tx, &asked, &this)?;
        if asked.dry_run {
            return Ok(());
        }
        let now = tx.now();
        let row = FeedRow {
            next_poll_at: pace::retry(now, waits.iter().copied()),
            error: Some(this.failures.join("; ")),
            error_at: Some(now),
            ..feed_row(tx, &feed)?
        };
        store::upsert_feed(tx, &feed.tournament, &row)
    };
    feeds.db.write(write_down).await?;
    Ok(summary)
}

fn feed_row(tx: &mut Tx, feed: &Feed) -> Result<FeedRow> {
    let known = store::find_feed(tx, &feed.tournament)?;
    Ok(known.unwrap_or_else(|| FeedRow {
        owner: None,
        next_poll_at: tx.now(),
        polled_at: None,
        provider: None,
        error: None,
        error_at: None,
        problems: "[]".to_owned(),
    }))
}

fn audit(tx: &mut Tx, asked: &Asked, summary: &PollSummary) -> Result<()> {
    let Some(operator) = &asked.operator else { return Ok(()) };
    let detail = json!({
        "dry_run": summary.dry_run, "provider": summary.provider, "created": summary.created,
        "changed": summary.changed, "held": summary.held,
    });
    operators::audit(tx, operator, "feed.poll", &format!("feed {}", summary.tournament), &detail)
}

/// All pages of a source, each counted before it is asked for.
async fn fetch(
    feeds: &Feeds,
    feed: &Feed,
    source: &Source,
) -> Result<Result<FeedTournament, AskError>> {
    let adapter =
        providers::open(source, feed.counting, &feeds.config.feeds).map_err(Error::internal)?;
    let provider = source.provider;
    let quota = Quota::of(provider, &feeds.config.feeds);
    let mut all = TournamentReport::default();
    for number in 1..=MOST_PAGES {
        let is_file = matches!(source.place, Place::File(_));
        if !is_file {
            let taken = feeds.db.write(move |tx| quota::take(tx, provider, quota)).await?;
            if let Err(error) = taken {
                count_request(provider, "quota");
                return Ok(Err(error));
            }
        }
        let started = Instant::now();
        let reply = providers::ask(&feeds.client, adapter.as_ref(), number).await;
        let word = reply.report.as_ref().map_or_else(|error| error.kind.word(), |_| "ok");
        count_request(provider, word);
        metrics::histogram!("touchline_outbound_seconds",
            "service" => format!("feed_{}", provider.name()), "outcome" => word)
        .record(started.elapsed().as_secs_f64());
        if let Some(pause_ms) = reply.pause_ms {
            feeds.db.write(move |tx| quota::block(tx, provider, pause_ms)).await?;
        }
        match reply.report {
            Ok(report) => all.add(report),
            Err(error) => return Ok(Err(error)),
        }
        if all.is_last {
            break;
        }
    }
    let all = all.without_repeats();
    if all.is_last && all.is_sane() {
        return Ok(Ok(convert::feed_tournament(all)));
    }
    Ok(Err(AskError::new(AskErrorKind::Broken, "an answer without matches that can be read")))
}

fn count_request(provider: Provider, outcome: &'static str) {
    metrics::counter!("touchline_feed_requests_total", "provider" => provider.name(), "outcome" => outcome)
        .increment(1);
}

/// Compares the answer with what is there and, unless it is a dry run, applies it.
async fn answered(
    feeds: &Feeds,
    feed: &Feed,
    provider: Provider,
    told: FeedTournament,
    failures: Vec<String>,
    asked: Asked,
) -> Result<PollSummary> {
    let aliases = feeds.team_aliases.clone();
    let mut summary = PollSummary::unanswered(&feed.tournament, asked.dry_run, failures);
    summary.provider = Some(provider);
    summary.undrawn = told.undrawn;
    summary.problems = told.problems.iter().take(MOST_PROBLEMS).cloned().collect();
    let config = feeds.config.feeds.clone();
    let feed = feed.clone();
    let compare = {
        let (feed, told, aliases) = (feed.clone(), told.clone(), aliases.clone());
        move |tx: &mut Tx| {
            compare(tx, FeedAnswer { feed: &feed, provider, told: &told, aliases: &aliases })
        }
    };
    let (expected, differences) = feeds.db.read(compare).await?;
    if asked.dry_run {
        summary.add(differences);
        let this = summary.clone();
        if asked.operator.is_some() {
            feeds.db.write(move |tx| audit(tx, &asked, &this)).await?;
        }
        return Ok(summary);
    }
    let apply = move |tx: &mut Tx| {
        let mut summary = summary.clone();
        let answer = FeedAnswer { feed: &feed, provider, told: &told, aliases: &aliases };
        let done = apply::apply(tx, answer, &expected)?;
        summary.add(done);
        record(tx, &feed, provider, &summary, &config)?;
        audit(tx, &asked, &summary)?;
        Ok(summary)
    };
    let summary = feeds.db.write(apply).await?;
    count_matches(provider, &summary);
    Ok(summary)
}

/// The matches that change, and what is shown of each.
type Compared = (BTreeSet<EventId>, Vec<Option<Difference>>);

fn compare(tx: &mut Tx, answer: FeedAnswer<'_>) -> Result<Compared> {
    let base = Base::read(tx, answer)?;
    let plan = plan::plan(answer, &base);
    Ok((plan::changed_events(&plan), difference::differences(&plan, &base)))
}

/// Writes down that the feed was answered, and when it is asked again.
fn record(
    tx: &mut Tx,
    feed: &Feed,
    provider: Provider,
    summary: &PollSummary,
    config: &FeedsConfig,
) -> Result<()> {
    let before = feed_row(tx, feed)?;
    let now = tx.now();
    let left = quota::left(tx, provider, config)?;
    let tournaments = events::imported_tournaments(tx, &[&feed.tournament])?;
    let events = match tournaments.get(&feed.tournament) {
        Some(tournament) => events::list_of_tournament(tx, tournament.id)?,
        None => Vec::new(),
    };
    let owner = before.owner.filter(|owner| feed.providers().contains(owner));
    let has_failures = !summary.failures.is_empty();
    let row = FeedRow {
        owner: Some(owner.unwrap_or(provider)),
        next_poll_at: pace::next_poll(now, events.iter(), left.left_today, config),
        polled_at: Some(now),
        provider: Some(provider),
        error: has_failures.then(|| summary.failures.join("; ")),
        error_at: has_failures.then_some(now),
        problems: json!(summary.problems).to_string(),
    };
    store::upsert_feed(tx, &feed.tournament, &row)
}

fn count_matches(provider: Provider, summary: &PollSummary) {
    for difference in summary.differences.iter().filter(|difference| difference.is_news) {
        let effect = match difference.effect {
            MatchEffect::Created => "created",
            MatchEffect::Changed => "changed",
            MatchEffect::Held => "held",
        };
        metrics::counter!("touchline_feed_matches_total", "provider" => provider.name(), "effect" => effect)
            .increment(1);
        if difference.is_disagreement {
            metrics::counter!("touchline_feed_disagreements_total", "provider" => provider.name())
                .increment(1);
        }
    }
}
