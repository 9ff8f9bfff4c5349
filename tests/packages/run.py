"""Installs the Debian package in a throw-away root and lives its life: install, run, upgrade, remove, install again, purge.

Run it through scripts/test-packages, which builds the package and the root. It needs root, for owners and for chroot, and a mount
namespace of its own, so that nothing stays mounted. There is no systemd in the root: a stand-in starts the program as the unit says, as
its user, on a root that is read-only but for the data, and hears what it tells its supervisor.
"""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from service import Gateway, Service, Unit, log_in

PHONE = "+447700900123"
PACKAGE = "touchline"
SETTINGS = "etc/touchline/touchline.toml"
SECRETS = "etc/touchline/secret.env"
DATA = "var/lib/touchline"
# Mode, owner and group of what the package brings and makes.
FILES = {
    "usr/bin/touchline": "755 root root",
    "usr/sbin/touchline-admin": "755 root root",
    "usr/lib/systemd/system/touchline.service": "644 root root",
    "usr/share/man/man1/touchline.1.gz": "644 root root",
    "usr/share/man/man1/touchline-operator-token.1.gz": "644 root root",
    "usr/share/man/man8/touchline-admin.8.gz": "644 root root",
    "usr/share/bash-completion/completions/touchline": "644 root root",
    "usr/share/zsh/vendor-completions/_touchline": "644 root root",
    "usr/share/fish/vendor_completions.d/touchline.fish": "644 root root",
    "usr/share/doc/touchline/config.default.toml": "644 root root",
    "usr/share/doc/touchline/install.md": "644 root root",
    "usr/share/doc/touchline/copyright": "644 root root",
    "usr/share/doc/touchline/changelog.Debian.gz": "644 root root",
    SETTINGS: "640 root touchline",
    SECRETS: "600 root root",
    DATA: "700 touchline touchline",
}


class Machine:
    """A Debian in a folder."""

    def __init__(self, folder, archive):
        self.root = folder / "root"
        self.root.mkdir()
        subprocess.run(["tar", "-xf", archive, "-C", self.root], check=True)
        subprocess.run(["mount", "-t", "proc", "proc", self.root / "proc"], check=True)
        # The image of the root as the unit's ProtectSystem=strict shows it.
        self.read_only = folder / "read-only"
        self.read_only.mkdir()

    def run(self, *command, check=True, text=None, **variables):
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
        done = subprocess.run(["chroot", self.root, *command], env=environment | variables, input=text,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
        if check and done.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}")
        return done

    def install(self, package):
        shutil.copy(package, self.root / "tmp/touchline.deb")
        # As people do; all that it depends on is there, so nothing is fetched, nor could be.
        nowhere = ["-o", "Acquire::http::Proxy=http://127.0.0.1:9/", "-o", "Dpkg::Use-Pty=0"]
        said = self.run("apt-get", "install", "-y", *nowhere, "/tmp/touchline.deb").stdout
        assert not re.search(r"[0-9a-f]{64}", said), "the key was printed"
        return said

    def state(self):
        return self.run("dpkg-query", "-W", "-f", "${db:Status-Abbrev} ${Version}", PACKAGE, check=False).stdout.strip()

    def look(self, path):
        return self.run("stat", "-c", "%a %U %G", "/" + path).stdout.strip()

    def read(self, path):
        return (self.root / path).read_text()

    @contextlib.contextmanager
    def sealed(self):
        """The same root, read-only but for the data and what is made anew at each start."""
        mounted = []

        def mount(*arguments):
            subprocess.run(["mount", *arguments], check=True)

        try:
            mount("--bind", self.root, self.read_only)
            mounted.append(self.read_only)
            mount("-o", "remount,bind,ro", self.read_only)
            for folder in [DATA, "run"]:
                mount("--bind", self.root / folder, self.read_only / folder)
                mounted.append(self.read_only / folder)
            yield self.read_only
        finally:
            for folder in reversed(mounted):
                # Not before its last user is gone, which a process that is being traced may take a moment for.
                subprocess.run(["umount", "--lazy", folder], check=True)

    def start(self, unit, **more):
        return Service(self, unit, **more)


def step(text):
    print(f"-- {text}", flush=True)


def set_up(machine, gateway, port):
    """What the page tells an administrator to write before the first start."""
    text = machine.read(SETTINGS)
    text = text.replace('#providers = ["twilio"]', 'providers = ["http"]')
    text = text.replace('#url = "https://gateway.example.org/messages"', f'url = "{gateway.url}"')
    text = text.replace('listen = "127.0.0.1:8080"', f'listen = "127.0.0.1:{port}"\nmetrics_listen = ""')
    (machine.root / SETTINGS).write_text(text)
    return text


def first_installation(machine, package):
    step("installed: files, owners, modes")
    machine.install(package)
    for path, wanted in FILES.items():
        found = machine.look(path)
        assert found == wanted, f"{path} is {found} and not {wanted}"
    assert machine.run("dpkg", "--verify", PACKAGE).stdout == ""
    assert re.search(r"^TOUCHLINE_SECRET_KEY=[0-9a-f]{64}$", machine.read(SECRETS), re.M)
    version = machine.run("touchline", "--version").stdout.split()[1]
    assert f"{PACKAGE} ({version}-1)" in machine.run("sh", "-c", f"zcat /usr/share/doc/{PACKAGE}/changelog.Debian.gz").stdout
    links = list((machine.root / "etc/systemd/system").glob("*.wants/touchline.service"))
    assert not links, "the package starts by itself what cannot run before it is set up"

    step("the same again: nothing changes")
    key = machine.read(SECRETS)
    machine.run("dpkg-reconfigure", PACKAGE)
    assert machine.read(SECRETS) == key
    for path, wanted in FILES.items():
        assert machine.look(path) == wanted, path


