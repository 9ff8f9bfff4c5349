"""The same script of steps on Synapse and on the embedded homeserver; every answer is compared.

What may differ is listed, with the reason, in known_differences.txt. Anything else is a failure, and so
is a listed difference that no longer occurs. `differential.py list` shows every difference.

A line of the list is `step | place | reason`. In a step `*` stands for anything; in a place it stands for
one part of the path. A place that begins with `+` may be there only here, with `-` only on Synapse.
"""

import fnmatch
import json
import pathlib
import re
import sys

import servers
from servers import AS_TOKEN, SERVER_NAME, quote, request

V3 = "/_matrix/client/v3"
# Values that no two servers share.
OPAQUE = {"age", "origin_server_ts", "ts", "next_batch", "prev_batch", "start", "end", "access_token",
          "last_seen_ts", "last_seen_ip", "last_seen_user_agent", "creation_ts", "event_id_seen", "error",
          "age_ts", "duration_ms", "filter_id", "retry_after_ms", "content_uri", "home_server"}


def without_repetition(event):
    """Synapse repeats parts of an event at its top in a format older than the specification: those that say the same go."""
    unsigned = event.get("unsigned")
    if "sender" not in event or not isinstance(unsigned, dict):
        return event
    said = {**unsigned, "user_id": event["sender"]}
    old = ("user_id", "age", "prev_content", "replaces_state", "redacted_because")
    return {key: value for key, value in event.items() if not (key in old and key in said and said[key] == value)}


class Side:
    """One of the two servers, with the ids it handed out."""

    def __init__(self, base):
        self.base, self.vars, self.tokens = base, {}, {"as": AS_TOKEN}

    def fill(self, value):
        if isinstance(value, str):
            def look(match):
                name, _, how = match.group(1).partition("|")
                found = str(self.vars.get(name, f"missing-{name}"))
                return quote(found) if how == "q" else found
            return re.sub(r"\{([a-z0-9_|]+)\}", look, value)
        if isinstance(value, list):
            return [self.fill(item) for item in value]
        if isinstance(value, dict):
            return {self.fill(key): self.fill(item) for key, item in value.items()}
        return value

    def clean(self, value, key=""):
        """The answer with everything that is this server's own replaced by names."""
        if key in OPAQUE and value is not None:
            return "<opaque>"
        if key == "version" and isinstance(value, str):
            backups = (name for name, known in self.vars.items() if name.startswith("backup") and known == value)
            return next((f"<{name}>" for name in backups), value)
        if isinstance(value, dict):
            value = without_repetition(value)
            return {self.name(k): self.clean(v, k) for k, v in sorted(value.items())}
        if isinstance(value, list):
            return [self.clean(item, key) for item in value]
        if isinstance(value, str):
            return self.name(value)
        return value

    def name(self, text):
        for name, known in self.vars.items():
            if text == known and name[0] in "red":
                return f"<{name}>"
        if re.fullmatch(r"\$[A-Za-z0-9_-]{43}", text):
            return "<event>"
        return text


class Script:
    def __init__(self, ours, synapse):
        self.sides = [Side(ours), Side(synapse)]
        self.count, self.differences = 0, []

    def step(self, who, method, path, body=None, save=None, sort=None, only=None, name=None, **vars):
        """Runs one step on both and compares. `save` maps variable names to fields of the answer."""
        self.count += 1
        label = name or f"{method} {path}"
        answers = []
        for side in self.sides:
            full = side.fill(path)
            if not full.startswith("/_matrix"):
                full = V3 + full
            status, answer = request(side.base, method, full, side.tokens.get(who, who), side.fill(body))
            for variable, field in (save or {}).items():
                found = answer
                for part in field.split("."):
                    found = found.get(part) if isinstance(found, dict) else None
                side.vars[variable] = found
            answers.append((status, answer))
        shown = []
        for side, (status, answer) in zip(self.sides, answers):
            cleaned = side.clean(answer)
            if only and isinstance(cleaned, dict):
                cleaned = {key: cleaned.get(key) for key in only}
            if status >= 400 and isinstance(cleaned, dict):
                cleaned = {"errcode": cleaned.get("errcode")}
            cleaned = shape(cleaned, sort or [])
            shown.append({"status": status, "body": cleaned})
        for place, one, other in differences("", *shown):
            self.differences.append((f"{self.count:03} {who} {label}", place, one, other))
        return answers

    def sync(self, who, name, query=""):
        """A sync from where this user's last one ended."""
        since = "since_" + who
        has = since in self.sides[0].vars
        path = "/sync?timeout=0" + query + (f"&since={{{since}}}" if has else "")
        self.step(who, "GET", path, save={since: "next_batch"}, name=f"sync: {name}")


