//! Calls by contract: what a callee promises stands in the place of what it does.
//!
//! The preconditions are obligations of the caller; the places that the callee may change receive any values
//! for which the postconditions hold (Hoare 1971; Barnett & Leino 2005). The result describes every execution
//! in which the callee satisfies its contract.
//!
//! The changed places are those that `modifies` lists; without such a list, the state variables that the body
//! and its callees assign, or all of them if there is no body. A callee with a body exits exceptionally or
//! ends the execution only if its body can; one without may exit exceptionally if its contract has a
//! postcondition for that, or if the call catches it.
//!
//! So that lifting a model can reconstruct the callee's behaviour, each replaced call begins with an
//! assignment to a marker of its own and then havocs in a fixed order: the changed places, parameters that
//! the body assigns, the results; a choice of the exit; the value of an exception. [`ContractCall`] counts
//! them.

use ir::{
    ClauseRole, Exit, Expr, ExprId, FunctionId, HavocReason, LocalId, Mode, Module, Place, PointId,
    Procedure, ProcedureId, Projection, TerminatorKind, Variable,
};
use rustc_hash::FxHashSet;

use crate::calls::{Body, Call, ExceptionTarget, Measures, replace_calls, whole};
use crate::copy::{Renaming, copy_exprs};
use crate::effects::{Effects, raises_by_contract};

/// A call that was replaced by a contract, or by a stub.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContractCall {
    /// Who is called.
    pub callee: ProcedureId,
    /// The point of the call.
    pub point: PointId,
    /// How many calls are inlined around it.
    pub depth: u32,
    /// The variables that hold the arguments.
    pub arguments: Vec<LocalId>,
    /// The ghost variable whose assignment begins the replacement of this call and no other.
    pub marker: LocalId,
    /// The changed places. Each is forgotten by one `havoc`.
    pub writes: Vec<Write>,
    /// How many parameters are forgotten after them, each by one `havoc`.
    pub parameters: usize,
    /// How many results are forgotten then, each by one `havoc`.
    pub results: usize,
    /// How the callee may exit; if there are several kinds of exits, a `goto` chooses among them in order.
    pub exits: Vec<ExitKind>,
    /// The stub that is executed instead of the callee; then nothing is havocked here.
    pub stub: Option<ProcedureId>,
}

/// A place that a callee may change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Write {
    /// Its position among the places that `modifies` lists or, if there is no such list, among the
    /// state variables.
    pub position: usize,
    /// How many steps of the place lead to what is forgotten. A place whose further steps depend on
    /// specifications is forgotten together with what is around it.
    pub steps: usize,
}

/// How a callee may exit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExitKind {
    /// By returning.
    Normal,
    /// By an exception; one `havoc` chooses its value if the catching call has a place for it.
    Exceptional,
    /// By an intended exit.
    Intended,
}

/// Replaces all calls of a procedure by contracts.
pub fn by_contract(
    module: &Module,
    effects: &Effects,
    procedure: &Procedure,
) -> (Procedure, Vec<ContractCall>) {
    let mut replaced = Vec::new();
    let procedure = replace_calls(module, procedure, Measures::default(), |body, call| {
        replaced.push(replace(body, effects, call));
    });
    (procedure, replaced)
}

/// Whether a contract restricts the effect of calls.
pub(crate) fn has_contract(procedure: &Procedure) -> bool {
    let contract = &procedure.contract;
    contract.modifies.is_some() || !contract.ensures.is_empty()
}

