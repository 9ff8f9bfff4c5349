"""Starts the program, gives it something to work on, lets Schemathesis loose on it and says what came of it.

Run it through scripts/generated-requests, which sees to the virtual environment and the build.
"""

import datetime
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import requests

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OPERATOR_TOKEN = "operator-token-for-generated-requests"
SEED = os.environ.get("SEED", "20261115")
EXAMPLES = os.environ.get("EXAMPLES", "12")
ONLY = os.environ.get("ONLY")
# A run that sent fewer requests proves less than it says.
FEWEST_REQUESTS = 5_000
FANS = 24
# Coins are frozen only when the books do not balance, a provider's match is known only once it has told of it, and a link to
# sign in stands on a terminal: no request can bring any of these about.
NEVER_SUCCEEDING = {"unfreeze_coins", "bind_feed_match", "unbind_feed_match", "sign_in_operator"}
# Numbers whose code never changes, so that generated logins can succeed.
TEST_NUMBERS = [f"+4477009{number:05}" for number in range(60)]
TEST_CODE = "123456"


def main():
    database = os.environ.get("TOUCHLINE_TEST_DATABASE_URL", "")
    name = "PostgreSQL" if database else "SQLite"
    started = time.monotonic()
    # So that the program is ended also when this is told to end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        program, base = start(folder, database)
        try:
            (folder / "world.json").write_text(json.dumps(prepare(base)))
            failed = let_loose(folder, base)
        finally:
            program.send_signal(signal.SIGTERM)
            ended = program.wait(timeout=15)
        log = (folder / "log").read_text(errors="replace")
        counts = read_counts(folder)
    print_counts(counts)
    sent = sum(sum(statuses.values()) for statuses in counts.values())
    took = time.monotonic() - started
    problems = list(find_problems(counts, sent, log, ended))
    if failed:
        problems.insert(0, "a check failed: see above")
    print(f"{name}: {sent} requests to {len(counts)} operations in {took:.0f} s, seed {SEED}")
    for problem in problems:
        print(f"{name}: {problem}")
    sys.exit(1 if problems else 0)


def start(folder, database):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("TOUCHLINE_")}
    feed = folder / "feed.json"
    feed.write_text(json.dumps(FEED))
    environment |= {
        "TOUCHLINE_ENVIRONMENT": "testing",
        "TOUCHLINE_PUBLIC_MATCHES": "true",
        "TOUCHLINE_LISTEN": "127.0.0.1:0",
        "TOUCHLINE_METRICS_LISTEN": "",
        "TOUCHLINE_DATA_DIR": str(folder),
        "TOUCHLINE_DATABASE_URL": database,
        "TOUCHLINE_OPERATOR_TOKEN": OPERATOR_TOKEN,
        "TOUCHLINE_LOGIN__TEST_NUMBERS": ",".join(f"{phone}={TEST_CODE}" for phone in TEST_NUMBERS),
        "TOUCHLINE_FEEDS__SOURCES": f"fed_league = openfootball:{feed}",
        # The limits have tests of their own. Here they would only keep requests from what lies behind them.
        # Each request to operators' calls comes from an address of its own (hooks.py), so that wrong tokens are told as such.
        "TOUCHLINE_HTTP__TRUSTED_PROXIES": "127.0.0.1",
        "TOUCHLINE_LOGIN__SENDS_PER_10_MINUTES": "1000",
        "TOUCHLINE_LOGIN__SENDS_PER_DAY": "1000",
        "TOUCHLINE_COINS__CLAIM_ATTEMPTS_A_MINUTE": "1000",
        # A live stream would never end; this one ends after what it has to tell.
        "TOUCHLINE_STREAM__LONGEST_MINUTES": "0",
        "TOUCHLINE_LOG__LEVEL": "warn",
    }
    program = subprocess.Popen(
        [ROOT / "target/debug/touchline", "serve"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=(folder / "log").open("w"),
        text=True,
    )
    line = program.stdout.readline()
    base = next((word for word in line.split() if word.startswith("http://")), None)
    if base is None:
        sys.exit(f"the program did not start: {(folder / 'log').read_text()}")
    return program, base


FEED = {
    "name": "Fed League 2026/27",
    "matches": [
        {"round": "Matchday 1", "date": "2027-03-01", "time": "15:00", "team1": "Northgate FC", "team2": "Southbank FC"},
        {"round": "Matchday 1", "date": "2026-10-01", "time": "15:00", "team1": "Eastfield FC", "team2": "Westhill FC", "score": {"ft": [2, 1]}},
    ],
}


def prepare(base):
    """Users, matches, rooms, predictions, leagues, questions and the rest, so that there is something behind the ids that requests name."""
    calls = requests.Session()

    def call(method, path, token=None, body=None):
        headers = {"authorization": f"Bearer {token}"} if token else {}
        answer = calls.request(method, base + path, json=body, headers=headers, timeout=30)
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json().get("data")

    def log_in(phone):
        call("POST", "/api/code/request", body={"phone": phone})
        code = calls.get(f"{base}/api/logs/sms", params={"phone": phone}, timeout=30).json()["data"][0]["code"]
        return call("POST", "/api/code/verify", body={"phone": phone, "code": code})

    fans = [log_in(f"+4478000{number:05}") for number in range(FANS)]
    tokens = [fan["token"] for fan in fans]
    # Those whom operators ban and correct, so that nobody is banned in whose name the requests are made.
    others = [log_in(f"+4478100{number:05}") for number in range(4)]
    catalogue = call("PUT", "/api/admin/catalogue", OPERATOR_TOKEN, make_catalogue())
    events = list(catalogue["events"].values())
    scheduled = events[:8]
    predictions = []
    for token in tokens:
        for event in scheduled[:4]:
            body = {"event_id": event, "prediction": "home", "score_prediction": {"home": 2, "away": 1}}
            predictions.append(call("POST", "/api/auth/predictions", token, body)["id"])
    rooms = []
    for number, (token, event) in enumerate(zip(tokens, scheduled[:6])):
        body = {"name": f"Room {number}", "event_id": event, "is_private": number == 5}
        rooms.append(call("POST", "/api/auth/chat-room", token, body)["room_id"])
    for token in tokens[6:18]:
        for room in rooms[:5]:
            call("POST", f"/api/auth/chat-rooms/{requests.utils.quote(room, safe='')}/join", token)
    room = requests.utils.quote(rooms[0], safe="")
    reports = []
    for fan in others:
        body = {"reason": "Insults other fans", "user_id": fan["user"]["id"]}
        reports.append(call("POST", f"/api/auth/chat-rooms/{room}/report", tokens[0], body)["id"])
    for fan in fans:
        call("POST", f"/api/admin/users/{fan['user']['id']}/coins", OPERATOR_TOKEN, {"amount": 1_000_000_000, "reason": "for tests"})
    leagues = []
    for number, token in enumerate(tokens[:6]):
        body = {"name": f"League {number}", "tournament_ids": list(catalogue["tournaments"].values()), "is_public": True}
        leagues.append(call("POST", "/api/auth/leagues", token, body)["id"])
    # Closed by the time that anything is generated.
    closes = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=2)).isoformat()
    questions = []
    for number in range(3):
        body = {"tournament_id": list(catalogue["tournaments"].values())[0], "text": f"Who wins {number}?", "closes_at": closes, "points": 5,
                "options": [{"text": "One"}, {"text": "Other"}, {"text": "Third"}]}
        question = call("POST", "/api/admin/questions", OPERATOR_TOKEN, body)
        questions.append({"id": question["id"], "options": [option["id"] for option in question["options"]]})
    webhooks = [call("POST", "/api/admin/webhooks", OPERATOR_TOKEN, {"url": "http://127.0.0.1:9/"})["id"] for _ in range(6)]
    call("POST", f"/api/admin/events/{scheduled[0]}/result", OPERATOR_TOKEN, {"home_score": 2, "away_score": 1})
    for phone in TEST_NUMBERS:
        call("POST", "/api/code/request", body={"phone": phone})
    return {
        "base": base,
        "operator_token": OPERATOR_TOKEN,
        "tokens": tokens,
        "fans": [fan["user"]["id"] for fan in fans],
        "others": [fan["user"]["id"] for fan in others],
        "usernames": [fan["user"]["username"] for fan in fans + others],
        "events": events,
        "teams": list(catalogue["teams"].values()),
        "tournaments": list(catalogue["tournaments"].values()),
        "predictions": predictions[:20],
        "rooms": rooms,
        "reports": reports,
        "leagues": leagues,
        "questions": questions,
        "webhooks": webhooks,
        "test_numbers": TEST_NUMBERS,
        "test_code": TEST_CODE,
    }


