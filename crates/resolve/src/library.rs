//! The modules that a file imports by name: the caller provides the files beside it and those of the user's
//! libraries; after them come the bundled concepts.

use std::collections::BTreeMap;
use std::rc::Rc;

use ir::{FileId, SourceFile, Span};

use crate::diagnostics::Diagnostics;
use crate::parse::parse;
use crate::syntax::{Unit, UnitKind};

/// Modules by name.
pub trait Library {
    /// The file of the module with this name, if there is one.
    fn find(&self, name: &str) -> Option<SourceText>;
}

/// A file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceText {
    /// Its path, as reports name it.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// No modules but those that are bundled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoLibrary;

impl Library for NoLibrary {
    fn find(&self, _: &str) -> Option<SourceText> {
        None
    }
}

macro_rules! bundle {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("../library/", $name)))),+]
    };
}

/// The bundled library.
const BUNDLED: [(&str, &str); 13] = bundle![
    "Boolean_Template.co",
    "Integer_Template.co",
    "Character_Template.co",
    "Char_Str_Template.co",
    "Std_Boolean_Fac.fa",
    "Std_Integer_Fac.fa",
    "Std_Character_Fac.fa",
    "Std_Char_Str_Fac.fa",
    "Stack_Template.co",
    "Queue_Template.co",
    "List_Template.co",
    "Set_Template.co",
    "Static_Array_Template.co",
];

/// The path under which reports name a bundled file.
fn bundled_path(name: &str) -> String {
    format!("library/{name}")
}

fn bundled(name: &str) -> Option<SourceText> {
    let is_meant = |file: &str| file.rsplit_once('.').is_some_and(|(stem, _)| stem == name);
    let (file, text) = BUNDLED.iter().find(|(file, _)| is_meant(file))?;
    Some(SourceText { path: bundled_path(file), text: (*text).to_owned() })
}

/// The modules that have been read so far.
pub(crate) struct Loader<'l> {
    library: &'l dyn Library,
    pub(crate) texts: Vec<SourceText>,
    units: BTreeMap<String, Option<Rc<Unit>>>,
}

impl<'l> Loader<'l> {
    pub(crate) fn new(library: &'l dyn Library) -> Self {
        Self { library, texts: Vec::new(), units: BTreeMap::new() }
    }

    /// Reads a text as the next file.
    pub(crate) fn read(
        &mut self,
        text: SourceText,
        diagnostics: &mut Diagnostics,
    ) -> Option<Rc<Unit>> {
        let file = FileId(self.texts.len() as u32);
        let unit = parse(&text.text, file, diagnostics).map(Rc::new);
        self.texts.push(text);
        if let Some(unit) = &unit {
            self.units.insert(unit.name.text.clone(), Some(unit.clone()));
        }
        unit
    }

    /// The module with a name, or `None` if there is none. An error in it is reported at the place that
    /// imports it, once, because it has to be fixed in its own file.
    pub(crate) fn find(
        &mut self,
        name: &str,
        at: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<Rc<Unit>> {
        if let Some(known) = self.units.get(name) {
            return known.clone();
        }
        let found = self.library.find(name).or_else(|| bundled(name));
        let unit = found.and_then(|text| {
            let path = text.path.clone();
            let mut own = Diagnostics::default();
            let unit = self.read(text, &mut own);
            if own.errors() > 0 {
                let first = own.into_diagnostics().into_iter().next();
                let first = first.map_or(String::new(), |first| first.message);
                diagnostics.note(
                    at,
                    format!("`{path}` has errors, and is used as far as it can be read: {first}"),
                );
            }
            unit
        });
        self.units.insert(name.to_owned(), unit.clone());
        unit
    }

    /// The files that spans refer to.
    pub(crate) fn files(&self) -> Vec<SourceFile> {
        self.texts.iter().map(|text| SourceFile { path: text.path.clone() }).collect()
    }

    /// The text of a stretch, its white space made plain.
    pub(crate) fn excerpt(&self, span: Span) -> String {
        let text = self.texts.get(span.file.0 as usize).map_or("", |text| text.text.as_str());
        let part = text.get(span.start as usize..span.end as usize).unwrap_or("");
        part.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Whether a name is that of a theory. What is built in needs no file.
pub(crate) fn is_theory(name: &str, unit: Option<&Unit>) -> bool {
    name.ends_with("_Theory")
        || name.ends_with("_Ext")
        || unit.is_some_and(|unit| unit.kind == UnitKind::Theory)
}
