//! How much of everything: what is kept for a user or a room, what one answer has, what callers hold in memory.
//!
//! Owns: the numbers, all of them here, and the refusal where one is passed.
//! Invariants: whatever is kept has a size and a count; sizes hold for everybody, counts not for the application service.
//! Never: counts by itself: whoever keeps something says how much there is.

use crate::error::{Error, Result};
use crate::http::Caller;

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

/// What may be kept of one sort of thing.
pub struct Budget {
    /// Its name, in the plural, for whoever is refused.
    pub what: &'static str,
    /// Bytes of one.
    pub each: usize,
    pub count: usize,
    /// Bytes of all together.
    pub all: usize,
}

/// Ids that callers choose (devices, transactions, keys, types), as long as Matrix lets its own be.
pub const ID_BYTES: usize = 255;
/// As long as display names may be.
pub const DEVICE_NAME_CHARS: usize = 256;
/// Of a user: every first sync tells all of it.
pub const ACCOUNT_DATA: Budget =
    Budget { what: "account data", each: 64 * KIB, count: 1_000, all: MIB };
/// Of a user: each is tried on every unread message.
pub const PUSH_RULES: Budget =
    Budget { what: "push rules", each: 64 * KIB, count: 500, all: 64 * KIB };
/// Of a user: one for each app on each device; beyond it the oldest go.
pub const PUSHERS: Budget =
    Budget { what: "a pusher", each: 4 * KIB, count: 20, all: 20 * 4 * KIB };
/// Of a user: apps make one and keep its id.
pub const FILTERS: Budget =
    Budget { what: "filters", each: 16 * KIB, count: 100, all: 100 * 16 * KIB };
/// Of a device: one, told to everybody it shares an encrypted room with.
pub const DEVICE_KEYS: Budget =
    Budget { what: "device keys", each: 16 * KIB, count: 1, all: 16 * KIB };
/// Of a device: apps keep 50 to 100.
pub const ONE_TIME_KEYS: Budget =
    Budget { what: "one-time keys", each: 4 * KIB, count: 500, all: 500 * 4 * KIB };
/// Of a device: one for each algorithm, of which there is one.
pub const FALLBACK_KEYS: Budget =
    Budget { what: "fallback keys", each: 4 * KIB, count: 10, all: 10 * 4 * KIB };
/// Of a user: one for each use.
pub const CROSS_SIGNING_KEYS: Budget =
    Budget { what: "cross-signing keys", each: 16 * KIB, count: 3, all: 3 * 16 * KIB };
/// That a user made: on devices of their own and on everybody whom they verified.
pub const SIGNATURES: Budget =
    Budget { what: "signatures", each: 4 * KIB, count: 1_000, all: 1_000 * 4 * KIB };
/// Versions of a user's key backup: one, and those of recovery keys that were lost; beyond it the oldest go.
pub const KEY_BACKUPS: Budget =
    Budget { what: "key backups", each: 16 * KIB, count: 5, all: 5 * 16 * KIB };
/// Keys in all versions of a user's backup, of which those of older versions go first. A key has about 1 KiB; one is made for every
/// hundred messages that somebody sends to a room, and for every week.
pub const BACKED_UP_KEYS: Budget =
    Budget { what: "keys in backups", each: 4 * KIB, count: 50_000, all: 64 * MIB };
/// Keys in one upload: apps send 50 to 500.
pub const BACKED_UP_KEYS_AT_ONCE: usize = 500;
/// Of a room, beside its members: whoever comes in is told all of it, with what it replaced.
pub const STATE: Budget = Budget { what: "state events", each: 65_000, count: 1_000, all: MIB };
/// A member event: a room has as many as it has members.
pub const MEMBER_BYTES: usize = 8 * KIB;
/// Of a user, and of a room.
pub const ALIASES: Budget =
    Budget { what: "aliases", each: ID_BYTES, count: 100, all: 100 * ID_BYTES };
/// Receipts of a user for threads of one room; beyond it the oldest go.
pub const THREAD_RECEIPTS: i64 = 100;
/// Uploads of a user, beside their bytes, which the configuration limits.
pub const UPLOADS: i64 = 10_000;
/// Copies of to-device messages that one request makes: apps send to 250 devices at once.
pub const TO_DEVICE: Budget =
    Budget { what: "to-device messages at once", each: 64 * KIB, count: 1_000, all: 8 * MIB };
