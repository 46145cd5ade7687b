//! Runs the relational benchmarks and compares them with Kodkod's figures.

use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use bench::kodkod::{BENCHMARKS, Benchmark};
use bench::measure::fastest;
use bench::table::{self, Row};
use relational::{Logic, Options};

const USAGE: &str = "\
usage: relational [--certify] [--repeat N] [--instances] [BENCHMARK…]

Runs the named benchmarks, or all of them, and prints a table against Kodkod's figures.

  --certify     check a proof of every `unsat`
  --repeat N    run each N times and keep the fastest run
  --instances   print an instance of each benchmark that has one

The figures are also written to target/bench/relational.jsonl.";

fn main() -> ExitCode {
    bench::conclude(arguments(std::env::args().skip(1)).and_then(|choice| run(&choice)))
}

/// The command-line options.
struct Choice {
    benchmarks: Vec<Benchmark>,
    certify: bool,
    repeat: usize,
    instances: bool,
}

fn arguments(mut words: impl Iterator<Item = String>) -> Result<Choice, String> {
    let mut choice = Choice { benchmarks: vec![], certify: false, repeat: 1, instances: false };
    while let Some(word) = words.next() {
        match word.as_str() {
            "--certify" => choice.certify = true,
            "--instances" => choice.instances = true,
            "--repeat" => {
                let number = words.next().and_then(|number| number.parse().ok());
                choice.repeat = number
                    .filter(|&number| number > 0)
                    .ok_or("--repeat wants a number of at least one")?;
            }
            "--help" | "-h" => return Err(USAGE.to_owned()),
            key => choice.benchmarks.push(named(key)?),
        }
    }
    if choice.benchmarks.is_empty() {
        choice.benchmarks = BENCHMARKS.to_vec();
    }
    Ok(choice)
}

fn named(key: &str) -> Result<Benchmark, String> {
    let found = BENCHMARKS.iter().find(|benchmark| benchmark.key == key).copied();
    found.ok_or_else(|| {
        let keys: Vec<&str> = BENCHMARKS.iter().map(|benchmark| benchmark.key).collect();
        format!("there is no benchmark `{key}`; there are {}\n\n{USAGE}", keys.join(", "))
    })
}

/// Runs the benchmarks; returns whether all answers were right.
fn run(choice: &Choice) -> Result<bool, String> {
    let mut options = Options::default();
    options.session.certify = choice.certify;
    println!(
        "fastest of {} run(s), {}; times in seconds",
        choice.repeat,
        if choice.certify { "proofs checked" } else { "proofs not checked" }
    );
    println!("{}", table::heading());
    let mut rows = Vec::new();
    let mut wrong = Vec::new();
    for benchmark in &choice.benchmarks {
        let failed = |error: relational::Error| format!("{}: {error}", benchmark.key);
        let logic = Logic::new();
        let problem = (benchmark.state)(&logic).map_err(failed)?;
        let ours = fastest(&problem, &options, choice.repeat).map_err(failed)?;
        if !ours.verdict.is(ours.expected) {
            wrong.push(format!("WRONG: {} is {}", ours.problem, ours.verdict));
        }
        let row = Row { ours, kodkod: benchmark.kodkod };
        println!("{}", table::line(&row));
        if choice.instances {
            print_instance(&problem, &options).map_err(failed)?;
        }
        rows.push(row);
    }
    print!("\n{}", table::summary(&rows));
    wrong.iter().for_each(|sentence| println!("{sentence}"));
    let path = Path::new("target/bench/relational.jsonl");
    write(path, &rows).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(wrong.is_empty())
}

fn print_instance(
    problem: &bench::problems::Problem<'_>,
    options: &Options,
) -> Result<(), relational::Error> {
    let options = problem.options(options);
    let mut finder = relational::Finder::new(&problem.bounds, &problem.formulas(), &options)?;
    if let relational::Solution::Instance(instance) = finder.next() {
        println!("{instance}");
    }
    Ok(())
}

fn write(path: &Path, rows: &[Row]) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    let lines: String = rows.iter().map(|row| table::json(row) + "\n").collect();
    fs::write(path, lines)
}
