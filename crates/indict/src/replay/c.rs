//! Findings in C as programs, and their outcomes on the machine under sanitizers.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use driver::Outcome;
use execute::Trouble;
use execute::machine::{Case, Compiler, Program, judge, program, without_run};
use execute::sandbox::Sandbox;
use property::Properties;
use report::{Confirmation, Execution, Finding, Note, Obstacle, Severity};

use super::could_not_run;
use super::states::transitions;
use crate::Failure;
use crate::args::Check;
use crate::compile::Clang;

/// Writes a program for each finding in C if requested, and runs it if requested: the findings of a file are in one
/// program, which is compiled once.
pub(crate) fn replay(
    outcome: &mut Outcome,
    args: &Check,
    clang: &Clang,
    properties: &Properties,
    sandbox: Option<&Sandbox>,
) -> Result<(), Failure> {
    let mut by_file: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, finding) in outcome.report.findings.iter_mut().enumerate() {
        if !is_c(finding) {
            continue;
        }
        match (without_run(finding), &finding.setup) {
            (None, Some(setup)) => by_file.entry(setup.file.clone()).or_default().push(number),
            (execution, _) => finding.execution = execution.filter(|_| args.replay),
        }
    }
    if by_file.is_empty() {
        return Ok(());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    // If the programs are only written, the command names the likeliest compiler.
    let own;
    let trials = match sandbox {
        Some(sandbox) => Some(sandbox),
        None => {
            own = Sandbox::new().ok();
            own.as_ref()
        }
    };
    let compiler = trials.and_then(|trials| Compiler::find(clang.program(), &path, trials));
    if compiler.is_none() {
        let message = "there is no gcc or clang on the path whose AddressSanitizer and UBSan work, so \
                       nothing was replayed on the machine";
        let message = message.to_owned();
        let severity = Severity::Note;
        outcome.report.notes.push(Note { severity, message, place: None });
    }
    for (file, numbers) in &by_file {
        let of_file = numbers.iter().map(|number| &outcome.report.findings[*number]);
        let transitions = transitions(of_file, properties);
        let findings = &mut outcome.report.findings;
        let source = std::path::absolute(file).unwrap_or_else(|_| PathBuf::from(file));
        let source = source.to_string_lossy().into_owned();
        let (directory, flags) = clang.flags_of(Path::new(file));
        if let Some(folder) = &args.emit_test {
            for number in numbers {
                let case = Case { number: number + 1, finding: &findings[*number] };
                let program = program(&source, &[case], &transitions);
                write(folder, number + 1, &program, compiler.as_ref(), &flags)?;
            }
        }
        let Some(sandbox) = sandbox else { continue };
        let Some(compiler) = &compiler else {
            for number in numbers {
                let execution = could_not_run(Obstacle::NoCompiler, None);
                findings[*number].execution = Some(execution);
            }
            continue;
        };
        let cases =
            numbers.iter().map(|number| Case { number: number + 1, finding: &findings[*number] });
        let cases: Vec<Case<'_>> = cases.collect();
        let binary = sandbox.scratch().join(format!("replay{}", numbers[0] + 1));
        let program = program(&source, &cases, &transitions);
        let built = compiler.compile(&program, &flags, &directory, &binary);
        for number in numbers {
            let finding = &mut findings[*number];
            let execution = match &built {
                Ok(binary) => match compiler.run(binary, number + 1, sandbox) {
                    Ok(run) => judge(finding, &run),
                    Err(trouble) => could_not_run(Obstacle::System, trouble.to_string()),
                },
                Err(Trouble::Refused(why)) => could_not_run(Obstacle::DoesNotCompile, why.clone()),
                Err(Trouble::World(error)) => could_not_run(Obstacle::System, error.to_string()),
            };
            if let Execution::Confirmed { by, seen } = &execution {
                let name = compiler.name();
                finding.confirmation = Confirmation::ConfirmedByExecution(format!(
                    "confirmed by execution, compiled by {name}: {by}: {seen}"
                ));
            }
            finding.execution = Some(execution);
        }
    }
    Ok(())
}

/// Whether a finding is one in C: it has a setup, or its file is C by its name.
fn is_c(finding: &Finding) -> bool {
    let ending = Path::new(&finding.place.path).extension();
    let is_source = ending.is_some_and(|ending| ["c", "h", "i", "bc"].iter().any(|c| ending == *c));
    finding.setup.is_some() || is_source
}

/// Writes a program, headed by the command that compiles it.
fn write(
    folder: &Path,
    number: usize,
    program: &Program,
    compiler: Option<&Compiler>,
    flags: &[OsString],
) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure(format!("cannot write the tests to {}: {error}", folder.display()))
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let name = format!("replay{number}.c");
    let words = compiler.map(|compiler| compiler.words(program, flags)).unwrap_or_default();
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let head = format!("/* {} {name} -o replay{number} && ./replay{number} */\n", words.join(" "));
    let text = if words.is_empty() { program.text.clone() } else { head + &program.text };
    std::fs::write(folder.join(name), text).map_err(failed)
}
