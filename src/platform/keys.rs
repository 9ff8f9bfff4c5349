//! What is derived from the one secret key: codes, chat tokens, and names that say nothing.
//!
//! Owns: HMAC-SHA-256 under the secret key, with a purpose in each message so that no two uses can be mixed up.
//! Invariants: the key is the same on every node and survives restarts; outside production it is made once.
//! Never: leaves the process.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::platform::clock;
use crate::platform::config::{Config, ConfigError, Secret};

const KEY_FILE: &str = "secret_key";

#[derive(Clone)]
pub struct Keys(Hmac<Sha256>);

impl Keys {
    /// The configured key, or the one kept in the data directory, made on the first start.
    pub fn open(config: &Config) -> Result<Self, ConfigError> {
        let secret = if config.secret_key.is_set() {
            config.secret_key.clone()
        } else {
            kept_secret(&config.data_dir)?
        };
        Self::new(&secret)
    }

    pub fn new(secret: &Secret) -> Result<Self, ConfigError> {
        Hmac::new_from_slice(secret.expose().as_bytes())
            .map(Self)
            .map_err(|_| ConfigError::new("secret_key cannot be used as a key."))
    }

    pub fn derive(&self, purpose: &str, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = self.0.clone();
        for part in std::iter::once(&purpose.as_bytes()).chain(parts) {
            // Each part's length goes first, so that ("ab", "c") and ("a", "bc") differ.
            mac.update(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }

    /// A stable name for something private (a phone number, an address) that cannot be read back without the key.
    pub fn pseudonym(&self, purpose: &str, text: &str) -> String {
        hex(&self.derive(purpose, &[text.as_bytes()])[..16])
    }
}

pub fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The bytes of such a text.
pub fn unhex(digits: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = digits
        .chars()
        .map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect::<Option<_>>()?;
    let pairs = digits.chunks_exact(2);
    let is_whole = pairs.remainder().is_empty();
    is_whole
        .then(|| pairs.map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect())
}

/// The file that the key is kept in, unless it is configured.
pub fn file(config: &Config) -> Option<PathBuf> {
    (!config.secret_key.is_set()).then(|| config.data_dir.join(KEY_FILE))
}

fn kept_secret(data_dir: &Path) -> Result<Secret, ConfigError> {
    let path = data_dir.join(KEY_FILE);
    let problem = |error: std::io::Error| {
        ConfigError::new(format!("The key file {} cannot be used: {error}.", path.display()))
    };
    if !path.exists() {
        fs::create_dir_all(data_dir).map_err(problem)?;
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path).map_err(problem)?;
        file.write_all(hex(&clock::random_bytes::<32>()).as_bytes()).map_err(problem)?;
        file.sync_all().map_err(problem)?;
    }
    let text = fs::read_to_string(&path).map_err(problem)?;
    if text.trim().len() < 32 {
        return Err(ConfigError::new(format!("The key file {} is damaged.", path.display())));
    }
    Ok(Secret::new(text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_made_on_the_first_start_is_found_on_the_second() {
        let folder = tempfile::tempdir().unwrap();
        let first = kept_secret(folder.path()).unwrap();
        assert_eq!(first.expose(), kept_secret(folder.path()).unwrap().expose());
        assert!(first.expose().len() >= 32);
    }

    #[test]
    fn parts_cannot_be_shifted_into_one_another() {
        let keys = Keys::new(&Secret::new("k".repeat(32))).unwrap();
        assert_ne!(keys.derive("p", &[b"ab", b"c"]), keys.derive("p", &[b"a", b"bc"]));
        assert_ne!(keys.derive("p", &[b"a"]), keys.derive("q", &[b"a"]));
    }
}
