//! Turning the records of a module block into a [`Module`].
//!
//! Values are numbered in the file in the order they appear: globals, functions, aliases and the module's
//! constants, then for each function its parameters, constants and instructions. The decoder keeps one table
//! from those numbers to [`Value`]s, truncated after each function. Metadata has its own numbering.

mod acyclic;
mod attributes;
mod body;
mod calls;
mod constants;
mod control;
mod debug_nodes;
mod fields;
mod function;
mod globals;
mod memory;
mod metadata;
mod operations;
mod scalars;
mod types;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use llvm_bitcode::schema::blocks::{BlockId, ModuleCode};

use crate::bitstream::{Block, Entry, Record, Stream};
use crate::container::text;
use crate::error::Error;
use crate::id::{FunctionId, GlobalId, TypeId};
use crate::layout::DataLayout;
use crate::module::Module;
use crate::types::Type;
use crate::value::Value;
use fields::Fields;

/// Decode a module block whose names are in `strings`.
pub(crate) fn module(block: Block<'_>, strings: &[u8], producer: String) -> Result<Module, Error> {
    let mut decoder = Decoder::new(strings, producer);
    match decoder.read_module(block).and_then(|()| decoder.finish()) {
        Ok(()) => Ok(decoder.module),
        Err(Error::Unsupported { byte, block, code, .. }) => {
            Err(Error::Unsupported { byte, block, code, producer: decoder.module.producer })
        }
        Err(error) => Err(error),
    }
}

/// The state of decoding one module.
struct Decoder<'a> {
    module: Module,
    stream: Stream,
    strings: &'a [u8],
    /// The meaning of each value number, and its type.
    values: Vec<Value>,
    value_types: Vec<TypeId>,
    /// Types by content, filled at the first lookup by content.
    interned: HashMap<Type, TypeId>,
    void: TypeId,
    sections: Vec<Arc<str>>,
    collectors: Vec<Arc<str>>,
    /// How many bytes of names, and how many parameters, the module may still have. Names and
    /// signatures are shared in the file, so its size alone does not bound them.
    name_bytes_left: usize,
    parameters_left: usize,
    /// The functions whose bodies are still to come, in order.
    bodies: VecDeque<FunctionId>,
    /// Group number in the file to what it applies to and its place in the module.
    attribute_groups: HashMap<u64, (u64, u32)>,
    /// Numbers of constants that are read after the records that use them.
    initializers: Vec<(GlobalId, u64)>,
    function_constants: Vec<(FunctionId, [u64; 3])>,
    /// Metadata numbers below `shared` belong to the module; others to the current function, whose
    /// nodes start at `local`.
    metadata_shared: usize,
    metadata_local: usize,
    /// Metadata nodes of the current function that refer to values not yet read.
    forward_nodes: Vec<usize>,
    /// The name for the next named metadata node.
    metadata_name: Box<str>,
}

impl<'a> Decoder<'a> {
    fn new(strings: &'a [u8], producer: String) -> Decoder<'a> {
        Decoder {
            module: Module { producer, ..Module::default() },
            stream: Stream::default(),
            strings,
            values: Vec::new(),
            value_types: Vec::new(),
            interned: HashMap::new(),
            void: TypeId(0),
            sections: Vec::new(),
            collectors: Vec::new(),
            name_bytes_left: strings.len().saturating_mul(4),
            parameters_left: 0,
            bodies: VecDeque::new(),
            attribute_groups: HashMap::new(),
            initializers: Vec::new(),
            function_constants: Vec::new(),
            metadata_shared: usize::MAX,
            metadata_local: 0,
            forward_nodes: Vec::new(),
            metadata_name: Box::default(),
        }
    }

    fn read_module(&mut self, mut block: Block<'a>) -> Result<(), Error> {
        self.parameters_left = block.remaining_bits();
        let mut record = Record::default();
        loop {
            match self.next(&mut block, &mut record)? {
                Entry::Block(inner) => self.read_module_block(inner, &mut record)?,
                Entry::Record => self.read_module_record(&record)?,
                Entry::End => return Ok(()),
            }
        }
    }

    fn next(&mut self, block: &mut Block<'a>, record: &mut Record<'a>) -> Result<Entry<'a>, Error> {
        block.next(&mut self.stream, record)
    }

