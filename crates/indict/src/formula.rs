//! `indict formula`: a procedure in the notation of the paper on doomed points, or in SMT-LIB; a Java method
//! as the relational formula of its paper; a RESOLVE operation as Boolean formulas.

use std::io;

use clang::{Cache, Flags};
use driver::{Disk, FormulaScope, Lower, NoFormula, Notation, Question};

use crate::args::{Formula, Nulls};
use crate::compile::{Clang, cache_directory};
use crate::lesson::shelves;
use crate::output::{print, stream};
use crate::{Ending, Failure};

/// Shows the formulas of a procedure.
pub(crate) fn formula(asked: &Formula) -> Result<Ending, Failure> {
    match driver::of_path(&asked.file).map(|language| language.lower) {
        Some(Lower::Linked(_)) => return readable(asked),
        Some(Lower::Sourced(_)) if !asked.doomed && !asked.smt => return ended(trace(asked)),
        _ => {}
    }
    let notation = if asked.smt { Notation::Smt } else { Notation::Paper };
    let Formula { file, procedure, inline, .. } = asked;
    let cache = cache_directory().map(Cache::new);
    let clang = Clang::plain(None, cache, Flags::of(&asked.flags));
    ended(driver::formula(file, procedure, &Disk, &clang, *inline, notation, &mut stream()))
}

fn ended(shown: Result<(), NoFormula>) -> Result<Ending, Failure> {
    match shown {
        Ok(()) => Ok(Ending::Clean),
        // If nobody reads it any more, that is their decision.
        Err(NoFormula::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            Ok(Ending::Clean)
        }
        Err(why) => Err(Failure(why.to_string())),
    }
}

/// Shows the relational formula of a Java method.
fn trace(asked: &Formula) -> Result<(), NoFormula> {
    let nulls = match asked.nulls {
        Nulls::Ignored => driver::Nulls::Ignored,
        Nulls::Recorded => driver::Nulls::Recorded,
        Nulls::Excluded => driver::Nulls::Excluded,
    };
    let question = Question { scope: asked.scope, unroll: asked.unroll, nulls };
    driver::trace(&asked.file, &asked.procedure, &Disk, question, &mut stream())
}

/// Shows error hypotheses as Boolean formulas.
fn readable(asked: &Formula) -> Result<Ending, Failure> {
    if asked.scope > 4 {
        return Err(Failure("of RESOLVE, `--scope` goes up to 4".to_owned()));
    }
    let scope = FormulaScope { entries: asked.scope as usize, length: asked.sequence as usize };
    let Formula { file, procedure, state, libraries, .. } = asked;
    let libraries = &shelves(libraries)?;
    let text = driver::readable(file, procedure, &Disk, libraries, scope, state.as_deref())
        .map_err(|why| Failure(why.to_string()))?;
    print(text.as_bytes())?;
    Ok(Ending::Clean)
}
