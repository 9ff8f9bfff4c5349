//! What is particular to SQLite: the group commit, and a disk that is full.
use super::super::{Error, params};
use super::*;
