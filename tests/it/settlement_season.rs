//! A whole season, told in different orders and with everything said more than once: points and boards come out the same, and as
//! a plain recount gives them.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use touchline::features::events::EventId;
use touchline::features::predictions::{self, Outcome};
use touchline::features::users::UserId;
use touchline::platform::clock::{DAY_MS, HOUR_MS, Timestamp};
use touchline::platform::db::Tx;

use crate::harness::{Fan, OPERATOR_TOKEN, TestApp};
use crate::predictions::{get, pick, users};
use crate::settlement::{assert_adds_up, operate};
use crate::settlement_histories::assert_points_are_fresh;

const FIRST_FAN: i64 = 1_000;
const FANS: i64 = 12;
/// After every match, wherever it was moved to.
const AFTERWARDS: &str = "2035-01-01T12:00:00Z";
const WEEK_MS: i64 = 7 * DAY_MS;

/// Numbers that look drawn and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        // Xorshift: good enough to shuffle with.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn goals(&mut self) -> i64 {
        [0, 0, 1, 1, 1, 2, 2, 3][self.below(8)]
    }
}

struct Match {
    home: String,
    away: String,
    start: Timestamp,
    result: (i64, i64),
}

/// Everybody at home to everybody, a round a week; or the season of the openfootball file that `TOUCHLINE_TEST_SEASON` names.
fn season() -> Vec<Match> {
    match std::env::var("TOUCHLINE_TEST_SEASON") {
        Ok(file) => season_of(&serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()),
        Err(_) => drawn_season(6),
    }
}

fn season_of(document: &Value) -> Vec<Match> {
    let mut slugs = BTreeMap::new();
    let mut slug = |name: &Value| {
        let next = format!("team_{}", slugs.len());
        slugs.entry(name.as_str().unwrap().to_owned()).or_insert(next).clone()
    };
    let read = |found: &Value| {
        let (date, time) = (found["date"].as_str().unwrap(), found["time"].as_str().unwrap());
        let goals = |side: usize| found["score"]["ft"][side].as_i64().unwrap();
        Match {
            home: slug(&found["team1"]),
            away: slug(&found["team2"]),
            start: Timestamp::parse(&format!("{date}T{time}:00Z")).unwrap(),
            result: (goals(0), goals(1)),
        }
    };
    let mut season: Vec<Match> = document["matches"].as_array().unwrap().iter().map(read).collect();
    season.sort_by_key(|one| one.start);
    season
}

fn drawn_season(teams: usize) -> Vec<Match> {
    let mut dice = Dice(2_026);
    let first = Timestamp::parse("2026-11-21T15:00:00Z").unwrap();
    let (rounds, mut season) = (teams - 1, Vec::new());
    for round in 0..2 * rounds {
        for pair in 0..teams / 2 {
            // One team stands still and the others go round it.
            let place = |at: usize| if at == 0 { 0 } else { 1 + (at - 1 + round) % rounds };
            let mut sides = [place(pair), place(teams - 1 - pair)];
            if (round % 2 == 0) != (round < rounds) {
                sides.reverse();
            }
            let days = i64::try_from(round * 7 + pair % 2).unwrap();
            season.push(Match {
                home: format!("team_{}", sides[0]),
                away: format!("team_{}", sides[1]),
                start: first.plus_ms(days * DAY_MS),
                result: (dice.goals(), dice.goals()),
            });
        }
    }
    season.sort_by_key(|one| one.start);
    season
}

/// What is said about a match.
#[derive(Debug, Clone, Copy)]
enum Deed {
    Result(i64, i64),
    Void,
    Unvoid,
    /// To so many days from when it was announced for.
    Move(i64),
    /// All matches of the league earn by other rules from here on.
    NewRules,
}

impl Match {
    /// Everything that is said about it, in its order: corrections, postponements, a kick-off before everybody's predictions, voids.
    fn deeds(&self, number: usize) -> Vec<Deed> {
        let (home, away) = self.result;
        let (right, wrong) = (Deed::Result(home, away), Deed::Result(away, home + 1));
        match number % 10 {
            _ if number == 20 => vec![right, Deed::NewRules],
            2 => vec![wrong, right],
            3 => vec![Deed::Move(3), right],
            4 => vec![right, Deed::Move(9)],
            5 => vec![right, Deed::Void],
            6 => vec![wrong, Deed::Void, Deed::Unvoid, right],
            7 => vec![Deed::Move(-2), right],
            8 => vec![wrong, Deed::Move(16), right, Deed::Move(0)],
            _ => vec![right],
        }
    }

    fn tournament(number: usize) -> &'static str {
        if number % 5 == 1 { "cup" } else { "league" }
    }
}