/// To-device messages that wait for a device; beyond it the oldest go. Somebody else's messages take at most a quarter of it, so
/// that no stranger pushes out the keys that others sent.
pub const BOX: Budget =
    Budget { what: "waiting messages", each: 64 * KIB, count: 10_000, all: 8 * MIB };
/// To-device messages in one answer, after which the rest comes with the next.
pub const TOLD: Budget =
    Budget { what: "messages told at once", each: 64 * KIB, count: 100, all: MIB };
/// Transaction ids of to-device messages that are remembered for a device; beyond it the oldest go.
pub const TRANSACTIONS: i64 = 1_000;

/// Events in one page: what comes after it comes with the next page.
pub const PAGE_BYTES: usize = MIB;
/// Keys in one answer, which has no pages: whoever asks for more is told to ask for fewer at once.
pub const KEYS_BYTES: usize = 4 * MIB;
/// Keys of a backup that are read at a time, while an answer with all of them is sent; and what such an answer counts for among
/// those that nobody has read yet, as some parts may be between the database and the network.
pub const BACKUP_PART_BYTES: usize = 256 * KIB;
pub const BACKUP_SENDING_BYTES: usize = MIB;
/// Public rooms looked through by one search, the largest first.
pub const ROOMS_SEARCHED: i64 = 5_000;

/// Answers that a user has not read yet, and those of all: about one large page for each of a user's devices.
pub const UNREAD_EACH: usize = 4 * MIB;
pub const UNREAD_ALL: usize = 128 * MIB;
/// Bodies of requests that are on their way in or being worked on, of a user and of all: read, a body can be fifty times as large.
pub const INCOMING_EACH: usize = 4 * MIB;
pub const INCOMING_ALL: usize = 64 * MIB;
/// Smaller answers and bodies are not counted.
pub const HELD_FREE_BYTES: usize = 16 * KIB;
/// Answers are sent, and freed, in pieces of this size.
pub const HELD_PIECE_BYTES: usize = 64 * KIB;

/// Requests that wait for their user's confirmation, of a user, beyond which the oldest go, and of all: some 300 bytes each.
pub const CONFIRMATIONS_OF_USER: usize = 3;
pub const CONFIRMATIONS: usize = 10_000;

/// Work that waits for the database, the service's and that of users apart: as much as requests are let in at once, twice.
pub const QUEUE: usize = 8_192;
/// What is kept in memory of a room that many follow, beside as many receipts and mentions: more than what comes while an answer
/// is under way to each of some thousands of members.
pub const RECENT_COUNT: usize = 64;
pub const RECENT_BYTES: usize = 128 * KIB;
/// Such rooms; over it all are forgotten and read again.
pub const RECENT_ROOMS: usize = 100;
/// Devices of which is remembered what their last answer found out; over it all are forgotten, and their next answers take the
/// database again.
pub const STANDINGS: usize = 20_000;
/// Of a device: the rooms that its user is in, and those of them in which something was told.
pub const STANDING_ROOMS: usize = 200;
pub const STANDING_TOLD: usize = 8;
/// In such a room: what changed over time of who sees what, and threads with something unread.
pub const STANDING_CHANGES: usize = 50;
/// The filter that a device stored.
pub const STANDING_FILTER_BYTES: usize = 2 * KIB;
/// Syncs of one device at once: an app has one, and one that lost its connection may have left another.
pub const SYNCS_OF_DEVICE: usize = 3;

impl Budget {
    /// Refuses one that is too large.
    pub fn check_one(&self, bytes: usize) -> Result<()> {
        check_size(self.what, bytes, self.each)
    }

    /// Refuses when there are too many, or they are too large together. A refusal takes back what was written before it.
    pub fn check_all(&self, me: &Caller, (count, bytes): (i64, i64)) -> Result<()> {
        if me.appservice || (count <= number(self.count) && bytes <= number(self.all)) {
            return Ok(());
        }
        let Self { what, count, all, .. } = self;
        let text = format!("There is no room for more {what}: at most {count} and {all} bytes");
        Err(Error::too_large(text))
    }
}

/// Refuses one thing of more than `most` bytes.
pub fn check_size(what: &str, bytes: usize, most: usize) -> Result<()> {
    if bytes > most {
        return Err(Error::too_large(format!("Too large for {what}: at most {most} bytes")));
    }
    Ok(())
}

/// A size as the database counts it.
pub fn number(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

/// Refuses an id of the caller's choice that is longer than any needs to be.
pub fn check_id(id: &str) -> Result<()> {
    check_size("an id", id.len(), ID_BYTES)
}
