"""Does with the Containerfile and the compose files what can be done where no image can be pulled.

The last stage of the Containerfile is carried out in a folder: its base is made of the packages that gcr.io/distroless/cc-debian12 is
made of, its COPY, ENV, WORKDIR, USER, ENTRYPOINT, CMD and HEALTHCHECK are taken from the file itself. The program then runs there as
the image's user, on a read-only root, with nothing but the volume to write to. Run it through scripts/test-packages.
"""

import contextlib
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
# As the distroless project lists them for cc-debian12.
BASE = ["base-files", "netbase", "tzdata", "ca-certificates", "libc6", "libssl3", "libgcc-s1", "libgomp1", "libstdc++6", "gcc-12-base"]
MOST_BYTES = 60_000_000
PATIENCE_S = 60
COMPOSE = ["alone.yaml", "postgres.yaml", "synapse.yaml"]


def instructions(text):
    """Each instruction of the last stage, continued lines joined."""
    joined = re.sub(r"\\\n\s*", "", "\n".join(line for line in text.splitlines() if not line.startswith("#")))
    lines = [line.strip() for line in joined.splitlines() if line.strip()]
    begin = max(index for index, line in enumerate(lines) if line.startswith("FROM "))
    return [line.split(None, 1) for line in lines[begin:]]


def base_of_the_image(folder, cache):
    """The files of the packages, without what their scripts would make of them."""
    packages = cache / "image-base"
    if not packages.exists():
        # Under its name only when it is whole.
        fetched = cache / "image-base-new"
        fetched.mkdir(exist_ok=True)
        no_sandbox = ["-o", "APT::Sandbox::User=root"]
        subprocess.run(["apt-get", "download", "-q", *no_sandbox, *BASE], cwd=fetched, check=True, stdout=subprocess.DEVNULL)
        fetched.rename(packages)
    for package in packages.glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", package, folder], check=True)
    # What the distroless project leaves out of them, and makes itself.
    for left_out in ["usr/share/doc", "usr/share/locale", "usr/share/lintian", "usr/share/bug"]:
        subprocess.run(["rm", "-rf", folder / left_out], check=True)
    certificates = sorted((folder / "usr/share/ca-certificates").rglob("*.crt"))
    (folder / "etc/ssl/certs").mkdir(parents=True, exist_ok=True)
    (folder / "etc/ssl/certs/ca-certificates.crt").write_bytes(b"".join(path.read_bytes() for path in certificates))
    for place in ["tmp", "proc"]:
        (folder / place).mkdir(exist_ok=True)


def bytes_below(folder):
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


