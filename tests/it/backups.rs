//! Backups: made while the service works, read from end to end, brought back.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::chat_outages::log_in;
use crate::harness::{Chatter, Client, Fan, Program, TestApp, escape, eventually};

const ADA: &str = "+447700900123";
const KEPT_KEY: (&str, &str) = ("TOUCHLINE_SECRET_KEY", "");
const CLIENTS: usize = 8;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// With the database, the homeserver and the key of its own in its folder.
pub fn start(folder: &TempDir) -> Program {
    tokio::task::block_in_place(|| Program::start(folder, "", &[KEPT_KEY]))
}

fn run(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Program::command(folder, "", &[KEPT_KEY]);
    tokio::task::block_in_place(|| command.args(arguments).output().unwrap())
}

fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    format!("{}{}", text(&output.stdout), text(&output.stderr))
}

/// What it said, if it went well.
fn done(folder: &TempDir, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", said(&output));
    said(&output)
}

/// Why it did not.
fn refused(folder: &TempDir, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", said(&output));
    said(&output)
}

fn name(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

pub async fn make_room(client: &Client, fan: &Fan, room: &str) -> String {
    let call = client.post("/api/auth/chat-room").token(&fan.token).json(json!({"name": room}));
    call.send().await.expect(201).body["data"]["room_id"].as_str().unwrap().to_owned()
}

pub async fn room_names(client: &Client, fan: &Fan) -> Vec<String> {
    let reply = client.get("/api/auth/chat-rooms").token(&fan.token).send().await.expect(200);
    let rooms = reply.body["data"].as_array().unwrap().clone();
    rooms.iter().map(|room| room["name"].as_str().unwrap().to_owned()).collect()
}

/// The same person and device at another place.
fn moved(chatter: &Chatter, to: &Program) -> Chatter {
    let credentials =
        json!({"user_id": chatter.id, "access_token": chatter.token, "device_id": chatter.device});
    Chatter::of(&credentials, to.client.base())
}

async fn texts(chatter: &Chatter, room: &str) -> Vec<Value> {
    let path = format!("/rooms/{}/messages?dir=b&limit=20", escape(room));
    let chunk = chatter.get(&path).await.expect(200).body["chunk"].clone();
    let bodies = chunk.as_array().unwrap().iter().map(|event| event["content"]["body"].clone());
    bodies.filter(Value::is_string).collect()
}

/// Ada's service with a room in which she said something, backed up while it runs.
pub struct Scene {
    pub home: TempDir,
    shelf: TempDir,
    pub program: Program,
    pub ada: Fan,
    chatter: Chatter,
    room: String,
}

impl Scene {
    pub async fn new() -> Self {
        let home = folder();
        let program = start(&home);
        let (ada, chatter) = log_in(&program.client, ADA, program.client.base()).await;
        let room = make_room(&program.client, &ada, "Away end").await;
        chatter.say(&room, "Evening all").await;
        Self { home, shelf: folder(), program, ada, chatter, room }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.shelf.path().join(name)
    }

    fn back_up(&self) -> PathBuf {
        let file = self.file("backup");
        done(&self.home, &["backup", name(&file)]);
        file
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_brings_sessions_rooms_and_messages_back_into_an_empty_folder() {
    let scene = Scene::new().await;
    let file = scene.back_up();
    assert!(done(&scene.home, &["verify", name(&file)]).contains("All is whole"));
    let new = folder();
    done(&new, &["restore", name(&file)]);
    let program = start(&new);
    program.client.get("/api/auth/me").token(&scene.ada.token).send().await.expect(200);
    assert_eq!(room_names(&program.client, &scene.ada).await, ["Away end"]);
    let chatter = moved(&scene.chatter, &program);
    assert_eq!(texts(&chatter, &scene.room).await, ["Evening all"]);
    chatter.say(&scene.room, "Back again").await;
    assert_eq!(names_in(scene.shelf.path()), ["backup"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn apps_that_heard_more_than_was_restored_hear_what_is_new() {
    let scene = Scene::new().await;
    let file = scene.back_up();
    for _ in 0..30 {
        scene.chatter.say(&scene.room, "Soon forgotten").await;
    }
    let synced = scene.chatter.get("/sync?timeout=0").await.expect(200);
    let since = synced.body["next_batch"].as_str().unwrap().to_owned();
    scene.program.kill();
    done(&scene.home, &["restore", name(&file), "--replace"]);
    let program = start(&scene.home);
    let chatter = moved(&scene.chatter, &program);
    chatter.say(&scene.room, "Back again").await;
    let news = chatter.get(&format!("/sync?timeout=0&since={since}")).await.expect(200);
    assert!(news.text.contains("Back again"), "{}", news.text);
    let kept = names_in(scene.home.path());
    assert!(kept.contains(&"touchline.db.replaced-1".to_owned()), "{kept:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_under_load_has_what_was_acknowledged_before_it_and_nothing_twice() {
    let (home, shelf) = (folder(), folder());
    let program = start(&home);
    let mut fans = Vec::new();
    for n in 0..CLIENTS {
        let phone = TestApp::phone(u32::try_from(n).unwrap());
        fans.push(log_in(&program.client, &phone, program.client.base()).await.0);
    }
    let counts: Vec<_> = fans.iter().map(|_| Arc::new(Spending::default())).collect();
    let is_over = Arc::new(AtomicBool::new(false));
    let spenders: Vec<_> = fans
        .iter()
        .zip(&counts)
        .map(|(fan, count)| {
            let (client, token) = (program.client.clone(), fan.token.clone());
            let (count, is_over) = (count.clone(), is_over.clone());
            tokio::spawn(async move { spend(&client, &token, &count, &is_over).await })
        })
        .collect();
    let reached = async || counts.iter().all(|count| count.acknowledged() >= 5).then_some(());
    eventually(reached).await;
    let before: Vec<usize> = counts.iter().map(|count| count.acknowledged()).collect();
    let file = shelf.path().join("backup");
    done(&home, &["backup", name(&file)]);
    let after: Vec<usize> = counts.iter().map(|count| count.sent()).collect();
    is_over.store(true, Ordering::SeqCst);
    for spender in spenders {
        spender.await.unwrap();
    }
    assert!(done(&home, &["verify", name(&file)]).contains("All is whole"));
    let new = folder();
    done(&new, &["restore", name(&file)]);
    let restored = start(&new);
    for (n, fan) in fans.iter().enumerate() {
        let spent = spent(&restored.client, fan).await;
        assert!(
            before[n] <= spent.len() && spent.len() <= after[n],
            "{} of {before:?} to {after:?}",
            spent.len()
        );
        // One after the other was sent, so what is there has no gap.
        let expected: Vec<String> = (0..spent.len()).map(|at| format!("spend {at}")).collect();
        assert_eq!(spent, expected);
    }
}

/// How many coins a client has asked to spend, and how many it was told are spent.
#[derive(Default)]
struct Spending {
    sent: AtomicUsize,
    acknowledged: AtomicUsize,
}

impl Spending {
    fn sent(&self) -> usize {
        self.sent.load(Ordering::SeqCst)
    }

    fn acknowledged(&self) -> usize {
        self.acknowledged.load(Ordering::SeqCst)
    }
}

async fn spend(client: &Client, token: &str, count: &Spending, is_over: &AtomicBool) {
    while !is_over.load(Ordering::SeqCst) {
        let at = count.sent.fetch_add(1, Ordering::SeqCst);
        let body = json!({"amount": 1, "reason": "wager", "reference_id": format!("spend {at}")});
        let reply = client.post("/api/auth/coins/deduct").token(token).json(body).send().await;
        if reply.status == 400 {
            // Out of coins: enough was spent.
            count.sent.fetch_sub(1, Ordering::SeqCst);
            return;
        }
        reply.expect(200);
        count.acknowledged.fetch_add(1, Ordering::SeqCst);
    }
}

/// What the books say was spent, in order.
async fn spent(client: &Client, fan: &Fan) -> Vec<String> {
    let mut spent = Vec::new();
    for page in 1.. {
        let path = format!("/api/auth/coins/transactions?per_page=100&page={page}");
        let reply = client.get(&path).token(&fan.token).send().await.expect(200);
        let rows = reply.body["data"].as_array().unwrap();
        let wagers = rows.iter().filter(|row| row["reason"] == "wager");
        spent.extend(wagers.map(|row| row["reference_id"].as_str().unwrap().to_owned()));
        if reply.body["meta"]["last_page"] == page {
            break;
        }
    }
    spent.reverse();
    spent
}

#[tokio::test(flavor = "multi_thread")]
async fn an_encrypted_backup_shows_nothing_and_opens_with_its_key_alone() {
    let scene = Scene::new().await;
    let (plain, sealed) = (scene.back_up(), scene.file("sealed"));
    let (key, other) = (scene.file("key"), scene.file("other"));
    std::fs::write(&key, "a".repeat(32)).unwrap();
    std::fs::write(&other, "b".repeat(32)).unwrap();
    done(&scene.home, &["backup", name(&sealed), "--key-file", name(&key)]);
    let has = |file: &Path, text: &[u8]| {
        std::fs::read(file).unwrap().windows(text.len()).any(|found| found == text)
    };
    assert!(has(&plain, ADA.as_bytes()) && has(&plain, b"Evening all"));
    assert!(!has(&sealed, ADA.as_bytes()) && !has(&sealed, b"Evening all"));
    assert!(refused(&scene.home, &["verify", name(&sealed)]).contains("it is encrypted"));
    let wrong = refused(&scene.home, &["verify", name(&sealed), "--key-file", name(&other)]);
    assert!(wrong.contains("not its key"), "{wrong}");
    let whole = done(&scene.home, &["verify", name(&sealed), "--key-file", name(&key)]);
    assert!(whole.contains("All is whole"), "{whole}");
    std::fs::write(&other, "short").unwrap();
    let short = refused(&scene.home, &["verify", name(&sealed), "--key-file", name(&other)]);
    assert!(short.contains("at least 32 characters"), "{short}");
    let new = folder();
    done(&new, &["restore", name(&sealed), "--key-file", name(&key)]);
    let program = start(&new);
    program.client.get("/api/auth/me").token(&scene.ada.token).send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_that_was_cut_off_or_changed_is_refused_and_nothing_is_touched() {
    let scene = Scene::new().await;
    let whole = std::fs::read(scene.back_up()).unwrap();
    let damaged = scene.file("damaged");
    let mut changed = whole.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    let cuts =
        [&whole[..0], &whole[..100], &whole[..whole.len() / 2], &whole[..whole.len() - 2048]];
    for bytes in cuts.into_iter().chain([changed.as_slice(), b"not a backup at all"]) {
        std::fs::write(&damaged, bytes).unwrap();
        refused(&scene.home, &["verify", name(&damaged)]);
        let new = folder();
        refused(&new, &["restore", name(&damaged)]);
        let left = names_in(new.path());
        assert_eq!(left, ["homeserver.db.lock", "touchline.db.lock"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_there_is_not_overwritten_and_what_runs_is_not_restored() {
    let scene = Scene::new().await;
    let file = scene.back_up();
    assert!(refused(&scene.home, &["backup", name(&file)]).contains("there already"));
    let running = refused(&scene.home, &["restore", name(&file), "--replace"]);
    assert!(running.contains("is in use by process"), "{running}");
    scene.program.kill();
    let taken = refused(&scene.home, &["restore", name(&file)]);
    assert!(taken.contains("--replace"), "{taken}");
    let empty = folder();
    let nothing = refused(&empty, &["backup", name(&empty.path().join("backup"))]);
    assert!(nothing.contains("no database to back up"), "{nothing}");
    assert_eq!(names_in(empty.path()), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_somebody_has_beside_a_backup_is_left_alone() {
    let scene = Scene::new().await;
    let file = scene.back_up();
    for (ending, command, target) in
        [(".verifying", "verify", &file), (".parts", "backup", &scene.file("other"))]
    {
        let folder = PathBuf::from(format!("{}{ending}", name(target)));
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("letters"), "dear").unwrap();
        let said = refused(&scene.home, &[command, name(target)]);
        assert!(said.contains("it is there already"), "{said}");
        assert_eq!(names_in(&folder), ["letters"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_on_another_disk_is_restored_to_it() {
    let scene = Scene::new().await;
    let file = scene.back_up();
    // In memory, where there is such a disk.
    let disk = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let (new, url) = (folder(), format!("sqlite:{}", disk.path().join("fans.db").display()));
    let mut command = Program::command(&new, &url, &[KEPT_KEY]);
    let restore = || command.args(["restore", name(&file)]).output().unwrap();
    let output = tokio::task::block_in_place(restore);
    assert!(output.status.success(), "{}", said(&output));
    let program = tokio::task::block_in_place(|| Program::start(&new, &url, &[KEPT_KEY]));
    program.client.get("/api/auth/me").token(&scene.ada.token).send().await.expect(200);
    assert!(names_in(disk.path()).contains(&"fans.db".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restore_that_was_cut_off_keeps_the_service_from_starting_until_it_is_finished() {
    let scene = Scene::new().await;
    let file = scene.back_up();
    let new = folder();
    done(&new, &["restore", name(&file)]);
    // As it is when the first piece is in its place and the others are not.
    let decided = new.path().join("restoring");
    std::fs::create_dir(&decided).unwrap();
    for piece in ["touchline.db", "secret_key"] {
        std::fs::rename(new.path().join(piece), decided.join(piece)).unwrap();
    }
    assert!(refused(&new, &[]).contains("A restore was cut off"));
    assert!(done(&new, &["restore", name(&file)]).contains("is finished"));
    let program = start(&new);
    program.client.get("/api/auth/me").token(&scene.ada.token).send().await.expect(200);
    assert!(!decided.exists());
}

/// Stops the service, and waits until its files are closed.
pub fn stop(mut program: Program) {
    program.terminate();
    let code =
        tokio::task::block_in_place(|| program.exit_code(std::time::Duration::from_secs(30)));
    assert_eq!(code, Some(0));
}

mod needs_postgres {
    use super::*;
    use crate::harness::{fresh_database_url, no_postgres};

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs PostgreSQL"]
    async fn beside_a_server_the_pieces_that_are_not_in_it_are_backed_up_and_restored() {
        let database = fresh_database_url().await;
        if database.is_empty() {
            no_postgres();
        }
        let (home, new) = (folder(), folder());
        let start = |home: &TempDir| {
            tokio::task::block_in_place(|| Program::start(home, &database, &[KEPT_KEY]))
        };
        let run = |home: &TempDir, arguments: &[&str]| {
            let mut command = Program::command(home, &database, &[KEPT_KEY]);
            let output = tokio::task::block_in_place(|| command.args(arguments).output().unwrap());
            assert!(output.status.success(), "{}", said(&output));
            said(&output)
        };
        let program = start(&home);
        let (ada, chatter) = log_in(&program.client, ADA, program.client.base()).await;
        let room = make_room(&program.client, &ada, "Away end").await;
        chatter.say(&room, "Evening all").await;
        let file = home.path().join("backup");
        let made = run(&home, &["backup", name(&file)]);
        assert!(
            made.contains("homeserver.db, secret_key") && made.contains("PostgreSQL"),
            "{made}"
        );
        run(&home, &["verify", name(&file)]);
        stop(program);
        run(&new, &["restore", name(&file)]);
        let program = start(&new);
        assert_eq!(texts(&moved(&chatter, &program), &room).await, ["Evening all"]);
        assert_eq!(room_names(&program.client, &ada).await, ["Away end"]);
        refused(&folder(), &["restore", name(&file)]);
    }
}
