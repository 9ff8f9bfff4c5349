//! Encryption of a backup: ChaCha20-Poly1305 over pieces of 64 KiB, each with its number and whether it is the last, so that none can be changed,
//! left out, moved or cut off unseen. The key of a file is derived from the operator's and a salt of the file's own, so a number is
//! never used twice under one key.

use std::io::{self, BufRead, Read, Write};

use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::error::Unspecified;

use crate::platform::clock;
use crate::platform::config::Secret;
use crate::platform::keys::Keys;

/// How an encrypted backup begins, with its salt behind it. A plain one is a tar archive, which begins with a file's name.
const MARK: &[u8; 20] = b"touchline-sealed-v1\n";
const SALT_BYTES: usize = 16;
const PIECE_BYTES: usize = 64 * 1024;

pub fn is_sealed(beginning: &[u8]) -> bool {
    beginning.starts_with(MARK)
}

/// The library says no more than this.
fn broken(_: Unspecified) -> io::Error {
    io::Error::other("the cipher does not work")
}

struct Cipher {
    key: LessSafeKey,
    number: u64,
}

impl Cipher {
    fn new(secret: &Secret, salt: &[u8]) -> io::Result<Self> {
        let derived = Keys::new(secret).map_err(io::Error::other)?.derive("backup", &[salt]);
        let key = UnboundKey::new(&CHACHA20_POLY1305, &derived).map_err(broken)?;
        Ok(Self { key: LessSafeKey::new(key), number: 0 })
    }

    fn next_nonce(&mut self, is_last: bool) -> Nonce {
        let mut bytes = [0; NONCE_LEN];
        for (place, byte) in bytes.iter_mut().zip(self.number.to_be_bytes()) {
            *place = byte;
        }
        if let Some(last) = bytes.last_mut() {
            *last = u8::from(is_last);
        }
        self.number += 1;
        Nonce::assume_unique_for_key(bytes)
    }
}

/// Encrypts what is written to it.
pub struct Sealer<W: Write> {
    to: W,
    cipher: Cipher,
    piece: Vec<u8>,
}

impl<W: Write> Sealer<W> {
    pub fn new(mut to: W, secret: &Secret) -> io::Result<Self> {
        let salt = clock::random_bytes::<SALT_BYTES>();
        to.write_all(MARK)?;
        to.write_all(&salt)?;
        Ok(Self { to, cipher: Cipher::new(secret, &salt)?, piece: Vec::new() })
    }

    /// Without this the file has no last piece, and is refused.
    pub fn finish(mut self) -> io::Result<W> {
        self.seal(true)?;
        Ok(self.to)
    }

    fn seal(&mut self, is_last: bool) -> io::Result<()> {
        let nonce = self.cipher.next_nonce(is_last);
        self.cipher
            .key
            .seal_in_place_append_tag(nonce, Aad::empty(), &mut self.piece)
            .map_err(broken)?;
        self.to.write_all(&self.piece)?;
        self.piece.clear();
        Ok(())
    }
}

impl<W: Write> Write for Sealer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A full piece is kept until it is known not to be the last.
        if self.piece.len() == PIECE_BYTES {
            self.seal(false)?;
        }
        let fits = bytes.len().min(PIECE_BYTES - self.piece.len());
        self.piece.extend(bytes.iter().take(fits));
        Ok(fits)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Decrypts what is read from it.
pub struct Opener<R: BufRead> {
    from: R,
    cipher: Cipher,
    piece: Vec<u8>,
    read: usize,
    is_over: bool,
}

impl<R: BufRead> Opener<R> {
    pub fn new(mut from: R, secret: &Secret) -> io::Result<Self> {
        let mut beginning = [0; MARK.len() + SALT_BYTES];
        from.read_exact(&mut beginning)?;
        let (_, salt) = beginning.split_at(MARK.len());
        let cipher = Cipher::new(secret, salt)?;
        Ok(Self { from, cipher, piece: Vec::new(), read: 0, is_over: false })
    }

    fn open_next(&mut self) -> io::Result<()> {
        let most = u64::try_from(PIECE_BYTES + CHACHA20_POLY1305.tag_len()).unwrap_or(u64::MAX);
        self.piece.clear();
        (&mut self.from).take(most).read_to_end(&mut self.piece)?;
        self.is_over = self.from.fill_buf()?.is_empty();
        let nonce = self.cipher.next_nonce(self.is_over);
        let opened = self.cipher.key.open_in_place(nonce, Aad::empty(), &mut self.piece);
        let length = opened.map(|opened| opened.len()).map_err(|_| {
            io::Error::other("it was changed or cut off since it was made, or this is not its key")
        })?;
        self.piece.truncate(length);
        self.read = 0;
        Ok(())
    }
}

impl<R: BufRead> Read for Opener<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.read == self.piece.len() && !self.is_over {
            self.open_next()?;
        }
        let mut left = self.piece.get(self.read..).unwrap_or_default();
        let read = left.read(buffer)?;
        self.read += read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(text: &str) -> Secret {
        Secret::new(text.repeat(32))
    }

    fn sealed(plain: &[u8]) -> Vec<u8> {
        let mut sealer = Sealer::new(Vec::new(), &secret("a")).unwrap();
        sealer.write_all(plain).unwrap();
        sealer.finish().unwrap()
    }

    fn opened(sealed: &[u8], key: &str) -> io::Result<Vec<u8>> {
        let mut plain = Vec::new();
        Opener::new(sealed, &secret(key))?.read_to_end(&mut plain)?;
        Ok(plain)
    }

    #[test]
    fn what_was_sealed_is_opened_with_its_key_and_no_other() {
        for length in [0, 1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES] {
            let plain: Vec<u8> = (0..length).map(|n| u8::try_from(n % 251).unwrap()).collect();
            let sealed = sealed(&plain);
            assert!(is_sealed(&sealed));
            assert_eq!(opened(&sealed, "a").unwrap(), plain);
            assert!(opened(&sealed, "b").is_err());
        }
    }

    #[test]
    fn what_was_cut_off_changed_or_moved_is_refused() {
        let whole = sealed(&vec![7; 3 * PIECE_BYTES]);
        let head = MARK.len() + SALT_BYTES;
        let piece = PIECE_BYTES + CHACHA20_POLY1305.tag_len();
        for cut in [head + 1, head + piece, head + 2 * piece, whole.len() - 1] {
            assert!(opened(&whole[..cut], "a").is_err(), "cut at {cut}");
        }
        for place in [MARK.len(), head, head + piece, whole.len() - 1] {
            let mut changed = whole.clone();
            changed[place] ^= 1;
            assert!(opened(&changed, "a").is_err(), "changed at {place}");
        }
        let mut moved = whole.clone();
        let (first, second) = moved[head..].split_at_mut(piece);
        first.swap_with_slice(&mut second[..piece]);
        assert!(opened(&moved, "a").is_err());
    }

    #[test]
    fn the_same_is_never_sealed_alike() {
        assert_ne!(sealed(b"books"), sealed(b"books"));
    }
}