/// Replaces a call by the callee's contract.
pub(crate) fn replace(body: &mut Body<'_>, effects: &Effects, call: &Call) -> ContractCall {
    let module = body.module;
    let callee = module.procedure(call.callee);
    let effect = effects.get(call.callee);
    let contract = &callee.contract;

    let marker = body.variable(&format!("{}.called", callee.name), ir::Type::Bool, Mode::Ghost);
    let yes = body.truth(true);
    body.assign(call, vec![(whole(marker), yes)]);
    let results: Vec<Place> = call.results.iter().map(|place| body.fix(call, place)).collect();
    let caught = call.caught.as_ref().map(|(flag, value)| {
        (body.fix(call, flag), value.as_ref().map(|value| body.fix(call, value)))
    });

    let (renaming, parameters, outcomes) = signature(body, callee);
    let pairs = parameters.iter().map(|&local| whole(local)).zip(call.arguments.iter().copied());
    let pairs = pairs.collect();
    body.assign(call, pairs);
    let mut roots: Vec<ExprId> = Vec::new();
    contract.for_each_expr(&mut |id| roots.push(*id));
    let copies = copy_exprs(
        module,
        &callee.exprs,
        roots,
        &renaming,
        &mut body.procedure,
        &mut body.variables,
    );
    body.require(call, &contract.requires, &copies);
    if let Some(measured) = contract.decreases {
        body.check_measure(call, copies.of(measured));
    }
    for note in &copies.notes {
        body.push(call, note.clone());
    }

    let mut writes = Vec::new();
    let mut places = Vec::new();
    match &contract.modifies {
        Some(listed) => {
            for (position, place) in listed.iter().enumerate() {
                let steps = plain_steps(module, callee, place);
                let mut place = place.clone();
                place.path.truncate(steps);
                place.for_each_expr_mut(&mut |key| *key = copies.of(*key));
                places.push(body.fix(call, &place));
                writes.push(Write { position, steps });
            }
        }
        None => {
            for id in effect.modifies() {
                places.push(Place { variable: Variable::Global(id), path: Vec::new() });
                writes.push(Write { position: id.0 as usize, steps: 0 });
            }
        }
    }
    // A missing clause may exclude any of the results that the others allow.
    let is_open =
        contract.external || contract.lacks(&[ClauseRole::Promise, ClauseRole::Frame]).is_some();
    let reason = match is_open {
        true => HavocReason::External,
        false => HavocReason::UnknownCallee,
    };
    for place in places {
        body.havoc(call, place, reason);
    }
    let assigned: Vec<LocalId> =
        parameters.iter().zip(assigned_parameters(callee)).filter(|p| p.1).map(|p| *p.0).collect();
    for &local in assigned.iter().chain(&outcomes) {
        body.havoc(call, whole(local), reason);
    }

    let raises = match callee.blocks {
        Some(_) => effect.raises,
        None => raises_by_contract(contract) || caught.is_some(),
    };
    let exits: Vec<ExitKind> = [
        (true, ExitKind::Normal),
        (raises, ExitKind::Exceptional),
        (effect.stops, ExitKind::Intended),
    ]
    .into_iter()
    .filter_map(|(possible, exit)| possible.then_some(exit))
    .collect();
    let promises = |body: &mut Body<'_>, exceptional: bool| {
        for ensured in contract.ensures.iter().filter(|e| e.exceptional == exceptional) {
            // An `old` that cannot be expressed is one promise less.
            if !copies.lost {
                body.assume(call, copies.of(ensured.clause.condition));
            }
        }
    };
    let after = (exits.len() > 1).then(|| body.reserve(1));
    if let Some(after) = after {
        let first = body.reserve(exits.len());
        let targets = (0..exits.len() as u32).map(|number| ir::BlockId(first.0 + number)).collect();
        body.end_at(call, TerminatorKind::Goto(targets));
        for (exit, id) in exits.iter().zip(first.0..).skip(1) {
            body.go_on(ir::BlockId(id));
            match exit {
                ExitKind::Normal => unreachable!("returning is the first exit"),
                ExitKind::Intended => {
                    let why = format!("{} ends the execution", callee.name);
                    body.end_at(call, TerminatorKind::Exit(Exit::Intended(why)));
                }
                ExitKind::Exceptional => {
                    promises(body, true);
                    let raise = match &caught {
                        Some(caught) => &ExceptionTarget {
                            stack: Vec::new(),
                            caught: Some((caught.clone(), after)),
                        },
                        None => &*call.raise,
                    };
                    let mut value = None;
                    if let Some(((_, Some(place)), _)) = &raise.caught {
                        let ty = body.type_of(place);
                        let thrown = body.variable("exception", ty, Mode::Local);
                        body.havoc(call, whole(thrown), reason);
                        value = Some(body.read(thrown));
                    }
                    let (statements, kind) = body.raised(call, raise, value);
                    for statement in statements {
                        body.push(call, statement.kind);
                    }
                    body.end_at(call, kind);
                }
            }
        }
        body.go_on(first);
    }
    promises(body, false);
    let pairs = body.returned(&results, &outcomes, caught.as_ref());
    body.assign(call, pairs);
    if let Some(after) = after {
        body.end_at(call, TerminatorKind::Goto(vec![after]));
        body.go_on(after);
    }
    let Call { callee, point, .. } = *call;
    let arguments = parameters;
    let (parameters, results) = (assigned.len(), outcomes.len());
    let (depth, stub) = (call.depth, None);
    ContractCall {
        callee,
        point,
        depth,
        arguments,
        marker,
        writes,
        parameters,
        results,
        exits,
        stub,
    }
}

