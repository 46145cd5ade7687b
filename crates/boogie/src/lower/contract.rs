//! Contracts. The `where` clause of a parameter or a global is assumed at the start, and that of a result or
//! a changed global is assumed by callers.

use ir::{Clause, Contract, ExitClause, GlobalId, Variable};
use rustc_hash::FxHashSet;

use super::Lowering;
use super::frame::{Frame, Use};
use crate::diagnostics::TextRange;
use crate::limits::STATED_CONDITIONS;
use crate::program::{self, Procedure, Reference};
use crate::resolve::distinct_conditions;
use crate::syntax::{BodySyntax, ClauseSyntax, ExprSyntax};

impl Lowering<'_, '_, '_> {
    /// The contract of a procedure, and what VIR cannot say of it.
    pub(super) fn contract(
        &mut self,
        frame: &mut Frame,
        procedure: &Procedure<'_, '_>,
    ) -> (Contract, Option<String>) {
        let program = self.program;
        let modifies = procedure
            .modifies
            .iter()
            .map(|global| Frame::whole(Variable::Global(GlobalId(*global as u32))))
            .collect();
        let mut contract = Contract { modifies: Some(modifies), ..Contract::default() };
        let syntax = procedure.syntax;
        let mut trouble = syntax.unsupported.map(str::to_owned);
        if procedure.contract_is_broken {
            return (contract, trouble);
        }
        let conditions = distinct_conditions(&syntax.signature.parameters);
        let globals = self.global_conditions(procedure);
        for condition in conditions.into_iter().chain(globals) {
            contract.requires.push(self.assumed(frame, condition, &mut trouble));
        }
        for clause in &syntax.requires {
            contract.requires.push(self.clause(frame, clause, &mut trouble));
        }
        let mut changed: Vec<ExprSyntax> = procedure
            .modifies
            .iter()
            .filter_map(|global| program.globals[*global].condition)
            .collect();
        changed.dedup_by_key(|condition| condition.root);
        for condition in changed.into_iter().chain(distinct_conditions(&syntax.signature.results)) {
            let clause = self.assumed(frame, condition, &mut trouble);
            contract.ensures.push(ExitClause { exceptional: false, invariant: false, clause });
        }
        for clause in &syntax.ensures {
            let clause = self.clause(frame, clause, &mut trouble);
            contract.ensures.push(ExitClause { exceptional: false, invariant: false, clause });
        }
        (contract, trouble)
    }

    /// The `where` clauses of the globals: of all of them, or if there are too many, of those that the
    /// procedure changes or mentions, or that the contract of a callee mentions.
    fn global_conditions(&self, procedure: &Procedure<'_, '_>) -> Vec<ExprSyntax> {
        let program = self.program;
        let with_condition = program.globals.iter().filter(|global| global.condition.is_some());
        let is_few = with_condition.count() * program.procedures.len() <= STATED_CONDITIONS;
        let mut mentioned: FxHashSet<usize> = procedure.modifies.iter().copied().collect();
        if !is_few {
            let mut expressions = Vec::new();
            clauses(procedure, &mut expressions);
            for body in &procedure.bodies {
                expressions_of(body.syntax, &mut expressions);
                for statement in body.syntax.sequences.iter().flatten() {
                    if let Some((callee, _)) = program.meaning.calls.get(&statement.at.start) {
                        clauses(&program.procedures[*callee], &mut expressions);
                    }
                }
            }
            while let Some(expression) = expressions.pop() {
                for node in expression.first..=expression.root {
                    if let Reference::Variable(program::Variable::Global(global)) =
                        program.meaning.references[node as usize]
                        && mentioned.insert(global)
                    {
                        expressions.extend(program.globals[global].condition);
                    }
                }
            }
        }
        let globals = program.globals.iter().enumerate();
        let mut conditions: Vec<ExprSyntax> = globals
            .filter(|(index, _)| is_few || mentioned.contains(index))
            .filter_map(|(_, global)| global.condition)
            .collect();
        conditions.dedup_by_key(|condition| condition.root);
        conditions
    }

    /// A clause of the text.
    pub(super) fn clause(
        &mut self,
        frame: &mut Frame,
        clause: &ClauseSyntax,
        trouble: &mut Option<String>,
    ) -> Clause {
        let condition = self.stated(frame, clause.condition, clause.at, trouble);
        let message = clause.message.clone();
        Clause { condition, free: clause.free, message, span: clause.at.span() }
    }

    /// The `where` clauses.
    pub(super) fn assumed(
        &mut self,
        frame: &mut Frame,
        condition: ExprSyntax,
        trouble: &mut Option<String>,
    ) -> Clause {
        let at = self.program.syntax.nodes[condition.root as usize].at;
        let condition = self.stated(frame, condition, at, trouble);
        Clause { condition, free: true, message: String::new(), span: at.span() }
    }

    fn stated(
        &mut self,
        frame: &mut Frame,
        condition: ExprSyntax,
        at: TextRange,
        trouble: &mut Option<String>,
    ) -> ir::ExprId {
        let condition = self.expression(frame, condition, Use::Specification);
        if let Some(what) = frame.trouble.take() {
            self.note(at, &what);
            trouble.get_or_insert(what);
        }
        condition
    }
}

/// The expressions of a procedure's contract.
fn clauses(procedure: &Procedure<'_, '_>, found: &mut Vec<ExprSyntax>) {
    let syntax = procedure.syntax;
    found.extend(syntax.requires.iter().chain(&syntax.ensures).map(|clause| clause.condition));
    let variables = syntax.signature.parameters.iter().chain(&syntax.signature.results);
    found.extend(variables.filter_map(|variable| variable.condition));
}

/// The nodes of a body, which stand together in the arena.
fn expressions_of(body: &BodySyntax<'_>, found: &mut Vec<ExprSyntax>) {
    found.extend(body.nodes);
}
