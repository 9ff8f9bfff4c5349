//! The words of simulated fans. `{home}`, `{away}`, `{club}` (who scored, won or leads) and `{score}` are filled in.

/// How somebody takes what happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    Glad,
    Sad,
    Neutral,
}

impl Mood {
    pub const fn of(is_glad: bool) -> Self {
        if is_glad { Self::Glad } else { Self::Sad }
    }
}

type Pool = &'static [&'static str];

pub const BEFORE: Pool = &[
    "Nearly time. Anyone else nervous?",
    "{home} at home, I like it.",
    "My prediction for {home} against {away} is in. No regrets yet.",
    "Good crowd tonight at {home} Park.",
    "{away} travel well, do not write them off.",
    "Who have you all got? I cannot decide.",
    "Kick-off in a few minutes, get your predictions in.",
    "I have a good feeling about {away} today.",
];

pub const KICK_OFF: Pool = &[
    "And we are off!",
    "Here we go. Come on {home}!",
    "Under way at {home} Park.",
    "Come on {away}, start fast.",
    "Off we go. Hands up who predicted a draw.",
    "Let us have a good one, {home} and {away}.",
];

pub const RESUME: Pool = &[
    "Back under way. {score}.",
    "Here we go again, {score} so far.",
    "No changes that I can see. Come on!",
    "Still all to play for at {score}.",
    "{away} come out first. They mean it.",
];

pub const PAUSE: Pool = &[
    "Break. {score}, and about right.",
    "{score} at the break. I need a cup of tea.",
    "Could be more than {score}, honestly.",
    "{home} will want more after the break.",
    "{away} were better than {score} says.",
    "A breather at last. What a pace.",
    "Break time: {score}. My prediction lives.",
];

pub const LEVEL: Pool = &[
    "Still {score}. Next goal wins it, I think.",
    "{home} with more of the ball, not much with it.",
    "{away} look dangerous every time they go forward.",
    "{score}. This is tighter than I thought.",
    "Somebody shoot!",
    "That was close!",
    "What a save!",
    "The keeper is having a day.",
];

pub const AHEAD: Pool = &[
    "{score}. {club} look comfortable.",
    "One more and {club} have it.",
    "{club} sit back too early, I have seen this before.",
    "Long way to go at {score}.",
    "Good move there. {club} are a joy when they dare.",
    "Great save, that could have changed everything.",
    "{score}, and my prediction is in trouble.",
    "Is anybody else watching through their fingers?",
];

const GOAL_GLAD: Pool = &[
    "GOAL! {club}! {score}!",
    "YES! {score}!",
    "Get in, {club}! {score}.",
    "I was out of my seat before it crossed the line. {score}!",
    "{score}! Who wrote us off?",
    "Deserved. {club}, {score}.",
];

const GOAL_SAD: Pool = &[
    "Oh no. {score}.",
    "How was nobody there? {score}.",
    "{score}. Heads up, still time.",
    "That one hurts. {score}.",
    "Fair play to {club}, lovely goal. {score}.",
    "We are asleep at the back. {score}.",
];

const GOAL_NEUTRAL: Pool = &[
    "Goal for {club}! {score}.",
    "{score}! What a finish.",
    "{club} score. {score}.",
    "And there it is, {score}.",
    "Told you there was a goal in this. {score}.",
    "{score}, that changes the table.",
];

const AFTER_GLAD: Pool = &[
    "Three points! {score}, what a day.",
    "Full time, {score}. {club} for ever.",
    "{score}! See you all at the next one.",
    "Never in doubt. (It was very much in doubt.) {score}.",
];

const AFTER_SAD: Pool = &[
    "Full time. {score}. I will be quiet for a while.",
    "{score}. We go again.",
    "Well done {club}. {score} is fair.",
    "{score}. There goes my place in the table.",
];

const AFTER_NEUTRAL: Pool = &[
    "Full time: {home} {score} {away}.",
    "Good game, both. {score}.",
    "{score} it is. How did your predictions do?",
    "That is that. {score}.",
    "Worth watching to the end. {score}.",
];

pub const fn goal(mood: Mood) -> Pool {
    match mood {
        Mood::Glad => GOAL_GLAD,
        Mood::Sad => GOAL_SAD,
        Mood::Neutral => GOAL_NEUTRAL,
    }
}

pub const fn after(mood: Mood) -> Pool {
    match mood {
        Mood::Glad => AFTER_GLAD,
        Mood::Sad => AFTER_SAD,
        Mood::Neutral => AFTER_NEUTRAL,
    }
}
