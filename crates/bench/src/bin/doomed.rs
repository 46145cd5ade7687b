//! Tables 3 and 4 of *It's Doomed; We Can Prove It*, measured again: how long each function takes, and how
//! that time divides into building the formula, the first query, and further ones.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use check::{CheckOptions, Program, examine};
use encode::{Direction, QuerySession, Scope, evaluate};
use ir::{Module, ProcedureId};
use passes::{Effects, for_over};
use report::Sources;

/// A function, the milliseconds that the paper reports for it, and whether it is incorrect.
type Function = (&'static str, f64, bool);

/// The programs, each with the functions of the paper's tables: the time in milliseconds that the paper
/// reports, and whether there is something to find.
const PROGRAMS: &[(&str, &[Function])] = &[
    (
        "null_pointers.bpl",
        &[
            ("fp1", 156.0, false),
            ("tp1", 171.0, true),
            ("fp2", 160.0, false),
            ("tp2", 160.0, true),
            ("fp3", 175.0, false),
            ("tp3", 187.5, true),
            ("tp4", 109.2, true),
            ("fp4", 171.0, false),
            ("tp5", 152.0, true),
            ("tp6", 144.0, true),
            ("itp1", 109.2, true),
            ("ifp1", 93.6, false),
            ("itp2", 15.6, true),
            ("itp3", 46.8, true),
        ],
    ),
    ("trivial.bpl", &[("main", 179.5, true)]),
    ("loop.bpl", &[("getMin", 699.0, true)]),
    ("complex.bpl", &[("update", 246.0, false)]),
];

/// The limit for the whole table, on one core.
const LIMIT: Duration = Duration::from_millis(300);

/// The paper's total.
const THEIRS: f64 = 3.2;

/// The sources are not needed here.
struct NoSources;

impl Sources for NoSources {
    fn text(&self, _: &str) -> Option<&str> {
        None
    }
}

fn main() -> ExitCode {
    bench::conclude(measure())
}

fn measure() -> Result<bool, String> {
    let modules = read()?;
    println!("Table 3: doomed points per function, the paper's time and ours");
    println!(
        "{:>8} {:>9} {:>10} {:>10} {:>7}",
        "function", "result", "theirs ms", "ours ms", "ratio"
    );
    let mut total = Duration::ZERO;
    let mut is_right = true;
    for (module, (_, functions)) in modules.iter().zip(PROGRAMS) {
        for &(name, theirs, incorrect) in *functions {
            let start = Instant::now();
            let found = doomed(module, name)?;
            let time = start.elapsed();
            total += time;
            let result = match (found > 0, incorrect) {
                (true, true) => "true pos",
                (false, false) => "true neg",
                (true, false) => "FALSE POS",
                (false, true) => "FALSE NEG",
            };
            is_right &= (found > 0) == incorrect && found <= 1;
            let ours = 1000.0 * time.as_secs_f64();
            println!("{name:>8} {result:>9} {theirs:>10.1} {ours:>10.2} {:>6.0}×", theirs / ours);
        }
    }
    let ours = total.as_secs_f64();
    println!(
        "   total           {:>10} {:>10.2} {:>6.0}×\n",
        THEIRS * 1000.0,
        ours * 1000.0,
        THEIRS / ours
    );
    println!("Table 4: where the time goes");
    println!(
        "{:>8} {:>8} {:>15} {:>15} {:>16}",
        "function", "queries", "construction ms", "first query ms", "avg further ms"
    );
    for name in ["tp1", "main", "getMin", "update"] {
        let module = modules.iter().find(|module| module.find_procedure(name).is_some());
        costs(module.ok_or("the figures are there")?, name)?;
    }
    println!(
        "\n{} within the limit of {LIMIT:?} for the whole table",
        if total <= LIMIT { "ok:" } else { "FAILED: not" }
    );
    Ok(is_right && total <= LIMIT)
}

fn read() -> Result<Vec<Module>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/figures/doomed");
    let module = |name: &str| {
        let text = std::fs::read_to_string(folder.join(name)).map_err(|error| error.to_string())?;
        let (module, faults) = boogie::lower(name, &text);
        if faults.is_empty() { Ok(module) } else { Err(format!("{name}: {faults:?}")) }
    };
    PROGRAMS.iter().map(|(name, _)| module(name)).collect()
}

/// How often a function is found doomed.
fn doomed(module: &Module, name: &str) -> Result<usize, String> {
    let rule = check::find("doomed").ok_or("the rule exists")?;
    let program = Program::new(module, &NoSources);
    let examined = examine(&program, procedure(module, name)?, &[rule], &CheckOptions::default());
    examined.map(|examined| examined.findings.len()).map_err(|error| error.to_string())
}

fn procedure(module: &Module, name: &str) -> Result<ProcedureId, String> {
    module.find_procedure(name).ok_or_else(|| format!("there is no procedure {name}"))
}

/// One row of Table 4: every point and side of a branch is asked about that no model has cleared.
fn costs(module: &Module, name: &str) -> Result<(), String> {
    let start = Instant::now();
    let effects = Effects::of(module);
    let prepared = for_over(module, &effects, procedure(module, name)?, &passes::Limits::default());
    let scope = Scope { direction: Direction::Over, atoms: 1 << 12, ..Scope::default() };
    let evaluation = evaluate(module, &prepared.procedure, &prepared.calls, &scope);
    let construction = start.elapsed();
    let (options, limits) = (sat::Options::default(), sat::Limits::none());
    let session = QuerySession::new(module, &evaluation, options, limits);
    let mut session = session.map_err(|error| error.to_string())?;
    let points = evaluation.points.iter().map(|point| point.gate);
    let gates: Vec<_> = points.chain(evaluation.edges.iter().map(|edge| edge.gate)).collect();
    let mut cleared = vec![false; gates.len()];
    let mut times = Vec::new();
    for number in 0..gates.len() {
        if cleared[number] {
            continue;
        }
        let start = Instant::now();
        if session.ask(&[gates[number], evaluation.admissible]) == encode::QueryAnswer::Sat {
            for (gate, cleared) in gates.iter().zip(&mut cleared) {
                *cleared |= session.holds(*gate);
            }
        }
        times.push(start.elapsed());
    }
    let milliseconds = |time: Duration| 1000.0 * time.as_secs_f64();
    let (first, further) = times.split_first().ok_or("there is something to ask")?;
    let rest = further.iter().sum::<Duration>() / further.len().max(1) as u32;
    println!(
        "{name:>8} {:>8} {:>15.2} {:>15.2} {:>16.3}",
        times.len(),
        milliseconds(construction),
        milliseconds(*first),
        milliseconds(rest)
    );
    Ok(())
}
