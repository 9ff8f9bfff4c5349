//! Devices: each session has its own, with a token that only its app holds.

use std::time::Duration;

use crate::adapters::matrix::{self, Credentials};
use crate::features::chat::Chat;
use crate::features::sessions::{Ended, SessionId};
use crate::features::users::{self, UserId};
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::jobs::{self, Next, Stop, job};
use crate::platform::{clock, tokens};

use super::account_store::{self as store, AccountRow, DeviceRow};
use super::accounts;

const ENDED_AT_ONCE: i64 = 50;
const DEVICE_PREFIX: &str = "TL";

/// Credentials for a login, or nothing if the homeserver takes too long; then the account is made later.
pub async fn credentials_in_time(
    chat: &Chat,
    user: UserId,
    session: SessionId,
) -> Option<Credentials> {
    // On its own, so that a device the homeserver has begun to make is also written down.
    let work = tokio::spawn({
        let chat = chat.clone();
        async move { issue_credentials(&chat, user, session).await }
    });
    let time = Duration::from_millis(chat.config.matrix.login_timeout_ms);
    match tokio::time::timeout(time, work).await {
        Ok(Ok(Ok(credentials))) => return Some(credentials),
        Ok(Ok(Err(error))) => tracing::warn!(error = %error, "a login goes without chat"),
        Ok(Err(_)) => tracing::error!("issuing chat credentials panicked"),
        Err(_) => tracing::warn!("a login goes without chat: the homeserver is slow"),
    }
    metrics::counter!("touchline_chat_credentials_total", "outcome" => "later").increment(1);
    if let Err(error) = chat.db.write(move |tx| accounts::provision_later(tx, user)).await {
        tracing::warn!(error = %error, "a chat account could not be asked for");
    }
    None
}

/// A new device for this session; the one it had before ends.
pub async fn issue_credentials(
    chat: &Chat,
    user: UserId,
    session: SessionId,
) -> Result<Credentials> {
    let shared = chat.clone();
    let device_id = new_device_id();
    let wanted = device_id.clone();
    let prepare = move |tx: &mut Tx| {
        let row = users::get(tx, user)?;
        let account = accounts::find_or_want(tx, &shared, &row)?;
        end_devices_of(tx, &[session])?;
        store::insert_device(tx, &account.matrix_id, &wanted, session)?;
        Ok(account)
    };
    let account = chat.db.write(prepare).await?;
    let credentials = log_in(chat, &account, &device_id).await?;
    let device = DeviceRow { matrix_id: account.matrix_id, device_id };
    let check = device.clone();
    let is_live = move |tx: &mut Tx| store::is_device_live(tx, &check.matrix_id, &check.device_id);
    if !chat.db.lookup(is_live).await? {
        // The session ended meanwhile, and the device with it, perhaps before the homeserver had made it.
        let id = accounts::parse(&device.matrix_id)?;
        chat.matrix.end_device(&id, &device.device_id).await?;
        return Err(matrix::unavailable());
    }
    metrics::counter!("touchline_chat_credentials_total", "outcome" => "issued").increment(1);
    Ok(credentials)
}

async fn log_in(chat: &Chat, account: &AccountRow, device_id: &str) -> Result<Credentials> {
    let id = accounts::ensure(chat, account).await?;
    match chat.matrix.log_in(&id, device_id, None).await {
        // The homeserver has lost the account, or is another one than before. Synapse answers 404 then, others 403.
        Err(error) if error.is(404) || error.is(403) && !error.has_code("M_USER_DEACTIVATED") => {
            chat.matrix.register(&id).await?;
            Ok(chat.matrix.log_in(&id, device_id, None).await?)
        }
        outcome => Ok(outcome?),
    }
}

fn new_device_id() -> String {
    let random = tokens::base62(&clock::random_bytes::<10>()).to_uppercase();
    format!("{DEVICE_PREFIX}{random}")
}

/// Sessions are over: their devices are to end too.
pub fn sessions_ended(tx: &mut Tx, Ended(sessions): &Ended) -> Result<()> {
    end_devices_of(tx, sessions)
}

fn end_devices_of(tx: &mut Tx, sessions: &[SessionId]) -> Result<()> {
    let now = tx.now();
    if !sessions.is_empty() && store::update_devices_ended(tx, sessions, now)? > 0 {
        jobs::ask(tx, &EndDevices {})?;
    }
    Ok(())
}

/// All devices of a user are to end, while their sessions go on.
pub fn end_all(tx: &mut Tx, user: UserId) -> Result<()> {
    let now = tx.now();
    if store::update_devices_ended_of(tx, user, now)? > 0 {
        jobs::ask(tx, &EndDevices {})?;
    }
    Ok(())
}

job! {
    /// Ends whatever is due, whichever job asked for it; a job that finds nothing left is done.
    pub struct EndDevices {}
    kind: "chat_end_devices", lane: Chat, run: end_devices(Chat)
}

async fn end_devices(_: EndDevices, chat: Chat, _: Stop) -> Result<Next> {
    let devices = chat.db.lookup(|tx| store::list_ended_devices(tx, ENDED_AT_ONCE)).await?;
    let is_last = devices.len() < usize::try_from(ENDED_AT_ONCE).unwrap_or(usize::MAX);
    for device in devices {
        let id = accounts::parse(&device.matrix_id)?;
        chat.matrix.end_device(&id, &device.device_id).await?;
        chat.db.write(move |tx| store::delete_device(tx, &device)).await?;
    }
    Ok(if is_last { Next::Done } else { Next::At(chat.clock.now()) })
}
