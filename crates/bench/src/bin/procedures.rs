//! How examining procedures scales: doom in long procedures, and many small ones.
//!
//! Prints the time for all points of procedures of 250 to 2,000 blocks, the exponent of its growth,
//! how many questions the solver was asked, and the time for 10,000 random small procedures.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use bench::random::Random;
use check::{Checker, Limits, Program, examine};
use ir::generate::{Shape, module};
use ir::{Module, ProcedureId};
use report::Sources;

/// Nobody reads the source here.
struct NoSources;

impl Sources for NoSources {
    fn text(&self, _: &str) -> Option<&str> {
        None
    }
}

fn main() -> ExitCode {
    bench::conclude(measure().map(|()| true))
}

fn measure() -> Result<(), sat::Error> {
    let doomed = check::find("doomed").expect("the rule exists");
    println!("all points of one procedure checked for doom");
    println!("{:>8} {:>10} {:>10}", "blocks", "seconds", "exponent");
    let mut before: Option<(usize, Duration)> = None;
    for blocks in [250, 500, 1000, 2000] {
        let text = diamonds(blocks);
        let (module, faults) = ir::parse("diamonds.vir", &text);
        assert!(faults.is_empty(), "the generated text is well formed: {faults:?}");
        let time = fastest(3, || examined(&module, &[doomed]))?;
        let exponent = before.map_or(String::from("-"), |(smaller, sooner)| {
            let growth = time.as_secs_f64() / sooner.as_secs_f64();
            format!("{:.2}", growth.ln() / (blocks as f64 / smaller as f64).ln())
        });
        println!("{blocks:>8} {:>10.3} {exponent:>10}", time.as_secs_f64());
        before = Some((blocks, time));
    }

    let shape = Shape { procedures: 1, ..Shape::runnable() };
    let start = Instant::now();
    let mut findings = 0;
    for seed in 0..10_000 {
        findings += examined(&module(seed, &shape), check::ALL)?;
    }
    let time = start.elapsed().as_secs_f64();
    println!(
        "\n10,000 random small procedures, all rules, one thread: {time:.2} s, {findings} findings"
    );
    Ok(())
}

/// Examines the first procedure of a module, and gives the number of findings.
fn examined(module: &Module, checkers: &[&dyn Checker]) -> Result<usize, sat::Error> {
    let program = Program::new(module, &NoSources);
    let limits = Limits::default();
    Ok(examine(&program, ProcedureId(0), checkers, &limits)?.findings.len())
}

fn fastest(
    runs: usize,
    mut work: impl FnMut() -> Result<usize, sat::Error>,
) -> Result<Duration, sat::Error> {
    let mut best = Duration::MAX;
    for _ in 0..runs {
        let start = Instant::now();
        work()?;
        best = best.min(start.elapsed());
    }
    Ok(best)
}

/// A procedure of so many blocks: a chain of branches whose sides change one of two words each.
fn diamonds(blocks: usize) -> String {
    let mut random = Random::new(1);
    let links = blocks / 4;
    let mut text = String::from(
        "proc f(a: bv32, b: bv32) returns (r: bv32) {\n  var x: bv32;\n  var y: bv32;\n\
         entry:\n    x, y := a, b;\n    goto b0;\n",
    );
    for link in 0..links {
        let (distance, step) = (random.below(100), 1 + random.below(7));
        let check = if random.one_in(7) { "assert x != y;" } else { "" };
        text += &format!(
            "  b{link}: branch ult(x + {distance}bv32, y) ? t{link} : e{link};\n\
             \x20 t{link}: x := x + {step}bv32; goto j{link};\n\
             \x20 e{link}: y := bvxor(y, x); goto j{link};\n\
             \x20 j{link}: {check} goto b{};\n",
            link + 1
        );
    }
    text + &format!("  b{links}: r := x; exit;\n}}\n")
}
