//! Unread counts: what a user has not read, by the default rules or by their own.
//!
//! Owns: how far somebody read, per thread; the counts remembered in memory.
//! Invariants: whoever is ignored counts for nothing; a remembered count is used only while nothing but
//! new events came to it.
//! Never: looks at each event of a user with the default rules: theirs are counts over indexes.

mod judge;

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;

use ruma::push::Ruleset;
use rusqlite::{Connection, params};
use serde::Serialize;
use serde_json::Value;

use crate::accounts::push_rules::{self, PUSH_RULES};
use crate::error::Result;
use crate::live::lock;
use crate::store::{find, list, tuple};

pub use judge::newest_to_push;

const REMEMBERED_MAX: usize = 20_000;
/// Counts with more threads than this are not remembered.
const THREADS_REMEMBERED: usize = 100;
const MAIN: &str = "main";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    notification_count: i64,
    highlight_count: i64,
}

impl Counts {
    fn add(&mut self, notifications: i64, highlights: i64) {
        self.notification_count += notifications;
        self.highlight_count += highlights;
    }
}

/// The counts of a room, as `/sync` tells them.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RoomCounts {
    #[serde(rename = "unread_notifications")]
    main: Counts,
    /// By root.
    #[serde(rename = "unread_thread_notifications", skip_serializing_if = "BTreeMap::is_empty")]
    threads: BTreeMap<String, Counts>,
}

impl RoomCounts {
    /// The counts of one thread, or of the main timeline.
    fn of(&mut self, thread: Option<String>) -> &mut Counts {
        match thread {
            Some(root) => self.threads.entry(root).or_default(),
            None => &mut self.main,
        }
    }

    /// Adds what the default rules say of an event of somebody else: whether it counts (2: as a highlight for everybody), and
    /// whether it mentions the reader.
    pub fn add(&mut self, thread: Option<&str>, notify: i64, is_mention: bool) {
        if notify == 0 && !is_mention {
            return;
        }
        let counts = self.of(thread.map(str::to_owned));
        counts.add(1, i64::from(notify == 2 || is_mention));
    }

    /// In how many threads something is unread.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// All in one, for whoever knows no threads.
    pub fn together(mut self) -> Self {
        for counts in std::mem::take(&mut self.threads).values() {
            self.main.add(counts.notification_count, counts.highlight_count);
        }
        self
    }
}

/// Whose counts, and of what.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    pub conn: &'a Connection,
    pub user: &'a str,
    pub room: i64,
    /// What was said before they came is not unread.
    pub joined_at: i64,
    pub upto: i64,
}

/// How far somebody read.
struct Reads {
    everywhere: i64,
    by_thread: HashMap<String, i64>,
    /// Grows with every receipt.
    version: i64,
}

impl Reads {
    fn load(reader: &Reader<'_>) -> Result<Self> {
        let sql = "SELECT thread, MAX(event_seq), MAX(seq) FROM receipts
                   WHERE room = ?1 AND user = ?2 AND kind IN ('m.read', 'm.read.private')
                   GROUP BY thread";
        let rows = list(reader.conn, sql, params![reader.room, reader.user], tuple)?;
        let mut reads =
            Self { everywhere: reader.joined_at, by_thread: HashMap::new(), version: 0 };
        for (thread, read, version) in rows {
            let (thread, read, version): (String, i64, i64) = (thread, read, version);
            reads.version = reads.version.max(version);
            if thread.is_empty() {
                reads.everywhere = reads.everywhere.max(read);
            } else {
                reads.by_thread.insert(thread, read);
            }
        }
        Ok(reads)
    }

    fn of(&self, thread: Option<&str>) -> i64 {
        let read = self.by_thread.get(thread.unwrap_or(MAIN)).copied().unwrap_or(0);
        read.max(self.everywhere)
    }
}

/// What a user keeps that changes what counts for them.
struct Taste {
    /// None for the default.
    rules: Option<Ruleset>,
    /// Whose events do not count, as a condition on `?4` and its value: oneself, and who is ignored.
    others: &'static str,
    not_others: String,
    /// When the list of the ignored changed last.
    version: i64,
}

impl Taste {
    fn load(reader: &Reader<'_>) -> Result<Self> {
        let sql = "SELECT type, content, seq FROM account_data
                   WHERE user = ?1 AND room = 0 AND type IN (?2, 'm.ignored_user_list')";
        let rows = list(reader.conn, sql, params![reader.user, PUSH_RULES], tuple)?;
        let mut taste = Self {
            rules: None,
            others: "sender <> ?4",
            not_others: reader.user.to_owned(),
            version: 0,
        };
        for (kind, content, seq) in rows {
            let (kind, content, seq): (String, String, i64) = (kind, content, seq);
            let content: Value = serde_json::from_str(&content)?;
            if kind == PUSH_RULES {
                taste.rules = push_rules::read(content)?;
                continue;
            }
            taste.version = seq;
            let ignored = content.get("ignored_users").and_then(Value::as_object);
            if let Some(ignored) = ignored.filter(|ignored| !ignored.is_empty()) {
                let names = ignored.keys().map(String::as_str).chain([reader.user]);
                taste.others = "sender NOT IN (SELECT value FROM json_each(?4))";
                taste.not_others = names.collect::<Value>().to_string();
            }
        }
        Ok(taste)
    }
}

