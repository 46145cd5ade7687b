//! Writes error verification conditions of random procedures and of the paper's figures as SMT-LIB
//! scripts into a directory, each with the answers that the checker's way of asking gives. What
//! `scripts/smt_formulas.py` hands to Z3.

use std::path::Path;

use encode::{Direction, QueryAnswer, QuerySession, Scope, evaluate};
use ir::generate::{Shape, module};
use ir::{Module, ProcedureId};
use passes::{Effects, Limits, Prepared, for_over};

#[path = "../tests/wlp/programs.rs"]
mod programs;

const MAIN: ProcedureId = ProcedureId(0);

/// The script of the first procedure and the answers to its queries, if SMT-LIB can say them.
fn script(module: &Module) -> Option<(String, String)> {
    let limits = Limits::default();
    let Prepared { procedure, calls, .. } = for_over(module, &Effects::of(module), MAIN, &limits);
    let formulas = papers::wlp::formulas(module, &procedure);
    let script = formulas.smt(&|span| format!("{}-{}", span.start, span.end)).ok()?;
    let (direction, atoms) = (Direction::Over, 1 << 12);
    let scope = Scope { direction, atoms, ..Scope::default() };
    let evaluation = evaluate(module, &procedure, &calls, &scope);
    let (options, limits) = (sat::Options::default(), sat::Limits::none());
    let mut session = QuerySession::new(module, &evaluation, options, limits).ok()?;
    let answers = formulas.conditions.iter().map(|condition| {
        let site = condition.sites[0];
        let point = evaluation.points.iter().find(|point| point.id == site.point);
        let mut edges = evaluation.edges.iter();
        let edge = edges.find(|edge| edge.point == site.point && Some(edge.taken) == site.side);
        let gate = match site.side {
            None => point.map(|point| point.gate),
            Some(_) => edge.map(|edge| edge.gate),
        };
        let survives = |gate| session.ask(&[gate, evaluation.admissible]) != QueryAnswer::Unsat;
        if gate.is_some_and(survives) { "sat\n" } else { "unsat\n" }
    });
    let answers = answers.collect();
    Some((script, answers))
}

fn main() -> std::io::Result<()> {
    let directory = std::env::args().nth(1).unwrap_or_else(|| "target/bench/formulas".to_owned());
    let directory = Path::new(&directory);
    let _ = std::fs::remove_dir_all(directory);
    std::fs::create_dir_all(directory)?;
    let write = |name: &str, module: &Module| -> std::io::Result<()> {
        let Some((script, answers)) = script(module) else { return Ok(()) };
        std::fs::write(directory.join(format!("{name}.smt2")), script)?;
        std::fs::write(directory.join(format!("{name}.expected")), answers)
    };
    for (name, text) in programs::FIGURES {
        write(name, &ir::parse(name, text).0)?;
    }
    let plain = Shape {
        widths: vec![1, 2, 5],
        records: false,
        variants: false,
        functions: true,
        ..programs::words()
    };
    let loops = Shape { loops: true, cuts: true, functions: false, ..plain.clone() };
    for (family, shape) in [("plain", plain), ("loops", loops)] {
        for seed in 0..200 {
            let module = programs::tamed(module(seed, &shape), seed);
            if module.procedure(MAIN).blocks.is_some() {
                write(&format!("{family}{seed}"), &module)?;
            }
        }
    }
    Ok(())
}
