//! Specifications, before name resolution.

use crate::alloy;
use crate::syntax::{Expr, Ident, TextRange, TypeRef};

/// A condition in one of the two notations, with its text for messages.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Condition {
    pub(crate) formula: Formula,
    pub(crate) at: TextRange,
    pub(crate) text: String,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Formula {
    /// An expression of JML.
    Jml(Expr),
    /// A formula over relations.
    Alloy(alloy::Formula),
}

/// A clause that could not be read, or is not modelled, with its text.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct MissingClause {
    pub(crate) role: MissingClauseRole,
    pub(crate) text: String,
    pub(crate) at: TextRange,
}

/// The role of a missing clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MissingClauseRole {
    /// When a method may be called.
    Requires,
    /// A postcondition.
    Ensures,
    /// A frame condition.
    Assignable,
    /// An invariant of objects.
    Invariant,
    /// An obligation of every method of the class.
    Constraint,
    /// An obligation of every constructor.
    Initially,
    /// An axiom.
    Axiom,
    /// A member of a group of fields.
    Group,
    /// A word that is none of JML: it may be any of these.
    Any,
}

/// An assignable location.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Location {
    Nothing,
    Everything,
    /// `x`, `o.f`, `a[i]`.
    One(Expr),
    /// `a[*]`, or `a[i..j]` with its first and last index.
    Elements(Expr, Option<Box<(Expr, Expr)>>),
    /// `o.*`.
    Fields(Expr),
    /// A field of all objects.
    Field(String, TextRange),
}

/// The obligations of a method when a condition holds at its start.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct SpecCase {
    pub(crate) requires: Vec<Condition>,
    pub(crate) ensures: Vec<Condition>,
    /// The type of exception, the name for it, and what holds then.
    pub(crate) signals: Vec<(TypeRef, Option<String>, Condition)>,
    pub(crate) signals_only: Option<Vec<TypeRef>>,
    pub(crate) assignable: Option<Vec<(Location, TextRange)>>,
    /// Whether it only concerns executions that return, or that throw.
    pub(crate) behavior: Behavior,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Behavior {
    #[default]
    Any,
    Normal,
    Exceptional,
}

/// The specification of a method.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct MethodSpec {
    /// Where the first comment with clauses begins, so that these are known to belong to the method.
    pub(crate) start: Option<u32>,
    pub(crate) cases: Vec<SpecCase>,
    pub(crate) is_pure: bool,
    /// Whether invariants are neither assumed nor checked.
    pub(crate) is_helper: bool,
    pub(crate) nullable_result: Option<bool>,
    /// Clauses that are missing.
    pub(crate) missing: Vec<MissingClause>,
}

impl MethodSpec {
    /// Whether it specifies anything about the method.
    pub(crate) fn is_specified(&self) -> bool {
        !self.cases.is_empty() || !self.missing.is_empty()
    }
}

/// A ghost or model field, or a ghost variable of a body.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SpecField {
    pub(crate) ty: TypeRef,
    pub(crate) name: Ident,
    /// Whether its value follows from that of other fields.
    pub(crate) is_model: bool,
    pub(crate) is_static: bool,
    pub(crate) value: Option<Expr>,
}

/// The definition of a model field.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Represents {
    Value(Expr),
    SuchThat(Condition),
}

/// The specification of a class.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct ClassSpec {
    pub(crate) invariants: Vec<Condition>,
    /// Static invariants.
    pub(crate) static_invariants: Vec<Condition>,
    /// Clauses that are missing.
    pub(crate) left_out: Vec<MissingClause>,
    /// Model methods, by name.
    pub(crate) model_methods: Vec<String>,
    /// The groups that the field declared before a place belongs to.
    pub(crate) groups: Vec<(TextRange, Vec<String>)>,
    pub(crate) fields: Vec<SpecField>,
    pub(crate) represents: Vec<(String, Represents)>,
    /// Whether there is any JML in the class, so that its rules on `null` hold.
    pub(crate) is_jml: bool,
    pub(crate) nullable_by_default: bool,
}

impl ClassSpec {
    /// Whether it has invariants, readable or not.
    pub(crate) fn restricts_objects(&self) -> bool {
        !(self.invariants.is_empty()
            && self.static_invariants.is_empty()
            && self.left_out.is_empty())
    }
}

/// A specification between statements.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum SpecStatement {
    Assert(Condition),
    Assume(Condition),
    LoopInvariant(Condition),
    /// A variable of the specification.
    Ghost(SpecField),
    /// `set x = e`.
    Set(Expr, Expr),
    Decreases(Expr),
    /// An obligation that is missing.
    Obligation(MissingClause),
    Unsupported(String, TextRange),
}
