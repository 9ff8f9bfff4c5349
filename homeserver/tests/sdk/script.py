"""The steps of the differential run: six users, the application service, more than 500 calls."""

import time

import script_backups
import script_edges


def text(body, **more):
    return {"msgtype": "m.text", "body": body, **more}


def play(run):
    accounts(run)
    public_room(run)
    history_and_state(run)
    membership(run)
    leavers(run)
    relations(run)
    ephemeral(run)
    account_data(run)
    directory(run)
    encryption(run)
    syncs(run)
    errors(run)
    script_edges.play(run)
    gaps(run)
    script_backups.play(run)
    the_end(run)


def say(run, who, room, body, event, txn=None):
    txn = txn or f"t_{event}"
    run.step(who, "PUT", f"/rooms/{{{room}|q}}/send/m.room.message/{txn}", text(body), save={event: "event_id"})


def accounts(run):
    step = run.step
    for name in ("touchline", "alice", "bob", "carol"):
        body = {"type": "m.login.application_service", "username": name, "inhibit_login": True}
        step("as", "POST", "/register", body)
    step("as", "POST", "/register", {"type": "m.login.application_service", "username": "alice", "inhibit_login": True})
    step(None, "POST", "/register", {"type": "m.login.application_service", "username": "eve", "inhibit_login": True})
    step("wrong", "POST", "/register", {"type": "m.login.application_service", "username": "eve", "inhibit_login": True})
    for name in ("alice", "bob", "carol"):
        body = {"type": "m.login.application_service", "identifier": {"type": "m.id.user", "user": name},
                "device_id": "DEV" + name.upper()}
        step("as", "POST", "/login", body, save={"token_" + name: "access_token", "user_" + name: "user_id"},
             only=["user_id", "device_id"])
        for side in run.sides:
            side.tokens[name] = side.vars["token_" + name]
    step("wrong", "POST", "/login", {"type": "m.login.application_service", "identifier": {"type": "m.id.user", "user": "bob"}})
    step("alice", "GET", "/account/whoami")
    step(None, "GET", "/account/whoami")
    step("wrong", "GET", "/account/whoami")
    step("as", "GET", "/account/whoami?user_id={user_bob|q}")
    step("as", "GET", "/account/whoami?user_id=%40nobody%3Alocaltest")
    step("alice", "GET", "/devices")
    step("alice", "GET", "/devices/DEVALICE")
    step("alice", "GET", "/devices/NONE")
    step("alice", "PUT", "/devices/DEVALICE", {"display_name": "Phone"})
    step("alice", "PUT", "/devices/NONE", {"display_name": "Phone"})
    step("alice", "GET", "/devices/DEVALICE")
    step("alice", "GET", "/profile/{user_bob|q}")
    step("alice", "GET", "/profile/%40nobody%3Alocaltest")
    step("alice", "PUT", "/profile/{user_alice|q}/displayname", {"displayname": "Alice"})
    step("alice", "PUT", "/profile/{user_bob|q}/displayname", {"displayname": "Alice"})
    step("as", "PUT", "/profile/{user_bob|q}/displayname?user_id={user_bob|q}", {"displayname": "Bob"})
    step("alice", "PUT", "/profile/{user_alice|q}/avatar_url", {"avatar_url": "mxc://localtest/a"})
    step("bob", "GET", "/profile/{user_alice|q}")
    step("bob", "GET", "/profile/{user_alice|q}/displayname")
    step("bob", "GET", "/profile/{user_alice|q}/avatar_url")
    run.sync("alice", "first, empty")
    run.sync("bob", "first, empty")
    run.sync("carol", "first, empty")


