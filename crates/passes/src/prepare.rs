//! From a procedure as written to one without loops and calls.
//!
//! Loops come first, those of callees before these are inlined, so that every copy of a call has variables of
//! its own. The two directions differ in their treatment of loops and of calls that are not inlined:
//! [`for_under`] keeps executions of the program and cuts the rest, [`for_over`] describes every execution
//! and more.

use std::cell::RefCell;
use std::rc::Rc;

use ir::{Callee, Contract, Exprs, Mode, Module, Procedure, ProcedureId, StatementKind};
use rustc_hash::FxHashMap;

use crate::contract::ContractCall;
use crate::effects::Effects;
use crate::havoc::havoc;
use crate::inline::{CallFallback, Inlining, Stubs, inline};
use crate::note::Limitation;
use crate::split::split;
use crate::unroll::{Unrolling, unroll};

/// The bounds within which a procedure is analysed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many iterations of each loop are kept.
    pub unroll: u32,
    /// How many calls deep bodies are followed.
    pub inline: u32,
    /// The maximum number of statements and terminators of the result; beyond it calls are not inlined. Half
    /// of it is for loops, which are unrolled less often if that is not enough.
    pub size: usize,
    /// Whether the invariants and measures of loops and the measures of recursive procedures are
    /// obligations.
    pub facts: bool,
    /// The fallback for calls that are not inlined, in the under-approximation.
    pub otherwise: CallFallback,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { unroll: 3, inline: 2, size: 50_000, facts: true, otherwise: CallFallback::Cut }
    }
}

/// A procedure without loops and calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prepared {
    /// The procedure. Its parameters, results and contract are those of the original.
    pub procedure: Procedure,
    /// The calls that contracts replace, in no particular order.
    pub calls: Vec<ContractCall>,
    /// What the passes did less than asked.
    pub notes: Vec<Limitation>,
}

impl Prepared {
    /// How many statements and ends of blocks it has.
    pub fn size(&self) -> usize {
        self.procedure.blocks.as_deref().map_or(0, crate::calls::size)
    }
}

/// Prepares a procedure for finding an execution: loops are unrolled, calls are inlined; the rest is cut or
/// replaced by contracts.
pub fn for_under(
    module: &Module,
    effects: &Effects,
    procedure: ProcedureId,
    limits: &Limits,
) -> Prepared {
    let (iterations, facts) = (limits.unroll, limits.facts);
    let unrolling = Unrolling { iterations, size: limits.size / 2, facts };
    let calls = (limits.otherwise, Stubs::Under);
    prepare(module, effects, procedure, limits, calls, |procedure| unroll(procedure, &unrolling))
}

/// Prepares a procedure for proving that no execution of some kind exists: loops keep a first, an arbitrary
/// and a last iteration, calls are inlined or over-approximated by contracts and effects.
pub fn for_over(
    module: &Module,
    effects: &Effects,
    procedure: ProcedureId,
    limits: &Limits,
) -> Prepared {
    let calls = (CallFallback::Anything, Stubs::Over);
    prepare(module, effects, procedure, limits, calls, |procedure| {
        havoc(module, effects, procedure, limits.size / 2)
    })
}

fn prepare(
    module: &Module,
    effects: &Effects,
    id: ProcedureId,
    limits: &Limits,
    (otherwise, stubs): (CallFallback, Stubs),
    loops: impl Fn(&Procedure) -> (Procedure, Vec<Limitation>),
) -> Prepared {
    let notes = RefCell::new(Vec::new());
    let without_loops = |id: ProcedureId| {
        let (split, split_notes) = split(module.procedure(id), limits.size);
        let (treated, loop_notes) = loops(&split);
        notes.borrow_mut().extend(split_notes.into_iter().chain(loop_notes));
        debug_validate(module, &treated);
        Rc::new(treated)
    };
    let mut known: FxHashMap<ProcedureId, Rc<Procedure>> = FxHashMap::default();
    let mut body_of =
        |id: ProcedureId| known.entry(id).or_insert_with(|| without_loops(id)).clone();
    let procedure = body_of(id);
    let Limits { inline: depth, size, facts: measures, .. } = *limits;
    let inlining = Inlining { depth, size, otherwise, stubs, measures };
    let (procedure, calls, call_notes) =
        inline(module, effects, &procedure, &inlining, &mut body_of);
    debug_validate(module, &procedure);
    let mut notes = notes.into_inner();
    notes.extend(call_notes);
    Prepared { procedure, calls, notes }
}

/// Stops if a pass has broken the rules of VIR, in builds with debug assertions.
fn debug_validate(module: &Module, procedure: &Procedure) {
    if cfg!(debug_assertions) {
        ir::debug_validate(&alone(module, procedure));
    }
}

/// A module in which a procedure stands alone, with no more than the signatures of those it calls.
fn alone(module: &Module, procedure: &Procedure) -> Module {
    let mut procedure = procedure.clone();
    let mut callees: Vec<Procedure> = Vec::new();
    let mut numbers: FxHashMap<ProcedureId, ProcedureId> = FxHashMap::default();
    let mut renumber = |id: &mut ProcedureId| {
        *id = *numbers.entry(*id).or_insert_with(|| {
            let mut callee = module.procedure(*id).clone();
            callee.name = format!("{} (callee)", callee.name);
            callee.contract = Contract::default();
            callee.blocks = None;
            callee.exprs = Exprs::default();
            callee.locals.retain(|local| matches!(local.mode, Mode::Parameter | Mode::Result));
            callees.push(callee);
            ProcedureId(callees.len() as u32)
        });
    };
    for block in procedure.blocks.iter_mut().flatten() {
        for statement in &mut block.statements {
            if let StatementKind::Call { callee, .. } = &mut statement.kind {
                match callee {
                    Callee::Procedure(id) => renumber(id),
                    Callee::Choice(_, table) => table.iter_mut().for_each(|(_, id)| renumber(id)),
                }
            }
        }
    }
    callees.insert(0, procedure);
    Module {
        files: module.files.clone(),
        sorts: module.sorts.clone(),
        records: module.records.clone(),
        variants: module.variants.clone(),
        functions: module.functions.clone(),
        globals: module.globals.clone(),
        procedures: callees,
        ..Module::default()
    }
}
