//! Signing in from any Matrix client, and proving again who one is: pages for people, and the login tokens that clients make sessions of.
//!
//! Owns: the `login_tokens` table and the pages at `/sign-in`, for the embedded homeserver.
//! Invariants: codes are sent and tried by the rules of `login`, and by no others; a login token is stored as a hash, good once, for two
//! minutes, and makes an ordinary session; nobody is sent anywhere before they were told where that is and have pressed for it; a
//! request waits for its own account's phone, whoever opens its page.
//! Never: shows an address as its maker wrote it, or does anything at all for a form that another site sent.

mod page;
pub mod routes;
mod store;

use std::sync::Arc;

use crate::adapters::matrix::{
    Credentials, Homeserver, Redeemed, Redemption, Refusal, SignIn, SignInDesk, SignedIn,
};
use crate::extends_core;
use crate::features::chat::{self, Chat, PendingDevice};
use crate::features::login::{self, Code, Login, Owner, Proved, Try};
use crate::features::sessions::{self, User};
use crate::features::users::{self, Hold, Phone, UserId, UserRow, Username};
use crate::platform::clock::SECOND_MS;
use crate::platform::config::Config;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::client_address::ClientAddress;
use crate::platform::shown_text;
use crate::platform::tokens::{Token, TokenKind};
use crate::platform::trace;
use crate::platform::verdict::Verdict;

pub const PAGE: &str = "/sign-in";
pub const RESET_PAGE: &str = "/sign-in/reset";

/// As long as a client needs that is open and waits for it, and the person who is asked whether to go on.
const TOKEN_VALID_MS: i64 = 120 * SECOND_MS;
/// As long as the names of devices are that the API takes.
const DEVICE_NAME_CHARS: usize = 100;
const DEVICE_ID_BYTES: usize = 255;

/// Whether there are pages to sign in on.
pub fn is_offered(config: &Config) -> bool {
    config.matrix.homeserver_url.is_empty() && config.matrix.sign_in_page
}

/// The pages, and the homeserver that sends people to them.
#[derive(Clone)]
pub struct ChatLogin {
    core: Core,
    desk: Arc<Desk>,
    homeserver: Option<Homeserver>,
}

extends_core!(ChatLogin);

/// Who answers when the homeserver is given a login token.
struct Desk {
    core: Core,
    login: Login,
    chat: Chat,
}

extends_core!(Desk);

impl ChatLogin {
    /// Has the homeserver, if it is the embedded one and there are to be pages, send people to them.
    pub fn open(core: &Core, login: &Login, chat: &Chat, homeserver: Option<&Homeserver>) -> Self {
        let (login, chat) = (login.clone(), chat.clone());
        let at = |page: &str| chat.matrix.settings().public_url.clone() + page;
        let (page, reset_page) = (at(PAGE), at(RESET_PAGE));
        let desk = Arc::new(Desk { core: core.clone(), login, chat });
        let homeserver = homeserver.filter(|_| is_offered(&core.config)).cloned();
        if let Some(homeserver) = &homeserver {
            let theirs: Arc<dyn SignInDesk> = desk.clone();
            let desk = Arc::downgrade(&theirs);
            homeserver.offer_sign_in(SignIn { page, reset_page, desk });
        }
        Self { core: core.clone(), desk, homeserver }
    }
}

/// Sends a code to somebody who signs in.
pub async fn send_code(this: &ChatLogin, phone: Phone, from: ClientAddress) -> Result<()> {
    login::request(&this.desk.login, Owner::Login, phone, from).await
}

/// A login token, and for whom it is.
pub struct Entered {
    pub username: Username,
    pub token: Token,
}

/// Exchanges a phone and its code for a login token, registering who is new.
pub async fn enter(
    this: &ChatLogin,
    phone: Phone,
    code: Code,
    from: ClientAddress,
) -> Result<Entered> {
    let one_try = Try::new(&this.desk.login, Owner::Login, phone, code, from);
    let token = Token::generate(TokenKind::ChatLogin);
    let hash = token.hash();
    let keep = move |tx: &mut Tx, user: &UserRow| {
        let expires_at = tx.now().plus_ms(TOKEN_VALID_MS);
        store::insert(tx, &hash, user.id, expires_at)?;
        Ok(user.username.clone())
    };
    let Proved { done: username, is_new } = login::prove(&this.desk.login, one_try, keep).await?;
    let kind = if is_new { "registration" } else { "login" };
    metrics::counter!("touchline_logins_total", "kind" => kind).increment(1);
    Ok(Entered { username, token })
}

impl SignInDesk for Desk {
    fn redeem(&self, redemption: Redemption) -> Redeemed<'_> {
        let Self { core, login, chat } = self;
        let desk = Self { core: core.clone(), login: login.clone(), chat: chat.clone() };
        Box::pin(async move {
            // On its own, so that a token which is used up becomes a session, or none at all, also if the client hangs up.
            let work = trace::spawn(async move { redeem(&desk, redemption).await });
            let outcome = work.await.unwrap_or_else(|error| Err(Error::internal(error)));
            outcome.map_err(|error| refusal_of(&error)).map(
                |Credentials { user_id, access_token, device_id }| SignedIn {
                    user_id,
                    access_token,
                    device_id,
                },
            )
        })
    }
}

