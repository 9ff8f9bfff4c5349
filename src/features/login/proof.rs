//! A code as proof of who somebody is, for something else than a session of the API.

use crate::features::coins;
use crate::features::login::Login;
use crate::features::sessions;
use crate::features::users::{self, Phone, UserRow};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::verdict::Verdict;

use super::give_places_back;
use super::tries::{self, Try};

/// What came of a right code.
pub struct Proved<T> {
    pub done: T,
    /// Whether it made the user.
    pub is_new: bool,
}

/// Uses a right code up and does something for whoever it was sent to, all in one transaction that holds them; somebody whose phone is
/// new is registered. A wrong code costs what it costs everywhere.
pub async fn prove<T, F>(login: &Login, one_try: Try, then: F) -> Result<Proved<T>>
where
    T: Send + 'static,
    F: Fn(&mut Tx, &UserRow) -> Result<T> + Send + 'static,
{
    let this = login.clone();
    let attempt = move |tx: &mut Tx| {
        // Users are held before anything of theirs, as everywhere.
        let known = users::hold_by_phones(tx, &[&one_try.phone])?.pop().flatten();
        let judged = tries::judge_each(tx, &this, &[&one_try])?;
        let judged = judged.into_iter().map(|judged| (&one_try, judged)).collect();
        let counted: Result<Vec<String>> =
            tries::count_each(tx, &this, judged)?.into_iter().collect();
        let places = match counted {
            Ok(places) => places,
            // The try stays counted.
            Err(error) => return Ok(Verdict::Refused(error)),
        };
        let (user, is_new) = match known {
            Some(user) => (user, false),
            None => register(tx, &this, &one_try.phone)?,
        };
        if user.is_banned(tx.now()) {
            // They have used their code up all the same.
            return Ok(Verdict::Refused(sessions::banned()));
        }
        let done = then(tx, &user)?;
        give_places_back(tx, &this, &places)?;
        Ok(Verdict::Accepted(Proved { done, is_new }))
    };
    login.db.write(attempt).await?.into_result()
}

fn register(tx: &mut Tx, login: &Login, phone: &Phone) -> Result<(UserRow, bool)> {
    let registered = users::register_each(tx, &login.keys, &[(phone, None)])?.pop();
    let (user, is_new) =
        registered.ok_or_else(|| Error::internal("whoever registers has an outcome"))??;
    if is_new {
        let account = [(user.id, Some(phone))];
        coins::open_accounts(tx, &login.keys, &login.config.coins, &account)?;
    }
    Ok((user, is_new))
}
