//! The database layer.
#[derive(Debug, thiserror::Error)]
pub enum Error {}
