"""Brings a service back to a moment of its past, as docs/backups.md says, and looks whether what was acknowledged before it is there.

Run it through scripts/test-recovery, which has what it needs. Nothing but Python's standard library, and nothing leaves the machine.
"""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / "target/debug/touchline"
POSTGRES = pathlib.Path(os.environ["TOUCHLINE_TEST_PG_BIN"])
LITESTREAM = os.environ["LITESTREAM"]
SECONDS = 60
# What is still to be ended, whatever happens.
STARTED = contextlib.ExitStack()


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def until(what, look):
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        found = look()
        if found:
            return found
        time.sleep(0.1)
    raise SystemExit(f"waited in vain for {what}")


class Service:
    """The real program in a folder, and a fan in it who spends coins and talks."""

    def __init__(self, folder, database=""):
        self.folder = folder
        ours = {name: value for name, value in os.environ.items() if not name.startswith("TOUCHLINE_")}
        settings = {"ENVIRONMENT": "testing", "DATA_DIR": str(folder), "LISTEN": "127.0.0.1:0", "METRICS_LISTEN": ""}
        if database:
            settings["DATABASE_URL"] = database
        self.environment = ours | {f"TOUCHLINE_{name}": value for name, value in settings.items()}
        self.process = None

    def start(self):
        self.log = open(self.folder / "log", "a")
        self.process = subprocess.Popen([PROGRAM], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=self.log, text=True)
        STARTED.callback(self.stop, signal.SIGKILL)
        line = self.process.stdout.readline()
        words = [word for word in line.split() if word.startswith("http://")]
        if not words:
            raise SystemExit(f"it does not start: {(self.folder / 'log').read_text()[-2000:]}")
        self.base = words[0]
        return self

    def run(self, *arguments):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=SECONDS)
        if done.returncode != 0:
            raise SystemExit(f"{arguments}: {done.stdout}{done.stderr}")
        return done.stdout

    def stop(self, how=signal.SIGTERM):
        if not self.process:
            return
        self.process.send_signal(how)
        self.process.wait(SECONDS)
        self.process.stdout.close()
        self.log.close()
        self.process = None

    def call(self, method, path, body=None, token=None):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    def log_in(self, phone):
        self.call("POST", "/api/code/request", {"phone": phone})
        messages = self.call("GET", "/api/logs/sms?phone=" + urllib.parse.quote(phone))
        return self.call("POST", "/api/code/verify", {"phone": phone, "code": messages["data"][0]["code"]})["data"]

    def spend(self, token, what):
        self.call("POST", "/api/auth/coins/deduct", {"amount": 1, "reason": "wager", "reference_id": what}, token)

    def spent(self, token):
        rows = self.call("GET", "/api/auth/coins/transactions?per_page=100", token=token)["data"]
        return sorted(row["reference_id"] for row in rows if row["reason"] == "wager")

    def rooms(self, token):
        return sorted(room["name"] for room in self.call("GET", "/api/auth/chat-rooms", token=token)["data"])

    def make_room(self, token, name):
        self.call("POST", "/api/auth/chat-room", {"name": name}, token)


