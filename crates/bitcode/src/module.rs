//! The module: the contents of a bitcode file for one translation unit.

use std::ops::Index;
use std::sync::Arc;

use crate::attribute::{AttributeGroup, AttributeList};
use crate::function::Function;
use crate::id::{
    AliasId, AttributeListId, ComdatId, ConstantId, FunctionId, GlobalId, IfuncId, InlineAsmId,
    MetadataId, MetadataKindId, TypeId,
};
use crate::layout::{DataLayout, TypeLayout};
use crate::metadata::Metadata;
use crate::operation::Align;
use crate::types::Type;
use crate::value::{Constant, ConstantKind, InlineAsm, Value};

/// A translation unit.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Module {
    /// Who wrote the file, such as `LLVM19.1.7`.
    pub producer: String,
    /// The target, such as `x86_64-pc-linux-gnu`.
    pub triple: String,
    /// Sizes and alignments on the target.
    pub data_layout: DataLayout,
    /// The source file's name as the compiler was given it.
    pub source_file: String,
    /// Assembly at file level.
    pub assembly: String,
    /// All types.
    pub types: Vec<Type>,
    /// All constants, those of functions too.
    pub constants: Vec<Constant>,
    /// All inline assembly.
    pub inline_asms: Vec<InlineAsm>,
    /// Global variables.
    pub globals: Vec<Global>,
    /// Functions, declared and defined.
    pub functions: Vec<Function>,
    /// Aliases.
    pub aliases: Vec<Alias>,
    /// Functions chosen at load time.
    pub ifuncs: Vec<Ifunc>,
    /// Comdats.
    pub comdats: Vec<Comdat>,
    /// Sets of attributes of one function, result or parameter.
    pub attribute_groups: Vec<AttributeGroup>,
    /// The attributes of functions and calls.
    pub attribute_lists: Vec<AttributeList>,
    /// Debug information and other metadata.
    pub metadata: Metadata,
    /// Metadata with a name, such as `llvm.module.flags`.
    pub named_metadata: Vec<NamedMetadata>,
    pub(crate) metadata_kinds: Vec<Box<str>>,
    pub(crate) bundle_tags: Vec<Box<str>>,
    pub(crate) sync_scopes: Vec<Box<str>>,
    /// One entry per type.
    pub(crate) layouts: Vec<TypeLayout>,
    /// The pointer type of each address space that some global lives in.
    pub(crate) pointer_types: Vec<(u32, TypeId)>,
    pub(crate) label_type: Option<TypeId>,
    pub(crate) metadata_type: Option<TypeId>,
}

/// A global variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Global {
    /// The symbol's name; empty if it has none.
    pub name: Box<str>,
    /// The type of the variable (not of its address).
    pub ty: TypeId,
    /// The address space it lives in.
    pub space: u32,
    /// Whether it is never written.
    pub is_constant: bool,
    /// Its initial value; none if it is defined elsewhere.
    pub initializer: Option<Value>,
    /// How the symbol is seen by the linker.
    pub linkage: Linkage,
    /// How the symbol is seen by other shared objects.
    pub visibility: Visibility,
    /// Whether it is imported from or exported to a Windows library.
    pub dll_storage: DllStorage,
    /// Whether each thread has its own.
    pub thread_local: ThreadLocal,
    /// Whether its address matters.
    pub unnamed_address: UnnamedAddress,
    /// Whether the initial value may be replaced before the program starts.
    pub externally_initialized: bool,
    /// Whether it is known to be defined in the same shared object.
    pub dso_local: bool,
    /// The alignment.
    pub align: Option<Align>,
    /// The section it is placed in.
    pub section: Option<Arc<str>>,
    /// The comdat it belongs to.
    pub comdat: Option<ComdatId>,
    /// The attributes.
    pub attributes: Option<AttributeListId>,
    /// Metadata, such as `dbg`.
    pub metadata: Vec<(MetadataKindId, MetadataId)>,
}

/// Another name for a global or a part of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Alias {
    /// The symbol's name.
    pub name: Box<str>,
    /// The type of what it names.
    pub ty: TypeId,
    /// The address space.
    pub space: u32,
    /// The aliased address.
    pub aliasee: Value,
    /// How the symbol is seen by the linker.
    pub linkage: Linkage,
    /// How the symbol is seen by other shared objects.
    pub visibility: Visibility,
    /// Whether it is imported from or exported to a Windows library.
    pub dll_storage: DllStorage,
    /// Whether each thread has its own.
    pub thread_local: ThreadLocal,
    /// Whether its address matters.
    pub unnamed_address: UnnamedAddress,
    /// Whether it is known to be defined in the same shared object.
    pub dso_local: bool,
}

/// A function chosen at load time by calling another.
#[derive(Debug, Clone, PartialEq)]
pub struct Ifunc {
    /// The symbol's name.
    pub name: Box<str>,
    /// The type of the function.
    pub ty: TypeId,
    /// The address space.
    pub space: u32,
    /// The function that chooses.
    pub resolver: Value,
    /// How the symbol is seen by the linker.
    pub linkage: Linkage,
    /// How the symbol is seen by other shared objects.
    pub visibility: Visibility,
    /// Whether it is known to be defined in the same shared object.
    pub dso_local: bool,
}

