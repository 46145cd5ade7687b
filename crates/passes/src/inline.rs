//! Inlining: callees' bodies in the place of calls, to a depth.
//!
//! Each inlined body has variables of its own. Arguments are assigned to the copies of parameters,
//! preconditions are asserted as obligations of the caller, `old` is saved at the callee's entry, exits lead
//! to the point after the call. The statements keep their text but get the point of the call: a failure in a
//! callee is reported at the call (Hoenicke et al. 2009, §7). Postconditions are not checked: they are the
//! callee's own obligations.
//!
//! Calls that are deeper than the bound or would make the result too large are replaced by the
//! callee's stub or contract, or cut. Depth counts calls, so recursion is bounded by it as well. Calls nearer
//! to the procedure come first.

use std::rc::Rc;

use ir::{
    Allocation, Block, BlockId, CutReason, Exit, Expr, ExprId, HavocReason, LocalId, Mode, Module,
    Origin, Place, Procedure, ProcedureId, Statement, StatementKind, Storage, TerminatorKind, Type,
};

use rustc_hash::FxHashMap;

use crate::calls::{
    Body, Call, ExceptionTarget, Measures, Pending, has_cycle, replace_calls, size, whole,
};
use crate::contract::{self, ContractCall, has_contract};
use crate::copy::{Copies, Renaming, copy_exprs, rename};
use crate::effects::Effects;
use crate::graph::retarget;
use crate::limits::STUB_GROWTH;
use crate::live::unset_at_entry;
use crate::measure;
use crate::names::Names;
use crate::note::{Limitation, Replacement};
use crate::product::start;

/// How far to inline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inlining {
    /// How many calls deep bodies are followed.
    pub depth: u32,
    /// How many statements and ends of blocks the result may have, contracts aside.
    pub size: usize,
    /// The fallback for calls of procedures that have a body and are not inlined. Where no body is inlined,
    /// or anything may happen, their contracts are assumed.
    pub otherwise: CallFallback,
    /// Which stubs replace callees that are not inlined.
    pub stubs: Stubs,
    /// Whether recursive calls are asserted to have smaller measures.
    pub measures: bool,
}

/// Which stubs replace callees that are not inlined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stubs {
    /// The under-approximations: their executions are executions of the callee.
    Under,
    /// The over-approximations: they have every execution of the callee.
    Over,
}

/// The fallback for a call that can be neither inlined nor replaced by a contract.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CallFallback {
    /// A cut: every execution that remains is one of the program.
    Cut,
    /// Any change of what the callee can change: every execution is described.
    Anything,
}

/// Inlines calls. The bodies come from the given function, so that the caller decides what has been
/// done to their loops.
pub fn inline(
    module: &Module,
    effects: &Effects,
    procedure: &Procedure,
    inlining: &Inlining,
    mut body_of: impl FnMut(ProcedureId) -> Rc<Procedure>,
) -> (Procedure, Vec<ContractCall>, Vec<Limitation>) {
    let (mut replaced, mut notes) = (Vec::new(), Vec::new());
    let mut known: FxHashMap<ProcedureId, Rc<Callee>> = FxHashMap::default();
    let (procedure, measures) = match inlining.measures {
        true => keep_measure(module, procedure),
        false => (procedure.clone(), Measures::default()),
    };
    let procedure = replace_calls(module, &procedure, measures, |body, call| {
        let callee = module.procedure(call.callee);
        let has_body = callee.blocks.is_some();
        let mut instead = |instead| {
            let Call { callee, span, point, .. } = *call;
            if has_body {
                notes.push(Limitation::NotFollowed { callee, span, point, instead });
            }
        };
        if has_body && call.depth < inlining.depth {
            let known = known.entry(call.callee);
            let known = known.or_insert_with(|| Rc::new(Callee::new(module, body_of(call.callee))));
            if body.size.saturating_add(known.size) <= inlining.size {
                splice(body, call, &known.clone(), inlining.measures);
                return;
            }
        }
        let stands_in = match inlining.stubs {
            Stubs::Under if has_body && inlining.otherwise == CallFallback::Cut => None,
            Stubs::Under => module.stubs.get(&call.callee).map(|stub| stub.under),
            Stubs::Over => module.stubs.get(&call.callee).and_then(|stub| stub.over),
        };
        if let Some(stub) = stands_in {
            let known = known.entry(stub);
            let known = known.or_insert_with(|| Rc::new(Callee::new(module, body_of(stub))));
            if body.size.saturating_add(known.size) <= STUB_GROWTH * inlining.size {
                instead(Replacement::Stub);
                replaced.push(contract::mark_stub(body, call, stub));
                splice(body, call, &known.clone(), inlining.measures);
                return;
            }
        }
        // A contract does not replace a body, unless no body is inlined at all.
        let trusted = inlining.otherwise == CallFallback::Anything || inlining.depth == 0;
        if !has_body || has_contract(callee) && trusted {
            instead(Replacement::Contract);
            replaced.push(contract::replace(body, effects, call));
            return;
        }
        match inlining.otherwise {
            CallFallback::Cut => {
                instead(Replacement::Cut);
                body.cut(call, CutReason::Inlining(call.depth));
            }
            CallFallback::Anything => {
                instead(Replacement::Anything);
                replaced.push(contract::replace(body, effects, call));
            }
        }
    });
    (procedure, replaced, notes)
}

