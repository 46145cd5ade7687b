//! Measures queries about circuits, and the cost of checking refutations.

use std::process::ExitCode;
use std::time::Duration;

use bench::circuits::{Outcome, Path, Workload, answer, commutativity, compression, straight_line};
use sat::{Limits, Options};

const USAGE: &str = "\
usage: circuits [--repeat N] [--conflicts N] [--width N]

Answers 20,000 queries about a straight-line program and refutes equivalences of multipliers, each
without and with certificates.

  --repeat N      run each N times and keep the fastest run
  --conflicts N   give up a question after N conflicts, instead of 500,000
  --width N       refute multipliers of N×N bits only";

/// Certified answers may cost this many times as much as plain ones.
const LIMIT: f64 = 1.6;

/// Enough to refute the multipliers of 8×8 bits. Those of 12×12 stay open, since each further bit
/// costs more than four times the conflicts, but the price of checking shows all the same.
const CONFLICTS: u64 = 500_000;

fn main() -> ExitCode {
    bench::conclude(arguments(std::env::args().skip(1)).and_then(|choice| run(&choice)))
}

/// The command-line options.
struct Choice {
    repeat: usize,
    limits: Limits,
    width: Option<usize>,
}

fn arguments(mut words: impl Iterator<Item = String>) -> Result<Choice, String> {
    let mut choice = Choice { repeat: 1, limits: Limits::conflicts(CONFLICTS), width: None };
    while let Some(word) = words.next() {
        if !["--repeat", "--conflicts", "--width"].contains(&word.as_str()) {
            return Err(USAGE.to_owned());
        }
        let number: Option<usize> = words.next().and_then(|number| number.parse().ok());
        let number = number
            .filter(|&number| number > 0)
            .ok_or_else(|| format!("{word} wants a number of at least one"))?;
        match word.as_str() {
            "--repeat" => choice.repeat = number,
            "--conflicts" => choice.limits = Limits::conflicts(number as u64),
            _ => choice.width = Some(number),
        }
    }
    Ok(choice)
}

/// Runs everything; returns whether all answers are right and certificates are cheap enough.
fn run(choice: &Choice) -> Result<bool, String> {
    println!("fastest of {} run(s); times in seconds; at most {LIMIT} is allowed", choice.repeat);
    println!(
        "{:38} {:8} {:>6} {:>7} {:>7} {:>7} {:>5} {:>10} {:>9} {:>9} {:>6}",
        "workload",
        "path",
        "vars",
        "clauses",
        "sat",
        "unsat",
        "open",
        "conflicts",
        "plain",
        "certified",
        "ratio"
    );
    let mut good = true;
    if choice.width.is_none() {
        let program = straight_line(60, 20_000, 1);
        for path in [Path::Solver, Path::Staged] {
            good &= compare(&program, path, choice).map_err(|error| error.to_string())?;
        }
    }
    for width in choice.width.map_or(vec![8, 12], |width| vec![width]) {
        for workload in [commutativity(width), compression(width)] {
            good &= compare(&workload, Path::Solver, choice).map_err(|error| error.to_string())?;
        }
    }
    Ok(good)
}

/// Measures one workload without and with certificates, and prints a line about it.
fn compare(workload: &Workload, path: Path, choice: &Choice) -> Result<bool, sat::Error> {
    let plain = fastest(workload, path, false, choice)?;
    let certified = fastest(workload, path, true, choice)?;
    let ratio = certified.time.as_secs_f64() / plain.time.as_secs_f64().max(1e-9);
    println!(
        "{:38} {:8} {:6} {:7} {:7} {:7} {:5} {:10} {:9.3} {:9.3} {ratio:6.2}",
        workload.name,
        format!("{path:?}").to_lowercase(),
        plain.variables,
        plain.clauses,
        plain.satisfiable,
        plain.unsatisfiable,
        plain.unknown,
        plain.statistics.conflicts,
        plain.time.as_secs_f64(),
        certified.time.as_secs_f64()
    );
    let mut good = true;
    let mut complain = |sentence: String| {
        println!("{sentence}");
        good = false;
    };
    if plain.answers() != certified.answers() {
        let [sat, unsat, open] = certified.answers();
        complain(format!("WRONG: certified there are {sat} sat, {unsat} unsat, {open} open"));
    }
    if workload.refutable && plain.satisfiable > 0 {
        complain("WRONG: the products are equal, yet a difference was found".to_owned());
    }
    if ratio > LIMIT {
        complain(format!("WORSE: certificates cost {ratio:.2} times the plain answers"));
    }
    Ok(good)
}

fn fastest(
    workload: &Workload,
    path: Path,
    certify: bool,
    choice: &Choice,
) -> Result<Outcome, sat::Error> {
    let options = Options { certify, ..Options::default() };
    let mut best = answer(workload, path, &options, &choice.limits)?;
    for _ in 1..choice.repeat {
        // Repeating measurements of minutes adds little and takes long.
        if best.time > Duration::from_secs(60) {
            break;
        }
        let next = answer(workload, path, &options, &choice.limits)?;
        if next.time < best.time {
            best = next;
        }
    }
    Ok(best)
}
