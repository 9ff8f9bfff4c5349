//! Metrics: what the source counts, what `/metrics` says of it and what the page for people says are the same.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::json;
use touchline::platform::http::metric_table::{METRICS, Metric, all};

use crate::architecture::sources;
use crate::harness::{Client, OPERATOR_TOKEN, Program, eventually, fresh_database_url};

/// Where they are described, which is no use of them.
const LISTS: [&str; 2] = ["platform/http/metric_list.rs", "platform/http/metric_table.rs"];

/// Every text of the source that begins as a metric's name does.
fn names_in_source() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for source in sources().iter().filter(|source| !LISTS.contains(&source.path.as_str())) {
        for after in source.code.split("\"touchline_").skip(1) {
            let name: String =
                after.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
            names.insert(format!("touchline_{name}"));
        }
    }
    names
}

#[test]
fn every_metric_that_the_source_counts_is_described_and_no_other() {
    let described: BTreeSet<String> = all().map(|metric| metric.name.to_owned()).collect();
    assert_eq!(described.len(), all().count(), "a metric is described twice");
    assert_eq!(names_in_source(), described);
    for metric in all() {
        assert!(metric.help.ends_with('.'), "{}: {}", metric.name, metric.help);
        assert!(!metric.help.contains('|') && !metric.normal.contains('|'), "{}", metric.name);
        assert!(!metric.normal.is_empty(), "{}", metric.name);
        let is_total = metric.name.ends_with("_total");
        assert_eq!(is_total, metric.sort_name() == "counter", "{}", metric.name);
    }
}

const MARK: &str = "<!-- From here on it is what the program's own table says; the test that compares them says how to write it anew. -->\n";

fn row(metric: &Metric) -> String {
    let labels: Vec<String> = metric.labels.iter().map(|label| format!("`{label}`")).collect();
    let (name, sort, unit) = (metric.name, metric.sort_name(), metric.unit.as_str());
    let (help, normal) = (metric.help, metric.normal);
    format!("| `{name}` | {sort} | {unit} | {} | {help} | {normal} |\n", labels.join(", "))
}

#[test]
fn the_page_about_metrics_says_what_the_program_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/metrics.md");
    let page = fs::read_to_string(&path).unwrap();
    let (head, _) = page.split_once(MARK).unwrap();
    let mut wanted = format!("{head}{MARK}");
    for (part, metrics) in METRICS {
        wanted.push_str(&format!("\n## {part}\n\n"));
        wanted.push_str("| metric | sort | unit | labels | what it tells | what is normal |\n");
        wanted.push_str("|---|---|---|---|---|---|\n");
        metrics.iter().for_each(|metric| wanted.push_str(&row(metric)));
    }
    if std::env::var_os("WRITE_METRICS").is_some() {
        fs::write(&path, &wanted).unwrap();
        return;
    }
    assert!(page == wanted, "WRITE_METRICS=1 cargo test --test it the_page_about_metrics");
}

/// The labels of every series of a metric, without those that Prometheus adds.
fn shown(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut shown = BTreeMap::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (name, rest) = line.split_at(line.find(['{', ' ']).unwrap());
        let labels = rest.rsplit_once('}').map_or("", |(labels, _)| &labels[1..]);
        // A route has braces of its own, and no value here has a quote or a comma before an equals sign.
        let names =
            labels.split("\",").filter_map(|pair| pair.split_once('=')).map(|(name, _)| name);
        let names = names.filter(|name| !["le", "quantile"].contains(name)).map(str::to_owned);
        let known = |name: &str| all().any(|metric| metric.name == name);
        let ends = ["_bucket", "_sum", "_count"];
        let family = ends.iter().find_map(|end| name.strip_suffix(end)).filter(|name| known(name));
        shown.insert(family.unwrap_or(name).to_owned(), names.collect());
    }
    shown
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_shown_of_a_match_day_is_described_with_its_labels() {
    let folder = tempfile::tempdir().unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    let settings =
        [("TOUCHLINE_METRICS_LISTEN", address.as_str()), ("TOUCHLINE_DEMO_DATA", "true")];
    let program = Program::start(&folder, &fresh_database_url().await, &settings);
    let client = &program.client;
    let phone = json!({"phone": "+447700900123"});
    client.post("/api/code/request").json(phone.clone()).send().await.expect(200);
    let log = client.get("/api/logs/sms").send().await.expect(200);
    let body = json!({"phone": phone["phone"], "code": log.body["data"][0]["code"]});
    let token = client.post("/api/code/verify").json(body).send().await.expect(200);
    let token = token.body["data"]["token"].as_str().unwrap().to_owned();
    client.post("/api/auth/daily-coins").token(&token).send().await.expect(200);
    client.get("/api/admin/overview").token(OPERATOR_TOKEN).send().await.expect(200);
    client.get("/nowhere").send().await.expect(404);
    let metrics = Client::new(&format!("http://{address}"));
    // Those that are looked at every few seconds are the last to come.
    let last =
        ["touchline_jobs_lag_ms", "touchline_stream_listeners", "touchline_chat_lag_seconds"];
    let text = eventually(|| async {
        let text = metrics.get("/metrics").send().await.expect(200).text;
        last.iter().all(|name| text.contains(&format!("\n{name}"))).then_some(text)
    })
    .await;
    let shown = shown(&text);
    for (name, labels) in &shown {
        let metric = all().find(|metric| metric.name == name);
        let metric = metric.unwrap_or_else(|| panic!("{name} is not described"));
        let wanted: BTreeSet<String> =
            metric.labels.iter().map(|&label| label.to_owned()).collect();
        assert_eq!(*labels, wanted, "{name}");
        assert!(text.contains(&format!("# HELP {name} {}\n", metric.help)), "{name} in {text}");
    }
    let own = ["build_info", "start_time_seconds", "data_dir_free_bytes", "http_in_flight"];
    for name in own.map(|name| format!("touchline_{name}")) {
        assert!(shown.contains_key(&name), "{name} in {text}");
    }
    for reason in ["in_flight", "connections"] {
        let line = format!("touchline_http_refused_total{{reason=\"{reason}\"}} 0\n");
        assert!(text.contains(&line), "{line} in {text}");
    }
    let version = format!("touchline_build_info{{version=\"{}\"}} 1\n", env!("CARGO_PKG_VERSION"));
    assert!(text.contains(&version), "{text}");
}
