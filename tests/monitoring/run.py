"""Holds rules, dashboard, runbook and the page about metrics to each other and to the metrics of the real program."""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import promql
from program import ROOT, shown_after_play

FOLDER = ROOT / "packaging/monitoring"
RUNBOOK_URL = "https://github.com/touchline-app/touchline/blob/main/docs/runbook.md#"
# What Prometheus itself adds, and labels to what is scraped.
PROMETHEUS_METRICS = {"up"}
ADDED_LABELS = {"job", "instance", "le"}
HISTOGRAM_ENDS = ("_bucket", "_sum", "_count")
SECTIONS = ("**What it means.**", "**What to look at.**", "**What to do.**", "**What not to do.**")
# What this play of a match day does not bring about, and why; the table has them.
NOT_PLAYED = {
    "touchline_clock_difference_ms": "needs PostgreSQL",
    "touchline_feed_requests_total": "needs a provider of matches",
    "touchline_feed_matches_total": "needs a provider of matches",
    "touchline_feed_disagreements_total": "needs a provider of matches",
    "touchline_outbound_seconds": "needs a provider of messages or matches",
    "touchline_push_messages_total": "needs a device",
    "touchline_push_calls_total": "needs a device",
    "touchline_db_errors_total": "needs a database that fails",
    "touchline_db_skipped_total": "needs overload",
    "touchline_db_reads_aside_total": "needs replicas",
    "touchline_tls_certificate_stale": "needs a certificate",
}
# For whoever looks into something: on no dashboard and in no rule.
FOR_LOOKING = {
    "touchline_db_group_size", "touchline_db_shared_wishes", "touchline_feed_matches_total", "touchline_league_joins_total",
    "touchline_leagues_created_total", "touchline_ledger_house_coins", "touchline_tips_total",
    "touchline_tls_failed_handshakes_total",
}
problems = []


def complain(text):
    problems.append(text)


def table():
    """Every metric of docs/metrics.md with its sort and labels; a test of the program holds that page to the program's own table."""
    rows = re.findall(r"^\| `(touchline_\w+)` \| (\w+) \| \w+ \| ([^|]*) \|", (ROOT / "docs/metrics.md").read_text(), re.M)
    return {name: (sort, set(re.findall(r"`(\w+)`", labels))) for name, sort, labels in rows}


def rules():
    """The alerts of alerts.yml, which is written in one simple way: name, expression, runbook."""
    found, block = [], None
    for line in (FOLDER / "alerts.yml").read_text().splitlines():
        text = line.strip()
        if text.startswith("- alert: "):
            found.append({"name": text[9:], "expr": "", "runbook": ""})
            block = None
        elif text.startswith("expr: "):
            block = found[-1] if text == "expr: |-" else None
            found[-1]["expr"] = "" if block else text[6:]
        elif re.match(r"(for|labels|annotations|summary|runbook_url|- name|rules|groups):", text):
            block = None
            if text.startswith("runbook_url: "):
                found[-1]["runbook"] = text[13:]
        elif block is not None:
            block["expr"] += " " + text
    return found


def dashboard():
    """The dashboard's expressions, each with its panel's title and its legend."""
    page = json.loads((FOLDER / "dashboard.json").read_text())
    panels = page["panels"]
    ids = [panel["id"] for panel in panels]
    if len(ids) != len(set(ids)):
        complain("dashboard: two panels have one id")
    taken = {}
    for panel in panels:
        place = panel["gridPos"]
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                if x >= 24 or (x, y) in taken:
                    complain(f"dashboard: {panel['title']} lies on {taken.get((x, y), 'the edge')}")
                    break
                taken[x, y] = panel["title"]
        if panel["type"] != "row" and not panel.get("targets"):
            complain(f"dashboard: {panel['title']} shows nothing")
        for target in panel.get("targets", []):
            yield panel["title"], target["expr"], target.get("legendFormat", "")
    for variable in page["templating"]["list"]:
        if variable["type"] == "query":
            yield variable["name"], variable["query"]["query"], ""


def family(name, known):
    for end in HISTOGRAM_ENDS:
        base = name.removesuffix(end)
        if base != name and known.get(base, ("",))[0] == "histogram":
            return base
    return name


