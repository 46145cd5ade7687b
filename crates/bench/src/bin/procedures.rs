//! How examining procedures scales: doom in long procedures, and many small ones.
//!
//! Prints the time for all points of procedures of 250 to 2,000 blocks, the exponent of its growth, the
//! number of solver queries, and the time for 10,000 random small procedures.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use bench::random::Random;
use check::{CheckOptions, Checker, Effort, Examined, Program, examine};
use ir::generate::{Shape, module};
use ir::{Module, ProcedureId};
use report::Sources;

/// The sources are not needed here.
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
    println!(
        "{:>8} {:>10} {:>10} {:>8} {:>10} {:>8}",
        "blocks", "seconds", "exponent", "points", "queries", "solved"
    );
    let mut before: Vec<(usize, Duration)> = Vec::new();
    for blocks in [250, 500, 1000, 2000] {
        let text = diamonds(blocks);
        let (module, faults) = ir::parse("diamonds.vir", &text);
        assert!(faults.is_empty(), "the generated text is well formed: {faults:?}");
        let (time, effort) = fastest(3, || Ok(examined(&module, &[doomed])?.effort))?;
        let here = (blocks, time);
        let exponent = before.last().map_or("-".to_owned(), |&last| exponent(last, here));
        let seconds = time.as_secs_f64();
        let Effort { points, queries, solved } = effort;
        println!(
            "{blocks:>8} {seconds:>10.3} {exponent:>10} {points:>8} {queries:>10} {solved:>8}"
        );
        before.push(here);
    }
    if let [first, .., last] = before[..] {
        println!("exponent over the whole range: {}", exponent(first, last));
    }

    let shape = Shape { procedures: 1, ..Shape::runnable() };
    let start = Instant::now();
    let mut findings = 0;
    for seed in 0..10_000 {
        findings += examined(&module(seed, &shape), check::ALL)?.findings.len();
    }
    let time = start.elapsed().as_secs_f64();
    println!(
        "\n10,000 random small procedures, all rules, one thread: {time:.2} s, {findings} findings"
    );
    Ok(())
}

/// The power of the size with which time grows from one measurement to another.
fn exponent((small, sooner): (usize, Duration), (large, later): (usize, Duration)) -> String {
    let growth = later.as_secs_f64() / sooner.as_secs_f64();
    format!("{:.2}", growth.ln() / (large as f64 / small as f64).ln())
}

/// Examines the first procedure of a module.
fn examined(module: &Module, checkers: &[&dyn Checker]) -> Result<Examined, sat::Error> {
    let program = Program::new(module, &NoSources);
    examine(&program, ProcedureId(0), checkers, &CheckOptions::default())
}

/// The least time that some work took, and what it came to.
fn fastest<T>(
    runs: usize,
    mut work: impl FnMut() -> Result<T, sat::Error>,
) -> Result<(Duration, T), sat::Error> {
    let mut best: Option<(Duration, T)> = None;
    for _ in 0..runs {
        let start = Instant::now();
        let result = work()?;
        let time = start.elapsed();
        if best.as_ref().is_none_or(|(least, _)| time < *least) {
            best = Some((time, result));
        }
    }
    Ok(best.expect("there is a run"))
}

/// A procedure with this number of blocks: a chain of branches whose sides change one of two words each.
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
