//! Findings in Java as programs, and their outcomes on the JVM.

use std::collections::BTreeMap;
use std::path::Path;

use driver::Outcome;
use execute::Trouble;
use execute::jvm::{self, Flavour, Jvm, Program, program};
use execute::sandbox::Sandbox;
use report::{Confirmation, Execution, Note, Obstacle, Severity, Unobservable};

use crate::Failure;
use crate::args::Check;
use crate::replay::could_not_run;

/// Writes a program for each finding in Java if requested, and runs it if requested.
pub(crate) fn replay(
    outcome: &mut Outcome,
    args: &Check,
    sandbox: Option<&Sandbox>,
) -> Result<(), Failure> {
    let mut by_file: BTreeMap<String, Vec<(usize, Program)>> = BTreeMap::new();
    for (number, finding) in outcome.report.findings.iter_mut().enumerate() {
        let path = &finding.place.path;
        if Path::new(path).extension().is_none_or(|ending| ending != "java") {
            continue;
        }
        let source = outcome.sources.get(path).map_or("", String::as_str);
        let name = format!("Replay{}", number + 1);
        match program(finding, &name, source, Flavour::Program) {
            Some(program) => by_file.entry(path.clone()).or_default().push((number, program)),
            None => {
                let reason = match finding.trace.is_empty() {
                    true => Unobservable::NoRun,
                    false => Unobservable::Specification,
                };
                finding.execution = sandbox.map(|_| Execution::NotObservable { reason });
            }
        }
    }
    if by_file.is_empty() {
        return Ok(());
    }
    let jvm = sandbox.map(|_| std::env::var_os("PATH").and_then(|path| Jvm::find(&path)));
    if let Some(None) = jvm {
        let message =
            "there is no `javac` and `java` on the path, so nothing was replayed on a JVM";
        let message = message.to_owned();
        let severity = Severity::Note;
        outcome.report.notes.push(Note { severity, message, place: None });
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
        let (Some(sandbox), Some(jvm)) = (sandbox, &jvm) else { continue };
        let folder = sandbox.scratch().join(&programs[0].1.name);
        let all: Vec<&Program> = programs.iter().map(|(_, program)| program).collect();
        let built = jvm
            .as_ref()
            .map(|jvm| jvm.compile(&all, Path::new(path), source, &folder).map(|()| jvm));
        for (number, program) in programs {
            let finding = &mut outcome.report.findings[*number];
            let execution = match &built {
                None => could_not_run(Obstacle::NoCompiler, None),
                Some(Err(Trouble::Refused(why))) => {
                    could_not_run(Obstacle::DoesNotCompile, why.clone())
                }
                Some(Err(Trouble::World(error))) => {
                    could_not_run(Obstacle::System, error.to_string())
                }
                Some(Ok(jvm)) => match jvm.run(finding, program, &folder, sandbox) {
                    Ok(execution) => execution,
                    Err(trouble) => could_not_run(Obstacle::System, trouble.to_string()),
                },
            };
            if let Execution::Confirmed { seen, .. } = &execution {
                let how = format!("confirmed on the JVM: {seen}");
                finding.confirmation = Confirmation::ConfirmedByExecution(how);
            }
            finding.execution = Some(execution);
        }
    }
    Ok(())
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