/// Keeps the measure of a procedure that calls something at its entry.
fn keep_measure(module: &Module, procedure: &Procedure) -> (Procedure, Measures) {
    let mut procedure = procedure.clone();
    let is_call = |statement: &Statement| matches!(statement.kind, StatementKind::Call { .. });
    let mut blocks = procedure.blocks.iter().flatten();
    if let (true, Some(measured), Some(id)) = (
        blocks.any(|block| block.statements.iter().any(is_call)),
        procedure.contract.decreases,
        module.find_procedure(&procedure.name),
    ) {
        let mut names = Names::new(procedure.locals.iter().map(|local| local.name.as_str()));
        let kept = procedure.new_local(names.fresh("measure"), Type::Int, Mode::Ghost);
        for entry in procedure.blocks.iter_mut().flatten().take(1) {
            let (span, point) = start(entry);
            let kind = measure::keep(measured, kept);
            entry.statements.insert(0, Statement::synthetic(kind, span, point));
        }
        return (procedure, Rc::new(vec![(id, kept)]));
    }
    (procedure, Measures::default())
}

/// A callee, and what is the same for all its copies.
struct Callee {
    procedure: Rc<Procedure>,
    size: usize,
    has_cycle: bool,
    /// The variables that may be read or returned before they are set.
    unset: Vec<LocalId>,
}

impl Callee {
    fn new(module: &Module, procedure: Rc<Procedure>) -> Callee {
        let blocks = procedure.blocks.as_deref().unwrap_or_default();
        let (size, has_cycle) = (size(blocks), has_cycle(blocks));
        let unset = unset_at_entry(module, &procedure);
        Callee { procedure, size, has_cycle, unset }
    }
}

