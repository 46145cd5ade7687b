//! Names that must differ from each other.

use rustc_hash::{FxHashMap, FxHashSet};

/// The names that are taken.
#[derive(Default)]
pub(super) struct Names {
    taken: FxHashSet<String>,
    /// The number to try next behind a name.
    next: FxHashMap<String, u32>,
}

impl Names {
    /// Takes a name that must not be given to anything else.
    pub(super) fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// The name itself, or with a number behind it if it is taken; it is then.
    pub(super) fn distinct(&mut self, name: &str) -> String {
        if self.taken.insert(name.to_owned()) {
            return name.to_owned();
        }
        let number = self.next.entry(name.to_owned()).or_insert(2);
        loop {
            let candidate = format!("{name}#{number}");
            *number += 1;
            if self.taken.insert(candidate.clone()) {
                return candidate;
            }
        }
    }
}
