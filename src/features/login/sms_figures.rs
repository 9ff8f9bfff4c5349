//! How many messages were sent, failed and were refused: by hour, provider and country, and nothing of whom they were for.
//!
//! They are counted in memory and added to the database every few seconds, so that a million logins in ten minutes do not wait for one
//! row. A node that is killed loses what it counted since; the SMS log has it, where it is read.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use utoipa::ToSchema;

use crate::adapters::sms::SendAttempt;
use crate::features::login::Login;
use crate::features::users::Phone;
use crate::platform::clock::{DAY_MS, HOUR_MS, Timestamp};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::input::{Complaint, FromInput, Raw};

use super::sms_figures_store::{self as store, CountRow};
use super::{budget, store as login_store};

/// How far a node's counts are behind.
const FLUSH_EVERY: Duration = Duration::from_secs(5);
const KEPT_MS: i64 = 14 * DAY_MS;
/// Countries that an answer names, those with the most messages first.
const MOST_COUNTRIES: usize = 250;

const SENT: &str = "sent";
const FAILED: &str = "failed";
const REFUSED: &str = "refused";
/// For a country that the settings do not name.
pub const COUNTRY_NOT_SERVED: &str = "country_not_served";

/// What is counted together: the hour since 1970, provider, calling code, outcome, and why. In the order in which all nodes add them,
/// so that none wait for each other in a circle.
pub type Key = (i64, &'static str, String, &'static str, &'static str);

/// What was counted on this node and is not in the database yet.
#[derive(Clone, Default)]
pub struct Tally(Arc<Mutex<BTreeMap<Key, i64>>>);

impl Tally {
    pub fn attempts(&self, now: Timestamp, phone: &Phone, attempts: &[SendAttempt]) {
        for attempt in attempts {
            let (outcome, why) = attempt.failure.map_or((SENT, ""), |failure| (FAILED, failure));
            self.add((hour_of(now), attempt.provider, calling_code(phone), outcome, why), 1);
        }
    }

    /// A message that no provider was asked to send.
    pub fn refusal(&self, now: Timestamp, phone: &Phone, why: &'static str) {
        self.add((hour_of(now), "", calling_code(phone), REFUSED, why), 1);
    }

    fn add(&self, key: Key, count: i64) {
        *self.lock().entry(key).or_default() += count;
    }

    /// Adds what was counted to the database.
    pub async fn flush(&self, login: &Login) -> Result<()> {
        let counted = std::mem::take(&mut *self.lock());
        if counted.is_empty() {
            return Ok(());
        }
        let kept = counted.clone();
        let added = login.db.write(move |tx| store::add(tx, &counted)).await;
        if added.is_err() {
            for (key, count) in kept {
                self.add(key, count);
            }
        }
        added
    }

    /// A panic between two plain map operations leaves a map.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<Key, i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Login {
    /// Adds this node's counts to the database every few seconds until the service is to end.
    pub async fn keep_figures(&self) {
        while self.stop.run_until_cancelled(tokio::time::sleep(FLUSH_EVERY)).await.is_some() {
            self.flush_figures().await;
        }
    }

    pub async fn flush_figures(&self) {
        if let Err(error) = self.tally.flush(self).await {
            tracing::debug!(error = %error, "counts of messages could not be written down");
        }
    }
}

fn hour_of(moment: Timestamp) -> i64 {
    moment.as_millis().div_euclid(HOUR_MS)
}

fn calling_code(phone: &Phone) -> String {
    phone.calling_code().to_owned()
}

/// One hour that is old enough, and so on.
pub fn forget_old(tx: &mut Tx) -> Result<u64> {
    let before = hour_of(tx.now().plus_ms(-KEPT_MS));
    store::delete_oldest_hour(tx, before)
}

/// 1 to 168.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hours(i64);

impl FromInput for Hours {
    fn from_input(raw: Raw) -> Result<Self, Complaint> {
        let text = String::from_input(raw)?;
        let hours = text.parse().ok().filter(|hours| (1..=168).contains(hours));
        hours.map(Self).ok_or_else(|| text!("Must be a whole number from 1 to 168.").into())
    }
}

impl Default for Hours {
    fn default() -> Self {
        Self(24)
    }
}

#[derive(Debug, Default, Serialize, ToSchema)]
struct OutcomesView {
    /// Tries at a provider that took the message.
    #[schema(example = 1204)]
    sent: i64,
    /// Tries at a provider that did not.
    #[schema(example = 3)]
    failed: i64,
}

#[derive(Debug, Serialize, ToSchema)]
struct ReasonCountView {
    #[schema(example = "timed_out")]
    reason: String,
    #[schema(example = 3)]
    messages: i64,
}

#[derive(Debug, Serialize, ToSchema)]
struct SmsProviderView {
    #[schema(example = "twilio")]
    name: String,
    /// Whether it keeps failing and is passed over for a while, as the node that answers has it; null for one that is not in the settings.
    #[schema(example = false)]
    is_passed_over: Option<bool>,
    #[serde(flatten)]
    outcomes: OutcomesView,
    /// Why tries failed: `refused` (this message only), `busy`, `timed_out` or `broken`.
    failures: Vec<ReasonCountView>,
}

#[derive(Debug, Serialize, ToSchema)]
struct CountryProviderView {
    #[schema(example = "twilio")]
    name: String,
    #[serde(flatten)]
    outcomes: OutcomesView,
}

#[derive(Debug, Serialize, ToSchema)]
struct SmsCountryView {
    /// The country's calling code; some countries share one.
    #[schema(example = "44")]
    calling_code: String,
    #[serde(flatten)]
    outcomes: OutcomesView,
    /// Messages that a limit, the budget or the settings refused before any provider was asked.
    #[schema(example = 2)]
    refused: i64,
    providers: Vec<CountryProviderView>,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
struct SmsBudgetView {
    /// Messages that everybody may be sent on a UTC day.
    #[schema(example = 10_000)]
    a_day: i64,
    /// What phones that have an account may be sent beyond that.
    #[schema(example = 1_000)]
    reserve: i64,
    /// What is used of both.
    #[schema(example = 1204)]
    used: i64,
    #[schema(value_type = String, format = DateTime)]
    resets_at: Timestamp,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SmsFiguresView {
    /// The beginning of the first hour that is counted.
    #[schema(value_type = String, format = DateTime)]
    from: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    to: Timestamp,
    /// Those of the settings in their order, then others that sent something.
    providers: Vec<SmsProviderView>,
    /// Those with the most messages first, at most 250.
    countries: Vec<SmsCountryView>,
    /// Why messages were refused: the code of the limit, `sms_budget`, or `country_not_served`.
    refusals: Vec<ReasonCountView>,
    /// Null where there is none: outside staging and production, or by the settings.
    budget: Option<SmsBudgetView>,
}

/// What became of messages in the last hours, this one included.
pub fn read(tx: &mut Tx, login: &Login, Hours(hours): Hours) -> Result<SmsFiguresView> {
    let now = tx.now();
    let first = hour_of(now).saturating_sub(hours - 1);
    let rows = store::list_since(tx, first)?;
    Ok(SmsFiguresView {
        from: Timestamp::from_millis(first.saturating_mul(HOUR_MS)),
        to: now,
        providers: providers(login, &rows),
        countries: countries(&rows),
        refusals: reasons(rows.iter().filter(|row| row.outcome == REFUSED)),
        budget: find_budget(tx, login, now)?,
    })
}

/// How many messages everybody may be sent today, and how many of them are left, where there is a budget.
pub fn budget_left(tx: &mut Tx, login: &Login) -> Result<Option<(i64, i64)>> {
    let now = tx.now();
    let left = |budget: SmsBudgetView| (budget.a_day, (budget.a_day - budget.used).max(0));
    Ok(find_budget(tx, login, now)?.map(left))
}

/// The day's budget, where there is one.
fn find_budget(tx: &mut Tx, login: &Login, now: Timestamp) -> Result<Option<SmsBudgetView>> {
    let settings = &login.config.login;
    let a_day = settings.sends_a_day_in_all;
    if !login.config.environment.is_public() || a_day <= 0 {
        return Ok(None);
    }
    Ok(Some(SmsBudgetView {
        a_day,
        reserve: budget::reserve(settings),
        used: login_store::count_budget(tx, now.utc_day())?,
        resets_at: Timestamp::start_of_utc_day(now.utc_day() + 1),
    }))
}

fn outcomes<'a>(rows: impl Iterator<Item = &'a CountRow>) -> OutcomesView {
    rows.fold(OutcomesView::default(), |mut sum, row| {
        match row.outcome.as_str() {
            SENT => sum.sent += row.messages,
            FAILED => sum.failed += row.messages,
            _ => {}
        }
        sum
    })
}

fn reasons<'a>(rows: impl Iterator<Item = &'a CountRow>) -> Vec<ReasonCountView> {
    let mut by_reason: BTreeMap<&str, i64> = BTreeMap::new();
    for row in rows {
        *by_reason.entry(&row.why).or_default() += row.messages;
    }
    let view =
        |(reason, messages): (&str, i64)| ReasonCountView { reason: reason.to_owned(), messages };
    by_reason.into_iter().map(view).collect()
}

fn providers(login: &Login, rows: &[CountRow]) -> Vec<SmsProviderView> {
    let configured = login.sms.standing();
    let mut names: Vec<&str> = configured.iter().map(|(name, _)| *name).collect();
    for row in rows.iter().filter(|row| row.outcome != REFUSED) {
        if !names.contains(&row.provider.as_str()) {
            names.push(&row.provider);
        }
    }
    let view = |name: &str| {
        let own = || rows.iter().filter(|row| row.provider == name);
        let standing = configured.iter().find(|(configured, _)| *configured == name);
        SmsProviderView {
            name: name.to_owned(),
            is_passed_over: standing.map(|(_, is_closed)| !is_closed),
            outcomes: outcomes(own()),
            failures: reasons(own().filter(|row| row.outcome == FAILED)),
        }
    };
    names.into_iter().map(view).collect()
}

fn countries(rows: &[CountRow]) -> Vec<SmsCountryView> {
    let mut by_country: BTreeMap<&str, BTreeMap<&str, Vec<&CountRow>>> = BTreeMap::new();
    for row in rows {
        let providers = by_country.entry(&row.calling_code).or_default();
        providers.entry(&row.provider).or_default().push(row);
    }
    let view = |(code, providers): (&str, BTreeMap<&str, Vec<&CountRow>>)| {
        let refused = |row: &&&CountRow| row.outcome == REFUSED;
        let all = || providers.values().flatten();
        SmsCountryView {
            calling_code: code.to_owned(),
            outcomes: outcomes(all().copied()),
            refused: all().filter(refused).map(|row| row.messages).sum(),
            providers: providers
                .iter()
                .filter(|(name, _)| !name.is_empty())
                .map(|(name, rows)| CountryProviderView {
                    name: (*name).to_owned(),
                    outcomes: outcomes(rows.iter().copied()),
                })
                .collect(),
        }
    };
    let mut views: Vec<SmsCountryView> = by_country.into_iter().map(view).collect();
    let weight = |view: &SmsCountryView| view.outcomes.sent + view.outcomes.failed + view.refused;
    views.sort_by_key(|view| std::cmp::Reverse(weight(view)));
    views.truncate(MOST_COUNTRIES);
    views
}

/// The error's code, if it is a limit's.
pub fn limit_of(error: &Error) -> Option<&'static str> {
    match error {
        Error::RateLimited { code, .. } => Some(code),
        _ => None,
    }
}