def public_room(run):
    step = run.step
    step("alice", "POST", "/createRoom", {"preset": "public_chat", "name": "Final", "topic": "Cup", "room_version": "11",
         "room_alias_name": "final", "visibility": "public"}, save={"room1": "room_id"})
    step("alice", "POST", "/createRoom", {"room_alias_name": "final"})
    step("alice", "POST", "/createRoom", {"room_version": "no-such"})
    step("alice", "POST", "/createRoom", {"room_alias_name": "match_1"})
    step("as", "POST", "/createRoom", {"room_alias_name": "match_1", "preset": "public_chat"}, save={"room2": "room_id"})
    run.sync("alice", "a new room")
    step("bob", "GET", "/rooms/{room1|q}/messages?dir=b")
    step("bob", "GET", "/rooms/{room1|q}/state")
    step("bob", "GET", "/rooms/{room1|q}/members")
    step("bob", "GET", "/rooms/{room1|q}/joined_members")
    step("bob", "PUT", "/rooms/{room1|q}/send/m.room.message/early", text("hi"))
    step("bob", "POST", "/join/%23final%3Alocaltest", {})
    step("bob", "POST", "/join/{room1|q}", {})
    step("bob", "POST", "/rooms/{room1|q}/join", {})
    step("as", "POST", "/join/{room2|q}?user_id={user_bob|q}", {})
    step("bob", "POST", "/join/%23none%3Alocaltest", {})
    step("bob", "POST", "/join/%21none%3Alocaltest", {})
    run.sync("alice", "bob joined")
    run.sync("bob", "joined two rooms")
    for number in range(1, 6):
        say(run, "alice" if number % 2 else "bob", "room1", f"message {number}", f"e_msg{number}")
    say(run, "alice", "room1", "message 1", "e_again", "t_e_msg1")
    run.sync("alice", "five messages")
    run.sync("bob", "five messages")
    step("alice", "GET", "/joined_rooms")
    step("alice", "GET", "/rooms/{room1|q}/joined_members")


def history_and_state(run):
    step = run.step
    step("alice", "GET", "/rooms/{room1|q}/messages?dir=b&limit=3", save={"page": "end"})
    step("alice", "GET", "/rooms/{room1|q}/messages?dir=b&limit=3&from={page}")
    step("alice", "GET", "/rooms/{room1|q}/messages?dir=f&limit=4", save={"page": "end"})
    step("alice", "GET", "/rooms/{room1|q}/messages?dir=f&limit=100&from={page}")
    step("alice", "GET", "/rooms/{room1|q}/messages?dir=b&limit=100")
    step("alice", "GET", "/rooms/{room1|q}/messages?dir=b&from=nonsense")
    step("alice", "GET", "/rooms/{room1|q}/messages?dir=b&limit=5&filter=%7B%22types%22%3A%5B%22m.room.name%22%5D%7D")
    step("alice", "GET", "/rooms/{room1|q}/messages?dir=b&limit=2&filter=%7B%22lazy_load_members%22%3Atrue%7D", sort=["state"])
    step("bob", "GET", "/rooms/{room1|q}/event/{e_msg3|q}")
    step("carol", "GET", "/rooms/{room1|q}/event/{e_msg3|q}")
    step("bob", "GET", "/rooms/{room1|q}/event/%24none")
    step("bob", "GET", "/rooms/{room1|q}/context/{e_msg3|q}?limit=4", sort=["state"])
    step("bob", "GET", "/rooms/{room1|q}/context/{e_msg3|q}?limit=0", sort=["state"])
    step("carol", "GET", "/rooms/{room1|q}/context/{e_msg3|q}")
    step("bob", "GET", "/rooms/{room1|q}/state", sort=[""])
    step("bob", "GET", "/rooms/{room1|q}/state/m.room.name")
    step("bob", "GET", "/rooms/{room1|q}/state/m.room.name/")
    step("bob", "GET", "/rooms/{room1|q}/state/m.room.member/{user_alice|q}")
    step("bob", "GET", "/rooms/{room1|q}/state/m.none")
    step("carol", "GET", "/rooms/{room1|q}/state/m.room.name")
    step("alice", "PUT", "/rooms/{room1|q}/state/m.room.name", {"name": "Semi-final"}, save={"e_name": "event_id"})
    step("alice", "PUT", "/rooms/{room1|q}/state/m.room.name", {"name": "Semi-final"})
    step("bob", "PUT", "/rooms/{room1|q}/state/m.room.name", {"name": "Bob's"})
    step("bob", "PUT", "/rooms/{room1|q}/state/m.custom/key", {"a": 1})
    step("alice", "PUT", "/rooms/{room1|q}/state/m.custom/key", {"a": 1.5})
    step("alice", "PUT", "/rooms/{room1|q}/state/m.custom/key", {"a": 1})
    step("alice", "GET", "/rooms/{room1|q}/state/m.custom/key")
    step("alice", "PUT", "/rooms/{room1|q}/state/m.room.member/{user_carol|q}", {"membership": "invite"})
    step("alice", "PUT", "/rooms/{room1|q}/state/m.room.member/{user_carol|q}", {"nothing": 1})
    step("bob", "GET", "/rooms/{room1|q}/members", sort=["chunk"])
    step("bob", "GET", "/rooms/{room1|q}/members?membership=invite", sort=["chunk"])
    step("bob", "GET", "/rooms/{room1|q}/members?not_membership=join", sort=["chunk"])
    run.sync("carol", "invited by a state event")
    step("carol", "POST", "/rooms/{room1|q}/leave", {})
    run.sync("carol", "turned it down")
    run.sync("alice", "state changes")
    run.sync("bob", "state changes")


