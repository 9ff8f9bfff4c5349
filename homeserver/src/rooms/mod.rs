//! Rooms: how events get into the log and how they are read back.
//!
//! Owns: creating rooms, membership, sending, redaction, reading, relations, the directory.
//! Invariants: every event passes `append` (ruma's authorisation rules against current state); every
//! read passes a `visibility::View`.
//! Never: talks to other servers.

pub mod append;
pub mod create;
pub mod directory;
pub mod format;
pub mod membership;
pub mod notify;
pub mod power;
pub mod read;
pub mod relations;
pub mod send;
mod summary;

use ruma::RoomVersionId;

use crate::http::Routes;

/// The only room version: ids keep the form `!opaque:server`.
pub const VERSION: RoomVersionId = RoomVersionId::V11;

pub fn routes(routes: Routes) -> Routes {
    let routes = membership::routes(create::routes(routes));
    let routes = read::routes(send::routes(routes));
    summary::routes(directory::routes(relations::routes(routes)))
}