/// Of the receipts, of the list of the ignored and of what is redacted, and when the user came.
type Versions = (i64, i64, Option<i64>, i64);

struct Remembered {
    versions: Versions,
    upto: i64,
    counts: RoomCounts,
}

#[derive(Default)]
pub struct Unread {
    /// By user and room.
    remembered: Mutex<HashMap<(String, i64), Remembered>>,
}

impl Unread {
    /// Counts what somebody has not read in a room, and says whether it was by the default rules.
    pub fn count(&self, reader: &Reader<'_>) -> Result<(RoomCounts, bool)> {
        let (reads, taste) = (Reads::load(reader)?, Taste::load(reader)?);
        Ok(match &taste.rules {
            Some(rules) => (judge::judge(reader, &reads, &taste, rules)?, false),
            None => (self.count_new(reader, &reads, &taste)?, true),
        })
    }

    fn count_new(&self, reader: &Reader<'_>, reads: &Reads, taste: &Taste) -> Result<RoomCounts> {
        let key = (reader.user.to_owned(), reader.room);
        let sql = "SELECT redacted_at FROM rooms WHERE room = ?1";
        let redacted_at = find(reader.conn, sql, [reader.room], |row| row.get(0))?.flatten();
        let versions = (reads.version, taste.version, redacted_at, reader.joined_at);
        let mut counts = RoomCounts::default();
        let mut after = 0;
        if let Some(then) = lock(&self.remembered).get(&key)
            && then.versions == versions
            && then.upto <= reader.upto
        {
            (counts, after) = (then.counts.clone(), then.upto);
        }
        tally(reader, reads, taste, after, &mut counts)?;
        let mut remembered = lock(&self.remembered);
        if remembered.len() >= REMEMBERED_MAX {
            remembered.clear();
        }
        if counts.threads.len() <= THREADS_REMEMBERED {
            let counts = counts.clone();
            remembered.insert(key, Remembered { versions, upto: reader.upto, counts });
        }
        Ok(counts)
    }
}

/// Adds to `counts` what the default rules say of the events after `after`.
fn tally(
    reader: &Reader<'_>,
    reads: &Reads,
    taste: &Taste,
    after: i64,
    counts: &mut RoomCounts,
) -> Result<()> {
    let (conn, others) = (reader.conn, taste.others);
    let from = reads.of(None).max(after);
    let sql = format!(
        "SELECT COUNT(*), COALESCE(SUM(notify = 2), 0) FROM events INDEXED BY events_notify
         WHERE room = ?1 AND seq > ?2 AND seq <= ?3 AND {others} AND notify > 0"
    );
    let all = find(conn, &sql, params![reader.room, from, reader.upto, taste.not_others], tuple)?;
    let (all, for_everybody): (i64, i64) = all.unwrap_or_default();
    counts.main.add(all, for_everybody);
    // Those in threads were counted with the rest.
    let sql = format!(
        "SELECT seq, thread, notify FROM events INDEXED BY events_threads
         WHERE room = ?1 AND seq > ?2 AND seq <= ?3 AND {others} AND notify > 0
           AND thread IS NOT NULL"
    );
    let mut statement = conn.prepare_cached(&sql)?;
    let anywhere = reads.everywhere.max(after);
    let mut rows =
        statement.query(params![reader.room, anywhere, reader.upto, taste.not_others])?;
    while let Some(row) = rows.next()? {
        let (seq, thread, notify): (i64, String, i64) = tuple(row)?;
        let for_everybody = i64::from(notify == 2);
        if seq > from {
            counts.main.add(-1, -for_everybody);
        }
        if seq > reads.of(Some(&thread)) {
            counts.of(Some(thread)).add(1, for_everybody);
        }
    }
    // A mention in an edit counts although the edit itself would not.
    let sql = format!(
        "SELECT h.seq, e.thread, e.notify FROM highlights h JOIN events e ON e.seq = h.seq
         WHERE h.room = ?1 AND h.seq > ?2 AND h.seq <= ?3 AND e.{others} AND h.user = ?5"
    );
    let mut statement = conn.prepare_cached(&sql)?;
    let wanted = params![reader.room, anywhere, reader.upto, taste.not_others, reader.user];
    let mut rows = statement.query(wanted)?;
    while let Some(row) = rows.next()? {
        let (seq, thread, notify): (i64, Option<String>, i64) = tuple(row)?;
        if seq > reads.of(thread.as_deref()) {
            counts.of(thread).add(i64::from(notify == 0), i64::from(notify != 2));
        }
    }
    Ok(())
}
