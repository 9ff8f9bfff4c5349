//! Devices: each session has its own, with a token that only its app holds.

use std::collections::BTreeSet;
use std::time::Duration;

use ruma::UserId as MatrixId;

use crate::adapters::matrix::{self, Credentials};
use crate::features::chat::Chat;
use crate::features::sessions::{self, Ended, SessionId, User};
use crate::features::users::UserRow;
use crate::platform::db::{Tx, Wish, by_position};
use crate::platform::error::{Error, Result};
use crate::platform::{clock, tokens, trace};

use super::account_store::{self as store, AccountRow, DeviceRow, State};
use super::accounts;

const DEVICE_PREFIX: &str = "TL";

/// A device that is written down, for the homeserver to make.
#[derive(Debug)]
pub struct PendingDevice {
    account: AccountRow,
    device_id: String,
    /// What its app calls it, if it said so.
    name: Option<String>,
}

/// Writes down a device for each of these sessions without one, of users whom the transaction holds; nothing for those who cannot
/// have chat. Each with whether this transaction has registered the user.
pub fn begin_devices(
    tx: &mut Tx,
    chat: &Chat,
    sessions: &[(&UserRow, SessionId, bool)],
) -> Result<Vec<Option<PendingDevice>>> {
    let users: Vec<_> = sessions.iter().map(|(user, _, is_new)| (*user, *is_new)).collect();
    let accounts = accounts::find_or_want_each(tx, chat, &users)?;
    let begin = |account| PendingDevice { account, device_id: new_device_id(), name: None };
    let devices: Vec<Option<PendingDevice>> =
        accounts.into_iter().map(|account| account.map(begin)).collect();
    let row = |(device, (_, session, _)): (&'_ Option<PendingDevice>, &(_, SessionId, _))| {
        let device = device.as_ref()?;
        Some((device.account.matrix_id.clone(), device.device_id.clone(), *session))
    };
    let rows: Vec<_> = devices.iter().zip(sessions).filter_map(row).collect();
    store::insert_devices(tx, &rows)?;
    Ok(devices)
}

/// The same for one session, on the device that its app would like to be, unless one of that id is known.
pub fn begin_device(
    tx: &mut Tx,
    chat: &Chat,
    user: &UserRow,
    session: SessionId,
    wanted: Option<&str>,
    name: Option<&str>,
) -> Result<PendingDevice> {
    let account = accounts::find_or_want(tx, chat, user)?;
    let known = store::list_devices(tx, &account.matrix_id)?;
    let free = wanted.filter(|wanted| known.iter().all(|(device, _)| device != wanted));
    let device_id = free.map_or_else(new_device_id, str::to_owned);
    store::insert_devices(tx, &[(account.matrix_id.clone(), device_id.clone(), session)])?;
    Ok(PendingDevice { account, device_id, name: name.map(str::to_owned) })
}

/// Credentials for a login, or nothing if the homeserver takes too long; then the account is made later. They are for the device
/// that was begun, or else for a new one.
pub async fn credentials_in_time(
    chat: &Chat,
    caller: User,
    begun: Option<PendingDevice>,
) -> Option<Credentials> {
    // On its own, so that what the homeserver has begun to make is seen through.
    let work = trace::spawn({
        let chat = chat.clone();
        async move {
            match begun {
                Some(device) => make(&chat, caller, device).await,
                None => issue_credentials(&chat, caller).await,
            }
        }
    });
    let time = Duration::from_millis(chat.config.matrix.login_timeout_ms);
    match tokio::time::timeout(time, work).await {
        Ok(Ok(Ok(credentials))) => return Some(credentials),
        Ok(Ok(Err(error))) => tracing::warn!(error = %error, "a login goes without chat"),
        Ok(Err(_)) => tracing::error!("issuing chat credentials panicked"),
        Err(_) => tracing::warn!("a login goes without chat: the homeserver is slow"),
    }
    metrics::counter!("touchline_chat_credentials_total", "outcome" => "later").increment(1);
    if let Err(error) = chat.db.write(move |tx| accounts::want_all_of(tx, caller.id)).await {
        tracing::warn!(error = %error, "a chat account could not be asked for");
    }
    None
}

/// A new device for this session; the one it had before ends.
pub async fn issue_credentials(chat: &Chat, caller: User) -> Result<Credentials> {
    let shared = chat.clone();
    let prepare = move |tx: &mut Tx| {
        let user = sessions::confirm(tx, caller)?;
        sessions_ended(tx, &Ended(vec![caller.session_id]))?;
        Ok(begin_devices(tx, &shared, &[(&user, caller.session_id, false)])?.pop().flatten())
    };
    let device = chat.db.write(prepare).await?.ok_or_else(matrix::unavailable)?;
    make(chat, caller, device).await
}

/// Has the homeserver make the device, unless its session ends meanwhile.
pub async fn make(chat: &Chat, caller: User, device: PendingDevice) -> Result<Credentials> {
    let outcome = log_in(chat, &device).await;
    let PendingDevice { account, device_id, .. } = device;
    let device = DeviceRow(account.matrix_id, device_id);
    let is_live = if outcome.is_ok() && account.state != State::Ready {
        chat.made.ask(DeviceMade(device.clone())).await?
    } else {
        chat.live.ask(DeviceLives(device.clone())).await?
    };
    if !is_live {
        return Err(end(chat, caller, device).await?);
    }
    let credentials = outcome?;
    metrics::counter!("touchline_chat_credentials_total", "outcome" => "issued").increment(1);
    Ok(credentials)
}

