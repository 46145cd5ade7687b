//! Procedures and their contracts.

use super::expression::{Builder, Reads};
use super::{Generator, body};
use crate::expr::Exprs;
use crate::module::GlobalId;
use crate::procedure::{Clause, Contract, ExitClause, Local, Mode, Procedure};
use crate::statement::{Place, Variable};
use crate::types::Type;

/// Procedures without contracts and bodies, so that they can call one another.
pub(super) fn declare(generator: &mut Generator<'_>) {
    if generator.shape.exceptions {
        generator.exception = Some(generator.simple_type());
    }
    for index in 0..generator.rng.u32(1..=generator.shape.procedures as u32) {
        // A small choice of signatures makes it likely that some procedures share theirs.
        let mut locals = Vec::new();
        let modes = [(Mode::Parameter, "a"), (Mode::Result, "r")];
        for (mode, base) in modes {
            for index in 0..generator.rng.u32(0..=2) {
                let ty = if generator.rng.bool() { Type::Bool } else { generator.ty(1) };
                let name = format!("{base}{index}");
                locals.push(Local { name, ty, mode, display: generator.display() });
            }
        }
        let procedure = Procedure {
            name: generator.name("p", index),
            display: generator.display(),
            span: generator.span(),
            locals,
            exprs: Exprs::default(),
            contract: Contract::default(),
            blocks: None,
            points: 0,
            places: Vec::new(),
            forms: Vec::new(),
        };
        generator.module.procedures.push(procedure);
    }
}

pub(super) fn define(generator: &mut Generator<'_>) {
    for index in 0..generator.module.procedures.len() {
        let mut procedure = generator.module.procedures[index].clone();
        // One procedure has a body, as a module without any would be of no use: without loops it is
        // the one that may call all others.
        let (needed, share) = match generator.shape.loops {
            true => (generator.module.procedures.len() - 1, 200),
            false => (0, 128),
        };
        let has_body = index == needed || !generator.shape.bodiless || generator.rng.u8(..) < share;
        if has_body {
            add_variables(generator, &mut procedure);
        }
        let locals = procedure.locals.clone();
        let mut builder = Builder::new(generator, Exprs::default(), &locals, Reads::NOTHING);
        procedure.contract = contract(&mut builder);
        if has_body {
            (procedure.blocks, procedure.points) = body::body(&mut builder, index as u32);
        }
        procedure.exprs = builder.exprs;
        generator.module.procedures[index] = procedure;
    }
}

fn add_variables(generator: &mut Generator<'_>, procedure: &mut Procedure) {
    let strange = generator.shape.strange;
    for index in 0..generator.count().max(1) {
        let ghost = generator.shape.ghosts && generator.rng.u8(..) < 64;
        let mode = if ghost { Mode::Ghost } else { Mode::Local };
        // Some have the name of a global or of a bound variable.
        let base = ["v", "g", "x"][generator.rng.usize(..if strange { 3 } else { 1 })];
        let mut name = format!("{base}{index}");
        if procedure.locals.iter().any(|local| local.name == name) {
            name = format!("v{index}");
        }
        let ty = generator.ty(2);
        let display = generator.display();
        procedure.locals.push(Local { name, ty, mode, display });
    }
    // Places to note exceptions in.
    if let Some(exception) = generator.exception.clone() {
        for (name, ty) in [("thrown", Type::Bool), ("exception", exception)] {
            let name = name.to_owned();
            procedure.locals.push(Local { name, ty, mode: Mode::Local, display: None });
        }
    }
}

fn contract(builder: &mut Builder<'_, '_, '_>) -> Contract {
    if !builder.generator.shape.specifications {
        return Contract::default();
    }
    let reads = Reads { globals: true, parameters: true, ghosts: true, ..Reads::NOTHING };
    let at_entry = builder.generator.specification(reads);
    let mut contract = Contract::default();
    for _ in 0..builder.generator.rng.usize(0..=2) {
        contract.requires.push(clause(builder, at_entry));
    }
    for _ in 0..builder.generator.rng.usize(0..=2) {
        let exceptional = builder.generator.shape.exceptions && builder.generator.rng.bool();
        let at_exit = Reads { results: !exceptional, old: true, ..at_entry };
        let clause = clause(builder, at_exit);
        let invariant = builder.generator.rng.u8(0..4) == 0;
        contract.ensures.push(ExitClause { exceptional, invariant, clause });
    }
    if builder.generator.rng.bool() {
        builder.reads = at_entry;
        let count = builder.generator.module.globals.len();
        let globals = (0..count as u32).filter(|_| builder.generator.rng.bool());
        let places: Vec<Place> = globals
            .collect::<Vec<_>>()
            .into_iter()
            .map(|id| body::place(builder, Variable::Global(GlobalId(id))).0)
            .collect();
        contract.modifies = Some(places);
    }
    if builder.generator.shape.integers && builder.generator.rng.bool() {
        builder.reads = at_entry;
        contract.decreases = Some(builder.expr(&Type::Int));
    }
    contract
}

pub(super) fn clause(builder: &mut Builder<'_, '_, '_>, reads: Reads) -> Clause {
    builder.reads = reads;
    let condition = builder.expr(&Type::Bool);
    let free = builder.generator.rng.bool();
    let message = builder.generator.message();
    Clause { condition, free, message, span: builder.generator.span() }
}