/// What is said about all matches, in an order of this number. What is said about one match stays in order; everything may be
/// repeated until something else is said about it.
fn told(season: &[Match], order: u64) -> Vec<(usize, Deed)> {
    let mut dice = Dice(order);
    let repeated = |(number, one): (usize, &Match)| {
        let deeds = one.deeds(number).into_iter().rev();
        let twice = deeds.flat_map(|deed| vec![(number, deed); 1 + dice.below(5) / 3]);
        twice.collect::<Vec<_>>()
    };
    let mut left: Vec<Vec<(usize, Deed)>> = season.iter().enumerate().map(repeated).collect();
    let mut told = Vec::new();
    while !left.is_empty() {
        // The first order is that of the fixtures, the others are anyhow.
        let at = if order == 1 { 0 } else { dice.below(left.len()) };
        told.extend(left[at].pop());
        if left[at].is_empty() {
            left.remove(at);
        }
    }
    told
}

/// What a user predicts: an outcome, perhaps with its score; some predict nothing.
fn picked(user: i64, number: usize) -> Option<(Outcome, Option<(i64, i64)>)> {
    let mut dice =
        Dice(u64::try_from(user).unwrap() << 20 | u64::try_from(number).unwrap() << 3 | 1);
    dice.below(2);
    let (home, away) = (dice.goals(), dice.goals());
    let outcome = outcome_of(home, away);
    match dice.below(10) {
        0 => None,
        1..4 => Some((outcome, None)),
        _ => Some((outcome, Some((home, away)))),
    }
}

fn outcome_of(home: i64, away: i64) -> Outcome {
    match home.cmp(&away) {
        std::cmp::Ordering::Greater => Outcome::Home,
        std::cmp::Ordering::Equal => Outcome::Draw,
        std::cmp::Ordering::Less => Outcome::Away,
    }
}

/// Points by the rules as `docs/predictions.md` has them: the cup is `kicktipp`, the league `premier_league` in the end.
fn points(tournament: &str, pick: (Outcome, Option<(i64, i64)>), result: (i64, i64)) -> i64 {
    let is_right = pick.0 == outcome_of(result.0, result.1);
    let is_exact = pick.1 == Some(result);
    let has_difference = pick.0 != Outcome::Draw
        && pick.1.is_some_and(|(home, away)| home - away == result.0 - result.1);
    match (tournament, is_right, is_exact, has_difference) {
        (_, false, ..) => 0,
        ("cup", _, true, _) => 4,
        ("cup", _, _, true) => 3,
        ("cup", ..) => 2,
        (_, _, true, _) => 10,
        _ => 5,
    }
}