def membership(run):
    step = run.step
    step("alice", "POST", "/createRoom", {"preset": "private_chat", "invite": ["{user_bob}"]}, save={"room3": "room_id"})
    run.sync("bob", "invited")
    step("carol", "POST", "/join/{room3|q}", {})
    step("carol", "POST", "/rooms/{room3|q}/leave", {})
    step("bob", "GET", "/rooms/{room3|q}/messages?dir=b")
    step("bob", "PUT", "/rooms/{room3|q}/send/m.room.message/x", text("not yet"))
    step("bob", "POST", "/rooms/{room3|q}/join", {"reason": "why not"})
    step("bob", "POST", "/rooms/{room3|q}/invite", {"user_id": "{user_carol}"})
    step("bob", "POST", "/rooms/{room3|q}/invite", {"user_id": "{user_alice}"})
    run.sync("carol", "invited by bob")
    step("carol", "POST", "/join/{room3|q}", {})
    step("bob", "POST", "/rooms/{room3|q}/kick", {"user_id": "{user_alice}"})
    step("bob", "POST", "/rooms/{room3|q}/ban", {"user_id": "{user_carol}"})
    step("alice", "POST", "/rooms/{room3|q}/kick", {"user_id": "{user_carol}", "reason": "noise"})
    step("alice", "POST", "/rooms/{room3|q}/kick", {"user_id": "{user_carol}"})
    step("alice", "POST", "/rooms/{room3|q}/ban", {"user_id": "{user_carol}", "reason": "more noise"})
    step("alice", "POST", "/rooms/{room3|q}/ban", {"user_id": "{user_carol}"})
    step("carol", "POST", "/join/{room3|q}", {})
    step("alice", "POST", "/rooms/{room3|q}/invite", {"user_id": "{user_carol}"})
    step("carol", "POST", "/rooms/{room3|q}/leave", {})
    run.sync("carol", "kicked and banned")
    step("bob", "POST", "/rooms/{room3|q}/unban", {"user_id": "{user_carol}"})
    step("alice", "POST", "/rooms/{room3|q}/unban", {"user_id": "{user_carol}"})
    step("alice", "POST", "/rooms/{room3|q}/unban", {"user_id": "{user_carol}"})
    step("alice", "POST", "/rooms/{room3|q}/invite", {"user_id": "not a user"})
    run.sync("alice", "comings and goings")
    run.sync("bob", "comings and goings")


