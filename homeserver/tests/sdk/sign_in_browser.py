"""A browser without scripts, as far as the pages at /sign-in need one; and the program that serves them."""

import contextlib
import html.parser
import os
import pathlib
import subprocess
import tempfile
import urllib.parse
import urllib.request

import servers


class Page(html.parser.HTMLParser):
    def __init__(self, base, text):
        super().__init__()
        self.base, self.text, self.forms, self.links = base, text, [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        assert tag not in ("script", "iframe"), self.text
        if tag == "form":
            assert attributes["method"] == "post", attributes
            self.forms.append((attributes["action"], {}))
        elif tag == "input":
            self.forms[-1][1][attributes["name"]] = attributes.get("value", "")
        elif tag == "a":
            self.links.append(attributes["href"])

    def submit(self, number=0, **fields):
        """What comes of a form, filled in."""
        action, hidden = self.forms[number]
        body = urllib.parse.urlencode({**hidden, **fields}).encode()
        headers = {"Origin": self.base, "Sec-Fetch-Site": "same-origin"}
        return fetch(self.base, urllib.request.Request(self.base + action, data=body, headers=headers))


def fetch(base, request):
    with urllib.request.urlopen(request, timeout=30) as answer:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script" not in policy, policy
        return Page(base, answer.read().decode())


def open_page(base, url):
    """Follows from the homeserver to the page."""
    return fetch(base, urllib.request.Request(url))


def code_of(base, phone):
    """What a person reads on their phone."""
    status, log = servers.request(base, "GET", "/api/logs/sms?phone=" + urllib.parse.quote(phone))
    assert status == 200, log
    return log["data"][0]["code"]


def sign_in(base, url, phone):
    """Goes through the forms; answers the address that the last press goes to."""
    page = open_page(base, url).submit(phone=phone)
    page = page.submit(code=code_of(base, phone))
    assert not page.forms, page.text
    (link,) = page.links
    return link


def confirm_reset(base, url, phone):
    """Confirms what the page says with a code."""
    page = open_page(base, url).submit()
    page = page.submit(code=code_of(base, phone))
    assert not page.forms, page.text


@contextlib.contextmanager
def service():
    """The program on a free port of this machine."""
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", servers.ROOT / "target"))
    with tempfile.TemporaryDirectory() as folder:
        own = {name: value for name, value in os.environ.items() if not name.startswith("TOUCHLINE_")}
        environment = {**own, "TOUCHLINE_LISTEN": f"127.0.0.1:{servers.free_port()}", "TOUCHLINE_METRICS_LISTEN": "",
                       "TOUCHLINE_DATA_DIR": folder, "TOUCHLINE_DEMO__PLAYS": "false", "TOUCHLINE_LOG__LEVEL": "warn"}
        base = "http://" + environment["TOUCHLINE_LISTEN"]
        program = str(target / "debug" / "touchline")
        log = open(os.path.join(folder, "program.log"), "wb")
        process = subprocess.Popen([program, "serve"], env=environment, cwd=folder, stdout=log, stderr=log)
        try:
            servers.wait_for(base, "/_matrix/client/versions", process, 30)
            yield base
        finally:
            process.terminate()
            process.wait(30)