/// Puts a body in the place of a call.
fn splice(body: &mut Body<'_>, call: &Call, known: &Callee, measured: bool) {
    body.size += known.size;
    let callee = &*known.procedure;
    let blocks = callee.blocks.as_deref().unwrap_or_default();
    let repeated = call.repeated || known.has_cycle;
    let results: Vec<Place> = call.results.iter().map(|place| body.fix(call, place)).collect();
    let caught = call.caught.as_ref().map(|(flag, value)| {
        (body.fix(call, flag), value.as_ref().map(|value| body.fix(call, value)))
    });
    let renaming = variables(body, callee);
    let copies = copy_body(body, callee, &renaming);
    let parameters = callee.locals_with(Mode::Parameter).map(|id| whole(renaming[id.0 as usize]));
    let pairs = parameters.zip(call.arguments.iter().copied()).collect();
    body.assign(call, pairs);
    body.require(call, &callee.contract.requires, &copies);
    let mut measures = call.measures.clone();
    if let Some(measured) = callee.contract.decreases.filter(|_| measured) {
        let measured = copies.of(measured);
        body.check_measure(call, measured);
        let kept = body.variable(&format!("{}.measure", callee.name), Type::Int, Mode::Ghost);
        body.push(call, measure::keep(measured, kept));
        Rc::make_mut(&mut measures).push((call.callee, kept));
    }
    if copies.lost {
        body.cut(call, CutReason::Unsupported("old(live(…)) of a bound variable".to_owned()));
        return;
    }
    for note in &copies.notes {
        body.push(call, note.clone());
    }
    for &local in &known.unset {
        // In another iteration the variables would have values from the previous one; and a result that is
        // never set is returned all the same.
        if call.repeated || callee.local(local).mode == Mode::Result {
            let place = whole(renaming[local.0 as usize]);
            body.havoc(call, place, HavocReason::Uninitialized);
        }
    }
    let first = body.reserve(blocks.len());
    let after = body.reserve(1);
    let stack = stack_objects(body, call, callee, blocks);
    let raise = match &caught {
        Some(caught) => {
            ExceptionTarget { stack: stack.clone(), caught: Some((caught.clone(), after)) }
        }
        None => {
            let left = stack.iter().chain(&call.raise.stack).copied().collect();
            ExceptionTarget { stack: left, caught: call.raise.caught.clone() }
        }
    };
    body.end_at(call, TerminatorKind::Goto(vec![first]));
    let raise = Rc::new(raise);
    let mut frame = Frame {
        call,
        callee,
        renaming,
        copies,
        results,
        caught,
        first,
        after,
        stack,
        allocated: 0,
    };
    for (number, block) in blocks.iter().enumerate() {
        let id = BlockId(first.0 + number as u32);
        let block = frame.copy_block(body, block, &raise);
        let (depth, raise, measures) = (call.depth + 1, raise.clone(), measures.clone());
        body.postpone(Pending { id, block, depth, repeated, raise, measures });
    }
    body.go_on(after);
}

/// Variables for all those of a callee.
fn variables(body: &mut Body<'_>, callee: &Procedure) -> Renaming {
    let copy = |local: &ir::Local| {
        let mode = match local.mode {
            Mode::Parameter | Mode::Result | Mode::Local => Mode::Local,
            Mode::Ghost => Mode::Ghost,
        };
        let id = body.variable(&format!("{}.{}", callee.name, local.name), local.ty.clone(), mode);
        body.procedure.locals[id.0 as usize].display.clone_from(&local.display);
        id
    };
    callee.locals.iter().map(copy).collect()
}

/// Copies what the body and the preconditions of a callee mention.
fn copy_body(body: &mut Body<'_>, callee: &Procedure, renaming: &Renaming) -> Copies {
    let mut roots: Vec<ExprId> = Vec::new();
    roots.extend(callee.contract.requires.iter().map(|clause| clause.condition));
    roots.extend(callee.contract.decreases);
    for block in callee.blocks.iter().flatten() {
        if let Some(facts) = &block.facts {
            facts.for_each_expr(&mut |id| roots.push(*id));
        }
        for statement in &block.statements {
            statement.kind.for_each_expr(&mut |id| roots.push(*id));
        }
        block.terminator.kind.for_each_expr(&mut |id| roots.push(*id));
    }
    let module = body.module;
    copy_exprs(module, &callee.exprs, roots, renaming, &mut body.procedure, &mut body.variables)
}

/// A pointer for each allocation on the callee's stack, `null` so far. What lies there is live until
/// the callee exits, and the callee's exits are exits no longer.
fn stack_objects(
    body: &mut Body<'_>,
    call: &Call,
    callee: &Procedure,
    blocks: &[Block],
) -> Vec<LocalId> {
    let statements = blocks.iter().flat_map(|block| &block.statements);
    let count = statements.filter(|statement| is_on_stack(&statement.kind)).count();
    let name = format!("{}.stack", callee.name);
    let objects: Vec<LocalId> =
        (0..count).map(|_| body.variable(&name, Type::Ptr, Mode::Local)).collect();
    let mut pairs = Vec::new();
    for &object in &objects {
        pairs.push((whole(object), body.procedure.exprs.push(Expr::Null(Type::Ptr), Type::Ptr)));
    }
    body.assign(call, pairs);
    objects
}

