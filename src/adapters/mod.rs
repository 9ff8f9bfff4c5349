//! The outside world, each part behind one door.

pub mod matrix;
pub mod providers;
pub mod push;
pub mod sms;
