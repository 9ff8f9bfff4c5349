"""matrix-nio as an app would use it: restores issued credentials, syncs, joins, sends and receives."""

import asyncio
import json
import sys

from nio import AsyncClient, JoinResponse, RoomMessageText, RoomSendResponse, SyncResponse


def restore(task, who):
    given = task[who]
    client = AsyncClient(task["homeserver"], given["user_id"])
    client.restore_login(given["user_id"], given["device_id"], given["access_token"])
    return client


async def main(task):
    one, other = restore(task, "one"), restore(task, "other")
    room, received = task["room"], asyncio.Event()
    try:
        joined = await other.join(room)
        assert isinstance(joined, JoinResponse), joined
        for client in (one, other):
            synced = await client.sync(timeout=0, full_state=True)
            assert isinstance(synced, SyncResponse), synced
            assert room in client.rooms, client.rooms

        def take(where, event):
            if where.room_id == room and event.body == "Evening all":
                print("received:", event.body)
                received.set()

        one.add_event_callback(take, RoomMessageText)
        async def listen():
            while not received.is_set():
                await one.sync(timeout=5000)

        listening = asyncio.create_task(listen())
        sent = await other.room_send(room, "m.room.message", {"msgtype": "m.text", "body": "Evening all"})
        assert isinstance(sent, RoomSendResponse), sent
        await asyncio.wait_for(listening, 15)
    finally:
        await one.close()
        await other.close()


asyncio.run(asyncio.wait_for(main(json.loads(sys.argv[1])), 30))
