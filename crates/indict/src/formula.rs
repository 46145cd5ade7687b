//! `indict formula`: a procedure in the notation of the paper on doomed points, or in SMT-LIB; a Java method
//! as the relational formula of its paper; a RESOLVE operation as Boolean formulas.

use std::io::{self, Write as _};

use clang::Flags;
use driver::{CheckResult, Disk, FormulaScope, Lower, NoFormula, TraceQuery, Traced};

use crate::args::{Formula, Nulls};
use crate::compile::Clang;
use crate::output::{print, stream};
use crate::tables::shelves;
use crate::{Ending, Failure};

/// Shows the formulas of a procedure.
pub(crate) fn formula(asked: &Formula) -> Result<Ending, Failure> {
    match driver::of_path(&asked.file).map(|language| language.lower) {
        Some(Lower::Linked(_)) => return readable(asked),
        Some(Lower::Sourced(_)) if !asked.doomed && !asked.smt => return ended(trace(asked)),
        _ => {}
    }
    let Formula { file, procedure, inline, .. } = asked;
    let cache = asked.cache.open(None).map(|cache| cache as _);
    let clang = Clang::plain(None, cache, Flags::of(&asked.flags));
    ended(driver::formula(file, procedure, &Disk, &clang, *inline, |formulas, place| {
        let mut out = stream();
        let written = match asked.smt {
            true => {
                let script = formulas.smt(place).map_err(NoFormula::Unsayable)?;
                out.write_all(script.as_bytes())
            }
            false => write!(out, "{}", formulas.display(place)),
        };
        written.and_then(|()| out.flush()).map_err(NoFormula::Write)
    }))
}

fn ended(shown: Result<(), NoFormula>) -> Result<Ending, Failure> {
    match shown {
        Ok(()) => Ok(Ending::Clean),
        // A closed pipe is no error.
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
    let query = TraceQuery { scope: asked.scope, unroll: asked.unroll, nulls };
    let Traced { extract, answer, size } =
        driver::trace(&asked.file, &asked.procedure, &Disk, query)?;
    let (scope, mut out) = (asked.scope, stream());
    let written = writeln!(out, "{extract}").and_then(|()| match answer {
        CheckResult::Model(model) => {
            write!(out, "In scope {scope}, with {} bits, this is a model:\n{model}", size.bits)
        }
        CheckResult::None => {
            writeln!(out, "In scope {scope}, with {} bits, there is no model.", size.bits)
        }
        CheckResult::Unknown(why) => writeln!(out, "In scope {scope} it is not known: {why}."),
    });
    written.and_then(|()| out.flush()).map_err(NoFormula::Write)
}

/// Shows error hypotheses as Boolean formulas.
fn readable(asked: &Formula) -> Result<Ending, Failure> {
    if asked.scope > 4 {
        return Err(Failure("of RESOLVE, `--scope` goes up to 4".to_owned()));
    }
    let scope = FormulaScope { entries: asked.scope as usize, length: asked.sequence as usize };
    let Formula { file, procedure, state, libraries, .. } = asked;
    let libraries = &shelves(libraries)?;
    let shown = driver::readable(file, procedure, &Disk, libraries, scope, state.as_deref())
        .map_err(|why| Failure(why.to_string()))?;
    let mut text = String::new();
    for (hypothesis, formula) in shown {
        let variables = formula.variables().len();
        let (state, sources) = (hypothesis.state, hypothesis.sources.join(", or "));
        text.push_str(&format!(
            "state {state}: {sources} does not hold; {variables} variables\n\n{formula}\n"
        ));
    }
    print(text.as_bytes())?;
    Ok(Ending::Clean)
}
