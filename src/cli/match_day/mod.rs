//! A match day to develop an app against, on a fast clock: matches are played through the operator API, fans come in and predict
//! through the public one, and the end says what a client should see.
//!
//! Owns: the script of a day and its course, the fans of a run, and what follows from both.
//! Invariants: a script that cannot be played changes nothing; the same script and number of fans always end the same; what the service
//! answers at the end is held against that.
//! Never: plays on a public server, or does anything that an operator or a fan could not do themselves.

mod chatter;
mod course;
mod expected;
mod fans;
mod script;
mod standing;
mod telling;

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::Method;
use serde_json::{Map, Value, json};
use tokio::time::{Instant, sleep, sleep_until};

use self::chatter::Chatter;
use self::course::{Happening, Moment, Part, plan};
use self::expected::{Expected, Match};
use self::fans::{Fan, Run};
use self::script::{SATURDAY, Script, Turn};
use self::standing::Standing;
use super::operator_client::OperatorClient;
use crate::features::catalogue::demo;
use crate::features::events::Scoring;
use crate::features::rehearsal;
use crate::platform::clock::{Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::platform::error::{Error, Result};

pub const GREATEST_SPEED: i64 = 3_600;
pub const MOST_FANS: i64 = 10_000;
/// Fans predict in peace before the clock of the day runs.
const UNTIL_THE_DAY_MS: i64 = 6 * HOUR_MS;
/// Settling, and telling of it, is work that the service does after the last whistle.
const ENDS_WITHIN: Duration = Duration::from_secs(30);
const LOOKS_EVERY: Duration = Duration::from_millis(250);
/// An outage is ended from here; should this program die before, the service ends it so much later.
const OUTAGE_MARGIN_MS: i64 = 60 * SECOND_MS;
const MOST_DIFFERENCES: usize = 20;

pub struct Options {
    /// How many minutes of the script pass in a real one.
    pub speed: i64,
    pub fans: i64,
    /// None for the built-in one.
    pub script: Option<PathBuf>,
    /// Where to write what a client should see at the end.
    pub expect: Option<PathBuf>,
}

/// Plays a day and ends by itself. `say` is told what happens.
pub async fn play(
    client: &OperatorClient,
    options: &Options,
    say: impl FnMut(&str) -> Result<()>,
) -> Result<()> {
    let script = read(options.script.as_deref())?;
    let day = plan(&script).map_err(|reason| cannot(options.script.as_deref(), &reason))?;
    refuse_public_server(client).await?;
    let mut played = Day::prepare(client, options, &script, say).await?;
    let began = Instant::now();
    for moment in &day {
        let due = options.real_ms(moment.at);
        sleep_until(began + Duration::from_millis(u64::try_from(due).unwrap_or(0))).await;
        played.live_through(moment).await?;
    }
    played.end().await
}

fn read(file: Option<&Path>) -> Result<Script> {
    let text = match file {
        None => SATURDAY.to_owned(),
        Some(path) => std::fs::read_to_string(path).map_err(|error| cannot(file, &error))?,
    };
    let script = Script::parse(&text).map_err(|reason| cannot(file, &reason))?;
    Scoring::try_from(script.scoring.as_str()).map_err(|reason| cannot(file, &reason))?;
    Ok(script)
}

fn cannot(file: Option<&Path>, reason: &dyn Display) -> Error {
    let name =
        file.map_or_else(|| "the built-in day".to_owned(), |file| file.display().to_string());
    Error::internal(format!("{name} cannot be played: {reason}"))
}

async fn refuse_public_server(client: &OperatorClient) -> Result<()> {
    let overview = client.call(Method::GET, "/api/admin/overview", None).await?;
    let environment = overview.pointer("/data/environment").and_then(Value::as_str);
    let environment = environment.unwrap_or_default();
    if matches!(environment, "local" | "testing") {
        return Ok(());
    }
    let sentence =
        format!("the server runs in {environment}; matches are played only on a local one");
    Err(Error::internal(sentence))
}

impl Options {
    /// How long so many minutes of the script take.
    fn real_ms(&self, minutes: i64) -> i64 {
        minutes.saturating_mul(MINUTE_MS).checked_div(self.speed).unwrap_or(0)
    }
}

/// A day that is being played.
struct Day<'a, F> {
    client: &'a OperatorClient,
    options: &'a Options,
    script: &'a Script,
    say: F,
    run: Run,
    matches: Vec<Match<'a>>,
    fans: Vec<Fan>,
    chatter: Chatter,
    /// Fans who came too late to predict: those who ask for a code while none is sent.
    latecomers: usize,
    /// What was answered otherwise than it should have been.
    surprises: Vec<String>,
}

