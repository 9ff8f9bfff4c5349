"""Starts the server and runs the proofs in rust/ against it."""

import json
import subprocess

import servers

BINARY = str(servers.CACHE / "rust-target" / "debug" / "sdk-proof")


def run(*arguments, **more):
    return subprocess.run([BINARY, *arguments], timeout=180, check=True, **more)


with servers.embedded() as base:
    users = [json.dumps(servers.make_user(base, name)) for name in ("rs_alice", "rs_bob")]
    run("day", base, *users)
    users = [json.dumps(servers.make_user(base, name)) for name in ("rs_carol", "rs_dave")]
    kept = run("lose", base, *users, stdout=subprocess.PIPE, text=True).stdout
    anew = json.dumps(servers.login(base, "rs_carol"))
    run("restore", base, anew, kept)
