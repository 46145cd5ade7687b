//! Which part of a condition a branch asks.
//!
//! A compiler makes a branch for each operand of `&&` and `||`. The location of the last is the start of the
//! whole condition, and that of the others is the operator after them.

use std::ops::Range;

use crate::limits::CONDITION_CHARACTERS;

/// The part of a condition that the branch at a place asks.
pub(crate) fn asked(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let whole = match is_junction(bytes, at) {
        true => before(bytes, at)..at,
        false => at..behind(bytes, at)?,
    };
    let part = last(bytes, whole);
    let written = text.get(part.clone())?;
    (!written.is_empty() && !written.contains('\n')).then_some(part)
}

/// Whether a text is a negation of something that no operator takes apart.
pub(crate) fn is_negation(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('!') else { return false };
    let (mut depth, mut before) = (0_u32, ' ');
    for c in rest.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '&' | '|' if depth == 0 && before == c => return false,
            '=' | '<' | '?' | ',' if depth == 0 => return false,
            '>' if depth == 0 && before != '-' => return false,
            _ => {}
        }
        before = c;
    }
    true
}

/// Whether here is an operator that joins conditions.
fn is_junction(text: &[u8], at: usize) -> bool {
    text[at.min(text.len())..].starts_with(b"&&") || text[at.min(text.len())..].starts_with(b"||")
}

/// Where an operand begins that ends here.
fn before(text: &[u8], end: usize) -> usize {
    let mut depth = 0_u32;
    let first = end.saturating_sub(CONDITION_CHARACTERS);
    for at in (first..end).rev() {
        match text[at] {
            b')' | b']' => depth += 1,
            b'(' | b'[' if depth > 0 => depth -= 1,
            b'(' | b'[' | b';' | b'{' | b'}' | b'?' | b',' if depth == 0 => return at + 1,
            b'&' | b'|' if depth == 0 && at > first && is_junction(text, at - 1) => return at + 1,
            b'=' if depth == 0 && is_assignment(text, at) => return at + 1,
            _ => {}
        }
        if depth == 0 && text[at..].starts_with(b"return ") {
            return at + b"return ".len();
        }
    }
    first
}

/// Where a condition ends that begins here.
fn behind(text: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0_u32;
    let mut quoted = None;
    for (at, &byte) in text.iter().enumerate().skip(start).take(CONDITION_CHARACTERS) {
        match (quoted, byte) {
            (Some(mark), _) if byte == mark && text[at - 1] != b'\\' => quoted = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quoted = Some(byte),
            (None, b'(' | b'[') => depth += 1,
            (None, b')' | b']') if depth > 0 => depth -= 1,
            (None, b')' | b']' | b';' | b'{' | b'}') => return Some(at),
            (None, b'?' | b',') if depth == 0 => return Some(at),
            _ => {}
        }
    }
    None
}

/// The last operand of a condition, without spaces and brackets around it.
fn last(text: &[u8], mut part: Range<usize>) -> Range<usize> {
    loop {
        while part.start < part.end && text[part.start].is_ascii_whitespace() {
            part.start += 1;
        }
        while part.start < part.end && text[part.end - 1].is_ascii_whitespace() {
            part.end -= 1;
        }
        let mut depth = 0_u32;
        let (mut junction, mut is_bracketed) = (None, text.get(part.start) == Some(&b'('));
        for at in part.clone() {
            match text[at] {
                b'(' | b'[' => depth += 1,
                b')' | b']' => depth = depth.saturating_sub(1),
                b'&' | b'|' if depth == 0 && is_junction(text, at) => junction = Some(at),
                _ => {}
            }
            is_bracketed &= depth > 0 || at + 1 == part.end;
        }
        match junction {
            Some(at) => part.start = at + 2,
            None if is_bracketed && part.len() > 2 => part = part.start + 1..part.end - 1,
            None => return part,
        }
    }
}

fn is_assignment(text: &[u8], at: usize) -> bool {
    let is_comparison = |byte: Option<&u8>| byte.is_some_and(|byte| b"=<>!".contains(byte));
    !is_comparison(text.get(at + 1))
        && !is_comparison(at.checked_sub(1).and_then(|at| text.get(at)))
}

#[cfg(test)]
mod tests {
    use super::{asked, is_negation};

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let at = text.find('^').expect("a place is marked");
        let text = text.replacen('^', "", 1);
        let part = asked(&text, at).map(|part| &text[part]);
        assert_eq!(part, Some(expected));
    }

    #[test]
    fn parts_of_conditions() {
        check("if (^copy == NULL) return;", "copy == NULL");
        check("if (i < 0 ^|| i > 8) return;", "i < 0");
        check("if (^i < 0 || i > 8) return;", "i > 8");
        check("if (a || b ^&& c) return;", "b");
        check("if ((a && b) ^|| c) return;", "b");
        check("if ((a ^&& b) || c) return;", "a");
        check("while (^n > 3 && !p->next) {", "!p->next");
        check("for (i = 0; ^i < n; i++)", "i < n");
        check("x = a[i] ^&& b;", "a[i]");
        check("return f(x, y) ^|| g;", "f(x, y)");
        check("x = ^a ? b : c;", "a");
        check("if (^(c = next(s)) == ')') return;", "(c = next(s)) == ')'");
    }

    #[test]
    fn what_is_no_condition_stays_what_it_is() {
        assert_eq!(asked("x", 1), None);
        assert_eq!(asked("", 0), None);
        assert_eq!(asked("if (a", 4), None);
    }

    #[test]
    fn what_is_one_negation() {
        let negations = ["!p", "!(a && b)", "!f(x, y[1])", "!p->next"];
        assert!(negations.iter().all(|text| is_negation(text)));
        let others = ["!a && b", "!a == b", "!= b", "p", "!a > b"];
        assert!(!others.iter().any(|text| is_negation(text)));
    }
}
