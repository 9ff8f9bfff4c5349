//! matrix-sdk: an ordinary client's day, one decrypted message in an encrypted room, and a lost phone.
//! Usage: sdk-proof day <base url> <alice's credentials as JSON> <bob's>
//!        sdk-proof lose <base url> <alice's> <bob's>          prints what the next needs, as JSON
//!        sdk-proof restore <base url> <alice's, of a new login> <what was printed>

#![recursion_limit = "256"] // the SDK's futures are deep

mod recovery;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use matrix_sdk::{
    Client, Room, RoomState,
    authentication::matrix::MatrixSession,
    config::SyncSettings,
    encryption::EncryptionSettings,
    room::MessagesOptions,
    ruma::{
        OwnedRoomId, OwnedUserId,
        api::client::{
            receipt::create_receipt::v3::ReceiptType,
            room::create_room::v3::{Request as CreateRoom, RoomPreset},
        },
        events::{
            AnySyncTimelineEvent, InitialStateEvent,
            receipt::{ReceiptThread, SyncReceiptEvent},
            room::{
                encryption::RoomEncryptionEventContent,
                member::SyncRoomMemberEvent,
                message::{OriginalSyncRoomMessageEvent, RoomMessageEventContent},
                redaction::SyncRoomRedactionEvent,
            },
            typing::SyncTypingEvent,
        },
    },
};

/// What a client noticed, as words.
type Noticed = Arc<Mutex<Vec<String>>>;

async fn start(base: &str, credentials: &str) -> Result<(Client, Noticed)> {
    start_with(base, credentials, EncryptionSettings::default()).await
}

async fn start_with(
    base: &str,
    credentials: &str,
    encryption: EncryptionSettings,
) -> Result<(Client, Noticed)> {
    let session: MatrixSession = serde_json::from_str(credentials)?;
    let builder = Client::builder().homeserver_url(base).with_encryption_settings(encryption);
    let client = builder.build().await?;
    client.restore_session(session).await?;
    client.sync_once(SyncSettings::default()).await?;
    let noticed = Noticed::default();
    let note = |noticed: &Noticed, what: String| noticed.lock().unwrap().push(what);
    let n = noticed.clone();
    client.add_event_handler(async move |event: OriginalSyncRoomMessageEvent| {
        note(&n, format!("said {}", event.content.body()));
    });
    let n = noticed.clone();
    client.add_event_handler(async move |event: SyncTypingEvent| {
        for user in event.content.user_ids {
            note(&n, format!("typing {user}"));
        }
    });
    let n = noticed.clone();
    client.add_event_handler(async move |event: SyncReceiptEvent| {
        for id in event.content.0.keys() {
            note(&n, format!("read {id}"));
        }
    });
    let n = noticed.clone();
    client.add_event_handler(async move |event: SyncRoomMemberEvent| {
        let name = event.as_original().and_then(|event| event.content.displayname.clone());
        note(&n, format!("named {}", name.unwrap_or_default()));
        note(&n, format!("{} {}", event.membership(), event.state_key()));
    });
    let n = noticed.clone();
    client.add_event_handler(async move |_: SyncRoomRedactionEvent| {
        note(&n, "redacted".to_owned());
    });
    let syncing = client.clone();
    tokio::spawn(async move { syncing.sync(SyncSettings::default()).await });
    Ok((client, noticed))
}

