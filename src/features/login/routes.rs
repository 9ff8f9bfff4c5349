//! Login, phone verification and the SMS log.

use axum::extract::{FromRef, State};
use axum::response::Response;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::adapters::matrix::Credentials;
use crate::features::chat;
use crate::features::login::Login;
use crate::features::sessions::{Sessions, User};
use crate::features::users::{Name, Phone, UserId, Username};
use crate::platform::clock::{DAY_MS, SECOND_MS, Timestamp};
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::caller;
use crate::platform::http::client_address::ClientAddress;
use crate::platform::http::input::{Params, Valid};
use crate::platform::http::list::{self, List};
use crate::platform::http::moments::UtcDate;
use crate::platform::http::views::{Data, Json, WithMessage};
use crate::platform::texts::Text;
use crate::{input, text_input};

use super::sms_log::{self, LogFilter, SmsLogView};
use super::{CODE_VALID_MS, Code, LoggedIn, Owner, Try};

const SENT: Text = text!("A code has been sent.");

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Login: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(request_code))
        .routes(routes!(verify_code))
        .routes(routes!(log_in))
        .routes(routes!(initiate_phone_verification))
        .routes(routes!(verify_phone))
        .routes(routes!(resend_code))
}

/// Routes that do not exist in production.
pub fn development_routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Login: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(list_sms_log))
}

input! {
    #[derive(ToSchema)]
    struct PhoneBody {
        /// International format; spaces, dashes, dots and brackets are ignored, and so is a zero that is dialled at home only.
        phone: Phone,
    }
}

#[derive(Serialize, ToSchema)]
struct SentView {
    /// Seconds for which the code is valid.
    #[schema(example = 300)]
    expires_in: i64,
}

fn sent() -> Json<WithMessage<SentView>> {
    WithMessage::json(SENT, SentView { expires_in: CODE_VALID_MS / SECOND_MS })
}

/// Request a login code by SMS.
#[utoipa::path(post, path = "/api/code/request", tag = "Login", security(()),
    request_body = PhoneBody, responses(
    (status = 200, body = WithMessage<SentView>),
    (status = 429, description = "Too many codes were sent", body = crate::platform::http::error_body::ErrorBody)),
    extensions(("x-codes" = json!(["429 phone_send_limit", "429 phone_daily_send_limit", "429 prefix_send_limit", "429 address_send_limit", "429 sms_budget", "503 sms_unavailable"]))))]
async fn request_code(
    State(login): State<Login>,
    address: ClientAddress,
    Valid(body): Valid<PhoneBody>,
) -> Result<Json<WithMessage<SentView>>> {
    super::request(&login, Owner::Login, body.phone, address).await?;
    Ok(sent())
}

input! {
    #[derive(ToSchema)]
    struct LoginBody {
        phone: Phone,
        code: Code,
        /// The name to register under; only for a phone that is new.
        username: Option<Username>,
        /// What to call this device in the list of sessions.
        device_name: Option<Name>,
    }
}

#[derive(Serialize, ToSchema)]
struct LoginView {
    user: LoginUserView,
    /// Whether this login made the user: the moment to ask for a username, a name, a team.
    is_new: bool,
    /// Send it as `Authorization: Bearer <token>`.
    #[schema(example = "tl_...")]
    token: String,
    /// Credentials for the chat network; null while it cannot be reached.
    matrix_credentials: Option<Credentials>,
}

#[derive(Serialize, ToSchema)]
struct LoginUserView {
    id: UserId,
    phone: Option<Phone>,
    username: Username,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

/// Verify a code and log in.
#[utoipa::path(post, path = "/api/code/verify", tag = "Login", security(()),
    request_body = LoginBody, responses(
    (status = 200, body = Data<LoginView>),
    (status = 401, description = "The code is wrong or has expired", body = crate::platform::http::error_body::ErrorBody),
    (status = 403, description = "The account is banned", body = crate::platform::http::error_body::ErrorBody),
    (status = 429, description = "Too many wrong codes", body = crate::platform::http::error_body::ErrorBody)),
    extensions(("x-codes" = json!(["401 invalid_code", "403 banned", "429 too_many_wrong_codes", "429 address_wrong_code_limit"]))))]
