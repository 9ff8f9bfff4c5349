"""matrix-nio: an ordinary client's day, and one decrypted message in an encrypted room."""

import asyncio
import sys
import tempfile

import servers
from nio import (AsyncClient, AsyncClientConfig, EnableEncryptionBuilder, MessageDirection, RedactedEvent, RoomMemberEvent,
                 RoomMessageText, RoomPreset, TypingNoticeEvent)
from nio.responses import ErrorResponse


def good(answer):
    assert not isinstance(answer, ErrorResponse), answer
    return answer


async def start(base, name, store):
    credentials = servers.make_user(base, name)
    config = AsyncClientConfig(encryption_enabled=True, store_sync_tokens=True)
    client = AsyncClient(base, credentials["user_id"], credentials["device_id"], store, config)
    client.restore_login(credentials["user_id"], credentials["device_id"], credentials["access_token"])
    good(await client.sync(timeout=0, full_state=True))
    if client.should_upload_keys:
        good(await client.keys_upload())
    return client


async def until(client, found, rounds=20):
    for _ in range(rounds):
        if found():
            return
        good(await client.sync(timeout=1000))
    raise AssertionError("not seen")


def events(client, kind):
    seen = []
    client.add_event_callback(lambda room, event: seen.append(event), kind)
    return seen


async def talk(alice, bob):
    heard, redacted, members = events(bob, RoomMessageText), events(bob, RedactedEvent), events(bob, RoomMemberEvent)
    typing, receipts = [], []
    bob.add_ephemeral_callback(lambda room, event: typing.append(event), TypingNoticeEvent)
    alice.add_ephemeral_callback(lambda room, event: receipts.append(event), None)
    created = good(await alice.room_create(name="Stand", preset=RoomPreset.public_chat))
    room = created.room_id
    await until(alice, lambda: room in alice.rooms)
    good(await bob.join(room))
    sent = []
    for number in range(30):
        content = {"msgtype": "m.text", "body": f"message {number}"}
        sent.append(good(await alice.room_send(room, "m.room.message", content)).event_id)
    await until(bob, lambda: any(event.body == "message 29" for event in heard))
    page = good(await bob.room_messages(room, bob.next_batch, limit=100, direction=MessageDirection.back))
    bodies = [event.body for event in page.chunk if isinstance(event, RoomMessageText)]
    assert bodies == [f"message {n}" for n in range(29, -1, -1)], bodies
    good(await alice.room_typing(room, True, timeout=5000))
    await until(bob, lambda: any(alice.user_id in event.users for event in typing))
    good(await bob.room_read_markers(room, fully_read_event=sent[-1], read_event=sent[-1]))
    await until(alice, lambda: any(getattr(event, "receipts", None) for event in receipts))
    good(await alice.set_displayname("Alice the Great"))
    await until(bob, lambda: any((event.content or {}).get("displayname") == "Alice the Great" for event in members))
    good(await alice.room_redact(room, sent[0], reason="typo"))
    again = good(await bob.room_messages(room, bob.next_batch, limit=100, direction=MessageDirection.back))
    assert any(isinstance(event, RedactedEvent) for event in again.chunk)
    good(await bob.room_leave(room))
    await until(alice, lambda: bob.user_id not in alice.rooms[room].users)
    assert room not in good(await bob.joined_rooms()).rooms


async def whisper(alice, bob):
    heard = events(bob, RoomMessageText)
    encryption = EnableEncryptionBuilder().as_dict()
    created = good(await alice.room_create(initial_state=[encryption], invite=[bob.user_id]))
    room = created.room_id
    await until(bob, lambda: room in bob.invited_rooms)
    good(await bob.join(room))
    await until(bob, lambda: room in bob.rooms)
    await until(alice, lambda: room in alice.rooms and bob.user_id in alice.rooms[room].users and alice.rooms[room].encrypted)
    if alice.should_query_keys:
        good(await alice.keys_query())
    good(await alice.room_send(room, "m.room.message", {"msgtype": "m.text", "body": "secret"}, ignore_unverified_devices=True))
    await until(bob, lambda: any(event.body == "secret" and event.decrypted for event in heard))
    page = good(await bob.room_messages(room, bob.next_batch, limit=10, direction=MessageDirection.back))
    raw = [event.source["type"] for event in page.chunk]
    assert "m.room.encrypted" in raw or any(getattr(event, "decrypted", False) for event in page.chunk)


async def main(base):
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        alice, bob = await start(base, "nio_alice", one), await start(base, "nio_bob", two)
        try:
            await talk(alice, bob)
            await whisper(alice, bob)
        finally:
            await alice.close()
            await bob.close()
    print("matrix-nio: start, join, send, receive, paginate, typing, receipt, rename, redact, leave, decrypt: ok")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        asyncio.run(main(sys.argv[1]))
    else:
        with servers.embedded() as base:
            asyncio.run(asyncio.wait_for(main(base), 120))
