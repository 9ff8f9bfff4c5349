"""Clients that log in by themselves: from their first screen, by the page at /sign-in, to a message; then matrix-js-sdk does the same, and
resets its user's encryption identity. The clients' parts are those of FluffyChat on a phone and on a desktop, and of nheko."""

import asyncio
import http.server
import json
import os
import subprocess
import sys
import threading
import urllib.parse

import servers
import sign_in_browser as browser
from nio import AsyncClient, RoomPreset
from nio.responses import ErrorResponse

BACK = "<p>You can close this page.</p>"


def good(answer):
    assert not isinstance(answer, ErrorResponse), answer
    return answer


def discover(base):
    """What a client asks before it shows how one can log in."""
    status, found = servers.request(base, "GET", "/.well-known/matrix/client")
    homeserver = found["m.homeserver"]["base_url"].rstrip("/")
    assert status == 200 and homeserver == base, found
    status, versions = servers.request(homeserver, "GET", "/_matrix/client/versions")
    assert status == 200 and "v1.11" in versions["versions"], versions
    status, flows = servers.request(homeserver, "GET", "/_matrix/client/v3/login")
    kinds = {flow["type"]: flow for flow in flows["flows"]}
    assert "m.login.sso" in kinds and "m.login.token" in kinds, flows
    return homeserver, kinds["m.login.sso"]["identity_providers"]


def redirect(homeserver, back, provider="", **more):
    query = urllib.parse.urlencode({"redirectUrl": back, **more})
    return f"{homeserver}/_matrix/client/v3/login/sso/redirect{provider}?{query}"


def token_in(address):
    return urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)["loginToken"][0]


async def chat(homeserver, token, name):
    """Exchanges the token, looks around and says something."""
    client = AsyncClient(homeserver)
    try:
        answer = good(await client.login(token=token, device_name=name))
        assert answer.user_id and answer.device_id, answer
        good(await client.sync(timeout=0, full_state=True))
        room = good(await client.room_create(name="Stand", preset=RoomPreset.public_chat)).room_id
        good(await client.room_send(room, "m.room.message", {"msgtype": "m.text", "body": "Two nil!"}))
        devices = {device.id: device.display_name for device in good(await client.devices()).devices}
        assert devices[answer.device_id] == name, devices
        status, refused = servers.request(homeserver, "POST", "/_matrix/client/v3/login", body={"type": "m.login.token", "token": token})
        assert status == 403, refused
    finally:
        await client.close()


def fluffychat_on_a_phone(base):
    """The device opens the app for addresses that begin with its scheme."""
    homeserver, _ = discover(base)
    link = browser.sign_in(base, redirect(homeserver, "im.fluffychat://login", action="login"), "+447700900201")
    assert link.startswith("im.fluffychat://login?loginToken="), link
    asyncio.run(chat(homeserver, token_in(link), "FluffyChat android"))


def on_a_desktop(base, path, phone, name, provider=""):
    """The client listens on this machine for what the browser brings."""
    homeserver, providers = discover(base)
    brought = []

    class Listener(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            brought.append(self.path)
            assert not self.headers["Referer"], self.headers
            self.send_response(200)
            self.end_headers()
            self.wfile.write(BACK.encode())

        def log_message(self, *_):
            pass

    listener = http.server.HTTPServer(("127.0.0.1", 0), Listener)
    threading.Thread(target=listener.handle_request, daemon=True).start()
    back = f"http://localhost:{listener.server_address[1]}{path}"
    if provider:
        provider = "/" + providers[0]["id"]
    link = browser.sign_in(base, redirect(homeserver, back, provider), phone)
    assert link.startswith(back), link
    browser.urllib.request.urlopen(link, timeout=10).read()
    (path,) = brought
    asyncio.run(chat(homeserver, token_in(path), name))


def js_sdk(base):
    """Stops twice for the person at the browser: to log in, and to confirm that keys are replaced."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sign_in_proof.mjs")
    environment = {**os.environ, "JS_MODULES": str(servers.CACHE / "js")}
    phone = "+447700900204"
    client = subprocess.Popen(["node", script, base], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        for line in client.stdout:
            asked = json.loads(line)
            if "log_in_at" in asked:
                answer = browser.sign_in(base, asked["log_in_at"], phone)
            elif "confirm_at" in asked:
                browser.confirm_reset(base, asked["confirm_at"], phone)
                answer = "confirmed"
            else:
                print(asked["done"])
                break
            client.stdin.write(answer + "\n")
            client.stdin.flush()
        assert client.wait(60) == 0
    finally:
        client.kill()


with browser.service() as base:
    fluffychat_on_a_phone(base)
    print("matrix-nio: as FluffyChat on a phone")
    on_a_desktop(base, "//login", "+447700900202", "FluffyChat linux")
    print("matrix-nio: as FluffyChat on a desktop")
    on_a_desktop(base, "/sso", "+447700900203", "nheko on laptop", provider="the only one")
    print("matrix-nio: as nheko")
    js_sdk(base)
    sys.exit(0)
