"""Load: members join one room, everybody syncs, everybody talks. Prints figures; fails on errors only.

Usage: load.py [members] [messages]
"""

import asyncio
import json
import os
import pathlib
import sys
import tempfile
import time

import servers
from servers import AS_TOKEN, quote, request

V3 = "/_matrix/client/v3"


class Connection:
    """One keep-alive HTTP/1.1 connection."""

    def __init__(self, port):
        self.port, self.reader, self.writer = port, None, None

    async def call(self, method, path, token, body=None):
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 26)
        data = json.dumps(body).encode() if body is not None else b""
        head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nContent-Length: {len(data)}\r\n\r\n"
        self.writer.write(head.encode() + data)
        head = await self.reader.readuntil(b"\r\n\r\n")
        status = int(head.split(b" ", 2)[1])
        length = next(int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
        return status, await self.reader.readexactly(length)


def rss(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) // 1024


async def gather(limit, jobs):
    queue, results = list(jobs), []

    async def work():
        while queue:
            results.append(await queue.pop()())
    await asyncio.gather(*(work() for _ in range(limit)))
    return results


async def main(base, process, members, messages):
    port = int(base.rsplit(":", 1)[1])
    print(f"load: idle memory {rss(process.pid)} MB")
    bot = Connection(port)
    _, answer = await bot.call("POST", V3 + "/createRoom", AS_TOKEN, {"preset": "public_chat", "room_alias_name": "match_1"})
    room = json.loads(answer)["room_id"]
    connections = [Connection(port) for _ in range(32)]
    tokens = []

    async def arrive(number):
        connection = connections[number % 32]
        name = f"fan{number}"
        body = {"type": "m.login.application_service", "username": name, "inhibit_login": True}
        status, answer = await connection.call("POST", V3 + "/register", AS_TOKEN, body)
        assert status == 200, answer
        body = {"type": "m.login.application_service", "identifier": {"type": "m.id.user", "user": name}}
        status, answer = await connection.call("POST", V3 + "/login", AS_TOKEN, body)
        token = json.loads(answer)["access_token"]
        status, answer = await connection.call("POST", f"{V3}/join/{quote(room)}", token, {})
        assert status == 200, answer
        tokens.append(token)

    async def batch(start):
        for number in range(start, members, 32):
            await arrive(number)
    started = time.monotonic()
    await asyncio.gather(*(batch(start) for start in range(32)))
    print(f"load: {members} users registered, logged in and joined in {time.monotonic() - started:.1f} s")

    listeners, told, stop = [Connection(port) for _ in tokens], [0], asyncio.Event()
    filter = quote(json.dumps({"room": {"state": {"lazy_load_members": True}, "timeline": {"limit": 20}}}))
    ready = []

    async def listen(connection, token):
        status, answer = await connection.call("GET", f"{V3}/sync?filter={filter}", token)
        assert status == 200, answer
        since = json.loads(answer)["next_batch"]
        ready.append(1)
        while not stop.is_set():
            path = f"{V3}/sync?timeout=3000&filter={filter}&since={since}"
            status, answer = await connection.call("GET", path, token)
            assert status == 200, answer
            told[0] += answer.count(b'"m.room.message"')
            since = answer.split(b'"next_batch":"', 1)[1].split(b'"', 1)[0].decode()
    started = time.monotonic()
    syncing = [asyncio.create_task(listen(c, t)) for c, t in zip(listeners, tokens)]
    while len(ready) < len(tokens):
        await asyncio.sleep(0.05)
    print(f"load: {members} initial syncs in {time.monotonic() - started:.1f} s, memory {rss(process.pid)} MB")
    latencies = []

    async def talk(start):
        connection = connections[start]
        for number in range(start, messages, 32):
            path = f"{V3}/rooms/{quote(room)}/send/m.room.message/m{number}"
            body = {"msgtype": "m.text", "body": f"message {number}"}
            before = time.monotonic()
            status, answer = await connection.call("PUT", path, tokens[number % len(tokens)], body)
            assert status == 200, answer
            latencies.append(time.monotonic() - before)
    started = time.monotonic()
    await asyncio.gather(*(talk(start) for start in range(32)))
    took = time.monotonic() - started
    latencies.sort()
    print(f"load: {messages} messages to {members} listeners in {took:.1f} s ({messages / took:.0f}/s), "
          f"p50 {latencies[len(latencies) // 2] * 1000:.0f} ms, p99 {latencies[len(latencies) * 99 // 100] * 1000:.0f} ms, "
          f"memory {rss(process.pid)} MB, {told[0]} deliveries")
    stop.set()
    await asyncio.gather(*syncing)
    started = time.monotonic()
    await asyncio.gather(*(talk_alone(connections[n], room, tokens, n, messages) for n in range(32)))
    took = time.monotonic() - started
    print(f"load: {messages} messages without listeners in {took:.1f} s ({messages / took:.0f}/s), memory {rss(process.pid)} MB")


async def talk_alone(connection, room, tokens, start, messages):
    for number in range(start, messages, 32):
        path = f"{V3}/rooms/{quote(room)}/send/m.room.message/n{number}"
        status, answer = await connection.call("PUT", path, tokens[number % len(tokens)], {"msgtype": "m.text", "body": "x"})
        assert status == 200, answer


if __name__ == "__main__":
    count = [int(argument) for argument in sys.argv[1:3]] + [1000, 3000][len(sys.argv) - 1:]
    with tempfile.TemporaryDirectory() as directory:
        base, process = servers.start_embedded(pathlib.Path(directory))
        try:
            asyncio.run(main(base, process, *count))
        finally:
            servers.stop(process)
