//! The homeserver through a real TCP listener, as clients and the application service see it.

// A test that cannot go on should stop where it stands.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::similar_names)]

mod accounts;
mod app;
mod appservice;
mod backup_limits;
mod backups;
mod budgets;
mod crowd;
mod doors;
mod edges;
mod encryption;
mod full_disk;
mod hostile;
mod pushers;
mod rooms;
mod sign_in;
mod slow_readers;
mod small;
mod sync;
mod sync_state;
mod unread;
mod upgrade;
mod visibility;
