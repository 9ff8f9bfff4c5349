"""What Schemathesis is told about this service: who calls, which ids exist, and how often each operation answered what."""

import atexit
import collections
import datetime
import functools
import itertools
import json
import os
import pathlib
import random
import threading
import urllib.parse

import requests
import schemathesis

FOLDER = pathlib.Path(os.environ["GENERATED_FOLDER"])
WORLD = json.loads((FOLDER / "world.json").read_text())

# They end the caller's session or the caller: each request is made by somebody new.
ENDING = {"log_out", "delete_account", "revoke_session", "revoke_other_sessions"}

IN_A_DAY = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)).isoformat()

lock = threading.Lock()
desk = threading.Lock()
fans = itertools.cycle(WORLD["tokens"])
numbers = itertools.count()
counts = collections.defaultdict(collections.Counter)


def operation_id(case):
    return case.operation.definition.raw["operationId"]


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Lets half of the generated ids be those of things that exist. What is valid stays the same."""
    schemas = raw_schema["components"]["schemas"]
    # Operators play, finish and void the first half of the matches, so that the other half goes on taking predictions.
    half = len(WORLD["events"]) // 2
    existing = {
        "EventId": WORLD["events"][half:], "TeamId": WORLD["teams"], "TournamentId": WORLD["tournaments"],
        "UserId": WORLD["fans"] + WORLD["others"], "Username": WORLD["usernames"],
        "Phone": WORLD["test_numbers"], "Code": [WORLD["test_code"]],
        "Slug": ["football", "league", "cup", "northgate", "southbank", "eastfield", "westhill"],
    }
    for name, values in existing.items():
        schemas[name] = with_existing(schemas[name], values)
    parameters = {
        "event": WORLD["events"], "event_id": WORLD["events"], "team_id": WORLD["teams"],
        "tournament_id": WORLD["tournaments"], "user": WORLD["others"], "user_id": WORLD["fans"],
        "prediction": WORLD["predictions"], "report": WORLD["reports"], "webhook": WORLD["webhooks"],
        "league": WORLD["leagues"], "question": [question["id"] for question in WORLD["questions"]], "room": WORLD["rooms"], "room_id": WORLD["rooms"],
        "tournament": ["fed_league"], "file": ["northgate.svg"], "session": list(range(1, 20)),
    }
    for path, item in raw_schema["paths"].items():
        for operation in item.values():
            for parameter in operation.get("parameters", []):
                values = parameters.get(parameter["name"])
                if parameter["name"] == "event" and path.startswith("/api/admin/"):
                    values = WORLD["events"][:half]
                # Feeds name a tournament by its slug, apps by its id.
                if parameter["name"] == "tournament" and path.startswith("/api/auth/"):
                    values = WORLD["tournaments"]
                if values and "$ref" not in parameter["schema"]:
                    parameter["schema"] = with_existing(parameter["schema"], values)


def with_existing(schema, values):
    return {"anyOf": [{"enum": values}, schema]}


@schemathesis.auth(refresh_interval=None).apply_to(path_regex="^/api/admin/")
class OperatorToken:
    def get(self, case, context):
        return WORLD["operator_token"]

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.auth(refresh_interval=None).apply_to(path_regex="^/api/auth/").skip_for(
    path=["/api/auth/login", "/api/auth/username/check", "/api/auth/username/generate"]
)
class UserToken:
    def get(self, case, context):
        if operation_id(case) in ENDING:
            return log_in()["token"]
        with lock:
            return next(fans)

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"


def call(method, path, body=None, authorization=None):
    headers = {"authorization": authorization} if authorization else {}
    answer = requests.request(method, WORLD["base"] + path, json=body, headers=headers, timeout=30)
    answer.raise_for_status()
    return answer.json().get("data")


def fresh_phone():
    with lock:
        return f"+4479{next(numbers):08}"


def sent_code(phone):
    return call("GET", "/api/logs/sms?phone=" + urllib.parse.quote(phone))[0]["code"]


def log_in():
    phone = fresh_phone()
    call("POST", "/api/code/request", {"phone": phone})
    return call("POST", "/api/code/verify", {"phone": phone, "code": sent_code(phone)})


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = operation_id(case)
    if case.path.startswith("/api/admin/"):
        with lock:
            number = next(numbers)
        case.headers["X-Forwarded-For"] = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    if operation == "add_webhook" and isinstance(case.body, dict):
        # What happens is told to webhooks; a made-up one must not be somebody's.
        url = case.body.get("url")
        if isinstance(url, str) and is_address(url):
            case.body["url"] = "http://127.0.0.1:9/"
    # Nobody is shut out in whose name requests are made, and nobody is gone whom others are about.
    user = str((case.path_parameters or {}).get("user"))
    if operation in {"ban_user", "end_user_sessions"} and user in map(str, WORLD["fans"]):
        case.path_parameters["user"] = WORLD["others"][0]
    if operation == "delete_user" and user in map(str, WORLD["fans"] + WORLD["others"]):
        case.path_parameters["user"] = log_in()["user"]["id"]
    prepare = PREPARATIONS.get(operation)
    if prepare and case.meta and case.meta.generation.mode.is_positive:
        with lock:
            is_turn = next(turns[operation]) % 2 == 0
        if is_turn:
            prepare(case)


def prepare_login(case):
    phone = fresh_phone()
    call("POST", "/api/code/request", {"phone": phone})
    case.body |= {"phone": phone, "code": sent_code(phone)}


def prepare_verification(case):
    phone = fresh_phone()
    call("POST", "/api/auth/verify-phone/initiate", {"phone": phone}, case.headers["Authorization"])
    case.body |= {"phone": phone, "code": sent_code(phone)}


def prepare_resend(case):
    phone = fresh_phone()
    authorization = case.headers.get("Authorization")
    path = "/api/auth/verify-phone/initiate" if authorization else "/api/code/request"
    call("POST", path, {"phone": phone}, authorization)
    case.body["phone"] = phone


def prepare_join(case):
    room = case.path_parameters["room"] = WORLD["rooms"][0]
    # Whoever is no member gets a 409 here, which is as good.
    path = f"/api/auth/chat-rooms/{urllib.parse.quote(room, safe='')}/leave"
    requests.post(WORLD["base"] + path, headers={"authorization": case.headers["Authorization"]}, timeout=30)


def prepare_message(case):
    """Somebody new says something in a room, whoever of the others was muted or removed there meanwhile."""
    speaker = log_in()
    room = case.path_parameters["room"] = WORLD["rooms"][0]
    room = urllib.parse.quote(room, safe="")
    call("POST", f"/api/auth/chat-rooms/{room}/join", authorization=f"Bearer {speaker['token']}")
    path = f"/_matrix/client/v3/rooms/{room}/send/m.room.message/{speaker['user']['id']}"
    headers = {"authorization": f"Bearer {speaker['matrix_credentials']['access_token']}"}
    said = requests.put(WORLD["base"] + path, json={"msgtype": "m.text", "body": "Boo"}, headers=headers, timeout=30)
    said.raise_for_status()
    case.body["message_id"] = said.json()["event_id"]


@functools.cache
def desk_room():
    """A room whose maker never leaves it: operators deal with members in the name of somebody who may."""
    body = {"name": "Room of the desk", "event_id": WORLD["events"][-1]}
    return call("POST", "/api/auth/chat-room", body, f"Bearer {log_in()['token']}")["room_id"]


def prepare_member(case):
    """Somebody new is in the room, whoever of the others was dealt with meanwhile."""
    with desk:
        room = case.path_parameters["room"] = desk_room()
    member = log_in()
    call("POST", f"/api/auth/chat-rooms/{urllib.parse.quote(room, safe='')}/join", authorization=f"Bearer {member['token']}")
    case.body["user_id"] = member["user"]["id"]


def prepare_revoke(case):
    sessions = call("GET", "/api/auth/sessions", authorization=case.headers["Authorization"])
    case.path_parameters["session"] = sessions[0]["id"]


def prepare_unblock(case):
    user = case.path_parameters["user"] = WORLD["others"][1]
    call("POST", f"/api/auth/users/{user}/block", authorization=case.headers["Authorization"])


def new_league(**more):
    """A league of somebody new, with somebody else in it."""
    owner, member = log_in(), log_in()
    body = {"name": "Made up", "tournament_ids": WORLD["tournaments"][:1], "is_public": True} | more
    league = call("POST", "/api/auth/leagues", body, f"Bearer {owner['token']}")
    call("POST", "/api/auth/leagues/join", {"code": league["code"]}, f"Bearer {member['token']}")
    return owner, member, league


def prepare_league(case, **more):
    owner, member, league = new_league(**more)
    case.path_parameters["league"] = league["id"]
    if case.path.startswith("/api/auth/"):
        case.headers["Authorization"] = f"Bearer {owner['token']}"
    if isinstance(case.body, dict) and "user_id" in case.body:
        case.body["user_id"] = member["user"]["id"]
    return member


def prepare_league_chat(case):
    prepare_league(case, has_chat=True)


def prepare_leaving(case):
    case.headers["Authorization"] = f"Bearer {prepare_league(case)['token']}"


def prepare_joining(case):
    prepare_league(case)
    case.headers["Authorization"] = f"Bearer {log_in()['token']}"


def prepare_code(case):
    _, _, league = new_league()
    if case.path_parameters:
        case.path_parameters["code"] = league["code"]
    else:
        case.body["code"] = league["code"]


def new_question():
    """A question that takes answers."""
    body = {"tournament_id": WORLD["tournaments"][0], "text": "Who?", "closes_at": IN_A_DAY, "points": 5, "options": [{"text": "One"}, {"text": "Other"}]}
    return call("POST", "/api/admin/questions", body, f"Bearer {WORLD['operator_token']}")


def prepare_answer(case):
    question = new_question()
    case.path_parameters["question"] = question["id"]
    options = [question["options"][0]["id"]]
    if case.method == "DELETE":
        call("PUT", f"/api/auth/questions/{question['id']}/tip", {"option_ids": options}, case.headers["Authorization"])
    else:
        case.body["option_ids"] = options


def prepare_question(case):
    case.body |= {"closes_at": IN_A_DAY, "most_picks": 1, "options": [{"text": "One"}, {"text": "Other"}]}


def prepare_change(case):
    case.path_parameters["question"] = new_question()["id"]
    case.body["closes_at"] = IN_A_DAY


def prepare_settling(case):
    question = WORLD["questions"][0]
    case.path_parameters["question"] = question["id"]
    case.body["right_option_ids"] = question["options"][:1]


def new_device():
    return {"kind": "http", "address": f"https://push.example.org/{random.getrandbits(64)}"}


def prepare_device(case):
    """Registered anew, or there to be removed, by somebody who has not done it too often."""
    token = f"Bearer {log_in()['token']}"
    case.headers["Authorization"] = token
    if case.method == "DELETE":
        case.path_parameters["device"] = call("POST", "/api/auth/devices", new_device(), token)["id"]
    else:
        case.body = new_device() | {"name": "Phone", "zone": "Europe/London"}


def prepare_wishes(case):
    case.body |= {"remind_minutes": 60, "zone": "Europe/London", "quiet_from": "22:00", "quiet_until": "07:30"}


def prepare_push_message(case):
    case.body |= {"team_id": None, "league_id": None}


def prepare_update(case):
    """A match to which nothing has happened yet."""
    with lock:
        key = f"made-up:{next(numbers)}"
    event = {"key": key, "tournament": "league", "home": "northgate", "away": "southbank", "start_time": IN_A_DAY}
    made = call("PUT", "/api/admin/catalogue", {"sports": [], "teams": [], "tournaments": [], "events": [event]}, f"Bearer {WORLD['operator_token']}")
    case.path_parameters["event"] = made["events"][key]
    case.body = {"venue": "Made up"}


def prepare_drop(case):
    """A job that is no chore and not due for a while: the end of a ban."""
    operator, user = f"Bearer {WORLD['operator_token']}", log_in()["user"]["id"]
    call("POST", f"/api/admin/users/{user}/ban", {"reason": "Made up", "minutes": 5}, operator)
    jobs = call("GET", "/api/admin/jobs?lane=local&state=waiting&per_page=100", authorization=operator)
    case.path_parameters["job"] = next(job["id"] for job in jobs if job["kind"] == "end_ban" and job["payload"]["user_id"] == user)


# What must have happened for a request to succeed; it is seen to for half of those that are valid.
PREPARATIONS = {
    "verify_code": prepare_login,
    "log_in": prepare_login,
    "verify_phone": prepare_verification,
    "resend_code": prepare_resend,
    "join_chat_room": prepare_join,
    "redact_message": prepare_message,
    "revoke_session": prepare_revoke,
    "unblock_user": prepare_unblock,
    "show_league_of_code": prepare_code,
    "join_league_by_code": prepare_code,
    "join_public_league": prepare_joining,
    "leave_league": prepare_leaving,
    "enter_league_chat": prepare_league_chat,
    "answer_question": prepare_answer,
    "take_answer_back": prepare_answer,
    "open_question": prepare_question,
    "change_question": prepare_change,
    "settle_question": prepare_settling,
    "register_device": prepare_device,
    "remove_device": prepare_device,
    "change_push_settings": prepare_wishes,
    "send_push_message": prepare_push_message,
    "drop_job": prepare_drop,
    "update_event": prepare_update,
} | dict.fromkeys(
    ["change_league", "close_league", "end_league", "rename_league", "renew_league_code", "remove_league_member", "readmit_to_league",
     "set_league_role"],
    prepare_league,
) | dict.fromkeys(["mute_member", "unmute_member", "remove_member", "ban_member", "unban_member"], prepare_member)
turns = collections.defaultdict(itertools.count)


def is_address(text):
    try:
        return bool(urllib.parse.urlsplit(text).hostname)
    except ValueError:
        return False


@schemathesis.hook
def after_call(context, case, response):
    with lock:
        counts[operation_id(case)][str(response.status_code)] += 1


@schemathesis.hook
def filter_failure(context, failure, case, response):
    # OpenAPI 3.1 describes a stream as one text. The check reads its events one by one and wants the schema of an event.
    is_stream = operation_id(case) in ("open_stream", "open_desk_stream") and "SSE event" in failure.title
    return not is_stream


@atexit.register
def write_counts():
    (FOLDER / "counts.json").write_text(json.dumps(counts))
