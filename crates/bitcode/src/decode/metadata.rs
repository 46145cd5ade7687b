//! Blocks of metadata: strings, nodes, names and attachments.

use llvm_bitcode::schema::blocks::MetadataCode as Code;

use super::{Decoder, Fields};
use crate::bitstream::{Bits, Block, Record};
use crate::container::text;
use crate::error::Error;
use crate::id::{MetadataId, MetadataKindId};
use crate::limits::METADATA_KINDS;
use crate::metadata::node::DebugNode;
use crate::module::NamedMetadata;
use crate::value::Value;

impl<'a> Decoder<'a> {
    pub(super) fn read_metadata(
        &mut self,
        mut block: Block<'a>,
        record: &mut Record<'a>,
    ) -> Result<(), Error> {
        while self.next_record(&mut block, record)? {
            let mut fields = Fields::new(record);
            let Some(code) =
                u8::try_from(record.code).ok().and_then(|code| Code::try_from(code).ok())
            else {
                return Err(fields.unsupported("metadata", record.code));
            };
            match code {
                Code::Strings => self.read_strings(record)?,
                Code::Name => self.metadata_name = text(fields.rest()).into(),
                Code::NamedNode => {
                    let nodes = fields
                        .rest()
                        .iter()
                        .filter_map(|&number| self.node_numbered(number))
                        .collect();
                    let name = std::mem::take(&mut self.metadata_name);
                    self.module.named_metadata.push(NamedMetadata { name, nodes });
                }
                Code::Kind => self.read_kind(&mut fields)?,
                Code::GlobalDeclAttachment => self.read_global_attachment(&mut fields)?,
                // An index for reading nodes lazily.
                Code::IndexOffset | Code::Index => {}
                Code::Value => {
                    let (_type, number) = (fields.next()?, fields.next()?);
                    let node = self.module.metadata.nodes.len();
                    let value = self.value_or_forward(&fields, number, node)?;
                    self.module.metadata.nodes.push(DebugNode::Value(value));
                }
                _ => {
                    let node = self.read_node(code, record.code, &mut fields)?;
                    self.module.metadata.nodes.push(node);
                }
            }
        }
        Ok(())
    }

    /// All strings of a block: a blob of their lengths in groups of six bits, then their bytes.
    fn read_strings(&mut self, record: &Record<'_>) -> Result<(), Error> {
        let mut fields = Fields::new(record);
        let (count, offset) = (fields.next()?, fields.next()?);
        let blob = record.blob.unwrap_or_default();
        let split = usize::try_from(offset).ok().and_then(|offset| blob.split_at_checked(offset));
        let Some((lengths, mut bytes)) = split else {
            return Err(fields.malformed("metadata strings outside their blob"));
        };
        let mut lengths = Bits::new(lengths);
        lengths.require(count, 6)?;
        self.module.metadata.nodes.reserve(count as usize);
        for _ in 0..count {
            let length = lengths.read_vbr(6)?;
            let split =
                usize::try_from(length).ok().and_then(|length| bytes.split_at_checked(length));
            let Some((string, rest)) = split else {
                return Err(fields.malformed("metadata strings outside their blob"));
            };
            bytes = rest;
            self.module
                .metadata
                .nodes
                .push(DebugNode::String(String::from_utf8_lossy(string).into()));
        }
        Ok(())
    }

    pub(super) fn read_metadata_kinds(
        &mut self,
        mut block: Block<'a>,
        record: &mut Record<'a>,
    ) -> Result<(), Error> {
        while self.next_record(&mut block, record)? {
            if record.code == Code::Kind as u32 {
                self.read_kind(&mut Fields::new(record))?;
            }
        }
        Ok(())
    }

    fn read_kind(&mut self, fields: &mut Fields<'_>) -> Result<(), Error> {
        let number = fields.next()?;
        if number >= METADATA_KINDS {
            return Err(fields.malformed("an impossible kind of metadata"));
        }
        let index = number as usize;
        let kinds = &mut self.module.metadata_kinds;
        if kinds.len() <= index {
            kinds.resize(index + 1, Box::default());
        }
        kinds[index] = text(fields.rest()).into();
        Ok(())
    }

    fn read_global_attachment(&mut self, fields: &mut Fields<'_>) -> Result<(), Error> {
        let number = fields.next()?;
        let value = self.value(fields, number)?;
        let attached = self.attached(fields)?;
        match value {
            Value::Global(id) => self.module.globals[id.index()].metadata.extend(attached),
            Value::Function(id) => self.module.functions[id.index()].metadata.extend(attached),
            _ => return Err(fields.malformed("metadata attached to something not a global")),
        }
        Ok(())
    }

    /// Pairs of kind and node.
    pub(super) fn attached(
        &self,
        fields: &mut Fields<'_>,
    ) -> Result<Vec<(MetadataKindId, MetadataId)>, Error> {
        let mut attached = Vec::with_capacity(fields.len() / 2);
        while !fields.is_empty() {
            attached.push((MetadataKindId(fields.u32()?), self.node(fields)?));
        }
        Ok(attached)
    }

    /// The node with that number in the file, which may still be to come.
    pub(super) fn node_numbered(&self, number: u64) -> Option<MetadataId> {
        let number = usize::try_from(number).ok()?;
        let index = match number.checked_sub(self.metadata_shared) {
            None => number,
            Some(local) => self.metadata_local.checked_add(local)?,
        };
        MetadataId::from_index(index)
    }

    /// A node stored as its number plus one, zero standing for none.
    pub(super) fn node_or_null(&self, stored: u64) -> Option<MetadataId> {
        self.node_numbered(stored.checked_sub(1)?)
    }

    /// A node stored as its number.
    pub(super) fn node(&self, fields: &mut Fields<'_>) -> Result<MetadataId, Error> {
        let number = fields.next()?;
        self.node_numbered(number).ok_or(fields.malformed("a reference to impossible metadata"))
    }
}
