//! German. A table has the English text and the German one, in the order of the English.

mod fans;
mod operators;
mod refusals;
mod sign_in;

use super::Entry;

pub const TABLES: [&[Entry]; 4] =
    [refusals::REFUSALS, fans::FANS, operators::OPERATORS, sign_in::SIGN_IN];
