//! `indict formula`: a procedure in the notation of the paper on doomed points, or in SMT-LIB.

use std::io;

use clang::{Cache, Flags};
use driver::{Disk, Lower, NoFormula, Notation};

use crate::args::Formula;
use crate::compile::{Clang, cache_directory};
use crate::output::{print, stream};
use crate::{Ending, Failure};

/// Shows the formulas of a procedure.
pub(crate) fn formula(asked: &Formula) -> Result<Ending, Failure> {
    if let Some(Lower::Linked(_)) = driver::of_path(&asked.file).map(|language| language.lower) {
        return readable(asked);
    }
    let notation = if asked.smt { Notation::Smt } else { Notation::Paper };
    let Formula { file, procedure, inline, .. } = asked;
    let cache = cache_directory().map(Cache::new);
    let clang = Clang::plain(None, cache, Flags::of(&asked.flags));
    match driver::formula(file, procedure, &Disk, &clang, *inline, notation, &mut stream()) {
        Ok(()) => Ok(Ending::Clean),
        // If nobody reads it any more, that is their decision.
        Err(NoFormula::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            Ok(Ending::Clean)
        }
        Err(why) => Err(Failure(why.to_string())),
    }
}

/// Shows error hypotheses as Boolean formulas.
fn readable(asked: &Formula) -> Result<Ending, Failure> {
    let scope = resolve::Scope { entries: asked.scope as usize, length: asked.sequence as usize };
    let Formula { file, procedure, state, libraries, .. } = asked;
    let libraries = &libraries.directories;
    let text = driver::readable(file, procedure, &Disk, libraries, scope, state.as_deref())
        .map_err(|why| Failure(why.to_string()))?;
    print(text.as_bytes())?;
    Ok(Ending::Clean)
}
