//! The answer of a poll as lines for people, for `touchline feed`.

use serde_json::Value;

/// One line for each match that is not left as it is, and a summary after them.
pub fn lines(outcome: &Value) -> String {
    let mut lines: Vec<String> = list(&outcome["failures"])
        .iter()
        .map(|failure| format!("no answer from {}", text(failure)))
        .collect();
    lines.extend(list(&outcome["problems"]).iter().map(|problem| format!("? {}", text(problem))));
    lines.extend(list(&outcome["differences"]).iter().map(line));
    lines.push(summary(outcome));
    lines.join("\n")
}

fn summary(outcome: &Value) -> String {
    let tournament = text(&outcome["tournament"]);
    let Some(provider) = outcome["provider"].as_str() else {
        return format!("{tournament}: no source gave an answer");
    };
    let counts = ["created", "changed", "held", "unchanged"]
        .map(|word| format!("{} {word}", outcome[word].as_i64().unwrap_or(0)));
    let ending = if outcome["dry_run"] == true { " (dry run: nothing was written)" } else { "" };
    format!("{tournament} from {provider}: {}{ending}", counts.join(", "))
}

fn line(difference: &Value) -> String {
    let mark = match text(&difference["effect"]) {
        "created" => '+',
        "changed" => '~',
        _ => '!',
    };
    let mut line =
        format!("{mark} {} [{}]", text(&difference["title"]), text(&difference["external_id"]));
    for change in list(&difference["fields"]) {
        let (from, to) = (text(&change["from"]), text(&change["to"]));
        let arrow = if from.is_empty() { String::new() } else { format!("{from} -> ") };
        line.push_str(&format!(" {}: {arrow}{to};", text(&change["field"])));
    }
    if let Some(reason) = difference["reason"].as_str() {
        line.push_str(&format!(" held: {reason}"));
    }
    line.trim_end_matches(';').to_owned()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_dry_run_reads_as_a_list_of_differences() {
        let outcome = json!({
            "tournament": "league", "provider": "football_data", "dry_run": true, "created": 1, "changed": 1,
            "held": 1, "unchanged": 2, "failures": [], "problems": [],
            "differences": [
                {"effect": "created", "title": "A - B", "external_id": "1", "reason": null,
                 "fields": [{"field": "start_time", "from": "", "to": "2026-11-20T15:00:00Z"}]},
                {"effect": "changed", "title": "C - D", "external_id": "2", "reason": null,
                 "fields": [{"field": "status", "from": "live", "to": "finished"},
                            {"field": "score", "from": "1-0", "to": "2-0"}]},
                {"effect": "held", "title": "E - F", "external_id": "3", "fields": [], "reason": "no score"},
            ],
        });
        assert_eq!(
            lines(&outcome),
            "+ A - B [1] start_time: 2026-11-20T15:00:00Z\n\
             ~ C - D [2] status: live -> finished; score: 1-0 -> 2-0\n\
             ! E - F [3] held: no score\n\
             league from football_data: 1 created, 1 changed, 1 held, 2 unchanged (dry run: nothing was written)"
        );
    }
}
