"""The real program with some of a match day's traffic, and what its metrics are then."""
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OPERATOR = "operator-token-for-monitoring"
# A number that the log provider refuses.
FAILING_PHONE = "+15005550001"
LINE = re.compile(r"^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$")
LABEL = re.compile(r'([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"')


def free_port():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]


class Service:
    def __init__(self, base, metrics):
        self.base, self.metrics = base, metrics

    def call(self, method, path, body=None, token=None, headers=None):
        """Status and JSON of an answer, whatever it is."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data=data, method=method, headers=dict(headers or {}))
        if data is not None:
            request.add_header("content-type", "application/json")
        if token:
            request.add_header("authorization", "Bearer " + token)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as refused:
            return refused.code, json.loads(refused.read() or b"null")

    def shown(self):
        """Every series as its name and labels, and the names that have help."""
        with urllib.request.urlopen(f"http://{self.metrics}/metrics", timeout=20) as answer:
            text = answer.read().decode()
        series = []
        for line in text.splitlines():
            match = LINE.match(line)
            if match and not line.startswith("#"):
                series.append((match.group(1), dict(LABEL.findall(match.group(2) or ""))))
        return series, set(re.findall(r"^# HELP (\S+) ", text, re.M))


@contextlib.contextmanager
def running():
    with tempfile.TemporaryDirectory() as folder:
        metrics = f"127.0.0.1:{free_port()}"
        settings = {name: value for name, value in os.environ.items() if not name.startswith("TOUCHLINE_")}
        settings.update({
            # Where messages have a budget, and their log is still shown.
            "TOUCHLINE_ENVIRONMENT": "staging", "TOUCHLINE_LOGIN__SENDS_A_DAY_IN_ALL": "1000",
            "TOUCHLINE_DATA_DIR": folder, "TOUCHLINE_LISTEN": "127.0.0.1:0", "TOUCHLINE_METRICS_LISTEN": metrics,
            "TOUCHLINE_OPERATOR_TOKEN": OPERATOR, "TOUCHLINE_DEMO_DATA": "true", "TOUCHLINE_DEMO__PLAYS": "false",
        })
        program = ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "debug/touchline"
        with open(Path(folder) / "log", "w") as log:
            child = subprocess.Popen([program], env=settings, cwd=folder, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            line = child.stdout.readline()
            base = next((word for word in line.split() if word.startswith("http://")), None)
            if not base:
                raise SystemExit(f"the program did not start: {(Path(folder) / 'log').read_text()}")
            yield Service(base, metrics)
        finally:
            child.send_signal(signal.SIGTERM)
            try:
                child.wait(timeout=15)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


def log_in(service, phone):
    service.call("POST", "/api/code/request", {"phone": phone})
    _, log = service.call("GET", "/api/logs/sms?phone=%2B" + phone[1:])
    status, answer = service.call("POST", "/api/code/verify", {"phone": phone, "code": log["data"][0]["code"]})
    assert status == 200, answer
    return answer["data"]["token"]


def play(service):
    """A little of everything that fans and operators do."""
    token = log_in(service, "+447700900123")
    service.call("POST", "/api/code/request", {"phone": FAILING_PHONE})
    service.call("POST", "/api/auth/daily-coins", token=token)
    service.call("POST", "/api/auth/coins/deduct", {"amount": 5, "reason": "wager", "reference_id": "a"}, token)
    _, events = service.call("GET", "/api/auth/events?status=scheduled", token=token)
    event = events["data"][0]["id"]
    status, answer = service.call("POST", "/api/auth/predictions", {"event_id": event, "prediction": "home"}, token)
    assert status == 201, answer
    service.call("POST", "/api/auth/chat-room", {"name": "Watchers", "topic": "", "event_id": event, "is_private": False}, token)
    service.call("GET", "/nowhere")
    # To nobody: what it is told fails.
    service.call("POST", "/api/admin/webhooks", {"url": f"http://127.0.0.1:{free_port()}/", "kinds": ["status", "settlement"]}, OPERATOR)
    service.call("POST", f"/api/admin/events/{event}/result", {"home_score": 1, "away_score": 0}, OPERATOR)
    service.call("POST", "/api/admin/coins/reconcile", token=OPERATOR)


def shown_after_play(wanted, patience_s=20):
    """The series of a program that was played with, once all that are wanted have come."""
    with running() as service:
        play(service)
        deadline = time.monotonic() + patience_s
        while True:
            series, helped = service.shown()
            if wanted <= {name for name, _ in series} or time.monotonic() > deadline:
                return series, helped
            time.sleep(0.1)
