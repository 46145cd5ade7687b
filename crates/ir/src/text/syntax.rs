//! The syntax tree, before name resolution.
//!
//! Expressions are stored as postfix programs: every node stands behind its operands, in one flat
//! list, and a binder has a node of its own in front of its body. So a reader can go through the
//! list once, from left to right, however deep the expression is nested.

use std::borrow::Cow;

use super::diagnostics::TextRange;
use crate::assert_kind::AssertKind;
use crate::expr::Quantifier;
use crate::span::{Origin, PointId, Span};
use crate::statement::{AssumeReason, HavocReason, Storage};

/// A name. The mark distinguishes bound variables of the same name: `x'1` is called `x`.
#[derive(Clone, Debug)]
pub(super) struct Name<'s> {
    pub(super) text: Cow<'s, str>,
    pub(super) mark: u32,
    pub(super) at: TextRange,
}

#[derive(Clone, Debug)]
pub(super) enum TypeSyntax<'s> {
    Bool,
    Bv(u32),
    Int,
    Ptr,
    Bytes,
    Named(Name<'s>),
    Map(Vec<TypeSyntax<'s>>, Box<TypeSyntax<'s>>),
    Seq(Box<TypeSyntax<'s>>),
}

pub(super) type NodeId = u32;

pub(super) struct Node<'s> {
    pub(super) kind: NodeKind<'s>,
    pub(super) at: TextRange,
}