def leavers(run):
    step = run.step
    step("carol", "POST", "/join/{room1|q}", {})
    run.sync("carol", "joined late")
    step("carol", "GET", "/rooms/{room1|q}/messages?dir=b&limit=50")
    say(run, "alice", "room1", "carol is here", "e_here")
    step("carol", "POST", "/rooms/{room1|q}/leave", {"reason": "bye"})
    step("carol", "POST", "/rooms/{room1|q}/leave", {})
    say(run, "alice", "room1", "carol is gone", "e_gone")
    step("alice", "PUT", "/rooms/{room1|q}/state/m.room.topic", {"topic": "without carol"})
    run.sync("carol", "left")
    step("carol", "GET", "/rooms/{room1|q}/messages?dir=b&limit=50")
    step("carol", "GET", "/rooms/{room1|q}/messages?dir=f&limit=50")
    step("carol", "GET", "/rooms/{room1|q}/event/{e_here|q}")
    step("carol", "GET", "/rooms/{room1|q}/event/{e_gone|q}")
    step("carol", "GET", "/rooms/{room1|q}/context/{e_here|q}?limit=20", sort=["state"])
    step("carol", "GET", "/rooms/{room1|q}/state/m.room.topic")
    step("carol", "GET", "/rooms/{room1|q}/members", sort=["chunk"])
    step("carol", "GET", "/rooms/{room1|q}/joined_members")
    step("alice", "POST", "/rooms/{room1|q}/forget", {})
    step("carol", "POST", "/rooms/{room1|q}/forget", {})
    step("carol", "GET", "/rooms/{room1|q}/messages?dir=b&limit=50")
    for visibility in ("joined", "invited", "world_readable"):
        state = {"type": "m.room.history_visibility", "state_key": "", "content": {"history_visibility": visibility}}
        room = "room_" + visibility
        step("alice", "POST", "/createRoom", {"preset": "public_chat", "initial_state": [state]}, save={room: "room_id"})
        say(run, "alice", room, "before " + visibility, "e_before_" + visibility)
        step("carol", "GET", f"/rooms/{{{room}|q}}/messages?dir=b&limit=50")
        step("carol", "GET", f"/rooms/{{{room}|q}}/state/m.room.create")
        step("carol", "POST", f"/join/{{{room}|q}}", {})
        say(run, "alice", room, "after " + visibility, "e_after_" + visibility)
        step("carol", "GET", f"/rooms/{{{room}|q}}/messages?dir=b&limit=50")
        step("carol", "GET", f"/rooms/{{{room}|q}}/event/{{e_before_{visibility}|q}}")
        step("carol", "GET", f"/rooms/{{{room}|q}}/event/{{e_after_{visibility}|q}}")
        run.sync("carol", "joined a room with history " + visibility)


def relations(run):
    step = run.step
    v1 = "/_matrix/client/v1"
    say(run, "alice", "room1", "root", "e_root")
    step("bob", "PUT", "/rooms/{room1|q}/send/m.reaction/r1", {"m.relates_to": {"rel_type": "m.annotation",
         "event_id": "{e_root}", "key": "+1"}}, save={"e_react": "event_id"})
    step("alice", "PUT", "/rooms/{room1|q}/send/m.room.message/r2", text("* edited", **{"m.new_content": text("edited"),
         "m.relates_to": {"rel_type": "m.replace", "event_id": "{e_root}"}}), save={"e_edit": "event_id"})
    step("bob", "PUT", "/rooms/{room1|q}/send/m.room.message/r3", text("in thread", **{
         "m.relates_to": {"rel_type": "m.thread", "event_id": "{e_root}"}}), save={"e_thread": "event_id"})
    step("bob", "PUT", "/rooms/{room1|q}/send/m.room.message/r4", text("reference", **{
         "m.relates_to": {"rel_type": "m.reference", "event_id": "{e_root}"}}), save={"e_ref": "event_id"})
    step("alice", "GET", "/rooms/{room1|q}/event/{e_root|q}")
    step("alice", "GET", v1 + "/rooms/{room1|q}/relations/{e_root|q}")
    step("alice", "GET", v1 + "/rooms/{room1|q}/relations/{e_root|q}?dir=f&limit=2")
    step("alice", "GET", v1 + "/rooms/{room1|q}/relations/{e_root|q}/m.annotation")
    step("alice", "GET", v1 + "/rooms/{room1|q}/relations/{e_root|q}/m.thread/m.room.message")
    step("alice", "GET", v1 + "/rooms/{room1|q}/relations/{e_root|q}/m.thread/m.reaction")
    step("carol", "GET", v1 + "/rooms/{room1|q}/relations/{e_root|q}")
    step("alice", "GET", v1 + "/rooms/{room1|q}/relations/%24none")
    step("alice", "GET", v1 + "/rooms/{room1|q}/threads")
    step("bob", "GET", v1 + "/rooms/{room1|q}/threads?include=participated")
    run.sync("alice", "relations")
    run.sync("bob", "relations")
    step("bob", "PUT", "/rooms/{room1|q}/redact/{e_root|q}/d1", {})
    step("bob", "PUT", "/rooms/{room1|q}/redact/{e_react|q}/d2", {"reason": "oops"}, save={"e_redact": "event_id"})
    step("bob", "PUT", "/rooms/{room1|q}/redact/{e_react|q}/d2", {"reason": "oops"})
    step("alice", "PUT", "/rooms/{room1|q}/redact/{e_thread|q}/d3", {}, save={"e_redact2": "event_id"})
    step("alice", "PUT", "/rooms/{room1|q}/redact/%24none/d4", {})
    step("alice", "GET", "/rooms/{room1|q}/event/{e_react|q}")
    step("alice", "GET", "/rooms/{room1|q}/event/{e_redact|q}")
    step("alice", "GET", v1 + "/rooms/{room1|q}/relations/{e_root|q}/m.annotation")
    run.sync("alice", "redactions")
    run.sync("bob", "redactions")


