//! A body whose calls are being replaced, by other bodies or by what contracts say.
//!
//! Blocks are processed in the order in which they are created, so that calls nearer to the procedure are
//! replaced before those that replacement adds. A block whose call becomes several blocks ends there and
//! continues in a new one.

use std::collections::VecDeque;
use std::rc::Rc;

use ir::{
    AssertKind, AssumeReason, Block, BlockId, Callee, Clause, CutReason, Exit, Expr, ExprId,
    HavocReason, LocalId, LoopFacts, Memory, Mode, Module, Op, Origin, Place, PointId, Procedure,
    ProcedureId, Projection, Span, Statement, StatementKind, Terminator, TerminatorKind, Type,
    Variable,
};

use crate::copy::Copies;
use crate::graph::{arrange, straighten};
use crate::measure;
use crate::names::Names;

/// The reason of the cut in which an execution ends if a function value has no listed target. The interpreter
/// uses the same.
const UNKNOWN_FUNCTION: &str = "a call of a procedure that is not among the candidates";

/// A call of one procedure.
#[derive(Clone)]
pub(crate) struct Call {
    pub(crate) results: Vec<Place>,
    pub(crate) callee: ProcedureId,
    pub(crate) arguments: Vec<ExprId>,
    pub(crate) caught: Option<(Place, Option<Place>)>,
    pub(crate) span: Span,
    pub(crate) point: PointId,
    pub(crate) origin: Origin,
    /// How many calls this one is inside of.
    pub(crate) depth: u32,
    /// Whether one execution may make it several times.
    pub(crate) repeated: bool,
    /// Where an exception goes that the call does not catch.
    pub(crate) raise: Rc<ExceptionTarget>,
    /// The measures of the calls that this one is inside of, the innermost last.
    pub(crate) measures: Measures,
}

/// Procedures and the variables in which their measures are kept.
pub(crate) type Measures = Rc<Vec<(ProcedureId, LocalId)>>;

/// Where an exception goes. An inlined callee has no caller to which it could propagate.
#[derive(Clone, Default)]
pub(crate) struct ExceptionTarget {
    /// Pointers to the objects on the stacks that it leaves.
    pub(crate) stack: Vec<LocalId>,
    /// The place that catches it, and the block where the execution continues; none if it leaves the
    /// procedure.
    pub(crate) caught: Option<((Place, Option<Place>), BlockId)>,
}

/// A block that is still to be processed.
pub(crate) struct Pending {
    pub(crate) id: BlockId,
    pub(crate) block: Block,
    pub(crate) depth: u32,
    pub(crate) repeated: bool,
    pub(crate) raise: Rc<ExceptionTarget>,
    pub(crate) measures: Measures,
}

/// A body under construction. One block is open and receives statements.
pub(crate) struct Body<'m> {
    pub(crate) module: &'m Module,
    pub(crate) procedure: Procedure,
    pub(crate) variables: Names,
    labels: Names,
    blocks: Vec<Option<Block>>,
    pending: VecDeque<Pending>,
    /// The number of statements and ends of blocks, those to come included.
    pub(crate) size: usize,
    id: BlockId,
    label: String,
    facts: Option<LoopFacts>,
    statements: Vec<Statement>,
}

