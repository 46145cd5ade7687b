//! Fingerprints: how a finding is recognised in the next version of a program.
//!
//! There are two. [`line_hashes`] are GitHub's: code scanning distinguishes alerts by the hash of the line they are
//! on, SARIF carries it as `primaryLocationLineHash`, and our values have to be those that GitHub's own upload
//! action (`github/codeql-action`, fingerprints) would compute, or every alert would be closed and opened again.
//! [`identities`] are ours: they also depend on the rule and the procedure, and not on the text after the line.

use std::collections::HashMap;

use crate::limits::FINGERPRINT_CHARACTERS;
use crate::sources::Library;
use crate::{Finding, Report, Sources};

/// The hash of each line, first line first, as `hash:n`, where `n` counts the lines with this hash
/// so far.
///
/// Spaces and tabs are left out, a carriage return with or without a line feed becomes a line feed,
/// and the file ends with the character 65535. The hash of a line is the value of the polynomial over
/// the 100 UTF-16 code units from its start, on into the lines below, zeros after the end, at 37 modulo
/// 2⁶⁴. A lone carriage return ends a line here, so these lines can differ from [`crate::LineIndex`]'s
/// in files that have any.
pub fn line_hashes(text: &str) -> Vec<String> {
    let (units, starts) = normalise(text);
    let mut seen: HashMap<u64, usize> = HashMap::new();
    let hash = |start: usize| {
        let window =
            units[start..].iter().copied().chain(std::iter::repeat(0)).take(FINGERPRINT_CHARACTERS);
        window.fold(0u64, |hash, unit| hash.wrapping_mul(37).wrapping_add(u64::from(unit)))
    };
    let occurrence = |hash: u64| {
        let n = seen.entry(hash).or_default();
        *n += 1;
        format!("{hash:x}:{n}")
    };
    starts.into_iter().map(hash).map(occurrence).collect()
}

/// The code units that count, and where among them lines start.
fn normalise(text: &str) -> (Vec<u16>, Vec<usize>) {
    let (mut units, mut starts) = (Vec::with_capacity(text.len() + 1), vec![0]);
    let mut after_return = false;
    for unit in text.encode_utf16() {
        let completes_return = after_return && unit == u16::from(b'\n');
        after_return = unit == u16::from(b'\r');
        if completes_return || unit == u16::from(b' ') || unit == u16::from(b'\t') {
            continue;
        }
        let ends_line = after_return || unit == u16::from(b'\n');
        units.push(if ends_line { u16::from(b'\n') } else { unit });
        if ends_line {
            starts.push(units.len());
        }
    }
    units.push(u16::MAX);
    (units, starts)
}

/// A fingerprint for each finding of a report, in its order, as `hash:n`.
///
/// It depends on the rule, its sub-kind, the path, the procedure, the line's text without white space
/// and the finding's own [`identity`](Finding::identity): neither on line numbers nor on any other
/// line. `n` counts the findings that agree in all of these.
pub fn identities(report: &Report, sources: &dyn Sources) -> Vec<String> {
    let library = Library::new(sources, report.findings.iter().map(|finding| &finding.place));
    identities_within(report, &library)
}

pub(crate) fn identities_within(report: &Report, library: &Library<'_>) -> Vec<String> {
    let mut seen: HashMap<u64, usize> = HashMap::new();
    let occurrence = |finding: &Finding| {
        let hash = identity(finding, library.line(&finding.place).unwrap_or_default());
        let n = seen.entry(hash).or_default();
        *n += 1;
        format!("{hash:016x}:{n}")
    };
    report.findings.iter().map(occurrence).collect()
}

fn identity(finding: &Finding, line: &str) -> u64 {
    let Finding { rule, detail, place, function, identity, .. } = finding;
    let line: String = line.split_whitespace().collect();
    let option = |text: &Option<String>| text.clone().unwrap_or_default();
    let head = [rule.to_string(), option(detail), place.path.clone(), option(function), line];
    // A zero byte after each part keeps `ab`, `c` apart from `a`, `bc`.
    let bytes = head.iter().chain(identity).flat_map(|part| part.bytes().chain([0]));
    fnv1a(bytes)
}

/// The 64-bit FNV-1a hash: it is the same on every machine and in every version of Rust.
fn fnv1a(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::{fnv1a, line_hashes};

    /// The expected values are those that the tests of GitHub's action state for the same texts.
    #[test]
    fn line_hashes_are_those_of_github() {
        assert_eq!(line_hashes(""), ["c129715d7a2bc9a3:1"]);
        assert_eq!(
            line_hashes(" a\nb\n  \t\tc\n d"),
            ["271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"]
        );
        let greetings = [
            "e9496ae3ebfced30:1",
            "fb7c023a8b9ccb3f:1",
            "ce8ba1a563dcdaca:1",
            "e20e36e16fcb0cc8:1",
            "b3edc88f2938467e:1",
            "c8e28b0b4002a3a0:1",
            "c129715d7a2bc9a3:1",
        ];
        for text in [
            " hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n",
            " hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r",
            " hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n",
            " hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n",
        ] {
            assert_eq!(line_hashes(text), greetings, "{text:?}");
        }
    }

    #[test]
    fn equal_lines_are_counted() {
        let hashes = line_hashes(&"Lorem ipsum dolor sit amet.\n".repeat(10));
        assert_eq!(hashes[0], "a7f2ff13bc495cf2:1");
        assert_eq!(hashes[5], "a7f2ff13bc495cf2:6");
        assert_eq!(hashes[6], "a7f2ff1481e87703:1");
        assert_eq!(hashes[9], "cc97dc7b1d7d8f7b:1");
        assert_eq!(hashes[10], "c129715d7a2bc9a3:1");
    }

    #[test]
    fn fnv1a_is_the_published_function() {
        assert_eq!(fnv1a(b"foobar".iter().copied()), 0x8594_4171_f739_67e8);
    }
}
