//! One procedure as a relational formula, with the execution that breaks its specification: read its file,
//! take the method as a procedure of the paper's subset, extract, ask, write.

use std::io;
use std::path::Path;

use java::subset::Outside;
use papers::computation::{Answer, Nulls, extract};

use crate::compiler::NoCompiler;
use crate::contain::contain;
use crate::files::{Files, shown};
use crate::formula::NoFormula;
use crate::nearest::suggestion;
use crate::options::NO_CLASSES;
use crate::packages::Packages;
use crate::source::{World, read};

/// What is asked about a procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// How many objects of each class there are at most.
    pub scope: u32,
    /// How often loops are unrolled.
    pub unroll: u32,
    /// How null dereferences are treated.
    pub nulls: Nulls,
}

/// Writes the computation graph, the labels and the formula of a method, and a model of it.
///
/// # Errors
/// If the method is not in the subset, or if nothing can be written.
pub fn trace(
    path: &Path,
    name: &str,
    files: &dyn Files,
    question: Question,
    out: &mut dyn io::Write,
) -> Result<(), NoFormula> {
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
        Outside::Unknown(names) => {
            let short = |full: &'_ String| full.rsplit('.').next().unwrap_or_default().to_owned();
            let all: Vec<String> = names.iter().map(short).chain(names.iter().cloned()).collect();
            let meant = suggestion(name, all.iter().map(String::as_str));
            NoFormula::Unknown(format!("there is no method `{name}` in `{}`{meant}", shown(path)))
        }
        Outside::Beyond(message, span) => {
            let (line, column) = ir::line_and_column(&text, span.start);
            NoFormula::Beyond(format!("{}:{line}:{column}: {message}", shown(path)))
        }
    })?;
    let told = contain(|| {
        let extract = extract(&procedure, question.unroll, question.nulls);
        let answer = extract.ask(question.scope, &[]).map_err(|why| why.to_string());
        (extract, answer)
    });
    let (extract, answer) = told.map_err(NoFormula::Panic)?;
    let (answer, size) = answer.map_err(NoFormula::File)?;
    let scope = question.scope;
    let written = writeln!(out, "{extract}").and_then(|()| match answer {
        Answer::Model(model) => {
            write!(out, "In scope {scope}, with {} bits, this is a model:\n{model}", size.bits)
        }
        Answer::None => {
            writeln!(out, "In scope {scope}, with {} bits, there is no model.", size.bits)
        }
        Answer::Unknown(why) => writeln!(out, "In scope {scope} it is not known: {why}."),
    });
    written.and_then(|()| out.flush()).map_err(NoFormula::Write)
}
