//! Names that are distinct: VIR wants them so, and LLVM's may be missing, alike or strange.

use rustc_hash::{FxHashMap, FxHashSet};

/// The names given out so far.
#[derive(Default)]
pub(crate) struct Names {
    taken: FxHashSet<String>,
    /// How often a name was asked for again, so that finding the next free one is quick.
    again: FxHashMap<String, u32>,
}

impl Names {
    /// The name itself if it is free, else it with a number.
    pub(crate) fn distinct(&mut self, wanted: &str) -> String {
        let wanted = if wanted.is_empty() { "unnamed" } else { wanted };
        if self.taken.insert(wanted.to_owned()) {
            return wanted.to_owned();
        }
        let mut number = self.again.get(wanted).copied().unwrap_or(0);
        loop {
            number += 1;
            let name = format!("{wanted}${number}");
            if self.taken.insert(name.clone()) {
                self.again.insert(wanted.to_owned(), number);
                return name;
            }
        }
    }

    /// As [`distinct`](Names::distinct), for a name that need not be recognised: what the text form
    /// would have to quote becomes an underscore.
    pub(crate) fn plain(&mut self, wanted: &str) -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
        let mut name: String = wanted.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            name.insert(0, '_');
        }
        self.distinct(&name)
    }
}
