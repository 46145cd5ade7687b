//! Suppression in the source, with a reason.
//!
//! ```text
//! x := y div z;   // indict: allow(division-by-zero) because z is a prime
//! ```
//!
//! A comment after code applies to its own line; one on a line of its own applies to the next line with code, so that
//! several can precede one line. It suppresses findings that start on that line. Without a reason it suppresses
//! nothing.

use report::{Finding, LineIndex, Note, Place, Severity};

use crate::rules::{Registry, UnknownRule};

/// A comment that suppresses findings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Suppression {
    /// The rules whose findings it suppresses.
    pub(crate) rules: Vec<String>,
    /// The reason.
    pub(crate) reason: String,
    /// The line that it applies to.
    pub(crate) line: u32,
    /// Its place.
    pub(crate) place: Place,
    /// Whether a compiler may have removed the code that it applies to.
    pub(crate) is_compiled: bool,
}

impl Suppression {
    /// Whether it applies to a finding.
    pub(crate) fn covers(&self, finding: &Finding) -> bool {
        let is_here =
            |place: &Place| place.path == self.place.path && place.start.line == self.line;
        let names = |id: &str| self.rules.iter().any(|rule| rule == id);
        // A failure of every execution may be suppressed as `doomed`, also at the branch that leads to it.
        let is_certain = finding.extent.is_every() && names("doomed");
        let mut related = finding.related.iter().map(|related| &related.place);
        is_here(&finding.place) && (names(finding.rule.as_str()) || is_certain)
            || is_certain && related.any(is_here)
    }
}

/// All suppressions of a text, and notes about malformed ones.
pub(crate) fn suppressions(
    path: &str,
    text: &str,
    quotes: &[char],
    registry: &Registry,
) -> (Vec<Suppression>, Vec<Note>) {
    let (mut found, mut notes) = (Vec::new(), Vec::new());
    // Most files have none; then comments need not be scanned.
    if !text.contains(MARK) {
        return (found, notes);
    }
    let index = LineIndex::new(text);
    let scan = scan(text, quotes);
    for comment in &scan.comments {
        let content = text[comment.start..comment.end].trim_start_matches(['/', '*', '!']);
        let Some(order) = content.trim_start().strip_prefix(MARK) else { continue };
        let (start, end) = (comment.start as u32, comment.end as u32);
        let place = Place::of_offsets(path, &index, start, end);
        match parse(order.trim_end().trim_end_matches("*/").trim(), registry) {
            Err(message) => {
                let (severity, place) = (Severity::Warning, Some(place));
                notes.push(Note { severity, message, place });
            }
            Ok((rules, reason)) => {
                let own = place.start.line;
                let line = if scan.has_code(own) { own } else { scan.code_after(place.end.line) };
                found.push(Suppression { rules, reason, line, place, is_compiled: false });
            }
        }
    }
    (found, notes)
}

const MARK: &str = "indict:";
const FORM: &str = "`indict: allow(RULE) because REASON`";

/// Reads `allow(a, b) because REASON`.
fn parse(order: &str, registry: &Registry) -> Result<(Vec<String>, String), String> {
    let malformed = || format!("malformed suppression; its form is {FORM}");
    let rest = order.strip_prefix("allow").ok_or_else(malformed)?.trim_start();
    let (names, rest) =
        rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).ok_or_else(malformed)?;
    let rules: Result<Vec<String>, UnknownRule> = names
        .split(',')
        .map(|name| registry.find(name.trim()).map(|rule| rule.id.to_string()))
        .collect();
    let rules = rules.map_err(|unknown| format!("malformed suppression: {unknown}"))?;
    let reason = rest.trim_start().strip_prefix("because ").unwrap_or("").trim();
    if reason.is_empty() {
        return Err(format!("suppression without a reason; its form is {FORM}"));
    }
    Ok((rules, reason.to_owned()))
}

/// The comments of a text, and the lines with code, in order.
struct Scan {
    comments: Vec<std::ops::Range<usize>>,
    code: Vec<u32>,
}

