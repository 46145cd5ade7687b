//! The selection of procedures: all, named ones, or changed ones.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use report::{Note, Place, ReasonClass, Severity};

use crate::nearest::suggestion;

/// A selection of procedures.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// Only procedures with these names, if there are any.
    pub only: Vec<String>,
    /// Only these, with arbitrary inputs: nothing is assumed about callers.
    pub entries: Vec<String>,
    /// Only procedures with changed lines, if these are known.
    pub changed: Option<Changes>,
}

/// The changed lines, by path as in reports.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    /// The revision that the lines are compared with, in words.
    pub since: String,
    /// The lines, counted from one.
    pub lines: BTreeMap<String, Vec<RangeInclusive<u32>>>,
}

impl Selection {
    /// Why a procedure is not checked, if it is not; `extent` is the place of all of it.
    pub(crate) fn leaves_out(&self, name: &str, extent: Option<&Place>) -> Option<ReasonClass> {
        let named = || self.only.iter().chain(&self.entries);
        if named().next().is_some() && !named().any(|wanted| wanted == name) {
            return Some(ReasonClass::NotAskedFor);
        }
        let changes = self.changed.as_ref()?;
        let has_changed = extent.is_some_and(|extent| {
            let lines = changes.lines.get(&extent.path).map_or(&[][..], Vec::as_slice);
            lines
                .iter()
                .any(|lines| *lines.start() <= extent.end.line && extent.start.line <= *lines.end())
        });
        (!has_changed).then(|| ReasonClass::UnchangedSince(changes.since.clone()))
    }

    /// Whether a procedure is checked with arbitrary inputs.
    pub(crate) fn is_entry(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| entry == name)
    }

    /// Notes about names that no procedure has.
    pub(crate) fn missing(&self, found: &BTreeSet<&str>) -> Vec<Note> {
        let named = self.only.iter().chain(&self.entries);
        let missing = named.filter(|name| !found.contains(name.as_str()));
        missing
            .map(|name| {
                let nearest = suggestion(name, found.iter().copied());
                let message =
                    format!("there is no procedure `{name}` in the checked files{nearest}");
                Note { severity: Severity::Error, message, place: None }
            })
            .collect()
    }
}
