"""Starts the servers under test on free loopback ports and ends them by pid."""

import contextlib
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
CACHE = pathlib.Path(os.environ.get("HOMESERVER_CACHE", ROOT / ".cache"))
AS_TOKEN, HS_TOKEN, SERVER_NAME = "as_secret", "hs_secret", "localtest"


def serve_binary():
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    profile = os.environ.get("HOMESERVER_PROFILE", "debug")
    return target / profile / "examples" / "serve"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def request(base, method, path, token=None, body=None, raw=None, content_type="application/json", timeout=70):
    """One HTTP call: (status, parsed body)."""
    data = raw if raw is not None else (json.dumps(body).encode() if body is not None else None)
    call = urllib.request.Request(base + path, data=data, method=method)
    call.add_header("Content-Type", content_type)
    if token:
        call.add_header("Authorization", "Bearer " + token)
    try:
        with urllib.request.urlopen(call, timeout=timeout) as answer:
            status, text = answer.status, answer.read()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read()
    try:
        return status, json.loads(text)
    except ValueError:
        return status, text.decode("utf-8", "replace")


def wait_for(base, path, process, seconds):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise SystemExit(f"server ended early with {process.returncode}")
        try:
            if request(base, "GET", path, timeout=2)[0] == 200:
                return
        except OSError:
            pass
        time.sleep(0.05)
    raise SystemExit("server did not start")


def start_embedded(directory, port=None, appservice_url=""):
    port = port or free_port()
    base = f"http://127.0.0.1:{port}"
    command = [str(serve_binary()), str(directory / "homeserver.db"), str(port), AS_TOKEN, HS_TOKEN]
    if appservice_url:
        command.append(appservice_url)
    log = open(directory / "embedded.log", "ab")
    process = subprocess.Popen(command, stdout=log, stderr=log)
    wait_for(base, "/_matrix/client/versions", process, 20)
    return base, process


SYNAPSE = """
server_name: {name}
report_stats: false
public_baseurl: {base}/
pid_file: {dir}/pid
signing_key_path: {dir}/signing.key
media_store_path: {dir}/media
listeners:
  - {{port: {port}, bind_addresses: ["127.0.0.1"], type: http, resources: [{{names: [client, media, openid]}}]}}
database: {{name: sqlite3, args: {{database: {dir}/synapse.db}}}}
trusted_key_servers: []
password_config: {{enabled: false}}
room_list_publication_rules: [{{action: allow}}]
app_service_config_files: [{dir}/registration.yaml]
macaroon_secret_key: "for tests only"
form_secret: "for tests only"
default_room_version: "11"
max_upload_size: 10M
presence: {{enabled: false}}
rc_message: &rate {{per_second: 10000, burst_count: 10000}}
rc_login: {{address: *rate, account: *rate, failed_attempts: *rate}}
rc_joins: {{local: *rate, remote: *rate}}
rc_joins_per_room: *rate
rc_invites: {{per_room: *rate, per_user: *rate, per_issuer: *rate}}
rc_admin_redaction: *rate
rc_room_creation: *rate
rc_key_requests: *rate
rc_media_create: *rate
rc_presence: {{per_user: *rate}}
rc_user_directory: *rate
rc_reports: *rate
"""

REGISTRATION = """
id: touchline
url: null
as_token: {as_token}
hs_token: {hs_token}
sender_localpart: touchline
rate_limited: false
namespaces:
  users: [{{exclusive: false, regex: "@.*:{name}$"}}]
  aliases: [{{exclusive: true, regex: "#match_.*:{name}$"}}]
  rooms: []
"""


def start_synapse(directory):
    python = CACHE / "synapse" / "bin" / "python"
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    values = dict(name=SERVER_NAME, base=base, dir=directory, port=port, as_token=AS_TOKEN, hs_token=HS_TOKEN)
    (directory / "homeserver.yaml").write_text(SYNAPSE.format(**values))
    (directory / "registration.yaml").write_text(REGISTRATION.format(**values))
    config = str(directory / "homeserver.yaml")
    synapse = [str(python), "-m", "synapse.app.homeserver", "-c", config]
    log = open(directory / "synapse.log", "ab")
    subprocess.run(synapse + ["--generate-keys"], check=True, stdout=log, stderr=log)
    process = subprocess.Popen(synapse, stdout=log, stderr=log, cwd=directory)
    wait_for(base, "/health", process, 90)
    return base, process


def stop(process):
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def embedded(**options):
    with tempfile.TemporaryDirectory() as directory:
        base, process = start_embedded(pathlib.Path(directory), **options)
        try:
            yield base
        finally:
            stop(process)


@contextlib.contextmanager
def synapse():
    with tempfile.TemporaryDirectory() as directory:
        base, process = start_synapse(pathlib.Path(directory))
        try:
            yield base
        except BaseException:
            sys.stderr.write("".join((pathlib.Path(directory) / "synapse.log").open().readlines()[-5:]))
            raise
        finally:
            stop(process)


def quote(text):
    return urllib.parse.quote(text, safe="")


def make_user(base, name, device=None):
    """Registers and logs in as the application service does; returns the login answer."""
    body = {"type": "m.login.application_service", "username": name, "inhibit_login": True}
    status, answer = request(base, "POST", "/_matrix/client/v3/register", AS_TOKEN, body)
    assert status == 200, answer
    return login(base, name, device)


def login(base, name, device=None):
    body = {"type": "m.login.application_service", "identifier": {"type": "m.id.user", "user": name}}
    if device:
        body["device_id"] = device
    status, answer = request(base, "POST", "/_matrix/client/v3/login", AS_TOKEN, body)
    assert status == 200, answer
    return answer
