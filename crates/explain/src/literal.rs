//! Numbers, characters and texts as source languages write them.

use interpret::Word;
use ir::FormKind;

use crate::limits::TEXT_BYTES;

/// A word, by its form in the source; a signed number if it has none.
pub(crate) fn word(bits: &Word, kind: Option<&FormKind>) -> String {
    let signed = || bits.to_int().to_string();
    let small = bits.small();
    match kind {
        Some(FormKind::Unsigned) => bits.to_nat().to_string(),
        Some(FormKind::Character) => match (bits.width(), small.and_then(|n| u8::try_from(n).ok()))
        {
            (8, Some(byte)) => character(byte).unwrap_or_else(signed),
            _ => signed(),
        },
        Some(FormKind::Truth) => match small {
            Some(0) => "false".to_owned(),
            Some(1) => "true".to_owned(),
            _ => signed(),
        },
        Some(FormKind::Floating) => match (bits.width(), small) {
            (32, Some(small)) => f32::from_bits(small as u32).to_string(),
            (64, Some(small)) => f64::from_bits(small).to_string(),
            _ => "?".to_owned(),
        },
        Some(FormKind::Enumeration(constants)) => {
            let value = bits.small_signed();
            let found = constants.iter().find(|(constant, _)| Some(*constant) == value);
            found.map_or_else(signed, |(_, name)| name.clone())
        }
        Some(
            FormKind::Signed
            | FormKind::Pointer(_)
            | FormKind::Record(_)
            | FormKind::Array(..)
            | FormKind::Code
            | FormKind::Opaque,
        )
        | None => signed(),
    }
}

/// A character in quotes, if it is one.
fn character(byte: u8) -> Option<String> {
    match byte {
        b'\'' => Some("'\\''".to_owned()),
        b'"' => Some("'\"'".to_owned()),
        _ => escaped(byte).map(|text| format!("'{text}'")),
    }
}

fn escaped(byte: u8) -> Option<String> {
    Some(match byte {
        0 => "\\0".to_owned(),
        b'\n' => "\\n".to_owned(),
        b'\t' => "\\t".to_owned(),
        b'\r' => "\\r".to_owned(),
        b'\\' => "\\\\".to_owned(),
        b'"' => "\\\"".to_owned(),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => return None,
    })
}

/// A text in quotes, up to the zero that ends it.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let shown: String = bytes[..end.min(TEXT_BYTES)]
        .iter()
        .map(|byte| escaped(*byte).unwrap_or_else(|| format!("\\x{byte:02x}")))
        .collect();
    let more = if end > TEXT_BYTES { "…" } else { "" };
    format!("\"{shown}{more}\"")
}

#[cfg(test)]
mod tests {
    use interpret::Word;
    use ir::FormKind;

    use super::{quoted, word};

    #[test]
    fn words_are_what_the_source_says_they_are() {
        let byte = Word::new(8, 0xff);
        assert_eq!(word(&byte, Some(&FormKind::Signed)), "-1");
        assert_eq!(word(&byte, Some(&FormKind::Unsigned)), "255");
        assert_eq!(word(&byte, Some(&FormKind::Character)), "-1");
        assert_eq!(word(&Word::new(8, 10), Some(&FormKind::Character)), "'\\n'");
        assert_eq!(word(&Word::new(8, 1), Some(&FormKind::Truth)), "true");
        let colours = FormKind::Enumeration(vec![(0, "RED".to_owned()), (-1, "NONE".to_owned())]);
        assert_eq!(word(&Word::new(32, u64::from(u32::MAX)), Some(&colours)), "NONE");
        assert_eq!(word(&Word::new(32, 7), Some(&colours)), "7");
        let half = u64::from(0.5f32.to_bits());
        assert_eq!(word(&Word::new(32, half), Some(&FormKind::Floating)), "0.5");
    }

    #[test]
    fn texts_end_where_they_end() {
        assert_eq!(quoted(b"a\"b\n\0c"), "\"a\\\"b\\n\"");
        assert_eq!(quoted(&[b'x'; 50]).chars().count(), 43);
    }
}
