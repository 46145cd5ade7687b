//! The checkers. One file each; adding one takes that file, a line in [`ALL`], and a test.

mod assertion;
mod contract;
mod division_by_zero;
mod doomed;
mod double_free;
mod invalid_free;
mod null_dereference;
mod out_of_bounds;
mod overflow;
mod shift;
mod uninitialized;
mod unreachable;
mod use_after_free;

use ir::AssertKind;
use report::FailureKind;

use crate::context::CheckContext;
use crate::rule::Rule;

/// A checker: a rule, and the method that decides whether a procedure violates it.
pub trait Checker: Sync {
    /// The rule that it checks.
    fn rule(&self) -> Rule;

    /// The kinds of obligations whose failure breaks the rule.
    fn kinds(&self) -> &'static [AssertKind] {
        &[]
    }

    /// Whether it asks about all executions, including those beyond the scope.
    fn asks_about_all_runs(&self) -> bool {
        false
    }

    /// Searches for violations and reports defects.
    fn check(&self, context: &mut CheckContext<'_>);
}

/// All checkers, in the order in which they run. Doomed code comes first, because it explains findings of the
/// others.
pub const ALL: &[&dyn Checker] = &[
    &doomed::Doomed,
    &null_dereference::NullDereference,
    &use_after_free::UseAfterFree,
    &double_free::DoubleFree,
    &invalid_free::InvalidFree,
    &out_of_bounds::OutOfBounds,
    &division_by_zero::DivisionByZero,
    &overflow::Overflow,
    &shift::Shift,
    &uninitialized::Uninitialized,
    &assertion::Assertion,
    &contract::Contract,
    &unreachable::Unreachable,
];

/// The rule that is broken where an obligation of a kind fails.
pub fn rule_of(kind: AssertKind) -> Rule {
    let breaking = ALL.iter().find(|checker| checker.kinds().contains(&kind));
    breaking.expect("every kind of obligation has a rule").rule()
}

/// The kind of failure where an obligation of a kind fails: it has the same name.
pub(crate) fn failure_of(kind: AssertKind) -> FailureKind {
    FailureKind::named(kind.name()).expect("every kind of obligation has a kind of failure")
}

/// The checker with this name.
pub fn find(id: &str) -> Option<&'static dyn Checker> {
    ALL.iter().copied().find(|checker| checker.rule().id == id)
}

#[cfg(test)]
mod tests {
    use ir::AssertKind;

    use super::{ALL, failure_of, rule_of};

    #[test]
    fn every_kind_of_obligation_has_one_rule() {
        for kind in AssertKind::ALL {
            let kinds = ALL.iter().flat_map(|checker| checker.kinds());
            assert_eq!(kinds.filter(|one| **one == kind).count(), 1, "{kind:?}");
            assert_eq!(failure_of(kind).name(), kind.name());
            let rule = rule_of(kind).id;
            assert!(rule == kind.name() || rule == "contract", "{kind:?} breaks {rule}");
        }
    }
}
