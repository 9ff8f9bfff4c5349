//! The pages at `/sign-in`: plain forms, which work without scripts. They are no part of the API's description.

use axum::Router;
use axum::body::Body;
use axum::extract::{FromRef, State};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use http::{HeaderMap, HeaderValue, Request, StatusCode, Uri, header};

use crate::adapters::matrix::ReturnAddress;
use crate::features::chat_login::ChatLogin;
use crate::features::login::Code;
use crate::features::users::Phone;
use crate::platform::core::Core;
use crate::platform::error::{Error, Result};
use crate::platform::http::AppState;
use crate::platform::http::client_address::ClientAddress;
use crate::platform::http::error_body::{self, Told};
use crate::platform::http::input::read_bytes;
use crate::platform::http::web_files;
use crate::platform::texts::{self, Text};

use super::{PAGE, RESET_PAGE, Reset, page};

/// Nothing runs, nothing comes from elsewhere, no form goes elsewhere. The last step is a link, which no policy stops.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/// A form has an address, a phone and a code.
const FORM_LIMIT_BYTES: usize = 16 * 1024;
/// As many letters of a wrong phone number are shown again.
const SHOWN_CHARS: usize = 40;

pub fn routes<S: AppState>() -> Router<S>
where
    ChatLogin: FromRef<S>,
    Core: FromRef<S>,
{
    Router::new()
        .route(PAGE, get(show_phone_form))
        .route("/sign-in/code", post(send_code).get(begin_anew))
        .route("/sign-in/enter", post(enter).get(begin_anew))
        .route(RESET_PAGE, get(show_reset))
        .route("/sign-in/reset/code", post(send_reset_code).get(begin_anew))
        .route("/sign-in/reset/confirm", post(confirm_reset).get(begin_anew))
        .route("/sign-in/tokens.css", get(|headers| file("shared/tokens.css", headers)))
        .route("/sign-in/sign-in.css", get(|headers| file("sign-in/sign-in.css", headers)))
        .route("/sign-in/icon.svg", get(|headers| file("app/icon.svg", headers)))
}

async fn file(path: &'static str, headers: HeaderMap) -> Response {
    web_files::show(path, &headers).await
}

fn answer(status: StatusCode, page: String) -> Response {
    let mut response = (status, Html(page)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    let language = HeaderValue::from_static(texts::speaks().code());
    headers.insert(header::CONTENT_LANGUAGE, language);
    response
}

fn ok(page: String) -> Response {
    answer(StatusCode::OK, page)
}

/// The page again, with what was wrong.
fn again(error: Error, page: impl FnOnce(&str) -> String) -> Response {
    let Told { status, sentence, retry_after_s } = error_body::tell(error);
    let mut response = answer(status, page(&sentence));
    if let Some(seconds) = retry_after_s {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
    }
    response
}

const FAILED: Text = text!("This does not work");

fn nowhere_to_go() -> Response {
    let words = text!("This link leads back to no app. Begin again in your app.");
    answer(StatusCode::BAD_REQUEST, page::say(FAILED, words))
}

fn nothing_waits() -> Response {
    let words = text!("There is nothing to confirm here, or no longer. Begin again in your app.");
    answer(StatusCode::NOT_FOUND, page::say(FAILED, words))
}

/// The address of a form, opened without it.
async fn begin_anew() -> Response {
    let words = text!("This page is one step of several. Begin again in your app.");
    answer(StatusCode::BAD_REQUEST, page::say(FAILED, words))
}

/// The fields of a form, or of a query.
struct Fields(Vec<(String, String)>);

impl Fields {
    fn of(bytes: &[u8]) -> Self {
        Self(form_urlencoded::parse(bytes).into_owned().collect())
    }

    fn take(&self, name: &str) -> &str {
        self.0.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value)
    }

    fn address(&self) -> Option<ReturnAddress> {
        ReturnAddress::parse(self.take("redirectUrl"))
    }

    fn phone(&self) -> Result<Phone> {
        Phone::try_from(self.take("phone")).map_err(|text| Error::invalid("phone", text))
    }

    fn code(&self) -> Result<Code> {
        // Some messages are read out, and copied, with a gap in the middle.
        let digits: String = self.take("code").split_whitespace().collect();
        Code::try_from(digits.as_str()).map_err(|text| Error::invalid("code", text))
    }
}

/// What a form of ours brings, or the page that says why it is not taken.
async fn read_form(core: &Core, request: Request<Body>) -> std::result::Result<Fields, Response> {
    let headers = request.headers();
    if !is_from_here(core, headers, request.uri()) {
        let words = text!("This form was sent from another site. Begin again in your app.");
        return Err(answer(StatusCode::FORBIDDEN, page::say(FAILED, words)));
    }
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        return Err(again(Error::UnsupportedMediaType, page::say_problem));
    }
    let timeout_ms = core.config.http.body_timeout_ms;
    match read_bytes(request, FORM_LIMIT_BYTES, timeout_ms).await {
        Ok(bytes) => Ok(Fields::of(&bytes)),
        Err(error) => {
            let mut response = again(error, page::say_problem);
            // The rest of the body is not read, so the connection cannot carry another request.
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            Err(response)
        }
    }
}