async fn until(noticed: &Noticed, what: &str) -> Result<()> {
    for _ in 0..600 {
        if noticed.lock().unwrap().iter().any(|one| one == what) {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    bail!("not seen: {what}; seen: {:?}", noticed.lock().unwrap())
}

async fn wait_for(what: &str, check: impl AsyncFn() -> Result<bool>) -> Result<()> {
    for _ in 0..600 {
        if check().await? {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    bail!("not seen: {what}")
}

async fn room_of(client: &Client, id: &OwnedRoomId, state: RoomState) -> Result<Room> {
    for _ in 0..600 {
        if let Some(room) = client.get_room(id).filter(|room| room.state() == state) {
            return Ok(room);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    bail!("room {id} did not become {state:?}")
}

fn id_of(client: &Client) -> Result<OwnedUserId> {
    Ok(client.user_id().context("logged in")?.to_owned())
}

/// What can be read in a room, the newest first.
async fn bodies(room: &Room) -> Result<Vec<String>> {
    let mut options = MessagesOptions::backward();
    let mut bodies = Vec::new();
    loop {
        let page = room.messages(options).await?;
        for event in &page.chunk {
            if let Ok(AnySyncTimelineEvent::MessageLike(event)) = event.raw().deserialize()
                && let Some(content) = event.original_content()
                && let Ok(json) = serde_json::to_value(&content)
                && let Some(body) = json["body"].as_str()
            {
                bodies.push(body.to_owned());
            }
        }
        let Some(end) = page.end else { return Ok(bodies) };
        options = MessagesOptions::backward().from(end.as_str());
    }
}

async fn talk(alice: &Client, seen_by_alice: &Noticed, bob: &Client, seen_by_bob: &Noticed) -> Result<()> {
    let mut request = CreateRoom::new();
    request.preset = Some(RoomPreset::PublicChat);
    request.name = Some("Stand".to_owned());
    let room = alice.create_room(request).await?;
    let id = room.room_id().to_owned();
    let theirs = bob.join_room_by_id(&id).await?;
    let mut last = None;
    for number in 0..30 {
        let content = RoomMessageEventContent::text_plain(format!("message {number}"));
        last = Some(room.send(content).await?);
    }
    until(seen_by_bob, "said message 29").await?;
    let bodies = bodies(&theirs).await?;
    let expected: Vec<_> = (0..30).rev().map(|number| format!("message {number}")).collect();
    ensure!(bodies == expected, "paginated {bodies:?}");
    room.typing_notice(true).await?;
    until(seen_by_bob, &format!("typing {}", id_of(alice)?)).await?;
    let last = serde_json::to_value(last.context("sent")?.event_id)?;
    let last = last.as_str().context("id")?.to_owned();
    let event_id = matrix_sdk::ruma::OwnedEventId::try_from(last.as_str())?;
    theirs
        .send_single_receipt(ReceiptType::Read, ReceiptThread::Unthreaded, event_id.clone())
        .await?;
    until(seen_by_alice, &format!("read {last}")).await?;
    alice.account().set_display_name(Some("Alice the Great")).await?;
    until(seen_by_bob, "named Alice the Great").await?;
    room.redact(&event_id, Some("typo"), None).await?;
    until(seen_by_bob, "redacted").await?;
    theirs.leave().await?;
    until(seen_by_alice, &format!("leave {}", id_of(bob)?)).await
}

async fn encrypted_room(alice: &Client, seen_by_alice: &Noticed, bob: &Client) -> Result<Room> {
    let mut request = CreateRoom::new();
    request.preset = Some(RoomPreset::PrivateChat);
    request.invite = vec![id_of(bob)?];
    let encryption = RoomEncryptionEventContent::with_recommended_defaults();
    request.initial_state = vec![InitialStateEvent::with_empty_state_key(encryption).to_raw_any()];
    let room = alice.create_room(request).await?;
    let id = room.room_id().to_owned();
    room_of(bob, &id, RoomState::Invited).await?;
    bob.join_room_by_id(&id).await?;
    until(seen_by_alice, &format!("join {}", id_of(bob)?)).await?;
    ensure!(room.latest_encryption_state().await?.is_encrypted(), "the room is encrypted");
    Ok(room)
}

async fn whisper(alice: &Client, seen_by_alice: &Noticed, bob: &Client, seen_by_bob: &Noticed) -> Result<()> {
    let room = encrypted_room(alice, seen_by_alice, bob).await?;
    room.send(RoomMessageEventContent::text_plain("secret")).await?;
    until(seen_by_bob, "said secret").await
}

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<_> = std::env::args().collect();
    let [_, stage, base, one, two] = arguments.as_slice() else { bail!("four arguments") };
    match stage.as_str() {
        "day" => day(base, one, two).await,
        "lose" => recovery::lose(base, one, two).await,
        "restore" => recovery::restore(base, one, two).await,
        _ => bail!("there is no {stage}"),
    }
}

async fn day(base: &str, one: &str, two: &str) -> Result<()> {
    let (alice, seen_by_alice) = start(base, one).await?;
    let (bob, seen_by_bob) = start(base, two).await?;
    talk(&alice, &seen_by_alice, &bob, &seen_by_bob).await?;
    seen_by_alice.lock().unwrap().clear();
    whisper(&alice, &seen_by_alice, &bob, &seen_by_bob).await?;
    println!("matrix-sdk: start, join, send, receive, paginate, typing, receipt, rename, redact, leave, decrypt: ok");
    Ok(())
}