def ephemeral(run):
    step = run.step
    step("bob", "PUT", "/rooms/{room1|q}/typing/{user_bob|q}", {"typing": True, "timeout": 30000})
    step("bob", "PUT", "/rooms/{room1|q}/typing/{user_alice|q}", {"typing": True, "timeout": 30000})
    step("carol", "PUT", "/rooms/{room1|q}/typing/{user_carol|q}", {"typing": True, "timeout": 30000})
    run.sync("alice", "bob types")
    step("bob", "PUT", "/rooms/{room1|q}/typing/{user_bob|q}", {"typing": False})
    run.sync("alice", "bob stopped")
    say(run, "bob", "room1", "unread 1", "e_unread1")
    say(run, "bob", "room1", "unread 2", "e_unread2")
    step("bob", "PUT", "/rooms/{room1|q}/send/m.room.message/men", text("alice!", **{"m.mentions": {"user_ids": ["{user_alice}"]}}),
         save={"e_mention": "event_id"})
    step("bob", "PUT", "/rooms/{room1|q}/send/m.room.message/not", {"msgtype": "m.notice", "body": "quiet"})
    run.sync("alice", "unread counts")
    step("alice", "POST", "/rooms/{room1|q}/receipt/m.read/{e_unread1|q}", {})
    run.sync("alice", "read the first")
    step("alice", "POST", "/rooms/{room1|q}/receipt/m.read.private/{e_unread2|q}", {})
    run.sync("alice", "read the second in private")
    run.sync("bob", "sees only the public receipt")
    step("alice", "POST", "/rooms/{room1|q}/read_markers", {"m.fully_read": "{e_mention}", "m.read": "{e_mention}"})
    step("alice", "POST", "/rooms/{room1|q}/receipt/m.read/{e_unread1|q}", {})
    run.sync("alice", "read all")
    step("carol", "POST", "/rooms/{room1|q}/receipt/m.read/{e_unread1|q}", {})
    step("alice", "POST", "/rooms/{room1|q}/receipt/m.nonsense/{e_unread1|q}", {})
    say(run, "alice", "room1", "my own", "e_own")
    run.sync("alice", "own messages are not unread")
    run.sync("bob", "after alice spoke")


def account_data(run):
    step = run.step
    data = "/user/{user_alice|q}/account_data/app.theme"
    step("alice", "GET", data)
    step("alice", "PUT", data, {"dark": True})
    step("alice", "GET", data)
    step("bob", "GET", data)
    step("bob", "PUT", data, {"dark": False})
    room = "/user/{user_alice|q}/rooms/{room1|q}/account_data/app.colour"
    step("alice", "PUT", room, {"colour": "red"})
    step("alice", "GET", room)
    step("alice", "PUT", "/user/{user_alice|q}/rooms/{room1|q}/account_data/m.fully_read", {"event_id": "x"})
    step("alice", "PUT", "/user/{user_alice|q}/rooms/{room1|q}/tags/m.favourite", {"order": 0.5})
    step("alice", "GET", "/user/{user_alice|q}/rooms/{room1|q}/tags")
    run.sync("alice", "account data")
    step("alice", "DELETE", "/user/{user_alice|q}/rooms/{room1|q}/tags/m.favourite")
    step("alice", "POST", "/user/{user_alice|q}/filter", {"room": {"timeline": {"limit": 1}}}, save={"filter": "filter_id"})
    step("alice", "GET", "/user/{user_alice|q}/filter/{filter}")
    step("alice", "GET", "/user/{user_alice|q}/filter/77")
    step("bob", "POST", "/user/{user_alice|q}/filter", {})
    step("alice", "PUT", "/pushrules/global/room/{room2|q}", {"actions": ["notify"]})
    step("alice", "GET", "/pushrules/global/room/{room2|q}")
    step("alice", "PUT", "/pushrules/global/room/{room2|q}/enabled", {"enabled": False})
    step("alice", "GET", "/pushrules/global/room/{room2|q}/enabled")
    step("alice", "PUT", "/pushrules/global/room/{room2|q}/actions", {"actions": []})
    step("alice", "GET", "/pushrules/global/room/{room2|q}/actions")
    step("alice", "DELETE", "/pushrules/global/room/{room2|q}")
    step("alice", "GET", "/pushrules/global/room/{room2|q}")
    step("alice", "PUT", "/pushrules/global/override/.m.rule.master/enabled", {"enabled": False})


