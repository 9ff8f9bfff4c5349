"""A rolling upgrade: the last version and this one serve the same fans on one PostgreSQL, and nobody notices.

Run it through scripts/test-rolling, which has what it needs. Nothing but Python's standard library, and nothing leaves the machine.
"""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
THIS, LAST = ROOT / "target/debug/touchline", pathlib.Path(os.environ["LAST_VERSION"])
DATABASE = os.environ["TOUCHLINE_TEST_DATABASE_URL"]
OPERATOR = "operator-token-of-this-test"
SECONDS = 60
SIDE_BY_SIDE_S = 15
FANS = 4
# What is still to be ended, whatever happens.
STARTED = contextlib.ExitStack()


class Node:
    def __init__(self, program, folder):
        folder.mkdir()
        self.folder = folder
        ours = {name: value for name, value in os.environ.items() if not name.startswith("TOUCHLINE_")}
        settings = {
            "ENVIRONMENT": "testing", "DATA_DIR": str(folder), "LISTEN": "127.0.0.1:0", "METRICS_LISTEN": "", "DATABASE_URL": DATABASE,
            "SECRET_KEY": "the-same-key-on-every-node-of-this-test", "OPERATOR_TOKEN": OPERATOR, "DEMO_DATA": "true", "DEMO__PLAYS": "false",
            # Chat would need a homeserver of its own; nobody is there, and logins go without.
            "MATRIX__HOMESERVER_URL": "http://127.0.0.1:9", "DATABASE__POSTGRES_CONNECTIONS": "4",
        }
        self.command, self.environment = [program], ours | {f"TOUCHLINE_{name}": value for name, value in settings.items()}
        self.process = None

    def start(self):
        self.log = open(self.folder / "log", "a")
        self.process = subprocess.Popen(self.command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=self.log, text=True)
        STARTED.callback(self.stop, signal.SIGKILL)
        words = [word for word in self.process.stdout.readline().split() if word.startswith("http://")]
        if not words:
            raise SystemExit(f"it does not start: {self.said()}")
        self.base = words[0]
        return self

    def said(self):
        return (self.folder / "log").read_text()[-2000:]

    def stop(self, how=signal.SIGTERM):
        if not self.process:
            return None
        self.process.send_signal(how)
        code = self.process.wait(SECONDS)
        self.process.stdout.close()
        self.log.close()
        self.process = None
        return code

    def call(self, method, path, body=None, token=None, key=None, wanted=(200, 201)):
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                status, text = answer.status, answer.read()
        except urllib.error.HTTPError as refusal:
            status, text = refusal.code, refusal.read()
        if status not in wanted:
            raise AssertionError(f"{method} {path}: {status} {text.decode()}")
        return json.loads(text)


def log_in(asked, answered, phone):
    """The code is asked for at one node and used at another."""
    asked.call("POST", "/api/code/request", {"phone": phone})
    messages = answered.call("GET", "/api/logs/sms?phone=" + urllib.parse.quote(phone))
    return answered.call("POST", "/api/code/verify", {"phone": phone, "code": messages["data"][0]["code"]})["data"]["token"]


def scheduled(node, token):
    """Matches that have not begun; of the first of them a result comes in."""
    return node.call("GET", "/api/auth/events?status=scheduled&per_page=50", token=token)["data"]


class Fan(threading.Thread):
    """Somebody whose every other call meets the other version."""

    def __init__(self, number, nodes):
        super().__init__()
        self.nodes, self.phone, self.problem = nodes, f"+4477009{number:05}", None
        self.spent, self.calls, self.until = 0, 0, time.monotonic() + SIDE_BY_SIDE_S

    def run(self):
        try:
            self.live()
        except Exception as problem:  # noqa: BLE001 (told by the main thread)
            self.problem = problem

    def live(self):
        turn = 0
        self.token = log_in(*self.nodes, self.phone)
        events = scheduled(self.nodes[0], self.token)[1:]
        while time.monotonic() < self.until:
            turn += 1
            one, other = self.nodes[turn % 2], self.nodes[(turn + 1) % 2]
            wish = {"amount": 1, "reason": "wager"}
            # Counted once, though both versions are asked for it.
            for node in (one, other):
                node.call("POST", "/api/auth/coins/deduct", wish, self.token, key=f"turn-{turn}", wanted=(200, 400))
            self.spent = min(self.spent + 1, 500)
            event = events[turn % len(events)]["id"]
            one.call("POST", "/api/auth/predictions", {"event_id": event, "prediction": ["home", "away", "draw"][turn % 3]}, self.token)
            seen = other.call("GET", "/api/auth/predictions?per_page=100", token=self.token)["data"]
            assert any(row["event_id"] == event for row in seen), f"a prediction of {event} is not seen by the other version"
            for path in ("/api/auth/me", "/api/auth/coins", "/api/auth/leaderboard", "/api/auth/teams", f"/api/auth/events/{event}"):
                one.call("GET", path, token=self.token)
            self.calls += 9
            if turn == 5:
                self.token = log_in(one, other, self.phone)


def balance(node, fan):
    return node.call("GET", "/api/auth/coins", token=fan.token)["data"]["balance"]


def main():
    folder = pathlib.Path(STARTED.enter_context(tempfile.TemporaryDirectory()))
    last = Node(LAST, folder / "last").start()
    early = log_in(last, last, "+447700999999")
    this = Node(THIS, folder / "this").start()
    fans = [Fan(number, (last, this)) for number in range(FANS)]
    for fan in fans:
        fan.start()
    # A result comes in at one version meanwhile, and whoever is first settles it.
    event = scheduled(this, early)[0]["id"]
    result = {"home_score": 2, "away_score": 1}
    last.call("POST", f"/api/admin/events/{event}/result", result, OPERATOR)
    this.call("POST", f"/api/admin/events/{event}/result", result | {"away_score": 0}, OPERATOR)
    for fan in fans:
        fan.join()
    problems = [fan.problem for fan in fans if fan.problem]
    assert not problems, problems
    for fan in fans:
        assert balance(last, fan) == balance(this, fan) == 500 - fan.spent, (balance(last, fan), balance(this, fan), fan.spent)
    this.call("GET", "/api/auth/me", token=early)
    assert last.stop() == 0, last.said()
    before = this.call("POST", "/api/admin/coins/reconcile", {}, OPERATOR, wanted=(202,))["data"]["last_reconciliation"]
    deadline = time.monotonic() + SECONDS
    while (books := this.call("GET", "/api/admin/coins", token=OPERATOR)["data"]["reconciliation"])["id"] == before:
        assert time.monotonic() < deadline, "nobody reconciles the books"
        time.sleep(0.1)
    assert books["disagreeing"] == 0, books
    # The way back is closed once the schema is newer, and it says so.
    schemas = [int(path.name[:4]) for path in (ROOT / "migrations").iterdir()]
    again = subprocess.run([LAST], cwd=folder, env=last.environment, capture_output=True, text=True, timeout=SECONDS)
    if "newer than this program" not in again.stderr:
        raise SystemExit(f"the last version started on the schema of migration {max(schemas)}: {again.stderr}")
    for node in (last, this):
        errors = [line for line in (node.folder / "log").read_text().splitlines() if '"level":"ERROR"' in line]
        assert not errors, errors[:3]
    print(f"{sum(fan.calls for fan in fans)} calls of {FANS} fans between two versions, and nobody noticed.")


with STARTED:
    main()
