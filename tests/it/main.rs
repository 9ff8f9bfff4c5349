//! Tests through HTTP against the real service, on SQLite, or on PostgreSQL if `TOUCHLINE_TEST_DATABASE_URL` names a server.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that panics has done its work"
)]

mod account;
mod architecture;
mod audit;
mod bans;
mod catalogue;
mod chat_client;
mod chat_credentials;
mod chat_desk;
mod chat_desk_crashes;
mod chat_doors;
mod chat_events;
mod chat_network;
mod chat_news;
mod chat_nodes;
mod chat_outages;
mod chat_room_list;
mod chat_rooms;
mod chat_wishes;
mod code_limits;
mod coins;
mod coins_bank;
mod coins_books;
mod console;
mod demo;
mod desk_stream;
mod events;
mod faults;
mod feeds;
mod feeds_identity;
mod feeds_polling;
mod feeds_provider;
mod feeds_seasons;
mod forgetting;
mod front;
mod harness;
mod hidden_picks;
mod http;
mod http_limits;
mod job_control;
mod jobs;
mod leaderboards;
mod leaving;
mod lists;
mod living_demo;
mod login;
mod match_day;
mod match_desk;
mod names;
mod node_list;
mod nodes;
mod openapi;
mod operator_guesses;
mod operator_roles;
mod operator_tokens;
mod operators;
mod own_news;
mod people;
mod periods;
mod phone_verification;
mod phones;
mod postponed;
mod prediction_lists;
mod predictions;
mod program;
mod public_profiles;
mod sessions;
mod settlement;
mod settlement_crowds;
mod settlement_histories;
mod settlement_season;
mod sms_figures;
mod sms_log;
mod start;
mod stream;
mod teams;
mod times;
mod together;
mod tournaments;
mod treasury;
mod upgrade;
mod users;
mod webhooks;
mod who_is_in;
