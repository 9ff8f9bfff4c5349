//! Which rooms a list shows: every kind of room, standing and filter against the rule in a few lines of Rust; and that what is
//! answered from memory is what the database answers, and new at once.

use serde_json::{Value, json};
use touchline::platform::db::{Tx, params};
use touchline::platform::error::Result;

use crate::catalogue::{document, event, import, put};
use crate::chat_rooms::{create, entry, in_room, invite, list, private_room, public_room};
use crate::harness::{Fan, OPERATOR_TOKEN, TestApp, eventually, together};

/// How many rooms there are besides those of every kind, and how many of these the reader is in: none, more than are kept in memory, and
/// more than are laid over those.
const CROWDS: [(usize, usize); 3] = [(0, 0), (230, 3), (230, 120)];

#[derive(Clone)]
struct Room {
    id: String,
    name: String,
    event: Option<i64>,
    is_public: bool,
    is_archived: bool,
    standing: Option<&'static str>,
    last_activity: i64,
}

impl Room {
    fn insert(&self, tx: &mut Tx, user: i64) -> Result<()> {
        let join_rule = if self.is_public { "public" } else { "invite" };
        tx.exec(
            "INSERT INTO chat_rooms (room_id, name, name_folded, topic, event_id, is_event_room, join_rule, is_encrypted,
                    member_count, last_activity, version, archived_at, created_at)
             VALUES ($1, $2, $2, '', $3, 0, $4, 0, 0, $5, 1, $6, 0)",
            params![self.id, self.name, self.event, join_rule, self.last_activity, self.is_archived.then_some(1)],
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

/// Of every kind one, and a crowd of others.
fn rooms(event: i64, (crowd, joined): (usize, usize)) -> Vec<Room> {
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
                // Two by two at the same time, so that their ids decide.
                last_activity: i64::try_from(rooms.len() / 2).unwrap(),
            });
        }
    }
    rooms.extend((0..crowd).map(|number| Room {
        id: format!("!r{number}of{crowd}:localhost"),
        name: "grey".to_owned(),
        event: None,
        is_public: true,
        is_archived: false,
        standing: (number < joined).then_some("join"),
        last_activity: i64::try_from(number % 16).unwrap(),
    }));
    rooms
}

