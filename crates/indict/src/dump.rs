//! `--dump`: intermediate representations, for researchers.

use std::fmt::Write as _;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use clap::ValueEnum;
use driver::{Direction, Module, ProcedureId, QueryAnswer, QuerySession, vir};

use crate::Failure;

/// The formats of dumps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Form {
    /// Each file as lowered, in the text form of the intermediate representation.
    Vir,
    /// Each procedure as a circuit, in both directions of approximation.
    Aiger,
    /// Each query as a formula.
    Dimacs,
    /// A proof for each UNSAT query.
    Proof,
}

impl Form {
    pub(crate) fn parse(name: &str) -> Result<Self, String> {
        let all = "vir, aiger, dimacs, proof";
        <Self as ValueEnum>::from_str(name, true)
            .map_err(|_| format!("`{name}` cannot be dumped; what can is: {all}"))
    }
}

/// The directory of dumps, and the first error.
pub(crate) struct Dumps {
    wanted: Vec<(Form, PathBuf)>,
    failure: Mutex<Option<Failure>>,
}

impl Dumps {
    pub(crate) fn new(wanted: Vec<(Form, PathBuf)>) -> Self {
        Self { wanted, failure: Mutex::new(None) }
    }

    /// A file has been lowered.
    pub(crate) fn lowered(&self, path: &str, module: &Module) {
        for (form, directory) in &self.wanted {
            match form {
                Form::Vir => {
                    let target = within(directory, Path::new(path)).with_extension("vir");
                    self.write(&target, vir(module).as_bytes());
                }
                Form::Aiger | Form::Dimacs | Form::Proof => {}
            }
        }
    }

    /// All has been asked about an evaluation of a procedure.
    pub(crate) fn asked(&self, procedure: ProcedureId, session: &QuerySession<'_>) {
        let module = session.module();
        let subject = module.procedure(procedure);
        let path = module.files.get(subject.span.file.0 as usize).map_or("", |file| &file.path);
        let direction = match session.evaluation().scope.direction {
            Direction::Under => "under",
            Direction::Over => "over",
        };
        let name = format!("{}.{direction}", file_name(&subject.name));
        for (form, directory) in &self.wanted {
            let formulas = within(directory, Path::new(&format!("{path}.d")));
            let target = |end: &str| formulas.join(format!("{name}.{end}"));
            match form {
                Form::Vir => {}
                Form::Aiger => self.write(&target("aag"), &session.aiger()),
                Form::Dimacs => {
                    for (number, query) in (1..).zip(session.asked()) {
                        self.write(&target(&format!("{number}.cnf")), &session.dimacs(query));
                    }
                }
                Form::Proof => {
                    for (number, query) in (1..).zip(session.asked()) {
                        if query.answer != QueryAnswer::Unsat {
                            continue;
                        }
                        match session.proof(query) {
                            Ok(Some(proof)) => {
                                self.write(&target(&format!("{number}.lrat")), proof.as_bytes());
                            }
                            Ok(None) => {}
                            Err(error) => self.fail(|| format!("no proof could be made: {error}")),
                        }
                    }
                }
            }
        }
    }

    fn write(&self, target: &Path, bytes: &[u8]) {
        let parent = target.parent().unwrap_or(target);
        let written = fs::create_dir_all(parent).and_then(|()| fs::write(target, bytes));
        if let Err(error) = written {
            self.fail(|| format!("cannot write to {}: {error}", target.display()));
        }
    }

    fn fail(&self, why: impl FnOnce() -> String) {
        if let Ok(mut failure) = self.failure.lock() {
            failure.get_or_insert_with(|| Failure(why()));
        }
    }

    /// The end of a run.
    ///
    /// # Errors
    /// If something could not be written.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self.failure.into_inner() {
            Ok(Some(failure)) => Err(failure),
            Ok(None) | Err(_) => Ok(()),
        }
    }
}

/// A path below a directory, wherever it pointed before.
fn within(directory: &Path, path: &Path) -> PathBuf {
    let mut target = directory.to_owned();
    for part in path.components() {
        match part {
            Component::Normal(name) => target.push(name),
            Component::ParentDir => target.push("up"),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    target
}

/// A name that can be that of a file, different for different names.
fn file_name(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes() {
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'-' | b'$' => {
                text.push(char::from(byte));
            }
            _ => {
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}
