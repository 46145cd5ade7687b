//! A decoder of LLVM bitcode, as clang emits it for C: bytes become a typed [`Module`].
//!
//! It is written for the output of `clang -O1 -Xclang -disable-llvm-passes -g` of versions 15 to 19
//! and needs no LLVM. It knows nothing about C, about the analyses that use it, or about files:
//! [`decode`] takes bytes and returns data. Whatever the bytes are, it returns; the time and memory
//! it takes are bounded by their number.
//!
//! Start reading at [`Module`] for what comes out, and at `container.rs` for how it is read; the
//! order of the layers is bitstream (bits into records), `decode` (records into a module), `print`
//! (a module as text, close to `llvm-dis`). The format is described in the LLVM manual, "LLVM
//! Bitcode File Format", and by the enumerations of the crate `llvm-bitcode`, which supplies the
//! record codes.
//!
//! # What holds of a decoded module
//!
//! - Every [`TypeId`], [`ConstantId`], [`GlobalId`], [`FunctionId`], [`AliasId`], [`IfuncId`],
//!   [`InlineAsmId`], [`AttributeListId`] and [`ComdatId`] in it is valid in it, and every
//!   [`Value::Argument`], [`InstructionId`] and [`BlockId`] in a function is valid in that function.
//! - Types are made from each other, and constants and aliases use each other, without cycles and
//!   at most [`MAX_DEPTH`] deep, so that a plain recursive function over them is safe.
//! - Metadata is less regular: it is cyclic by nature and a [`MetadataId`] may dangle in a corrupt file, so
//!   [`Metadata::get`] returns an `Option`.
//! - That the program makes sense is not checked: a corrupt file may add a pointer to a structure,
//!   or use a value before it is computed.

mod attribute;
mod bitstream;
mod container;
mod decode;
mod error;
mod function;
mod id;
mod instruction;
mod layout;
mod limits;
mod metadata;
mod module;
mod operation;
pub mod print;
mod types;
mod value;

pub use attribute::{
    Access, AllocKind, AllocSize, Attribute, AttributeGroup, AttributeKind, AttributeList,
    MemoryEffects,
};
pub use container::{decode, decode_all};
pub use error::Error;
pub use function::{Block, DebugLocation, DebugRecord, DebugRecordKind, Function, Parameter};
pub use id::{
    AliasId, AttributeListId, BlockId, ComdatId, ConstantId, FunctionId, GlobalId, IfuncId,
    InlineAsmId, InstructionId, MetadataId, MetadataKindId, TextId, TypeId,
};
pub use instruction::{
    Atomic, Bundle, Call, CallKind, Clause, Instruction, InstructionKind, TailCall,
};
pub use layout::{DataLayout, Endianness, TypeLayout};
pub use metadata::Metadata;
pub use metadata::node::{
    BasicType, CompileUnit, CompositeType, DebugNode, DerivedType, Enumerator, File,
    GlobalVariable, ImportedEntity, Label, LexicalBlock, LocalVariable, Location, Macro, MacroFile,
    OtherNode, Subprogram, Subrange, SubroutineType, Tuple,
};
pub use module::{
    Alias, Comdat, DllStorage, Global, Ifunc, Linkage, Module, NamedMetadata, ThreadLocal,
    UnnamedAddress, Visibility,
};
pub use operation::{
    Align, BinaryOp, CastOp, FastMath, FloatPredicate, IntegerPredicate, Ordering, OverflowFlags,
    PointerFlags, RmwOp, UnaryOp,
};
pub use types::{FunctionType, StructType, Type};
pub use value::{Constant, ConstantKind, InlineAsm, Value};

/// How deeply types and constants may nest before a file is refused.
///
/// clang refuses C nested more than 256 brackets deep, so no honest file comes near it.
pub const MAX_DEPTH: u32 = 1000;
