"""kill -9 under load: no acknowledged event is lost, sync tokens stay valid, nothing is told twice."""

import json
import os
import pathlib
import signal
import sys
import tempfile
import threading
import time

import servers
from servers import quote, request

V3 = "/_matrix/client/v3"
WRITERS, ROUNDS, SECONDS = 6, 3, 2.5


def write(base, room, token, name, acknowledged, stop):
    number = 0
    while not stop.is_set():
        number += 1
        body = {"msgtype": "m.text", "body": f"{name}-{number}"}
        path = f"{V3}/rooms/{quote(room)}/send/m.room.message/{name}-{number}"
        try:
            status, answer = request(base, "PUT", path, token, body, timeout=5)
        except OSError:
            return
        if status == 200:
            acknowledged[answer["event_id"]] = f"{name}-{number}"


def read_all(base, room, token):
    """Every event of the room, oldest first, by paging forward."""
    events, start = [], ""
    while True:
        status, page = request(base, "GET", f"{V3}/rooms/{quote(room)}/messages?dir=f&limit=500{start}", token)
        assert status == 200, page
        events += page["chunk"]
        if "end" not in page:
            return events
        start = "&from=" + page["end"]


def sync(base, token, since):
    filter = quote(json.dumps({"room": {"timeline": {"limit": 200}}}))
    status, answer = request(base, "GET", f"{V3}/sync?timeout=0&filter={filter}&since={since}", token)
    assert status == 200, answer
    return answer


def main():
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        port = servers.free_port()
        base, process = servers.start_embedded(directory, port)
        try:
            users = [servers.make_user(base, f"writer{n}") for n in range(WRITERS)]
            _, created = request(base, "POST", V3 + "/createRoom", users[0]["access_token"], {"preset": "public_chat"})
            room = created["room_id"]
            for user in users[1:]:
                request(base, "POST", f"{V3}/join/{quote(room)}", user["access_token"], {})
            reader = users[0]["access_token"]
            _, first = request(base, "GET", V3 + "/sync", reader)
            since, acknowledged = first["next_batch"], {}
            for turn in range(ROUNDS):
                stop = threading.Event()
                threads = [threading.Thread(target=write, args=(base, room, user["access_token"], f"r{turn}w{n}", acknowledged, stop))
                           for n, user in enumerate(users)]
                for thread in threads:
                    thread.start()
                time.sleep(SECONDS / 2)
                middle = sync(base, reader, since)["next_batch"]
                time.sleep(SECONDS / 2)
                os.kill(process.pid, signal.SIGKILL)
                process.wait()
                stop.set()
                for thread in threads:
                    thread.join()
                base, process = servers.start_embedded(directory, port)
                events = read_all(base, room, reader)
                ids = [event["event_id"] for event in events]
                assert len(ids) == len(set(ids)), "an event is there twice"
                missing = set(acknowledged) - set(ids)
                assert not missing, f"{len(missing)} acknowledged events lost"
                bodies = [event["content"].get("body") for event in events if event["type"] == "m.room.message"]
                assert len(bodies) == len(set(bodies)), "a transaction was applied twice"
                # The token from before the crash still means the same place.
                told = sync(base, reader, middle)["rooms"]["join"][room]["timeline"]
                expected = ids[-len(told["events"]):]
                assert [event["event_id"] for event in told["events"]] == expected
                since = sync(base, reader, middle)["next_batch"]
                print(f"crash: round {turn + 1}: {len(acknowledged)} acknowledged, none lost", flush=True)
        finally:
            servers.stop(process)


if __name__ == "__main__":
    sys.exit(main())
