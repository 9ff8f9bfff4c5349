//! Spending, the daily bonus, the balance, and operators' corrections.

use axum::extract::{FromRef, State};
use http::StatusCode;
use serde::Serialize;
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::operators::{self, Change, guard};
use crate::features::sessions::{Sessions, User};
use crate::features::users::{self, UserId};
use crate::input;
use crate::platform::clock::Timestamp;
use crate::platform::core::Core;
use crate::platform::db::{Tx, Wish};
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::error_body::ErrorBody;
use crate::platform::http::input::{Params, Valid};
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Data, Json, Listed, WithMessage};
use crate::platform::idempotency::{self, Answer, Once, ValidOnce};
use crate::platform::limits::Who;

use super::{
    Claim, Coins, CoinsView, CorrectionReason, Deduction, RestoredView, ShowAccount, SignedAmount,
    TransactionView, Transfer, TransferId,
};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Coins: FromRef<S>,
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(deduct_coins))
        .routes(routes!(claim_daily_coins))
        .routes(routes!(show_coins))
        .routes(routes!(list_coin_transactions))
        .routes(routes!(correct_coins))
        .routes(routes!(unfreeze_coins))
}

#[derive(Serialize, ToSchema)]
struct DeductedView {
    #[schema(example = 500)]
    previous_balance: i64,
    #[schema(example = 30)]
    amount_deducted: i64,
    #[schema(example = 470)]
    new_balance: i64,
    transaction_id: TransferId,
}

/// Deduct coins for a purchase or a wager.
///
/// With an `Idempotency-Key` the same request has its effect once, however often it is sent.
#[utoipa::path(post, path = "/api/auth/coins/deduct", tag = "Coins", security(("user" = [])),
    params(("Idempotency-Key" = Option<String>, Header, pattern = "^[ -~]{1,255}$", description = "1 to 255 printable ASCII characters")),
    request_body = Deduction, responses(
    (status = 200, body = WithMessage<DeductedView>),
    (status = 400, description = "The balance is too low", body = ErrorBody)),
    extensions(("x-codes" = json!(["400 insufficient_balance", "503 account_frozen"]))))]
async fn deduct_coins(
    State(coins): State<Coins>,
    user: User,
    ValidOnce(deduction, once): ValidOnce<Deduction>,
) -> Result<Answer> {
    super::check_reason(&coins.config.coins, &deduction.reason)?;
    let answer = coins.deduct.ask(Deduct { user: user.id, deduction, once }).await?;
    count(&answer, "spending");
    Ok(answer)
}

/// A user's wish to spend coins.
pub struct Deduct {
    user: UserId,
    deduction: Deduction,
    once: Once,
}

impl Wish for Deduct {
    type Granted = Answer;
    const WRITES: bool = true;

    fn turn(&self) -> Option<u64> {
        Some(self.user.0.unsigned_abs())
    }

    fn grant(tx: &mut Tx, wishes: &[Self]) -> Result<Vec<Result<Answer>>> {
        let requests: Vec<_> = wishes.iter().map(|wish| (wish.user.0, &wish.once)).collect();
        idempotency::once_each(tx, &requests, |tx, open| {
            let open: Vec<_> = open.iter().filter_map(|position| wishes.get(*position)).collect();
            let deductions: Vec<_> = open.iter().map(|wish| (wish.user, &wish.deduction)).collect();
            let transfers = super::deduct_each(tx, &deductions)?;
            let view = |(wish, transfer): (&&Self, Result<Transfer>)| {
                let transfer = transfer?;
                let data = DeductedView {
                    previous_balance: transfer.previous_balance,
                    amount_deducted: wish.deduction.amount.get(),
                    new_balance: transfer.new_balance,
                    transaction_id: transfer.id,
                };
                Ok((
                    StatusCode::OK,
                    WithMessage { message: text!("The coins are deducted."), data },
                ))
            };
            Ok(open.iter().zip(transfers).map(view).collect())
        })
    }
}

/// Counts what was moved now, not what was answered again.
fn count(answer: &Answer, kind: &'static str) {
    if !answer.is_replay() {
        metrics::counter!("touchline_coin_transfers_total", "kind" => kind).increment(1);
    }
}

