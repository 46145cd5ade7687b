//! Omits from a table the values that nothing depends on.
//!
//! A value is live if an obligation, a path condition or a stated assumption mentions it, or a live one is
//! carried over from it. Only then does the table state that a variable is unchanged, its initial value, and
//! that it belongs to its type. Likewise only facts about constants that the table mentions matter.

use std::collections::BTreeSet;

use super::{AssumptionReason, Row, Table};
use crate::term::{Term, TermKind};

/// Removes values that are not live.
pub(super) fn prune(table: &mut Table) {
    let mut asked: BTreeSet<(String, u32)> = BTreeSet::new();
    for row in &table.rows {
        for term in row.path.iter().chain(row.confirm.iter().map(|owed| &owed.term)) {
            asked.extend(term.variables());
        }
        for assumption in
            row.assume.iter().filter(|assumption| assumption.why == AssumptionReason::Stated)
        {
            asked.extend(assumption.term.variables());
        }
    }
    loop {
        let before = asked.len();
        for row in &table.rows {
            for assumption in row.assume.iter().filter(|one| one.why == AssumptionReason::Carried) {
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
            AssumptionReason::Stated => true,
            AssumptionReason::Carried => {
                assumption.term.variables().first().is_some_and(|new| asked.contains(new))
            }
            AssumptionReason::Initial | AssumptionReason::Typing => {
                assumption.term.variables().iter().all(|variable| asked.contains(variable))
            }
        });
    }
}

/// The facts that are related to what rows mention, directly or through other facts.
pub(super) fn relevant(facts: &[Term], rows: &[Row]) -> Vec<Term> {
    let mut mentioned: BTreeSet<String> = BTreeSet::new();
    for row in rows {
        let owed = row.confirm.iter().map(|owed| &owed.term);
        let assumed = row
            .assume
            .iter()
            .filter(|one| one.why != AssumptionReason::Typing)
            .map(|one| &one.term);
        row.path.iter().chain(owed).chain(assumed).for_each(|term| names(term, &mut mentioned));
    }
    let mut kept: Vec<bool> = vec![false; facts.len()];
    loop {
        let before = kept.clone();
        for (keep, fact) in kept.iter_mut().zip(facts) {
            let mut own = BTreeSet::new();
            names(fact, &mut own);
            if !*keep && own.iter().any(|name| mentioned.contains(name)) {
                *keep = true;
                mentioned.extend(own);
            }
        }
        if kept == before {
            let kept = facts.iter().zip(kept).filter(|(_, keep)| *keep);
            return kept.map(|(fact, _)| fact.clone()).collect();
        }
    }
}

/// Adds the constants, definitions and variables that a term mentions.
fn names(term: &Term, found: &mut BTreeSet<String>) {
    term.each(&mut |term| match &term.kind {
        TermKind::Constant(name) | TermKind::Variable(name, _) | TermKind::Defined(_, name, _) => {
            found.insert(name.clone());
        }
        _ => {}
    });
}
