"""Starts the server and runs js_proof.mjs and js_recovery.mjs against it."""

import json
import os
import subprocess

import servers

folder = os.path.dirname(os.path.abspath(__file__))
environment = {**os.environ, "JS_MODULES": str(servers.CACHE / "js")}


def run(script, *arguments, **more):
    return subprocess.run(["node", os.path.join(folder, script), *arguments], env=environment, timeout=180, check=True, **more)


with servers.embedded() as base:
    users = [json.dumps(servers.make_user(base, name)) for name in ("js_alice", "js_bob")]
    run("js_proof.mjs", base, *users)
    users = [json.dumps(servers.make_user(base, name)) for name in ("js_carol", "js_dave")]
    kept = run("js_recovery.mjs", "lose", base, *users, stdout=subprocess.PIPE, text=True).stdout
    # The SDK talks on the same channel.
    kept = kept.splitlines()[-1]
    anew = json.dumps(servers.login(base, "js_carol"))
    run("js_recovery.mjs", "restore", base, anew, kept)
