//! Which rooms a list shows: every kind of room, standing and filter against the rule in a few lines of Rust.

use serde_json::{Value, json};
use touchline::platform::db::{Tx, params};
use touchline::platform::error::Result;

use crate::catalogue::{event, import};
use crate::chat_rooms::list;
use crate::harness::{Fan, TestApp};

#[derive(Clone)]
struct Room {
    id: String,
    name: String,
    event: Option<i64>,
    is_public: bool,
    is_archived: bool,
    standing: Option<&'static str>,
}

impl Room {
    fn insert(&self, tx: &mut Tx, order: i64, user: i64) -> Result<()> {
        let join_rule = if self.is_public { "public" } else { "invite" };
        tx.exec(
            "INSERT INTO chat_rooms (room_id, name, name_folded, topic, event_id, is_event_room, join_rule, is_encrypted,
                    member_count, last_activity, version, archived_at, created_at)
             VALUES ($1, $2, $2, '', $3, 0, $4, 0, 0, $5, 1, $6, 0)",
            // Two by two at the same time, so that their ids decide.
            params![self.id, self.name, self.event, join_rule, order / 2, self.is_archived.then_some(1)],
        )?;
        let Some(standing) = self.standing else { return Ok(()) };
        tx.exec(
            "INSERT INTO chat_members (room_id, matrix_id, membership, last_active_at)
             SELECT $1, matrix_id, $2, 0 FROM chat_accounts WHERE user_id = $3 AND is_current = 1",
            params![self.id, standing, user],
        )
        .map(drop)
    }

    fn is_listed(&self, joined: bool, event: Option<i64>, search: Option<&str>) -> bool {
        let is_in = self.standing == Some("join");
        let is_visible = self.is_public || is_in || self.standing == Some("invite");
        is_visible
            && (!self.is_archived || is_in || event.is_some())
            && (!joined || is_in)
            && (event.is_none() || self.event == event)
            && search.is_none_or(|search| self.name.contains(search))
    }
}

async fn rooms(app: &TestApp, fan: &Fan, event: i64) -> Vec<Room> {
    let mut rooms = Vec::new();
    for standing in [None, Some("join"), Some("invite"), Some("ban")] {
        for kind in 0..8 {
            let (is_public, is_archived, has_event) = (kind & 1 == 0, kind & 2 != 0, kind & 4 != 0);
            rooms.push(Room {
                id: format!("!r{:02}:localhost", rooms.len()),
                name: if rooms.len() % 3 == 0 { "red 100%" } else { "blue" }.to_owned(),
                event: has_event.then_some(event),
                is_public,
                is_archived,
                standing,
            });
        }
    }
    let (fan, inserted) = (fan.id, rooms.clone());
    let insert = move |tx: &mut Tx| {
        (0..).zip(&inserted).try_for_each(|(order, room)| room.insert(tx, order, fan))
    };
    app.app.db.write(insert).await.unwrap();
    rooms
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_shows_what_the_caller_may_see_whole_and_in_pages_and_counts_it() {
    let app = TestApp::new().await;
    let ids = import(&app, json!([event("m:1", "2036-11-20T15:00:00Z")])).await;
    let event = ids["events"]["m:1"].as_i64().unwrap();
    let fan = app.log_in("+447700900123").await;
    let rooms = rooms(&app, &fan, event).await;
    assert_eq!(rooms.len(), 32);
    let id = |room: &Value| room["room_id"].as_str().unwrap().to_owned();
    for joined in [false, true] {
        for about in [None, Some(event)] {
            for search in [None, Some("red"), Some("%"), Some("none of them")] {
                let shown = rooms.iter().rev().filter(|room| room.is_listed(joined, about, search));
                let expected: Vec<String> = shown.map(|room| room.id.clone()).collect();
                let mut query = format!("?joined={joined}");
                query += &about.map_or_else(String::new, |event| format!("&event_id={event}"));
                query += &search.map_or_else(String::new, |search| {
                    format!("&search={}", search.replace('%', "%25").replace(' ', "%20"))
                });
                let whole = list(&app, &fan, &query).await;
                let ours = |room: &Value| id(room).starts_with("!r");
                let told: Vec<String> = whole.iter().filter(|room| ours(room)).map(id).collect();
                assert_eq!(told, expected, "{query}");
                let mut pieced = Vec::new();
                while pieced.len() < whole.len() {
                    let page = pieced.len() / 5 + 1;
                    pieced
                        .extend(list(&app, &fan, &format!("{query}&page={page}&per_page=5")).await);
                }
                assert_eq!(pieced, whole, "{query}");
                let path = format!("/api/auth/chat-rooms{query}&per_page=1");
                let reply = app.client.get(&path).token(&fan.token).send().await.expect(200);
                assert_eq!(reply.body["meta"]["total"], whole.len(), "{query}");
            }
        }
    }
}
