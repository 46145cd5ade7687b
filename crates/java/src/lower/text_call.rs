//! Calls of methods of constant strings with constant arguments: the result is that of the documentation.

use ir::Expr;
use num_traits::ToPrimitive;

use super::body::{Body, Val};
use crate::limits::COMPUTED_CHARACTERS;
use crate::syntax::TextRange;
use crate::types::Ty;

/// An argument that is known.
enum StringArgument {
    Text(Vec<u16>),
    Number(i64),
}

/// The result of such a call.
enum StringResult {
    Text(Vec<u16>),
    Int(i64),
    Char(u16),
    Truth(bool),
}

impl Body<'_, '_> {
    /// The result of a method of a string, if the string and the arguments are constants and it does not
    /// throw.
    pub(super) fn text_call(
        &mut self,
        name: &str,
        object: &Val,
        values: &[Val],
        at: TextRange,
    ) -> Option<Val> {
        let text: Vec<u16> = self.text_of(object)?.encode_utf16().collect();
        let mut known = Vec::with_capacity(values.len());
        for value in values {
            known.push(self.string_argument(value)?);
        }
        let int = |id| Val { id, ty: Ty::Int };
        Some(match string_result(name, &text, &known)? {
            StringResult::Text(units) => {
                let text = String::from_utf16(&units).ok()?;
                (units.len() <= COMPUTED_CHARACTERS).then(|| self.text(&text, at))?
            }
            StringResult::Int(value) => int(self.word(32, value)),
            StringResult::Char(value) => Val { id: self.word(16, i64::from(value)), ty: Ty::Char },
            StringResult::Truth(value) => Val { id: self.truth(value), ty: Ty::Boolean },
        })
    }

    fn string_argument(&self, value: &Val) -> Option<StringArgument> {
        if let Some(text) = self.text_of(value) {
            return Some(StringArgument::Text(text.encode_utf16().collect()));
        }
        let Expr::Bv(width, bits) = self.procedure.exprs.get(value.id) else { return None };
        let bits = bits.to_u64().filter(|_| value.ty.is_integral())?;
        Some(StringArgument::Number(match (width, &value.ty) {
            (_, Ty::Char) => bits as i64,
            (8, _) => i64::from(bits as i8),
            (16, _) => i64::from(bits as i16),
            (32, _) => i64::from(bits as i32),
            _ => bits as i64,
        }))
    }
}

fn string_result(name: &str, text: &[u16], arguments: &[StringArgument]) -> Option<StringResult> {
    let length = text.len() as i64;
    Some(match (name, arguments) {
        ("length", []) => StringResult::Int(length),
        ("isEmpty", []) => StringResult::Truth(text.is_empty()),
        ("toString" | "intern", []) => StringResult::Text(text.to_vec()),
        ("hashCode", []) => StringResult::Int(i64::from(hash(text))),
        ("charAt", [StringArgument::Number(index)]) => {
            StringResult::Char(*text.get(usize::try_from(*index).ok()?)?)
        }
        ("equals", [StringArgument::Text(other)]) => StringResult::Truth(text == other),
        ("compareTo", [StringArgument::Text(other)]) => StringResult::Int(compared(text, other)),
        ("equalsIgnoreCase", [StringArgument::Text(other)]) => {
            StringResult::Truth(lower(text)? == lower(other)?)
        }
        ("compareToIgnoreCase", [StringArgument::Text(other)]) => {
            StringResult::Int(compared(&lower(text)?, &lower(other)?))
        }
        ("concat", [StringArgument::Text(other)]) => StringResult::Text([text, other].concat()),
        ("contains", [StringArgument::Text(part)]) => {
            StringResult::Truth(found(text, part, 0) >= 0)
        }
        ("startsWith", [StringArgument::Text(part)]) => StringResult::Truth(text.starts_with(part)),
        ("startsWith", [StringArgument::Text(part), StringArgument::Number(from)]) => {
            let rest = usize::try_from(*from).ok().and_then(|from| text.get(from..));
            StringResult::Truth(rest.is_some_and(|rest| rest.starts_with(part)))
        }
        ("endsWith", [StringArgument::Text(part)]) => StringResult::Truth(text.ends_with(part)),
        ("indexOf", [StringArgument::Text(part)]) => StringResult::Int(found(text, part, 0)),
        ("indexOf", [StringArgument::Text(part), StringArgument::Number(from)]) => {
            StringResult::Int(found(text, part, *from))
        }
        ("indexOf", [StringArgument::Number(unit)]) => {
            StringResult::Int(found(text, &[one(*unit)?], 0))
        }
        ("indexOf", [StringArgument::Number(unit), StringArgument::Number(from)]) => {
            StringResult::Int(found(text, &[one(*unit)?], *from))
        }
        ("lastIndexOf", [StringArgument::Text(part)]) => StringResult::Int(found_last(text, part)),
        ("lastIndexOf", [StringArgument::Number(unit)]) => {
            StringResult::Int(found_last(text, &[one(*unit)?]))
        }
        ("substring", [StringArgument::Number(from)]) => {
            StringResult::Text(text.get(usize::try_from(*from).ok()?..)?.to_vec())
        }
        ("substring", [StringArgument::Number(from), StringArgument::Number(to)]) => {
            let (from, to) = (usize::try_from(*from).ok()?, usize::try_from(*to).ok()?);
            StringResult::Text(text.get(from..to)?.to_vec())
        }
        ("trim", []) => StringResult::Text(trimmed(text)),
        ("toLowerCase", []) => StringResult::Text(lower(text)?),
        ("toUpperCase", []) => StringResult::Text(upper(text)?),
        ("replace", [StringArgument::Number(from), StringArgument::Number(to)]) => {
            let (from, to) = (one(*from)?, one(*to)?);
            let replaced = text.iter().map(|&unit| if unit == from { to } else { unit });
            StringResult::Text(replaced.collect())
        }
        ("repeat", [StringArgument::Number(count)]) => {
            let count = usize::try_from(*count).ok()?;
            if text.len().checked_mul(count)? > COMPUTED_CHARACTERS {
                return None;
            }
            StringResult::Text(text.repeat(count))
        }
        _ => return None,
    })
}

