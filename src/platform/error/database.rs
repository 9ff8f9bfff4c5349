//! What can go wrong with the database, by what a caller can do about it.
//!
//! Owns: the kinds and the hint that tells the HTTP layer which status they deserve.
//! Invariants: the text never holds a row's values or the connection's password, so it may be logged.
//! Never: a driver's own error type; both engines are turned into these kinds at the border.

pub type DatabaseResult<T> = Result<T, DatabaseError>;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseError {
    /// The connection is gone, the server is away or refuses more connections, the disk fails.
    #[error("the database cannot be reached: {0}")]
    Lost(String),
    /// The queue is full, or a lock or a statement took too long.
    #[error("the database is too busy: {0}")]
    Busy(String),
    #[error("the database's disk is full")]
    Full,
    /// Two transactions met. Scripts are rerun on it; callers see it only when that did not help.
    #[error("the transaction met another one: {0}")]
    Serialization(String),
    /// `constraint` is `table.column` (or `table.a, table.b`), the same on both engines;
    /// for an index on an expression it is the index's name. Seen by callers only if it is so when looked at twice.
    #[error("already present: {constraint}")]
    Unique { constraint: String },
    #[error("a script panicked")]
    Panicked,
    /// The commit failed or its outcome is unknown: the script may or may not have happened.
    #[error("the commit failed: {0}")]
    CommitFailed(String),
    /// A statement was run after another one of the same script had failed.
    #[error("an earlier statement of this transaction failed")]
    Poisoned,
    #[error("the database layer is shut down")]
    Closed,
    /// The reader of a stream went away, or took nothing for too long.
    #[error("the stream was ended: {0}")]
    Stopped(&'static str),
    /// A column or a parameter is not of the type the program expects.
    #[error("{0}")]
    Mismatch(String),
    /// The layer cannot start with these settings or this database.
    #[error("{0}")]
    Setup(String),
    /// Anything else the engine said.
    #[error("database error: {0}")]
    Other(String),
}

/// What the HTTP layer makes of an [`DatabaseError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusHint {
    /// 503: worth trying again soon.
    Unavailable,
    /// 507: no room; reads still work.
    Full,
    /// 500: a defect.
    Internal,
}

impl DatabaseError {
    pub fn status_hint(&self) -> StatusHint {
        match self {
            Self::Lost(_)
            | Self::Busy(_)
            | Self::Serialization(_)
            | Self::CommitFailed(_)
            | Self::Closed
            | Self::Stopped(_) => StatusHint::Unavailable,
            Self::Full => StatusHint::Full,
            Self::Unique { .. }
            | Self::Panicked
            | Self::Poisoned
            | Self::Mismatch(_)
            | Self::Setup(_)
            | Self::Other(_) => StatusHint::Internal,
        }
    }

    /// The value of the `kind` label of `touchline_db_errors_total`.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Lost(_) => "lost",
            Self::Busy(_) => "busy",
            Self::Full => "full",
            Self::Serialization(_) => "serialization",
            Self::Unique { .. } => "unique",
            Self::Panicked => "panicked",
            Self::CommitFailed(_) => "commit_failed",
            Self::Poisoned => "poisoned",
            Self::Closed => "closed",
            Self::Stopped(_) => "stopped",
            Self::Mismatch(_) => "mismatch",
            Self::Setup(_) => "setup",
            Self::Other(_) => "other",
        }
    }
}
