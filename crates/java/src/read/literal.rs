//! Literals, as Java spells them (JLS §3.10).

use crate::syntax::Literal;

/// A whole number in any of Java's bases.
pub(super) fn integer(text: &str) -> Option<Literal> {
    let digits = text.replace('_', "").to_ascii_lowercase();
    let (digits, is_long) = match digits.strip_suffix('l') {
        Some(digits) => (digits, true),
        None => (&*digits, false),
    };
    let (digits, radix) = if let Some(hex) = digits.strip_prefix("0x") {
        (hex, 16)
    } else if let Some(binary) = digits.strip_prefix("0b") {
        (binary, 2)
    } else if digits.len() > 1 && digits.starts_with('0') {
        (&digits[1..], 8)
    } else {
        (digits, 10)
    };
    let value = u64::from_str_radix(digits, radix).ok()?;
    let most = match (is_long, radix) {
        (true, 10) => 1 << 63,
        (true, _) => u64::MAX,
        (false, 10) => 1 << 31,
        (false, _) => u64::from(u32::MAX),
    };
    (value <= most).then_some(Literal::Integer(value, is_long))
}

/// A character between quotes.
pub(super) fn character(text: &str) -> Option<Literal> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let units: Vec<u16> = unescape(inner).encode_utf16().collect();
    match units[..] {
        [unit] => Some(Literal::Char(unit)),
        _ => None,
    }
}

/// A text between quotes; of a text block, what stands between the three.
pub(super) fn string(text: &str) -> Literal {
    let inner = match text.strip_prefix("\"\"\"") {
        Some(block) => block.strip_suffix("\"\"\"").unwrap_or(block),
        None => text.strip_prefix('"').unwrap_or(text),
    };
    Literal::String(unescape(inner.strip_suffix('"').unwrap_or(inner)))
}

/// The text with its escapes replaced.
pub(crate) fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        match rest.next() {
            Some('n') => plain.push('\n'),
            Some('t') => plain.push('\t'),
            Some('r') => plain.push('\r'),
            Some('b') => plain.push('\u{8}'),
            Some('f') => plain.push('\u{c}'),
            Some('s') => plain.push(' '),
            Some('u') => {
                while rest.next_if_eq(&'u').is_some() {}
                let digits: String = rest.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                plain.push(code.unwrap_or('\u{fffd}'));
            }
            Some(first @ '0'..='7') => {
                let mut code = first.to_digit(8).unwrap_or(0);
                while let Some(next) = rest.peek().and_then(|c| c.to_digit(8))
                    && code * 8 + next < 256
                {
                    code = code * 8 + next;
                    rest.next();
                }
                plain.push(char::from_u32(code).unwrap_or('\0'));
            }
            Some(other) => plain.push(other),
            None => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::{character, integer, string};
    use crate::syntax::Literal;

    #[test]
    fn numbers_are_read_in_every_base_and_refused_beyond_their_type() {
        assert_eq!(integer("0x7fff_ffff"), Some(Literal::Integer(0x7fff_ffff, false)));
        assert_eq!(integer("017L"), Some(Literal::Integer(15, true)));
        assert_eq!(integer("0b101"), Some(Literal::Integer(5, false)));
        assert_eq!(integer("2147483649"), None);
        assert_eq!(integer("0"), Some(Literal::Integer(0, false)));
    }

    #[test]
    fn escapes_stand_for_what_java_says() {
        assert_eq!(character(r"'\u0041'"), Some(Literal::Char(65)));
        assert_eq!(character(r"'\101'"), Some(Literal::Char(65)));
        assert_eq!(character(r"'\''"), Some(Literal::Char(39)));
        assert_eq!(string(r#""a\tb""#), Literal::String("a\tb".to_owned()));
    }
}
