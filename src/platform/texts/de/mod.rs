//! German. A table has the English text and the German one, in the order of the English.

mod fans;
mod operators;
mod refusals;

use super::Entry;

pub const TABLES: [&[Entry]; 3] = [refusals::REFUSALS, fans::FANS, operators::OPERATORS];