/// Which board: of a tournament, or of everything; of the week that begins then, or of all time.
type BoardKey = (Option<&'static str>, Option<i64>);
/// Rank, points, user, exact scores, right outcomes, settled predictions.
type Line = (i64, i64, i64, i64, i64, i64);

/// All boards, counted from nothing but fixtures, results and predictions.
fn recount(season: &[Match]) -> BTreeMap<BoardKey, Vec<Line>> {
    let mut boards: BTreeMap<BoardKey, BTreeMap<i64, [i64; 4]>> = BTreeMap::new();
    for (number, one) in season.iter().enumerate() {
        let (tournament, mut moved, mut is_void) = (Match::tournament(number), 0, false);
        for deed in one.deeds(number) {
            match deed {
                Deed::Move(days) => moved = days,
                Deed::Void => is_void = true,
                Deed::Unvoid => is_void = false,
                Deed::Result(..) | Deed::NewRules => {}
            }
        }
        // All predicted an hour before the kick-off that was announced.
        if is_void || moved < 0 {
            continue;
        }
        let start = one.start.plus_ms(moved * DAY_MS).as_millis();
        // 5 January 1970 was a Monday.
        let week = (start - 4 * DAY_MS).div_euclid(WEEK_MS) * WEEK_MS + 4 * DAY_MS;
        for user in FIRST_FAN..FIRST_FAN + FANS {
            let Some(pick) = picked(user, number) else { continue };
            let points = points(tournament, pick, one.result);
            let is_exact = pick.1 == Some(one.result);
            for key in [
                (None, None),
                (None, Some(week)),
                (Some(tournament), None),
                (Some(tournament), Some(week)),
            ] {
                let line = boards.entry(key).or_default().entry(user).or_default();
                let more = [points, i64::from(is_exact), i64::from(points > 0), 1];
                line.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
            }
        }
    }
    boards.into_iter().map(|(key, users)| (key, ranked(&users))).collect()
}

fn ranked(users: &BTreeMap<i64, [i64; 4]>) -> Vec<Line> {
    let rank = |points: i64| {
        1 + i64::try_from(users.values().filter(|line| line[0] > points).count()).unwrap()
    };
    let mut lines: Vec<Line> = users
        .iter()
        .map(|(user, [points, exact, right, settled])| {
            (rank(*points), *points, *user, *exact, *right, *settled)
        })
        .collect();
    lines.sort_by_key(|(_, points, user, exact, ..)| (-points, -exact, *user));
    lines
}

/// A service on which the season is announced and predicted; the ids of its matches and tournaments.
async fn announced(season: &[Match]) -> (TestApp, Vec<i64>, BTreeMap<&'static str, i64>) {
    let app = TestApp::new().await;
    let mut document = crate::catalogue::document(json!([]));
    let slugs: std::collections::BTreeSet<&String> = season.iter().map(|one| &one.home).collect();
    for slug in slugs {
        let team = json!({"slug": slug, "name": slug, "sport": "football"});
        document["teams"].as_array_mut().unwrap().push(team);
    }
    for (number, one) in season.iter().enumerate() {
        document["events"].as_array_mut().unwrap().push(json!({
            "key": number.to_string(), "tournament": Match::tournament(number), "home": one.home,
            "away": one.away, "start_time": one.start.to_string()}));
    }
    let data = crate::catalogue::put(&app, document).await.expect(200).body["data"].clone();
    let id = |number: usize| data["events"][number.to_string()].as_i64().unwrap();
    let events: Vec<i64> = (0..season.len()).map(id).collect();
    users(&app, FIRST_FAN, FANS).await;
    for (number, one) in season.iter().enumerate() {
        app.clock.set(one.start.plus_ms(-HOUR_MS));
        let event = EventId(events[number]);
        let predict = move |tx: &mut Tx| {
            for user in FIRST_FAN..FIRST_FAN + FANS {
                if let Some((outcome, score)) = picked(user, number) {
                    let wish = (UserId(user), event, pick(outcome, score, 50));
                    predictions::place_each(tx, &[wish])?.remove(0)?;
                }
            }
            Ok(())
        };
        app.app.db.write(predict).await.unwrap();
    }
    app.set_time(AFTERWARDS);
    app.run_jobs().await;
    let tournament = |slug| (slug, data["tournaments"][slug].as_i64().unwrap());
    (app, events, ["league", "cup"].map(tournament).into())
}

async fn tell(app: &TestApp, event: i64, start: Timestamp, deed: Deed) {
    let reply = match deed {
        Deed::Result(home, away) => {
            operate(app, event, "/result", json!({"home_score": home, "away_score": away})).await
        }
        Deed::Void => operate(app, event, "/void", json!({"reason": "Snow"})).await,
        Deed::Unvoid => operate(app, event, "", json!({"status": "finished"})).await,
        Deed::Move(days) => {
            let start = start.plus_ms(days * DAY_MS).to_string();
            operate(app, event, "", json!({"start_time": start})).await
        }
        Deed::NewRules => {
            let league = json!({"slug": "league", "name": "League", "sport": "football",
                                "scoring": "premier_league"});
            let call = app.client.put("/api/admin/catalogue").token(OPERATOR_TOKEN);
            call.json(json!({"tournaments": [league]})).send().await
        }
    };
    reply.expect(200);
}

async fn shown(app: &TestApp, fan: &Fan, query: &str) -> Vec<Line> {
    let path = format!("/api/auth/leaderboard?per_page=100{query}");
    let board = get(app, fan, &path).await.expect(200).body;
    let line = |row: &Value| {
        let number = |name: &str| row[name].as_i64().unwrap();
        let user = row["user"]["id"].as_i64().unwrap();
        let figures = ["exact_scores", "correct_predictions", "settled_predictions"].map(number);
        (number("rank"), number("points"), user, figures[0], figures[1], figures[2])
    };
    let lines: Vec<Line> = board["data"].as_array().unwrap().iter().map(line).collect();
    assert_eq!(board["meta"]["total"], lines.len());
    lines
}

async fn a_season_told_in_this_order_is_settled_as_a_recount_gives_it(order: u64) {
    let season = season();
    let (app, events, tournaments) = announced(&season).await;
    let mut dice = Dice(order + 77);
    for (number, deed) in told(&season, order) {
        tell(&app, events[number], season[number].start, deed).await;
        if dice.below(6) == 0 {
            app.run_jobs().await;
        }
    }
    app.run_jobs().await;
    assert_points_are_fresh(&app).await;
    assert_adds_up(&app).await;
    let fan = app.log_in("+447700900123").await;
    let boards = recount(&season);
    assert!(boards.len() > 20, "{} boards", boards.len());
    for ((tournament, week), expected) in boards {
        let mut query = tournament.map_or(String::new(), |slug| {
            format!("&scope=tournament&tournament_id={}", tournaments[slug])
        });
        if let Some(week) = week {
            app.clock.set(Timestamp::from_millis(week));
            query += "&period=week";
        }
        assert_eq!(shown(&app, &fan, &query).await, expected, "{tournament:?} {week:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_season_told_in_the_order_of_its_fixtures_is_what_a_recount_gives() {
    a_season_told_in_this_order_is_settled_as_a_recount_gives_it(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_season_told_in_any_order_is_what_a_recount_gives() {
    a_season_told_in_this_order_is_settled_as_a_recount_gives_it(2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_season_told_in_another_order_is_what_a_recount_gives() {
    a_season_told_in_this_order_is_settled_as_a_recount_gives_it(3).await;
}