/// Marks that a stub is executed instead of a callee.
pub(crate) fn mark_stub(body: &mut Body<'_>, call: &Call, stub: ProcedureId) -> ContractCall {
    let name = &body.module.procedure(call.callee).name;
    let marker = body.variable(&format!("{name}.stubbed"), ir::Type::Bool, Mode::Ghost);
    let yes = body.truth(true);
    body.assign(call, vec![(whole(marker), yes)]);
    ContractCall {
        callee: call.callee,
        point: call.point,
        depth: call.depth,
        arguments: Vec::new(),
        marker,
        writes: Vec::new(),
        parameters: 0,
        results: 0,
        exits: vec![ExitKind::Normal],
        stub: Some(stub),
    }
}

/// How many steps of a place do not depend on specifications, so that statements can take them.
fn plain_steps(module: &Module, procedure: &Procedure, place: &Place) -> usize {
    let is_plain = |step: &Projection| match step {
        Projection::Field(..) => true,
        Projection::Index(keys) => keys.iter().all(|&key| is_plain(module, procedure, key)),
        Projection::View { pointer, .. } => is_plain(module, procedure, *pointer),
    };
    place.path.iter().take_while(|step| is_plain(step)).count()
}

/// Whether an expression of a contract depends neither on specifications nor on ghosts.
fn is_plain(module: &Module, procedure: &Procedure, root: ExprId) -> bool {
    let mut seen: FxHashSet<(Option<FunctionId>, ExprId)> = FxHashSet::default();
    let mut pending = vec![(None, root)];
    while let Some((function, id)) = pending.pop() {
        if !seen.insert((function, id)) {
            continue;
        }
        let exprs = match function {
            Some(function) => module.function(function).definition.as_ref().map(|(exprs, _)| exprs),
            None => Some(&procedure.exprs),
        };
        let Some(expr) = exprs.map(|exprs| exprs.get(id)) else { continue };
        match expr {
            Expr::Old(_) | Expr::Quantified(..) | Expr::Lambda(..) => return false,
            Expr::Op(op, _) if op.is_specification() => return false,
            Expr::Read(Variable::Global(id)) if module.global(*id).ghost => return false,
            Expr::Apply(function, _) => {
                let definition = &module.function(*function).definition;
                pending.extend(definition.iter().map(|(_, root)| (Some(*function), *root)));
            }
            Expr::Bool(_)
            | Expr::Bv(..)
            | Expr::Int(_)
            | Expr::Null(_)
            | Expr::Read(_)
            | Expr::Bound(_)
            | Expr::Op(..) => {}
        }
        pending.extend(expr.operands().iter().map(|&operand| (function, operand)));
    }
    true
}

/// Variables for the parameters and results of a callee.
fn signature(body: &mut Body<'_>, callee: &Procedure) -> (Renaming, Vec<LocalId>, Vec<LocalId>) {
    let mut renaming = Vec::new();
    let (mut parameters, mut results) = (Vec::new(), Vec::new());
    for local in &callee.locals {
        let list = match local.mode {
            Mode::Parameter => &mut parameters,
            Mode::Result => &mut results,
            Mode::Local | Mode::Ghost => break,
        };
        let name = format!("{}.{}", callee.name, local.name);
        let copy = body.variable(&name, local.ty.clone(), Mode::Local);
        list.push(copy);
        renaming.push(copy);
    }
    (renaming, parameters, results)
}

/// For each parameter, whether the body may assign it, so that it has another value at exit.
fn assigned_parameters(callee: &Procedure) -> Vec<bool> {
    let mut assigned = vec![false; callee.locals_with(Mode::Parameter).count()];
    for statement in callee.blocks.iter().flatten().flat_map(|block| &block.statements) {
        for place in statement.kind.written() {
            if let Variable::Local(local) = place.variable
                && let Some(entry) = assigned.get_mut(local.0 as usize)
            {
                *entry = true;
            }
        }
    }
    assigned
}