def directory(run):
    step = run.step
    step("bob", "GET", "/directory/room/%23final%3Alocaltest")
    step("bob", "GET", "/directory/room/%23none%3Alocaltest")
    step("bob", "PUT", "/directory/room/%23bobs%3Alocaltest", {"room_id": "{room1}"})
    step("bob", "PUT", "/directory/room/%23bobs%3Alocaltest", {"room_id": "{room1}"})
    step("carol", "PUT", "/directory/room/%23carols%3Alocaltest", {"room_id": "{room1}"})
    step("bob", "PUT", "/directory/room/%23match_9%3Alocaltest", {"room_id": "{room1}"})
    step("bob", "GET", "/rooms/{room1|q}/aliases")
    step("carol", "GET", "/rooms/{room3|q}/aliases")
    step("carol", "DELETE", "/directory/room/%23bobs%3Alocaltest")
    step("bob", "DELETE", "/directory/room/%23bobs%3Alocaltest")
    step("bob", "DELETE", "/directory/room/%23bobs%3Alocaltest")
    step("bob", "PUT", "/rooms/{room1|q}/state/m.room.canonical_alias", {"alias": "#none:localtest"})
    step("alice", "PUT", "/rooms/{room1|q}/state/m.room.canonical_alias", {"alias": "#none:localtest"})
    step("bob", "GET", "/publicRooms")
    step("bob", "POST", "/publicRooms", {"filter": {"generic_search_term": "semi"}})
    step("bob", "POST", "/publicRooms", {"filter": {"generic_search_term": "zzz"}})
    step("bob", "GET", "/directory/list/room/{room1|q}")
    step("bob", "PUT", "/directory/list/room/{room1|q}", {"visibility": "private"})
    step("alice", "PUT", "/directory/list/room/{room1|q}", {"visibility": "private"})
    step("bob", "GET", "/publicRooms")
    step("bob", "GET", "/nothing/here")
    step("bob", "POST", "/joined_rooms", {})


def encryption(run):
    step = run.step
    state = [{"type": "m.room.encryption", "state_key": "", "content": {"algorithm": "m.megolm.v1.aes-sha2"}}]
    step("alice", "POST", "/createRoom", {"preset": "private_chat", "initial_state": state, "invite": ["{user_bob}"]},
         save={"room4": "room_id"})
    run.sync("alice", "an encrypted room")
    step("bob", "POST", "/join/{room4|q}", {})
    run.sync("alice", "bob in the encrypted room")
    keys = {"user_id": "{user_bob}", "device_id": "DEVBOB", "algorithms": ["m.olm.v1.curve25519-aes-sha2"],
            "keys": {"ed25519:DEVBOB": "abc"}, "signatures": {}}
    step("bob", "POST", "/keys/upload", {"device_keys": keys, "one_time_keys": {
        "signed_curve25519:K1": {"key": "k1", "signatures": {}}}})
    step("bob", "POST", "/keys/upload", {"one_time_keys": {"signed_curve25519:K1": {"key": "k1", "signatures": {}}}})
    step("bob", "POST", "/keys/upload", {"one_time_keys": {"signed_curve25519:K1": {"key": "other", "signatures": {}}}})
    step("bob", "POST", "/keys/upload", {"fallback_keys": {"signed_curve25519:F1": {"key": "f1", "fallback": True, "signatures": {}}}})
    run.sync("alice", "bob has keys")
    run.sync("bob", "key counts")
    step("alice", "POST", "/keys/query", {"device_keys": {"{user_bob}": []}})
    step("alice", "POST", "/keys/query", {"device_keys": {"@nobody:localtest": []}})
    for _ in range(3):
        step("alice", "POST", "/keys/claim", {"one_time_keys": {"{user_bob}": {"DEVBOB": "signed_curve25519"}}})
    step("alice", "PUT", "/sendToDevice/m.test/s1", {"messages": {"{user_bob}": {"DEVBOB": {"n": 1}}}})
    step("alice", "PUT", "/sendToDevice/m.test/s1", {"messages": {"{user_bob}": {"DEVBOB": {"n": 1}}}})
    step("alice", "PUT", "/sendToDevice/m.test/s2", {"messages": {"{user_bob}": {"*": {"n": 2}}}})
    step("alice", "PUT", "/sendToDevice/m.test/s3", {"messages": {"{user_bob}": {"NONE": {"n": 3}}}})
    run.sync("bob", "to-device messages")
    run.sync("bob", "acknowledged")
    step("bob", "POST", "/rooms/{room4|q}/leave", {})
    run.sync("alice", "bob left the encrypted room")
    step("alice", "GET", "/room_keys/version")


