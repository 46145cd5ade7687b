//! The figures of *Finding Bugs with a Constraint Solver* that are times, measured again: Table 1, in which
//! `merge` is exhausted in larger and larger scopes, and §2's `delete` in scope 5. Beside the paper's times
//! stand those of `indict check`, all smaller bounds included, and of the reference encoder, which asks the
//! paper's own formula once.

use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use driver::{MemoryFiles, NoCompiler, Options, Silent};
use papers::computation::{CheckResult, Nulls, extract};
use report::Verdict;

/// Table 1: scope and iterations, bits, seconds.
const TABLE_1: [(u32, u32, u32); 4] = [(1, 103, 0), (2, 133, 2), (3, 163, 12), (4, 193, 383)];

/// The time limits per scope, in seconds.
const LIMITS: [(u32, f64); 2] = [(4, 1.0), (8, 60.0)];

/// The time limit of each of `delete`'s specifications in scope 5, in seconds.
const DELETE: f64 = 1.0;

/// The table is printed as far as it goes in this time.
const PATIENCE: Duration = Duration::from_secs(300);

/// No larger scope is tried.
const LARGEST: u32 = 16;

fn main() -> ExitCode {
    bench::conclude(measure())
}

fn measure() -> Result<bool, String> {
    let merge = read("Merge.java")?;
    // The other methods of the file are another matter.
    let (merge, _) = merge.split_once("    // The anomaly").ok_or("Merge.java has changed")?;
    Ok(table_1(&format!("{merge}}}\n"))? & delete(&read("Delete.java")?)?)
}

fn table_1(text: &str) -> Result<bool, String> {
    println!("Table 1: `merge` exhausted, as many iterations as objects");
    println!(
        "{:>5} {:>11} {:>9} {:>8} {:>15} {:>11}",
        "scope", "theirs bits", "theirs s", "ours s", "reference bits", "reference s"
    );
    let mut is_right = true;
    let (mut spent, mut last) = (Duration::ZERO, Duration::ZERO);
    let mut reference = true;
    for scope in 1..=LARGEST {
        // The next row takes a few times what the last one did.
        if spent + 4 * last > PATIENCE {
            break;
        }
        let theirs = TABLE_1.iter().find(|row| row.0 == scope);
        let theirs =
            theirs.map_or(["".into(), "".into()], |row| [row.1.to_string(), row.2.to_string()]);
        let (verdict, time) = check(text, "Merge.merge", scope)?;
        is_right &= verdict == Verdict::NoneWithinBounds && is_within(&LIMITS, scope, time);
        print!("{scope:>5} {:>11} {:>9} {:>8.2}", theirs[0], theirs[1], time.as_secs_f64());
        last = time;
        if reference {
            let procedure = java::subset::procedure(text, &java::NoSources, "Merge.merge")
                .map_err(|why| format!("{why:?}"))?;
            let (answer, size) = extract(&procedure, scope, Nulls::Excluded)
                .ask(scope, &[])
                .map_err(|error| error.to_string())?;
            is_right &= answer == CheckResult::None;
            print!(" {:>15} {:>11.2}", size.bits, size.time.as_secs_f64());
            last += size.time;
            reference = size.time < Duration::from_secs(10);
        }
        println!();
        spent += last;
    }
    Ok(is_right)
}

fn is_within(limits: &[(u32, f64)], scope: u32, time: Duration) -> bool {
    limits.iter().all(|&(of, seconds)| of != scope || time.as_secs_f64() <= seconds)
}

fn delete(text: &str) -> Result<bool, String> {
    println!(
        "\n§2: `delete` in scope 5, 5 unrollings; theirs 4 s with a counterexample, over 120 s without"
    );
    let mut is_right = true;
    for (name, verdict, time) in checked(text, 5)? {
        println!("{name:>36} {:>7.2} s  {verdict}", time.as_secs_f64());
        is_right &= time.as_secs_f64() <= DELETE;
    }
    Ok(is_right)
}

fn check(text: &str, name: &str, scope: u32) -> Result<(Verdict, Duration), String> {
    let all = checked(text, scope)?;
    let found = all.into_iter().find(|(known, ..)| known == name);
    found.map(|(_, verdict, time)| (verdict, time)).ok_or(format!("`{name}` was not checked"))
}

/// The methods of a text, with their verdicts and how long they took.
fn checked(text: &str, scope: u32) -> Result<Vec<(String, Verdict, Duration)>, String> {
    let mut options = Options { jobs: NonZeroUsize::new(1), ..Options::default() };
    options.check.bounds.scope = scope;
    options.check.bounds.unroll = scope;
    let files = MemoryFiles::new([("F.java", text)]);
    let outcome = driver::run(&[Path::new("F.java")], &files, &NoCompiler, &options, &Silent);
    let procedures = outcome.report.procedures.into_iter().zip(outcome.timings);
    Ok(procedures
        .map(|(procedure, timing)| (procedure.name, procedure.verdict, timing.time))
        .collect())
}

fn read(name: &str) -> Result<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/figures/jackson");
    std::fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}"))
}
