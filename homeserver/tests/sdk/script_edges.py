"""More steps of the differential run: what clients do at the edges, two new users, rooms of their own."""

import json

from servers import quote

V1 = "/_matrix/client/v1"


def play(run):
    people(run)
    markers(run)
    comings(run)
    names(run)
    relations(run)
    threads(run)
    bodies(run)
    rooms(run)
    unread(run)
    thread_counts(run)
    rules(run)
    small(run)
    media(run)
    keys(run)
    settings(run)


def text(body, **more):
    return {"msgtype": "m.text", "body": body, **more}


def related(kind, event, body="related", **more):
    return text(body, **{"m.relates_to": {"rel_type": kind, "event_id": event}, **more})


def say(run, who, room, content, event):
    content = text(content) if isinstance(content, str) else content
    run.step(who, "PUT", f"/rooms/{{{room}|q}}/send/m.room.message/t_{event}", content, save={event: "event_id"})


def people(run):
    step = run.step
    for name in ("dave", "erin", "fay"):
        step("as", "POST", "/register", {"type": "m.login.application_service", "username": name, "inhibit_login": True})
        login = {"type": "m.login.application_service", "identifier": {"type": "m.id.user", "user": name},
                 "device_id": "DEV" + name.upper()}
        step("as", "POST", "/login", login, save={"token_" + name: "access_token", "user_" + name: "user_id"},
             only=["user_id", "device_id"])
        for side in run.sides:
            side.tokens[name] = side.vars["token_" + name]
    step("dave", "POST", "/createRoom", {"preset": "public_chat", "name": "Edges", "room_alias_name": "edges"},
         save={"room_e": "room_id"})
    step("erin", "POST", "/join/{room_e|q}", {})
    run.sync("dave", "edges, first")
    run.sync("erin", "edges, first")


def markers(run):
    step = run.step
    for number in (1, 2, 3):
        say(run, "dave", "room_e", f"mark {number}", f"e_mark{number}")
    step("dave", "GET", "/rooms/{room_e|q}/messages?dir=b&limit=2&from=")
    step("dave", "GET", "/rooms/{room_e|q}/messages?dir=f&limit=2&from=&to=")
    at, data = "/rooms/{room_e|q}", "/user/{user_erin|q}/rooms/{room_e|q}/account_data/m.fully_read"
    step("erin", "POST", at + "/read_markers", {"m.fully_read": "{e_mark2}"})
    step("erin", "GET", data)
    step("erin", "POST", at + "/read_markers", {"m.fully_read": "{e_mark1}"})
    step("erin", "GET", data)
    step("erin", "POST", at + "/receipt/m.fully_read/{e_mark1|q}", {})
    step("erin", "GET", data)
    step("erin", "POST", at + "/receipt/m.fully_read/{e_mark3|q}", {})
    step("erin", "GET", data)
    step("erin", "POST", at + "/read_markers", {})
    step("erin", "POST", at + "/receipt/m.read/{e_mark3|q}", {"thread_id": "main"})
    step("erin", "POST", at + "/receipt/m.read/{e_mark3|q}", {"thread_id": "{e_mark1}"})
    step("erin", "POST", at + "/receipt/m.fully_read/{e_mark3|q}", {"thread_id": "main"})
    step("erin", "POST", at + "/receipt/m.read/{e_mark3|q}", {"thread_id": 1})
    step("erin", "POST", at + "/receipt/m.read/{e_mark3|q}", {"thread_id": ""})
    run.sync("erin", "markers")
    run.sync("dave", "markers")
    for body in ({"typing": True}, {}, {"typing": "yes"}, {"typing": True, "timeout": "x"}, {"typing": False}):
        step("erin", "PUT", at + "/typing/{user_erin|q}", body)