def syncs(run):
    step = run.step
    for number in range(15):
        say(run, "alice", "room1", f"many {number}", f"e_many{number}")
    step("alice", "PUT", "/rooms/{room1|q}/state/m.room.name", {"name": "Gap"})
    for number in range(12):
        say(run, "alice", "room1", f"more {number}", f"e_more{number}")
    run.sync("bob", "a limited timeline")
    step("bob", "GET", "/sync?filter=%7B%22room%22%3A%7B%22timeline%22%3A%7B%22limit%22%3A2%7D%2C%22rooms%22%3A%5B%22{room1|q}%22%5D%7D%7D",
         name="sync: initial, two events", only=["rooms"])
    lazy = "%7B%22room%22%3A%7B%22state%22%3A%7B%22lazy_load_members%22%3Atrue%7D%2C%22timeline%22%3A%7B%22limit%22%3A1%7D%7D%7D"
    step("bob", "GET", "/sync?filter=" + lazy, name="sync: initial, lazy", only=["rooms"])
    step("bob", "GET", "/sync?filter=%7B%22room%22%3A%7B%22timeline%22%3A%7B%22types%22%3A%5B%22m.room.name%22%5D%7D%7D%7D",
         name="sync: initial, names only", only=["rooms"])
    step("bob", "GET", "/sync?full_state=true&since={since_bob}", name="sync: full state", only=["rooms"])
    step("bob", "GET", "/sync?since=nonsense", name="sync: bad token")
    step("alice", "PUT", "/profile/{user_alice|q}/displayname", {"displayname": "Alicia"})
    # Synapse tells the rooms in the background.
    time.sleep(2)
    run.sync("bob", "alice has a new name")
    step("carol", "GET", "/sync?filter=%7B%22room%22%3A%7B%22include_leave%22%3Atrue%7D%7D", name="sync: initial with left rooms", only=["rooms"])


def errors(run):
    step = run.step
    step("alice", "PUT", "/rooms/{room1|q}/send/m.room.message/big", text("x" * 66000))
    step("alice", "PUT", "/rooms/{room1|q}/send/m.room.message/arr", [1, 2])
    step("alice", "PUT", "/rooms/{room1|q}/send/m.room.message/float", {"n": 1.5})
    step("alice", "POST", "/createRoom", [1])
    step("alice", "POST", "/createRoom", {"preset": "private_chat", "invite": ["nonsense"]})
    step("alice", "PUT", "/rooms/%21none%3Alocaltest/send/m.room.message/x", text("x"))
    step("alice", "GET", "/rooms/%21none%3Alocaltest/state")
    step("alice", "GET", "/rooms/%21none%3Alocaltest/messages?dir=b")
    step("alice", "GET", "/rooms/%21none%3Alocaltest/members")
    step("alice", "POST", "/rooms/%21none%3Alocaltest/leave", {})
    step("alice", "POST", "/rooms/%21none%3Alocaltest/invite", {"user_id": "{user_bob}"})
    step("alice", "GET", "/rooms/nonsense/state")
    step("bob", "PUT", "/rooms/{room1|q}/state/m.room.power_levels", {"users": {"{user_bob}": 100}})
    step("alice", "PUT", "/rooms/{room1|q}/state/m.room.create", {"room_version": "11"})
    step("alice", "GET", "/rooms/{room1|q}/timestamp_to_event?ts=0&dir=f")
    step("alice", "GET", "/_matrix/client/v1/rooms/{room1|q}/timestamp_to_event?ts=0&dir=f")


