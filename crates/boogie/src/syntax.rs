//! The syntax of a Boogie text: what the parser has read, before any name has a meaning.
//!
//! Expressions of the whole text are nodes of one arena, in postfix order: operands come before
//! their user, and a node that opens a scope comes before what stands in it. Statements of one
//! body stand in sequences that refer to each other by number. So neither reading, nor walking,
//! nor dropping a text needs a stack as deep as the text is nested.

use crate::diagnostics::TextRange;

/// A node of the arena of expressions.
pub(crate) type NodeId = u32;

/// A sequence of statements of one body.
pub(crate) type SequenceId = u32;

/// A name where it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'s> {
    pub(crate) text: &'s str,
    pub(crate) at: TextRange,
}

/// A whole expression: the nodes from the first to the root, which is the last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExprSyntax {
    pub(crate) first: NodeId,
    pub(crate) root: NodeId,
}

/// A part of an expression.
#[derive(Debug)]
pub(crate) struct Node<'s> {
    pub(crate) kind: NodeKind<'s>,
    pub(crate) at: TextRange,
}

#[derive(Debug)]
pub(crate) enum NodeKind<'s> {
    Bool(bool),
    /// Digits.
    Int(&'s str),
    /// Digits, and those of the width.
    Bv(&'s str, &'s str),
    Real(&'s str),
    Float(&'s str),
    /// A text, which only attributes and float rounding use.
    Text,
    Name(Name<'s>),
    Unary(Unary, NodeId),
    Binary(Binary, NodeId, NodeId),
    If(NodeId, NodeId, NodeId),
    Call(Name<'s>, Box<[NodeId]>),
    Index(NodeId, Box<[NodeId]>),
    Update(NodeId, Box<[NodeId]>, NodeId),
    /// Bits of a word: up to, and from.
    Extract(NodeId, &'s str, &'s str),
    ToInt(NodeId),
    ToReal(NodeId),
    Coerce(NodeId, Box<TypeSyntax<'s>>),
    Field(NodeId, Name<'s>),
    FieldUpdate(NodeId, Name<'s>, NodeId),
    Is(NodeId, Name<'s>),
    /// The following nodes, up to its `Old`, refer to the state at the start of the procedure.
    EnterOld,
    Old(NodeId),
    /// The following nodes, up to the end of the scope, may use the bound variables.
    Enter(Box<Scope<'s>>),
    /// The triggers, which stand between here and the body.
    Triggers(Box<Triggers>),
    Quantified(ir::Quantifier, NodeId, NodeId),
    Lambda(NodeId, NodeId),
    /// The following nodes, up to its `Let`, may use the names for the values.
    EnterLet(Box<[(Name<'s>, NodeId)]>),
    Let(NodeId, NodeId),
    /// `|{ … }|`.
    Code,
}

/// The triggers of a quantified formula.
#[derive(Debug, Default)]
pub(crate) struct Triggers {
    /// The terms of each trigger, and where it stands.
    pub(crate) list: Vec<(Vec<ExprSyntax>, TextRange)>,
    /// Terms that are never to be triggers.
    pub(crate) excluded: Vec<ExprSyntax>,
    /// The node behind all of them.
    pub(crate) after: NodeId,
}

/// The declarations of a quantifier or lambda.
#[derive(Debug)]
pub(crate) struct Scope<'s> {
    pub(crate) parameters: Vec<Name<'s>>,
    pub(crate) binders: Vec<(Name<'s>, TypeSyntax<'s>)>,
    /// The quantifier or lambda itself.
    pub(crate) end: NodeId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unary {
    Not,
    Negate,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    Iff,
    Implies,
    Explies,
    And,
    Or,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Subtype,
    Concat,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Divide,
    Power,
}

/// A type as it is written. Never deeper than the parser allows.
#[derive(Clone, Debug)]
pub(crate) enum TypeSyntax<'s> {
    Bool,
    Int,
    Real,
    /// A name applied to types; `bv32` and the like are names too.
    Named(Name<'s>, Vec<TypeSyntax<'s>>),
    /// Type parameters, keys, value.
    Map(Vec<Name<'s>>, Vec<TypeSyntax<'s>>, Box<TypeSyntax<'s>>, TextRange),
}

/// `{:name …}`, as far as we look at it.
#[derive(Clone, Debug)]
pub(crate) struct Attribute<'s> {
    pub(crate) name: &'s str,
    /// Its first text, if it has one.
    pub(crate) text: Option<&'s str>,
    /// Whether its argument is `false`.
    pub(crate) off: bool,
    /// Its arguments, where they matter.
    pub(crate) arguments: Vec<ExprSyntax>,
}

/// A declared variable: a global, parameter, result, local or field.
#[derive(Debug)]
pub(crate) struct VariableSyntax<'s> {
    pub(crate) name: Name<'s>,
    pub(crate) ty: TypeSyntax<'s>,
    pub(crate) condition: Option<ExprSyntax>,
    /// Whether it is a truth value that gathers assumptions: true at first, and assigned once.
    pub(crate) is_assumption: bool,
}

#[derive(Debug)]
pub(crate) struct TypeDeclaration<'s> {
    pub(crate) name: Name<'s>,
    pub(crate) parameters: Vec<Name<'s>>,
    pub(crate) kind: TypeDeclarationKind<'s>,
}

#[derive(Debug)]
pub(crate) enum TypeDeclarationKind<'s> {
    /// Of atoms; the constructors are functions if this is a datatype in the old style.
    /// A sequence if solvers say so.
    Opaque {
        datatype: bool,
        sequence: bool,
    },
    Synonym(TypeSyntax<'s>),
    Datatype(Vec<(Name<'s>, Vec<VariableSyntax<'s>>)>),
}

#[derive(Debug)]
pub(crate) struct FunctionSyntax<'s> {
    pub(crate) name: Name<'s>,
    pub(crate) attributes: Vec<Attribute<'s>>,
    pub(crate) type_parameters: Vec<Name<'s>>,
    pub(crate) parameters: Vec<(Option<Name<'s>>, TypeSyntax<'s>)>,
    pub(crate) result: TypeSyntax<'s>,
    pub(crate) body: Option<ExprSyntax>,
    pub(crate) constant: Option<ConstantSyntax<'s>>,
    pub(crate) at: TextRange,
}

/// The syntax of a constant.
#[derive(Clone, Debug)]
pub(crate) struct ConstantSyntax<'s> {
    pub(crate) unique: bool,
    /// Whether it has a position in the partial order.
    pub(crate) is_ordered: bool,
    pub(crate) parents: Vec<Name<'s>>,
}

#[derive(Debug)]
pub(crate) struct ClauseSyntax {
    pub(crate) condition: ExprSyntax,
    pub(crate) free: bool,
    pub(crate) message: String,
    pub(crate) at: TextRange,
}

#[derive(Debug)]
pub(crate) struct SignatureSyntax<'s> {
    pub(crate) name: Name<'s>,
    pub(crate) type_parameters: Vec<Name<'s>>,
    pub(crate) parameters: Vec<VariableSyntax<'s>>,
    pub(crate) results: Vec<VariableSyntax<'s>>,
}

#[derive(Debug)]
pub(crate) struct ProcedureSyntax<'s> {
    pub(crate) signature: SignatureSyntax<'s>,
    pub(crate) requires: Vec<ClauseSyntax>,
    pub(crate) ensures: Vec<ClauseSyntax>,
    pub(crate) modifies: Vec<Name<'s>>,
    pub(crate) body: Option<BodySyntax<'s>>,
    /// Its unsupported property, if it has one.
    pub(crate) unsupported: Option<&'static str>,
    pub(crate) at: TextRange,
}

#[derive(Debug)]
pub(crate) struct ImplementationSyntax<'s> {
    pub(crate) signature: SignatureSyntax<'s>,
    pub(crate) body: BodySyntax<'s>,
    pub(crate) at: TextRange,
}

#[derive(Debug, Default)]
pub(crate) struct BodySyntax<'s> {
    pub(crate) locals: Vec<VariableSyntax<'s>>,
    pub(crate) sequences: Vec<Vec<StatementSyntax<'s>>>,
    /// Where everything begins.
    pub(crate) root: SequenceId,
    /// The closing brace.
    pub(crate) end: TextRange,
    /// All nodes of its expressions, if it has any.
    pub(crate) nodes: Option<ExprSyntax>,
}

#[derive(Debug)]
pub(crate) struct StatementSyntax<'s> {
    pub(crate) kind: StatementKindSyntax<'s>,
    pub(crate) at: TextRange,
}

#[derive(Debug)]
pub(crate) enum StatementKindSyntax<'s> {
    Label(Name<'s>),
    /// A condition, its message, and the conditions under which it is known already.
    Assert(ExprSyntax, String, Vec<ExprSyntax>),
    Assume(ExprSyntax),
    Havoc(Vec<Name<'s>>),
    Assign(Vec<TargetSyntax<'s>>, Vec<ExprSyntax>),
    /// `C(x, y) := e`.
    Unpack(Name<'s>, Vec<Name<'s>>, ExprSyntax),
    Call(CallSyntax<'s>),
    If(GuardSyntax, SequenceId, Option<SequenceId>),
    While(GuardSyntax, Vec<ClauseSyntax>, SequenceId),
    Break(Option<Name<'s>>),
    Return,
    Goto(Vec<Name<'s>>),
    /// The construct, and the variables that receive its results.
    Unsupported(&'static str, Vec<Name<'s>>),
}

/// A condition, or `*`.
#[derive(Debug)]
pub(crate) struct GuardSyntax {
    pub(crate) condition: Option<ExprSyntax>,
    pub(crate) at: TextRange,
}

#[derive(Debug)]
pub(crate) struct TargetSyntax<'s> {
    pub(crate) variable: Name<'s>,
    pub(crate) path: Vec<StepSyntax<'s>>,
}

/// One step into a value, with the place of its first token.
#[derive(Debug)]
pub(crate) enum StepSyntax<'s> {
    Index(Vec<ExprSyntax>, TextRange),
    Field(Name<'s>),
}

#[derive(Debug)]
pub(crate) struct CallSyntax<'s> {
    pub(crate) results: Vec<Name<'s>>,
    pub(crate) callee: Name<'s>,
    pub(crate) arguments: Vec<ExprSyntax>,
    /// Whether its preconditions are not obligations.
    pub(crate) is_free: bool,
    /// Why it is beyond us, if it is.
    pub(crate) unsupported: Option<&'static str>,
}

/// A whole text.
#[derive(Debug, Default)]
pub(crate) struct ModuleSyntax<'s> {
    pub(crate) nodes: Vec<Node<'s>>,
    pub(crate) types: Vec<TypeDeclaration<'s>>,
    /// Functions and constants, in the order of the text.
    pub(crate) functions: Vec<FunctionSyntax<'s>>,
    pub(crate) axioms: Vec<ClauseSyntax>,
    /// The attributes of declarations.
    pub(crate) attributes: Vec<ExprSyntax>,
    pub(crate) globals: Vec<VariableSyntax<'s>>,
    pub(crate) procedures: Vec<ProcedureSyntax<'s>>,
    pub(crate) implementations: Vec<ImplementationSyntax<'s>>,
    /// The names that declarations with syntax errors would have declared.
    pub(crate) broken: Vec<&'s str>,
}