/// Whether a form was sent by a page of ours, as browsers say it. Who is no browser says nothing, and cannot be made to send forms.
fn is_from_here(core: &Core, headers: &HeaderMap, uri: &Uri) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    // Scripts cannot change it. Over plain HTTP browsers leave it out.
    if let Some(site) = headers.get("sec-fetch-site") {
        return matches!(site.to_str(), Ok("same-origin" | "none"));
    }
    if !headers.contains_key(header::ORIGIN) {
        return true;
    }
    let origin = text("origin").and_then(|origin| origin.split_once("://"));
    let Some((_, origin)) = origin else { return false };
    // A proxy may have changed the host.
    let public = core.config.public_url();
    let public = public.split_once("://").map(|(_, rest)| rest.split('/').next().unwrap_or(rest));
    let host = uri.authority().map(http::uri::Authority::as_str).or_else(|| text("host"));
    [public, host].into_iter().flatten().any(|ours| ours.eq_ignore_ascii_case(origin))
}

fn query_of(uri: &Uri) -> Fields {
    Fields::of(uri.query().unwrap_or_default().as_bytes())
}

async fn show_phone_form(uri: Uri) -> Response {
    match query_of(&uri).address() {
        Some(address) => ok(page::ask_for_phone(&address, "", None)),
        None => nowhere_to_go(),
    }
}

async fn send_code(
    State(this): State<ChatLogin>,
    from: ClientAddress,
    request: Request<Body>,
) -> Response {
    let form = match read_form(&this, request).await {
        Ok(form) => form,
        Err(response) => return response,
    };
    let Some(address) = form.address() else { return nowhere_to_go() };
    let sent = match form.phone() {
        Ok(phone) => super::send_code(&this, phone.clone(), from).await.map(|()| phone),
        Err(error) => Err(error),
    };
    match sent {
        Ok(phone) => ok(page::ask_for_code(&address, &phone, None)),
        Err(error) => {
            let typed: String = form.take("phone").chars().take(SHOWN_CHARS).collect();
            again(error, |wrong| page::ask_for_phone(&address, &typed, Some(wrong)))
        }
    }
}

async fn enter(
    State(this): State<ChatLogin>,
    from: ClientAddress,
    request: Request<Body>,
) -> Response {
    let form = match read_form(&this, request).await {
        Ok(form) => form,
        Err(response) => return response,
    };
    let Some(address) = form.address() else { return nowhere_to_go() };
    let phone = match form.phone() {
        Ok(phone) => phone,
        Err(error) => {
            return again(error, |wrong| page::ask_for_phone(&address, "", Some(wrong)));
        }
    };
    let entered = match form.code() {
        Ok(code) => super::enter(&this, phone.clone(), code, from).await,
        Err(error) => Err(error),
    };
    match entered {
        Ok(entered) => ok(page::ask_to_go_on(&address, &entered)),
        // There is no code that would help.
        Err(error @ Error::Forbidden { .. }) => again(error, page::say_problem),
        Err(error) => again(error, |wrong| page::ask_for_code(&address, &phone, Some(wrong))),
    }
}

async fn show_reset(State(this): State<ChatLogin>, uri: Uri) -> Response {
    let query = query_of(&uri);
    let session = query.take("session");
    match super::find_reset(&this, session).await {
        Ok(Some(reset)) => ok(page::explain_reset(session, &reset, None)),
        Ok(None) => nothing_waits(),
        Err(error) => again(error, page::say_problem),
    }
}

/// The form of a reset, and what waits under its name.
async fn read_reset(
    this: &ChatLogin,
    request: Request<Body>,
) -> std::result::Result<(Fields, Reset), Response> {
    let form = read_form(this, request).await?;
    match super::find_reset(this, form.take("session")).await {
        Ok(Some(reset)) => Ok((form, reset)),
        Ok(None) => Err(nothing_waits()),
        Err(error) => Err(again(error, page::say_problem)),
    }
}

async fn send_reset_code(
    State(this): State<ChatLogin>,
    from: ClientAddress,
    request: Request<Body>,
) -> Response {
    let (form, reset) = match read_reset(&this, request).await {
        Ok(read) => read,
        Err(response) => return response,
    };
    let session = form.take("session");
    match super::send_reset_code(&this, &reset, from).await {
        Ok(()) => ok(page::ask_for_reset_code(session, &reset, None)),
        Err(error) => again(error, |wrong| page::explain_reset(session, &reset, Some(wrong))),
    }
}

async fn confirm_reset(
    State(this): State<ChatLogin>,
    from: ClientAddress,
    request: Request<Body>,
) -> Response {
    let (form, reset) = match read_reset(&this, request).await {
        Ok(read) => read,
        Err(response) => return response,
    };
    let session = form.take("session");
    let confirmed = match form.code() {
        Ok(code) => super::confirm_reset(&this, session, &reset, code, from).await,
        Err(error) => Err(error),
    };
    match confirmed {
        Ok(true) => {
            let words = text!("Go back to your app: it can now set up your new identity.");
            ok(page::say(text!("Confirmed"), words))
        }
        Ok(false) => nothing_waits(),
        Err(error @ Error::Forbidden { .. }) => again(error, page::say_problem),
        Err(error) => again(error, |wrong| page::ask_for_reset_code(session, &reset, Some(wrong))),
    }
}
