"""Runs the code blocks of the documentation against the real program with its demo.

Run it through scripts/docs-tests, which builds the program; docs/testing.md has the rules that pages follow. Pages named as arguments
are run alone. Nothing but Python's standard library, bash, curl and Node is needed, and nothing leaves the machine.
"""

import contextlib
import dataclasses
import datetime
import itertools
import json
import os
import pathlib
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROGRAM = pathlib.Path(os.environ.get("TOUCHLINE_PROGRAM", ROOT / "target/debug/touchline"))
DATABASE = os.environ.get("TOUCHLINE_TEST_DATABASE_URL", "")
ENGINE = "PostgreSQL" if DATABASE else "SQLite"
PAGES = ["README.md", "CONTRIBUTING.md", *sorted(str(page.relative_to(ROOT)) for page in ROOT.glob("docs/*.md")), "clients/js/README.md"]
# The address in the pages, which becomes that of the service under test.
ADDRESS = "http://127.0.0.1:8080"
SECONDS_A_PAGE = 60
SECONDS_TO_START = 60
SECONDS_BEFORE_KICK_OFF = 15
# Languages that show something and are not run. One that is neither here nor below is a mistake.
SHOWN = {"", "text", "xml", "kotlin", "swift"}
SETTING = re.compile(r"TOUCHLINE_[A-Z0-9_]+=")


class Failed(Exception):
    """A block that is not true; the message says which and why."""


@dataclasses.dataclass
class Block:
    page: str
    heading: str
    # Of the first line after the fence, counted from 1 as editors do.
    line: int
    language: str
    text: str

    @property
    def place(self):
        return f"{self.page}:{self.line}"

    @property
    def key(self):
        return (self.page, self.heading, re.split(r"\s+#", self.text.split("\n")[0])[0].strip())

    def is_settings(self):
        lines = [line for line in self.text.splitlines() if line.strip() and not line.startswith("#")]
        return self.language == "sh" and all(SETTING.match(line) and len(shlex.split(line, comments=True)) == 1 for line in lines)


# --- reading ---------------------------------------------------------------------------------------------------------------------


def read_blocks(page):
    blocks, heading, open_block, lines = [], "", None, []
    for number, line in enumerate((ROOT / page).read_text().splitlines(), 1):
        fence = re.match(r"\s*```(.*)$", line)
        if open_block and fence:
            blocks.append(dataclasses.replace(open_block, text="\n".join(lines)))
            open_block = None
        elif open_block:
            lines.append(line)
        elif fence:
            open_block, lines = Block(page, heading, number + 1, fence[1].strip(), ""), []
        elif line.startswith("#"):
            heading = line.lstrip("# ").strip()
    if open_block:
        raise Failed(f"{open_block.place}: the block has no end")
    return blocks


def read_skipped():
    """The table of blocks that are not run: (page, heading, first line) and why."""
    rows = [line for line in (HERE / "skipped.txt").read_text().splitlines() if line.strip() and not line.startswith("#")]
    skipped = {}
    for row in rows:
        parts = [part.strip() for part in row.split(" | ")]
        if len(parts) != 4 or tuple(parts[:3]) in skipped:
            raise Failed(f"tests/docs/skipped.txt: not one row of PAGE | HEADING | FIRST LINE | REASON: {row}")
        skipped[tuple(parts[:3])] = parts[3]
    return skipped


# --- the service -----------------------------------------------------------------------------------------------------------------


def without_settings():
    return {name: value for name, value in os.environ.items() if not name.startswith("TOUCHLINE_")}


@contextlib.contextmanager
def service(folder):
    """The program with its demo; gives its address and the environment in which its own commands find it."""
    settings = {
        "TOUCHLINE_LISTEN": "127.0.0.1:0",
        "TOUCHLINE_METRICS_LISTEN": "",
        "TOUCHLINE_DATA_DIR": str(folder / "data"),
        "TOUCHLINE_DATABASE_URL": DATABASE,
        "TOUCHLINE_LOG__LEVEL": "warn",
        # Several pages log in with the same number.
        "TOUCHLINE_LOGIN__SENDS_PER_10_MINUTES": "1000",
        "TOUCHLINE_LOGIN__SENDS_PER_DAY": "1000",
    }
    with open(folder / "log", "w") as log:
        program = subprocess.Popen(
            [PROGRAM, "serve"], cwd=folder, env={**without_settings(), **settings}, stdout=subprocess.PIPE, stderr=log, text=True
        )
    too_long = threading.Timer(SECONDS_TO_START, program.kill)
    too_long.start()
    try:
        # One line when it is ready, or the end.
        found = re.search(r"http://([\d.]+:\d+)", program.stdout.readline())
        too_long.cancel()
        if not found:
            raise Failed(f"the program did not start: {(folder / 'log').read_text()}")
        settings["TOUCHLINE_LISTEN"] = found[1]
        yield found[0], {**without_settings(), **settings}
        if program.poll() is not None:
            raise Failed(f"the program ended: {(folder / 'log').read_text()}")
    finally:
        too_long.cancel()
        program.terminate()
        try:
            program.wait(timeout=20)
        except subprocess.TimeoutExpired:
            program.kill()