def make_catalogue():
    names = ["northgate", "southbank", "eastfield", "westhill"]
    now = datetime.datetime.now(datetime.timezone.utc)

    def event(number, home, away):
        start = now + datetime.timedelta(days=1 + number)
        return {
            "key": f"generated:{number}", "tournament": "league", "home": home, "away": away,
            "start_time": start.strftime("%Y-%m-%dT%H:%M:%SZ"),
        }

    pairs = [(home, away) for home in names for away in names if home != away]
    return {
        "sports": [{"slug": "football", "name": "Football"}],
        "teams": [{"slug": name, "name": name.title(), "sport": "football"} for name in names],
        "tournaments": [{"slug": slug, "name": slug, "sport": "football"} for slug in ("league", "cup")],
        "events": [event(number, *pair) for number, pair in enumerate(pairs)],
    }


def let_loose(folder, base):
    environment = os.environ | {"SCHEMATHESIS_HOOKS": str(HERE / "hooks.py"), "GENERATED_FOLDER": str(folder)}
    command = [
        pathlib.Path(sys.executable).parent / "schemathesis", "--config-file", HERE / "schemathesis.toml",
        "run", f"{base}/api/openapi.json",
        "--seed", SEED, "--max-examples", EXAMPLES, "--no-color",
    ]
    if ONLY:
        command += ["--include-operation-id-regex", ONLY]
    return subprocess.run(command, env=environment, cwd=folder).returncode != 0


def read_counts(folder):
    file = folder / "counts.json"
    return json.loads(file.read_text()) if file.exists() else {}


def print_counts(counts):
    for operation, statuses in sorted(counts.items()):
        shown = "  ".join(f"{status}: {count}" for status, count in sorted(statuses.items()))
        print(f"  {operation:32} {shown}")


def find_problems(counts, sent, log, ended):
    if not ONLY and sent < FEWEST_REQUESTS:
        yield f"only {sent} requests were sent, fewer than {FEWEST_REQUESTS}"
    if ended != 0:
        yield f"the program ended with {ended}"
    if "panicked" in log:
        yield "the program panicked: " + next(line for line in log.splitlines() if "panicked" in line)
    for operation, statuses in sorted(counts.items()):
        if "500" in statuses:
            yield f"{operation} answered 500"
        refused = statuses.get("429", 0)
        if refused * 2 > sum(statuses.values()):
            yield f"{operation} was mostly refused by its limit"
        if operation not in NEVER_SUCCEEDING and not any(status.startswith("2") for status in statuses):
            yield f"{operation} never succeeded"


if __name__ == "__main__":
    main()
