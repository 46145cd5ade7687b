//! Boogie's own test programs: what share of them is read and decided, and whether a verdict of ours
//! contradicts an expectation that is published with them.
//!
//! The argument is a directory with programs (`x.bpl`), each beside Boogie's expected output
//! (`x.bpl.expect`), as in the folder `Test` of its repository. An expectation either rejects the program,
//! with the lines of the errors, or lists the lines at which Boogie cannot prove something.
//!
//! Boogie proves each procedure against contracts, and reports "might not hold" also where only its proof is
//! incomplete; Indict searches for executions within bounds. So an error of theirs that we do not find
//! contradicts nothing, and an execution of ours that fails in a procedure they have proved does. A
//! precondition that admits no input, or unreachable code, is no statement about errors: these findings are
//! counted separately.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bench::expectation::{Expectation, keeps_meaning};
use check::{CheckOptions, Checker, Program, SolverLimits, examine};
use ir::{Module, ProcedureId, Severity};
use report::{Confirmation, Finding, LineIndex, Sources, Verdict};

/// The budget of one query. It is a tenth of the budget of `indict check`: a few of the programs have
/// procedures that no reasonable budget decides.
const BUDGET: u64 = 20_000;

/// A fail-safe for one query.
const TIME: Duration = Duration::from_secs(10);

fn main() -> ExitCode {
    let Some(directory) = std::env::args_os().nth(1) else {
        eprintln!("usage: boogie DIRECTORY, with Boogie's test programs and their expectations");
        return ExitCode::from(2);
    };
    bench::conclude(hold_against(Path::new(&directory)))
}

/// Checks all programs below a directory and prints the results. Returns whether nothing contradicts.
fn hold_against(directory: &Path) -> Result<bool, String> {
    let mut folders: BTreeMap<String, Tally> = BTreeMap::new();
    let start = Instant::now();
    for path in programs(directory)? {
        let read = |path: &Path| {
            fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let (text, expected) = (read(&path)?, read(&expectation_of(&path))?);
        let shown = path.strip_prefix(directory).unwrap_or(&path).to_string_lossy().into_owned();
        let folder = shown.rsplit_once('/').map_or(".", |(folder, _)| folder).to_owned();
        let tally = folders.entry(folder).or_default();
        hold(&shown, &text, &Expectation::read(&expected), tally)?;
    }
    if folders.is_empty() {
        return Err(format!("{}: there is no x.bpl beside an x.bpl.expect", directory.display()));
    }
    print(&folders, start.elapsed());
    Ok(folders.values().all(|tally| tally.contradictions.is_empty()))
}

/// The programs below a directory that have an expectation, in the order of their names.
fn programs(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_path_buf()];
    while let Some(folder) = open.pop() {
        let entries =
            fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|error| error.to_string())?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "bpl")
                && expectation_of(&path).exists()
            {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn expectation_of(program: &Path) -> PathBuf {
    let mut name = program.as_os_str().to_owned();
    name.push(".expect");
    PathBuf::from(name)
}

/// The results of some programs.
#[derive(Default)]
struct Tally {
    files: usize,
    /// Files for which Boogie has options that change what is proved.
    other_meaning: usize,
    /// Files that we accept or reject as Boogie does.
    read: usize,
    misread: Vec<String>,
    /// Of the lines that Boogie rejects, how many we reject too.
    rejected: usize,
    to_reject: usize,
    /// Lines that one of us rejects and not the other, where both reject the file.
    differing: Vec<String>,
    procedures: usize,
    decided: usize,
    unknown: BTreeMap<String, usize>,
    same_line: usize,
    same_procedure: usize,
    missed: Vec<String>,
    both_silent: usize,
    /// Findings that say nothing about errors.
    aside: Vec<String>,
    contradictions: Vec<String>,
}

/// The text of the one file that is checked.
struct One<'t>(&'t str, &'t str);

impl Sources for One<'_> {
    fn text(&self, path: &str) -> Option<&str> {
        (path == self.0).then_some(self.1)
    }
}