class Caller:
    """Calls of the runner itself."""

    def __init__(self, base, token=None):
        self.base, self.token = base, token

    def call(self, method, path, body=None):
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)


def log_in(base, phone):
    caller = Caller(base)
    caller.call("POST", "/api/code/request", {"phone": phone})
    messages = caller.call("GET", "/api/logs/sms?phone=" + urllib.parse.quote(phone))
    login = caller.call("POST", "/api/code/verify", {"phone": phone, "code": messages["data"][0]["code"]})
    return login["data"]


def wait_for_rooms(caller):
    """Until every match of the demo has its room, as it has when a person comes to type the first call."""
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline:
        events = caller.call("GET", "/api/auth/events?per_page=100")["data"]
        if events and all(event["chat_room_id"] for event in events):
            return
        time.sleep(0.1)
    raise Failed("the matches of the demo have no rooms")


def wait_for_kick_off(caller):
    """If a match of the demo is about to begin: pages predict it between two of their calls."""
    deadline = time.monotonic() + 2 * SECONDS_BEFORE_KICK_OFF
    while time.monotonic() < deadline:
        matches = caller.call("GET", "/api/auth/events?status=scheduled&per_page=20")["data"]
        now = datetime.datetime.now(datetime.UTC)
        lefts = [(datetime.datetime.fromisoformat(match["start_time"]) - now).total_seconds() for match in matches]
        # One that should have begun long ago is not the demo's: a page made it, and nobody will begin it.
        if not any(-SECONDS_BEFORE_KICK_OFF < left <= SECONDS_BEFORE_KICK_OFF for left in lefts):
            return
        time.sleep(0.2)


class Crowd(threading.Thread):
    """A match day that goes on while pages run: in the first live match a goal falls and somebody writes, again and again."""

    def __init__(self, base, operator_token):
        super().__init__(daemon=True)
        self.over = threading.Event()
        login = log_in(base, "+447700900998")
        self.operator = Caller(base, operator_token)
        self.fan = Caller(base, login["token"])
        self.chat = Caller(base, login["matrix_credentials"]["access_token"])
        self.rooms = set()

    def run(self):
        for number in itertools.count(1):
            if self.over.wait(0.3):
                return
            # A page may end the match in between.
            with contextlib.suppress(OSError, LookupError):
                self.move(number)

    def move(self, number):
        match = self.fan.call("GET", "/api/auth/events?status=live&per_page=1")["data"][0]
        self.operator.call("PATCH", f"/api/admin/events/{match['id']}", {"home_score": number % 9, "away_score": 0})
        room = urllib.parse.quote(match["chat_room_id"])
        if room not in self.rooms:
            self.fan.call("POST", f"/api/auth/chat-rooms/{room}/join")
            self.rooms.add(room)
        message = {"msgtype": "m.text", "body": f"Goal number {number}!"}
        self.chat.call("PUT", f"/_matrix/client/v3/rooms/{room}/send/m.room.message/crowd{number}", message)


# --- running ---------------------------------------------------------------------------------------------------------------------


class Clock:
    """When the page that is being run has to be done."""

    ends_at = float("inf")


def run(command, where, **options):
    """A command in a process group of its own, which ends with it or with the page's time; gives what it wrote."""
    seconds = max(0, min(SECONDS_A_PAGE, Clock.ends_at - time.monotonic()))
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        start_new_session=True, **options,
    ) as process:
        try:
            said, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            said, _ = process.communicate()
            raise Failed(f"{where}: the page takes longer than {SECONDS_A_PAGE} s\n{tail(said)}") from None
        finally:
            # What the page left behind in the background.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    if process.returncode:
        raise Failed(f"{where}: ended with {process.returncode}\n{tail(said)}")
    return said


def tail(said, lines=25):
    return "\n".join("    " + line for line in said.splitlines()[-lines:])


