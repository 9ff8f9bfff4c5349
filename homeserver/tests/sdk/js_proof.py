"""Starts the server and runs js_proof.mjs against it."""

import json
import os
import subprocess
import sys

import servers

with servers.embedded() as base:
    users = [json.dumps(servers.make_user(base, name)) for name in ("js_alice", "js_bob")]
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "js_proof.mjs")
    modules = str(servers.CACHE / "js")
    environment = {**os.environ, "JS_MODULES": modules}
    sys.exit(subprocess.run(["node", script, base, *users], env=environment, timeout=180).returncode)
