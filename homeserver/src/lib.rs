//! The embedded Matrix homeserver.
