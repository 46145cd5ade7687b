//! One random procedure, evaluated and enumerated.

use std::fmt::Debug;

use circuit::Gate;
use encode::{Direction, Evaluation, QueryAnswer, QuerySession, Scope, evaluate, replay};
use interpret::Outcome;
use ir::generate::Shape;
use ir::{
    Block, BlockId, Callee, Module, Origin, PointId, ProcedureId, StatementKind, TerminatorKind,
};
use passes::{Effects, Limits, Prepared, for_over, for_under};

use super::enumeration::{Behaviour, Enumeration};

/// Random procedures of one kind, and how they are compared.
pub struct Family {
    pub name: &'static str,
    pub shape: Shape,
    /// The scope of what is evaluated and enumerated.
    pub scope: Scope,
    /// Whether the procedure is enumerated as it was written, calls included, rather than as the
    /// passes bound it.
    pub as_written: bool,
    /// Whether nothing is lost in the other direction, so that doom is found wherever it is.
    pub complete: bool,
    /// More runs than this are not enumerated.
    pub runs: u64,
    pub seeds: std::ops::Range<u64>,
    /// At least this many must have runs that can be compared, fail somewhere, have a doomed point.
    pub least: [usize; 3],
}

/// What a comparison met.
#[derive(Clone, Copy, Default, Debug)]
pub struct Met {
    pub passes: bool,
    pub fails: bool,
    pub doomed: bool,
}

pub const ENTRY: ProcedureId = ProcedureId(0);

/// Compares; nothing if there is too much to enumerate.
///
/// # Errors
/// If evaluation and enumeration differ: what each says.
pub fn compare(family: &Family, module: &Module) -> Result<Option<Met>, String> {
    let limits = Limits { unroll: 2, inline: 3, facts: false, ..Limits::default() };
    let effects = Effects::of(module);
    let Prepared { procedure, calls, .. } = for_under(module, &effects, ENTRY, &limits);
    // What a contract forgets together with what is around it is not as it was written.
    let is_whole = |call: &passes::ContractCall| {
        let places = module.procedure(call.callee).contract.modifies.as_deref().unwrap_or(&[]);
        call.writes.iter().all(|w| places.get(w.position).is_none_or(|p| p.path.len() == w.steps))
    };
    if family.as_written && !calls.iter().all(is_whole) {
        return Ok(None);
    }
    let mut bounded = module.clone();
    bounded.procedures[0] = procedure;
    let evaluated = &bounded.procedures[0];
    let enumerated = if family.as_written { module } else { &bounded };
    let enumeration = |strict| Enumeration {
        module: enumerated,
        procedure: ENTRY,
        scope: &family.scope,
        evaluated,
        strict,
        most: family.runs,
    };
    let Some(mut expected) = enumeration(true).behaviour() else { return Ok(None) };
    let evaluation = evaluate(module, evaluated, &calls, &family.scope);
    let mut found = existing(module, ENTRY, &evaluation)?;
    let own = |point: PointId| is_source(evaluated.blocks.as_deref(), point);
    expected.edges.retain(|&(point, _)| own(point));
    found.edges.retain(|&(point, _)| own(point));
    same("what exists", &found, &expected)?;

    // Integers may leave the scope in the other direction, and runs in which they do are runs.
    let unbounded = family.shape.integers.then(|| enumeration(false).behaviour()).flatten();
    let over = for_over(module, &effects, ENTRY, &limits);
    // Enough atoms to tell apart whatever can be mentioned.
    let scope = Scope { direction: Direction::Over, atoms: 1 << 12, ..family.scope.clone() };
    let over = evaluate(module, &over.procedure, &over.calls, &scope);
    let real = unbounded.unwrap_or(expected.clone());
    let doomed = claims(family.complete, module, &over, &real, &own)?;
    let passes = !expected.passed.is_empty();
    Ok(Some(Met { passes, fails: !expected.fails.is_empty(), doomed }))
}

/// Holds what is claimed of the over-approximation against what runs do: which points and sides of branches no
/// execution gets to, and which points no execution survives. Nothing is claimed of what comes after a way out of
/// the scope. Gives whether there is doom where executions get to.
fn claims(
    complete: bool,
    module: &Module,
    over: &Evaluation,
    real: &Behaviour,
    own: &dyn Fn(PointId) -> bool,
) -> Result<bool, String> {
    let mut session = session(module, over);
    let cuts = over.cuts.iter().filter(|cut| session.ask(&[cut.gate]) != QueryAnswer::Unsat);
    let lost = over.reached_from(&cuts.map(|cut| cut.block).collect::<Vec<_>>());
    let is_lost = |blocks: &[BlockId]| blocks.iter().any(|block| lost[block.0 as usize]);
    let mut check = |what: String, gates: &[Gate], happens: bool, exits: bool| {
        let never = session.ask(gates) == QueryAnswer::Unsat;
        match never {
            true if exits => Err(format!("{what} was said never to happen")),
            false if complete && !happens => Err(format!("{what} was not said never to happen")),
            _ => Ok(never),
        }
    };
    let mut doomed = false;
    for edge in over.edges.iter().filter(|edge| own(edge.point) && !is_lost(&edge.blocks)) {
        let happens = real.edges.contains(&(edge.point, edge.taken));
        let what = format!("side {} of {:?}", edge.taken, edge.point);
        check(what, &[edge.gate], happens, happens)?;
    }
    for point in over.points.iter().filter(|point| !is_lost(&point.blocks)) {
        let (id, gate) = (point.id, point.gate);
        let passed = real.passed.contains(&id);
        check(format!("passing {id:?}"), &[gate], passed, passed)?;
        let [survived, left] = [&real.survived, &real.left].map(|points| points.contains(&id));
        let never = check(format!("surviving {id:?}"), &[gate, over.survives], survived, left)?;
        doomed |= never && passed;
    }
    Ok(doomed)
}

