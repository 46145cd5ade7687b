//! Modules: the declarations that procedures share.

use std::collections::BTreeMap;

use crate::expr::{ExprId, Exprs};
use crate::form::{Form, FormId};
use crate::procedure::Procedure;
use crate::span::{SourceFile, Span};
use crate::types::{RecordType, Type, VariantType};

/// A sort of a module.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct SortId(pub u32);

/// A state variable of a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GlobalId(pub u32);

/// A mathematical function of a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FunctionId(pub u32);

/// A procedure of a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ProcedureId(pub u32);

/// A state variable that all procedures share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Global {
    /// Its name, distinct within the module.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Whether it has no influence on anything that is not ghost.
    pub ghost: bool,
    /// How the source language writes it.
    pub display: Option<String>,
    /// The source text of its declaration.
    pub span: Span,
}

/// A mathematical function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name, distinct within the module.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<(String, Type)>,
    /// The type of its values.
    pub result: Type,
    /// Its definition, in which the parameters are the first bound variables. A function without one is
    /// uninterpreted.
    pub definition: Option<(Exprs, ExprId)>,
    /// The source text of its declaration.
    pub span: Span,
}

/// A static object of byte memory: a global variable of C, a string, the code of a function. Its
/// address is a constant of the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// The constant that is its address, without parameters and definition.
    pub address: FunctionId,
    /// Its size in bytes.
    pub size: u64,
    /// Whether its contents never change.
    pub constant: bool,
    /// The contents at program start, by offset, in order and without overlap; bytes in between are
    /// undefined. `None` if another module defines the object.
    pub contents: Option<Vec<(u64, Content)>>,
}

/// A part of the contents of a static object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// Bytes.
    Bytes(Vec<u8>),
    /// The address of a static object plus a number of bytes.
    Address(FunctionId, i64),
}

impl Content {
    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        match self {
            Content::Bytes(bytes) => bytes.len() as u64,
            Content::Address(..) => u64::from(crate::ADDRESS_BITS / 8),
        }
    }
}

/// A statement about functions and constants that always holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Axiom {
    /// The expressions of the condition.
    pub exprs: Exprs,
    /// The condition.
    pub condition: ExprId,
    /// The source text that states it.
    pub span: Span,
}

/// How values are printed for users.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// In VIR syntax.
    #[default]
    Vir,
    /// In mathematical notation: `<a, b>` for sequences, `(a, b)` for records, `{a, b}` for sets. `null` is
    /// an atom like any other, and atoms are `Z0`, `Z1` and so on.
    Mathematics,
}

/// The stub of a procedure, which replaces calls that inlining does not follow: procedures with the same
/// parameters and results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stub {
    /// The under-approximation: its executions are executions of the procedure, as far as is known.
    pub under: ProcedureId,
    /// The over-approximation: it has every execution of the procedure, and perhaps more.
    pub over: Option<ProcedureId>,
    /// The procedure without a body that both call for unknown effects.
    pub outside: ProcedureId,
}

/// A compilation unit.
///
/// Invariants: see [`validate`](mod@crate::validate).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Module {
    /// The files that spans refer to.
    pub files: Vec<SourceFile>,
    /// The names of the sorts.
    pub sorts: Vec<String>,
    /// The records.
    pub records: Vec<RecordType>,
    /// The tagged unions.
    pub variants: Vec<VariantType>,
    /// The functions; constants are functions without parameters.
    pub functions: Vec<Function>,
    /// The static objects, in the order of their addresses.
    pub objects: Vec<Object>,
    /// The axioms.
    pub axioms: Vec<Axiom>,
    /// The state variables.
    pub globals: Vec<Global>,
    /// Conditions on the state that hold between calls.
    pub invariants: Vec<Axiom>,
    /// The procedures.
    pub procedures: Vec<Procedure>,
    /// The stubs of procedures; not part of the text form.
    pub stubs: BTreeMap<ProcedureId, Stub>,
    /// The forms of values in the source; not part of the text form.
    pub forms: Vec<Form>,
    /// The forms of static objects, by address and in that order; not part of the text form.
    pub described: Vec<(FunctionId, FormId)>,
    /// The least number of atoms besides `null` that a sort has according to the source; not part of the text
    /// form.
    pub least: Vec<(SortId, u32)>,
    /// The state variables that unknown code initializes, in order. They never change later, and they need
    /// not be able to hold all values of their types. Not part of the text form.
    pub unevaluated: Vec<GlobalId>,
    /// How values are printed for users; not part of the text form.
    pub notation: Notation,
}

impl Module {
    /// A procedure.
    pub fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id.0 as usize]
    }

    /// The procedure with this name.
    pub fn find_procedure(&self, name: &str) -> Option<ProcedureId> {
        let position = self.procedures.iter().position(|procedure| procedure.name == name)?;
        Some(ProcedureId(position as u32))
    }

    /// A state variable.
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.0 as usize]
    }

    /// The static object at an address, by position.
    pub fn object_at(&self, address: FunctionId) -> Option<usize> {
        self.objects.binary_search_by_key(&address, |object| object.address).ok()
    }

    /// A function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }
}
