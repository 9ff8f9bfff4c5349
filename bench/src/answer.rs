//! Reading HTTP answers piece by piece: just enough to know where one ends and whether it is a success.

use memchr::{memchr, memmem};

use crate::Outcome;

/// Where in an answer the reader is.
#[derive(Debug)]
enum Place {
    Head,
    /// So many bytes of the body are to come.
    Body(usize),
    ChunkSize,
    /// So many bytes of the chunk and its line break are to come.
    Chunk(usize),
    /// After the last chunk, before the line break that ends the answer.
    End,
}

#[derive(Debug)]
pub struct Reader {
    place: Place,
    /// The beginning of a head or line whose rest is to come.
    held: Vec<u8>,
}

impl Default for Reader {
    fn default() -> Self {
        Self { place: Place::Head, held: Vec::new() }
    }
}

impl Reader {
    /// Takes the next bytes; true once the answer is whole, and then ready for the next one.
    pub fn take(&mut self, bytes: &[u8]) -> Outcome<bool> {
        let joined;
        let mut rest = if self.held.is_empty() {
            bytes
        } else {
            joined = [std::mem::take(&mut self.held).as_slice(), bytes].concat();
            &joined
        };
        loop {
            let (used, next) = match self.place {
                Place::Head => match memmem::find(rest, b"\r\n\r\n") {
                    None => return Ok(self.hold(rest)),
                    Some(end) => (end + 4, after_head(rest.get(..end + 2).unwrap_or_default())?),
                },
                Place::Body(left) | Place::Chunk(left) if left > rest.len() => {
                    self.place = match self.place {
                        Place::Body(_) => Place::Body(left - rest.len()),
                        _ => Place::Chunk(left - rest.len()),
                    };
                    return Ok(false);
                }
                Place::Body(left) => (left, Place::Head),
                Place::Chunk(left) => (left, Place::ChunkSize),
                Place::ChunkSize => match memchr(b'\n', rest) {
                    None => return Ok(self.hold(rest)),
                    Some(end) => (end + 1, after_size(rest.get(..end).unwrap_or_default())?),
                },
                Place::End => match memchr(b'\n', rest) {
                    None => return Ok(self.hold(rest)),
                    Some(end) => (end + 1, Place::Head),
                },
            };
            let is_end = matches!(next, Place::Head) || matches!(next, Place::Body(0));
            self.place = if is_end { Place::Head } else { next };
            if is_end {
                return Ok(true);
            }
            rest = rest.get(used..).unwrap_or_default();
        }
    }

    /// The rest is to come: the answer is not whole.
    fn hold(&mut self, rest: &[u8]) -> bool {
        self.held = rest.to_vec();
        false
    }
}

/// What follows a head, given with its last line break.
fn after_head(head: &[u8]) -> Outcome<Place> {
    if head.get(9) != Some(&b'2') {
        return Err(format!("no success: {}", String::from_utf8_lossy(head)).into());
    }
    match find_header(head, b"\r\ncontent-length: ") {
        Some(length) => Ok(Place::Body(std::str::from_utf8(length)?.trim().parse()?)),
        None => Ok(Place::ChunkSize),
    }
}

/// The value of a header, as hyper writes it: in small letters.
fn find_header<'a>(head: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let value = head.get(memmem::find(head, name)? + name.len()..)?;
    value.get(..memchr(b'\r', value)?)
}

fn after_size(line: &[u8]) -> Outcome<Place> {
    let size = usize::from_str_radix(std::str::from_utf8(line)?.trim(), 16)?;
    Ok(if size == 0 { Place::End } else { Place::Chunk(size + 2) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTED: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello";
    const CHUNKED: &[u8] =
        b"HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n3\r\nyou\r\n0\r\n\r\n";

    #[test]
    fn an_answer_is_whole_at_its_last_byte_wherever_it_is_cut() {
        for answer in [COUNTED, CHUNKED] {
            for cut in 1..answer.len() {
                let mut reader = Reader::default();
                assert!(!reader.take(&answer[..cut]).unwrap());
                assert!(reader.take(&answer[cut..]).unwrap(), "cut at {cut}");
            }
        }
    }

    #[test]
    fn one_reader_reads_answer_after_answer() {
        let mut reader = Reader::default();
        for _ in 0..2 {
            assert!(reader.take(COUNTED).unwrap());
            assert!(reader.take(CHUNKED).unwrap());
        }
    }

    #[test]
    fn an_answer_that_is_no_success_is_an_error() {
        assert!(
            Reader::default().take(b"HTTP/1.1 429 Too Many\r\ncontent-length: 0\r\n\r\n").is_err()
        );
    }
}