/// A service with a match and these rooms, its reader, and the match.
async fn app_with_rooms(crowd: (usize, usize)) -> (TestApp, Fan, i64, Vec<Room>) {
    let app = TestApp::new().await;
    let ids = import(&app, json!([event("m:1", "2036-11-20T15:00:00Z")])).await;
    let event = ids["events"]["m:1"].as_i64().unwrap();
    let fan = app.log_in("+447700900123").await;
    app.run_jobs().await;
    let mut rooms = rooms(event, crowd);
    let (user, inserted) = (fan.id, rooms.clone());
    let insert = move |tx: &mut Tx| inserted.iter().try_for_each(|room| room.insert(tx, user));
    app.app.db.write(insert).await.unwrap();
    rooms.sort_by_key(|room| std::cmp::Reverse((room.last_activity, room.id.clone())));
    (app, fan, event, rooms)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_shows_what_the_caller_may_see_whole_and_in_pages_and_counts_it() {
    for crowd in CROWDS {
        check_lists(crowd).await;
    }
}

async fn check_lists(crowd: (usize, usize)) {
    let (app, fan, event, rooms) = app_with_rooms(crowd).await;
    let per_page = if rooms.len() == 32 { 5 } else { 60 };
    let id = |room: &Value| room["room_id"].as_str().unwrap().to_owned();
    for joined in [false, true] {
        for about in [None, Some(event)] {
            for search in [None, Some("red"), Some("%"), Some("none of them")] {
                let shown = rooms.iter().filter(|room| room.is_listed(joined, about, search));
                let expected: Vec<String> = shown.map(|room| room.id.clone()).collect();
                let mut query = format!("?joined={joined}");
                query += &about.map_or_else(String::new, |event| format!("&event_id={event}"));
                query += &search.map_or_else(String::new, |search| {
                    format!("&search={}", search.replace('%', "%25").replace(' ', "%20"))
                });
                let whole = list(&app, &fan, &query).await;
                let path = format!("/api/auth/chat-rooms{query}");
                let reply = app.client.get(&path).token(&fan.token).send().await.expect(200);
                assert_eq!(reply.body["meta"]["total"], whole.len(), "{query}");
                // The match has a room of its own.
                let is_ours = |id: &String| rooms.iter().any(|room| room.id == *id);
                let told: Vec<String> = whole.iter().map(id).filter(is_ours).collect();
                assert_eq!(told, expected, "{query}");
                let mut pieced = Vec::new();
                while pieced.len() < whole.len() {
                    let page = pieced.len() / per_page + 1;
                    let query = format!("{query}&page={page}&per_page={per_page}");
                    pieced.extend(list(&app, &fan, &query).await);
                }
                assert_eq!(pieced, whole, "{query}");
                let path = format!("/api/auth/chat-rooms{query}&per_page=1");
                let reply = app.client.get(&path).token(&fan.token).send().await.expect(200);
                assert_eq!(reply.body["meta"]["total"], whole.len(), "{query}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_and_database_give_the_same_answer_before_at_and_behind_the_border() {
    for crowd in CROWDS {
        let (app, fan, ..) = app_with_rooms(crowd).await;
        for per_page in [7, 30, 100] {
            for page in 1..=300 / per_page + 1 {
                let query = format!("?page={page}&per_page={per_page}");
                // Every name has this letter, and what is searched for is not looked up in memory.
                let [kept, read] = [query.clone(), format!("{query}&search=e")]
                    .map(|query| format!("/api/auth/chat-rooms{query}"));
                let [kept, read] = [
                    app.client.get(&kept).token(&fan.token).send().await.expect(200),
                    app.client.get(&read).token(&fan.token).send().await.expect(200),
                ];
                assert_eq!(kept.text, read.text, "{crowd:?} {query}");
                assert_eq!(kept.header("content-type"), read.header("content-type"));
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_room_and_who_is_in_it_are_listed_at_once() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.log_in("+447700900123").await, app.log_in("+447700900124").await);
    assert!(list(&app, &ben, "").await.is_empty());
    let room = public_room(&app, &ada, "Away end").await;
    let shown = async |fan| {
        let entry = entry(&app, fan, &room).await.unwrap();
        (entry["member_count"].as_i64().unwrap(), entry["is_joined"].as_bool().unwrap())
    };
    assert_eq!((shown(&ada).await, shown(&ben).await), ((1, true), (1, false)));
    in_room(&app, &ben, &room, "join").await.expect(200);
    assert_eq!((shown(&ada).await, shown(&ben).await), ((2, true), (2, true)));
    in_room(&app, &ada, &room, "leave").await.expect(200);
    assert_eq!((shown(&ada).await, shown(&ben).await), ((1, false), (1, true)));
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_at_the_same_moment_each_see_their_own_rooms() {
    let app = TestApp::new().await;
    let mut readers = Vec::new();
    for number in 0..8 {
        let fan = app.log_in(&TestApp::phone(number)).await;
        let own = private_room(&app, &fan, "Our own").await;
        readers.push((fan, own));
    }
    let shared = public_room(&app, &readers[0].0, "Away end").await;
    let (app, readers) = (&app, &readers);
    let lists = together(64, |number| async move { list(app, &readers[number % 8].0, "").await });
    for (number, rooms) in lists.await.into_iter().enumerate() {
        let mut ids: Vec<&str> = rooms.iter().filter_map(|room| room["room_id"].as_str()).collect();
        ids.sort_unstable();
        let mut expected = [readers[number % 8].1.as_str(), shared.as_str()];
        expected.sort_unstable();
        assert_eq!(ids, expected);
        let joined = rooms.iter().filter(|room| room["is_joined"] == true).count();
        assert_eq!(joined, if number % 8 == 0 { 2 } else { 1 });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_is_listed_at_once() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.log_in("+447700900123").await, app.log_in("+447700900124").await);
    let room = private_room(&app, &ada, "Secret").await;
    assert!(list(&app, &ben, "").await.is_empty());
    invite(&app, &ada, &room, json!({"user_id": ben.id})).await.expect(200);
    assert_eq!(entry(&app, &ben, &room).await.unwrap()["is_joined"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_that_is_moved_and_a_team_that_is_renamed_are_listed_at_once() {
    let app = TestApp::new().await;
    let ids = import(&app, json!([event("m:1", "2036-11-20T15:00:00Z")])).await;
    let id = &ids["events"]["m:1"];
    let ada = app.log_in("+447700900123").await;
    create(&app, &ada, json!({"name": "Away end", "event_id": id})).await.expect(201);
    let shown = async || list(&app, &ada, "").await[0]["event"].clone();
    assert_eq!(shown().await["home_team"], "Northgate FC");
    let (path, later) = (format!("/api/admin/events/{id}"), "2036-11-21T15:00:00.000Z");
    let moved = app.client.patch(&path).token(OPERATOR_TOKEN).json(json!({"start_time": later}));
    moved.send().await.expect(200);
    assert_eq!(shown().await["start_time"], later);
    let mut renamed = document(json!([]));
    renamed["teams"][0]["name"] = json!("Northgate United");
    put(&app, renamed).await.expect(200);
    assert_eq!(shown().await["home_team"], "Northgate United");
}

/// Synapse would not know thousands of rooms that were written into the table, and has a clock of its own.
mod needs_embedded {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn somebody_in_thousands_of_rooms_hides_none_of_those_who_ask_with_them() {
        let app = TestApp::new().await;
        let (ada, ben) = (app.log_in("+447700900123").await, app.log_in("+447700900124").await);
        let own = private_room(&app, &ben, "Our own").await;
        let user = ada.id;
        let fill = move |tx: &mut Tx| {
            tx.exec(
                "INSERT INTO chat_rooms (room_id, name, name_folded, topic, is_event_room, join_rule, is_encrypted, member_count,
                        last_activity, version, created_at)
                 WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < 6500)
                 SELECT '!0' || CAST(i AS TEXT) || ':localhost', 'Full', 'full', '', 0, 'invite', 0, 1, 0, 1, 0 FROM n",
                params![],
            )?;
            tx.exec(
                "INSERT INTO chat_members (room_id, matrix_id, membership, last_active_at)
                 SELECT r.room_id, a.matrix_id, 'join', 0 FROM chat_rooms r, chat_accounts a
                 WHERE r.name = 'Full' AND a.user_id = $1 AND a.is_current = 1",
                params![user],
            )
        };
        app.app.db.write(fill).await.unwrap();
        let (app, ada, ben) = (&app, &ada, &ben);
        let lists = together(16, |number| async move {
            list(app, if number % 2 == 0 { ada } else { ben }, "?per_page=100").await
        });
        for (number, rooms) in lists.await.into_iter().enumerate() {
            if number % 2 == 0 {
                assert_eq!(rooms.len(), 100);
            } else {
                assert_eq!((rooms.len(), &rooms[0]["room_id"]), (1, &json!(own)));
            }
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_message_moves_its_room_up() {
        let app = TestApp::new().await;
        let (ada, chatter) = app.chatter("+447700900123").await;
        let room = public_room(&app, &ada, "Away end").await;
        app.advance(60);
        public_room(&app, &ada, "Home end").await;
        // What is kept is from before the message.
        assert_eq!(list(&app, &ada, "").await[1]["room_id"], room.as_str());
        app.advance(60);
        chatter.say(&room, "Anybody here?").await;
        eventually(async || {
            (list(&app, &ada, "").await[0]["room_id"] == room.as_str()).then_some(())
        })
        .await;
    }
}
