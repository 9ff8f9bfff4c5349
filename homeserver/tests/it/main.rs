//! The homeserver through a real TCP listener, as clients and the application service see it.

mod app;
mod appservice;
mod accounts;
mod encryption;
mod rooms;
mod sync;
mod visibility;
