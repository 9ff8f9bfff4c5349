//! The demo that lives: a league whose matches are played now, and simulated fans who predict them, answer questions and talk about them.
//!
//! Owns: the `demo_progress` table, the timetable and the scripts of the demo's matches, and what simulated fans do.
//! Invariants: everything follows from the seed and the time; whatever is done goes through the features that people and operators
//! use; a step after a long pause costs no more than one after an hour; a match that does not stand as its script has it is in somebody
//! else's hands and is left alone; simulated fans have no phone, and are marked as such wherever they are shown.
//! Never: runs in production, sends a code, or touches a match or a user that is not the demo's own.

mod draw;
mod fans;
mod league;
mod lines;
mod play;
mod questions;
mod script;
mod store;
mod talk;

use crate::extends_core;
use crate::features::catalogue::demo as clubs;
use crate::features::chat::Chat;
use crate::features::predictions::Predictions;
use crate::platform::clock::{Clock, HOUR_MS, MINUTE_MS, Timestamp};
use crate::platform::config::{ConfigError, DemoConfig};
use crate::platform::core::Core;
use crate::platform::db::Db;
use crate::platform::error::Result;
use crate::platform::jobs::{BoundJob, Next, Stop, bind, job};

pub use draw::Draw;

use league::League;

/// The first start plays these hours in a moment, so that there are results and tables to look at.
const PAST_MS: i64 = 4 * HOUR_MS;
const PAST_STEP_MS: i64 = 5 * MINUTE_MS;
const MOST_FANS: i64 = 200;

/// The demo: what plays it, and where its fans predict and talk.
#[derive(Clone)]
pub struct Demo {
    core: Core,
    chat: Chat,
    predictions: Predictions,
}

extends_core!(Demo);

impl Demo {
    pub fn new(core: &Core, chat: &Chat, predictions: &Predictions) -> Self {
        Self { core: core.clone(), chat: chat.clone(), predictions: predictions.clone() }
    }

    fn league(&self) -> League {
        League::new(self.config.demo.seed)
    }
}

pub fn check(settings: &DemoConfig) -> Result<(), ConfigError> {
    if (0..=MOST_FANS).contains(&settings.fans) {
        return Ok(());
    }
    Err(ConfigError::new(format!("demo.fans must be between 0 and {MOST_FANS}.")))
}

/// Every sort of work of this feature.
pub fn jobs(demo: &Demo) -> [BoundJob; 2] {
    [bind::<Play>(demo), bind::<talk::Talk>(demo)]
}

job! {
    /// Plays on.
    pub struct Play;
    kind: "demo_play", lane: Local, every: MINUTE_MS, run: play(Demo)
}

async fn play(_: Play, demo: Demo, _: Stop) -> Result<Next> {
    let step = play::step(&demo.core, &demo.db, demo.league()).await?;
    demo.predictions.tell_counts(&step.counted);
    Ok(Next::At(step.next))
}

/// Sees to it that there is a league to play, as far as the settings want one. Answers whether there is; `at` opens the database
/// with another clock.
pub async fn prepare<F>(core: &Core, at: impl FnOnce(Clock) -> F) -> Result<bool>
where
    F: Future<Output = Result<Db>>,
{
    if !core.config.plays_demo() {
        return Ok(false);
    }
    if core.config.loads_demo_data() && core.db.write(clubs::load_clubs).await? {
        let (now, clock) = (core.clock.now(), Clock::manual(core.clock.now()));
        let db = at(clock.clone()).await?;
        let played = play_past(core, &db, &clock, now).await;
        db.close().await;
        played?;
        tracing::info!("the demo was loaded and plays; demo.plays = false stops it");
    }
    core.db.read(clubs::is_loaded).await
}

async fn play_past(core: &Core, db: &Db, clock: &Clock, now: Timestamp) -> Result<()> {
    let league = League::new(core.config.demo.seed);
    let mut moment = now.plus_ms(-PAST_MS);
    while moment < now {
        clock.set(moment);
        play::step(core, db, league).await?;
        moment = moment.plus_ms(PAST_STEP_MS);
    }
    clock.set(now);
    play::step(core, db, league).await.map(drop)
}