async fn verify_code(
    State(login): State<Login>,
    address: ClientAddress,
    Valid(body): Valid<LoginBody>,
) -> Result<Json<Data<LoginView>>> {
    exchange(login, body, address).await
}

/// Log in: the same as verifying a code.
#[utoipa::path(post, path = "/api/auth/login", tag = "Login", security(()),
    request_body = LoginBody, responses(
    (status = 200, body = Data<LoginView>),
    (status = 401, description = "The code is wrong or has expired", body = crate::platform::http::error_body::ErrorBody),
    (status = 403, description = "The account is banned", body = crate::platform::http::error_body::ErrorBody),
    (status = 429, description = "Too many wrong codes", body = crate::platform::http::error_body::ErrorBody)),
    extensions(("x-codes" = json!(["401 invalid_code", "403 banned", "429 too_many_wrong_codes", "429 address_wrong_code_limit"]))))]
async fn log_in(
    State(login): State<Login>,
    address: ClientAddress,
    Valid(body): Valid<LoginBody>,
) -> Result<Json<Data<LoginView>>> {
    exchange(login, body, address).await
}

async fn exchange(
    login: Login,
    body: LoginBody,
    address: ClientAddress,
) -> Result<Json<Data<LoginView>>> {
    let device_name = body.device_name.map(|name| name.to_string());
    let one_try = Try::new(&login, Owner::Login, body.phone, body.code, address);
    let logged_in = super::log_in(&login, one_try, body.username, device_name).await?;
    let LoggedIn { user, token, session_id, device, is_new } = logged_in;
    caller::is(user.id.0);
    let caller = User { id: user.id, session_id };
    let matrix_credentials = chat::credentials_in_time(&login.chat, caller, device).await;
    let user = LoginUserView {
        id: user.id,
        phone: user.phone,
        username: user.username,
        created_at: user.created_at,
    };
    let token = token.expose().to_owned();
    Ok(Data::json(LoginView { user, is_new, token, matrix_credentials }))
}

#[derive(Serialize, ToSchema)]
struct InitiatedView {
    /// Seconds for which the code is valid.
    #[schema(example = 300)]
    expires_in: i64,
    phone: Phone,
}

/// Begin to verify a phone for my account.
///
/// Verifying a new number moves the account to it.
#[utoipa::path(post, path = "/api/auth/verify-phone/initiate", tag = "Phone verification",
    security(("user" = [])), request_body = PhoneBody, responses(
    (status = 200, body = WithMessage<InitiatedView>),
    (status = 429, description = "Too many codes were sent", body = crate::platform::http::error_body::ErrorBody)),
    extensions(("x-codes" = json!(["429 phone_send_limit", "429 phone_daily_send_limit", "429 prefix_send_limit", "429 address_send_limit", "429 sms_budget", "503 sms_unavailable"]))))]
async fn initiate_phone_verification(
    State(login): State<Login>,
    user: User,
    address: ClientAddress,
    Valid(body): Valid<PhoneBody>,
) -> Result<Json<WithMessage<InitiatedView>>> {
    let phone = body.phone;
    super::request(&login, Owner::Verification(user.id), phone.clone(), address).await?;
    Ok(WithMessage::json(SENT, InitiatedView { expires_in: CODE_VALID_MS / SECOND_MS, phone }))
}

input! {
    #[derive(ToSchema)]
    struct VerifyBody {
        phone: Phone,
        code: Code,
    }
}

#[derive(Serialize, ToSchema)]
struct VerifiedView {
    verified: bool,
    phone: Phone,
}

