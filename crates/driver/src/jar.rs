//! Archives of class files: a directory at the end, and entries that are stored as they are or deflated.

use std::collections::BTreeMap;

use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// An archive, and where its entries are.
pub(crate) struct Jar {
    bytes: Vec<u8>,
    entries: BTreeMap<String, Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    header: usize,
    length: usize,
    is_deflated: bool,
}

/// An entry is at most so long.
const LONGEST: usize = 16 << 20;

const END: &[u8] = b"PK\x05\x06";

/// How long the end of an archive is at least.
const END_LENGTH: usize = 22;
const ENTRY: &[u8] = b"PK\x01\x02";

impl Jar {
    /// Reads the directory of an archive; nothing if the bytes are none.
    pub(crate) fn open(bytes: Vec<u8>) -> Option<Jar> {
        let end = bytes.windows(END.len()).rposition(|window| window == END)?;
        let end = bytes.get(end..end + END_LENGTH)?;
        let mut at = number(end, 16, 4)?;
        let mut entries = BTreeMap::new();
        while bytes.get(at..at + ENTRY.len()) == Some(ENTRY) {
            let method = number(&bytes, at + 10, 2)?;
            let length = number(&bytes, at + 20, 4)?;
            let [name, extra, comment] = [28, 30, 32].map(|offset| number(&bytes, at + offset, 2));
            let (name, extra, comment) = (name?, extra?, comment?);
            let header = number(&bytes, at + 42, 4)?;
            let text = bytes.get(at + 46..at + 46 + name)?;
            let entry = Entry { header, length, is_deflated: method == 8 };
            if method == 0 || method == 8 {
                entries.insert(String::from_utf8_lossy(text).into_owned(), entry);
            }
            at += 46 + name + extra + comment;
        }
        Some(Jar { bytes, entries })
    }

    /// The content of an entry.
    pub(crate) fn read(&self, name: &str) -> Option<Vec<u8>> {
        let entry = self.entries.get(name)?;
        let name = number(&self.bytes, entry.header + 26, 2)?;
        let extra = number(&self.bytes, entry.header + 28, 2)?;
        let start = entry.header + 30 + name + extra;
        let content = self.bytes.get(start..start.checked_add(entry.length)?)?;
        match entry.is_deflated {
            true => decompress_to_vec_with_limit(content, LONGEST).ok(),
            false => Some(content.to_vec()),
        }
    }
}

/// A number of some bytes, the least first.
fn number(bytes: &[u8], at: usize, count: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(count)?)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::Jar;

    /// An archive with one entry that is stored as it is.
    fn archive() -> Vec<u8> {
        let mut bytes = b"PK\x03\x04".to_vec();
        bytes.extend([0; 22]);
        bytes.extend([1, 0, 0, 0]);
        bytes.extend(b"ahello");
        let directory = bytes.len() as u8;
        bytes.extend(b"PK\x01\x02");
        bytes.extend([0; 16]);
        bytes.extend([5, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 0, 0]);
        bytes.extend([0; 12]);
        bytes.extend(b"a");
        bytes.extend(b"PK\x05\x06");
        bytes.extend([0; 12]);
        bytes.extend([directory, 0, 0, 0, 0, 0]);
        bytes
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
