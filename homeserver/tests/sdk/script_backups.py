"""More steps of the differential run: key backups, from the first version to the last that is deleted."""

ALGORITHM = "m.megolm_backup.v1.curve25519-aes-sha2"
ROOM, OTHER = "%21backed:localtest", "%21other:localtest"


def play(run):
    versions(run)
    keys(run)
    better_and_worse(run)
    wrong_versions(run)
    mistakes(run)
    ends(run)


def definition(key="public", **more):
    return {"algorithm": ALGORITHM, "auth_data": {"public_key": key, "signatures": {}}, **more}


def key(verified, first, forwarded, text="text"):
    data = {"ephemeral": "ZXBo", "ciphertext": text, "mac": "bWFj"}
    return {"is_verified": verified, "first_message_index": first, "forwarded_count": forwarded, "session_data": data}


def place(version, *parts):
    return "/".join(("/room_keys/keys", *parts)) + f"?version={{{version}}}"


def versions(run):
    step = run.step
    step("dave", "GET", "/room_keys/version")
    step("dave", "GET", "/room_keys/version/1")
    step("dave", "DELETE", "/room_keys/version/1")
    step("dave", "PUT", "/room_keys/version/1", definition())
    step("dave", "PUT", "/room_keys/keys?version=1", {"rooms": {}})
    step("dave", "GET", "/room_keys/keys?version=1")
    step("dave", "POST", "/room_keys/version", definition(), save={"backup1": "version"})
    step("dave", "GET", "/room_keys/version")
    at = "/room_keys/version/{backup1}"
    step("dave", "GET", at)
    step("dave", "PUT", at, definition("other"))
    step("dave", "PUT", at, definition("third", version="{backup1}"))
    step("dave", "PUT", at, definition("fourth", version="77"))
    step("dave", "PUT", at, {"algorithm": "m.other", "auth_data": {}})
    step("dave", "GET", at)
    step(None, "GET", at)
    step("erin", "GET", "/room_keys/version")


def keys(run):
    step = run.step
    session = place("backup1", ROOM, "a%2Fb%2Bc")
    step("dave", "GET", place("backup1"))
    step("dave", "GET", place("backup1", ROOM))
    step("dave", "GET", session)
    step("dave", "PUT", session, key(False, 3, 0))
    step("dave", "GET", session)
    step("dave", "PUT", place("backup1", ROOM), {"sessions": {"two": key(True, 0, 0), "three": key(True, 1, 2)}})
    step("dave", "PUT", place("backup1"), {"rooms": {"!other:localtest": {"sessions": {"four": key(True, 0, 0)}},
                                                    "!backed:localtest": {"sessions": {"five": key(True, 0, 0)}}}})
    step("dave", "GET", "/room_keys/version")
    for where in (place("backup1"), place("backup1", ROOM), place("backup1", OTHER), place("backup1", ROOM, "five"),
                  place("backup1", OTHER, "five"), place("backup1", "%21none:localtest")):
        step("dave", "GET", where)
    step("dave", "PUT", place("backup1"), {"rooms": {}})
    step("dave", "PUT", place("backup1", ROOM), {"sessions": {}})
    step("dave", "GET", "/room_keys/version")


def better_and_worse(run):
    """Each of these to one session, from worse to better and in between back again."""
    step = run.step
    session = place("backup1", ROOM, "rank")
    ranks = (key(False, 9, 9), key(False, 9, 8), key(False, 9, 9), key(False, 8, 8), key(False, 8, 9), key(True, 8, 8),
             key(False, 8, 8), key(True, 8, 8, "as good"), key(True, 7, 0), key(True, 8, 0), key(True, 0, 0))
    for body in ranks:
        step("dave", "PUT", session, body)
        step("dave", "GET", session)