def comings(run):
    step = run.step
    step("erin", "POST", "/rooms/{room_e|q}/leave", {})
    step("erin", "POST", "/rooms/{room_e|q}/leave", {})
    step("fay", "POST", "/rooms/{room_e|q}/leave", {})
    run.sync("erin", "left twice")
    step("erin", "POST", "/rooms/{room_e|q}/join", {})
    run.sync("erin", "came back")
    run.sync("dave", "erin left and came back")
    step("dave", "POST", "/rooms/{room_e|q}/kick", {"user_id": "@far:elsewhere.invalid"})
    step("dave", "POST", "/rooms/{room_e|q}/unban", {"user_id": "{user_erin}"})
    step("erin", "PUT", "/rooms/{room_e|q}/state/m.room.member/{user_erin|q}", {"membership": "knock"})
    step("erin", "PUT", "/rooms/{room_e|q}/state/m.room.member/{user_erin|q}", {"membership": "nonsense"})
    step("erin", "PUT", "/rooms/{room_e|q}/state/m.room.member/{user_fay|q}", {"membership": "join"})
    step("erin", "PUT", "/rooms/{room_e|q}/state/m.room.member/{user_dave|q}", {"membership": "ban"})
    step("erin", "PUT", "/rooms/{room_e|q}/state/m.room.member/{user_erin|q}", {"membership": "join", "displayname": "E."})
    step("dave", "GET", "/rooms/{room_e|q}/state/m.room.member/{user_erin|q}")
    step("dave", "GET", "/rooms/{room_e|q}/state/m.room.member/{user_erin|q}?format=event")
    step("dave", "GET", "/rooms/{room_e|q}/members?at={since_dave|q}", sort=["chunk"])
    step("fay", "POST", "/rooms/{room_e|q}/forget", {})


def names(run):
    step = run.step
    alias, canonical = "/directory/room/%23{}%3Alocaltest", "/rooms/{room_e|q}/state/m.room.canonical_alias"
    for name in ("edge2", "edge3"):
        step("dave", "PUT", alias.replace("{}", name), {"room_id": "{room_e}"})
    step("erin", "PUT", alias.replace("{}", "erins"), {"room_id": "{room_e}"})
    step("dave", "PUT", canonical, {"alias": "#edges:localtest", "alt_aliases": [
        "#edge2:localtest", "#edge3:localtest", "#erins:localtest"]})
    step("dave", "PUT", canonical, {"alias": "nonsense"})
    step("dave", "PUT", canonical, {"alias": "#edges:localtest", "alt_aliases": ["#none:localtest"]})
    step("dave", "DELETE", alias.replace("{}", "edge2"))
    step("dave", "GET", canonical)
    step("dave", "DELETE", alias.replace("{}", "edges"))
    step("dave", "GET", canonical)
    step("erin", "DELETE", alias.replace("{}", "erins"))
    step("dave", "GET", canonical)
    step("dave", "DELETE", alias.replace("{}", "edge3"))
    step("dave", "GET", canonical)
    run.sync("erin", "aliases went")
    step("dave", "PUT", "/directory/room/nonsense", {"room_id": "{room_e}"})
    step("dave", "PUT", alias.replace("{}", "lost"), {"room_id": "!none:localtest"})
    step("dave", "PUT", alias.replace("{}", "lost"), {})


def relations(run):
    step = run.step
    say(run, "dave", "room_e", "to react to", "e_goal")
    react = "/rooms/{room_e|q}/send/m.reaction/"

    def reaction(key, event="{e_goal}"):
        return {"m.relates_to": {"rel_type": "m.annotation", "event_id": event, "key": key}}
    step("erin", "PUT", react + "k1", reaction("+1"), save={"e_plus": "event_id"})
    step("erin", "PUT", react + "k2", reaction("+1"))
    step("erin", "PUT", react + "k1", reaction("+1"))
    step("erin", "PUT", react + "k3", reaction("-1"))
    step("dave", "PUT", react + "k4", reaction("+1"))
    step("erin", "PUT", "/rooms/{room_e|q}/redact/{e_plus|q}/k5", {})
    step("erin", "PUT", react + "k6", reaction("+1"))
    step("erin", "PUT", react + "k7", reaction("x" * 501))
    step("erin", "PUT", react + "k8", {"m.relates_to": {"rel_type": "m.annotation", "event_id": "{e_goal}"}})
    step("erin", "PUT", react + "k9", reaction("+1", "$none"))
    step("erin", "PUT", react + "k10", reaction("+1", "{e_msg1}"))
    step("erin", "GET", V1 + "/rooms/{room_e|q}/relations/{e_goal|q}/m.annotation?dir=f")
    say(run, "dave", "room_e", related("m.replace", "{e_goal}", "* edit 1", **{"m.new_content": text("edit 1")}), "e_edit1")
    say(run, "dave", "room_e", related("m.replace", "{e_edit1}", "* edit 2", **{"m.new_content": text("edit 2")}), "e_edit2")
    say(run, "erin", "room_e", related("m.replace", "{e_goal}", "* not mine", **{"m.new_content": text("not mine")}), "e_edit3")
    say(run, "dave", "room_e", text("a reply", **{"m.relates_to": {"m.in_reply_to": {"event_id": "{e_goal}"}}}), "e_reply")
    step("erin", "GET", "/rooms/{room_e|q}/event/{e_goal|q}")
    step("erin", "GET", "/rooms/{room_e|q}/event/{e_edit1|q}")
    step("erin", "GET", V1 + "/rooms/{room_e|q}/relations/{e_goal|q}/m.replace?dir=f")
    step("erin", "GET", V1 + "/rooms/{room_e|q}/relations/{e_goal|q}?limit=2&dir=b")
    step("erin", "GET", V1 + "/rooms/{room_e|q}/relations/{e_goal|q}?from=&limit=1")
    step("dave", "PUT", "/rooms/{room_e|q}/send/m.room.redaction/k11", {"redacts": "{e_reply}", "reason": "by content"})
    step("erin", "GET", "/rooms/{room_e|q}/event/{e_reply|q}")


