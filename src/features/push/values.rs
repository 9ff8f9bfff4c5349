//! What a device is, what there is to be told, and when nothing is.

use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::platform::clock::{MINUTE_MS, Timestamp};
use crate::platform::db::{FromColumn, Value, column, enum_column, text_column};
use crate::platform::http::input::{Complaint, FromInput, Raw};
use crate::platform::texts::Text;
use crate::{id_input, shown_text, text_input};

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[schema(value_type = i64, minimum = 1, example = 5)]
pub struct DeviceId(pub i64);

column!(DeviceId as i64);
id_input!(DeviceId);

/// By which service a device is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = DeviceKind)]
pub enum DeviceKind {
    /// A browser.
    WebPush,
    /// Android, and whatever else Firebase reaches.
    Fcm,
    /// iPhone and iPad.
    Apns,
    /// A server of the app's own.
    Http,
}

enum_column!(DeviceKind { WebPush = "webpush", Fcm = "fcm", Apns = "apns", Http = "http" });

impl DeviceKind {
    pub const ALL: [Self; 4] = [Self::WebPush, Self::Fcm, Self::Apns, Self::Http];

    pub const fn name(self) -> &'static str {
        match self {
            Self::WebPush => "webpush",
            Self::Fcm => "fcm",
            Self::Apns => "apns",
            Self::Http => "http",
        }
    }
}

impl TryFrom<&str> for DeviceKind {
    type Error = Text;

    fn try_from(word: &str) -> Result<Self, Self::Error> {
        Self::from_value(Value::Text(word))
            .map_err(|_| text!("Must be webpush, fcm, apns or http."))
    }
}

text_input!(DeviceKind);

/// 1 to 100 characters, by which its owner knows a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 100, example = "Ada's phone")]
pub struct DeviceName(String);

text_column!(DeviceName);
text_input!(DeviceName);
shown_text!(DeviceName: 1..=100, "Must have 1 to 100 characters.");

/// A sort of message, which users switch on and off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PushKind)]
pub enum Kind {
    /// A match is about to begin that they have not predicted.
    Reminder,
    KickOff,
    /// Of a favourite team's match.
    Goal,
    /// A result, with what it earned.
    Result,
    Invitation,
    Mention,
    /// What is said in a chat room, by the push rules of whoever hears it.
    Chat,
    /// Of operators.
    Message,
}

enum_column!(Kind {
    Reminder = "reminder",
    KickOff = "kick_off",
    Goal = "goal",
    Result = "result",
    Invitation = "invitation",
    Mention = "mention",
    Chat = "chat",
    Message = "message",
});

impl Kind {
    /// Whether it is one of the few a day that somebody wants: a talk would use them up.
    pub const fn counts(self) -> bool {
        !matches!(self, Self::Chat)
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Reminder => "reminder",
            Self::KickOff => "kick_off",
            Self::Goal => "goal",
            Self::Result => "result",
            Self::Invitation => "invitation",
            Self::Mention => "mention",
            Self::Chat => "chat",
            Self::Message => "message",
        }
    }
}

/// How long before kick-off: one of a few, so that a match is planned a few times and not once for each minute.
pub const LEADS: [i64; 6] = [15, 30, 60, 180, 720, 1_440];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(value_type = i64, minimum = 15, maximum = 1440, example = 60)]
pub struct Lead(i64);

column!(Lead as i64);

impl Lead {
    pub const USUAL: Self = Self(60);

    pub fn all() -> impl Iterator<Item = Self> {
        LEADS.into_iter().map(Self)
    }

    pub const fn minutes(self) -> i64 {
        self.0
    }
}

impl FromInput for Lead {
    fn from_input(raw: Raw) -> Result<Self, Complaint> {
        match i64::from_input(raw) {
            Ok(minutes) if LEADS.contains(&minutes) => Ok(Self(minutes)),
            _ => Err(text!("Must be 15, 30, 60, 180, 720 or 1440.").into()),
        }
    }
}

/// A time of the day, written HH:MM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ToSchema)]
#[schema(value_type = String, pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$", example = "22:30")]
pub struct TimeOfDay(i64);

column!(TimeOfDay as i64);
text_input!(TimeOfDay);

impl TimeOfDay {
    pub const fn from_minutes(minutes: i64) -> Self {
        Self(minutes)
    }
}

impl TryFrom<&str> for TimeOfDay {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        let digits = |part: &str| {
            (part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit()))
                .then(|| part.parse::<i64>().ok())
                .flatten()
        };
        let read = text.split_once(':').and_then(|(hours, minutes)| {
            let (hours, minutes) = (digits(hours)?, digits(minutes)?);
            (hours < 24 && minutes < 60).then_some(Self(hours * 60 + minutes))
        });
        read.ok_or(text!("Must be a time of the day, as 22:30."))
    }
}

impl Serialize for TimeOfDay {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:02}:{:02}", self.0 / 60, self.0 % 60))
    }
}

/// A zone of the tz database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, max_length = 64, example = "Europe/London")]
pub struct Zone(String);

text_column!(Zone);
text_input!(Zone);

impl Zone {
    pub fn utc() -> Self {
        Self("UTC".to_owned())
    }
}

impl TryFrom<&str> for Zone {
    type Error = Text;

    fn try_from(name: &str) -> Result<Self, Self::Error> {
        let is_known = name.len() <= 64 && TimeZone::get(name).is_ok();
        if is_known {
            Ok(Self(name.to_owned()))
        } else {
            Err(text!("Must be a time zone, as Europe/London."))
        }
    }
}

