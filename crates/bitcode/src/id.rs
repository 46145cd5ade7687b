//! The numbers by which the parts of a module refer to each other.
//!
//! Each is a newtype, so that a type's number cannot be taken for a function's. They index the
//! module's (or the function's) vectors; `module[id]` looks one up.

use std::fmt;
use std::num::NonZeroU32;

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index into a slice.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

id! {
    /// A type, in [`Module::types`](crate::Module::types).
    TypeId;
    /// A constant, in [`Module::constants`](crate::Module::constants).
    ConstantId;
    /// A global variable, in [`Module::globals`](crate::Module::globals).
    GlobalId;
    /// A function, in [`Module::functions`](crate::Module::functions).
    FunctionId;
    /// An alias, in [`Module::aliases`](crate::Module::aliases).
    AliasId;
    /// An indirect function, in [`Module::ifuncs`](crate::Module::ifuncs).
    IfuncId;
    /// A piece of inline assembly, in [`Module::inline_asms`](crate::Module::inline_asms).
    InlineAsmId;
    /// A list of attributes, in [`Module::attribute_lists`](crate::Module::attribute_lists).
    AttributeListId;
    /// A comdat, in [`Module::comdats`](crate::Module::comdats).
    ComdatId;
    /// A basic block of a function, in [`Function::blocks`](crate::Function::blocks).
    BlockId;
    /// An instruction of a function, in [`Function::instructions`](crate::Function::instructions).
    InstructionId;
    /// A kind of metadata attachment, such as `dbg` or `srcloc`; see
    /// [`Module::metadata_kind`](crate::Module::metadata_kind).
    MetadataKindId;
}

/// A node of metadata, in [`Module::metadata`](crate::Module::metadata).
///
/// Unlike LLVM's own numbers these are unique in the whole module: nodes that the file keeps with
/// one function are numbered after those of the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MetadataId(NonZeroU32);

impl MetadataId {
    /// The id of the node at `index`.
    pub(crate) fn from_index(index: usize) -> Option<MetadataId> {
        u32::try_from(index).ok()?.checked_add(1).and_then(NonZeroU32::new).map(MetadataId)
    }

    /// The number as an index into a slice.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

impl fmt::Display for MetadataId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.index().fmt(f)
    }
}

/// A string among the metadata; [`Metadata::text`](crate::Metadata::text) reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextId(pub(crate) MetadataId);
