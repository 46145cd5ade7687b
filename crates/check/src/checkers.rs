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

use crate::context::CheckContext;
use crate::rule::Rule;

/// A checker: a rule, and how to find out whether a procedure breaks it.
pub trait Checker: Sync {
    /// The rule that it checks.
    fn rule(&self) -> Rule;

    /// The kinds of obligations whose failure breaks the rule.
    fn kinds(&self) -> &'static [Kind] {
        &[]
    }

    /// Whether it asks about all runs, those beyond the scope too.
    fn asks_about_all_runs(&self) -> bool {
        false
    }

    /// Whether it reports obligations alone, so that it has nothing to report where none has evidence.
    fn needs_evidence(&self) -> bool {
        true
    }

    /// Looks for violations and brings defects.
    fn check(&self, context: &mut CheckContext<'_>);
}

/// A kind of obligations whose failure breaks a rule, and how it is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// The kind.
    pub kind: AssertKind,
    /// What fails, in a word or two: "the … always fails".
    pub noun: &'static str,
    /// What is wrong where the front end has not said it.
    pub failure: &'static str,
}

/// All checkers, in the order in which they look. What dooms code comes first, as it explains what
/// others would find.
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
    breaking(kind).0.rule()
}

/// How the failure of an obligation of a kind is told.
pub(crate) fn kind_of(kind: AssertKind) -> Kind {
    *breaking(kind).1
}

fn breaking(kind: AssertKind) -> (&'static dyn Checker, &'static Kind) {
    let mut kinds =
        ALL.iter().flat_map(|&checker| checker.kinds().iter().map(move |kind| (checker, kind)));
    kinds.find(|(_, one)| one.kind == kind).expect("every kind of obligation has a rule")
}

/// The checker with this name.
pub fn find(id: &str) -> Option<&'static dyn Checker> {
    ALL.iter().copied().find(|checker| checker.rule().id == id)
}

#[cfg(test)]
mod tests {
    use ir::AssertKind;

    use super::{ALL, rule_of};

    #[test]
    fn every_kind_of_obligation_has_one_rule() {
        for kind in AssertKind::ALL {
            let kinds = ALL.iter().flat_map(|checker| checker.kinds());
            assert_eq!(kinds.filter(|one| one.kind == kind).count(), 1, "{kind:?}");
            let rule = rule_of(kind).id;
            assert!(rule == kind.name() || rule == "contract", "{kind:?} breaks {rule}");
        }
    }
}
