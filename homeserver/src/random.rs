//! The only place that draws randomness: access tokens and the opaque parts of ids.

use rand::RngExt;

const ALPHABET: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// `length` characters of about 5.95 bits each.
#[allow(clippy::disallowed_methods)] // the one place
pub fn opaque(length: usize) -> String {
    let mut random = rand::rng();
    (0..length)
        .filter_map(|_| ALPHABET.get(random.random_range(0..ALPHABET.len())))
        .map(|byte| char::from(*byte))
        .collect()
}