/// A call whose callee is being copied.
struct Frame<'c> {
    call: &'c Call,
    callee: &'c Procedure,
    renaming: Renaming,
    copies: Copies,
    results: Vec<Place>,
    caught: Option<(Place, Option<Place>)>,
    first: BlockId,
    after: BlockId,
    /// Pointers to the objects on the callee's stack, one for each allocation.
    stack: Vec<LocalId>,
    /// How many of these allocations have been copied.
    allocated: usize,
}

impl Frame<'_> {
    fn copy_block(&mut self, body: &mut Body<'_>, block: &Block, raise: &ExceptionTarget) -> Block {
        let mut statements = Vec::with_capacity(block.statements.len());
        for statement in &block.statements {
            let mut copy = self.copy_statement(statement);
            let mut pairs = Vec::new();
            if is_on_stack(&copy.kind) {
                let object = self.stack[self.allocated];
                self.allocated += 1;
                for place in copy.kind.written_mut() {
                    pairs.push((std::mem::replace(place, whole(object)), body.read(object)));
                }
            }
            statements.push(copy);
            if !pairs.is_empty() {
                statements.push(self.synthetic(StatementKind::Assign(pairs)));
            }
        }
        let mut terminator = block.terminator.clone();
        terminator.kind.for_each_expr_mut(&mut |id| *id = self.copies.of(*id));
        (terminator.point, terminator.origin) = (self.call.point, Origin::Inlined(self.call.point));
        retarget(&mut terminator.kind, |target| BlockId(self.first.0 + target.0));
        if let TerminatorKind::Exit(exit) = &terminator.kind {
            let (last, kind) = self.leave(body, exit, raise);
            statements.extend(last);
            terminator.kind = kind;
        }
        let facts = block.facts.clone().map(|mut facts| {
            facts.for_each_expr_mut(&mut |id| *id = self.copies.of(*id));
            facts
        });
        let label = format!("{}.{}", self.callee.name, block.label);
        Block { label, statements, terminator, facts }
    }

    fn copy_statement(&self, statement: &Statement) -> Statement {
        let mut copy = statement.clone();
        (copy.point, copy.origin) = (self.call.point, Origin::Inlined(self.call.point));
        copy.kind.for_each_expr_mut(&mut |id| *id = self.copies.of(*id));
        for place in copy.kind.written_mut() {
            place.variable = rename(&self.renaming, place.variable);
        }
        copy
    }

    /// The copy of an exit of the callee.
    fn leave(
        &self,
        body: &mut Body<'_>,
        exit: &Exit,
        raise: &ExceptionTarget,
    ) -> (Vec<Statement>, TerminatorKind) {
        match exit {
            Exit::Intended(_) | Exit::Cut(_) => (Vec::new(), TerminatorKind::Exit(exit.clone())),
            Exit::Exceptional(value) => body.raised(self.call, raise, *value),
            Exit::Normal => {
                let results = self.callee.locals_with(Mode::Result);
                let results: Vec<_> = results.map(|id| self.renaming[id.0 as usize]).collect();
                let pairs = body.returned(&self.results, &results, self.caught.as_ref());
                let mut statements = Vec::new();
                for &object in &self.stack {
                    statements.push(self.synthetic(StatementKind::Free(body.read(object))));
                }
                if !pairs.is_empty() {
                    statements.push(self.synthetic(StatementKind::Assign(pairs)));
                }
                (statements, TerminatorKind::Goto(vec![self.after]))
            }
        }
    }

    fn synthetic(&self, kind: StatementKind) -> Statement {
        Statement::synthetic(kind, self.call.span, self.call.point)
    }
}

fn is_on_stack(kind: &StatementKind) -> bool {
    match kind {
        StatementKind::Allocate { allocation, .. } => match allocation {
            Allocation::Atom(_) => false,
            Allocation::Object { storage, .. } => *storage == Storage::Stack,
        },
        StatementKind::Assign(_)
        | StatementKind::Havoc { .. }
        | StatementKind::Assume { .. }
        | StatementKind::Assert { .. }
        | StatementKind::Free(_)
        | StatementKind::Call { .. }
        | StatementKind::Unsupported { .. } => false,
    }
}
