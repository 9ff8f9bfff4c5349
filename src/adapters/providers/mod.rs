//! Providers of matches: how each is asked, and what it says, in plain words.
//!
//! Owns: the providers' formats, their words for how a match stands, and what can be a name, a time or a score at all.
//! Invariants: whatever bytes come, reading them ends in reports, in problems told in words or in an error, never in a panic; no
//! answer is read beyond 16 MiB; the words of an error quote no address, no key and no sentence of a provider.
//! Never: counts requests, decides when to ask, or knows what becomes of what it reads.

mod adapter;
mod api_football;
#[cfg(test)]
pub mod examples;
mod exchange;
mod football_data;
mod openfootball;
pub mod report;
mod source;
pub mod spelling;

pub use adapter::{Adapter, Ask, open};
pub use exchange::{AskError, AskErrorKind, MOST_PAGES, Reply, ask};
pub use source::{Counting, Place, Provider, Source};