fn refusal_of(error: &Error) -> Refusal {
    match error {
        Error::Unauthenticated { .. } => Refusal::Unknown,
        Error::Forbidden { .. } => Refusal::Banned,
        error => {
            tracing::warn!(error = %error, "somebody could not be signed in");
            Refusal::Away
        }
    }
}

/// Makes a session of a login token, with the device that the client holds.
async fn redeem(desk: &Desk, redemption: Redemption) -> Result<Credentials> {
    let Some((TokenKind::ChatLogin, token)) = Token::parse(&redemption.token) else {
        return Err(Error::no_token());
    };
    let (hash, this) = (token.hash(), desk.chat.clone());
    let name = redemption.device_name.and_then(|name| plain_name(&name));
    let wanted = redemption.device_id.filter(|id| is_plain_id(id));
    let begin = move |tx: &mut Tx| {
        // Users are held before anything of theirs; then of two who come with one token, one finds it.
        let Some(user) = store::find_user(tx, &hash)? else { return Ok(refused()) };
        let Some(user) = users::hold(tx, &[user], Hold::Share)?.pop() else { return Ok(refused()) };
        if store::delete(tx, &hash)? == 0 {
            return Ok(refused());
        }
        if user.is_banned(tx.now()) {
            return Ok(Verdict::Refused(sessions::banned()));
        }
        let settings = &this.config.sessions;
        let session_id = sessions::begin_for_device(tx, settings, user.id, name.as_deref())?;
        let wanted = wanted.as_deref();
        let device = chat::begin_device(tx, &this, &user, session_id, wanted, name.as_deref())?;
        Ok(Verdict::Accepted((User { id: user.id, session_id }, device)))
    };
    let (caller, device) = desk.db.write(begin).await?.into_result()?;
    make(desk, caller, device).await
}

fn refused<T>() -> Verdict<T> {
    Verdict::Refused(Error::no_token())
}

/// A session whose device could not be made is nobody's: no token of ours holds it.
async fn make(desk: &Desk, caller: User, device: PendingDevice) -> Result<Credentials> {
    let made = chat::make_device(&desk.chat, caller, device).await;
    if made.is_err() {
        let end = move |tx: &mut Tx| {
            let ended = sessions::revoke(tx, caller.id, caller.session_id)?;
            chat::sessions_ended(tx, &ended)
        };
        match desk.db.write(end).await {
            Ok(()) | Err(Error::NotFound(_)) => {}
            Err(error) => {
                tracing::warn!(error = %error, "a session without a device could not be ended");
            }
        }
    }
    made
}

/// The name of a device as the API would take it; clients are free to send anything.
fn plain_name(name: &str) -> Option<String> {
    let plain = shown_text::on_one_line(name, DEVICE_NAME_CHARS);
    let plain = plain.trim();
    (!plain.is_empty()).then(|| plain.to_owned())
}

fn is_plain_id(id: &str) -> bool {
    (1..=DEVICE_ID_BYTES).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic())
}

/// A request to replace the encryption identity of an account, and who can confirm it.
pub struct Reset {
    user_id: UserId,
    /// What the homeserver calls them.
    account: String,
    pub username: Username,
    pub phone: Phone,
}

/// What waits under that name. Nothing if nothing does, or its user is gone.
pub async fn find_reset(this: &ChatLogin, session: &str) -> Result<Option<Reset>> {
    let Some(pending) = this.homeserver.as_ref().and_then(|hs| hs.pending_reset(session)) else {
        return Ok(None);
    };
    let account = pending.user_id.clone();
    let find = move |tx: &mut Tx| {
        let user = chat::find_user(tx, &pending.user_id)?;
        user.map_or(Ok(None), |user| users::find(tx, user))
    };
    let user = this.db.lookup(find).await?;
    let reset = |UserRow { id, username, phone, .. }| {
        Some(Reset { user_id: id, account, username, phone: phone? })
    };
    Ok(user.and_then(reset))
}

/// Sends a code to the phone of the account itself.
pub async fn send_reset_code(this: &ChatLogin, reset: &Reset, from: ClientAddress) -> Result<()> {
    login::request(&this.desk.login, Owner::Login, reset.phone.clone(), from).await
}

/// Confirms, by a code that was sent to the account's phone, what waits under that name. False if it waits no longer.
pub async fn confirm_reset(
    this: &ChatLogin,
    session: &str,
    reset: &Reset,
    code: Code,
    from: ClientAddress,
) -> Result<bool> {
    let Some(homeserver) = &this.homeserver else { return Ok(false) };
    let user_id = reset.user_id;
    let one_try = Try::new(&this.desk.login, Owner::Login, reset.phone.clone(), code, from);
    // The phone may have become another account's since the page was shown.
    let is_theirs = move |_: &mut Tx, user: &UserRow| {
        if user.id == user_id { Ok(()) } else { Err(not_found!("user")) }
    };
    login::prove(&this.desk.login, one_try, is_theirs).await?;
    Ok(homeserver.confirm_reset(session, &reset.account))
}

/// Nobody who is on their way in gets in as this user.
pub fn forget(tx: &mut Tx, user: UserId) -> Result<()> {
    store::delete_of_user(tx, user).map(drop)
}

pub fn forget_expired(tx: &mut Tx, most: i64) -> Result<u64> {
    store::delete_expired(tx, most)
}