#[derive(Serialize, ToSchema)]
struct ClaimedView {
    /// The whole grant, with the bonus for the streak.
    #[schema(example = 60)]
    coins_awarded: i64,
    #[schema(example = 560)]
    new_balance: i64,
    /// Midnight UTC.
    #[schema(value_type = String, format = DateTime)]
    next_claim_at: Timestamp,
    /// Days claimed in a row, today included.
    #[schema(example = 2)]
    streak_days: i64,
    /// The part of the grant that is for the streak.
    #[schema(example = 10)]
    streak_bonus: i64,
}

/// Claim the daily bonus, once for each UTC date.
#[utoipa::path(post, path = "/api/auth/daily-coins", tag = "Coins", security(("user" = [])),
    params(("Idempotency-Key" = Option<String>, Header, pattern = "^[ -~]{1,255}$", description = "1 to 255 printable ASCII characters")),
    responses(
    (status = 200, body = WithMessage<ClaimedView>),
    (status = 400, description = "Already claimed today", body = ErrorBody),
    (status = 422, description = "The key is malformed or was used for another request", body = ErrorBody),
    (status = 429, description = "Too many attempts in a minute", body = ErrorBody)),
    extensions(("x-codes" = json!(["400 already_claimed", "400 balance_limit", "429 daily_claim_limit", "503 account_frozen"]))))]
async fn claim_daily_coins(State(coins): State<Coins>, user: User, once: Once) -> Result<Answer> {
    let (who, rules) = (Who::user(&coins.keys, user.id), coins.core.clone());
    let answer = coins.claim.ask(ClaimDaily { user: user.id, who, rules, once }).await?;
    count(&answer, "daily_bonus");
    Ok(answer)
}

/// A user's wish for the bonus of the day.
pub struct ClaimDaily {
    user: UserId,
    who: Who,
    rules: Core,
    once: Once,
}

impl Wish for ClaimDaily {
    type Granted = Answer;
    const WRITES: bool = true;

    fn turn(&self) -> Option<u64> {
        Some(self.user.0.unsigned_abs())
    }

    fn grant(tx: &mut Tx, wishes: &[Self]) -> Result<Vec<Result<Answer>>> {
        let Some(rules) = wishes.first().map(|wish| &wish.rules.config.coins) else {
            return Ok(Vec::new());
        };
        let requests: Vec<_> = wishes.iter().map(|wish| (wish.user.0, &wish.once)).collect();
        idempotency::once_each(tx, &requests, |tx, open| {
            let open = open.iter().filter_map(|position| wishes.get(*position));
            let claimants: Vec<_> = open.map(|wish| (wish.user, &wish.who)).collect();
            let view = |claimed: Result<_>| {
                let (claim, transfer): (Claim, Transfer) = claimed?;
                let data = ClaimedView {
                    coins_awarded: claim.coins_awarded,
                    new_balance: transfer.new_balance,
                    next_claim_at: Timestamp::start_of_utc_day(claim.day.saturating_add(1)),
                    streak_days: claim.streak_days,
                    streak_bonus: claim.streak_bonus,
                };
                Ok((
                    StatusCode::OK,
                    WithMessage { message: text!("The daily coins are yours."), data },
                ))
            };
            Ok(super::claim_each(tx, rules, &claimants)?.into_iter().map(view).collect())
        })
    }
}

/// Show my balance and my streak.
#[utoipa::path(get, path = "/api/auth/coins", tag = "Coins", security(("user" = [])),
    responses((status = 200, body = Data<CoinsView>)))]
async fn show_coins(State(coins): State<Coins>, user: User) -> Result<Json<Data<CoinsView>>> {
    let account = coins.show.ask(ShowAccount(user.id)).await?;
    let today = coins.clock.now().utc_day();
    Ok(Data::json(super::summarise(&account, &coins.config.coins, today)))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct TransactionsQuery {
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Entries on a page, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List my transactions, newest first.
#[utoipa::path(get, path = "/api/auth/coins/transactions", tag = "Coins", security(("user" = [])),
    params(TransactionsQuery), responses((status = 200, body = Listed<TransactionView, PageMeta>)))]
async fn list_coin_transactions(
    State(core): State<Core>,
    user: User,
    Params(query): Params<TransactionsQuery>,
) -> Result<Json<Listed<TransactionView, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let list = move |tx: &mut Tx| super::list_transfers(tx, user.id, page);
    let (data, total) = core.db.read_aside(user.id.0, list).await?;
    Ok(Json(Listed { data, meta: page.meta(total) }))
}

