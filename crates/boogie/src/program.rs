//! A resolved program: what every name means and what type every expression has. Lowering trusts
//! it.

use rustc_hash::FxHashMap;

use crate::diagnostics::TextRange;
use crate::syntax::{
    BodySyntax, ClauseSyntax, ExprSyntax, ModuleSyntax, Name, NodeId, ProcedureSyntax,
    SignatureSyntax,
};
use crate::types::{TypeId, Types};

/// A whole program.
pub(crate) struct Program<'a, 's> {
    pub(crate) syntax: &'a ModuleSyntax<'s>,
    pub(crate) types: Types,
    /// The declared types, in the order of their names in [`Types::names`].
    pub(crate) declared: Vec<TypeConstructor<'s>>,
    pub(crate) functions: Vec<Function<'s>>,
    pub(crate) globals: Vec<Global<'s>>,
    /// The axioms that are sound.
    pub(crate) axioms: Vec<&'a ClauseSyntax>,
    pub(crate) procedures: Vec<Procedure<'a, 's>>,
    pub(crate) meaning: Resolutions,
}

/// A type that is not a synonym.
pub(crate) struct TypeConstructor<'s> {
    /// The constructors, if it is a datatype.
    pub(crate) constructors: Option<Vec<Constructor<'s>>>,
    /// Its type parameters, if it is a datatype.
    pub(crate) rigid: Vec<u32>,
    /// Whether its values are sequences of its one argument.
    pub(crate) is_sequence: bool,
}

pub(crate) struct Constructor<'s> {
    pub(crate) name: &'s str,
    pub(crate) fields: Vec<(&'s str, TypeId)>,
}

/// A function or constant.
pub(crate) struct Function<'s> {
    pub(crate) name: String,
    pub(crate) rigid: Vec<u32>,
    pub(crate) parameters: Vec<(Option<&'s str>, TypeId)>,
    pub(crate) result: TypeId,
    /// Its body, if it is sound.
    pub(crate) body: Option<ExprSyntax>,
    pub(crate) kind: FunctionKind,
    /// Its meaning in the language of solvers.
    pub(crate) builtin: Option<&'s str>,
    pub(crate) unique: bool,
    pub(crate) at: TextRange,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FunctionKind {
    Plain,
    Constant,
    /// A declared type and the number of its constructor.
    Constructor(usize, usize),
    /// A declared type, the number of its constructor, and that of the field.
    Selector(usize, usize, usize),
    Tester(usize, usize),
}

pub(crate) struct Global<'s> {
    pub(crate) name: Name<'s>,
    pub(crate) ty: TypeId,
    /// The `where` clause, if it is valid.
    pub(crate) condition: Option<ExprSyntax>,
}

pub(crate) struct Procedure<'a, 's> {
    pub(crate) syntax: &'a ProcedureSyntax<'s>,
    pub(crate) rigid: Vec<u32>,
    pub(crate) parameters: Vec<TypeId>,
    pub(crate) results: Vec<TypeId>,
    /// Globals, in order, each once.
    pub(crate) modifies: Vec<usize>,
    pub(crate) bodies: Vec<Body<'a, 's>>,
    /// Whether the signature is faulty, so that there is no such procedure.
    pub(crate) is_broken: bool,
    /// Whether the contract is faulty.
    pub(crate) contract_is_broken: bool,
}

pub(crate) struct Body<'a, 's> {
    pub(crate) syntax: &'a BodySyntax<'s>,
    pub(crate) signature: &'a SignatureSyntax<'s>,
    /// The types of the variables that are neither parameters nor results.
    pub(crate) locals: Vec<TypeId>,
    pub(crate) at: TextRange,
}

/// A variable of the state; those of a procedure are numbered from its parameters on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Variable {
    Global(usize),
    Local(usize),
}

/// The meaning of a name in a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reference {
    None,
    Variable(Variable),
    Function(usize),
    /// The variable of this number that the node declares.
    Bound(NodeId, u32),
}

/// The results of resolution for nodes and text ranges.
#[derive(Default)]
pub(crate) struct Resolutions {
    /// The type of each node.
    pub(crate) types: Vec<TypeId>,
    pub(crate) references: Vec<Reference>,
    /// The type arguments of functions, of polymorphic maps that are read or changed, by node.
    pub(crate) instances: FxHashMap<NodeId, Box<[TypeId]>>,
    /// The type parameters and the types of the variables that nodes declare.
    pub(crate) scopes: FxHashMap<NodeId, (Vec<u32>, Vec<TypeId>)>,
    /// The variables that names in statements mean, by their first byte.
    pub(crate) variables: FxHashMap<u32, Variable>,
    /// The procedures that statements call and their type arguments, by their first byte.
    pub(crate) calls: FxHashMap<u32, (usize, Box<[TypeId]>)>,
    /// The types of maps that targets index, and their type arguments, by the bracket.
    pub(crate) keys: FxHashMap<u32, (TypeId, Box<[TypeId]>)>,
    /// The datatypes whose fields targets name, by the field's name.
    pub(crate) fields: FxHashMap<u32, TypeId>,
}
