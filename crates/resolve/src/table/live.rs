//! What a table need not tell: values that nobody asks for.
//!
//! A value is asked for if an obligation, a path condition or a stated assumption mentions it, or another
//! one is carried over from it that is. Only then is it told that a variable was left alone, what its
//! initial value is, and that it is a value of its type.

use std::collections::BTreeSet;

use super::{Table, Why};

/// Takes away what nobody asks for.
pub(super) fn prune(table: &mut Table) {
    let mut asked: BTreeSet<(String, u32)> = BTreeSet::new();
    for row in &table.rows {
        for term in row.path.iter().chain(row.confirm.iter().map(|owed| &owed.term)) {
            asked.extend(term.variables());
        }
        for assumption in row.assume.iter().filter(|assumption| assumption.why == Why::Stated) {
            asked.extend(assumption.term.variables());
        }
    }
    loop {
        let before = asked.len();
        for row in &table.rows {
            for assumption in row.assume.iter().filter(|one| one.why == Why::Carried) {
                let both = assumption.term.variables();
                if both.first().is_some_and(|new| asked.contains(new)) {
                    asked.extend(both);
                }
            }
        }
        if asked.len() == before {
            break;
        }
    }
    for row in &mut table.rows {
        row.assume.retain(|assumption| match assumption.why {
            Why::Stated => true,
            Why::Carried => assumption.term.variables().first().is_some_and(|new| asked.contains(new)),
            Why::Initial | Why::Typing => {
                assumption.term.variables().iter().all(|variable| asked.contains(variable))
            }
        });
    }
}
