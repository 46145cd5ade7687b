//! Names that are not taken yet: a copy of `loop` is called `loop#2`.

use rustc_hash::{FxHashMap, FxHashSet};

/// The names that are taken.
#[derive(Clone, Default, Debug)]
pub(crate) struct Names {
    taken: FxHashSet<String>,
    /// The number that a name was last given.
    last: FxHashMap<String, u32>,
}

impl Names {
    /// These names are taken.
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Names {
        Names { taken: names.into_iter().map(str::to_owned).collect(), last: FxHashMap::default() }
    }

    /// A name that was not taken and now is: this one, or what it is numbered from, with the first
    /// free number from two on.
    pub(crate) fn fresh(&mut self, name: &str) -> String {
        if self.taken.insert(name.to_owned()) {
            return name.to_owned();
        }
        let base = base(name);
        let last = self.last.entry(base.to_owned()).or_insert(1);
        loop {
            *last += 1;
            let numbered = format!("{base}#{last}");
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

/// A name without the number that [`Names::fresh`] gave it.
pub(crate) fn base(name: &str) -> &str {
    match name.rsplit_once('#') {
        Some((base, number)) if number.parse::<u32>().is_ok() => base,
        Some(_) | None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_numbered_from_two_and_copies_of_copies_go_on() {
        let mut names = Names::new(["loop", "loop#3", "x#y"]);
        assert_eq!(names.fresh("loop"), "loop#2");
        assert_eq!(names.fresh("loop#2"), "loop#4");
        assert_eq!(names.fresh("x#y"), "x#y#2");
        assert_eq!(names.fresh("new"), "new");
    }
}
