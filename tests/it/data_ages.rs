//! Data of which one half, chat or the rest, is older than the other.

use tempfile::TempDir;

use crate::backups::{Scene, make_room, room_names, start, stop};
use crate::chat_outages::log_in;
use crate::harness::eventually;

const BEN: &str = "+447700900124";

#[tokio::test(flavor = "multi_thread")]
async fn a_homeserver_older_than_the_rest_is_noticed_and_brought_up() {
    let Scene { home, program, ada, .. } = Scene::new().await;
    stop(program);
    let homeserver = home.path().join("homeserver.db");
    let before = std::fs::read(&homeserver).unwrap();
    let program = start(&home);
    make_room(&program.client, &ada, "Lost end").await;
    let (ben, _) = log_in(&program.client, BEN, program.client.base()).await;
    stop(program);
    std::fs::write(&homeserver, before).unwrap();
    let program = start(&home);
    assert!(program.log().contains("chat is older than the database"), "{}", program.log());
    let known = async || (room_names(&program.client, &ada).await == ["Away end"]).then_some(());
    eventually(known).await;
    // Whoever came since has an account again, and talks.
    let (_, chatter) = log_in(&program.client, BEN, program.client.base()).await;
    let room = make_room(&program.client, &ben, "New end").await;
    chatter.say(&room, "Evening all").await;
    stop(program);
    assert!(!noticed_again(&home));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_homeserver_newer_than_the_rest_is_noticed_and_read_back() {
    let Scene { home, program, ada, .. } = Scene::new().await;
    stop(program);
    let database = home.path().join("touchline.db");
    let before = std::fs::read(&database).unwrap();
    let program = start(&home);
    make_room(&program.client, &ada, "Newer end").await;
    let (ben, _) = log_in(&program.client, BEN, program.client.base()).await;
    stop(program);
    std::fs::write(&database, before).unwrap();
    let program = start(&home);
    assert!(program.log().contains("the database is older than chat"), "{}", program.log());
    let known = async || {
        let mut names = room_names(&program.client, &ada).await;
        names.sort();
        (names == ["Away end", "Newer end"]).then_some(())
    };
    eventually(known).await;
    // Whoever came since is new again, and talks.
    let (again, chatter) = log_in(&program.client, BEN, program.client.base()).await;
    let room = make_room(&program.client, &again, "New end").await;
    chatter.say(&room, "Evening all").await;
    assert_ne!(ben.token, again.token);
    stop(program);
    assert!(!noticed_again(&home));
}

/// Whether a further start finds that one half is older than the other.
fn noticed_again(home: &TempDir) -> bool {
    std::fs::remove_file(home.path().join("log")).unwrap();
    let program = start(home);
    let log = program.log();
    stop(program);
    log.contains("is older than")
}