fn same<T: PartialEq + Debug>(what: &str, found: &T, expected: &T) -> Result<(), String> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{what}\nevaluated  {found:?}\nenumerated {expected:?}")),
    }
}

/// Whether every branch at a point is one of the source: those of inlined callees have the points of
/// calls.
fn is_source(blocks: Option<&[Block]>, point: PointId) -> bool {
    let ends = blocks.into_iter().flatten().map(|block| &block.terminator);
    let mut there = ends.filter(|end| end.point == point);
    there.all(|end| end.origin == Origin::Source || !matches!(end.kind, TerminatorKind::Branch(..)))
}

fn session<'e>(module: &'e Module, evaluation: &'e Evaluation) -> QuerySession<'e> {
    QuerySession::new(module, evaluation, sat::Options::default(), sat::Limits::none())
        .expect("the solver is built in")
}

/// What the evaluator says exists. Every failure is replayed on the original.
///
/// # Errors
/// If a replay does not fail as it should.
pub fn existing(
    module: &Module,
    procedure: ProcedureId,
    evaluation: &Evaluation,
) -> Result<Behaviour, String> {
    let mut session = session(module, evaluation);
    let mut behaviour = Behaviour::default();
    for obligation in &evaluation.obligations {
        if session.ask(&[obligation.fails]) == QueryAnswer::Sat {
            let witness = session.witness();
            let run = replay(module, procedure, &witness, &interpret::Options::default());
            match &run.outcome {
                Outcome::Failed(failure) if failure.kind == obligation.kind => {}
                other => {
                    let (point, kind) = (obligation.point, obligation.kind);
                    return Err(format!(
                        "the run {other}, but was to fail at {point:?} ({kind:?})\n{witness:?}"
                    ));
                }
            }
            behaviour.fails.insert((obligation.point, obligation.kind));
        }
    }
    let exits = [evaluation.normal, evaluation.exceptional, evaluation.intended];
    behaviour.exits = exits.map(|exit| session.ask(&[exit]) == QueryAnswer::Sat);
    for edge in &evaluation.edges {
        if session.ask(&[edge.gate]) == QueryAnswer::Sat {
            behaviour.edges.insert((edge.point, edge.taken));
        }
    }
    for point in &evaluation.points {
        if session.ask(&[point.gate]) == QueryAnswer::Sat {
            behaviour.passed.insert(point.id);
        }
        if session.ask(&[point.gate, evaluation.survives]) == QueryAnswer::Sat {
            behaviour.survived.insert(point.id);
        }
        if exits.iter().any(|&exit| session.ask(&[point.gate, exit]) == QueryAnswer::Sat) {
            behaviour.left.insert(point.id);
        }
    }
    Ok(behaviour)
}

/// The module with statements and procedures left out as long as it makes a difference, and the
/// difference that is left.
pub fn shrunk(family: &Family, mut module: Module, mut difference: String) -> (Module, String) {
    loop {
        let smaller = candidates(&module).into_iter().find_map(|smaller| {
            let still = compare(family, &smaller).err()?;
            Some((smaller, still))
        });
        match smaller {
            Some(found) => (module, difference) = found,
            None => return (module, difference),
        }
    }
}

/// The module without one statement, clause or condition.
fn candidates(module: &Module) -> Vec<Module> {
    let mut candidates = Vec::new();
    for (number, procedure) in module.procedures.iter().enumerate() {
        for (block, at) in procedure.blocks.iter().flatten().enumerate().map(|(n, b)| (b, n)) {
            for position in 0..block.statements.len() {
                let mut smaller = module.clone();
                let blocks = smaller.procedures[number].blocks.as_mut().expect("it has a body");
                blocks[at].statements.remove(position);
                candidates.push(smaller);
            }
        }
        let contract = &procedure.contract;
        for position in 0..contract.requires.len() {
            let mut smaller = module.clone();
            smaller.procedures[number].contract.requires.remove(position);
            candidates.push(smaller);
        }
        for position in 0..contract.ensures.len() {
            let mut smaller = module.clone();
            smaller.procedures[number].contract.ensures.remove(position);
            candidates.push(smaller);
        }
    }
    for position in 0..module.invariants.len() {
        let mut smaller = module.clone();
        smaller.invariants.remove(position);
        candidates.push(smaller);
    }
    for position in 0..module.axioms.len() {
        let mut smaller = module.clone();
        smaller.axioms.remove(position);
        candidates.push(smaller);
    }
    candidates
}

/// The procedures that the entry may run, itself included.
pub fn reached(module: &Module) -> Vec<ProcedureId> {
    let mut reached = vec![ENTRY];
    let mut next = 0;
    while let Some(&id) = reached.get(next) {
        next += 1;
        let blocks = module.procedure(id).blocks.iter().flatten();
        for statement in blocks.flat_map(|block| &block.statements) {
            let StatementKind::Call { callee, .. } = &statement.kind else { continue };
            let callees = match callee {
                Callee::Procedure(id) => vec![*id],
                Callee::Choice(_, table) => table.iter().map(|(_, id)| *id).collect(),
            };
            for callee in callees {
                if !reached.contains(&callee) {
                    reached.push(callee);
                }
            }
        }
    }
    reached
}