/// A group of symbols of which the linker keeps one copy.
#[derive(Debug, Clone, PartialEq)]
pub struct Comdat {
    /// The name.
    pub name: Box<str>,
    /// How the copy is chosen: `any`, `exactmatch`, `largest`, `nodeduplicate` or `samesize`.
    pub selection: &'static str,
}

/// Metadata with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedMetadata {
    /// The name.
    pub name: Box<str>,
    /// The nodes.
    pub nodes: Vec<MetadataId>,
}

/// How a symbol is seen by the linker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Linkage {
    /// Visible everywhere.
    #[default]
    External,
    /// A copy for inlining of what is defined elsewhere.
    AvailableExternally,
    /// Dropped if unused, merged by name.
    LinkOnceAny,
    /// As `LinkOnceAny`, and all copies are alike.
    LinkOnceOdr,
    /// Merged by name.
    WeakAny,
    /// As `WeakAny`, and all copies are alike.
    WeakOdr,
    /// Arrays of that name are joined.
    Appending,
    /// C's `static`.
    Internal,
    /// As `Internal`, without a symbol.
    Private,
    /// Null if not defined anywhere.
    ExternWeak,
    /// C's tentative definition.
    Common,
}

/// How a symbol is seen by other shared objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Visibility {
    /// Visible.
    #[default]
    Default,
    /// Not visible.
    Hidden,
    /// Visible but not replaceable.
    Protected,
}

/// Whether a symbol is imported from or exported to a Windows library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DllStorage {
    /// Neither.
    #[default]
    Default,
    /// Imported.
    Import,
    /// Exported.
    Export,
}

/// Whether, and by which model, each thread has its own copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ThreadLocal {
    /// One copy for all threads.
    #[default]
    No,
    /// The general model.
    GeneralDynamic,
    /// Used in this shared object only.
    LocalDynamic,
    /// In a shared object loaded at the start.
    InitialExec,
    /// In the executable, used there only.
    LocalExec,
}

/// Whether the address of a symbol matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum UnnamedAddress {
    /// It does.
    #[default]
    Named,
    /// It does not.
    Unnamed,
    /// It does not within this module.
    LocallyUnnamed,
}

impl Module {
    /// The type of an operand of a function.
    ///
    /// `function` matters for [`Value::Argument`] and [`Value::Instruction`] only; without it they
    /// have no type.
    pub fn type_of(&self, value: Value, function: Option<&Function>) -> Option<TypeId> {
        match value {
            Value::Constant(id) => Some(self[id].ty),
            Value::Global(id) => self.pointer_type(self[id].space),
            Value::Function(id) => self.pointer_type(self[id].space),
            Value::Alias(id) => self.pointer_type(self[id].space),
            Value::Ifunc(id) => self.pointer_type(self[id].space),
            Value::InlineAsm(id) => Some(self[id].ty),
            Value::Argument(index) => Some(function?.parameters.get(index as usize)?.ty),
            Value::Instruction(id) => Some(function?.instructions.get(id.index())?.ty),
            Value::Block(_) => self.label_type,
            Value::Metadata(_) => self.metadata_type,
        }
    }

    /// The number, if the operand is a constant integer of at most 64 bits; sign-extended.
    pub fn integer(&self, value: Value) -> Option<i64> {
        let Value::Constant(id) = value else { return None };
        let constant = &self[id];
        match (&constant.kind, &self[constant.ty]) {
            (ConstantKind::Integer(value), _) => Some(*value),
            (ConstantKind::Null, Type::Integer(_)) => Some(0),
            _ => None,
        }
    }

    /// The type of pointers into an address space.
    pub fn pointer_type(&self, space: u32) -> Option<TypeId> {
        self.pointer_types.iter().find(|&&(of, _)| of == space).map(|&(_, id)| id)
    }

    /// The function of that name.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        (0..)
            .zip(&self.functions)
            .find(|(_, function)| &*function.name == name)
            .map(|(id, _)| FunctionId(id))
    }

    /// The name of a kind of metadata attachment; empty if the file does not say.
    pub fn metadata_kind(&self, kind: MetadataKindId) -> &str {
        self.metadata_kinds.get(kind.index()).map_or("", |name| name)
    }

    /// The name of an operand bundle's tag; empty if the file does not say.
    pub fn bundle_tag(&self, tag: u32) -> &str {
        self.bundle_tags.get(tag as usize).map_or("", |name| name)
    }

    /// The name of a synchronization scope; empty for the whole system.
    pub fn sync_scope(&self, scope: u32) -> &str {
        match self.sync_scopes.get(scope as usize) {
            Some(name) => name,
            // The two scopes that exist on every target.
            None if scope == 0 => "singlethread",
            None => "",
        }
    }
}

macro_rules! index {
    ($($id:ty => $field:ident: $output:ty;)*) => {$(
        impl Index<$id> for Module {
            type Output = $output;

            fn index(&self, id: $id) -> &$output {
                &self.$field[id.index()]
            }
        }
    )*};
}

index! {
    TypeId => types: Type;
    ConstantId => constants: Constant;
    InlineAsmId => inline_asms: InlineAsm;
    GlobalId => globals: Global;
    FunctionId => functions: Function;
    AliasId => aliases: Alias;
    IfuncId => ifuncs: Ifunc;
    ComdatId => comdats: Comdat;
    AttributeListId => attribute_lists: AttributeList;
}
