//! The numeric limits of this crate. `docs/limits.md` lists them; a test compares the two.

/// Results of unknown functions that are varied to see whether a finding depends on them; further ones are not varied.
pub(crate) const VARIED_RESULTS: usize = 24;
