//! Reports: handed to the application service, which has the people who read them.
//!
//! Owns: who may report what.
//! Invariants: a report is answered as the service answered it, so one that is taken is on its disk.
//! Never: keeps a report itself.

use axum::response::IntoResponse;
use http::StatusCode;
use ruma::api::client::reporting::report_user;
use ruma::api::client::room::{report_content, report_room};
use ruma::{EventId, RoomId};
use serde_json::{Value, json};

use crate::Hs;
use crate::error::{Error, Result};
use crate::http::{Call, Caller, Done, Look, Reply, Routes, ok};
use crate::store::events::is_joined;
use crate::store::exists;

/// How long to wait where the service does not say.
const RETRY_MS: u64 = 60_000;

pub fn routes(routes: Routes) -> Routes {
    routes
        .serve(async |call: Call<report_content::v3::Request>| {
            let (me, body) = (call.me()?.clone(), &call.body);
            let (room, event) = (body.room_id.clone(), body.event_id.clone());
            let sender = look(&call, move |look| find_sender(look, &room, Some(&event))).await?;
            let report = json!({"room_id": body.room_id, "event_id": body.event_id,
                                "user_id": sender, "reason": body.reason});
            hand_over(&call.hs, &me, report).await
        })
        .serve(async |call: Call<report_room::v3::Request>| {
            let (me, room) = (call.me()?.clone(), call.body.room_id.clone());
            look(&call, move |look| find_sender(look, &room, None)).await?;
            let report = json!({"room_id": call.body.room_id, "reason": call.body.reason});
            hand_over(&call.hs, &me, report).await
        })
        .serve(async |call: Call<report_user::v3::Request>| {
            let (me, user) = (call.me()?.clone(), call.body.user_id.to_string());
            look(&call, move |look| {
                let sql = "SELECT 1 FROM users WHERE user = ?1";
                let missing = || Error::not_found("User not found");
                exists(look.conn, sql, [user])?.then_some(()).ok_or_else(missing)
            })
            .await?;
            let report = json!({"user_id": call.body.user_id, "reason": call.body.reason});
            hand_over(&call.hs, &me, report).await
        })
}

/// Looks something up, for somebody who does not report too much, if reports are taken at all.
async fn look<T, R: Send + 'static>(
    call: &Call<T>,
    script: impl FnOnce(&Look<'_>) -> Result<R> + Send + 'static,
) -> Result<R> {
    if !call.hs.pusher.takes_reports() {
        return Err(Error::unrecognized(StatusCode::NOT_FOUND));
    }
    call.limit_messages()?;
    let me = call.me()?.clone();
    let (now, upto) = (call.hs.now(), call.hs.live.position());
    call.hs.store.read(move |conn| script(&Look { conn, me: &me, now, upto })).await
}

/// Whoever sent the event, if the reporter is in its room and sees it.
fn find_sender(look: &Look<'_>, room: &RoomId, event: Option<&EventId>) -> Result<Option<String>> {
    let missing = |_| Error::not_found("The event was not found or you are not in the room");
    let seen = look.room(room).map_err(missing)?;
    if !is_joined(look.conn, seen.room, look.me.id())? {
        return Err(Error::not_found("You are not in the room"));
    }
    Ok(event.map(|event| seen.event(event)).transpose()?.map(|event| event.sender))
}

async fn hand_over(hs: &Hs, me: &Caller, mut report: Value) -> Reply {
    if let Some(fields) = report.as_object_mut() {
        fields.insert("reporter".to_owned(), me.id().into());
    }
    match hs.pusher.report(&report).await {
        Some((StatusCode::OK, _)) => ok(Done {}),
        Some((StatusCode::TOO_MANY_REQUESTS, answer)) => {
            let wait = answer.get("retry_after_ms").and_then(Value::as_u64);
            Err(Error::limited(wait.unwrap_or(RETRY_MS)))
        }
        // What the service has against it is said in Matrix's own words.
        Some((status @ (StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND), answer)) => {
            Ok((status, axum::Json(answer)).into_response())
        }
        _ => {
            let text = "The report could not be handed over; try again later";
            Err(Error::new(StatusCode::SERVICE_UNAVAILABLE, "M_UNKNOWN", text))
        }
    }
}
