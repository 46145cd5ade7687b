//! Procedures: contracts, and bodies as control-flow graphs of blocks.

use crate::assert_kind::AssertKind;
use crate::expr::{ExprId, Exprs};
use crate::form::{FormId, PlaceText};
use crate::module::ProcedureId;
use crate::span::{Origin, PointId, Span};
use crate::statement::{Callee, Place, Statement, StatementKind, Terminator};
use crate::types::Type;

/// A variable of a procedure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LocalId(pub u32);

/// A block of a body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BlockId(pub u32);

/// A parameter, result or local of a procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Local {
    /// Its name in VIR, distinct within the procedure.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its role.
    pub mode: Mode,
    /// Its name in the source, if the user would recognise it.
    pub display: Option<String>,
}

/// The role of a variable of a procedure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// Set by the caller. The body may assign it; the caller does not see that.
    Parameter,
    /// Read by the caller after a normal exit. Undefined until assigned.
    Result,
    /// Undefined until assigned.
    Local,
    /// Like a local, but it has no influence on anything that is not ghost.
    Ghost,
}

/// A clause of a contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// The condition.
    pub condition: ExprId,
    /// Whether it is assumed but never checked.
    pub free: bool,
    /// The message of a finding when it does not hold.
    pub message: String,
    /// The source text that states it.
    pub span: Span,
}

/// A clause that holds at normal or at exceptional exits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExitClause {
    /// Whether it concerns exceptional exits instead of normal ones.
    pub exceptional: bool,
    /// Whether it is an invariant that holds again at exit, rather than a postcondition.
    pub invariant: bool,
    /// The condition; `old` refers to the entry.
    pub clause: Clause,
}

impl ExitClause {
    /// The kind of the obligation.
    pub fn kind(&self) -> AssertKind {
        if self.invariant { AssertKind::Invariant } else { AssertKind::Postcondition }
    }
}

/// What a procedure requires of its callers and guarantees to them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contract {
    /// Holds at entry.
    pub requires: Vec<Clause>,
    /// Holds at exit.
    pub ensures: Vec<ExitClause>,
    /// The global places that may differ between entry and exit; `None` if the contract has no frame
    /// condition.
    pub modifies: Option<Vec<Place>>,
    /// A non-negative integer that is smaller in every recursive call.
    pub decreases: Option<ExprId>,
    /// Whether this describes external code, and incompletely: no finding may depend on its results.
    pub external: bool,
    /// The clauses of the source that are missing here; not part of the text form.
    pub missing_clauses: Vec<MissingClause>,
}

/// A clause of the source that the contract lacks, because it has a syntax error or is not modelled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingClause {
    /// The role of the clause.
    pub role: ClauseRole,
    /// The clause, and why it is missing.
    pub what: String,
    /// The source text of the clause.
    pub span: Span,
}

/// The role of a missing clause: it decides which findings would depend on its absence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ClauseRole {
    /// It restricts the initial states: nothing is known of the executions that it admits.
    Assumption,
    /// The procedure must establish it, at exit or before: whether it does is unknown, and so are the results
    /// and states that callers can rely on.
    Promise,
    /// It lists what the procedure may change: neither that it changes no more nor that the rest keeps its
    /// value is known.
    Frame,
}

impl Contract {
    /// The first missing clause with one of these roles.
    pub fn lacks(&self, roles: &[ClauseRole]) -> Option<&MissingClause> {
        self.missing_clauses.iter().find(|missing| roles.contains(&missing.role))
    }
}

/// The specification of a loop, at its header block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LoopFacts {
    /// Hold whenever the header is reached.
    pub invariants: Vec<Clause>,
    /// A non-negative integer that is smaller each time the header is reached again.
    pub decreases: Option<ExprId>,
}

/// A block: statements, then a terminator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Its label, distinct within the procedure.
    pub label: String,
    /// The statements, in order.
    pub statements: Vec<Statement>,
    /// Where control continues.
    pub terminator: Terminator,
    /// The specification of the loop whose header this is.
    pub facts: Option<LoopFacts>,
}

/// A procedure.
///
/// Invariants: see [`validate`](mod@crate::validate). Block 0 is the entry and has no predecessors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Procedure {
    /// Its name, distinct within the module.
    pub name: String,
    /// How the source language writes it.
    pub display: Option<String>,
    /// The source text of its declaration.
    pub span: Span,
    /// Parameters first, then results, then the rest.
    pub locals: Vec<Local>,
    /// All its expressions.
    pub exprs: Exprs,
    /// Its contract.
    pub contract: Contract,
    /// Its body, if it has one.
    pub blocks: Option<Vec<Block>>,
    /// The number of source points; every point of a statement or terminator is below it.
    pub points: u32,
    /// The source text of the memory accesses at a point, by point; not part of the text form.
    pub places: Vec<(PointId, PlaceText)>,
    /// The forms of variables, in order; not part of the text form.
    pub forms: Vec<(LocalId, FormId)>,
}

impl Procedure {
    /// The variables with this role, in order.
    pub fn locals_with(&self, mode: Mode) -> impl Iterator<Item = LocalId> + '_ {
        let ids = (0..).map(LocalId);
        ids.zip(&self.locals).filter(move |(_, local)| local.mode == mode).map(|(id, _)| id)
    }

    /// The procedures that its calls may call, call by call.
    pub fn callees(&self) -> impl Iterator<Item = ProcedureId> + '_ {
        let statements = self.blocks.iter().flatten().flat_map(|block| &block.statements);
        let callees = statements.filter_map(|statement| match &statement.kind {
            StatementKind::Call { callee, .. } => Some(callee),
            StatementKind::Assign(_)
            | StatementKind::Havoc { .. }
            | StatementKind::Assume { .. }
            | StatementKind::Assert { .. }
            | StatementKind::Allocate { .. }
            | StatementKind::Free(_)
            | StatementKind::Unsupported { .. } => None,
        });
        callees.flat_map(Callee::targets)
    }

    /// A variable.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }

    /// The name of a variable in the source.
    pub fn display(&self, id: LocalId) -> &str {
        let local = self.local(id);
        local.display.as_deref().unwrap_or(&local.name)
    }

    /// The form of a variable, if the source has one.
    pub fn form(&self, id: LocalId) -> Option<FormId> {
        let found = self.forms.binary_search_by_key(&id, |(local, _)| *local).ok()?;
        Some(self.forms[found].1)
    }

    /// The source text of the memory access at a point.
    pub fn place_at(&self, point: PointId) -> Option<&PlaceText> {
        let found = self.places.binary_search_by_key(&point, |(at, _)| *at).ok()?;
        Some(&self.places[found].1)
    }

    /// Adds a source point.
    pub fn new_point(&mut self) -> PointId {
        self.points += 1;
        PointId(self.points - 1)
    }

    /// Adds a variable.
    pub fn new_local(&mut self, name: impl Into<String>, ty: Type, mode: Mode) -> LocalId {
        self.locals.push(Local { name: name.into(), ty, mode, display: None });
        LocalId(self.locals.len() as u32 - 1)
    }
}

impl Statement {
    /// A synthetic statement for the same source text as another.
    pub fn synthetic(kind: StatementKind, span: Span, point: PointId) -> Statement {
        Statement { kind, span, point, origin: Origin::Synthetic }
    }
}
