//! A lost phone. The first process sets recovery up and loses the device; the second has nothing but a new login and the recovery
//! key, and reads what was said.

use anyhow::{Context, Result, ensure};
use matrix_sdk::{
    Client, Room, RoomState,
    encryption::{
        BackupDownloadStrategy, EncryptionSettings, backups::BackupState, recovery::RecoveryState,
    },
    ruma::{OwnedRoomId, events::room::message::RoomMessageEventContent},
};
use serde_json::{Value, json};

use crate::{bodies, encrypted_room, room_of, start, start_with, until, wait_for};

/// Prints what the second process needs.
pub async fn lose(base: &str, one: &str, two: &str) -> Result<()> {
    let (alice, seen_by_alice) = start(base, one).await?;
    let (bob, seen_by_bob) = start(base, two).await?;
    let room = encrypted_room(&alice, &seen_by_alice, &bob).await?;
    room.send(RoomMessageEventContent::text_plain("said by alice")).await?;
    until(&seen_by_bob, "said said by alice").await?;
    let theirs = room_of(&bob, &room.room_id().to_owned(), RoomState::Joined).await?;
    theirs.send(RoomMessageEventContent::text_plain("said by bob")).await?;
    until(&seen_by_alice, "said said by bob").await?;

    let encryption = alice.encryption();
    encryption.bootstrap_cross_signing(None).await?;
    let key = encryption.recovery().enable().wait_for_backups_to_upload().await?;
    ensure!(encryption.recovery().state() == RecoveryState::Enabled, "recovery is set up");
    ensure!(encryption.backups().state() == BackupState::Enabled, "keys are backed up");
    alice.logout().await?;
    println!("{}", json!({"room": room.room_id(), "key": key}));
    Ok(())
}

pub async fn restore(base: &str, credentials: &str, kept: &str) -> Result<()> {
    let kept: Value = serde_json::from_str(kept)?;
    let text = |name: &str| kept[name].as_str().context("printed by the first");
    let id = OwnedRoomId::try_from(text("room")?)?;
    // As apps do: a key is fetched when it is missed.
    let settings = EncryptionSettings {
        backup_download_strategy: BackupDownloadStrategy::AfterDecryptionFailure,
        ..EncryptionSettings::default()
    };
    let (alice, _) = start_with(base, credentials, settings).await?;
    let room = room_of(&alice, &id, RoomState::Joined).await?;
    ensure!(bodies(&room).await?.is_empty(), "nothing is read without the keys");
    ensure!(!is_verified(&alice).await?, "the device is nobody's yet");

    let encryption = alice.encryption();
    encryption.recovery().recover(text("key")?).await?;
    ensure!(is_verified(&alice).await?, "the device is verified by its own user");
    ensure!(encryption.recovery().state() == RecoveryState::Enabled, "everything is recovered");
    ensure!(encryption.backups().are_enabled().await, "keys are backed up again");
    wait_for("the old messages in clear", async || said(&room).await).await?;
    encryption.backups().download_room_keys_for_room(&id).await?;
    let other = encryption.recovery().reset_key().await?;
    ensure!(other != text("key")?, "another recovery key");
    encryption.recovery().recover(&other).await?;
    println!(
        "matrix-sdk: recovery key, cross-signing, secret storage, key backup, device lost, history read on a new one, another recovery key: ok"
    );
    Ok(())
}

async fn said(room: &Room) -> Result<bool> {
    Ok(bodies(room).await? == ["said by bob", "said by alice"])
}

async fn is_verified(client: &Client) -> Result<bool> {
    let device = client.encryption().get_own_device().await?;
    Ok(device.context("the own device is known")?.is_cross_signed_by_owner())
}