/// A character that is one unit.
fn one(character: i64) -> Option<u16> {
    u16::try_from(character).ok()
}

/// `31 * hash + unit`, from the first to the last.
pub(super) fn hash(text: &[u16]) -> i32 {
    text.iter().fold(0i32, |hash, &unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

/// The difference of the first units that differ, or else of the lengths.
fn compared(a: &[u16], b: &[u16]) -> i64 {
    let differing = a.iter().zip(b).find(|(a, b)| a != b);
    match differing {
        Some((a, b)) => i64::from(*a) - i64::from(*b),
        None => a.len() as i64 - b.len() as i64,
    }
}

/// Where a part begins, from an index on; -1 if nowhere.
fn found(text: &[u16], part: &[u16], from: i64) -> i64 {
    let from = usize::try_from(from.max(0)).unwrap_or(usize::MAX).min(text.len());
    let begins = |&start: &usize| text[start..].starts_with(part);
    (from..=text.len()).find(begins).map_or(-1, |start| start as i64)
}

/// Where a part begins for the last time; -1 if nowhere.
fn found_last(text: &[u16], part: &[u16]) -> i64 {
    let begins = |&start: &usize| text[start..].starts_with(part);
    (0..=text.len()).rev().find(begins).map_or(-1, |start| start as i64)
}

/// The text without what is at most a blank at both ends.
fn trimmed(text: &[u16]) -> Vec<u16> {
    let is_blank = |unit: &u16| *unit <= u16::from(b' ');
    let start = text.iter().position(|unit| !is_blank(unit)).unwrap_or(text.len());
    let end = text.iter().rposition(|unit| !is_blank(unit)).map_or(start, |last| last + 1);
    text[start..end].to_vec()
}

/// ASCII letters in lower case; none if there are other letters.
fn lower(text: &[u16]) -> Option<Vec<u16>> {
    text.iter().map(|unit| u8::try_from(*unit).ok().filter(u8::is_ascii)).try_fold(
        Vec::new(),
        |mut all, unit| {
            all.push(u16::from(unit?.to_ascii_lowercase()));
            Some(all)
        },
    )
}

/// Letters of ASCII as capitals.
fn upper(text: &[u16]) -> Option<Vec<u16>> {
    let small = lower(text)?;
    let capital = |unit: &u16| u16::from((*unit as u8).to_ascii_uppercase());
    Some(small.iter().map(capital).collect())
}

#[cfg(test)]
mod tests {
    use super::{StringArgument, StringResult, string_result};

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    fn int(name: &str, text: &str, arguments: &[StringArgument]) -> Option<i64> {
        match string_result(name, &units(text), arguments)? {
            StringResult::Int(value) => Some(value),
            StringResult::Char(value) => Some(i64::from(value)),
            StringResult::Truth(value) => Some(i64::from(value)),
            StringResult::Text(_) => None,
        }
    }

    #[test]
    fn answers_are_those_of_the_documentation() {
        let text = |text: &str| StringArgument::Text(units(text));
        assert_eq!(int("compareTo", "ab", &[text("ac")]), Some(-1));
        assert_eq!(int("compareTo", "abc", &[text("a")]), Some(2));
        assert_eq!(int("compareTo", "b", &[text("abc")]), Some(1));
        assert_eq!(int("hashCode", "hello", &[]), Some(99_162_322));
        assert_eq!(int("charAt", "abc", &[StringArgument::Number(1)]), Some(98));
        assert_eq!(int("charAt", "abc", &[StringArgument::Number(3)]), None);
        assert_eq!(int("indexOf", "banana", &[text("an"), StringArgument::Number(2)]), Some(3));
        assert_eq!(int("indexOf", "banana", &[StringArgument::Number(120)]), Some(-1));
        assert_eq!(int("indexOf", "abc", &[text(""), StringArgument::Number(9)]), Some(3));
        assert_eq!(int("lastIndexOf", "banana", &[text("an")]), Some(3));
        assert_eq!(int("startsWith", "banana", &[text("nan"), StringArgument::Number(2)]), Some(1));
        assert_eq!(int("equalsIgnoreCase", "aB", &[text("Ab")]), Some(1));
        assert_eq!(int("equalsIgnoreCase", "ä", &[text("Ä")]), None);
        let whole = |name, arguments: &[StringArgument]| match string_result(
            name,
            &units(" aB "),
            arguments,
        ) {
            Some(StringResult::Text(text)) => String::from_utf16(&text).ok(),
            _ => None,
        };
        assert_eq!(whole("trim", &[]).as_deref(), Some("aB"));
        assert_eq!(whole("toUpperCase", &[]).as_deref(), Some(" AB "));
        assert_eq!(
            whole("substring", &[StringArgument::Number(1), StringArgument::Number(3)]).as_deref(),
            Some("aB")
        );
        assert_eq!(whole("substring", &[StringArgument::Number(5)]), None);
    }
}
