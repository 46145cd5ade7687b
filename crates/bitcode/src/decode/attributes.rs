//! Attribute groups, and the lists that combine them.

use llvm_bitcode::schema::blocks::AttributeCode;

use super::fields::signed;
use super::{Decoder, Fields};
use crate::attribute::{Attribute, AttributeGroup, AttributeKind, AttributeList};
use crate::bitstream::{Block, Record};
use crate::container::text;
use crate::error::Error;
use crate::id::AttributeListId;

/// The target of a group: the result, the function, else a parameter counted from 1.
const RESULT: u64 = 0;
const FUNCTION: u64 = 0xffff_ffff;

impl<'a> Decoder<'a> {
    pub(super) fn read_attribute_groups(
        &mut self,
        mut block: Block<'a>,
        record: &mut Record<'a>,
    ) -> Result<(), Error> {
        while self.next_record(&mut block, record)? {
            if record.code != AttributeCode::GroupEntry as u32 {
                continue;
            }
            let mut fields = Fields::new(record);
            let (number, place) = (fields.next()?, fields.next()?);
            let mut group = AttributeGroup::default();
            while !fields.is_empty() {
                group.attributes.push(self.read_attribute(&mut fields)?);
            }
            self.attribute_groups
                .insert(number, (place, self.module.attribute_groups.len() as u32));
            self.module.attribute_groups.push(group);
        }
        Ok(())
    }

    fn read_attribute(&self, fields: &mut Fields<'_>) -> Result<Attribute, Error> {
        let form = fields.next()?;
        if let 3 | 4 = form {
            let key = read_string(fields)?;
            let value = if form == 4 { read_string(fields)? } else { Box::default() };
            return Ok(Attribute::Text(key, value));
        }
        let kind = AttributeKind::from_code(fields.next()?);
        Ok(match form {
            0 => Attribute::Plain(kind),
            1 => Attribute::Integer(kind, fields.next()?),
            5 => Attribute::Type(kind, None),
            6 => {
                let number = fields.next()?;
                Attribute::Type(kind, Some(self.ty(fields, number)?))
            }
            7 => {
                let bits = fields.u32()?;
                match read_range(fields, bits)? {
                    Some(range) => Attribute::Range(kind, bits, range),
                    None => Attribute::Ranges(kind, bits, Box::default()),
                }
            }
            8 => {
                let (count, bits) = (fields.next()?, fields.u32()?);
                let mut ranges = Vec::new();
                for _ in 0..count {
                    ranges.extend(read_range(fields, bits)?);
                }
                Attribute::Ranges(kind, bits, ranges.into())
            }
            _ => return Err(fields.malformed("an attribute of unknown form")),
        })
    }

    pub(super) fn read_attribute_lists(
        &mut self,
        mut block: Block<'a>,
        record: &mut Record<'a>,
    ) -> Result<(), Error> {
        while self.next_record(&mut block, record)? {
            let mut fields = Fields::new(record);
            if record.code != AttributeCode::Entry as u32 {
                return Err(fields.unsupported("attribute", record.code));
            }
            let mut list = AttributeList::default();
            for number in fields.rest() {
                let Some(&(place, group)) = self.attribute_groups.get(number) else {
                    return Err(
                        fields.malformed("a reference to an attribute group that does not exist")
                    );
                };
                match place {
                    RESULT => list.result = Some(group),
                    FUNCTION => list.function = Some(group),
                    _ => list.parameters.push(((place - 1) as u32, group)),
                }
            }
            list.parameters.sort_by_key(|&(parameter, _)| parameter);
            self.module.attribute_lists.push(list);
        }
        Ok(())
    }

    /// The list with that number, counted from 1; 0 means none.
    pub(super) fn attributes(
        &self,
        fields: &Fields<'_>,
        number: u64,
    ) -> Result<Option<AttributeListId>, Error> {
        match number.checked_sub(1) {
            None => Ok(None),
            Some(index) if index < self.module.attribute_lists.len() as u64 => {
                Ok(Some(AttributeListId(index as u32)))
            }
            Some(_) => {
                Err(fields.malformed("a reference to an attribute list that does not exist"))
            }
        }
    }
}

/// A string up to its final NUL.
fn read_string(fields: &mut Fields<'_>) -> Result<Box<str>, Error> {
    let mut characters = Vec::new();
    loop {
        match fields.next()? {
            0 => return Ok(text(&characters).into()),
            character => characters.push(character),
        }
    }
}

/// A range of integers; `None`, its words skipped, if they are wider than 64 bits.
fn read_range(fields: &mut Fields<'_>, bits: u32) -> Result<Option<[i64; 2]>, Error> {
    if bits > 64 {
        let counts = fields.next()?;
        fields.take((counts & 0xffff_ffff) + (counts >> 32))?;
        return Ok(None);
    }
    Ok(Some([signed(fields.next()?), signed(fields.next()?)]))
}
