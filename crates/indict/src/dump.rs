//! `--dump`: what is made on the way, for researchers.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use ir::Module;

use crate::Failure;

/// What can be dumped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Each file as lowered, in the text form of the intermediate representation.
    Vir,
}

impl Form {
    pub(crate) fn parse(name: &str) -> Result<Self, String> {
        match name {
            "vir" => Ok(Self::Vir),
            _ => Err(format!("`{name}` cannot be dumped; what can is: vir")),
        }
    }
}

/// Where dumps go, and what went wrong first.
pub(crate) struct Dumps {
    wanted: Vec<(Form, PathBuf)>,
    failure: Mutex<Option<Failure>>,
}

impl Dumps {
    pub(crate) fn new(wanted: Vec<(Form, PathBuf)>) -> Self {
        Self { wanted, failure: Mutex::new(None) }
    }

    /// Writes a module.
    pub(crate) fn write(&self, path: &str, module: &Module) {
        for (form, directory) in &self.wanted {
            let (extension, text) = match form {
                Form::Vir => ("vir", ir::print(module)),
            };
            let target = within(directory, Path::new(path)).with_extension(extension);
            let parent = target.parent().unwrap_or(directory);
            let written = fs::create_dir_all(parent).and_then(|()| fs::write(&target, text));
            if let (Err(error), Ok(mut failure)) = (written, self.failure.lock()) {
                let why = || Failure(format!("cannot write to {}: {error}", target.display()));
                failure.get_or_insert_with(why);
            }
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
