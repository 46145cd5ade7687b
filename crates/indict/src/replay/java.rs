//! Findings in Java as programs, and what the JVM says of them.

use std::collections::BTreeMap;
use std::path::Path;

use driver::Outcome;
use jvm::{Answer, Flavour, Jvm, Program, program};
use report::{Confirmation, Finding, Note, Severity};

use crate::Failure;
use crate::args::Check;
use crate::replay::note;

/// Writes a program for each finding in Java if that is asked for, and runs it if that is.
pub(crate) fn replay(outcome: &mut Outcome, args: &Check) -> Result<(), Failure> {
    let scratch = std::env::temp_dir().join(format!("indict-replay-{}", std::process::id()));
    let mut by_file: BTreeMap<String, Vec<(usize, Program)>> = BTreeMap::new();
    for (number, finding) in outcome.report.findings.iter().enumerate() {
        let path = &finding.place.path;
        if Path::new(path).extension().is_none_or(|ending| ending != "java") {
            continue;
        }
        let source = outcome.sources.get(path).map_or("", String::as_str);
        let name = format!("Replay{}", number + 1);
        if let Some(program) = program(finding, &name, source, Flavour::Program) {
            by_file.entry(path.clone()).or_default().push((number, program));
        }
    }
    if by_file.is_empty() {
        return Ok(());
    }
    let jvm = args.replay.then(|| std::env::var_os("PATH").and_then(|path| Jvm::find(&path)));
    if let Some(None) = jvm {
        let message =
            "there is no `javac` and `java` on the path, so nothing was replayed on a JVM";
        outcome.report.notes.push(note(Severity::Note, message.to_owned(), None));
    }
    for (path, programs) in &by_file {
        let source = outcome.sources.get(path).map_or("", String::as_str);
        if let Some(folder) = &args.emit_test {
            for (number, plain) in programs {
                let finding = &outcome.report.findings[*number];
                let test = args.junit.then(|| {
                    program(finding, &format!("{}Test", plain.name), source, Flavour::JUnit)
                });
                write(folder, test.flatten().as_ref().unwrap_or(plain), source)?;
            }
        }
        let Some(Some(jvm)) = &jvm else { continue };
        let folder = scratch.join(&programs[0].1.name);
        let all: Vec<&Program> = programs.iter().map(|(_, program)| program).collect();
        match jvm.compile(&all, Path::new(path), source, &folder) {
            Ok(()) => {
                for (number, program) in programs {
                    let finding = &mut outcome.report.findings[*number];
                    let told = judged(finding, jvm.run(program, &folder));
                    outcome.report.notes.extend(told);
                }
            }
            Err(trouble) => {
                let message = format!("`{path}` could not be replayed on the JVM: {trouble}");
                outcome.report.notes.push(note(Severity::Warning, message, None));
            }
        }
    }
    if scratch.is_dir() {
        // What is left of it is in nobody's way.
        let _ = std::fs::remove_dir_all(&scratch);
    }
    Ok(())
}

/// Marks a finding as confirmed, or says why it is not.
fn judged(finding: &mut Finding, answer: Result<Answer, jvm::Trouble>) -> Option<Note> {
    let message = match answer {
        Ok(Answer::Confirmed(how)) => {
            finding.confirmation =
                Confirmation::ConfirmedByExecution(format!("confirmed on the JVM: {how}"));
            return None;
        }
        Ok(Answer::Refuted(why)) => format!("the JVM does not confirm this: {why}"),
        Err(trouble) => format!("this could not be replayed on the JVM: {trouble}"),
    };
    Some(note(Severity::Warning, message, Some(finding.place.clone())))
}

fn write(folder: &Path, program: &Program, source: &str) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure(format!("cannot write the tests to {}: {error}", folder.display()))
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut files = BTreeMap::from([(format!("{}.java", program.name), program.text.clone())]);
    files.extend(jvm::annotations(source));
    for (name, text) in files {
        std::fs::write(folder.join(name), text).map_err(failed)?;
    }
    Ok(())
}