def threads(run):
    step = run.step
    say(run, "dave", "room_e", "thread root", "e_root1")
    say(run, "erin", "room_e", related("m.thread", "{e_root1}", "first"), "e_in1")
    say(run, "dave", "room_e", related("m.thread", "{e_root1}", "second"), "e_in2")
    say(run, "dave", "room_e", related("m.thread", "{e_in1}", "a thread in a thread"), "e_in3")
    say(run, "dave", "room_e", related("m.thread", "$none", "a thread on nothing"), "e_in4")
    step("erin", "GET", V1 + "/rooms/{room_e|q}/threads?limit=1")
    step("erin", "GET", V1 + "/rooms/{room_e|q}/relations/{e_root1|q}/m.thread?dir=f")
    step("dave", "PUT", "/rooms/{room_e|q}/redact/{e_in2|q}/th1", {})
    step("erin", "GET", V1 + "/rooms/{room_e|q}/threads?limit=1")
    step("erin", "GET", V1 + "/rooms/{room_e|q}/relations/{e_root1|q}/m.thread?dir=f")
    step("dave", "PUT", "/rooms/{room_e|q}/redact/{e_root1|q}/th2", {})
    step("erin", "GET", "/rooms/{room_e|q}/event/{e_root1|q}")
    step("erin", "GET", V1 + "/rooms/{room_e|q}/relations/{e_root1|q}/m.thread?dir=f")
    step("erin", "GET", V1 + "/rooms/{room_e|q}/threads?limit=1")
    step("dave", "PUT", "/rooms/{room_e|q}/redact/{e_in1|q}/th3", {})
    step("erin", "GET", V1 + "/rooms/{room_e|q}/threads")


def bodies(run):
    step = run.step
    at = "/rooms/{room_e|q}"
    for number, body in enumerate(([], "x", 1)):
        step("dave", "PUT", f"{at}/send/m.room.message/body{number}", body)
        step("dave", "PUT", f"{at}/state/app.x/k", body)
        step("dave", "POST", "/createRoom", body)
    for state in ({"type": "app.x", "content": []}, {"type": "", "content": {}}, {"content": {}}, {"type": 1, "content": {}},
                  {"type": "app.x"}):
        step("dave", "POST", "/createRoom", {"initial_state": [state]}, only=["errcode"])
    for body in ({"preset": "nonsense"}, {"visibility": "nonsense"}, {"name": 1}, {"invite": "x"}, {"invite": [1]},
                 {"power_level_content_override": []}, {"room_alias_name": "a b"}, {"room_alias_name": ""}):
        step("dave", "POST", "/createRoom", body, only=["errcode"])
    step("dave", "PUT", "/directory/list/room/{room_e|q}", {"visibility": "nonsense"})
    step("dave", "PUT", f"{at}/send/app.large/fits", {"text": "x" * 64500})
    step("dave", "PUT", f"{at}/send/app.large/large", {"text": "x" * 65600})
    step("dave", "PUT", f"{at}/send/{'t' * 256}/long", {})
    step("dave", "PUT", f"{at}/state/app.x/{'k' * 256}", {})
    step("dave", "PUT", f"{at}/send/app.x/inf", {"n": 2 ** 53})
    for body in ({}, {"type": 1}, {"type": "m.login.nonsense"}, {"type": "m.login.application_service"},
                 {"type": "m.login.application_service", "identifier": {"type": "m.id.nonsense"}}):
        step("as", "POST", "/login", body)
    step("as", "POST", "/register", {"type": "m.login.application_service"})
    step("dave", "POST", "/join/{room_e|q}", [])
    step("dave", "POST", f"{at}/invite", {})
    step("dave", "POST", f"{at}/kick", {})
    step("dave", "PUT", "/sendToDevice/m.test/bad", {"messages": []})
    step("dave", "POST", "/keys/query", {"device_keys": []})
    step("dave", "POST", "/user_directory/search", {})