def check_expression(where, expression, legend, known, values, source):
    """Answers the metrics that it names."""
    labels, used = set(ADDED_LABELS), set()
    for name in promql.metrics(expression):
        base = family(name, known)
        if base in known:
            used.add(base)
            labels |= known[base][1]
            if known[base][0] == "histogram" and base == name:
                complain(f"{where}: {name} is a histogram, and only its parts are series")
        elif name not in PROMETHEUS_METRICS:
            complain(f"{where}: there is no metric {name}")
    for label in promql.grouped(expression) | set(re.findall(r"\{\{\s*(\w+)\s*\}\}", legend)):
        if label not in labels:
            complain(f"{where}: none of its metrics has a label {label}")
    for name, label, operator, value in promql.matchers(expression):
        base = family(name, known)
        own = known.get(base, ("", set()))[1] | ADDED_LABELS
        if label not in own:
            complain(f"{where}: {name} has no label {label}")
        # The words of a choice, as far as they are words; a pattern speaks for itself.
        words = value.split("|") if operator in ("=~", "!~") else [value]
        for word in words:
            plain = re.fullmatch(r"[a-z_]+", word) and label not in ADDED_LABELS
            if plain and word not in values.get((base, label), ()) and f'"{word}"' not in source:
                complain(f"{where}: {label} of {name} is never {word}")
    return used


def check_syntax(expressions):
    """promtool reads the dashboard's expressions as if each were a rule."""
    lines = ["groups:", "  - name: dashboard", "    rules:"]
    # Grafana's own function is none of Prometheus'.
    expressions = [expression for _, expression, _ in expressions if not expression.startswith("label_values(")]
    for number, expression in enumerate(expressions):
        written = expression.replace("$__rate_interval", "5m").replace("$job", "touchline")
        lines += [f"      - record: panel:{number}", "        expr: " + json.dumps(written)]
    with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        checked = subprocess.run([os.environ["PROMTOOL"], "check", "rules", file.name], capture_output=True, text=True)
    if checked.returncode:
        complain("dashboard: " + checked.stdout + checked.stderr)


def check_runbook(alerts):
    page = (ROOT / "docs/runbook.md").read_text()
    parts = re.split(r"^## (.+)$", page, flags=re.M)
    sections = dict(zip(parts[1::2], parts[2::2]))
    names = [alert["name"] for alert in alerts]
    for name in names:
        if name not in sections:
            complain(f"docs/runbook.md: no heading {name}")
    for heading, text in sections.items():
        if heading not in names:
            complain(f"docs/runbook.md: {heading} is no alert")
        for section in SECTIONS:
            if section not in text:
                complain(f"docs/runbook.md: {heading} does not say {section}")
    for alert in alerts:
        if alert["runbook"] != RUNBOOK_URL + alert["name"].lower():
            complain(f"alerts.yml: the runbook_url of {alert['name']} is not its heading")
    for name in set(re.findall(r"`(touchline_\w+)", page)) - set(table()):
        complain(f"docs/runbook.md: there is no metric {name}")


def check_tests(alerts):
    tests = re.findall(r"- name: (\w+) on (bad|good) series", (FOLDER / "alerts.test.yml").read_text())
    for name in {alert["name"] for alert in alerts}:
        for word in ("bad", "good"):
            if (name, word) not in tests:
                complain(f"alerts.test.yml: {name} is not tested on {word} series")


def main():
    known, alerts, panels = table(), rules(), list(dashboard())
    assert known and alerts and panels
    expressions = [(alert["name"], alert["expr"], "") for alert in alerts] + panels
    wanted = set(known) - set(NOT_PLAYED)
    parts = {name if known[name][0] != "histogram" else name + "_count" for name in wanted}
    series, helped = shown_after_play(parts)
    values, shown = {}, set()
    for name, labels in series:
        base = family(name, known)
        shown.add(base)
        if base not in known:
            complain(f"/metrics: {name} is not in docs/metrics.md")
            continue
        if base not in helped:
            complain(f"/metrics: {base} has no help")
        if set(labels) - {"le", "quantile"} != known[base][1]:
            complain(f"/metrics: {base} has the labels {sorted(labels)}")
        for label, value in labels.items():
            values.setdefault((base, label), set()).add(value)
    for name in sorted(wanted - shown):
        complain(f"/metrics: {name} did not come; if it cannot here, say why in NOT_PLAYED")
    source = "".join(path.read_text() for path in (ROOT / "src").rglob("*.rs"))
    used = set()
    for where, expression, legend in expressions:
        used |= check_expression(where, expression, legend, known, values, source)
    for name in sorted(set(known) - used - FOR_LOOKING):
        complain(f"{name} is neither in the rules nor on the dashboard")
    check_syntax(panels)
    check_runbook(alerts)
    check_tests(alerts)
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        sys.exit(1)
    print(f"{len(alerts)} alerts and {len(panels)} expressions of the dashboard name {len(used)} metrics; "
          f"{len(used & shown)} of them were shown by the program, the others are in its table")


main()