class Cluster:
    """A PostgreSQL server of one's own that copies its log to an archive."""

    def __init__(self, folder, archive):
        self.folder, self.archive, self.port = folder, archive, free_port()
        self.user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []

    def do(self, program, *arguments):
        command = [*self.user, POSTGRES / program, *arguments]
        done = subprocess.run(command, cwd="/", capture_output=True, text=True, timeout=SECONDS)
        if done.returncode != 0:
            raise SystemExit(f"{program}: {done.stdout}{done.stderr}")
        return done.stdout

    def create(self):
        self.do("initdb", "-D", str(self.folder), "-U", "touchline", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        return self

    def start(self, *settings):
        options = [
            f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder}",
            f"-c wal_level=replica -c archive_mode=on -c archive_command='test ! -f {self.archive}/%f && cp %p {self.archive}/%f'",
            *settings,
        ]
        log = str(self.folder / "server.log")
        # Its output goes elsewhere, or this would wait for the end of the server.
        command = [*self.user, POSTGRES / "pg_ctl", "-D", str(self.folder), "-w", "-l", log, "start", "-o", " ".join(options)]
        subprocess.run(command, cwd="/", check=True, timeout=SECONDS, stdout=subprocess.DEVNULL)
        self.is_up = True
        STARTED.callback(self.stop)
        return self

    def stop(self):
        if not self.is_up:
            return
        self.is_up = False
        self.do("pg_ctl", "-D", str(self.folder), "-m", "fast", "-w", "stop")

    def ask(self, sql, database="postgres"):
        return self.do("psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "touchline", "-d", database, "-Atc", sql).strip()

    def url(self):
        return f"postgres://touchline@127.0.0.1:{self.port}/touchline"


@contextlib.contextmanager
def workplace():
    folder = pathlib.Path(tempfile.mkdtemp())
    if os.getuid() == 0:
        shutil.chown(folder, "postgres")
    yield folder
    shutil.rmtree(folder)


def on_postgres():
    """A base copy, the archive of the log, and a moment between two transfers."""
    with workplace() as place, tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as new:
        archive = place / "archive"
        archive.mkdir()
        if os.getuid() == 0:
            shutil.chown(archive, "postgres")
        server = Cluster(place / "first", archive).create().start()
        server.ask("CREATE DATABASE touchline")
        service = Service(pathlib.Path(home), server.url()).start()
        token = service.log_in("+447700900123")["token"]
        service.spend(token, "before the copy")
        service.make_room(token, "Away end")
        server.do("pg_basebackup", "-h", "127.0.0.1", "-p", str(server.port), "-U", "touchline", "-D", str(place / "second"), "-X", "none", "-c", "fast")
        service.run("backup", "pieces.backup")
        service.spend(token, "after the copy")
        moment = server.ask("SELECT clock_timestamp()")
        service.spend(token, "after the moment")
        service.make_room(token, "Home end")
        last = server.ask("SELECT pg_walfile_name(pg_switch_wal())")
        until("the archive", lambda: (archive / last).exists())
        service.stop()
        server.stop()
        second = Cluster(place / "second", archive)
        (second.folder / "recovery.signal").touch()
        second.start(
            f"-c restore_command='cp {archive}/%f %p' -c \"recovery_target_time={moment}\" -c recovery_target_action=promote -c archive_mode=off"
        )
        until("the new primary", lambda: second.ask("SELECT pg_is_in_recovery()") == "f")
        restored = Service(pathlib.Path(new), second.url())
        restored.run("restore", str(pathlib.Path(home) / "pieces.backup"))
        restored.start()
        found = restored.spent(token)
        assert found == ["after the copy", "before the copy"], found
        until("the rooms of the copy", lambda: restored.rooms(token) == ["Away end"])
        restored.spend(token, "afterwards")
        restored.stop()
        second.stop()
    print("PostgreSQL: what was acknowledged before the moment is there, and nothing after it")


def on_sqlite():
    """Copied all the time, killed in the middle of its work, brought back from the copies alone."""
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as shelf, tempfile.TemporaryDirectory() as new:
        home, shelf, new = pathlib.Path(home), pathlib.Path(shelf), pathlib.Path(new)
        service = Service(home).start()
        login = service.log_in("+447700900123")
        token = login["token"]
        files = ["touchline.db", "homeserver.db"]
        settings = {"dbs": [{"path": str(home / name), "replicas": [{"path": str(shelf / name), "sync-interval": "100ms"}]} for name in files]}
        (shelf / "litestream.yml").write_text(json.dumps(settings))
        with open(shelf / "log", "w") as log:
            copier = subprocess.Popen([LITESTREAM, "replicate", "-config", str(shelf / "litestream.yml")], stdout=log, stderr=log)
        STARTED.callback(copier.kill)
        until("the first copies", lambda: all(list((shelf / name).rglob("*.snapshot.lz4")) for name in files))
        service.make_room(token, "Away end")
        for number in range(50):
            service.spend(token, f"spend {number:03}")
        # As long as may be lost.
        time.sleep(2)
        copier.kill()
        copier.wait()
        service.stop(signal.SIGKILL)
        for name in files:
            command = [LITESTREAM, "restore", "-o", str(new / name), "file://" + str(shelf / name)]
            subprocess.run(command, check=True, timeout=SECONDS, capture_output=True)
        shutil.copy(home / "secret_key", new / "secret_key")
        restored = Service(new).start()
        found = restored.spent(token)
        assert found == [f"spend {number:03}" for number in range(50)], found
        until("the room", lambda: restored.rooms(token) == ["Away end"])
        restored.call("GET", "/_matrix/client/v3/account/whoami", token=login["matrix_credentials"]["access_token"])
        restored.stop()
    print("SQLite: what was acknowledged before the copies ended is there")


if __name__ == "__main__":
    with STARTED:
        on_postgres()
        on_sqlite()
