//! The results of callees that a procedure tests.
//!
//! A procedure that tests the result of a callee after one call expects every possible result after every call of
//! it. A value flows through variables; memory behind a pointer is not followed.

use ir::{
    Callee, Expr, ExprId, Module, Op, Place, PointId, Procedure, StatementKind, TerminatorKind,
    Type, Variable,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::is_nowhere;

/// The variables to which the result of a call flows.
pub(crate) struct Copies(FxHashSet<Variable>);

impl Copies {
    fn of(procedure: &Procedure, variable: Variable) -> Copies {
        let mut copies = Copies(FxHashSet::from_iter([variable]));
        loop {
            let known = copies.0.len();
            for statement in procedure.blocks.iter().flatten().flat_map(|block| &block.statements) {
                if let StatementKind::Assign(pairs) = &statement.kind {
                    let flows =
                        pairs.iter().filter(|(_, value)| copies.are_read(procedure, *value));
                    let flows: Vec<Variable> = flows.map(|(place, _)| place.variable).collect();
                    let locals = flows.into_iter().filter(|to| matches!(to, Variable::Local(_)));
                    copies.0.extend(locals);
                }
            }
            if copies.0.len() == known {
                return copies;
            }
        }
    }

    /// Whether an obligation at a point concerns one of them, or a call there has one as argument.
    pub(crate) fn are_used_at(&self, procedure: &Procedure, at: PointId) -> bool {
        let statements = procedure.blocks.iter().flatten().flat_map(|block| &block.statements);
        statements.filter(|statement| statement.point == at).any(|statement| {
            match &statement.kind {
                StatementKind::Assert { condition, .. } => self.are_read(procedure, *condition),
                StatementKind::Call { arguments, .. } => {
                    arguments.iter().any(|argument| self.are_read(procedure, *argument))
                }
                _ => false,
            }
        })
    }

    /// Whether a branch tests one of them.
    fn are_tested(&self, procedure: &Procedure) -> bool {
        procedure.blocks.iter().flatten().any(|block| match &block.terminator.kind {
            TerminatorKind::Branch(condition, ..) => self.are_read(procedure, *condition),
            TerminatorKind::Goto(_) | TerminatorKind::Exit(_) => false,
        })
    }

    /// Whether an expression reads one of them.
    fn are_read(&self, procedure: &Procedure, expr: ExprId) -> bool {
        let mut pending = vec![expr];
        while let Some(id) = pending.pop() {
            match procedure.exprs.get(id) {
                Expr::Read(read) if self.0.contains(read) => return true,
                // Memory behind a pointer is not followed.
                Expr::Op(Op::Memory(_), _) => {}
                expr => pending.extend(expr.operands()),
            }
        }
        false
    }
}

/// The calls that return pointers, each with the variables to which the result flows; only calls of those whose results
/// the procedure tests, after this call or another, if that is required.
pub(crate) fn pointer_results(
    procedure: &Procedure,
    must_be_tested: bool,
) -> FxHashMap<PointId, Copies> {
    let calls = returned(procedure).into_iter().map(|(point, callee, result)| {
        let copies = Copies::of(procedure, result);
        (point, callee, copies)
    });
    let calls: Vec<_> = calls.collect();
    let tested = calls.iter().filter(|(_, _, copies)| copies.are_tested(procedure));
    let tested: Vec<&Callee> = tested.map(|(_, callee, _)| *callee).collect();
    let results =
        calls.into_iter().filter(|(_, callee, _)| !must_be_tested || tested.contains(callee));
    results.map(|(point, _, copies)| (point, copies)).collect()
}

/// The calls of procedures that return pointers and have a body in the source.
pub(crate) fn pointer_calls(module: &Module, procedure: &Procedure) -> FxHashSet<PointId> {
    let is_written = |callee: &Callee| match callee {
        Callee::Procedure(id) => {
            let callee = module.procedure(*id);
            callee.blocks.is_some() && !is_nowhere(callee.span)
        }
        Callee::Choice(..) => true,
    };
    let calls = returned(procedure).into_iter();
    calls.filter(|(_, callee, _)| is_written(callee)).map(|(point, ..)| point).collect()
}

/// The calls that return a pointer: where, of whom, and the variable that gets it.
fn returned(procedure: &Procedure) -> Vec<(PointId, &Callee, Variable)> {
    let statements = procedure.blocks.iter().flatten().flat_map(|block| &block.statements);
    let is_pointer = |place: &Place| match place.variable {
        Variable::Local(id) => place.path.is_empty() && procedure.local(id).ty == Type::Ptr,
        Variable::Global(_) => false,
    };
    let calls = statements.filter_map(|statement| match &statement.kind {
        StatementKind::Call { results, callee, .. } => {
            let result = results.iter().find(|place| is_pointer(place))?;
            Some((statement.point, callee, result.variable))
        }
        _ => None,
    });
    calls.collect()
}