/// Complete a phone verification.
#[utoipa::path(post, path = "/api/auth/verify-phone", tag = "Phone verification",
    security(("user" = [])), request_body = VerifyBody, responses(
    (status = 200, body = WithMessage<VerifiedView>),
    (status = 401, description = "The code is wrong or has expired", body = crate::platform::http::error_body::ErrorBody),
    (status = 429, description = "Too many wrong codes", body = crate::platform::http::error_body::ErrorBody)),
    extensions(("x-codes" = json!(["401 invalid_code", "422 no_pending_verification", "422 phone_mismatch", "422 phone_taken", "429 too_many_wrong_codes", "429 address_wrong_code_limit"]))))]
async fn verify_phone(
    State(login): State<Login>,
    user: User,
    address: ClientAddress,
    Valid(body): Valid<VerifyBody>,
) -> Result<Json<WithMessage<VerifiedView>>> {
    let phone = body.phone;
    let one_try = Try::new(&login, Owner::Verification(user.id), phone.clone(), body.code, address);
    super::verify_phone(&login, user, one_try).await?;
    Ok(WithMessage::json(
        text!("The phone number is verified."),
        VerifiedView { verified: true, phone },
    ))
}

/// Send a pending code again.
///
/// Without a token, for a pending login; with one, for my pending phone verification.
#[utoipa::path(post, path = "/api/auth/resend-code", tag = "Phone verification",
    security((), ("user" = [])), request_body = PhoneBody, responses(
    (status = 200, body = WithMessage<SentView>),
    (status = 429, description = "Too many codes were sent", body = crate::platform::http::error_body::ErrorBody)),
    extensions(("x-codes" = json!(["429 phone_send_limit", "429 phone_daily_send_limit", "429 prefix_send_limit", "429 address_send_limit", "429 sms_budget", "503 sms_unavailable", "422 no_pending_verification"]))))]
async fn resend_code(
    State(login): State<Login>,
    user: Option<User>,
    address: ClientAddress,
    Valid(body): Valid<PhoneBody>,
) -> Result<Json<WithMessage<SentView>>> {
    let owner = user.map_or(Owner::Login, |user| Owner::Verification(user.id));
    super::resend(&login, owner, body.phone, address).await?;
    Ok(sent())
}

/// `sent` or `failed`.
struct Status(String);

impl TryFrom<&str> for Status {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        match text {
            "sent" | "failed" => Ok(Self(text.to_owned())),
            _ => Err(text!("Must be sent or failed.")),
        }
    }
}

text_input!(Status);

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct SmsLogQuery {
        /// Only messages to this number.
        #[param(value_type = Option<Phone>)]
        phone: Option<Phone>,
        /// Only messages of this UTC day.
        #[param(value_type = Option<String>, format = Date)]
        date: Option<UtcDate>,
        /// Only messages that were `sent`, or that `failed`.
        #[param(value_type = Option<String>, pattern = "^(sent|failed)$")]
        status: Option<Status>,
    }
}

/// Read the SMS log, newest first. Not there in production.
#[utoipa::path(get, path = "/api/logs/sms", tag = "Development", security(()), params(SmsLogQuery),
    responses((status = 200, body = Data<Vec<SmsLogView>>)),
    extensions(("x-codes" = json!(["404 not_found", "429 address_list_limit"]))))]
async fn list_sms_log(
    State(login): State<Login>,
    address: ClientAddress,
    Params(query): Params<SmsLogQuery>,
) -> Result<Response> {
    let filter = LogFilter {
        phone: query.phone,
        from: query.date.map(|date| date.0),
        until: query.date.map(|date| date.0.plus_ms(DAY_MS)),
        status: query.status.map(|status| status.0),
    };
    let list = move |tx: &mut Tx, list: &mut List<'_>| {
        let page = list.page(None);
        sms_log::each(tx, &filter, page, |entry| list.push(&entry))
    };
    list::respond(&login.db, address.reader(None), list).await
}