def as_script(blocks, base):
    """The blocks at their own lines of the page, so that messages name the line to look at."""
    lines = []
    for block in blocks:
        lines += [""] * (block.line - 1 - len(lines))
        lines += [*block.text.replace(ADDRESS, base).split("\n"), ""]
    return lines


def expected_statuses(lines):
    """By line: the status that the page says a curl answers, in a comment `# 422 ...` behind the command or right below it."""
    expected = {}
    for number, line in enumerate(lines, 1):
        found = re.search(r"(?:^|\s)# ([1-5]\d\d)\b", line)
        if not found:
            continue
        first = number
        while first > 1 and not re.search(r"\bcurl ", lines[first - 1]):
            first -= 1
        for covered in range(first, number + 1):
            expected[covered] = found[1]
    return expected


def run_shell(page, blocks, base, env, folder):
    if not blocks:
        return
    lines = as_script(blocks, base)
    script = folder / "page.sh"
    script.write_text("\n".join(lines) + "\n")
    expected = " ".join(f"[{line}]={status}" for line, status in expected_statuses(lines).items())
    functions = next(block.text for block in read_blocks("docs/api.md") if "field()" in block.text and block.language == "sh")
    (folder / "prelude.sh").write_text(f"expected=({expected})\n{functions}\n{(HERE / 'prelude.sh').read_text()}")
    answers = folder / "answers"
    answers.mkdir()
    run(["bash", script], page, cwd=folder, env={**env, "BASH_ENV": str(folder / "prelude.sh"), "ANSWERS": str(answers)})


def read_answers(blocks, folder):
    """What the calls of a page were answered, by heading."""
    answers = {}
    for file in (folder / "answers").glob("[0-9]*"):
        line = int(file.name.split(".")[0])
        heading = next(block.heading for block in blocks if block.line <= line <= block.line + block.text.count("\n"))
        with contextlib.suppress(ValueError):
            answers.setdefault(heading, []).append(json.loads(file.read_text()))
    return answers


def run_settings(blocks, env, folder):
    """Blocks of settings alone: the program accepts them, those of one heading together."""
    for block in blocks:
        text = "\n".join(other.text for other in blocks if other.heading == block.heading and other.line <= block.line)
        command = f"set -euo pipefail; set -a\n{text}\ntouchline config"
        own = {name: value for name, value in env.items() if not name.startswith("TOUCHLINE_")}
        run(["bash", "-c", command], block.place, cwd=folder, env=own)


def run_javascript(page, blocks, base, env, folder):
    """One module of all blocks, each at its own lines and, but for the first, in braces: a page declares a name more than once."""
    if not blocks:
        return
    lines = as_script(blocks, base)
    imports = [line for line in lines if line.startswith("import ")]
    lines = ["" if line.startswith("import ") else line for line in lines]
    for block in blocks[1:]:
        lines[block.line - 2] += "{"
        # Where the fences are.
        lines[block.line + block.text.count("\n")] = "}"
    prelude = (HERE / "prelude.mjs").read_text().replace("\n", " ")
    lines[0] = " ".join([*dict.fromkeys(imports), prelude, lines[0]])
    package = folder / "node_modules/@touchline/client"
    if not package.exists():
        package.parent.mkdir(parents=True)
        package.symlink_to(ROOT / "clients/js")
    script = folder / "page.mjs"
    script.write_text("\n".join(lines) + "\n")
    run(["node", script], page, cwd=folder, env=env)


def check_json(block, answers):
    try:
        shown = json.loads(block.text)
    except ValueError as error:
        raise Failed(f"{block.place}: not JSON: {error}") from None
    under_heading = answers.get(block.heading)
    if under_heading and not any(is_alike(shown, answer) for answer in under_heading):
        raise Failed(f"{block.place}: no call under this heading is answered with these fields")


def is_alike(shown, real, is_first=True):
    """The same fields of the same types, whatever their values. What is null may be anything; later entries of a list may lack some."""
    if shown is None or real is None:
        return True
    if isinstance(shown, dict) and isinstance(real, dict):
        has_all = shown.keys() == real.keys() if is_first else shown.keys() <= real.keys()
        return has_all and all(is_alike(shown[name], real[name], is_first) for name in shown)
    if isinstance(shown, list) and isinstance(real, list):
        return not real or all(is_alike(entry, real[0], place == 0) for place, entry in enumerate(shown))
    return isinstance(shown, type(real)) or isinstance(shown, int | float) and isinstance(real, int | float)


