//! Which procedures are looked at: all, those that are named, or those that have changed.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use report::{Note, Place, ReasonClass, Severity};

use crate::nearest::suggestion;

/// The part of a program that somebody asks about.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Part {
    /// Only the procedures of these names, if there are any.
    pub only: Vec<String>,
    /// Only these, and every input counts: nobody is trusted to call them well.
    pub entries: Vec<String>,
    /// Only those in which lines have changed, if that is known.
    pub changed: Option<Changes>,
}

/// The lines that have changed, by file as reports name it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    /// In words, since when: what skipped procedures are told to have stayed since.
    pub since: String,
    /// The lines, counted from one.
    pub lines: BTreeMap<String, Vec<RangeInclusive<u32>>>,
}

impl Part {
    /// Why a procedure is not looked at, if it is not; `extent` is where all of it is.
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

    /// Whether every input of a procedure counts.
    pub(crate) fn is_entry(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| entry == name)
    }

    /// What to say of names that no procedure has.
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
