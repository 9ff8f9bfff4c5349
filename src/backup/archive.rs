//! The file itself: a tar archive of the pieces and, last, a manifest of what they are.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::platform::clock::Timestamp;
use crate::platform::config::Secret;
use crate::platform::keys::hex;

use super::sealing::{self, Opener, Sealer};
use super::{DATABASE, HOMESERVER, KEY, create_private};

const MANIFEST: &str = "manifest.json";
const FORM: u32 = 1;
const BUFFER_BYTES: usize = 256 * 1024;
/// A manifest is small; one that is not is none.
const LONGEST_MANIFEST: u64 = 64 * 1024;

/// What a backup is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Manifest {
    /// Of which a program has to know how to read it.
    form: u32,
    pub made_at: Timestamp,
    /// The program that made it.
    pub version: String,
    /// The database's name: the homeserver's data belongs to the same.
    pub installation: String,
    /// Whether the service's database is in it, or on a server that is backed up by its own means.
    pub has_database: bool,
    pub pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    pub name: String,
    pub bytes: u64,
    sha256: String,
}

impl Manifest {
    pub fn new(made_at: Timestamp, installation: String, has_database: bool) -> Self {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Self { form: FORM, made_at, version, installation, has_database, pieces: Vec::new() }
    }

    pub fn bytes(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.bytes).sum()
    }

    pub fn has(&self, name: &str) -> bool {
        self.pieces.iter().any(|piece| piece.name == name)
    }
}

enum Sink {
    Plain(BufWriter<File>),
    Sealed(Box<Sealer<BufWriter<File>>>),
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file) => file.write(bytes),
            Self::Sealed(sealer) => sealer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.flush(),
            Self::Sealed(sealer) => sealer.flush(),
        }
    }
}

pub struct Writer {
    tar: tar::Builder<Sink>,
    manifest: Manifest,
}

impl Writer {
    pub fn new(file: File, key: Option<&Secret>, manifest: Manifest) -> io::Result<Self> {
        let file = BufWriter::with_capacity(BUFFER_BYTES, file);
        let sink = match key {
            Some(key) => Sink::Sealed(Box::new(Sealer::new(file, key)?)),
            None => Sink::Plain(file),
        };
        Ok(Self { tar: tar::Builder::new(sink), manifest })
    }

    pub fn add(&mut self, name: &str, piece: &Path) -> io::Result<()> {
        let file = File::open(piece)?;
        let bytes = file.metadata()?.len();
        let mut reader = Hashing::new(BufReader::with_capacity(BUFFER_BYTES, file.take(bytes)));
        let mut header = header(bytes);
        self.tar.append_data(&mut header, name, &mut reader)?;
        let sha256 = reader.finish();
        self.manifest.pieces.push(Piece { name: name.to_owned(), bytes, sha256 });
        Ok(())
    }

    /// It is on the disk when this returns.
    pub fn finish(mut self) -> io::Result<Manifest> {
        let text = serde_json::to_vec_pretty(&self.manifest)?;
        let mut header = header(u64::try_from(text.len()).unwrap_or(u64::MAX));
        self.tar.append_data(&mut header, MANIFEST, text.as_slice())?;
        let mut file = match self.tar.into_inner()? {
            Sink::Plain(file) => file,
            Sink::Sealed(sealer) => sealer.finish()?,
        };
        file.flush()?;
        file.get_ref().sync_all()?;
        Ok(self.manifest)
    }
}

fn header(bytes: u64) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes);
    header.set_mode(0o600);
    header
}

/// Takes a backup apart into a folder that is there and empty. What is not whole, or not what its manifest says, is refused.
pub fn unpack(
    file: &Path,
    key: Option<&Secret>,
    folder: &Path,
    mut told: impl FnMut(u64, u64),
) -> io::Result<Manifest> {
    let opened = File::open(file)?;
    let all = opened.metadata()?.len();
    let mut archive = tar::Archive::new(open(opened, key)?);
    let (mut found, mut manifest, mut done) = (Vec::new(), None, 0);
    for entry in archive.entries()? {
        let mut entry = entry?;
        let name = entry.path()?.to_str().unwrap_or_default().to_owned();
        if name == MANIFEST {
            let mut text = String::new();
            (&mut entry).take(LONGEST_MANIFEST).read_to_string(&mut text)?;
            manifest = Some(serde_json::from_str::<Manifest>(&text)?);
            continue;
        }
        if ![DATABASE, HOMESERVER, KEY].contains(&name.as_str()) {
            return Err(io::Error::other(format!("it has something unheard of in it: {name}")));
        }
        let mut reader = Hashing::new(entry);
        let mut to = create_private(&folder.join(&name))?;
        let mut buffer = vec![0; BUFFER_BYTES];
        let mut bytes = 0;
        loop {
            let read = reader.read(&mut buffer)?;
            if read == 0 {
                break;
            }
            to.write_all(buffer.get(..read).unwrap_or_default())?;
            let read = u64::try_from(read).unwrap_or(0);
            (bytes, done) = (bytes + read, done + read);
            told(done, all);
        }
        to.sync_all()?;
        found.push(Piece { name, bytes, sha256: reader.finish() });
    }
    let manifest =
        manifest.ok_or_else(|| io::Error::other("it has no manifest: it is not whole"))?;
    if manifest.form != FORM {
        return Err(io::Error::other("a newer program made it: use that one"));
    }
    if manifest.pieces != found {
        return Err(io::Error::other("what is in it is not what its manifest says: it is damaged"));
    }
    Ok(manifest)
}

fn open(file: File, key: Option<&Secret>) -> io::Result<Box<dyn Read>> {
    let mut file = BufReader::with_capacity(BUFFER_BYTES, file);
    match (sealing::is_sealed(file.fill_buf()?), key) {
        (false, None) => Ok(Box::new(file)),
        (true, Some(key)) => Ok(Box::new(Opener::new(file, key)?)),
        (true, None) => Err(io::Error::other("it is encrypted: give its key with --key-file")),
        // Whoever gives a key means to be sure that nobody else made this.
        (false, Some(_)) => Err(io::Error::other("it is not encrypted: leave --key-file out")),
    }
}

/// Hashes what is read through it.
struct Hashing<R> {
    from: R,
    hash: Sha256,
}

impl<R: Read> Hashing<R> {
    fn new(from: R) -> Self {
        Self { from, hash: Sha256::new() }
    }

    fn finish(self) -> String {
        hex(&self.hash.finalize())
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(buffer)?;
        self.hash.update(buffer.get(..read).unwrap_or_default());
        Ok(read)
    }
}