impl<'a, F: FnMut(&str) -> Result<()>> Day<'a, F> {
    /// Lets fans in, puts the matches into the catalogue and has them predicted; then the clock of the day can run.
    async fn prepare(
        client: &'a OperatorClient,
        options: &'a Options,
        script: &'a Script,
        say: F,
    ) -> Result<Self> {
        let run = Run::fresh();
        let mut day = Self {
            client,
            options,
            script,
            say,
            run,
            matches: Vec::new(),
            fans: Vec::new(),
            chatter: Chatter::default(),
            latecomers: 0,
            surprises: Vec::new(),
        };
        let (matches, fans) = (script.matches.len(), options.fans);
        day.tell(&format!("{}: {matches} matches and {fans} fans", script.name)).await?;
        let fans = usize::try_from(options.fans).unwrap_or(0);
        day.fans = fans::come_in(client, run, fans).await?;
        day.import(|_| UNTIL_THE_DAY_MS).await?;
        let ids: Vec<_> = day.matches.iter().map(|of| (of.fixture, of.id)).collect();
        let count = fans::predict(client, &day.fans, &ids).await?;
        day.tell(&format!("{fans} fans are in and made {count} predictions")).await?;
        if let Some(first) = day.matches.first() {
            day.chatter = Chatter::gather(client, &day.fans, first.id).await?;
        }
        day.import(|kick_off| options.real_ms(kick_off)).await?;
        let line = |of: &Match<'_>| {
            let in_s = options.real_ms(of.standing.kick_off) / SECOND_MS;
            format!("event {}: {} - {}, kick-off in {in_s} s", of.id, of.home, of.away)
        };
        day.matches.iter().try_for_each(|of| (day.say)(&line(of)))?;
        Ok(day)
    }

    /// Puts the matches into the catalogue, or moves them there: each begins so long from now as its minute of the day says.
    async fn import(&mut self, real_ms: impl Fn(i64) -> i64) -> Result<()> {
        let (now, scoring) = (Clock::system().now(), &self.script.scoring);
        let mut document = if self.script.teams.is_empty() {
            demo::clubs()
        } else {
            let team = |team: &script::Team| {
                let logo = format!("/crests/{}.svg", team.slug);
                json!({"slug": team.slug, "name": team.name, "sport": "football", "logo": logo})
            };
            let teams: Vec<Value> = self.script.teams.iter().map(team).collect();
            let sports = json!([{"slug": "football", "name": "Football"}]);
            [("sports".to_owned(), sports), ("teams".to_owned(), teams.into())]
                .into_iter()
                .collect()
        };
        // A tournament for each preset, so that a script never changes how another's matches are settled.
        let tournament = format!("match_day_{scoring}");
        document.insert(
            "tournaments".to_owned(),
            json!([{
                "slug": tournament, "name": format!("Match Day ({scoring})"), "sport": "football",
                "scoring": scoring, "logo": "/crests/match_day.svg",
            }]),
        );
        let start_time = |kick_off| now.plus_ms(real_ms(kick_off));
        let events = self.script.matches.iter().map(|fixture| {
            json!({"key": self.run.key(fixture), "tournament": tournament, "home": fixture.home,
                   "away": fixture.away, "start_time": start_time(fixture.kick_off)})
        });
        document.insert("events".to_owned(), events.collect());
        let document = document.into();
        let imported =
            self.client.call(Method::PUT, "/api/admin/catalogue", Some(&document)).await?;
        let (ids, clubs) = (imported.pointer("/data/events"), self.script.clubs());
        let mut matches = Vec::new();
        for fixture in &self.script.matches {
            let id = ids.and_then(|ids| ids.get(self.run.key(fixture))?.as_i64());
            matches.push(Match {
                fixture,
                id: id.ok_or_else(|| Error::internal("the server did not name the new matches"))?,
                home: clubs.get(fixture.home.as_str()).copied().unwrap_or_default(),
                away: clubs.get(fixture.away.as_str()).copied().unwrap_or_default(),
                standing: Standing::before(fixture),
                start_time: start_time(fixture.kick_off),
            });
        }
        self.matches = matches;
        Ok(())
    }

    /// Says it here and in the service's log.
    async fn tell(&mut self, words: &str) -> Result<()> {
        self.tell_with(words, &[]).await
    }

    async fn tell_with(&mut self, words: &str, away: &[(&str, i64)]) -> Result<()> {
        (self.say)(words)?;
        let scene: String = words.trim().chars().take(rehearsal::LONGEST_SCENE).collect();
        let mut body = Map::from_iter([("scene".to_owned(), scene.into())]);
        body.extend(away.iter().map(|(what, ms)| ((*what).to_owned(), (*ms).into())));
        self.client.call(Method::POST, "/api/admin/rehearsal", Some(&body.into())).await.map(drop)
    }

    async fn live_through(&mut self, moment: &Moment) -> Result<()> {
        match &moment.what {
            Happening::Turn(of, turn) => self.turn(moment.at, *of, turn).await,
            Happening::Away(part, minutes) => self.take_away(moment.at, *part, *minutes).await,
            Happening::Back(part) => self.bring_back(moment.at, *part).await,
        }
    }

    async fn turn(&mut self, at: i64, of: usize, turn: &Turn) -> Result<()> {
        let Some(played) = self.matches.get_mut(of) else { return Ok(()) };
        played.standing.take(turn).map_err(Error::internal)?;
        match turn {
            Turn::Delayed { .. } => {
                let minutes = played.standing.kick_off - at;
                played.start_time = Clock::system().now().plus_ms(self.options.real_ms(minutes));
            }
            Turn::Postponed { days: Some(days) } => {
                played.start_time = played.start_time.plus_ms(days * DAY_MS);
            }
            _ => {}
        }
        let (id, words) = (played.id, telling::words(played, turn));
        let (method, path, body) = telling::call(played, turn);
        let path = format!("/api/admin/events/{id}{path}");
        self.client.call(method, &path, Some(&body)).await?;
        self.tell(&format!("{at:>3}  {words}")).await?;
        if of == 0 {
            self.chatter.say(self.client, &self.fans, turn).await;
        }
        Ok(())
    }

    async fn take_away(&mut self, at: i64, part: Part, minutes: i64) -> Result<()> {
        let away_ms = self.options.real_ms(minutes).saturating_add(OUTAGE_MARGIN_MS);
        let away_ms = away_ms.min(rehearsal::LONGEST_MS);
        match part {
            Part::Sms => {
                let words = format!("{at:>3}  SMS outage: asking for a code is answered 503");
                self.tell_with(&words, &[("sms_away_ms", away_ms)]).await?;
                self.latecomers += 1;
                let number = self.fans.len() + self.latecomers;
                let status = fans::ask_for_code(self.client, self.run, number).await?.status;
                self.expect(status, 503, "a code that is asked for during the SMS outage");
            }
            Part::Chat => {
                let words = format!("{at:>3}  chat outage: rooms and the homeserver answer 503");
                self.tell_with(&words, &[("chat_away_ms", away_ms)]).await?;
                self.chatter.is_away = true;
                if let Some(status) = self.chatter.try_to_join(self.client, &self.fans).await? {
                    self.expect(status, 503, "joining a room during the chat outage");
                }
            }
        }
        Ok(())
    }

    async fn bring_back(&mut self, at: i64, part: Part) -> Result<()> {
        match part {
            Part::Sms => {
                self.tell_with(&format!("{at:>3}  codes are sent again"), &[("sms_away_ms", 0)])
                    .await?;
                let number = self.fans.len() + self.latecomers;
                fans::log_in(self.client, self.run, number).await?;
            }
            Part::Chat => {
                self.tell_with(&format!("{at:>3}  chat is back"), &[("chat_away_ms", 0)]).await?;
                self.chatter.is_away = false;
                if let Some(status) = self.chatter.try_to_join(self.client, &self.fans).await? {
                    self.expect(status, 200, "joining a room after the chat outage");
                }
                self.chatter.next_joiner();
            }
        }
        Ok(())
    }

    fn expect(&mut self, status: u16, wanted: u16, what: &str) {
        if status != wanted {
            self.surprises.push(format!("{what} was answered {status} and not {wanted}"));
        }
    }

    /// Says what a client should see now, and fails if the service answers anything else.
    async fn end(mut self) -> Result<()> {
        let scoring = Scoring::try_from(self.script.scoring.as_str()).map_err(Error::internal)?;
        let expected = Expected::new(scoring, &self.matches, &self.fans);
        if let Some(file) = &self.options.expect {
            let document = format!("{:#}\n", expected.document(&self.script.name));
            std::fs::write(file, document).map_err(|error| {
                Error::internal(format!("{} cannot be written: {error}", file.display()))
            })?;
        }
        for line in expected.lines() {
            (self.say)(&line)?;
        }
        let deadline = Instant::now() + ENDS_WITHIN;
        let mut differences = self.differences(&expected).await?;
        while !differences.is_empty() && Instant::now() < deadline {
            sleep(LOOKS_EVERY).await;
            differences = self.differences(&expected).await?;
        }
        differences.splice(..0, self.surprises.iter().cloned());
        if differences.is_empty() {
            return (self.say)("This is what the service answers.");
        }
        let count = differences.len();
        differences.truncate(MOST_DIFFERENCES);
        let list = differences.join("\n  ");
        Err(Error::internal(format!("the service answers otherwise in {count} places:\n  {list}")))
    }

    async fn differences(&self, expected: &Expected<'_>) -> Result<Vec<String>> {
        let Some(reader) = self.fans.first() else { return Ok(Vec::new()) };
        let mut events = Vec::new();
        for of in &self.matches {
            let path = format!("/api/auth/events/{}", of.id);
            let answer = self.client.ask(Method::GET, &path, Some(&reader.token), None).await?;
            let mut event = answer.expect_success("a match")?;
            events.push(event.get_mut("data").map(Value::take).unwrap_or_default());
        }
        let own = fans::own_predictions(self.client, &self.fans).await?;
        Ok(expected.differences(&events, &own))
    }
}
