//! Archives of class files (ZIP): a central directory at the end, and entries that are stored or deflated.

use std::collections::BTreeMap;

use miniz_oxide::inflate::decompress_to_vec_with_limit;

use crate::limits::ARCHIVE_ENTRY_BYTES;

/// An archive with its directory.
pub(crate) struct Jar {
    bytes: Vec<u8>,
    entries: BTreeMap<String, Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    header: usize,
    length: usize,
    /// The checksum (CRC-32) of the content.
    remainder: usize,
    is_deflated: bool,
}

const END: &[u8] = b"PK\x05\x06";

/// The minimum length of the end record of an archive.
const END_LENGTH: usize = 22;
const ENTRY: &[u8] = b"PK\x01\x02";

impl Jar {
    /// Reads the directory of an archive; none if the bytes are no archive.
    pub(crate) fn open(bytes: Vec<u8>) -> Option<Jar> {
        let end = bytes.windows(END.len()).rposition(|window| window == END)?;
        let end = bytes.get(end..end + END_LENGTH)?;
        let mut at = number(end, 16, 4)?;
        let mut entries = BTreeMap::new();
        while bytes.get(at..at + ENTRY.len()) == Some(ENTRY) {
            let method = number(&bytes, at + 10, 2)?;
            let [remainder, length] = [16, 20].map(|offset| number(&bytes, at + offset, 4));
            let (remainder, length) = (remainder?, length?);
            let [name, extra, comment] = [28, 30, 32].map(|offset| number(&bytes, at + offset, 2));
            let (name, extra, comment) = (name?, extra?, comment?);
            let header = number(&bytes, at + 42, 4)?;
            let text = bytes.get(at + 46..at + 46 + name)?;
            let entry = Entry { header, length, remainder, is_deflated: method == 8 };
            if method == 0 || method == 8 {
                entries.insert(String::from_utf8_lossy(text).into_owned(), entry);
            }
            at += 46 + name + extra + comment;
        }
        Some(Jar { bytes, entries })
    }

    /// Whether there is an entry of a name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// The content of an entry; none if there is no such entry, or if it is damaged.
    pub(crate) fn read(&self, name: &str) -> Option<Vec<u8>> {
        let entry = self.entries.get(name)?;
        let name = number(&self.bytes, entry.header + 26, 2)?;
        let extra = number(&self.bytes, entry.header + 28, 2)?;
        let start = entry.header + 30 + name + extra;
        let content = self.bytes.get(start..start.checked_add(entry.length)?)?;
        let content = match entry.is_deflated {
            true => decompress_to_vec_with_limit(content, ARCHIVE_ENTRY_BYTES).ok()?,
            false => content.to_vec(),
        };
        (remainder(&content) as usize == entry.remainder).then_some(content)
    }
}

/// The checksum CRC-32.
fn remainder(content: &[u8]) -> u32 {
    let step = |rest: u32, _| (rest >> 1) ^ (0xEDB8_8320 & (rest & 1).wrapping_neg());
    !content.iter().fold(!0, |rest, byte| (0..8).fold(rest ^ u32::from(*byte), step))
}

/// A little-endian number.
fn number(bytes: &[u8], at: usize, count: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(count)?)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::Jar;

    /// An archive with one stored entry.
    fn archive() -> Vec<u8> {
        let mut bytes = b"PK\x03\x04".to_vec();
        bytes.extend([0; 22]);
        bytes.extend([1, 0, 0, 0]);
        bytes.extend(b"ahello");
        let directory = bytes.len() as u8;
        bytes.extend(b"PK\x01\x02");
        bytes.extend([0; 12]);
        bytes.extend(super::remainder(b"hello").to_le_bytes());
        bytes.extend([5, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 0, 0]);
        bytes.extend([0; 12]);
        bytes.extend(b"a");
        bytes.extend(b"PK\x05\x06");
        bytes.extend([0; 12]);
        bytes.extend([directory, 0, 0, 0, 0, 0]);
        bytes
    }

    #[test]
    fn the_remainder_is_that_of_the_standard() {
        assert_eq!(super::remainder(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn a_damaged_entry_has_no_content() {
        let mut bytes = archive();
        let content = bytes.windows(5).position(|window| window == b"hello").expect("it is there");
        bytes[content] = b'j';
        let jar = Jar::open(bytes).expect("the directory is sound");
        assert!(jar.has("a"));
        assert_eq!(jar.read("a"), None);
    }

    #[test]
    fn entries_are_found_by_their_names() {
        let jar = Jar::open(archive()).expect("it is an archive");
        assert_eq!(jar.read("a").as_deref(), Some(&b"hello"[..]));
        assert_eq!(jar.read("b"), None);
    }

    #[test]
    fn damaged_archives_have_no_entries_and_do_no_harm() {
        assert!(Jar::open(b"no archive".to_vec()).is_none());
        let whole = archive();
        for position in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[position] ^= 0xff;
            if let Some(jar) = Jar::open(bytes) {
                jar.read("a");
            }
            assert!(
                Jar::open(whole[..position].to_vec()).is_none_or(|jar| jar.read("a").is_none())
            );
        }
    }
}
