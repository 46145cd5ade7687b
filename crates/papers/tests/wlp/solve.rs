//! Error verification conditions solved apart from the walk over the procedure, and the same query asked of the
//! walk.
//!
//! The formulas become a procedure without any control flow to speak of: its parameters are all
//! incarnations and a truth value for each block, it assumes every definition, and asserts one
//! condition. What is left to the evaluator are expressions.

use encode::{Direction, QueryAnswer, QuerySession, Scope, evaluate};
use ir::{
    AssertKind, AssumeReason, Block, BlockId, Exit, Expr, ExprId, LocalId, Mode, Module, Op,
    Origin, PointId, Procedure, ProcedureId, Span, Statement, StatementKind, Terminator,
    TerminatorKind, Type, Variable,
};
use papers::wlp::{Formulas, formulas};
use passes::{Effects, Limits, Prepared, for_over};

/// What a comparison met.
#[derive(Clone, Copy, Default, Debug)]
pub struct Met {
    /// How many points and sides of branches were compared.
    pub sites: usize,
    /// How many of them are doomed.
    pub doomed: usize,
}

pub fn scope() -> Scope {
    let (direction, atoms) = (Direction::Over, 1 << 12);
    Scope { direction, atoms, ..Scope::default() }
}

/// Compares what the formulas of a procedure say with what the evaluation of it says.
///
/// # Errors
/// If they differ: where.
pub fn compare(module: &Module, procedure: ProcedureId, limits: &Limits) -> Result<Met, String> {
    let Prepared { procedure, calls, .. } =
        for_over(module, &Effects::of(module), procedure, limits);
    let formulas = formulas(module, &procedure);
    let valid = valid(&formulas);
    let evaluation = evaluate(module, &procedure, &calls, &scope());
    let mut session = session(module, &evaluation);
    let mut met = Met::default();
    for (condition, valid) in formulas.conditions.iter().zip(valid) {
        for site in &condition.sites {
            let point = evaluation.points.iter().find(|point| point.id == site.point);
            let edge = evaluation
                .edges
                .iter()
                .find(|edge| edge.point == site.point && Some(edge.taken) == site.side);
            let gate = match site.side {
                None => point.map(|point| point.gate),
                Some(_) => edge.map(|edge| edge.gate),
            };
            // What the walk never got to is not even asked about.
            let doomed = gate.is_none_or(|gate| {
                session.ask(&[gate, evaluation.admissible]) == QueryAnswer::Unsat
            });
            if doomed != valid {
                return Err(format!("{site:?}: condition valid: {valid}, doomed: {doomed}"));
            }
            met.sites += 1;
            met.doomed += usize::from(doomed);
        }
    }
    let all = || formulas.conditions.iter().flat_map(|condition| &condition.sites);
    for point in evaluation.points.iter().filter(|point| point.origin != Origin::Synthetic) {
        if !all().any(|site| site.point == point.id && site.side.is_none()) {
            return Err(format!("{:?} has no condition", point.id));
        }
    }
    let is_written = |origin| matches!(origin, Origin::Source | Origin::Macro(_));
    for edge in evaluation.edges.iter().filter(|edge| is_written(edge.origin)) {
        if !all().any(|site| site.point == edge.point && site.side == Some(edge.taken)) {
            return Err(format!("side {} of {:?} has no condition", edge.taken, edge.point));
        }
    }
    Ok(met)
}

fn session<'e>(module: &'e Module, evaluation: &'e encode::Evaluation) -> QuerySession<'e> {
    QuerySession::new(module, evaluation, sat::Options::default(), sat::Limits::none())
        .expect("the solver is built in")
}

/// Which conditions are valid.
pub fn valid(formulas: &Formulas<'_>) -> Vec<bool> {
    valid_with(formulas, true)
}