def rooms(run):
    step = run.step
    rule = {"type": "m.room.join_rules", "state_key": "", "content": {"join_rule": "knock"}}
    step("dave", "POST", "/createRoom", {"initial_state": [rule], "name": "Knock"}, save={"room_k": "room_id"})
    step("erin", "POST", "/join/{room_k|q}", {})
    step("dave", "POST", "/createRoom", {"preset": "trusted_private_chat", "invite": ["{user_erin}"], "is_direct": True},
         save={"room_d": "room_id"})
    run.sync("erin", "a direct chat")
    step("erin", "POST", "/join/{room_d|q}", {})
    step("erin", "GET", "/rooms/{room_d|q}/state/m.room.power_levels")
    step("dave", "GET", "/rooms/{room_d|q}/state/m.room.guest_access")
    step("erin", "PUT", "/rooms/{room_d|q}/state/m.room.name", {"name": "We two"})
    step("dave", "GET", "/_matrix/client/v1/rooms/{room_d|q}/timestamp_to_event?ts=99999999999999&dir=b")
    step("dave", "GET", "/publicRooms?limit=1", only=["total_room_count_estimate"])
    step("dave", "POST", "/user_directory/search", {"search_term": "zzz"})


def thread_filter(more=""):
    return "&filter=" + quote(json.dumps({"room": {"timeline": {"unread_thread_notifications": True}}})) + more


def unread(run):
    step = run.step
    step("dave", "POST", "/createRoom", {"preset": "public_chat", "name": "Counts"}, save={"room_u": "room_id"})
    for who in ("erin", "fay"):
        step(who, "POST", "/join/{room_u|q}", {})
        run.sync(who, "counts, joined")
    say(run, "dave", "room_u", "one", "e_u1")
    say(run, "dave", "room_u", text("erin", **{"m.mentions": {"user_ids": ["{user_erin}"]}}), "e_u2")
    say(run, "dave", "room_u", text("@room", **{"m.mentions": {"room": True}}), "e_u3")
    say(run, "fay", "room_u", text("@room", **{"m.mentions": {"room": True}}), "e_u4")
    say(run, "dave", "room_u", related("m.replace", "{e_u1}", "* uno", **{"m.new_content": text("uno")}), "e_u5")
    run.sync("erin", "counts: a message, a mention, two calls, an edit")
    step("erin", "PUT", "/user/{user_erin|q}/account_data/m.ignored_user_list", {"ignored_users": {"{user_fay}": {}}})
    say(run, "fay", "room_u", text("erin?", **{"m.mentions": {"user_ids": ["{user_erin}"]}}), "e_u6")
    say(run, "dave", "room_u", "two", "e_u7")
    run.sync("erin", "counts: fay is ignored")
    step("erin", "PUT", "/user/{user_erin|q}/account_data/m.ignored_user_list", {"ignored_users": {}})
    step("erin", "POST", "/rooms/{room_u|q}/receipt/m.read/{e_u7|q}", {})
    run.sync("erin", "counts: all read")
    step("erin", "PUT", "/pushrules/global/room/{room_u|q}", {"actions": []})
    say(run, "dave", "room_u", "muted", "e_u8")
    say(run, "dave", "room_u", text("erin", **{"m.mentions": {"user_ids": ["{user_erin}"]}}), "e_u9")
    say(run, "dave", "room_u", text("@room", **{"m.mentions": {"room": True}}), "e_u10")
    say(run, "fay", "room_u", text("@room", **{"m.mentions": {"room": True}}), "e_u11")
    run.sync("erin", "counts: muted, with a mention and a call")
    step("erin", "DELETE", "/pushrules/global/room/{room_u|q}")


