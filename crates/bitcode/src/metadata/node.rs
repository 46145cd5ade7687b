//! The nodes of metadata. Field names follow LLVM's assembly language; sizes are in bits; tags and
//! encodings are DWARF's numbers.

use crate::id::{MetadataId, TextId};
use crate::value::Value;

mod names;
mod source;
pub(crate) mod types;

pub use source::{
    CompileUnit, File, GlobalVariable, ImportedEntity, Label, LexicalBlock, LocalVariable, Macro,
    MacroFile, Subprogram,
};
pub use types::{BasicType, CompositeType, DerivedType, Enumerator, Subrange, SubroutineType};

pub(crate) use names::{
    encoding_name, expression_operation, flag_names, language_name, subprogram_flag_names, tag_name,
};

type Ref = Option<MetadataId>;

/// A node of metadata.
#[derive(Debug, Clone, PartialEq)]
pub enum DebugNode {
    /// A string.
    String(Box<str>),
    /// A value: a constant, or a value of the one function that uses the node.
    Value(Value),
    /// A list of nodes without a meaning of its own.
    Tuple(Tuple),
    /// A place in the source, as a node of its own.
    Location(Location),
    /// A source file.
    File(File),
    /// The translation unit.
    CompileUnit(Box<CompileUnit>),
    /// A function of the source.
    Subprogram(Box<Subprogram>),
    /// A block of the source, or another file within one.
    LexicalBlock(LexicalBlock),
    /// A variable or parameter of a function.
    LocalVariable(LocalVariable),
    /// A variable at file level.
    GlobalVariable(Box<GlobalVariable>),
    /// A global variable and how to compute it: variable, expression.
    GlobalVariableExpression(Ref, Ref),
    /// How to compute a place or value: DWARF operations and their operands.
    Expression(Box<[u64]>),
    /// A label.
    Label(Label),
    /// A type with a name and an encoding.
    BasicType(BasicType),
    /// A type made from another, or a member of one.
    DerivedType(DerivedType),
    /// A structure, union, array or enumeration.
    CompositeType(Box<CompositeType>),
    /// The type of a function.
    SubroutineType(SubroutineType),
    /// The bounds of an array.
    Subrange(Subrange),
    /// A constant of an enumeration.
    Enumerator(Enumerator),
    /// A macro.
    Macro(Macro),
    /// The macros of a file.
    MacroFile(MacroFile),
    /// A declaration imported into a scope.
    ImportedEntity(ImportedEntity),
    /// Several values of a function.
    ArgList(Box<[MetadataId]>),
    /// The link between a store and an assignment.
    AssignId,
    /// A node that C does not need, as it is in the file.
    Other(OtherNode),
}

/// A list of nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuple {
    /// Whether it is not the same as a node with the same content.
    pub distinct: bool,
    /// The elements.
    pub operands: Box<[Option<MetadataId>]>,
}

/// A place in the source.
#[derive(Debug, Clone, PartialEq)]
pub struct Location {
    /// Whether it is not the same as a node with the same content.
    pub distinct: bool,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The subprogram or lexical block.
    pub scope: Option<MetadataId>,
    /// The location of the call through which the code was inlined.
    pub inlined_at: Option<MetadataId>,
    /// Whether the code is the compiler's own.
    pub implicit: bool,
}

/// A node that C does not need.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherNode {
    /// Its record's code.
    pub code: u32,
    /// Its record's operands, as in the file: references are local to the file's numbering.
    pub operands: Box<[u64]>,
}

impl DebugNode {
    /// The file the node names directly.
    pub fn file(&self) -> Option<MetadataId> {
        match self {
            DebugNode::CompileUnit(node) => node.file,
            DebugNode::Subprogram(node) => node.file,
            DebugNode::LexicalBlock(node) => node.file,
            DebugNode::LocalVariable(node) => node.file,
            DebugNode::GlobalVariable(node) => node.file,
            DebugNode::Label(node) => node.file,
            DebugNode::DerivedType(node) => node.file,
            DebugNode::CompositeType(node) => node.file,
            DebugNode::MacroFile(node) => node.file,
            DebugNode::ImportedEntity(node) => node.file,
            DebugNode::String(_)
            | DebugNode::Value(_)
            | DebugNode::Tuple(_)
            | DebugNode::Location(_)
            | DebugNode::File(_)
            | DebugNode::GlobalVariableExpression(..)
            | DebugNode::Expression(_)
            | DebugNode::BasicType(_)
            | DebugNode::SubroutineType(_)
            | DebugNode::Subrange(_)
            | DebugNode::Enumerator(_)
            | DebugNode::Macro(_)
            | DebugNode::ArgList(_)
            | DebugNode::AssignId
            | DebugNode::Other(_) => None,
        }
    }

    /// The scope the node is in.
    pub fn scope(&self) -> Option<MetadataId> {
        match self {
            DebugNode::Location(node) => node.scope,
            DebugNode::Subprogram(node) => node.scope,
            DebugNode::LexicalBlock(node) => node.scope,
            DebugNode::LocalVariable(node) => node.scope,
            DebugNode::GlobalVariable(node) => node.scope,
            DebugNode::Label(node) => node.scope,
            DebugNode::DerivedType(node) => node.scope,
            DebugNode::CompositeType(node) => node.scope,
            DebugNode::ImportedEntity(node) => node.scope,
            DebugNode::String(_)
            | DebugNode::Value(_)
            | DebugNode::Tuple(_)
            | DebugNode::File(_)
            | DebugNode::CompileUnit(_)
            | DebugNode::GlobalVariableExpression(..)
            | DebugNode::Expression(_)
            | DebugNode::BasicType(_)
            | DebugNode::SubroutineType(_)
            | DebugNode::Subrange(_)
            | DebugNode::Enumerator(_)
            | DebugNode::Macro(_)
            | DebugNode::MacroFile(_)
            | DebugNode::ArgList(_)
            | DebugNode::AssignId
            | DebugNode::Other(_) => None,
        }
    }

    /// The source name in the node.
    pub fn name(&self) -> Option<TextId> {
        match self {
            DebugNode::File(node) => node.name,
            DebugNode::Subprogram(node) => node.name,
            DebugNode::LocalVariable(node) => node.name,
            DebugNode::GlobalVariable(node) => node.name,
            DebugNode::Label(node) => node.name,
            DebugNode::BasicType(node) => node.name,
            DebugNode::DerivedType(node) => node.name,
            DebugNode::CompositeType(node) => node.name,
            DebugNode::Enumerator(node) => node.name,
            DebugNode::Macro(node) => node.name,
            DebugNode::ImportedEntity(node) => node.name,
            DebugNode::String(_)
            | DebugNode::Value(_)
            | DebugNode::Tuple(_)
            | DebugNode::Location(_)
            | DebugNode::CompileUnit(_)
            | DebugNode::LexicalBlock(_)
            | DebugNode::GlobalVariableExpression(..)
            | DebugNode::Expression(_)
            | DebugNode::SubroutineType(_)
            | DebugNode::Subrange(_)
            | DebugNode::MacroFile(_)
            | DebugNode::ArgList(_)
            | DebugNode::AssignId
            | DebugNode::Other(_) => None,
        }
    }
}
