"""Stand-ins for what surrounds the installed program: systemd, which starts it by its unit, and a gateway that delivers codes."""

import http.server
import json
import os
import pathlib
import re
import resource
import shlex
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request

# Longer than anything here takes, even beside other work.
PATIENCE_S = 60
# Shorter than the unit's, so that signs of life come soon.
WATCHDOG_USEC = 1_000_000


class Unit:
    """The [Service] section of a unit."""

    def __init__(self, path):
        self.settings = {}
        section = None
        for line in pathlib.Path(path).read_text().splitlines():
            if line.startswith("["):
                section = line
            elif section == "[Service]" and "=" in line and not line.startswith("#"):
                name, value = line.split("=", 1)
                self.settings.setdefault(name, []).append(value)

    def one(self, name):
        (value,) = self.settings[name]
        return value

    def allowed_system_calls(self):
        """By the same sets that systemd has."""
        allowed = set()
        for line in self.settings["SystemCallFilter"]:
            named = set()
            for word in line.lstrip("~").split():
                named |= calls_of(word)
            allowed = allowed - named if line.startswith("~") else allowed | named
        return allowed


def calls_of(name):
    if not name.startswith("@"):
        return {name}
    told = subprocess.run(["systemd-analyze", "syscall-filter", name], check=True, capture_output=True, text=True).stdout
    words = [line.strip() for line in told.splitlines()[1:] if line.strip() and not line.strip().startswith("#")]
    # What strace calls by the names of the kernel's table.
    return set().union(*(calls_of(word) for word in words)) if words else set()


class Service:
    """The program as systemd would run it: the unit's command, user, environment and limits, on a sealed root."""

    def __init__(self, machine, unit, traced=False):
        self.machine, self.unit, self.traced = machine, unit, traced
        self.folder = machine.root / "run"
        self.messages = []

    def __enter__(self):
        self.sealed = self.machine.sealed()
        root = self.sealed.__enter__()
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.path = self.folder / "notify"
        self.path.unlink(missing_ok=True)
        self.socket.bind(str(self.path))
        self.path.chmod(0o777)
        self.socket.settimeout(PATIENCE_S)
        account = next(line.split(":") for line in self.machine.read("etc/passwd").splitlines()
                       if line.startswith(self.unit.one("User") + ":"))
        environment = {"PATH": "/usr/bin:/bin", "NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": str(WATCHDOG_USEC)}
        for line in self.machine.read(self.unit.one("EnvironmentFile").lstrip("/")).splitlines():
            if line and not line.startswith("#"):
                name, value = line.split("=", 1)
                environment[name] = value
        # systemd may raise the limit as it likes; in a container even root may not.
        files = min(int(self.unit.one("LimitNOFILE")), resource.getrlimit(resource.RLIMIT_NOFILE)[1])

        def become():
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
            os.umask(int(self.unit.one("UMask"), 8))
            os.chroot(root)
            os.chdir(self.unit.one("WorkingDirectory"))
            if not self.traced:
                os.setgroups([])
                os.setgid(int(account[3]))
                os.setuid(int(account[2]))

        command = shlex.split(self.unit.one("ExecStart"))
        self.trace = self.folder / "trace"
        self.output = self.folder / "log"
        with open(self.output, "wb") as output:
            if self.traced:
                # strace is the machine's own, so it starts outside and lets the child become what it is to be.
                outer = ["strace", "-f", "-qq", "-e", "signal=none", "-o", self.trace, "chroot",
                         f"--userspec={account[2]}:{account[3]}", root, "env", "-C", self.unit.one("WorkingDirectory"), *command]
                self.process = subprocess.Popen(outer, env=environment | {"PATH": os.environ["PATH"]}, stdout=output,
                                                stderr=subprocess.STDOUT, preexec_fn=lambda: self.limits(files))
            else:
                self.process = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT,
                                                preexec_fn=become)
        return self

    def limits(self, files):
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
        os.umask(int(self.unit.one("UMask"), 8))

    def __exit__(self, *_):
        if self.process.poll() is None:
            os.kill(self.program(), signal.SIGKILL)
            self.process.wait(timeout=PATIENCE_S)
        self.socket.close()
        self.path.unlink(missing_ok=True)
        self.sealed.__exit__(None, None, None)

    def program(self):
        """The process id of the program itself."""
        if not self.traced:
            return self.process.pid
        (child,) = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return int(child)

    def hears(self, message):
        """Waits until the program tells this; signs of life may come before it."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            try:
                told = self.socket.recv(256).decode()
            except TimeoutError:
                break
            if told == message:
                return
            assert told == "WATCHDOG=1", f"{told} instead of {message}"
        raise AssertionError(f"{message} was never told:\n{self.log()}")

    def told(self):
        """What waits to be heard."""
        self.socket.setblocking(False)
        told = []
        try:
            while True:
                told.append(self.socket.recv(256).decode())
        except BlockingIOError:
            return told

    def stop(self):
        os.kill(self.program(), signal.SIGTERM)

    def wait(self):
        return self.process.wait(timeout=PATIENCE_S)

    def log(self):
        return self.output.read_text(errors="replace")

    def user(self):
        user = os.stat(f"/proc/{self.program()}").st_uid
        accounts = [line.split(":") for line in self.machine.read("etc/passwd").splitlines()]
        return next(account[0] for account in accounts if account[2] == str(user))

    def system_calls(self):
        """Those of the program, from its own start on."""
        calls, begun = set(), False
        for line in self.trace.read_text(errors="replace").splitlines():
            begun = begun or 'execve("/usr/bin/touchline"' in line
            found = re.match(r"\d+ +(?:<\.\.\. )?([a-z_0-9]+)[ (]", line)
            if begun and found:
                calls.add(found.group(1))
        return calls

    def address_families(self):
        """The sorts of sockets that the program opened."""
        return set(re.findall(r"\bsocket\((AF_\w+)", self.trace.read_text(errors="replace")))

    def address(self):
        return "http://" + re.search(r'^listen = "(\S+)"', self.machine.read("etc/touchline/touchline.toml"), re.M).group(1)

    def get(self, path, token=None):
        return self.call(path, None, token)

    def post(self, path, body, token=None):
        return self.call(path, json.dumps(body).encode(), token)

    def call(self, path, body, token):
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(self.address() + path, body, headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            return refused.code, json.load(refused)


class Gateway:
    """Takes messages as an SMS gateway does, and keeps them."""

    def __enter__(self):
        messages = self.messages = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                messages.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/messages"
        return self

    def __exit__(self, *_):
        self.server.shutdown()

    @staticmethod
    def free_port():
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            return taken.getsockname()[1]


def log_in(service, gateway, phone):
    status, body = service.post("/api/code/request", {"phone": phone})
    assert status == 200, f"{body}\n{service.log()}"
    code = re.search(r"\d{6}", gateway.messages[-1]["text"]).group()
    status, body = service.post("/api/code/verify", {"phone": phone, "code": code})
    assert status == 200, f"{body}\n{service.log()}"
    return body["data"]["token"]
