//! What somebody wants to be told, and when.

use axum::extract::{FromRef, State};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::sessions::{self, Sessions, User};
use crate::input;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::Valid;
use crate::platform::http::views::{Data, Json, WithMessage};

use super::SettingsRow;
use super::values::{Lead, MostADay, TimeOfDay, Zone};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(show_push_settings, change_push_settings))
}

#[derive(Debug, Serialize, ToSchema)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct SettingsView {
    /// Before a match that I have not predicted.
    reminder: bool,
    /// How many minutes before kick-off.
    remind_minutes: Lead,
    /// Of matches of my favourite teams.
    remind_teams: bool,
    /// Of matches that count in one of my leagues.
    remind_leagues: bool,
    /// When a match of my favourite teams begins.
    kick_off: bool,
    /// In matches of my favourite teams.
    goal: bool,
    /// The result of what I predicted, and what it earned.
    result: bool,
    /// Into a chat room.
    invitation: bool,
    /// When somebody speaks of me, or to me, in a chat room.
    mention: bool,
    /// What is said in my chat rooms, by my push rules there, where an app of mine has set a pusher.
    chat: bool,
    /// What the operators tell.
    message: bool,
    /// From here on nothing is sent, in my time zone.
    quiet_from: TimeOfDay,
    /// The end of that; the same as its beginning for never.
    quiet_until: TimeOfDay,
    zone: Zone,
    most_a_day: MostADay,
}

impl From<SettingsRow> for SettingsView {
    fn from(row: SettingsRow) -> Self {
        Self {
            reminder: row.reminder,
            remind_minutes: row.remind_minutes,
            remind_teams: row.remind_teams,
            remind_leagues: row.remind_leagues,
            kick_off: row.kick_off,
            goal: row.goal,
            result: row.result,
            invitation: row.invitation,
            mention: row.mention,
            chat: row.chat,
            message: row.message,
            quiet_from: row.quiet_from,
            quiet_until: row.quiet_until,
            zone: row.zone,
            most_a_day: row.most_a_day,
        }
    }
}

input! {
    #[derive(ToSchema)]
    #[schema(as = PushSettingsBody)]
    pub struct SettingsChange {
        reminder: Option<bool>,
        /// 15, 30, 60, 180, 720 or 1440.
        remind_minutes: Option<Lead>,
        remind_teams: Option<bool>,
        remind_leagues: Option<bool>,
        kick_off: Option<bool>,
        goal: Option<bool>,
        result: Option<bool>,
        invitation: Option<bool>,
        mention: Option<bool>,
        chat: Option<bool>,
        message: Option<bool>,
        quiet_from: Option<TimeOfDay>,
        quiet_until: Option<TimeOfDay>,
        /// By its name in the tz database.
        zone: Option<Zone>,
        most_a_day: Option<MostADay>,
    }
}

impl SettingsChange {
    /// What is absent stays.
    pub fn apply(&self, row: &mut SettingsRow) {
        fn set<T: Clone>(place: &mut T, wanted: Option<&T>) {
            if let Some(wanted) = wanted {
                place.clone_from(wanted);
            }
        }
        set(&mut row.reminder, self.reminder.as_ref());
        set(&mut row.remind_minutes, self.remind_minutes.as_ref());
        set(&mut row.remind_teams, self.remind_teams.as_ref());
        set(&mut row.remind_leagues, self.remind_leagues.as_ref());
        set(&mut row.kick_off, self.kick_off.as_ref());
        set(&mut row.goal, self.goal.as_ref());
        set(&mut row.result, self.result.as_ref());
        set(&mut row.invitation, self.invitation.as_ref());
        set(&mut row.mention, self.mention.as_ref());
        set(&mut row.chat, self.chat.as_ref());
        set(&mut row.message, self.message.as_ref());
        set(&mut row.quiet_from, self.quiet_from.as_ref());
        set(&mut row.quiet_until, self.quiet_until.as_ref());
        set(&mut row.zone, self.zone.as_ref());
        set(&mut row.most_a_day, self.most_a_day.as_ref());
    }
}

/// Show what I want to be told, and when.
#[utoipa::path(get, path = "/api/auth/push/settings", tag = "Push", security(("user" = [])),
    responses((status = 200, body = Data<SettingsView>)))]
async fn show_push_settings(
    State(core): State<Core>,
    user: User,
) -> Result<Json<Data<SettingsView>>> {
    let settings = core.db.read(move |tx| super::settings(tx, user.id)).await?;
    Ok(Data::json(settings.into()))
}

/// Say what I want to be told, and when; what is absent stays.
#[utoipa::path(patch, path = "/api/auth/push/settings", tag = "Push", security(("user" = [])), request_body = SettingsChange,
    responses((status = 200, body = WithMessage<SettingsView>)))]
async fn change_push_settings(
    State(core): State<Core>,
    user: User,
    Valid(body): Valid<SettingsChange>,
) -> Result<Json<WithMessage<SettingsView>>> {
    let change = move |tx: &mut Tx| {
        sessions::confirm(tx, user)?;
        super::change_settings(tx, user.id, &body)
    };
    let settings = core.db.write(change).await?;
    Ok(WithMessage::json(text!("Your wishes are noted."), settings.into()))
}
