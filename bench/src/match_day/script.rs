//! What happens on the day besides the fans, minute by minute.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::watch::Watching;
use super::{DATABASE, Day, Score, Site, say};
use crate::Outcome;
use crate::caller::Caller;
use crate::server::OPERATOR_TOKEN;

/// Everybody's connection breaks at once: a proxy is restarted.
pub const STORM: f64 = 30.0;
/// A node is killed, and is back later.
pub const NODE_LOST: f64 = 55.0;
pub const NODE_BACK: f64 = 65.0;
/// The primary is killed; a replica is promoted when somebody has noticed.
pub const PRIMARY_LOST: f64 = 75.0;
pub const PRIMARY_NOTICED: f64 = 77.0;
/// Of the first match; the others follow, one each half a minute.
pub const WHISTLE: f64 = 100.0;
const BETWEEN_WHISTLES: f64 = 0.5;
const END: f64 = 126.0;

const LOST_NODE: usize = 2;

/// Minute, match, and whether the home side scored. None falls while a server is being replaced: an operator would have to tell it twice.
const GOALS: [(f64, i64, bool); 20] = [
    (4.0, 3, true),
    (9.0, 1, true),
    (13.0, 6, false),
    (18.0, 2, false),
    (22.0, 1, false),
    (26.0, 8, true),
    (29.0, 5, true),
    (31.0, 4, true),
    (36.0, 3, false),
    (41.0, 7, true),
    (44.0, 2, true),
    (58.0, 1, true),
    (61.0, 6, true),
    (68.0, 4, false),
    (72.0, 5, true),
    (86.0, 7, false),
    (88.0, 3, true),
    (91.0, 1, true),
    (93.0, 8, false),
    (96.0, 2, true),
];

enum Scene {
    KickOff,
    Goal(i64, bool),
    Storm,
    LoseNode,
    BringNodeBack,
    LosePrimary,
    Promote,
    Whistle(i64),
    End,
}

/// How the matches stand after all of it.
pub fn final_scores(matches: &[i64]) -> Vec<(i64, Score)> {
    let of = |id: i64, home: bool| {
        let goals = GOALS.iter().filter(|(_, of, is_home)| (*of, *is_home) == (id, home));
        i64::try_from(goals.count()).unwrap_or(0)
    };
    matches.iter().map(|id| (*id, (of(*id, true), of(*id, false)))).collect()
}

fn scenes(matches: &[i64]) -> Vec<(f64, Scene)> {
    let mut scenes = vec![
        (0.0, Scene::KickOff),
        (STORM, Scene::Storm),
        (NODE_LOST, Scene::LoseNode),
        (NODE_BACK, Scene::BringNodeBack),
        (PRIMARY_LOST, Scene::LosePrimary),
        (PRIMARY_NOTICED, Scene::Promote),
        (END, Scene::End),
    ];
    scenes.extend(GOALS.iter().map(|(minute, id, home)| (*minute, Scene::Goal(*id, *home))));
    let mut whistle = WHISTLE;
    for id in matches {
        scenes.push((whistle, Scene::Whistle(*id)));
        whistle += BETWEEN_WHISTLES;
    }
    scenes.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    scenes
}

pub async fn play(day: &Arc<Day>, site: &mut Site, watching: &Watching) -> Outcome<()> {
    let mut scores: std::collections::HashMap<i64, Score> =
        day.matches.iter().map(|id| (*id, (0, 0))).collect();
    for (minute, scene) in scenes(&day.matches) {
        tokio::time::sleep_until(day.diary.at(minute).into()).await;
        match scene {
            Scene::KickOff => {
                say("kick-off")?;
                for id in &day.matches {
                    tell(day, *id, "live", (0, 0)).await?;
                }
            }
            Scene::Goal(id, is_home) => {
                let score = scores.entry(id).or_default();
                if is_home {
                    score.0 += 1;
                } else {
                    score.1 += 1;
                }
                day.tells(id, *score);
                tell(day, id, "live", *score).await?;
            }
            Scene::Storm => {
                say("every connection breaks")?;
                day.storm.send(())?;
            }
            Scene::LoseNode => {
                say("a node is lost")?;
                if let Some(node) = site.nodes.get_mut(LOST_NODE).and_then(Option::take) {
                    watching.lose_node(LOST_NODE);
                    node.kill()?;
                }
            }
            Scene::BringNodeBack => {
                let listen = day.nodes.get(LOST_NODE).map(ToString::to_string).unwrap_or_default();
                site.start_node(LOST_NODE, &listen)?;
                watching.look_at_node(site, LOST_NODE);
            }
            Scene::LosePrimary => {
                say("the primary is lost")?;
                site.primary.kill()?;
            }
            Scene::Promote => promote(site, watching).await?,
            Scene::Whistle(id) => {
                let score = scores.get(&id).copied().unwrap_or_default();
                day.whistles(id);
                tell(day, id, "finished", score).await?;
            }
            Scene::End => {}
        }
    }
    Ok(())
}

/// What Patroni does: the replica that has heard most becomes the primary, and the other follows it.
async fn promote(site: &mut Site, watching: &Watching) -> Outcome<()> {
    let mut heard = Vec::new();
    for replica in &site.replicas {
        let client = replica.connect(DATABASE).await?;
        let sql = "SELECT CAST(pg_last_wal_receive_lsn() - '0/0' AS BIGINT)";
        heard.push(client.query_one(sql, &[]).await?.try_get::<_, i64>(0)?);
    }
    let first =
        heard.iter().enumerate().max_by_key(|(_, heard)| **heard).map_or(0, |(place, _)| place);
    let promoted = site.replicas.remove(first);
    promoted.promote()?;
    for replica in &site.replicas {
        replica.follow(&promoted).await?;
    }
    site.primary = promoted;
    watching.follow_primary(site);
    say("a replica has been promoted")
}

/// An operator says how a match stands, and says it again until it is taken.
async fn tell(day: &Day, id: i64, status: &str, (home, away): Score) -> Outcome<()> {
    const TRIES: usize = 30;
    let body = json!({"status": status, "home_score": home, "away_score": away}).to_string();
    let path = format!("/api/admin/events/{id}");
    let mut said = String::new();
    for node in day.nodes.iter().cycle().take(TRIES) {
        let asked = async {
            Caller::connect(*node).await?.ask("PATCH", &path, OPERATOR_TOKEN, &body).await
        };
        match tokio::time::timeout(Duration::from_secs(5), asked).await {
            Ok(Ok(answer)) if answer.is_success() => return Ok(()),
            Ok(Ok(answer)) => {
                said = format!("{} {}", answer.status, String::from_utf8_lossy(&answer.body));
            }
            Ok(Err(error)) => said = error.to_string(),
            Err(_) => "no answer".clone_into(&mut said),
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    Err(format!("match {id} is not {status}: {said}").into())
}