pub(super) enum NodeKind<'s> {
    Bool(bool),
    /// The token, and whether a minus stands before it.
    Number(&'s str, bool),
    Null(Option<Box<TypeSyntax<'s>>>),
    Name(Name<'s>),
    /// `::x`, a variable or constant of the module.
    Global(Name<'s>),
    Label(&'s str),
    Define(&'s str, NodeId),
    Unary(Unary, NodeId),
    Binary(Binary, NodeId, NodeId),
    If(NodeId, NodeId, NodeId),
    Call(Box<Call<'s>>),
    /// `V::C(…)`.
    Construct(Box<(Name<'s>, Name<'s>, Vec<NodeId>)>),
    Index(NodeId, Box<[NodeId]>),
    Update(NodeId, Box<[NodeId]>, NodeId),
    Field(NodeId, Name<'s>),
    With(NodeId, Box<[(Name<'s>, NodeId)]>),
    Record(Box<(Name<'s>, Vec<(Name<'s>, NodeId)>)>),
    Is(NodeId, Name<'s>),
    Argument(NodeId, Name<'s>, u32),
    Load(NodeId, NodeId, Box<TypeSyntax<'s>>, bool),
    StoreBytes(NodeId, NodeId, Box<TypeSyntax<'s>>, NodeId),
    Seq(Option<Box<TypeSyntax<'s>>>, Box<[NodeId]>),
    ConstMap(Box<TypeSyntax<'s>>, NodeId),
    Old(NodeId),
    /// Here the scope of bound variables begins; it ends at the node that refers to this one.
    Enter(Box<[(Name<'s>, TypeSyntax<'s>)]>),
    Quantified(Quantifier, NodeId, NodeId),
    Lambda(NodeId, NodeId),
}

pub(super) struct Call<'s> {
    pub(super) name: Name<'s>,
    /// Whether the name is in backticks and so means no operator.
    pub(super) quoted: bool,
    pub(super) arguments: Vec<NodeId>,
    /// The numbers behind the arguments that are part of the operator.
    pub(super) numbers: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unary {
    Not,
    Negate,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Binary {
    Iff,
    Implies,
    Or,
    And,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Concat,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
}

/// An expression: its nodes are `first..=root`.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExprSyntax {
    pub(super) first: NodeId,
    pub(super) root: NodeId,
}

/// `@file:start-end #point origin`.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Annotation {
    pub(super) span: Option<Span>,
    pub(super) point: Option<PointId>,
    pub(super) origin: Option<Origin>,
}

pub(super) struct VariableSyntax<'s> {
    pub(super) name: Name<'s>,
    pub(super) ty: TypeSyntax<'s>,
    pub(super) ghost: bool,
    pub(super) display: Option<String>,
    pub(super) annotation: Annotation,
    pub(super) at: TextRange,
}

/// A record's name, and its fields.
pub(super) type RecordSyntax<'s> = (Name<'s>, Vec<(Name<'s>, TypeSyntax<'s>)>);

/// A variant's name, and its constructors with the types of their arguments.
pub(super) type VariantSyntax<'s> = (Name<'s>, Vec<(Name<'s>, Vec<TypeSyntax<'s>>)>);

pub(super) struct FunctionSyntax<'s> {
    pub(super) name: Name<'s>,
    pub(super) parameters: Vec<(Name<'s>, TypeSyntax<'s>)>,
    pub(super) result: TypeSyntax<'s>,
    pub(super) definition: Option<ExprSyntax>,
    /// The object that this constant is the address of.
    pub(super) object: Option<ObjectSyntax<'s>>,
    pub(super) annotation: Annotation,
    pub(super) at: TextRange,
}

pub(super) struct ObjectSyntax<'s> {
    pub(super) size: u64,
    pub(super) constant: bool,
    pub(super) contents: Option<Vec<(u64, ContentSyntax<'s>)>>,
}

pub(super) enum ContentSyntax<'s> {
    Bytes(Vec<u8>),
    Address(Name<'s>, i64),
}

pub(super) struct ClauseSyntax {
    pub(super) condition: ExprSyntax,
    pub(super) free: bool,
    pub(super) message: String,
    pub(super) annotation: Annotation,
    pub(super) at: TextRange,
}

#[derive(Default)]
pub(super) struct ContractSyntax {
    pub(super) requires: Vec<ClauseSyntax>,
    /// Whether at exceptional exits, and whether an invariant.
    pub(super) ensures: Vec<(bool, bool, ClauseSyntax)>,
    pub(super) modifies: Option<Vec<ExprSyntax>>,
    pub(super) external: bool,
    pub(super) decreases: Option<ExprSyntax>,
}

pub(super) struct ProcedureSyntax<'s> {
    pub(super) name: Name<'s>,
    pub(super) display: Option<String>,
    pub(super) parameters: Vec<VariableSyntax<'s>>,
    pub(super) results: Vec<VariableSyntax<'s>>,
    pub(super) annotation: Annotation,
    pub(super) contract: ContractSyntax,
    pub(super) body: Option<BodySyntax<'s>>,
    pub(super) at: TextRange,
}

pub(super) struct BodySyntax<'s> {
    pub(super) variables: Vec<VariableSyntax<'s>>,
    pub(super) blocks: Vec<BlockSyntax<'s>>,
}

pub(super) struct BlockSyntax<'s> {
    pub(super) label: Name<'s>,
    pub(super) facts: Option<FactsSyntax>,
    pub(super) statements: Vec<StatementSyntax<'s>>,
    /// `None` if it was missing or broken, which has been reported.
    pub(super) terminator: Option<TerminatorSyntax<'s>>,
}

#[derive(Default)]
pub(super) struct FactsSyntax {
    pub(super) invariants: Vec<ClauseSyntax>,
    pub(super) decreases: Option<ExprSyntax>,
}

pub(super) struct StatementSyntax<'s> {
    pub(super) kind: StatementKindSyntax<'s>,
    pub(super) annotation: Annotation,
    pub(super) at: TextRange,
}

pub(super) enum StatementKindSyntax<'s> {
    Assign(Vec<ExprSyntax>, Vec<ExprSyntax>),
    Havoc(ExprSyntax, Option<ExprSyntax>, HavocReason),
    Assume(ExprSyntax, AssumeReason),
    Assert(ExprSyntax, AssertKind, String),
    New(ExprSyntax, Name<'s>),
    Allocate(ExprSyntax, ExprSyntax, Storage, bool),
    Free(ExprSyntax),
    Call(Box<CallSyntax<'s>>),
    Unsupported(String, Vec<ExprSyntax>),
    /// It could not be read, which has been reported.
    Broken,
}

pub(super) struct CallSyntax<'s> {
    pub(super) results: Vec<ExprSyntax>,
    pub(super) callee: CalleeSyntax<'s>,
    pub(super) arguments: Vec<ExprSyntax>,
    pub(super) caught: Option<(ExprSyntax, Option<ExprSyntax>)>,
}

pub(super) enum CalleeSyntax<'s> {
    Procedure(Name<'s>),
    Choice(ExprSyntax, Vec<(ExprSyntax, Name<'s>)>),
}

pub(super) struct TerminatorSyntax<'s> {
    pub(super) kind: TerminatorKindSyntax<'s>,
    pub(super) annotation: Annotation,
    pub(super) at: TextRange,
}

pub(super) enum TerminatorKindSyntax<'s> {
    Goto(Vec<Name<'s>>),
    Branch(ExprSyntax, Name<'s>, Name<'s>),
    Exit,
    Exceptional(Option<ExprSyntax>),
    Intended(String),
    CutUnrolling(u32),
    CutInlining(u32),
    CutUnsupported(String),
}

/// A text. The parts that could not be read are left out; `broken` has the names they declare.
#[derive(Default)]
pub(super) struct ModuleSyntax<'s> {
    pub(super) nodes: Vec<Node<'s>>,
    pub(super) files: Vec<String>,
    pub(super) sorts: Vec<Name<'s>>,
    pub(super) records: Vec<RecordSyntax<'s>>,
    pub(super) variants: Vec<VariantSyntax<'s>>,
    pub(super) functions: Vec<FunctionSyntax<'s>>,
    pub(super) axioms: Vec<ClauseSyntax>,
    pub(super) globals: Vec<VariableSyntax<'s>>,
    pub(super) invariants: Vec<ClauseSyntax>,
    pub(super) procedures: Vec<ProcedureSyntax<'s>>,
    pub(super) broken: Vec<Cow<'s, str>>,
}