/// Whether a device has not ended.
pub struct DeviceLives(DeviceRow);

impl Wish for DeviceLives {
    type Granted = bool;
    const WRITES: bool = false;

    fn grant(tx: &mut Tx, wishes: &[Self]) -> Result<Vec<Result<bool>>> {
        let devices: Vec<&DeviceRow> = wishes.iter().map(|Self(device)| device).collect();
        list_lives(tx, &devices)
    }
}

fn list_lives(tx: &mut Tx, devices: &[&DeviceRow]) -> Result<Vec<Result<bool>>> {
    let live = by_position(devices.len(), store::list_live(tx, devices)?);
    Ok(live.iter().map(|live| Ok(live.is_some())).collect())
}

/// The first device of an account was made, and the account with it. Answers whether it has not ended.
pub struct DeviceMade(DeviceRow);

impl Wish for DeviceMade {
    type Granted = bool;
    const WRITES: bool = true;

    fn grant(tx: &mut Tx, wishes: &[Self]) -> Result<Vec<Result<bool>>> {
        let accounts: Vec<&str> = wishes.iter().map(|Self(device)| device.0.as_str()).collect();
        store::update_state(tx, &accounts, State::Ready)?;
        let devices: Vec<&DeviceRow> = wishes.iter().map(|Self(device)| device).collect();
        list_lives(tx, &devices)
    }
}

/// The session or its user was shut out meanwhile, perhaps before the homeserver had made the device. Answers what to say.
async fn end(chat: &Chat, caller: User, device: DeviceRow) -> Result<Error> {
    let id = accounts::parse(&device.0)?;
    let end = move |tx: &mut Tx| {
        let refusal = sessions::confirm(tx, caller).err();
        store::upsert_ended_device(tx, &device, caller.session_id)?;
        accounts::want(tx, &device.0)?;
        Ok((refusal, store::find(tx, &device.0)?.is_none()))
    };
    let (refusal, is_forgotten) = chat.db.write(end).await?;
    if is_forgotten {
        // Its user has left, and it was closed before it was made.
        chat.matrix.deactivate(&id).await?;
    }
    Ok(refusal.unwrap_or_else(matrix::unavailable))
}

async fn log_in(chat: &Chat, device: &PendingDevice) -> Result<Credentials> {
    let PendingDevice { account, device_id, name } = device;
    let (mut account, id) = (account.clone(), accounts::parse(&account.matrix_id)?);
    let name = name.as_deref();
    // Where nobody else makes accounts, to register one is to look.
    if !chat.matrix.settings().is_embedded {
        account.state = accounts::claim(chat, &id, &account).await?;
    }
    if matches!(account.state, State::Wanted | State::Claimed)
        && let Some(credentials) = chat.matrix.register_device(&id, device_id, name).await?
    {
        return Ok(credentials);
    }
    accounts::ensure(chat, &account).await?;
    match chat.matrix.log_in(&id, device_id, name).await {
        // The homeserver has lost the account, or is another one than before. Synapse answers 404 then, others 403.
        Err(error) if error.is(404) || error.is(403) && !error.has_code("M_USER_DEACTIVATED") => {
            chat.matrix.register(&id).await?;
            Ok(chat.matrix.log_in(&id, device_id, name).await?)
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
    if sessions.is_empty() {
        return Ok(());
    }
    // In one order, so that two who end devices of the same accounts take turns.
    let accounts: BTreeSet<String> =
        store::update_devices_ended(tx, sessions)?.into_iter().collect();
    accounts.iter().try_for_each(|account| accounts::want(tx, account))
}

/// Whether the homeserver has a device of the account that is written down here.
pub async fn has_known(chat: &Chat, id: &MatrixId) -> Result<bool> {
    let there = chat.matrix.list_devices(id).await?;
    let matrix_id = id.to_string();
    let known = chat.db.lookup(move |tx| store::list_devices(tx, &matrix_id)).await?;
    Ok(known.iter().any(|(device, _)| there.contains(device)))
}

/// Ends every device of an account that no session has: those known to have ended, and those that nobody here knows of, such as
/// after a backup was brought back.
pub async fn end_unwanted(chat: &Chat, id: &MatrixId) -> Result<()> {
    // The homeserver is asked first: a device is written down before it is made, so one that is not known afterwards is nobody's.
    let there = chat.matrix.list_devices(id).await?;
    let matrix_id = id.to_string();
    let known = chat.db.lookup(move |tx| store::list_devices(tx, &matrix_id)).await?;
    let is_live = |device: &str| known.iter().any(|(id, has_ended)| id == device && !has_ended);
    // On a homeserver of its own, users may have come in by other doors than the service's.
    let is_ours =
        |device: &str| chat.matrix.settings().is_embedded || device.starts_with(DEVICE_PREFIX);
    for device in there.iter().filter(|device| is_ours(device) && !is_live(device)) {
        chat.matrix.end_device(id, device).await?;
    }
    let ended: Vec<String> =
        known.into_iter().filter(|(_, has_ended)| *has_ended).map(|(id, _)| id).collect();
    let forget = {
        let id = id.to_string();
        move |tx: &mut Tx| {
            ended.iter().try_for_each(|device| store::delete_device(tx, &id, device).map(drop))
        }
    };
    chat.db.write(forget).await
}
