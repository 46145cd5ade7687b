//! `--emit-test` and `--replay`: findings as programs, and their outcomes on the machine or the JVM.

mod c;
mod java;
mod states;

use driver::Outcome;
use execute::sandbox::{Isolation, Sandbox};
use property::Properties;
use report::{Execution, Note, Obstacle, Severity};

use crate::Failure;
use crate::args::Check;
use crate::compile::Clang;

/// Writes a program for each finding in C or Java if requested, and runs it if requested. Refuted findings are
/// withdrawn.
///
/// Properties are those of the user, besides the bundled ones.
pub(crate) fn replay(
    outcome: &mut Outcome,
    args: &Check,
    clang: &Clang,
    properties: &Properties,
) -> Result<(), Failure> {
    if args.emit_test.is_none() && !args.replay {
        return Ok(());
    }
    // Analysed code runs only in the sandbox.
    let sandbox = match args.replay {
        true => Some(Sandbox::new().map_err(|error| {
            Failure(format!("no directory for temporary files can be made: {error}"))
        })?),
        false => None,
    };
    c::replay(outcome, args, clang, properties, sandbox.as_ref())?;
    java::replay(outcome, args, sandbox.as_ref())?;
    let has_run = outcome.report.findings.iter().any(|finding| has_run(finding.execution.as_ref()));
    if let Some(isolation) = sandbox.map(|sandbox| sandbox.isolation())
        && has_run
        && isolation < Isolation::Full
    {
        outcome.report.notes.push(Note {
            severity: Severity::Note,
            message: format!(
                "replayed code was not fully isolated: {isolation} (the system does not permit `unshare`)"
            ),
            place: None,
        });
    }
    outcome.report.withdraw_refuted();
    Ok(())
}

/// Whether a program was started.
fn has_run(execution: Option<&Execution>) -> bool {
    match execution {
        Some(Execution::Confirmed { .. } | Execution::Refuted { .. }) => true,
        Some(Execution::CouldNotRun { reason, .. }) => {
            !matches!(reason, Obstacle::NoCompiler | Obstacle::DoesNotCompile)
        }
        Some(Execution::NotObservable { .. }) | None => false,
    }
}

fn could_not_run(reason: Obstacle, detail: impl Into<Option<String>>) -> Execution {
    Execution::CouldNotRun { reason, detail: detail.into() }
}
