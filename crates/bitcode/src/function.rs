//! Functions: their declaration, and the blocks of those that have a body.

use std::ops::Range;
use std::sync::Arc;

use crate::id::{
    AttributeListId, BlockId, ComdatId, InstructionId, MetadataId, MetadataKindId, TypeId,
};
use crate::instruction::{Instruction, InstructionKind};
use crate::module::{DllStorage, Linkage, Module, UnnamedAddress, Visibility};
use crate::operation::Align;
use crate::value::Value;

/// A function, declared or defined.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// The symbol's name.
    pub name: Box<str>,
    /// The signature: a [`Type::Function`](crate::Type::Function).
    pub ty: TypeId,
    /// The address space of its address.
    pub space: u32,
    /// Whether it has no body in this module.
    pub is_declaration: bool,
    /// How the symbol is seen by the linker.
    pub linkage: Linkage,
    /// How the symbol is seen by other shared objects.
    pub visibility: Visibility,
    /// Whether it is imported from or exported to a Windows library.
    pub dll_storage: DllStorage,
    /// Whether its address matters.
    pub unnamed_address: UnnamedAddress,
    /// Whether it is known to be defined in the same shared object.
    pub dso_local: bool,
    /// LLVM's number of the calling convention; 0 is C.
    pub convention: u32,
    /// The attributes of the function, its result and its parameters.
    pub attributes: Option<AttributeListId>,
    /// The alignment of its code.
    pub align: Option<Align>,
    /// The section it is placed in.
    pub section: Option<Arc<str>>,
    /// The comdat it belongs to.
    pub comdat: Option<ComdatId>,
    /// The garbage collector's name.
    pub collector: Option<Arc<str>>,
    /// Data placed before its entry point, for the execution-time system.
    pub prefix: Option<Value>,
    /// Data placed at its entry point.
    pub prologue: Option<Value>,
    /// The personality routine, for exceptions.
    pub personality: Option<Value>,
    /// The parameters that the signature fixes.
    pub parameters: Vec<Parameter>,
    /// The basic blocks; the first is the entry. None if this is a declaration.
    pub blocks: Vec<Block>,
    /// All instructions, block after block.
    pub instructions: Vec<Instruction>,
    /// The function's own metadata; see [`Function::subprogram`].
    pub metadata: Vec<(MetadataKindId, MetadataId)>,
    /// Sorted by instruction.
    pub(crate) debug_records: Vec<(InstructionId, DebugRecord)>,
    /// Sorted by instruction.
    pub(crate) attachments: Vec<(InstructionId, MetadataKindId, MetadataId)>,
}

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its type.
    pub ty: TypeId,
    /// Its name, if the file has one.
    pub name: Option<Box<str>>,
}

/// A basic block.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Its label, if the file has one.
    pub name: Option<Box<str>>,
    /// Its instructions, as a range of [`Function::instructions`]; the last is a terminator.
    pub instructions: Range<u32>,
}

/// A place in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DebugLocation {
    /// The line; 0 for code that belongs to none.
    pub line: u32,
    /// The column; 0 if unknown.
    pub column: u32,
    /// The subprogram or lexical block; [`Metadata::file_of`](crate::Metadata::file_of) finds its
    /// file.
    pub scope: Option<MetadataId>,
    /// The location of the call through which the code was inlined.
    pub inlined_at: Option<MetadataId>,
    /// Whether the code is the compiler's own.
    pub implicit: bool,
}

/// The location of a source variable or label at a point of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DebugRecord {
    /// The kind of record.
    pub kind: DebugRecordKind,
    /// The [`LocalVariable`](crate::LocalVariable), or the [`Label`](crate::Label).
    pub variable: MetadataId,
    /// Where in the source.
    pub location: Option<MetadataId>,
}

/// The kinds of debug records; `value` is metadata that wraps one value, or a list of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DebugRecordKind {
    /// The variable lives at this address from now on.
    Declare {
        /// The address.
        address: MetadataId,
        /// How to compute the place from it.
        expression: MetadataId,
    },
    /// The variable has this value from now on.
    Value {
        /// The value.
        value: MetadataId,
        /// How to compute the variable from it.
        expression: MetadataId,
    },
    /// As `Value`, naming the value without a metadata node.
    SimpleValue {
        /// The value.
        value: Value,
        /// How to compute the variable from it.
        expression: MetadataId,
    },
    /// The variable is assigned, in a register and by a linked store.
    Assign {
        /// The value.
        value: MetadataId,
        /// How to compute the variable from it.
        expression: MetadataId,
        /// The link to the store.
        id: MetadataId,
        /// The address stored to.
        address: MetadataId,
        /// How to compute the place from it.
        address_expression: MetadataId,
    },
    /// A label of the source is here.
    Label,
}