input! {
    #[derive(ToSchema)]
    struct CorrectionBody {
        amount: SignedAmount,
        reason: CorrectionReason,
    }
}

#[derive(Serialize, ToSchema)]
struct CorrectedView {
    #[schema(example = 470)]
    previous_balance: i64,
    #[schema(example = 30)]
    amount: i64,
    #[schema(example = 500)]
    new_balance: i64,
    transaction_id: TransferId,
}

/// Correct a user's balance by a signed amount.
///
/// An `Idempotency-Key` is the operator's own: it is kept apart from the keys of the user and of other operators.
#[utoipa::path(post, path = "/api/admin/users/{user}/coins", tag = "Operators",
    security(("operator" = ["operator"])),
    params(("user" = i64, Path, minimum = 1, description = "The user's id"),
        ("Idempotency-Key" = Option<String>, Header, pattern = "^[ -~]{1,255}$", description = "1 to 255 printable ASCII characters")),
    request_body = CorrectionBody, responses(
    (status = 200, body = WithMessage<CorrectedView>),
    (status = 400, description = "The balance would be below zero", body = ErrorBody)),
    extensions(("x-codes" = json!(["400 insufficient_balance", "400 balance_limit", "503 account_frozen"]))))]
async fn correct_coins(
    State(core): State<Core>,
    guard::Operator(operator): guard::Operator,
    PathId(user): PathId,
    ValidOnce(body, once): ValidOnce<CorrectionBody>,
) -> Result<Answer> {
    let (user, once) = (UserId(user), once.by_operator(&operator.name));
    let correct = move |tx: &mut Tx| {
        // Before the key, which can only be kept for a user that exists.
        users::get(tx, user)?;
        idempotency::once(tx, user, &once, |tx| {
            let transfer = super::correct(tx, user, body.amount, &body.reason)?;
            let data = CorrectedView {
                previous_balance: transfer.previous_balance,
                amount: body.amount.get(),
                new_balance: transfer.new_balance,
                transaction_id: transfer.id,
            };
            let detail = json!({
                "amount": data.amount, "reason": body.reason.as_str(),
                "new_balance": data.new_balance, "transaction_id": data.transaction_id,
            });
            let change = Change {
                before: json!({"balance": data.previous_balance}),
                after: json!({"balance": data.new_balance}),
            };
            let subject = format!("user {}", user.0);
            operators::audit_change(tx, &operator, "coins.correct", &subject, &detail, &change)?;
            Ok((StatusCode::OK, WithMessage { message: text!("The balance is corrected."), data }))
        })
    };
    let answer = core.db.write(correct).await?;
    count(&answer, "corrections");
    Ok(answer)
}

input! {
    #[derive(ToSchema)]
    struct UnfreezeBody {
        /// What was found out, for the audit log.
        reason: CorrectionReason,
    }
}

/// Let a frozen account move again, with the balance that its entries say.
#[utoipa::path(post, path = "/api/admin/users/{user}/coins/unfreeze", tag = "Operators",
    security(("operator" = ["operator"])), params(("user" = i64, Path, minimum = 1, description = "The user's id")),
    request_body = UnfreezeBody, responses(
    (status = 200, body = WithMessage<RestoredView>),
    (status = 409, description = "The account is not frozen, or its entries are not whole", body = ErrorBody)),
    extensions(("x-codes" = json!(["409 not_frozen", "409 entries_broken"]))))]
async fn unfreeze_coins(
    State(core): State<Core>,
    guard::Operator(operator): guard::Operator,
    PathId(user): PathId,
    Valid(body): Valid<UnfreezeBody>,
) -> Result<Json<WithMessage<RestoredView>>> {
    let unfreeze = move |tx: &mut Tx| {
        let restored = super::unfreeze(tx, UserId(user))?;
        let detail = json!({
            "reason": body.reason.as_str(), "wrong_balance": restored.wrong_balance,
            "balance": restored.balance,
        });
        let change = Change {
            before: json!({"is_frozen": true, "balance": restored.wrong_balance}),
            after: json!({"is_frozen": false, "balance": restored.balance}),
        };
        let subject = format!("user {user}");
        operators::audit_change(tx, &operator, "coins.unfreeze", &subject, &detail, &change)?;
        Ok(restored)
    };
    Ok(WithMessage::json(text!("The account moves again."), core.db.write(unfreeze).await?))
}
