//! Models of the user's own, of functions that a program only declares: VIR files in a directory.
//!
//! What is wrong with one is told with its place, and what is right in it holds all the same.

use std::path::{Path, PathBuf};

use report::{Note, Severity};

use crate::faults::{faults, trusted};
use crate::files::{Files, Kind, shown};
use crate::gather::unreadable;
use crate::source::read;
use crate::unit::{Atlas, Unit};

/// Reads the models of some directories, in the order of their names; later ones count for less. What
/// there is to say about them goes with them.
pub(crate) fn models(directories: &[PathBuf], files: &dyn Files) -> (Vec<c::Models>, Unit) {
    let (mut models, mut told) = (Vec::new(), Unit::default());
    for directory in directories {
        let entries = match files.entries(directory) {
            Ok(entries) => entries,
            Err(why) => {
                let message = unreadable(directory, &why);
                told.notes.push(Note { severity: Severity::Error, message, place: None });
                continue;
            }
        };
        let mut names: Vec<PathBuf> = entries
            .into_iter()
            .filter(|entry| entry.kind == Kind::File)
            .map(|entry| directory.join(entry.name))
            .filter(|path| path.extension().is_some_and(|ending| ending == "vir"))
            .collect();
        names.sort();
        if names.is_empty() {
            let message =
                format!("there is no model in `{}`: no file named .vir", shown(directory));
            told.notes.push(Note { severity: Severity::Warning, message, place: None });
        }
        models.extend(names.iter().filter_map(|path| model(path, files, &mut told)));
    }
    (models, told)
}

fn model(path: &Path, files: &dyn Files, told: &mut Unit) -> Option<c::Models> {
    let text = match read(path, files) {
        Ok(text) => text,
        Err(note) => {
            told.notes.push(note);
            return None;
        }
    };
    let name = shown(path);
    let (mut module, diagnostics) = ir::parse(&name, &text);
    told.texts.insert(name.clone(), text);
    let faults = faults(&module, diagnostics);
    let is_trusted = trusted(&mut module, &faults);
    let atlas = Atlas::new(&module, &told.texts);
    told.notes.extend(faults.iter().map(|fault| Note {
        severity: Severity::Error,
        message: fault.message.clone(),
        place: fault.span.and_then(|span| atlas.place(span)),
    }));
    let models = c::Models::new(module, &is_trusted);
    if models.is_none() {
        let message =
            format!("`{name}` is no model: its state is to be one variable, `var memory: bytes;`");
        told.notes.push(Note { severity: Severity::Error, message, place: None });
    }
    models
}
