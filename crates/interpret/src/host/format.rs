//! `printf`: a format and arguments become text (C11 7.21.6.1).
//!
//! Floating-point conversions are left out, as floating-point numbers are bit patterns here.

use crate::host::view::View;
use crate::{Pointer, Value, Word};

/// Flags, width and precision of a conversion.
#[derive(Clone, Copy, Default)]
struct Layout {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// The text that a format produces from arguments; none if an argument is missing or does not match its
/// conversion, or the conversion is unknown.
pub(crate) fn format(view: &View<'_>, format: &[u8], arguments: &[Value]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut rest = format.iter().copied().peekable();
    let mut arguments = arguments.iter();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let mut layout = Layout::default();
        while let Some(flag) = rest.next_if(|byte| b"-+ #0".contains(byte)) {
            match flag {
                b'-' => layout.left = true,
                b'+' => layout.plus = true,
                b' ' => layout.space = true,
                b'#' => layout.alternate = true,
                _ => layout.zero = true,
            }
        }
        let number = |rest: &mut std::iter::Peekable<_>,
                      arguments: &mut std::slice::Iter<'_, _>| {
            if rest.next_if_eq(&b'*').is_some() {
                return word(arguments.next()?)?.small_signed();
            }
            let mut number: i64 = 0;
            while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
                number = number.checked_mul(10)?.checked_add(i64::from(digit - b'0'))?;
            }
            Some(number)
        };
        let width = number(&mut rest, &mut arguments)?;
        layout.left |= width < 0;
        layout.width = usize::try_from(width.unsigned_abs()).ok()?;
        if rest.next_if_eq(&b'.').is_some() {
            // A negative precision is as if there were none.
            layout.precision = usize::try_from(number(&mut rest, &mut arguments)?).ok();
        }
        let mut length = Vec::new();
        while let Some(byte) = rest.next_if(|byte| b"hljztq".contains(byte)) {
            length.push(byte);
        }
        let bits = bits_of(&length)?;
        match rest.next()? {
            b'%' => out.push(b'%'),
            b'c' => layout.pad(&[word(arguments.next()?)?.small()? as u8], &mut out),
            b's' => match pointer(arguments.next()?)? {
                Pointer::NULL => layout.pad(b"(null)", &mut out),
                at => layout.pad(&view.string(at, layout.precision)?, &mut out),
            },
            b'p' => match pointer(arguments.next()?)? {
                Pointer::NULL => layout.pad(b"(nil)", &mut out),
                at => layout.pad(format!("{:#x}", at.address()).as_bytes(), &mut out),
            },
            b'd' | b'i' => {
                let value = truncated(word(arguments.next()?)?, bits)?.small_signed()?;
                let sign = match (value < 0, layout.plus, layout.space) {
                    (true, _, _) => "-",
                    (false, true, _) => "+",
                    (false, false, true) => " ",
                    (false, false, false) => "",
                };
                layout.number(sign, value.unsigned_abs().to_string(), &mut out);
            }
            kind @ (b'u' | b'x' | b'X' | b'o') => {
                let value = truncated(word(arguments.next()?)?, bits)?.small()?;
                let (mut prefix, mut digits) = match kind {
                    b'u' => ("", value.to_string()),
                    b'x' => ("0x", format!("{value:x}")),
                    b'X' => ("0X", format!("{value:X}")),
                    _ => ("", format!("{value:o}")),
                };
                if kind == b'o' && layout.alternate && value != 0 {
                    digits.insert(0, '0');
                }
                if !layout.alternate || value == 0 {
                    prefix = "";
                }
                layout.number(prefix, digits, &mut out);
            }
            _ => return None,
        }
    }
    Some(out)
}

impl Layout {
    /// Writes text in as many places as are wanted.
    fn pad(&self, text: &[u8], out: &mut Vec<u8>) {
        let missing = self.width.saturating_sub(text.len());
        let blanks = std::iter::repeat_n(b' ', missing);
        if self.left {
            out.extend(text);
            out.extend(blanks);
        } else {
            out.extend(blanks);
            out.extend(text);
        }
    }

    /// Writes a number: a sign or prefix, zeros, digits.
    fn number(&self, prefix: &str, digits: String, out: &mut Vec<u8>) {
        let digits =
            if self.precision == Some(0) && digits == "0" { String::new() } else { digits };
        let fills = self.zero && !self.left && self.precision.is_none();
        let least = match self.precision {
            Some(precision) => precision,
            None if fills => self.width.saturating_sub(prefix.len()),
            None => 0,
        };
        let zeros = "0".repeat(least.saturating_sub(digits.len()));
        self.pad(format!("{prefix}{zeros}{digits}").as_bytes(), out);
    }
}

/// The width of an integer whose length is written so.
fn bits_of(length: &[u8]) -> Option<u32> {
    match length {
        b"" => Some(32),
        b"h" => Some(16),
        b"hh" => Some(8),
        b"l" | b"ll" | b"j" | b"z" | b"t" | b"q" => Some(64),
        _ => None,
    }
}

fn truncated(word: &Word, bits: u32) -> Option<Word> {
    let value = word.small()?;
    (word.width() >= bits).then(|| Word::new(bits, value))
}

fn word(value: &Value) -> Option<&Word> {
    match value {
        Value::Bv(word) => Some(word),
        _ => None,
    }
}

fn pointer(value: &Value) -> Option<Pointer> {
    match value {
        Value::Ptr(pointer) => Some(*pointer),
        _ => None,
    }
}
