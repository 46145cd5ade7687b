//! Open values: a few of each type, among which a choice is made.

use std::collections::BTreeSet;

use interpret::{Completion, NewObject, Pointer, Site, Value};
use ir::{Content, Expr, ExprId, ProcedureId, Storage, Type};

use super::{BEFORE, Completing, FOUND, ROOM};
use crate::limits::{FOUND_OBJECTS, LONG_TEXT, TRIED_CONSTANTS, TRIED_WORDS, WORD_LETTERS};
use crate::witness::word;

/// The character of long texts of the caller.
const LETTER: u128 = b'a' as u128;

impl<'o> Completing<'o> {
    /// A new object of the caller.
    pub(super) fn new_object(&mut self) -> NewObject {
        self.found += 1;
        NewObject::new(ROOM, Storage::Heap).numbered(FOUND + self.found)
    }

    /// An open value of a type; `None` if the type has no such values.
    pub(super) fn complete(&mut self, ty: &Type, site: Site) -> Option<Completion> {
        let only = |value: Value| Some(Completion { value, object: None });
        if let Some(value) = self.set_instead(ty) {
            return only(value);
        }
        match ty {
            Type::Bool => {
                let value = Value::Bool(self.decide(2) == 1);
                self.chose(&value);
                only(value)
            }
            Type::Bv(width) => {
                let mut values = vec![0, 1, u128::MAX];
                values.extend(self.compared(site.procedure, *width));
                let value = Value::Bv(word(*width, values[self.decide(values.len())]));
                self.chose(&value);
                only(value)
            }
            Type::Ptr => {
                let is_late = self.found as usize >= FOUND_OBJECTS;
                let chosen = self.decide(2);
                let object = ((chosen == 0) != is_late).then(|| self.new_object());
                let number = object.as_ref().and_then(|object| object.number);
                let value =
                    number.map_or(Pointer::NULL, |object| Pointer { object, offset: BEFORE });
                let value = Value::Ptr(value);
                self.chose(&value);
                Some(Completion { value, object })
            }
            Type::Int
            | Type::Sort(_)
            | Type::Map(..)
            | Type::Seq(_)
            | Type::Record(_)
            | Type::Variant(_)
            | Type::Bytes => only(Value::default_of(ty, self.module)),
        }
    }

    /// An open byte of the caller: the end of a text, the start of a long one, some other, or the start of a word
    /// that the program has.
    pub(super) fn complete_byte(&mut self, at: Pointer, site: Site) -> Option<Completion> {
        let byte =
            |value: u128| Some(Completion { value: Value::Bv(word(8, value)), object: None });
        if let Some(value) = self.set_instead(&Type::Bv(8)) {
            return Some(Completion { value, object: None });
        }
        if let Some((start, text)) = self.texts.get(&at.object) {
            let place = usize::try_from(at.offset - start).unwrap_or(usize::MAX);
            return byte(match text {
                Some(text) => text.get(place).copied().unwrap_or(0).into(),
                None if place < LONG_TEXT => LETTER,
                None => 0,
            });
        }
        let mut values = vec![0, LETTER, 1, u128::MAX];
        values.extend(self.compared(site.procedure, 8));
        let words = self.words().to_vec();
        let chosen = self.decide(values.len() + words.len());
        let value = match chosen.checked_sub(values.len()).map(|number| words[number]) {
            Some(text) => {
                self.texts.insert(at.object, (at.offset, Some(text)));
                text.first().copied().unwrap_or(0).into()
            }
            None => values[chosen],
        };
        if chosen == 1 {
            self.texts.insert(at.object, (at.offset, None));
        }
        self.chose(&Value::Bv(word(8, value)));
        byte(value)
    }

    /// The contents of memory according to the witness, where they are only tried first.
    pub(super) fn described(&self, at: Pointer, ty: &Type) -> Option<Value> {
        if !self.witness.is_open {
            return None;
        }
        let start = u64::try_from(at.offset).ok()?;
        let size = interpret::view_size(ty)?;
        let byte = |place: u64| {
            self.witness.memory.iter().rev().find_map(|(object, offset, bytes)| {
                let number = usize::try_from(place.checked_sub(*offset)?).ok()?;
                bytes.get(number).copied().filter(|_| *object == at.object)
            })
        };
        let bytes: Option<Vec<u8>> = (start..start.checked_add(size)?).map(byte).collect();
        value_of(&bytes?, ty)
    }

    /// The literals of the program that are words, so that they may be names of something.
    fn words(&mut self) -> &[&'o [u8]] {
        let module = self.module;
        self.words.get_or_insert_with(|| {
            let constants = module.objects.iter().filter(|object| object.constant);
            let texts = constants.filter_map(|object| match object.contents.as_deref()? {
                [(0, Content::Bytes(bytes))] => bytes.strip_suffix(&[0]),
                _ => None,
            });
            let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
            let is_word = |text: &&[u8]| {
                (1..=WORD_LETTERS).contains(&text.len()) && text.iter().all(is_letter)
            };
            let mut words: Vec<&[u8]> = texts.filter(is_word).collect();
            words.sort_unstable();
            words.dedup();
            words.truncate(TRIED_WORDS);
            words
        })
    }

    /// The constants that a procedure mentions and that a word of some width can be: what it is likely to
    /// be compared with.
    fn compared(&mut self, id: ProcedureId, width: u32) -> Vec<u128> {
        let exprs = &self.module.procedure(id).exprs;
        let known = self.constants.entry(id).or_insert_with(|| {
            let mut values = BTreeSet::new();
            for number in 0..exprs.len() as u32 {
                if let Expr::Bv(of, value) = exprs.get(ExprId(number))
                    && (8..=64).contains(of)
                    && let Ok(value) = i64::try_from(value)
                {
                    values.insert(value);
                }
            }
            values.into_iter().filter(|value| !(-1..=1).contains(value)).collect()
        });
        let fits = |value: &i64| width >= 64 || value.unsigned_abs() < 1 << width;
        known.iter().filter(|value| fits(value)).take(TRIED_CONSTANTS).map(|v| *v as u128).collect()
    }

    /// The initial value of a static variable, if it is known.
    pub(super) fn initial(&self, at: Pointer, ty: &Type) -> Option<Value> {
        let position = usize::try_from(at.object).ok()?.checked_sub(1)?;
        let contents = self.module.objects.get(position)?.contents.as_ref()?;
        let start = u64::try_from(at.offset).ok()?;
        let size = interpret::view_size(ty)?;
        let mut bytes = vec![0; size as usize];
        for (offset, part) in contents {
            let address;
            let part: &[u8] = match part {
                Content::Bytes(bytes) => bytes,
                Content::Address(to, distance) => {
                    let object = self.module.object_at(*to)? as u64 + 1;
                    address = Pointer { object, offset: *distance }.address().to_le_bytes();
                    &address
                }
            };
            for (place, byte) in (*offset..).zip(part) {
                if let Some(place) = place.checked_sub(start).filter(|place| *place < size) {
                    bytes[place as usize] = *byte;
                }
            }
        }
        value_of(&bytes, ty)
    }
}

/// The word or pointer that some bytes are.
fn value_of(bytes: &[u8], ty: &Type) -> Option<Value> {
    Some(match ty {
        Type::Ptr => Value::Ptr(Pointer::at(u64::from_le_bytes(bytes.try_into().ok()?))),
        _ => Value::Bv(interpret::Word::from_bytes(8 * bytes.len() as u32, bytes)),
    })
}