def thread_counts(run):
    step = run.step
    receipt = "/rooms/{room_u|q}/receipt/m.read/"
    say(run, "dave", "room_u", "root a", "e_ta")
    step("fay", "POST", receipt + "{e_ta|q}", {})
    run.sync("fay", "threads: all read", thread_filter())
    say(run, "dave", "room_u", related("m.thread", "{e_ta}", "in a"), "e_ta1")
    say(run, "dave", "room_u", related("m.thread", "{e_ta}", "fay!", **{"m.mentions": {"user_ids": ["{user_fay}"]}}), "e_ta2")
    say(run, "dave", "room_u", "root b", "e_tb")
    say(run, "dave", "room_u", related("m.thread", "{e_tb}", "in b"), "e_tb1")
    run.sync("fay", "threads: two", thread_filter())
    step("fay", "GET", "/sync?filter=" + quote(json.dumps({"room": {"rooms": ["{room_u}"], "timeline": {"limit": 1}}})).replace(
        "%7Broom_u%7D", "{room_u|q}"), name="sync: threads, all in one", only=["rooms"])
    step("fay", "POST", receipt + "{e_ta1|q}", {"thread_id": "{e_ta}"})
    run.sync("fay", "threads: one reply read", thread_filter())
    step("fay", "POST", receipt + "{e_tb|q}", {"thread_id": "main"})
    run.sync("fay", "threads: the main timeline read", thread_filter())
    step("fay", "POST", receipt + "{e_tb1|q}", {"thread_id": "{e_ta}"})
    step("fay", "POST", receipt + "{e_tb1|q}", {"thread_id": "main"})
    step("fay", "POST", receipt + "{e_tb1|q}", {})
    run.sync("fay", "threads: everything read", thread_filter())


def rules(run):
    step = run.step
    rule = "/pushrules/global"
    step("erin", "PUT", rule + "/override/app.one", {"conditions": [{"kind": "event_match", "key": "type", "pattern": "app.x"}],
                                                    "actions": ["notify"]})
    step("erin", "GET", rule + "/override/app.one")
    step("erin", "PUT", rule + "/override/app.two?before=app.one", {
        "conditions": [{"kind": "event_match", "key": "type", "pattern": "app.y"}], "actions": []})
    step("erin", "PUT", rule + "/override/app.three?before=app.none", {"conditions": [], "actions": []})
    step("erin", "PUT", rule + "/content/app.word", {"pattern": "goal", "actions": ["notify", {"set_tweak": "highlight"}]})
    step("erin", "PUT", rule + "/content/app.none", {"actions": ["notify"]})
    step("erin", "PUT", rule + "/override/.m.mine", {"conditions": [], "actions": []})
    step("erin", "PUT", rule + "/nonsense/app.x", {"actions": []})
    step("erin", "DELETE", rule + "/override/.m.rule.master")
    step("erin", "GET", rule + "/underride/.m.rule.message/actions")
    step("erin", "PUT", rule + "/underride/.m.rule.message/actions", {"actions": []})
    step("erin", "PUT", rule + "/underride/.m.rule.none/enabled", {"enabled": False})
    step("erin", "DELETE", rule + "/override/app.none")
    say(run, "dave", "room_u", "before it counts", "e_r0")
    step("erin", "POST", "/rooms/{room_u|q}/receipt/m.read/{e_r0|q}", {})
    say(run, "dave", "room_u", "goal", "e_r1")
    say(run, "dave", "room_u", "nothing", "e_r2")
    run.sync("erin", "counts by own rules")


