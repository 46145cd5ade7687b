//! One procedure as a relational formula, with the execution that breaks its specification: read its file,
//! take the method as a procedure of the paper's subset, extract, ask.

use std::path::Path;

use java::subset::SubsetError;
use papers::computation::{CheckResult, Extract, Nulls, ProblemSize, extract};

use crate::compiler::NoCompiler;
use crate::contain::contain;
use crate::files::{Files, shown};
use crate::formula::NoFormula;
use crate::nearest::suggestion;
use crate::options::NO_CLASSES;
use crate::packages::Packages;
use crate::source::{World, read};

/// The scope of a query about a procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceQuery {
    /// How many objects of each class there are at most.
    pub scope: u32,
    /// How often loops are unrolled.
    pub unroll: u32,
    /// How null dereferences are treated.
    pub nulls: Nulls,
}

/// The computation graph, the labels and the formula of a method, and what is answered.
#[derive(Clone, Debug)]
pub struct Traced {
    /// The formula of the method.
    pub extract: Extract,
    /// Whether an execution breaks the specification.
    pub answer: CheckResult,
    /// How large the query was.
    pub size: ProblemSize,
}

/// Extracts the formula of a method, and asks for a model of it.
///
/// # Errors
/// If the method is not in the subset, or if nothing can be asked.
pub fn trace(
    path: &Path,
    name: &str,
    files: &dyn Files,
    query: TraceQuery,
) -> Result<Traced, NoFormula> {
    let working = Path::new("");
    let world = World {
        files,
        libraries: &[],
        classes: &NO_CLASSES,
        models: &[],
        compiler: &NoCompiler,
        unset: false,
        working,
    };
    let text = read(path, files).map_err(|note| NoFormula::File(note.message))?;
    let packages = Packages::new(path, &text, world);
    let procedure = contain(|| java::subset::procedure(&text, &packages, name));
    let procedure = procedure.map_err(NoFormula::Panic)?.map_err(|why| match why {
        SubsetError::Unknown(names) => {
            let short = |full: &'_ String| full.rsplit('.').next().unwrap_or_default().to_owned();
            let all: Vec<String> = names.iter().map(short).chain(names.iter().cloned()).collect();
            let meant = suggestion(name, all.iter().map(String::as_str));
            NoFormula::Unknown(format!("there is no method `{name}` in `{}`{meant}", shown(path)))
        }
        SubsetError::Beyond(message, span) => {
            let (line, column) = ir::line_and_column(&text, span.start);
            NoFormula::Beyond(format!("{}:{line}:{column}: {message}", shown(path)))
        }
    })?;
    let asked = contain(|| {
        let extract = extract(&procedure, query.unroll, query.nulls);
        let answer = extract.ask(query.scope, &[]).map_err(|why| why.to_string());
        (extract, answer)
    });
    let (extract, answer) = asked.map_err(NoFormula::Panic)?;
    let (answer, size) = answer.map_err(NoFormula::File)?;
    Ok(Traced { extract, answer, size })
}