def refuses_before_it_is_set_up(machine, unit):
    step("started before it is set up: one sentence says what is missing")
    with machine.start(unit) as service:
        assert service.wait() == 1, service.log()
        said = [line for line in service.log().splitlines() if line.startswith("touchline: ")]
        assert len(said) == 1 and "sms.providers" in said[0], service.log()
        assert service.told() == []


def runs(machine, unit, gateway):
    """The first life: somebody logs in and has coins. Answers the token and the balance."""
    step("started as the unit says: ready, signs of life, somebody logs in, stopped")
    with machine.start(unit, traced=True) as service:
        service.hears("READY=1")
        assert service.get("/readyz")[0] == 200
        assert service.user() == "touchline", service.user()
        token = log_in(service, gateway, PHONE)
        status, body = service.post("/api/auth/daily-coins", {}, token)
        assert status == 200, body
        balance = body["data"]["new_balance"]
        for _ in range(3):
            service.hears("WATCHDOG=1")
        health = machine.run("touchline-admin", "health")
        assert health.stdout.strip(), health
        operator = machine.run("touchline-admin", "operator-token", "ana").stdout.strip()
        assert service.get("/api/admin/me", operator)[0] == 200
        service.stop()
        service.hears("STOPPING=1")
        assert service.wait() == 0, service.log()
        forbidden = service.system_calls() - unit.allowed_system_calls()
        assert not forbidden, f"the unit forbids what the program calls: {sorted(forbidden)}"
        families = service.address_families() - set(unit.one("RestrictAddressFamilies").split())
        assert not families, f"the unit forbids sockets that the program opens: {sorted(families)}"
        print(f"   {len(service.system_calls())} different system calls, all allowed by the unit")
    for path in (machine.root / DATA).rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, f"others may read {path}"
    return token, balance


def still_knows(machine, unit, token, balance):
    with machine.start(unit) as service:
        service.hears("READY=1")
        status, body = service.get("/api/auth/coins", token)
        assert (status, body["data"]["balance"]) == (200, balance), (status, body)
        service.stop()
        assert service.wait() == 0, service.log()


def higher_version(package, folder):
    """The same package under a higher version: what an upgrade does is dpkg's and the scripts' doing."""
    subprocess.run(["dpkg-deb", "-R", package, folder / "again"], check=True)
    control = folder / "again/DEBIAN/control"
    before = control.read_text()
    after = re.sub(r"^Version: (\S+)$", r"Version: \g<1>+upgrade", before, flags=re.M)
    assert before != after
    control.write_text(after)
    built = folder / "higher.deb"
    subprocess.run(["dpkg-deb", "-Zgzip", "-z1", "--root-owner-group", "-b", folder / "again", built], check=True, stdout=subprocess.DEVNULL)
    return built


def life(package, archive, folder):
    machine = Machine(folder, archive)
    first_installation(machine, package)
    unit = Unit(machine.root / "usr/lib/systemd/system/touchline.service")
    refuses_before_it_is_set_up(machine, unit)
    with Gateway() as gateway:
        settings = set_up(machine, gateway, gateway.free_port())
        known = runs(machine, unit, gateway)
        key = machine.read(SECRETS)

        step("upgraded: settings, key and data are as they were")
        machine.install(higher_version(package, folder))
        assert machine.state().endswith("+upgrade"), machine.state()
        assert (machine.read(SETTINGS), machine.read(SECRETS)) == (settings, key)
        assert machine.look(SETTINGS) == FILES[SETTINGS]
        still_knows(machine, unit, *known)

        step("removed and installed again: the same")
        machine.run("apt-get", "remove", "-y", PACKAGE)
        assert machine.state().startswith("rc"), machine.state()
        assert not (machine.root / "usr/bin/touchline").exists()
        assert machine.look(DATA) == FILES[DATA]
        machine.install(package)
        assert (machine.read(SETTINGS), machine.read(SECRETS)) == (settings, key)
        still_knows(machine, unit, *known)

        step("purged without a yes: the settings go, data and key stay")
        said = machine.run("apt-get", "purge", "-y", PACKAGE).stdout
        assert "were kept" in said, said
        assert not (machine.root / SETTINGS).exists()
        assert machine.read(SECRETS) == key
        machine.install(package)
        set_up(machine, gateway, gateway.free_port())
        still_knows(machine, unit, *known)

    step("purged with a yes, after a removal: nothing is left")
    machine.run("debconf-set-selections", text=f"{PACKAGE} touchline/purge-data boolean true\n")
    machine.run("apt-get", "remove", "-y", PACKAGE)
    machine.run("apt-get", "purge", "-y", PACKAGE)
    for gone in [DATA, "etc/touchline", "usr/share/doc/touchline"]:
        assert not (machine.root / gone).exists(), gone
    machine.install(package)
    assert machine.read(SECRETS) != key, "a new installation has the old key"
    machine.run("apt-get", "purge", "-y", PACKAGE)
    assert (machine.root / DATA).exists(), "the yes of the last purge was taken for another one"
    subprocess.run(["umount", machine.root / "proc"], check=True)


def main():
    package, archive = map(pathlib.Path, sys.argv[1:])
    # So that the program is ended and the folder removed also when this is told to end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    os.umask(0o022)
    with tempfile.TemporaryDirectory(prefix="touchline-packages-", ignore_cleanup_errors=True) as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)
        try:
            life(package.resolve(), archive.resolve(), folder)
        finally:
            subprocess.run(["umount", "-q", folder / "root/proc"], check=False)
    print("the package installs, runs, upgrades and goes as it should")


if __name__ == "__main__":
    main()