/// Replaces every call of a procedure, which is inside of calls with these measures.
pub(crate) fn replace_calls(
    module: &Module,
    procedure: &Procedure,
    measures: Measures,
    mut replace: impl FnMut(&mut Body<'_>, &Call),
) -> Procedure {
    let mut body = Body::new(module, procedure, &measures);
    while let Some(Pending { id, block, depth, repeated, raise, measures }) =
        body.pending.pop_front()
    {
        body.begin(id, block.label);
        body.facts = block.facts;
        for statement in block.statements {
            match statement.kind {
                StatementKind::Call { results, callee, arguments, caught } => {
                    let Statement { span, point, origin, .. } = statement;
                    let call = |callee| Call {
                        results: results.clone(),
                        callee,
                        arguments: arguments.clone(),
                        caught: caught.clone(),
                        span,
                        point,
                        origin,
                        depth,
                        repeated,
                        raise: raise.clone(),
                        measures: measures.clone(),
                    };
                    match &callee {
                        Callee::Procedure(callee) => replace(&mut body, &call(*callee)),
                        Callee::Choice(chosen_by, table) => {
                            body.dispatch(*chosen_by, table, call, &mut replace);
                        }
                    }
                }
                StatementKind::Assign(_)
                | StatementKind::Havoc { .. }
                | StatementKind::Assume { .. }
                | StatementKind::Assert { .. }
                | StatementKind::Allocate { .. }
                | StatementKind::Free(_)
                | StatementKind::Unsupported { .. } => body.statements.push(statement),
            }
        }
        body.end(block.terminator);
    }
    body.finish()
}

impl<'m> Body<'m> {
    fn new(module: &'m Module, procedure: &Procedure, measures: &Measures) -> Body<'m> {
        let blocks = procedure.blocks.clone().unwrap_or_default();
        let repeated = !blocks.is_empty() && has_cycle(&blocks);
        Body {
            module,
            procedure: Procedure { blocks: None, ..procedure.clone() },
            variables: Names::new(procedure.locals.iter().map(|local| local.name.as_str())),
            labels: Names::new(blocks.iter().map(|block| block.label.as_str())),
            size: size(&blocks),
            id: BlockId(0),
            label: String::new(),
            facts: None,
            statements: Vec::new(),
            pending: (0..)
                .map(BlockId)
                .zip(blocks.iter().cloned())
                .map(|(id, block)| {
                    let raise = Rc::new(ExceptionTarget::default());
                    let measures = measures.clone();
                    Pending { id, block, depth: 0, repeated, raise, measures }
                })
                .collect(),
            blocks: vec![None; blocks.len()],
        }
    }

    fn finish(self) -> Procedure {
        let blocks = self.blocks.into_iter().map(|block| block.expect("every block is made"));
        let mut procedure = self.procedure;
        procedure.blocks = Some(arrange(straighten(arrange(blocks.collect()))));
        procedure
    }

    /// Reserves the numbers of blocks that are created later; returns the first.
    pub(crate) fn reserve(&mut self, count: usize) -> BlockId {
        let first = BlockId(self.blocks.len() as u32);
        self.blocks.resize(self.blocks.len() + count, None);
        first
    }

    /// Adds a block to be processed later.
    pub(crate) fn postpone(&mut self, mut pending: Pending) {
        pending.block.label = self.labels.fresh(&pending.block.label);
        self.pending.push_back(pending);
    }

    /// Opens a block.
    fn begin(&mut self, id: BlockId, label: String) {
        self.id = id;
        self.label = label;
    }

    /// Opens a block that continues the one that was open.
    pub(crate) fn go_on(&mut self, id: BlockId) {
        let label = self.labels.fresh(&self.label);
        self.begin(id, label);
    }

    /// Closes the open block.
    fn end(&mut self, terminator: Terminator) {
        let block = Block {
            label: std::mem::take(&mut self.label),
            statements: std::mem::take(&mut self.statements),
            terminator,
            facts: self.facts.take(),
        };
        self.label.clone_from(&block.label);
        self.blocks[self.id.0 as usize] = Some(block);
    }

    /// Closes the open block at a call.
    pub(crate) fn end_at(&mut self, call: &Call, kind: TerminatorKind) {
        let Call { span, point, .. } = *call;
        self.end(Terminator { kind, span, point, origin: Origin::Synthetic });
    }

    /// Ends the executions that make a call; nothing leads to the block that is open then.
    pub(crate) fn cut(&mut self, call: &Call, reason: CutReason) {
        self.end_at(call, TerminatorKind::Exit(Exit::Cut(reason)));
        let nowhere = self.reserve(1);
        self.go_on(nowhere);
    }

    /// Adds a statement that replaces a call.
    pub(crate) fn push(&mut self, call: &Call, kind: StatementKind) {
        self.statements.push(Statement::synthetic(kind, call.span, call.point));
    }

    /// Adds an assignment that replaces a call, if it assigns anything.
    pub(crate) fn assign(&mut self, call: &Call, pairs: Vec<(Place, ExprId)>) {
        if !pairs.is_empty() {
            self.push(call, StatementKind::Assign(pairs));
        }
    }

    /// Forgets a place that a callee may have changed.
    pub(crate) fn havoc(&mut self, call: &Call, place: Place, reason: HavocReason) {
        self.push(call, StatementKind::Havoc { place, condition: None, reason });
    }

    /// Assumes a clause that a contract promises.
    pub(crate) fn assume(&mut self, call: &Call, condition: ExprId) {
        self.push(call, StatementKind::Assume { condition, reason: AssumeReason::Contract });
    }

    /// Asserts preconditions: they are obligations of the caller, so the assertions have the origin of the
    /// call.
    pub(crate) fn require(&mut self, call: &Call, clauses: &[Clause], copies: &Copies) {
        let callee = self.module.procedure(call.callee);
        for clause in clauses {
            let condition = copies.of(clause.condition);
            if clause.free {
                self.assume(call, condition);
                continue;
            }
            let message = match clause.message.as_str() {
                "" => {
                    let name = callee.display.as_deref().unwrap_or(&callee.name);
                    format!("a precondition of {name} does not hold")
                }
                message => message.to_owned(),
            };
            let kind = StatementKind::Assert { condition, kind: AssertKind::Precondition, message };
            let Call { span, point, origin, .. } = *call;
            self.statements.push(Statement { kind, span, point, origin });
        }
    }

    /// Asserts that a measure is smaller than that of the call of the same procedure that this one is
    /// inside of.
    pub(crate) fn check_measure(&mut self, call: &Call, measured: ExprId) {
        let mut around = call.measures.iter().rev();
        if let Some(&(_, kept)) = around.find(|(procedure, _)| *procedure == call.callee) {
            let message = "the procedure's measure does not decrease in a recursive call";
            let kind = measure::decreases(&mut self.procedure, measured, kept, message);
            let Call { span, point, origin, .. } = *call;
            self.statements.push(Statement { kind, span, point, origin });
        }
    }

    /// A new variable.
    pub(crate) fn variable(&mut self, name: &str, ty: Type, mode: Mode) -> LocalId {
        let name = self.variables.fresh(name);
        self.procedure.new_local(name, ty, mode)
    }

    /// Reads a variable of the procedure.
    pub(crate) fn read(&mut self, local: LocalId) -> ExprId {
        let ty = self.procedure.local(local).ty.clone();
        self.procedure.exprs.push(Expr::Read(Variable::Local(local)), ty)
    }

    /// A truth value.
    pub(crate) fn truth(&mut self, value: bool) -> ExprId {
        self.procedure.exprs.push(Expr::Bool(value), Type::Bool)
    }

    /// The same place whatever the callee changes: its path is evaluated before the call.
    pub(crate) fn fix(&mut self, call: &Call, place: &Place) -> Place {
        let mut fixed = place.clone();
        let mut pairs = Vec::new();
        // The path to a ghost may depend on ghosts.
        let is_ghost = match place.variable {
            Variable::Global(id) => self.module.global(id).ghost,
            Variable::Local(id) => self.procedure.local(id).mode == Mode::Ghost,
        };
        let mode = if is_ghost { Mode::Ghost } else { Mode::Local };
        fixed.for_each_expr_mut(&mut |key| {
            if !self.depends_on_state(*key) {
                return;
            }
            let ty = self.procedure.exprs.ty(*key).clone();
            let local = self.variable("key", ty, mode);
            pairs.push((whole(local), *key));
            *key = self.read(local);
        });
        self.assign(call, pairs);
        fixed
    }

    /// Whether a callee can change the value of an expression.
    fn depends_on_state(&self, root: ExprId) -> bool {
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            let expr = self.procedure.exprs.get(id);
            match expr {
                Expr::Read(Variable::Global(_)) | Expr::Op(Op::Memory(Memory::IsLive), _) => {
                    return true;
                }
                Expr::Read(Variable::Local(_))
                | Expr::Bool(_)
                | Expr::Bv(..)
                | Expr::Int(_)
                | Expr::Null(_)
                | Expr::Bound(_)
                | Expr::Op(..)
                | Expr::Apply(..)
                | Expr::Old(_)
                | Expr::Quantified(..)
                | Expr::Lambda(..) => pending.extend(expr.operands()),
            }
        }
        false
    }

    /// The results that a caller receives from a callee that returned.
    pub(crate) fn returned(
        &mut self,
        results: &[Place],
        values: &[LocalId],
        caught: Option<&(Place, Option<Place>)>,
    ) -> Vec<(Place, ExprId)> {
        let flag = caught.map(|(flag, _)| (flag.clone(), self.truth(false)));
        let mut pairs: Vec<(Place, ExprId)> = flag.into_iter().collect();
        for (place, &value) in results.iter().zip(values) {
            pairs.push((place.clone(), self.read(value)));
        }
        pairs
    }

    /// The value that a caller receives when an exception reaches it, and where the execution continues.
    pub(crate) fn raised(
        &mut self,
        call: &Call,
        raise: &ExceptionTarget,
        value: Option<ExprId>,
    ) -> (Vec<Statement>, TerminatorKind) {
        let mut pairs = Vec::new();
        let kind = match (&raise.caught, value) {
            (Some(((flag, place), after)), value) => {
                pairs.push((flag.clone(), self.truth(true)));
                pairs.extend(place.clone().zip(value));
                TerminatorKind::Goto(vec![*after])
            }
            (None, Some(value)) if !raise.stack.is_empty() => {
                // The value may be read from an object that is about to be gone.
                let ty = self.procedure.exprs.ty(value).clone();
                let kept = self.variable("exception", ty, Mode::Local);
                pairs.push((whole(kept), value));
                TerminatorKind::Exit(Exit::Exceptional(Some(self.read(kept))))
            }
            (None, value) => TerminatorKind::Exit(Exit::Exceptional(value)),
        };
        let mut kinds = Vec::new();
        if !pairs.is_empty() {
            kinds.push(StatementKind::Assign(pairs));
        }
        kinds.extend(raise.stack.iter().map(|&object| StatementKind::Free(self.read(object))));
        let synthetic = |kind| Statement::synthetic(kind, call.span, call.point);
        (kinds.into_iter().map(synthetic).collect(), kind)
    }

    /// The type of what a place holds.
    pub(crate) fn type_of(&self, place: &Place) -> Type {
        let mut ty = match place.variable {
            Variable::Global(id) => &self.module.global(id).ty,
            Variable::Local(id) => &self.procedure.local(id).ty,
        };
        for step in &place.path {
            ty = match (step, ty) {
                (Projection::Field(record, field), _) => {
                    &self.module.records[record.0 as usize].fields[*field as usize].1
                }
                (Projection::Index(_), Type::Map(_, value)) => value,
                (Projection::Index(_), _) => unreachable!("only maps are indexed"),
                (Projection::View { ty, .. }, _) => ty,
            };
        }
        ty.clone()
    }

    /// Replaces a call through a function value: a branch for each procedure it may mean.
    fn dispatch(
        &mut self,
        chosen_by: ExprId,
        table: &[(ExprId, ProcedureId)],
        call: impl Fn(ProcedureId) -> Call,
        replace: &mut impl FnMut(&mut Body<'_>, &Call),
    ) {
        let after = self.reserve(1);
        for &(value, callee) in table {
            let call = call(callee);
            let chosen = Expr::Op(Op::Eq, vec![chosen_by, value]);
            let condition = self.procedure.exprs.push(chosen, Type::Bool);
            let made = self.reserve(2);
            let other = BlockId(made.0 + 1);
            self.end_at(&call, TerminatorKind::Branch(condition, made, other));
            self.go_on(made);
            replace(self, &call);
            self.end_at(&call, TerminatorKind::Goto(vec![after]));
            self.go_on(other);
        }
        let reason = CutReason::Unsupported(UNKNOWN_FUNCTION.to_owned());
        let some = call(table[0].1);
        self.end_at(&some, TerminatorKind::Exit(Exit::Cut(reason)));
        self.go_on(after);
    }
}

/// The place that is all of a variable.
pub(crate) fn whole(local: LocalId) -> Place {
    Place { variable: Variable::Local(local), path: Vec::new() }
}

/// The number of statements and ends of blocks.
pub(crate) fn size(blocks: &[Block]) -> usize {
    blocks.iter().map(|block| 1 + block.statements.len()).sum()
}

/// Whether an execution may reach a block twice.
pub(crate) fn has_cycle(blocks: &[Block]) -> bool {
    let graph = crate::graph::Graph::new(blocks);
    !graph.loops().is_empty() || !graph.is_reducible()
}