impl Function {
    /// The instructions of a block.
    pub fn block(&self, block: BlockId) -> &[Instruction] {
        let range = &self.blocks[block.index()].instructions;
        &self.instructions[range.start as usize..range.end as usize]
    }

    /// The instructions of a block, with their ids.
    pub fn block_with_ids(
        &self,
        block: BlockId,
    ) -> impl Iterator<Item = (InstructionId, &Instruction)> {
        let first = self.blocks[block.index()].instructions.start;
        self.block(block)
            .iter()
            .zip(first..)
            .map(|(instruction, id)| (InstructionId(id), instruction))
    }

    /// The debug records that take effect just before an instruction.
    ///
    /// clang 18 and earlier write calls of `llvm.dbg.declare` and similar intrinsics instead;
    /// [`Function::variable_records`] returns both.
    pub fn debug_records(&self, instruction: InstructionId) -> impl Iterator<Item = &DebugRecord> {
        let range = run(&self.debug_records, instruction, |entry| entry.0);
        self.debug_records[range].iter().map(|(_, record)| record)
    }

    /// The metadata attached to an instruction, other than its location.
    pub fn attachments(
        &self,
        instruction: InstructionId,
    ) -> impl Iterator<Item = (MetadataKindId, MetadataId)> {
        let range = run(&self.attachments, instruction, |entry| entry.0);
        self.attachments[range].iter().map(|&(_, kind, node)| (kind, node))
    }

    /// The metadata of one kind, such as `srcloc`, attached to an instruction.
    pub fn attachment(
        &self,
        module: &Module,
        instruction: InstructionId,
        kind: &str,
    ) -> Option<MetadataId> {
        self.attachments(instruction)
            .find(|&(id, _)| module.metadata_kind(id) == kind)
            .map(|(_, node)| node)
    }

    /// The [`Subprogram`](crate::Subprogram) that describes the function.
    pub fn subprogram(&self, module: &Module) -> Option<MetadataId> {
        self.metadata
            .iter()
            .find(|&&(kind, _)| module.metadata_kind(kind) == "dbg")
            .map(|&(_, node)| node)
    }

    /// Every record about a variable or label in program order, whether the file has a debug record or a call
    /// of an `llvm.dbg` intrinsic, with the instruction it precedes or is.
    pub fn variable_records(&self, module: &Module) -> Vec<(InstructionId, DebugRecord)> {
        let mut found = self.debug_records.clone();
        for (index, instruction) in (0..).zip(&self.instructions) {
            if let Some(record) = instruction.as_debug_record(module) {
                found.push((InstructionId(index), record));
            }
        }
        found.sort_by_key(|&(id, _)| id);
        found
    }
}

/// The part of a sorted slice whose key is `key`.
fn run<T>(entries: &[T], key: InstructionId, of: impl Fn(&T) -> InstructionId) -> Range<usize> {
    let start = entries.partition_point(|entry| of(entry) < key);
    let length = entries[start..].partition_point(|entry| of(entry) == key);
    start..start + length
}

impl Instruction {
    /// The debug record for a call of `llvm.dbg.declare`, `.value`, `.assign` or `.label`.
    pub fn as_debug_record(&self, module: &Module) -> Option<DebugRecord> {
        let InstructionKind::Call(call) = &self.kind else { return None };
        let Value::Function(callee) = call.callee else { return None };
        let intrinsic = module[callee].name.strip_prefix("llvm.dbg.")?;
        let node = |index: usize| match call.arguments.get(index) {
            Some(&Value::Metadata(id)) => Some(id),
            _ => None,
        };
        // The call's own location is not a node, so it cannot be repeated here.
        let record = |variable, kind| Some(DebugRecord { kind, variable, location: None });
        match intrinsic {
            "declare" => record(
                node(1)?,
                DebugRecordKind::Declare { address: node(0)?, expression: node(2)? },
            ),
            "value" => {
                record(node(1)?, DebugRecordKind::Value { value: node(0)?, expression: node(2)? })
            }
            "assign" => record(
                node(1)?,
                DebugRecordKind::Assign {
                    value: node(0)?,
                    expression: node(2)?,
                    id: node(3)?,
                    address: node(4)?,
                    address_expression: node(5)?,
                },
            ),
            "label" => record(node(0)?, DebugRecordKind::Label),
            _ => None,
        }
    }
}
