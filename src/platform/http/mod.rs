//! Everything between the socket and a feature's handler.
//!
//! Owns: connections and their limits, request ids, the one error body, reading input, pages, metrics and docs.
//! Invariants: every answer carries `x-request-id` and the security headers; every failure has the one error body.
//! Never: decides a rule of a feature.

pub mod answer;
pub mod bearer;
pub mod caller;
pub mod client_address;
mod connection;
pub mod console;
pub mod description;
pub mod docs;
mod docs_pages;
mod document;
pub mod error_body;
pub mod fan_page;
pub mod front_page;
mod http1;
mod http2;
pub mod if_match;
pub mod input;
pub mod list;
mod metric_list;
pub mod metric_table;
pub mod metrics;
pub mod moments;
pub mod page;
pub mod path;
pub mod places;
pub mod request_id;
pub mod serve;
pub mod tls;
pub mod views;
pub mod web_files;

/// A state from which handlers take the parts they name.
pub trait AppState: Clone + Send + Sync + 'static {}

impl<S: Clone + Send + Sync + 'static> AppState for S {}