def small(run):
    step = run.step
    for who in ("dave", "fay", None):
        step(who, "GET", V1 + "/room_summary/{room_e|q}")
        step(who, "GET", V1 + "/room_summary/{room_d|q}")
    step("fay", "GET", V1 + "/room_summary/{room_k|q}")
    step("fay", "GET", V1 + "/room_summary/%23final%3Alocaltest")
    step("fay", "GET", V1 + "/room_summary/%23none%3Alocaltest")
    step("fay", "GET", V1 + "/room_summary/nonsense")
    step("dave", "POST", "/user/{user_dave|q}/openid/request_token", {}, save={"openid": "access_token"})
    step("dave", "POST", "/user/{user_erin|q}/openid/request_token", {})
    step(None, "GET", "/_matrix/federation/v1/openid/userinfo?access_token={openid}")
    step(None, "GET", "/_matrix/federation/v1/openid/userinfo?access_token=nonsense")
    step(None, "GET", "/_matrix/federation/v1/openid/userinfo")
    step("dave", "GET", "/thirdparty/protocols")
    step("dave", "GET", "/thirdparty/protocol/irc")
    step("dave", "GET", "/voip/turnServer")
    step("dave", "GET", "/pushers")
    step("dave", "GET", "/presence/{user_dave|q}/status", only=["presence"])
    step("dave", "PUT", "/presence/{user_dave|q}/status", {"presence": "online"})
    step("dave", "GET", "/capabilities", name="capabilities")
    step("dave", "GET", "/rooms/{room_e|q}/nothing")
    step("dave", "PATCH", "/joined_rooms", {})


def media(run):
    step = run.step
    step("dave", "POST", "/_matrix/media/v3/upload?filename=a.json", {"a": "file"}, save={"content": "content_uri"})
    for side in run.sides:
        side.vars["media"] = str(side.vars["content"]).rsplit("/", 1)[-1]
    for place in (V1 + "/media/download", "/_matrix/media/v3/download", "/_matrix/media/r0/download"):
        step("erin", "GET", place + "/localtest/{media}")
        step(None, "GET", place + "/localtest/{media}")
    step("erin", "GET", V1 + "/media/download/localtest/none")
    step("erin", "GET", V1 + "/media/config")
    step("erin", "GET", "/_matrix/media/v3/config")
    step(None, "POST", "/_matrix/media/v3/upload", {})


def keys(run):
    step = run.step
    step("dave", "POST", "/keys/signatures/upload", {"{user_dave}": {"DEVDAVE": {"user_id": "{user_dave}", "device_id": "DEVDAVE"}}})
    step("dave", "POST", "/keys/signatures/upload", {"{user_erin}": {"nokey": {"user_id": "{user_erin}", "keys": {}}}})
    step("dave", "POST", "/keys/signatures/upload", {})
    step("dave", "POST", "/keys/claim", {"one_time_keys": {"{user_erin}": {"NONE": "signed_curve25519"}}})
    step("dave", "GET", "/keys/changes?from={since_dave|q}&to={since_dave|q}")
    step("dave", "POST", "/keys/upload", {"device_keys": {"user_id": "{user_erin}", "device_id": "DEVDAVE", "algorithms": [],
                                                          "keys": {}, "signatures": {}}})


def settings(run):
    step = run.step
    step("erin", "PUT", "/profile/{user_erin|q}/displayname", {"displayname": "x" * 257})
    step("erin", "PUT", "/profile/{user_erin|q}/avatar_url", {"avatar_url": "x" * 1001})
    step("erin", "GET", "/user/{user_erin|q}/account_data/app.none")
    step("erin", "PUT", "/user/{user_erin|q}/account_data/app.list", [])
    step("erin", "PUT", "/user/{user_erin|q}/account_data/m.push_rules", {})
    step("erin", "PUT", "/user/{user_erin|q}/rooms/%21none%3Alocaltest/account_data/app.x", {"a": 1})
    step("erin", "POST", "/user/{user_erin|q}/filter", {"room": "nonsense"})
    step("erin", "POST", "/user/{user_erin|q}/filter", {"room": {"timeline": {"limit": "x"}}})
    step("erin", "GET", "/sync?filter=%7Bnonsense", name="sync: a filter that is no JSON")
    step("erin", "GET", "/sync?filter=7777", name="sync: a filter that does not exist")
    step("erin", "PUT", "/user/{user_erin|q}/rooms/{room_e|q}/tags/u.mine", {"order": "x"})
    step("erin", "DELETE", "/user/{user_erin|q}/rooms/{room_e|q}/tags/u.none")
    step("erin", "GET", "/user/{user_dave|q}/rooms/{room_e|q}/tags")
    run.sync("erin", "settings")
