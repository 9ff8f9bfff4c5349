//! Devices as their owners register and remove them.

use axum::extract::{FromRef, State};
use http::{HeaderMap, StatusCode};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::adapters::matrix;
use crate::features::push::Push;
use crate::features::sessions::{self, Sessions, User};
use crate::input;
use crate::platform::clock::MINUTE_MS;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::error_body::ErrorBody;
use crate::platform::http::input::Valid;
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Data, Json, Message, WithMessage};
use crate::platform::language::Language;
use crate::platform::limits::{self, Limit, Who};

use super::values::{DeviceId, DeviceKind, DeviceName, Zone};
use super::{DeviceView, Registration};

const REGISTRATIONS: Limit =
    Limit { code: "too_many_devices", most: 30, window_ms: 10 * MINUTE_MS };

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Push: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(list_devices, register_device))
        .routes(routes!(remove_device))
        .routes(routes!(show_push_key))
}

input! {
    #[derive(ToSchema)]
    #[schema(as = DeviceBody)]
    struct NewDeviceBody {
        kind: DeviceKind,
        /// Of a browser the `endpoint` of its subscription; of Firebase and Apple the device's token; otherwise an https address that takes a
        /// POST with the message as JSON.
        #[schema(min_length = 1, max_length = 2000, example = "https://push.example.org/send/abc")]
        address: String,
        /// Of a browser: its subscription's `keys.p256dh`.
        #[schema(example = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")]
        p256dh: Option<String>,
        /// Of a browser: its subscription's `keys.auth`.
        #[schema(example = "BTBZMqHH6r4Tts7J_aSIgg")]
        auth: Option<String>,
        name: Option<DeviceName>,
        /// Where its owner is, by the tz database, for quiet hours: taken if they have not said so before.
        zone: Option<Zone>,
    }
}

/// Register this device for messages, or say anew what is known of it. It is forgotten with this login.
#[utoipa::path(post, path = "/api/auth/devices", tag = "Push", security(("user" = [])), request_body = NewDeviceBody,
    responses((status = 201, body = WithMessage<DeviceView>),
    (status = 429, description = "Too many registrations", body = ErrorBody)),
    extensions(("x-codes" = json!(["429 too_many_devices"]))))]
async fn register_device(
    State(push): State<Push>,
    user: User,
    headers: HeaderMap,
    Valid(body): Valid<NewDeviceBody>,
) -> Result<(StatusCode, Json<WithMessage<DeviceView>>)> {
    let (who, state) = (Who::user(&push.keys, user.id), push.clone());
    let language = Language::accepted(&headers);
    let register = move |tx: &mut Tx| {
        sessions::confirm(tx, user)?;
        limits::hit(tx, REGISTRATIONS, &who)?;
        let new = Registration {
            kind: body.kind,
            address: &body.address,
            p256dh: body.p256dh.as_deref(),
            auth: body.auth.as_deref(),
            name: body.name.as_ref(),
            zone: body.zone.as_ref(),
            language,
        };
        super::check(&state, &new)?;
        super::register(tx, user, &new)
    };
    let device = push.db.write(register).await?;
    let message =
        WithMessage::json(text!("Messages go to this device."), DeviceView::of(device, &push.keys));
    Ok((StatusCode::CREATED, message))
}

/// List my devices.
#[utoipa::path(get, path = "/api/auth/devices", tag = "Push", security(("user" = [])),
    responses((status = 200, body = Data<Vec<DeviceView>>)))]
async fn list_devices(State(push): State<Push>, user: User) -> Result<Json<Data<Vec<DeviceView>>>> {
    let rows = push.db.read(move |tx| super::list_devices(tx, user.id)).await?;
    Ok(Data::json(rows.into_iter().map(|row| DeviceView::of(row, &push.keys)).collect()))
}

/// Remove one of my devices.
#[utoipa::path(delete, path = "/api/auth/devices/{device}", tag = "Push", security(("user" = [])),
    params(("device" = i64, Path, minimum = 1)),
    responses((status = 200, body = Message), (status = 404, description = "I have no such device", body = ErrorBody)),
    extensions(("x-codes" = json!(["404 not_found"]))))]
async fn remove_device(
    State(push): State<Push>,
    user: User,
    PathId(id): PathId,
) -> Result<Json<Message>> {
    let remove = move |tx: &mut Tx| {
        sessions::confirm(tx, user)?;
        super::remove(tx, user.id, DeviceId(id))
    };
    push.db.write(remove).await?;
    Ok(Json(Message { message: text!("No more messages go to this device.") }))
}

#[derive(Debug, Serialize, ToSchema)]
struct PushKeyView {
    /// What a page gives `pushManager.subscribe` as its `applicationServerKey`, in URL-safe Base64.
    #[schema(
        example = "BDd3_hVL9fZi9Ybo2UUzA284WG5FZR30_95YeZJsiApwXKpNcF1rRPF3foIiBHXRdJI2Qhumhf6_LFTeZaNndIo"
    )]
    public_key: String,
    /// The sorts of devices that this service reaches.
    kinds: Vec<DeviceKind>,
    /// Where a pusher at the homeserver sends what is said in chat rooms, with a device's `pushkey`.
    #[schema(example = "https://app.example.org/_matrix/push/v1/notify")]
    gateway_url: String,
}

/// Show by which key browsers subscribe, and which devices can be reached.
#[utoipa::path(get, path = "/api/auth/push/key", tag = "Push", security(("user" = [])),
    responses((status = 200, body = Data<PushKeyView>)))]
async fn show_push_key(State(push): State<Push>, _: User) -> Result<Json<Data<PushKeyView>>> {
    Ok(Data::json(PushKeyView {
        public_key: push.public_key(),
        kinds: push.kinds(),
        gateway_url: matrix::push_gateway_url(&push.config),
    }))
}
