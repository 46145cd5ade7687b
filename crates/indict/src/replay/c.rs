//! Findings in C as programs, and what the machine says of them under sanitizers.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use driver::Outcome;
use machine::{Answer, Case, Compiler, Program, judge, obstacle, program};
use report::{Confirmation, Finding, Note, Severity};

use super::note;
use crate::Failure;
use crate::args::Check;
use crate::compile::Clang;

/// Writes a program for each finding in C if that is asked for, and runs it if that is: those of a file
/// in one program, which is compiled once.
pub(crate) fn replay(outcome: &mut Outcome, args: &Check, clang: &Clang) -> Result<(), Failure> {
    let mut by_file: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut notes = Vec::new();
    for (number, finding) in outcome.report.findings.iter().enumerate() {
        let Some(setup) = &finding.setup else { continue };
        match obstacle(finding) {
            None => by_file.entry(setup.file.clone()).or_default().push(number),
            Some(why) => notes.push(unseen(finding, &why)),
        }
    }
    if by_file.is_empty() {
        outcome.report.notes.extend(notes);
        return Ok(());
    }
    let scratch = Scratch::new("machine");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let compiler = Compiler::find(&path, &scratch.0);
    if compiler.is_none() {
        let message = "there is no gcc or clang on the path whose AddressSanitizer and UBSan work, so \
                       nothing was replayed on the machine";
        notes.push(note(Severity::Note, message.to_owned(), None));
    }
    for (file, numbers) in &by_file {
        let findings = &mut outcome.report.findings;
        let source = std::path::absolute(file).unwrap_or_else(|_| PathBuf::from(file));
        let source = source.to_string_lossy().into_owned();
        let (directory, flags) = clang.flags_of(Path::new(file));
        if let Some(folder) = &args.emit_test {
            for number in numbers {
                let case = Case { number: number + 1, finding: &findings[*number] };
                let program = program(&source, &[case]);
                write(folder, number + 1, &program, compiler.as_ref(), &flags)?;
            }
        }
        let Some(compiler) = compiler.as_ref().filter(|_| args.replay) else { continue };
        let cases =
            numbers.iter().map(|number| Case { number: number + 1, finding: &findings[*number] });
        let cases: Vec<Case<'_>> = cases.collect();
        let binary = scratch.0.join(format!("replay{}", numbers[0] + 1));
        match compiler.compile(&program(&source, &cases), &flags, &directory, &binary) {
            Ok(binary) => {
                for number in numbers {
                    let told = judged(&mut findings[*number], compiler, &binary, number + 1);
                    notes.extend(told);
                }
            }
            Err(trouble) => {
                let message = format!("`{file}` could not be replayed on the machine: {trouble}");
                notes.push(note(Severity::Warning, message, None));
            }
        }
    }
    outcome.report.notes.extend(notes);
    Ok(())
}

/// Runs the program of a finding and marks it as confirmed, or says why it is not.
fn judged(finding: &mut Finding, compiler: &Compiler, binary: &Path, case: usize) -> Option<Note> {
    match compiler.run(binary, case).map(|ended| judge(finding, &ended)) {
        Ok(Answer::Confirmed(how)) => {
            let how = format!("confirmed by execution, compiled by {}: {how}", compiler.name());
            finding.confirmation = Confirmation::ConfirmedByExecution(how);
            None
        }
        Ok(Answer::Refuted(why)) => Some(unseen(finding, &why)),
        Err(trouble) => Some(unseen(finding, &trouble.to_string())),
    }
}

fn unseen(finding: &Finding, why: &str) -> Note {
    let message = format!("replayed by the interpreter, but not shown by the machine: {why}");
    note(Severity::Warning, message, Some(finding.place.clone()))
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

/// A folder for what is compiled, which is gone when nobody needs it any more.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        Scratch(std::env::temp_dir().join(format!("indict-{name}-{}", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left of it is in nobody's way.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