/// Messages a day, 1 to 100.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = i64, minimum = 1, maximum = 100, example = 20)]
pub struct MostADay(i64);

column!(MostADay as i64);

impl MostADay {
    pub const USUAL: Self = Self(20);

    pub const fn get(self) -> i64 {
        self.0
    }
}

impl FromInput for MostADay {
    fn from_input(raw: Raw) -> Result<Self, Complaint> {
        match i64::from_input(raw) {
            Ok(most) if (1..=100).contains(&most) => Ok(Self(most)),
            _ => Err(text!("Must be a whole number from 1 to 100.").into()),
        }
    }
}

/// When somebody is to be left alone, in their own zone.
#[derive(Debug, Clone, Copy)]
pub struct QuietHours<'a> {
    pub from: TimeOfDay,
    pub until: TimeOfDay,
    pub zone: &'a Zone,
}

impl QuietHours<'_> {
    /// The end of the quiet hours that this moment is in, if it is in any.
    pub fn end_after(&self, now: Timestamp) -> Option<Timestamp> {
        let (from, until) = (self.from.0, self.until.0);
        let local = local(self.zone, now)?;
        let minute = i64::from(local.hour()) * 60 + i64::from(local.minute());
        let (is_quiet, ends_tomorrow) = if from <= until {
            ((from..until).contains(&minute), false)
        } else {
            (minute >= from || minute < until, minute >= from)
        };
        if !is_quiet {
            return None;
        }
        let day = if ends_tomorrow { local.date().tomorrow().ok()? } else { local.date() };
        let hour = i8::try_from(until / 60).ok()?;
        let minute = i8::try_from(until % 60).ok()?;
        // A time that the clock leaps over in spring is the one after the leap.
        let end = day.at(hour, minute, 0, 0).to_zoned(local.time_zone().clone()).ok()?;
        let end = Timestamp::from_millis(end.timestamp().as_millisecond());
        // In the hour that comes twice in autumn, the first end is past while it is quiet once more.
        Some(end.max(now.plus_ms(MINUTE_MS)))
    }
}

/// The day that it is in a zone, counted from 1970.
pub fn day_in(zone: &Zone, now: Timestamp) -> i64 {
    let Some(local) = local(zone, now) else { return 0 };
    let since = local.date().since(jiff::civil::date(1970, 1, 1));
    since.map_or(0, |span| i64::from(span.get_days()))
}

fn local(zone: &Zone, now: Timestamp) -> Option<jiff::Zoned> {
    let zone = TimeZone::get(&zone.0).unwrap_or(TimeZone::UTC);
    Some(jiff::Timestamp::from_millisecond(now.as_millis()).ok()?.to_zoned(zone))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet(from: &str, until: &str, zone: &str, now: &str) -> Option<Timestamp> {
        let (from, until) =
            (TimeOfDay::try_from(from).unwrap(), TimeOfDay::try_from(until).unwrap());
        let zone = Zone::try_from(zone).unwrap();
        QuietHours { from, until, zone: &zone }.end_after(Timestamp::parse(now).unwrap())
    }

    #[test]
    fn quiet_hours_over_midnight_end_in_the_morning_of_the_users_zone() {
        let end = Timestamp::parse("2026-11-16T06:00:00Z").unwrap();
        for now in ["2026-11-15T21:00:00Z", "2026-11-16T01:00:00Z", "2026-11-16T05:59:00Z"] {
            assert_eq!(quiet("22:00", "07:00", "Europe/Berlin", now), Some(end), "{now}");
        }
        for now in ["2026-11-15T20:59:00Z", "2026-11-16T06:00:00Z"] {
            assert_eq!(quiet("22:00", "07:00", "Europe/Berlin", now), None, "{now}");
        }
    }

    #[test]
    fn quiet_hours_within_a_day_end_on_it() {
        let end = Timestamp::parse("2026-11-15T14:00:00Z").unwrap();
        assert_eq!(quiet("12:00", "14:00", "UTC", "2026-11-15T13:00:00Z"), Some(end));
        assert_eq!(quiet("12:00", "14:00", "UTC", "2026-11-15T14:00:00Z"), None);
    }

    #[test]
    fn the_same_time_twice_is_never_quiet() {
        assert_eq!(quiet("00:00", "00:00", "UTC", "2026-11-15T00:00:00Z"), None);
    }

    #[test]
    fn a_night_in_which_the_clock_leaps_ends_by_the_clock() {
        // On 29 March 2026 it was 02:00 and then 03:00 in Berlin.
        let end = Timestamp::parse("2026-03-29T05:00:00Z").unwrap();
        assert_eq!(quiet("22:00", "07:00", "Europe/Berlin", "2026-03-28T22:00:00Z"), Some(end));
    }

    #[test]
    fn in_the_hour_that_comes_twice_the_end_is_always_ahead() {
        // On 25 October 2026 it was 02:00 twice in Berlin, at 00:00 and at 01:00 UTC.
        for now in ["2026-10-25T00:10:00Z", "2026-10-25T01:10:00Z"] {
            let end = quiet("22:00", "02:30", "Europe/Berlin", now).unwrap();
            assert!(end > Timestamp::parse(now).unwrap(), "{now}");
        }
    }

    #[test]
    fn only_a_time_of_the_day_is_one() {
        for text in ["24:00", "7:00", "07:60", "0700", "", "07:00:00", "-1:00", "+7:00"] {
            assert!(TimeOfDay::try_from(text).is_err(), "{text}");
        }
        assert_eq!(serde_json::json!(TimeOfDay::try_from("07:05").unwrap()), "07:05");
    }
}
