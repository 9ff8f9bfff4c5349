//! A file with today's schema for each test, copied: making it anew was a fifth of the time of all tests.

use std::path::Path;

use tokio::sync::OnceCell;
use touchline::platform::clock::Clock;
use touchline::platform::config::Config;
use touchline::platform::db::Db;

static EMPTY: OnceCell<Vec<u8>> = OnceCell::const_new();

pub async fn place_database(folder: &Path) {
    let bytes = EMPTY.get_or_init(|| async {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("touchline.db");
        let (url, config) = (format!("sqlite:{}", file.display()), Config::defaults().unwrap());
        let db = Db::open(&url, &config.database, Clock::system()).await.unwrap();
        db.migrate().await.unwrap();
        db.close().await;
        std::fs::read(file).unwrap()
    });
    std::fs::write(folder.join("touchline.db"), bytes.await).unwrap();
}