def check_toml(block, env, folder):
    (folder / "page.toml").write_text(block.text)
    own = {name: value for name, value in env.items() if not name.startswith("TOUCHLINE_")}
    run(["touchline", "--config", folder / "page.toml", "config"], block.place, cwd=folder, env=own)


def run_sql(block, folder):
    if DATABASE:
        psql = pathlib.Path(os.environ["TOUCHLINE_TEST_PG_BIN"]) / "psql"
        run([psql, DATABASE, "-v", "ON_ERROR_STOP=1", "-c", block.text], block.place, env=without_settings())
        return
    try:
        with contextlib.closing(sqlite3.connect(f"file:{folder}/data/touchline.db?mode=ro", uri=True, timeout=20)) as database:
            database.execute(block.text).fetchall()
    except sqlite3.Error as error:
        raise Failed(f"{block.place}: {error}") from None


def check_not_run(block):
    """What can be said of a block that is not run: the targets of make that it names exist."""
    for line in block.text.splitlines():
        if line.startswith("make "):
            run(["make", "-n", *shlex.split(line, comments=True)[1:]], block.place, cwd=ROOT)


def run_page(page, blocks, base, env, folder):
    folder.mkdir()
    shell = [block for block in blocks if block.language == "sh"]
    settings = [block for block in shell if block.is_settings()]
    checks = [
        lambda: run_shell(page, [block for block in shell if block not in settings], base, env, folder),
        lambda: run_settings(settings, env, folder),
        lambda: run_javascript(page, [block for block in blocks if block.language == "js"], base, env, folder),
    ]
    for block in blocks:
        match block.language:
            case "json":
                checks.append(lambda block=block: check_json(block, read_answers(shell, folder)))
            case "toml":
                checks.append(lambda block=block: check_toml(block, env, folder))
            case "sql":
                checks.append(lambda block=block: run_sql(block, folder.parent))
    problems = []
    for check in checks:
        try:
            check()
        except Failed as problem:
            problems.append(str(problem))
    return problems


def main():
    started = time.monotonic()
    # So that the program is ended also when this is told to end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    pages = [str(pathlib.Path(page).resolve().relative_to(ROOT)) for page in sys.argv[1:]] or PAGES
    skipped = read_skipped()
    problems, not_run, shown, count = [], [], 0, 0
    work = {}
    for page in pages:
        for block in read_blocks(page):
            if block.key in skipped:
                not_run.append(block)
                check_not_run(block)
            elif block.language in {"sh", "js", "json", "toml", "sql"}:
                work.setdefault(page, []).append(block)
            elif block.language in SHOWN:
                shown += 1
            else:
                problems.append(f"{block.place}: nobody knows how to run `{block.language}`: name it as docs/testing.md has it")
    found = {block.key for block in not_run}
    problems += [f"tests/docs/skipped.txt: no such block: {' | '.join(key)}" for key in skipped if key[0] in pages and key not in found]

    with tempfile.TemporaryDirectory(prefix="touchline-docs-") as folder:
        folder = pathlib.Path(folder)
        with service(folder) as (base, env):
            env["PATH"] = f"{PROGRAM.parent}:{env['PATH']}"
            operator_token = run(["touchline", "operator-token", "docs"], "operator-token", cwd=folder, env=env).strip()
            crowd = Crowd(base, operator_token)
            wait_for_rooms(crowd.fan)
            crowd.start()
            for number, (page, blocks) in enumerate(work.items()):
                wait_for_kick_off(crowd.fan)
                began = time.monotonic()
                Clock.ends_at = began + SECONDS_A_PAGE
                token = log_in(base, f"+4477009008{number:02}")["token"]
                own = {**env, "BASE": base, "TOKEN": token, "OPERATOR_TOKEN": operator_token}
                wrong = run_page(page, blocks, base, own, folder / f"page{number}")
                problems += wrong
                count += len(blocks)
                print(f"{'FAILED' if wrong else 'ok':6} {page}: {len(blocks)} blocks in {time.monotonic() - began:.1f} s", flush=True)
            crowd.over.set()
            crowd.join()

    for block in not_run:
        print(f"not run: {block.place} ({block.heading}): {skipped[block.key]}")
    for problem in problems:
        print(f"FAILED {problem}")
    took = time.monotonic() - started
    print(f"{ENGINE}: {count} blocks run, {len(not_run)} not run, {shown} that only show something, in {took:.0f} s; {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as problem:
        sys.exit(f"FAILED {problem}")