    fn next_record(
        &mut self,
        block: &mut Block<'a>,
        record: &mut Record<'a>,
    ) -> Result<bool, Error> {
        block.next_record(&mut self.stream, record)
    }

    fn read_module_block(
        &mut self,
        block: Block<'a>,
        record: &mut Record<'a>,
    ) -> Result<(), Error> {
        match u8::try_from(block.id).ok().and_then(|id| BlockId::try_from(id).ok()) {
            Some(BlockId::Type) => self.read_types(block, record),
            Some(BlockId::ParamAttrGroup) => self.read_attribute_groups(block, record),
            Some(BlockId::ParamAttr) => self.read_attribute_lists(block, record),
            Some(BlockId::Constants) => self.read_constants(block, record),
            Some(BlockId::Metadata) => self.read_metadata(block, record),
            Some(BlockId::MetadataKind) => self.read_metadata_kinds(block, record),
            Some(BlockId::Function) => self.read_function(block, record),
            Some(BlockId::OperandBundleTags) => {
                self.module.bundle_tags = self.read_names(block, record)?;
                Ok(())
            }
            Some(BlockId::SyncScopeNames) => {
                self.module.sync_scopes = self.read_names(block, record)?;
                Ok(())
            }
            // Symbol tables and use-list orders repeat, for linkers and tests, what is known already.
            _ => Ok(()),
        }
    }

    fn read_names(
        &mut self,
        mut block: Block<'a>,
        record: &mut Record<'a>,
    ) -> Result<Vec<Box<str>>, Error> {
        let mut names = Vec::new();
        while self.next_record(&mut block, record)? {
            names.push(text(&record.values).into());
        }
        Ok(names)
    }

    fn read_module_record(&mut self, record: &Record<'_>) -> Result<(), Error> {
        let mut fields = Fields::new(record);
        let Some(code) =
            u8::try_from(record.code).ok().and_then(|code| ModuleCode::try_from(code).ok())
        else {
            return Err(fields.unsupported("module", record.code));
        };
        match code {
            // Version 2 keeps names in a string table; LLVM 5 (2017) introduced it.
            ModuleCode::Version if fields.next()? == 2 => {}
            ModuleCode::Version => return Err(fields.unsupported("module", record.code)),
            ModuleCode::Triple => self.module.triple = text(&record.values),
            ModuleCode::Datalayout => {
                self.module.data_layout = DataLayout::parse(&text(&record.values));
            }
            ModuleCode::Asm => self.module.assembly = text(&record.values),
            ModuleCode::SourceFilename => self.module.source_file = text(&record.values),
            ModuleCode::SectionName => self.sections.push(text(&record.values).into()),
            ModuleCode::GCName => self.collectors.push(text(&record.values).into()),
            ModuleCode::Comdat => self.read_comdat(&mut fields)?,
            ModuleCode::GlobalVar => self.read_global(&mut fields)?,
            ModuleCode::Function => self.read_function_declaration(&mut fields)?,
            ModuleCode::Alias => self.read_alias(&mut fields)?,
            ModuleCode::Ifunc => self.read_ifunc(&mut fields)?,
            // Hashes, offsets and other aids to lazy reading.
            _ => {}
        }
        Ok(())
    }

    /// Resolve what refers forward, and check what the crate promises about modules.
    fn finish(&mut self) -> Result<(), Error> {
        self.resolve_globals()?;
        self.check_types()?;
        self.check_constants()?;
        let label = self.module.types.iter().position(|ty| *ty == Type::Label);
        self.module.label_type = label.map(|index| TypeId(index as u32));
        let metadata = self.module.types.iter().position(|ty| *ty == Type::Metadata);
        self.module.metadata_type = metadata.map(|index| TypeId(index as u32));
        Ok(())
    }

    /// The value with that number, which must be known already.
    fn value(&self, fields: &Fields<'_>, number: u64) -> Result<Value, Error> {
        let value = usize::try_from(number).ok().and_then(|number| self.values.get(number));
        value.copied().ok_or(fields.malformed("a reference to a value that does not exist"))
    }
}