impl Scan {
    fn has_code(&self, line: u32) -> bool {
        self.code.binary_search(&line).is_ok()
    }

    /// The first line with code after this one, or this one if there is none.
    fn code_after(&self, line: u32) -> u32 {
        let next = self.code.partition_point(|&code| code <= line);
        self.code.get(next).copied().unwrap_or(line)
    }
}

fn scan(text: &str, quotes: &[char]) -> Scan {
    let mut scan = Scan { comments: Vec::new(), code: Vec::new() };
    let (mut at, mut line) = (0, 1);
    let mut quote = None;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let is_comment = quote.is_none() && (rest.starts_with("//") || rest.starts_with("/*"));
        let length = if rest.starts_with("//") && is_comment {
            rest.find('\n').unwrap_or(rest.len())
        } else if is_comment {
            rest[2..].find("*/").map_or(rest.len(), |end| end + 4)
        } else if quote.is_some() && c == '\\' {
            rest.chars().take(2).map(char::len_utf8).sum()
        } else {
            c.len_utf8()
        };
        if is_comment {
            scan.comments.push(at..at + length);
        } else {
            // A text ends with its line at the latest.
            quote = match quote {
                Some(open) if c == open || c == '\n' => None,
                None if quotes.contains(&c) => Some(c),
                other => other,
            };
            if !c.is_whitespace() && scan.code.last() != Some(&line) {
                scan.code.push(line);
            }
        }
        line += rest[..length].matches('\n').count() as u32;
        at += length;
    }
    scan
}

#[cfg(test)]
mod tests {
    use super::suppressions;
    use crate::rules::Registry;

    /// The lines that suppressions apply to, with rules and reasons, and the messages of notes.
    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let (found, notes) = suppressions("f.vir", text, &['"', '`'], &Registry::default());
        let tell = |s: &super::Suppression| {
            format!("{}: {} because {}", s.line, s.rules.join(" "), s.reason)
        };
        (found.iter().map(tell).collect(), notes.into_iter().map(|note| note.message).collect())
    }

    #[test]
    fn behind_code_its_own_line_alone_the_next_line_with_code() {
        let text = "a; // indict: allow(assertion) because one\n\
                    // indict: allow(doomed) because two\n\
                    /* indict: allow(assertion, contract/postcondition) because three */\n\n\
                    b;\n";
        let expected = [
            "1: assertion because one",
            "5: doomed because two",
            "5: assertion contract because three",
        ];
        assert_eq!(read(text), (expected.map(String::from).to_vec(), vec![]));
    }

    #[test]
    fn names_that_rules_had_before_still_suppress() {
        let text = "a; // indict: allow(uninitialised) because one\n";
        assert_eq!(read(text).0, ["1: uninitialized because one"]);
    }

    #[test]
    fn what_looks_like_a_comment_in_a_text_is_none() {
        let text = "a \"// indict: allow(assertion) because x\"; `// indict: allow`\n";
        assert_eq!(read(text), (vec![], vec![]));
        let text = "a \"\\\"\"; // indict: allow(assertion) because x\nb \"open\nc; // indict: allow(doomed) because y\n";
        assert_eq!(read(text).0.len(), 2);
    }

    #[test]
    fn without_a_reason_or_a_known_rule_nothing_is_suppressed() {
        let form = "its form is `indict: allow(RULE) because REASON`";
        let reason = format!("suppression without a reason; {form}");
        assert_eq!(read("x // indict: allow(assertion)"), (vec![], vec![reason.clone()]));
        assert_eq!(read("x // indict: allow(assertion) because  "), (vec![], vec![reason]));
        assert_eq!(
            read("x // indict: allow(asertion) because x").1,
            ["malformed suppression: there is no rule `asertion`; did you mean `assertion`?"]
        );
        assert_eq!(read("x // indict: deny(x)").1, [format!("malformed suppression; {form}")]);
    }
}