def shape(value, sort):
    """Puts lists whose order means nothing into one order."""
    if isinstance(value, dict):
        value = {key: shape(item, sort) for key, item in value.items()}
        for key in ("state", "invite_state"):
            events = value.get(key)
            if isinstance(events, dict) and isinstance(events.get("events"), list):
                events["events"].sort(key=order)
        for key in ("ephemeral", "account_data", "to_device", "presence"):
            events = value.get(key)
            if isinstance(events, dict) and isinstance(events.get("events"), list) and key != "to_device":
                events["events"].sort(key=order)
        for key in ("changed", "left", "joined_rooms", "aliases", "results", "devices", "m.heroes"):
            if isinstance(value.get(key), list):
                value[key].sort(key=order)
        for key in sort:
            if isinstance(value.get(key), list):
                value[key].sort(key=order)
        return value
    if isinstance(value, list):
        value = [shape(item, sort) for item in value]
        if value and all(isinstance(item, dict) and "rule_id" in item for item in value):
            return {rule["rule_id"]: shape_rule(rule) for rule in value}
        return sorted(value, key=order) if "" in sort else value
    return value


def shape_rule(rule):
    """A push rule in one of its many spellings: no highlight is what there is without a word, and order means nothing."""
    actions = [action for action in rule["actions"] if action != {"set_tweak": "highlight", "value": False}]
    return {**rule, "actions": sorted(actions, key=order), "conditions": sorted(rule.get("conditions", []), key=order)}


def order(item):
    if isinstance(item, dict):
        return json.dumps([item.get("type"), item.get("state_key"), item], sort_keys=True)
    return json.dumps(item, sort_keys=True)


def differences(place, ours, theirs):
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted(set(ours) | set(theirs), key=str):
            missing = "<absent>"
            yield from differences(f"{place}/{key}", ours.get(key, missing), theirs.get(key, missing))
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for index, (one, other) in enumerate(zip(ours, theirs)):
            yield from differences(f"{place}/{index}", one, other)
    elif ours != theirs:
        yield place, ours, theirs


def known():
    lines = (pathlib.Path(__file__).parent / "known_differences.txt").read_text().splitlines()
    entries = []
    for line in lines:
        if line.strip() and not line.startswith("#"):
            step, place, reason = (part.strip() for part in line.split(" | ", 2))
            entries.append([step, place, reason, 0])
    return entries


def is_allowed(entry, step, place, ours, theirs):
    steps, places, _, _ = entry
    side, _, rest = places.partition(" ")
    if side in ("+", "-"):
        if (theirs if side == "+" else ours) != "<absent>":
            return False
        places = rest
    parts = places.split("/"), place.split("/")
    return (fnmatch.fnmatchcase(step, steps) and len(parts[0]) == len(parts[1])
            and all(fnmatch.fnmatchcase(part, pattern) for pattern, part in zip(*parts)))


def main():
    import script
    with servers.embedded() as ours, servers.synapse() as synapse:
        run = Script(ours, synapse)
        script.play(run)
    allowed, failures = known(), []
    for step, place, one, other in run.differences:
        hits = [entry for entry in allowed if is_allowed(entry, step, place, one, other)]
        for entry in hits:
            entry[3] += 1
        if not hits:
            failures.append((step, place, one, other))
    length = 400
    for step, place, one, other in run.differences if sys.argv[1:] == ["list"] else failures:
        print(f"{step}\n    at {place}\n    ours:    {json.dumps(one)[:length]}\n    synapse: {json.dumps(other)[:length]}")
    stale = [entry for entry in allowed if entry[3] == 0]
    for entry in stale:
        print(f"listed but not seen: {entry[0]} | {entry[1]}")
    print(f"differential: {run.count} steps, {len(run.differences)} differences, "
          f"{len(run.differences) - len(failures)} of them known, {len(failures)} not")
    sys.exit(1 if failures or stale else 0)


if __name__ == "__main__":
    main()