/// Holds one program against its expectation.
fn hold(path: &str, text: &str, expected: &Expectation, tally: &mut Tally) -> Result<(), String> {
    tally.files += 1;
    let (module, diagnostics) = boogie::lower(path, text);
    let lines = LineIndex::new(text);
    let wrong: BTreeSet<u32> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .map(|diagnostic| lines.position(diagnostic.span.start).line)
        .collect();
    if expected.is_rejection == wrong.is_empty() {
        let what = if expected.is_rejection { "accepted" } else { "rejected" };
        let at = wrong.first().or(expected.errors.keys().next()).copied().unwrap_or_default();
        tally.misread.push(format!("{path}:{at}: {what} by us only"));
        tally.to_reject += if expected.is_rejection { expected.errors.len() } else { 0 };
        return Ok(());
    }
    tally.read += 1;
    if expected.is_rejection {
        let theirs: BTreeSet<u32> = expected.errors.keys().copied().collect();
        tally.to_reject += theirs.len();
        tally.rejected += theirs.intersection(&wrong).count();
        let list =
            |lines: Vec<&u32>| lines.iter().map(|line| format!(" {line}")).collect::<String>();
        let (only_theirs, only_ours) =
            (list(theirs.difference(&wrong).collect()), list(wrong.difference(&theirs).collect()));
        if !(only_theirs.is_empty() && only_ours.is_empty()) {
            tally
                .differing
                .push(format!("{path}: Boogie alone:{only_theirs}; we alone:{only_ours}"));
        }
        return Ok(());
    }
    if !keeps_meaning(text) {
        tally.other_meaning += 1;
        return Ok(());
    }
    if !expected.is_proof_tried {
        return Ok(());
    }
    compare(path, text, &module, expected, tally)
}

/// Checks the procedures of an accepted program and compares them one by one.
fn compare(
    path: &str,
    text: &str,
    module: &Module,
    expected: &Expectation,
    tally: &mut Tally,
) -> Result<(), String> {
    let source = One(path, text);
    let lines = LineIndex::new(text);
    let program = Program::new(module, &source);
    let checkers: Vec<&dyn Checker> =
        check::ALL.iter().copied().filter(|checker| checker.rule().default_on).collect();
    let solver = SolverLimits { conflicts: BUDGET, time: Some(TIME), ..SolverLimits::default() };
    let options = CheckOptions { solver, ..CheckOptions::default() };
    let bodies: Vec<(u32, ProcedureId)> = (0..module.procedures.len())
        .map(|number| ProcedureId(number as u32))
        .filter(|&id| module.procedure(id).blocks.is_some())
        .map(|id| (lines.position(module.procedure(id).span.start).line, id))
        .collect();
    let errors = |line: u32| expected.errors_between(line, bodies.iter().map(|&(start, _)| start));

    for &(start, id) in &bodies {
        let examined =
            examine(&program, id, &checkers, &options).map_err(|error| error.to_string())?;
        let name = &module.procedure(id).name;
        let here = format!("{path}:{start} {name}");
        tally.procedures += 1;
        match &examined.procedure.verdict {
            Verdict::Findings | Verdict::NoneWithinBounds => tally.decided += 1,
            Verdict::Unknown(reason) | Verdict::Skipped(reason) => {
                *tally.unknown.entry(reason.class.to_string()).or_default() += 1;
            }
        }
        let theirs = errors(start);
        let (failing, aside): (Vec<&Finding>, Vec<&Finding>) =
            examined.findings.iter().partition(|finding| is_about_a_failing_run(finding));
        for finding in aside {
            tally.aside.push(format!("{here}: {}: {}", finding.rule, finding.message));
        }
        for finding in &failing {
            let line = finding.place.start.line;
            if theirs.is_empty() && errors(line).is_empty() {
                tally.contradictions.push(format!(
                    "{path}:{line}: {}: {} (in {name})",
                    finding.rule, finding.message
                ));
            }
        }
        let is_same_line = failing.iter().any(|finding| {
            let related = finding.related.iter().map(|related| &related.place);
            let steps = finding.failure().and_then(|step| step.place.as_ref());
            std::iter::once(&finding.place)
                .chain(related)
                .chain(steps)
                .any(|place| theirs.contains(&place.start.line))
        });
        match (theirs.is_empty(), failing.is_empty()) {
            (true, true) => tally.both_silent += 1,
            (true, false) => {}
            (false, false) if is_same_line => tally.same_line += 1,
            (false, false) => tally.same_procedure += 1,
            (false, true) => {
                tally.missed.push(format!("{here}: {}", examined.procedure.verdict));
            }
        }
    }
    Ok(())
}