def gaps(run):
    """Syncs over what happened in between: absences, histories, filters that leave things out."""
    step = run.step
    none = "&filter=%7B%22room%22%3A%7B%22timeline%22%3A%7B%22limit%22%3A0%7D%7D%7D"
    lazy = "&filter=%7B%22room%22%3A%7B%22state%22%3A%7B%22lazy_load_members%22%3Atrue%7D%2C%22timeline%22%3A%7B%22limit%22%3A2%7D%7D%7D"
    step("dave", "POST", "/createRoom", {"preset": "public_chat", "name": "Gaps"}, save={"room_g": "room_id"})
    step("erin", "POST", "/join/{room_g|q}", {})
    run.sync("erin", "gaps, joined")
    say(run, "dave", "room_g", "while nobody looks", "e_g1")
    step("dave", "PUT", "/rooms/{room_g|q}/state/m.room.topic", {"topic": "new"})
    run.sync("erin", "a timeline of nothing", none)
    say(run, "dave", "room_g", "again", "e_g2")
    run.sync("erin", "a timeline of nothing, again", none)
    step("erin", "GET", "/sync?timeout=0" + none, name="sync: initial, a timeline of nothing", only=["rooms"])
    for visibility in ("joined", "invited"):
        state = {"type": "m.room.history_visibility", "state_key": "", "content": {"history_visibility": visibility}}
        room = "room_g_" + visibility
        step("dave", "POST", "/createRoom", {"preset": "public_chat", "initial_state": [state], "name": visibility}, save={room: "room_id"})
        say(run, "dave", room, "before", "e_g_before_" + visibility)
        step("dave", "POST", f"/rooms/{{{room}|q}}/invite", {"user_id": "{user_erin}"})
        say(run, "dave", room, "between", "e_g_between_" + visibility)
        run.sync("erin", "invited to a room with history " + visibility)
        step("erin", "POST", f"/join/{{{room}|q}}", {})
        say(run, "dave", room, "after", "e_g_after_" + visibility)
        run.sync("erin", "came into a room with history " + visibility)
        step("erin", "GET", f"/rooms/{{{room}|q}}/messages?dir=b&limit=50")
        step("erin", "GET", f"/rooms/{{{room}|q}}/context/{{e_g_after_{visibility}|q}}?limit=10", sort=["state"])
    step("erin", "POST", "/rooms/{room_g|q}/leave", {})
    say(run, "dave", "room_g", "erin is away", "e_g3")
    step("dave", "PUT", "/rooms/{room_g|q}/state/m.room.name", {"name": "Gaps, renamed"})
    step("erin", "POST", "/join/{room_g|q}", {})
    say(run, "dave", "room_g", "erin is back", "e_g4")
    run.sync("erin", "left and came back in between")
    step("erin", "POST", "/rooms/{room_g|q}/leave", {})
    run.sync("erin", "left again")
    step("erin", "POST", "/join/{room_g|q}", {})
    step("erin", "POST", "/rooms/{room_g|q}/leave", {})
    run.sync("erin", "came and left in between")
    step("erin", "POST", "/join/{room_g|q}", {})
    run.sync("erin", "lazily, at first", lazy)
    step("fay", "POST", "/join/{room_g|q}", {})
    say(run, "fay", "room_g", "fay is here", "e_g5")
    for number in range(3):
        say(run, "dave", "room_g", f"gap {number}", f"e_g_gap{number}")
    run.sync("erin", "lazily, fay came in a gap", lazy)
    step("fay", "POST", "/rooms/{room_g|q}/leave", {})
    for number in range(3):
        say(run, "dave", "room_g", f"gap again {number}", f"e_g_again{number}")
    run.sync("erin", "lazily, fay left in a gap", lazy)
    step("dave", "POST", "/rooms/{room_g|q}/ban", {"user_id": "{user_erin}"})
    run.sync("erin", "banned")
    step("dave", "POST", "/rooms/{room_g|q}/unban", {"user_id": "{user_erin}"})
    run.sync("erin", "unbanned")


def the_end(run):
    step = run.step
    step("as", "POST", "/account/deactivate?user_id={user_carol|q}", {"erase": False})
    # Synapse leaves the rooms in the background.
    time.sleep(2)
    step("carol", "GET", "/account/whoami")
    step("as", "POST", "/login", {"type": "m.login.application_service", "identifier": {"type": "m.id.user", "user": "carol"}})
    step("as", "POST", "/register", {"type": "m.login.application_service", "username": "carol", "inhibit_login": True})
    run.sync("alice", "carol's account ended")
    step("bob", "POST", "/logout", {})
    step("bob", "GET", "/account/whoami")