class Image:
    """What the last stage of the Containerfile makes of its base."""

    def __init__(self, folder, binary):
        self.folder, self.environment = folder, {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
        self.volumes, self.said = [], {}
        for name, rest in instructions((ROOT / "Containerfile").read_text()):
            if name == "COPY":
                self.copy(rest, binary)
            elif name == "ENV":
                self.environment |= dict(pair.split("=", 1) for pair in rest.split())
            elif name == "VOLUME":
                self.volumes.append(rest)
            else:
                self.said[name] = rest
        self.user = [int(number) for number in self.said["USER"].split(":")]
        self.health = json.loads(re.search(r"CMD (\[.*\])", self.said["HEALTHCHECK"]).group(1))
        self.command = json.loads(self.said["ENTRYPOINT"]) + json.loads(self.said["CMD"])

    def copy(self, rest, binary):
        flags = [word for word in rest.split() if word.startswith("--")]
        source, target = [word for word in rest.split() if not word.startswith("--")]
        assert "--from=build" in flags, rest
        place = self.folder / target.lstrip("/")
        if source == "/touchline":
            place.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["strip", "--strip-unneeded", "-o", place, binary], check=True)
        elif source == "/data":
            place.mkdir()
            owner = next(flag for flag in flags if flag.startswith("--chown="))
            os.chown(place, *(int(number) for number in owner.removeprefix("--chown=").split(":")))
        else:
            raise AssertionError(f"the test does not know what the build makes at {source}")

    def start(self, command, more, **where):
        def become():
            os.chroot(self.folder)
            os.chdir(self.said["WORKDIR"])
            os.setgroups([])
            os.setgid(self.user[1])
            os.setuid(self.user[0])

        return subprocess.Popen(command, env=self.environment | more, preexec_fn=become, **where)

    @contextlib.contextmanager
    def sealed(self):
        mounted = []
        try:
            subprocess.run(["mount", "--bind", self.folder, self.folder], check=True)
            mounted.append(self.folder)
            for volume in self.volumes:
                place = self.folder / volume.lstrip("/")
                subprocess.run(["mount", "--bind", place, place], check=True)
                mounted.append(place)
            subprocess.run(["mount", "-o", "remount,bind,ro", self.folder], check=True)
            yield
        finally:
            for place in reversed(mounted):
                subprocess.run(["umount", place], check=True)


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def runs_on_a_read_only_root(image):
    assert image.user[0] >= 1000, "the image runs as a user of the system"
    # 0.0.0.0:8080 of the image, as a container would have it to itself.
    settings = {"TOUCHLINE_LISTEN": f"127.0.0.1:{free_port()}", "TOUCHLINE_METRICS_LISTEN": ""}
    with image.sealed():
        try:
            (image.folder / "usr/bin/another").touch()
            raise AssertionError("the root can be written to")
        except OSError:
            pass
        program = image.start(image.command, settings, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            address = re.search(r"http://\S+", program.stdout.readline()).group()
            with urllib.request.urlopen(address + "/readyz", timeout=PATIENCE_S) as answer:
                assert answer.status == 200
            # Something is written: a code for a login.
            body, headers = b'{"phone": "+447700900123"}', {"Content-Type": "application/json"}
            asked = urllib.request.Request(address + "/api/code/request", body, headers)
            with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:
                assert answer.status == 200
            health = image.start(image.health, settings, stdout=subprocess.PIPE)
            assert health.wait(timeout=PATIENCE_S) == 0, "the health check fails while the service is ready"
            program.send_signal(signal.SIGTERM)
            asked = time.monotonic()
            assert program.wait(timeout=PATIENCE_S) == 0
            assert time.monotonic() - asked < 10
        finally:
            if program.poll() is None:
                program.kill()
                program.wait()
        health = image.start(image.health, settings, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert health.wait(timeout=PATIENCE_S) != 0, "the health check succeeds while nothing runs"


def waits_for(services, name):
    return {other: how["condition"] for other, how in services[name].get("depends_on", {}).items()}


def compose_files_hold():
    folder = ROOT / "packaging/compose"
    pattern = (folder / "touchline.env.example").read_text()
    for file in COMPOSE:
        document = yaml.safe_load((folder / file).read_text())
        services = document["services"]
        service = services["touchline"]
        assert service["read_only"] and service["cap_drop"] == ["ALL"], file
        assert service["environment"]["TOUCHLINE_ENVIRONMENT"] == "production", file
        assert any(volume.startswith("data:/data") for volume in service["volumes"]), file
        named = {volume.split(":")[0] for one in services.values() for volume in one.get("volumes", [])}
        assert {name for name in named if not name.startswith(".")} == set(document["volumes"]), file
        for name in named:
            assert not name.startswith(".") or (folder / name).exists(), f"{file}: {name}"
        for one in services.values():
            # An image of the moment is another one tomorrow.
            assert one["image"] == "touchline" or re.search(r":v?\d", one["image"]), f"{file}: {one['image']}"
        for other, how in waits_for(services, "touchline").items():
            assert how == "service_healthy" and "healthcheck" in services[other], f"{file}: {other}"
        accepts(service["environment"], pattern, file)
    services = yaml.safe_load((folder / "synapse.yaml").read_text())["services"]
    assert waits_for(services, "synapse") == {
        "postgres": "service_healthy",
        "synapse-keys": "service_completed_successfully",
        "registration": "service_completed_successfully",
    }


def accepts(environment, pattern, file):
    """The program takes these settings, with the pattern filled in."""
    settings = dict(line.split("=", 1) for line in pattern.splitlines() if line and not line.startswith("#"))
    settings = {name: value or "x" * 40 for name, value in settings.items()} | environment
    settings = {name: re.sub(r"\$\{(\w+)(?::-([^}]*))?[^}]*\}", r"\2", value) for name, value in settings.items()}
    if "TOUCHLINE_MATRIX__SERVER_NAME" in settings:
        settings["TOUCHLINE_MATRIX__SERVER_NAME"] = "example.org"
    done = subprocess.run([sys.argv[1], "config"], env=settings, capture_output=True, text=True, cwd="/")
    assert done.returncode == 0, f"{file}: {done.stderr}"


def main():
    binary, cache = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    sys.argv[1] = str(binary)
    os.umask(0o022)
    compose_files_hold()
    print(f"{len(COMPOSE)} compose files: order, volumes, and settings that the program takes")
    with tempfile.TemporaryDirectory(prefix="touchline-image-") as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)
        base_of_the_image(folder, cache)
        base = bytes_below(folder)
        image = Image(folder, binary)
        whole = bytes_below(folder)
        print(f"image: {base / 1e6:.1f} MB of base and {(whole - base) / 1e6:.1f} MB of program, {whole / 1e6:.1f} MB in all")
        assert whole < MOST_BYTES, f"more than {MOST_BYTES / 1e6:.0f} MB"
        runs_on_a_read_only_root(image)
    print("the last stage of the Containerfile runs as its user on a read-only root, and its health check tells the truth")


if __name__ == "__main__":
    main()
