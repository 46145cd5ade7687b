//! Suggestions for unknown names.

use crate::limits::SUGGESTED_NAMES;

/// The name that differs least from another, if any differs by at most a third of its letters.
pub(super) fn nearest<'n>(name: &str, others: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let allowed = (name.len() / 3).min(3);
    let best = others
        .take(SUGGESTED_NAMES)
        .filter(|other| other.len().abs_diff(name.len()) <= allowed && *other != name)
        .map(|other| (distance(name.as_bytes(), other.as_bytes()), other))
        .filter(|(distance, _)| *distance <= allowed)
        .min()?;
    Some(best.1)
}

/// How many letters must be put in, left out or changed.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(!x.eq_ignore_ascii_case(y));
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
