"""Starts the server and runs the proof in rust/ against it."""

import json
import subprocess
import sys

import servers

with servers.embedded() as base:
    users = [json.dumps(servers.make_user(base, name)) for name in ("rs_alice", "rs_bob")]
    binary = str(servers.CACHE / "rust-target" / "debug" / "sdk-proof")
    sys.exit(subprocess.run([binary, base, *users], timeout=180).returncode)