/// Whether a finding claims that an execution fails, which Boogie would have to notice.
fn is_about_a_failing_run(finding: &Finding) -> bool {
    match finding.confirmation {
        Confirmation::ReplayedByInterpreter => finding.rule.as_str() != "unreachable",
        _ => false,
    }
}

fn print(folders: &BTreeMap<String, Tally>, time: Duration) {
    println!(
        "{:16} {:>5} {:>5} {:>14} {:>10} {:>7} {:>9} {:>9} {:>6} {:>6} {:>5}",
        "folder",
        "files",
        "read",
        "lines rejected",
        "procedures",
        "decided",
        "same line",
        "same proc",
        "missed",
        "silent",
        "CONTR"
    );
    let mut sum = Tally::default();
    for (folder, tally) in folders {
        row(folder, tally);
        sum.add(tally);
    }
    row("all", &sum);
    println!();
    list("files that one of us rejects and the other accepts", &sum.misread);
    list("rejected lines that differ", &sum.differing);
    list("errors of Boogie that we do not report", &sum.missed);
    list(
        "findings that are no errors to Boogie: what is never reached or never begins",
        &sum.aside,
    );
    println!("unknown, by reason:");
    for (reason, count) in &sum.unknown {
        println!("  {count:4}  {reason}");
    }
    list("CONTRADICTIONS: runs that fail where Boogie proved that none does", &sum.contradictions);
    println!(
        "{} files, {} accepted or rejected as Boogie does ({:.1} %); {} left out for their options",
        sum.files,
        sum.read,
        percent(sum.read, sum.files),
        sum.other_meaning
    );
    println!(
        "{} procedures, {} decided ({:.1} %); {} contradictions; {:.0} s",
        sum.procedures,
        sum.decided,
        percent(sum.decided, sum.procedures),
        sum.contradictions.len(),
        time.as_secs_f64()
    );
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn row(name: &str, tally: &Tally) {
    println!(
        "{name:16} {:5} {:5} {:>14} {:10} {:7} {:9} {:9} {:6} {:6} {:5}",
        tally.files,
        tally.read,
        format!("{}/{}", tally.rejected, tally.to_reject),
        tally.procedures,
        tally.decided,
        tally.same_line,
        tally.same_procedure,
        tally.missed.len(),
        tally.both_silent,
        tally.contradictions.len()
    );
}

fn list(heading: &str, lines: &[String]) {
    println!("{heading}: {}", lines.len());
    for line in lines {
        println!("  {line}");
    }
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.files += other.files;
        self.other_meaning += other.other_meaning;
        self.read += other.read;
        self.misread.extend_from_slice(&other.misread);
        self.rejected += other.rejected;
        self.to_reject += other.to_reject;
        self.differing.extend_from_slice(&other.differing);
        self.procedures += other.procedures;
        self.decided += other.decided;
        for (reason, count) in &other.unknown {
            *self.unknown.entry(reason.clone()).or_default() += count;
        }
        self.same_line += other.same_line;
        self.same_procedure += other.same_procedure;
        self.missed.extend_from_slice(&other.missed);
        self.both_silent += other.both_silent;
        self.aside.extend_from_slice(&other.aside);
        self.contradictions.extend_from_slice(&other.contradictions);
    }
}
