//! Idle loops: those that do not change the values of an obligation after them.
//!
//! How often a loop iterates is no test. That it is executed at all is evidence where its body changes what fails
//! later; where it does not, an execution that skips the loop reaches the same obligation with the same values. So
//! `for (i = 0; i < width - n; i++) put(' ');` is no test of `n`.

use ir::{
    AssertKind, Block, Callee, Expr, ExprId, LocalId, Memory, Mode, Module, Op, PointId, Procedure,
    StatementKind, TerminatorKind, Variable,
};
use passes::graph::LoopId;
use rustc_hash::FxHashSet;

use crate::flow::Flow;

/// The values on which an obligation depends.
#[derive(Default)]
pub(crate) struct Dependencies {
    variables: FxHashSet<Variable>,
    /// Whether some come out of memory.
    loads: bool,
}

impl Dependencies {
    /// The variables on which obligations of a kind at a point depend, as far as values flow through variables.
    pub(crate) fn at(
        module: &Module,
        procedure: &Procedure,
        point: PointId,
        kind: AssertKind,
    ) -> Dependencies {
        let mut values = Dependencies::default();
        let statements = procedure.blocks.iter().flatten().flat_map(|block| &block.statements);
        for statement in statements.filter(|statement| statement.point == point) {
            match &statement.kind {
                StatementKind::Assert { condition, kind: found, .. } if *found == kind => {
                    values.read(procedure, *condition);
                }
                StatementKind::Call { callee, arguments, .. } => {
                    let used = match callee {
                        Callee::Procedure(id) => used(module.procedure(*id), kind),
                        Callee::Choice(..) => None,
                    };
                    let is_used =
                        |number: usize| used.as_ref().is_none_or(|used| used.contains(&number));
                    for (number, argument) in arguments.iter().enumerate() {
                        if is_used(number) {
                            values.read(procedure, *argument);
                        }
                    }
                }
                StatementKind::Assert { .. }
                | StatementKind::Assume { .. }
                | StatementKind::Assign(_)
                | StatementKind::Havoc { .. }
                | StatementKind::Allocate { .. }
                | StatementKind::Free(_)
                | StatementKind::Unsupported { .. } => {}
            }
        }
        values.flow(procedure);
        values
    }

    /// Adds what flows into the variables.
    fn flow(&mut self, procedure: &Procedure) {
        loop {
            let known = self.variables.len();
            let statements = procedure.blocks.iter().flatten().flat_map(|block| &block.statements);
            for statement in statements {
                if let StatementKind::Assign(pairs) = &statement.kind {
                    for (place, value) in pairs {
                        let is_local = matches!(place.variable, Variable::Local(_));
                        if is_local && self.variables.contains(&place.variable) {
                            self.read(procedure, *value);
                        }
                    }
                }
            }
            if self.variables.len() == known {
                return;
            }
        }
    }

    fn read(&mut self, procedure: &Procedure, value: ExprId) {
        let mut pending = vec![value];
        while let Some(id) = pending.pop() {
            let expr = procedure.exprs.get(id);
            if let Expr::Read(variable @ Variable::Local(_)) = expr {
                self.variables.insert(*variable);
            }
            // Whether a place was set is as much of memory as what it holds.
            self.loads |= matches!(
                expr,
                Expr::Op(Op::Memory(Memory::Load(_) | Memory::Peek | Memory::IsWritten(_)), _)
            );
            pending.extend(expr.operands());
        }
    }

    fn mentions(&self, procedure: &Procedure, value: ExprId) -> bool {
        let mut pending = vec![value];
        while let Some(id) = pending.pop() {
            let expr = procedure.exprs.get(id);
            if matches!(expr, Expr::Read(variable) if self.variables.contains(variable)) {
                return true;
            }
            pending.extend(expr.operands());
        }
        false
    }

    /// Whether a block changes one of the values.
    fn is_changed_by(&self, block: &Block) -> bool {
        block.statements.iter().any(|statement| match &statement.kind {
            StatementKind::Assign(pairs) => pairs.iter().any(|(place, _)| match place.variable {
                Variable::Local(_) => self.variables.contains(&place.variable),
                Variable::Global(_) => self.loads,
            }),
            StatementKind::Havoc { place, .. } => self.variables.contains(&place.variable),
            StatementKind::Call { results, .. } => {
                self.loads || results.iter().any(|to| self.variables.contains(&to.variable))
            }
            StatementKind::Unsupported { .. }
            | StatementKind::Allocate { .. }
            | StatementKind::Free(_) => true,
            StatementKind::Assert { .. } | StatementKind::Assume { .. } => false,
        })
    }
}

/// The parameters, by number, that a callee's own obligations of a kind ask about; none if it has no such obligation.
fn used(callee: &Procedure, kind: AssertKind) -> Option<FxHashSet<usize>> {
    let mut values = Dependencies::default();
    let mut is_found = false;
    for statement in callee.blocks.iter().flatten().flat_map(|block| &block.statements) {
        if let StatementKind::Assert { condition, kind: found, .. } = &statement.kind
            && *found == kind
        {
            is_found = true;
            values.read(callee, *condition);
        }
    }
    values.flow(callee);
    let parameters = (0..callee.locals.len() as u32).map(LocalId);
    let parameters = parameters.filter(|id| callee.local(*id).mode == Mode::Parameter);
    let is_used = |id: &LocalId| values.variables.contains(&Variable::Local(*id));
    is_found.then(|| {
        let used = parameters.enumerate().filter(|(_, id)| is_used(id));
        used.map(|(number, _)| number).collect()
    })
}

impl Flow {
    /// The branch edges that stay in an idle loop, as seen from an obligation behind the loop.
    pub(crate) fn idle(
        &self,
        procedure: &Procedure,
        at: PointId,
        values: &Dependencies,
    ) -> FxHashSet<(PointId, bool)> {
        let mut idle = FxHashSet::default();
        let (Some(graph), Some(&here)) = (self.graph(), self.block(at)) else { return idle };
        let blocks = procedure.blocks.as_deref().unwrap_or_default();
        for id in (0..graph.loops().len() as u32).map(LoopId) {
            let inside = graph.order().iter().filter(|block| graph.contains(id, **block));
            let inside: Vec<&Block> = inside.map(|block| &blocks[block.0 as usize]).collect();
            if graph.contains(id, here) || inside.iter().any(|block| values.is_changed_by(block)) {
                continue;
            }
            for block in inside {
                if let TerminatorKind::Branch(condition, then, otherwise) = block.terminator.kind
                    && !values.mentions(procedure, condition)
                {
                    let stays = [then, otherwise].map(|to| graph.contains(id, to));
                    if stays != [true, true] {
                        idle.extend(stays.into_iter().zip([true, false]).filter_map(
                            |(stays, side)| stays.then_some((block.terminator.point, side)),
                        ));
                    }
                }
            }
        }
        idle
    }
}
