//! A procedure of VIR as it grows, block by block.

use std::collections::BTreeMap;

use ir::{
    Block, BlockId, Exit, HavocReason, LocalId, Mode, Origin, Place as Spot, PointId, Procedure,
    Span, Statement, StatementKind, Terminator, TerminatorKind, Variable,
};

use super::uses::{Uses, congruent, uses_in};
use crate::table::Table;
use crate::term::Term;
use crate::types::Type;

/// A procedure as it grows.
pub(super) struct Body<'b> {
    pub(super) table: &'b Table,
    pub(super) procedure: Procedure,
    pub(super) blocks: Vec<Block>,
    /// The block that is being filled.
    pub(super) here: usize,
    pub(super) variables: BTreeMap<(String, u32), LocalId>,
    pub(super) types: BTreeMap<String, Type>,
    /// The path condition of the current block.
    pub(super) path: Vec<Term>,
    /// The definedness conditions that hold in all later blocks.
    pub(super) followed: Vec<Term>,
    /// The uses of functions that have variables.
    pub(super) uses: Uses,
    /// Those whose arguments have values everywhere that is still to be filled.
    pub(super) used: Vec<String>,
    /// The assertions that obligations have become: the row, the number in its cell, the source point.
    pub(super) asserted: Vec<(usize, usize, PointId)>,
}

impl Body<'_> {
    /// That the functions which a term uses have the same values as elsewhere for the same arguments.
    /// Elsewhere is wherever values are known already.
    pub(super) fn congruences(&mut self, term: &Term) -> Vec<Term> {
        let mut conditions = Vec::new();
        for one in uses_in(term, &self.uses) {
            for other in self.used.clone() {
                let (a, b) = (&self.uses[&one].0, &self.uses[&other].0);
                conditions.extend(congruent(a, b).filter(|_| one != other));
            }
            if !self.used.contains(&one) {
                self.used.push(one);
            }
        }
        conditions
    }

    /// Restores the conditions that were known before some blocks.
    pub(super) fn forget(&mut self, (followed, used): (usize, usize)) {
        self.followed.truncate(followed);
        self.used.truncate(used);
    }

    /// A name that no variable has yet.
    pub(super) fn fresh(&self, name: &str) -> String {
        let mut own = name.to_owned();
        let mut number = 2;
        while self.procedure.locals.iter().any(|local| local.name == own) {
            own = format!("{name}#{number}");
            number += 1;
        }
        own
    }

    pub(super) fn reserve(&mut self, label: &str, span: Span) -> usize {
        let number = self.blocks.len();
        let point = self.procedure.new_point();
        let kind = TerminatorKind::Exit(Exit::Normal);
        let terminator = Terminator { kind, span, point, origin: Origin::Synthetic };
        let label = format!("{label}{number}");
        self.blocks.push(Block { label, statements: Vec::new(), terminator, facts: None });
        number
    }

    pub(super) fn block(&mut self, label: &str, span: Span) {
        self.here = self.reserve(label, span);
    }

    pub(super) fn push(&mut self, kind: StatementKind, span: Span, origin: Origin) -> PointId {
        let point = self.procedure.new_point();
        self.blocks[self.here].statements.push(Statement { kind, span, point, origin });
        point
    }

    pub(super) fn unsupported(&mut self, what: &str, span: Span) {
        let kind = StatementKind::Unsupported { what: what.to_owned(), writes: Vec::new() };
        self.push(kind, span, Origin::Source);
    }

    /// Ends the block by going to any of several new ones.
    pub(super) fn fork(&mut self, labels: &[&str], span: Span) -> Vec<usize> {
        let branches: Vec<usize> = labels.iter().map(|label| self.reserve(label, span)).collect();
        let targets = branches.iter().map(|branch| BlockId(*branch as u32)).collect();
        self.end(TerminatorKind::Goto(targets), span);
        branches
    }

    pub(super) fn go(&mut self, to: usize, span: Span) {
        self.end(TerminatorKind::Goto(vec![BlockId(to as u32)]), span);
    }

    pub(super) fn stop(&mut self, exit: Exit, span: Span) {
        self.end(TerminatorKind::Exit(exit), span);
    }

    pub(super) fn end(&mut self, kind: TerminatorKind, span: Span) {
        let terminator = &mut self.blocks[self.here].terminator;
        terminator.kind = kind;
        terminator.span = span;
    }

    /// Any value of the type of a variable, chosen by a synthetic havoc.
    pub(super) fn anything(&mut self, local: LocalId, span: Span) -> ir::ExprId {
        let (name, ty) = {
            let local = self.procedure.local(local);
            (format!("{}?", local.name), local.ty.clone())
        };
        let name = self.fresh(&name);
        let open = self.procedure.new_local(name, ty.clone(), Mode::Local);
        let reason = HavocReason::UnknownCallee;
        let kind = StatementKind::Havoc { place: spot(open), condition: None, reason };
        self.push(kind, span, Origin::Synthetic);
        self.procedure.exprs.push(ir::Expr::Read(Variable::Local(open)), ty)
    }
}

/// The place of a whole variable.
pub(super) fn spot(local: LocalId) -> Spot {
    Spot { variable: Variable::Local(local), path: Vec::new() }
}