/// Which conditions are valid if they conclude that `B_start` holds, or that it does not.
pub fn valid_with(formulas: &Formulas<'_>, holds: bool) -> Vec<bool> {
    let procedure = straight(formulas, holds);
    let module = Module {
        globals: Vec::new(),
        invariants: Vec::new(),
        procedures: vec![procedure],
        ..formulas.module.clone()
    };
    ir::debug_validate(&module);
    let evaluation = evaluate(&module, &module.procedures[0], &[], &scope());
    let mut session = session(&module, &evaluation);
    (0..formulas.conditions.len() as u32)
        .map(|number| {
            let block = BlockId(number + 1);
            let asserted = evaluation.obligations.iter().find(|o| o.place.0 == block);
            asserted.is_none_or(|asserted| session.ask(&[asserted.fails]) == QueryAnswer::Unsat)
        })
        .collect()
}

/// A procedure that assumes F_Bdef and `¬R_ℓ` and asserts `B_start`, or its negation, for any one `ℓ`.
fn straight(formulas: &Formulas<'_>, holds: bool) -> Procedure {
    let mut procedure = Procedure { blocks: None, ..formulas.passive.clone() };
    let labels = formulas.passive.blocks.iter().flatten().map(|block| format!("B {}", block.label));
    let truths: Vec<LocalId> =
        labels.map(|name| procedure.new_local(name, Type::Bool, Mode::Parameter)).collect();
    let exprs = &mut procedure.exprs;
    let mut read = |id: LocalId| exprs.push(Expr::Read(Variable::Local(id)), Type::Bool);
    let truths: Vec<ExprId> = truths.into_iter().map(&mut read).collect();
    let reached: Vec<ExprId> =
        formulas.conditions.iter().map(|condition| read(condition.reached)).collect();
    let mut op = |op: Op, operands: Vec<ExprId>| exprs.push(Expr::Op(op, operands), Type::Bool);
    let (span, point) = (procedure.span, PointId(0));
    let assume = |condition| {
        let kind = StatementKind::Assume { condition, reason: AssumeReason::Axiom };
        Statement::synthetic(kind, span, point)
    };
    let mut assumed = Vec::new();
    for definition in &formulas.definitions {
        let then = definition.then.iter().map(|id| truths[id.0 as usize]);
        let then = then.reduce(|all, one| op(Op::And, vec![all, one]));
        let mut value = then.unwrap_or_else(|| {
            // There is no literal at hand: B_Term implies itself, so this is false.
            let term = truths[definition.block.0 as usize];
            let not = op(Op::Not, vec![term]);
            op(Op::And, vec![term, not])
        });
        for &hypothesis in definition.hypotheses.iter().rev() {
            value = op(Op::Implies, vec![hypothesis, value]);
        }
        assumed.push(assume(op(Op::Eq, vec![truths[definition.block.0 as usize], value])));
    }
    let conditions: Vec<BlockId> = (1..=reached.len() as u32).map(BlockId).collect();
    let end = match conditions.is_empty() {
        true => TerminatorKind::Exit(Exit::Normal),
        false => TerminatorKind::Goto(conditions),
    };
    let mut blocks = vec![block("definitions".to_owned(), assumed, end, span, point)];
    for (number, reached) in reached.into_iter().enumerate() {
        let not = op(Op::Not, vec![reached]);
        let condition = if holds { truths[0] } else { op(Op::Not, vec![truths[0]]) };
        let (kind, message) = (AssertKind::Assertion, String::new());
        let kind = StatementKind::Assert { condition, kind, message };
        let statements = vec![assume(not), Statement::synthetic(kind, span, point)];
        let exit = TerminatorKind::Exit(Exit::Normal);
        blocks.push(block(format!("condition {number}"), statements, exit, span, point));
    }
    procedure.blocks = Some(blocks);
    procedure
}

fn block(
    label: String,
    statements: Vec<Statement>,
    kind: TerminatorKind,
    span: Span,
    point: PointId,
) -> Block {
    let terminator = Terminator { kind, span, point, origin: Origin::Synthetic };
    Block { label, statements, terminator, facts: None }
}
