//! `--emit-test` and `--replay`: findings as programs, and what the machine, or the JVM, says of them.

mod c;
mod java;

use driver::Outcome;
use report::{Note, Place, Severity};

use crate::Failure;
use crate::args::Check;
use crate::compile::Clang;

/// Writes a program for each finding in C or Java if that is asked for, and runs it if that is.
pub(crate) fn replay(outcome: &mut Outcome, args: &Check, clang: &Clang) -> Result<(), Failure> {
    if args.emit_test.is_none() && !args.replay {
        return Ok(());
    }
    c::replay(outcome, args, clang)?;
    java::replay(outcome, args)
}

fn note(severity: Severity, message: String, place: Option<Place>) -> Note {
    Note { severity, message, place }
}
