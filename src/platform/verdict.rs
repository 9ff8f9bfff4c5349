//! A refusal that is remembered.

use super::error::{Error, Result};

/// How a script went whose refusal must be committed too: what it wrote on the way (a counted try) stays, which an error would
/// roll back.
#[derive(Debug)]
pub enum Verdict<T> {
    Accepted(T),
    Refused(Error),
}

impl<T> Verdict<T> {
    pub fn into_result(self) -> Result<T> {
        match self {
            Self::Accepted(value) => Ok(value),
            Self::Refused(error) => Err(error),
        }
    }
}
