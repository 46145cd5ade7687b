//! From syntax to meaning: names are found, types are checked, specifications become terms.
//!
//! A module is elaborated within the scope of what it is for and what it uses. Of an instance of a
//! concept the specification is elaborated anew, with the arguments in the place of the parameters.

mod contract;
mod definition;
mod expression;
mod function;
mod import;
mod range;
mod types;

use crate::diagnostics::Diagnostics;
use crate::library::Loader;
use crate::scope::{MathDefinition, Scope};

/// The state of elaboration.
pub(crate) struct Elaborator<'l> {
    pub(crate) loader: Loader<'l>,
    pub(crate) diagnostics: Diagnostics,
    pub(crate) definitions: Vec<MathDefinition>,
    /// The modules that are being looked into, for telling cycles.
    open: Vec<String>,
    /// The scope that every module shares, once it has been elaborated.
    known: Option<Scope>,
}

impl<'l> Elaborator<'l> {
    pub(crate) fn new(loader: Loader<'l>) -> Self {
        let (diagnostics, definitions) = (Diagnostics::default(), Vec::new());
        Self { loader, diagnostics, definitions, open: Vec::new(), known: None }
    }
}
