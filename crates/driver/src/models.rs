//! The user's models of functions that a program only declares: VIR and C files in a directory.
//!
//! An error in one is reported with its place; the correct models of the file are used nevertheless.

use std::path::{Path, PathBuf};

use ir::{Diagnostic, Module};
use report::{Note, Severity};

use crate::faults::{faults, trusted};
use crate::files::{Kind, shown};
use crate::gather::unreadable;
use crate::language::of_path;
use crate::source::{NoSource, Source, World, load, read};
use crate::unit::{Atlas, OUR_BUG, Unit};

/// Reads the models of some directories, in the order of their names; earlier ones have precedence. Returns notes
/// about them too.
pub(crate) fn models(directories: &[PathBuf], world: World<'_>) -> (Vec<c::Models>, Unit) {
    let (mut models, mut loaded) = (Vec::new(), Unit::default());
    for directory in directories {
        let entries = match world.files.entries(directory) {
            Ok(entries) => entries,
            Err(why) => {
                let message = unreadable(directory, &why);
                loaded.notes.push(Note { severity: Severity::Error, message, place: None });
                continue;
            }
        };
        let mut names: Vec<PathBuf> = entries
            .into_iter()
            .filter(|entry| entry.kind == Kind::File)
            .map(|entry| directory.join(entry.name))
            .filter(|path| is_named(path, "vir") || is_named(path, "c"))
            .collect();
        names.sort();
        if names.is_empty() {
            let message =
                format!("there is no model in `{}`: no file named .vir or .c", shown(directory));
            loaded.notes.push(Note { severity: Severity::Warning, message, place: None });
        }
        models.extend(names.iter().filter_map(|path| match is_named(path, "c") {
            true => compiled(path, world, &mut loaded),
            false => model(path, world, &mut loaded),
        }));
    }
    (models, loaded)
}

fn is_named(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found == ending)
}

/// The models in a C file.
fn compiled(path: &Path, world: World<'_>, loaded: &mut Unit) -> Option<c::Models> {
    let (module, diagnostics) = match load(path, of_path(path)?, world) {
        Ok(Source { module, diagnostics, texts, .. }) => {
            loaded.texts.extend(texts);
            (module, diagnostics)
        }
        Err(NoSource::Notes(notes, texts)) => {
            loaded.notes.extend(notes);
            loaded.texts.extend(texts);
            return None;
        }
        Err(NoSource::Panic(panic)) => {
            let message = format!("`{}` could not be lowered: {panic}; {OUR_BUG}", shown(path));
            loaded.notes.push(Note { severity: Severity::Error, message, place: None });
            return None;
        }
    };
    let (module, is_trusted) = judged(module, diagnostics, loaded);
    c::Models::lowered(module, &is_trusted)
}

/// Reports the errors of models, and returns which of them are correct.
fn judged(
    mut module: Module,
    diagnostics: Vec<Diagnostic>,
    loaded: &mut Unit,
) -> (Module, Vec<bool>) {
    let errors = diagnostics.into_iter().filter(|found| found.severity == ir::Severity::Error);
    let faults = faults(&module, errors.collect());
    let is_trusted = trusted(&mut module, &faults);
    let atlas = Atlas::new(&module, &loaded.texts);
    loaded.notes.extend(faults.iter().map(|fault| Note {
        severity: Severity::Error,
        message: fault.message.clone(),
        place: fault.span.and_then(|span| atlas.place(span)),
    }));
    (module, is_trusted)
}

/// The models in a VIR file.
fn model(path: &Path, world: World<'_>, loaded: &mut Unit) -> Option<c::Models> {
    let text = match read(path, world.files) {
        Ok(text) => text,
        Err(note) => {
            loaded.notes.push(note);
            return None;
        }
    };
    let name = shown(path);
    let (module, diagnostics) = ir::parse(&name, &text);
    loaded.texts.insert(name.clone(), text);
    let (module, is_trusted) = judged(module, diagnostics, loaded);
    let models = c::Models::new(module, &is_trusted);
    if models.is_none() {
        let message =
            format!("`{name}` is no model: its state is to be one variable, `var memory: bytes;`");
        loaded.notes.push(Note { severity: Severity::Error, message, place: None });
    }
    models
}