def wrong_versions(run):
    step = run.step
    session = place("backup1", ROOM, "late")
    step("dave", "POST", "/room_keys/version", definition("new"), save={"backup2": "version"})
    step("dave", "GET", "/room_keys/version")
    step("dave", "PUT", session, key(True, 0, 0))
    step("dave", "PUT", place("backup1"), {"rooms": {}})
    step("dave", "GET", session)
    step("dave", "GET", place("backup1", ROOM, "five"))
    step("dave", "PUT", "/room_keys/keys?version=999999", {"rooms": {}})
    step("dave", "PUT", "/room_keys/keys?version=nonsense", {"rooms": {}})
    step("dave", "GET", "/room_keys/keys?version=999999")
    step("dave", "GET", "/room_keys/keys?version=nonsense")
    step("dave", "DELETE", "/room_keys/keys?version=999999")
    step("dave", "GET", "/room_keys/keys")
    step("dave", "PUT", "/room_keys/keys", {"rooms": {}})
    step("dave", "PUT", "/room_keys/version/999999", definition())
    step("dave", "DELETE", "/room_keys/version/999999")
    step("dave", "DELETE", "/room_keys/version/nonsense")
    # Somebody else's, with and without one of her own.
    for who in ("erin", "fay"):
        step(who, "GET", "/room_keys/version/{backup1}", name="another's version")
        step(who, "GET", place("backup1"), name="another's keys")
        step(who, "PUT", place("backup2", ROOM, "late"), key(True, 0, 0), name="a key into another's backup")


def mistakes(run):
    step = run.step
    for number, body in enumerate(({}, {**key(True, 0, 0), "is_verified": "yes"}, {**key(True, 0, 0), "first_message_index": "0"},
                                   {**key(True, 0, 0), "session_data": "text"}, [])):
        session = place("backup2", ROOM, f"wrong{number}")
        step("dave", "PUT", session, body, only=["errcode"], name=f"a key that is none, {number}")
    step("dave", "GET", place("backup2", ROOM), name="after keys that were none")
    for number, body in enumerate(({}, {"algorithm": ALGORITHM}, {"auth_data": {}}, {"algorithm": 1, "auth_data": {}}, [])):
        step("dave", "PUT", "/room_keys/version/{backup2}", body, name=f"a version that is none, {number}")
    step("dave", "PUT", place("backup2"), {}, name="keys of no room")
    step("dave", "PUT", place("backup2", ROOM), {}, name="keys of no session")
    step("dave", "PUT", place("backup2"), {"rooms": {"nonsense": {"sessions": {}}}}, only=["errcode"], name="keys of a room that is none")
    step("dave", "POST", "/room_keys/keys?version={backup2}", {}, name="no such method")


def ends(run):
    step = run.step
    step("dave", "DELETE", place("backup1", ROOM, "five"))
    step("dave", "GET", place("backup1", ROOM, "five"))
    step("dave", "DELETE", place("backup1", ROOM))
    step("dave", "GET", place("backup1"))
    step("dave", "DELETE", place("backup1"))
    step("dave", "GET", "/room_keys/version/{backup1}")
    step("dave", "DELETE", place("backup1"), name="keys that are gone")
    step("dave", "DELETE", "/room_keys/version/{backup2}")
    step("dave", "GET", "/room_keys/version", only=["version", "count"], name="the version before is the newest again")
    step("dave", "GET", "/room_keys/version/{backup2}")
    step("dave", "GET", place("backup2"))
    step("dave", "PUT", place("backup2"), {"rooms": {}})
    step("dave", "DELETE", "/room_keys/version/{backup2}")
    step("dave", "POST", "/room_keys/version", definition("again"), save={"backup3": "version"})
    for side in run.sides:
        assert side.vars["backup3"] not in (side.vars["backup1"], side.vars["backup2"])
    step("dave", "GET", "/room_keys/version")
    criteria(run)
    for version in ("backup1", "backup3"):
        step("dave", "DELETE", f"/room_keys/version/{{{version}}}")
    step("dave", "GET", "/room_keys/version")


def criteria(run):
    """Where one of the three criteria says yes and another no, the first of them decides."""
    step = run.step
    for number, (before, after) in enumerate(((key(True, 5, 5), key(False, 0, 0)), (key(True, 5, 5), key(True, 9, 0)),
                                              (key(False, 0, 0), key(True, 9, 9)), (key(True, 5, 5), key(True, 0, 9)))):
        session = place("backup3", ROOM, f"mixed{number}")
        step("dave", "PUT", session, before, only=["count"])
        step("dave", "PUT", session, after, only=["count"])
        step("dave", "GET", session, name=f"of two keys, {number}")
