//! Trusted assumptions about the callers and callees of a procedure without a contract.
//!
//! Such a procedure relies on unwritten preconditions. A failure is reported if every execution of its [path
//! class](crate::path_class) fails, and these assumptions determine the class: which branches are tests, which
//! values a comparison or a mask suggests, which inputs and which results of unknown functions are left out.
//! There is one file for each. It holds the manual text, the evidence in the procedure that lifts the assumption, its
//! effect as a function over neutral facts, the sentence that `indict why` prints, and two C functions: one that the
//! assumption keeps silent and one with the evidence.
//!
//! The assumptions follow from six principles ([`Principle`]); one that follows from none says why it is there. Each
//! can be switched off, which makes the path classes smaller or admits more executions, so that more is reported.

use std::collections::BTreeSet;

use encode::{BitVector, Condition, Environment, Evaluation, Masked, Side, Witness};
use interpret::{Execution, Failure};
use ir::{AssertKind, PointId};

use crate::facts::ProcedureFacts;
use crate::path_class::Failing;

/// Something that is taken for granted about the callers or callees of a procedure without a contract.
#[derive(Clone, Copy, Debug)]
pub struct Assumption {
    /// Its name, for ever.
    pub name: &'static str,
    /// Its manual text, in Markdown. The first paragraph is the assumption in one sentence.
    pub manual: &'static str,
    /// The principle from which it follows.
    pub principle: Principle,
    /// The evidence in a procedure that lifts it.
    pub lifted_by: &'static str,
    /// The sentence about an obligation.
    pub sentence: &'static str,
    /// Other sentences for obligations of some kinds.
    pub sentences: &'static [(AssertKind, &'static str)],
    /// Other assumptions that have to be switched off too before the example is reported.
    pub along_with: &'static [&'static str],
    /// A C function that it keeps silent.
    pub silent: &'static str,
    /// A similar function with the evidence, which is reported.
    pub reported: &'static str,
    pub(crate) effects: &'static [Effect],
}

impl Assumption {
    /// The assumption in one sentence, and the rest of its manual text.
    pub fn described(&self) -> (String, String) {
        // Doc comments have a space before each line.
        let lines = self.manual.lines().map(|line| line.strip_prefix(' ').unwrap_or(line));
        let page = lines.collect::<Vec<_>>().join("\n");
        let (summary, rest) = page.trim().split_once("\n\n").unwrap_or((page.trim(), ""));
        (summary.replace('\n', " "), rest.to_owned())
    }

    /// The sentence about an obligation of a kind.
    pub fn says(&self, kind: AssertKind) -> &'static str {
        let special = self.sentences.iter().find(|(one, _)| *one == kind);
        special.map_or(self.sentence, |(_, sentence)| sentence)
    }
}

/// Why something is assumed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Principle {
    /// Each side of a test that the function itself writes is taken by some caller.
    Tests,
    /// Comparisons are met at their boundary.
    Boundaries,
    /// Explicit ranges are used up.
    Ranges,
    /// Bodies are known.
    Bodies,
    /// Everything else is trusted.
    Trust,
    /// None: an exception, with its reason in the manual text.
    Exception,
}

impl Principle {
    /// All of them, in order.
    pub const ALL: [Principle; 6] = [
        Principle::Tests,
        Principle::Boundaries,
        Principle::Ranges,
        Principle::Bodies,
        Principle::Trust,
        Principle::Exception,
    ];

    /// The principle in a few words, and what it means.
    pub fn text(self) -> (&'static str, &'static str) {
        match self {
            Principle::Tests => (
                "Tests are meaningful",
                "Each side of a test that the function itself writes is taken by some caller. A pointer that is tested \
                 may be null; a path on which every execution fails is an error. Some conditions are not tests in this \
                 sense.",
            ),
            Principle::Boundaries => (
                "Comparisons are met at their boundary",
                "Whoever writes `i > 8` expects 8 on the other side. Which other values occur is known only where the \
                 function computes the value or receives it from callers that are not part of the program.",
            ),
            Principle::Ranges => (
                "Explicit ranges are used up",
                "Where the function computes a value itself, every result of `hash % size` or of a mask occurs.",
            ),
            Principle::Bodies => (
                "Bodies are known",
                "A callee with a body may return or do what its body shows, if the function acts as if it could. What \
                 the body excludes, it does not do.",
            ),
            Principle::Trust => (
                "Everything else is trusted",
                "Untested inputs are valid, unknown functions keep their contracts, objects of the caller are large \
                 enough and distinct, allocations succeed.",
            ),
            Principle::Exception => (
                "Exceptions",
                "These assumptions follow from none of the principles. Each gives its reason.",
            ),
        }
    }
}

/// How an assumption takes part in the description of a path class.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effect {
    /// No execution has these inputs, whatever is asked.
    ExcludesInputs(fn(&Evaluation) -> &[Condition]),
    /// Executions in which one of these conditions holds are not considered for an obligation of this kind.
    Excludes(fn(&Evaluation, &ProcedureFacts, AssertKind) -> Vec<Condition>),
    /// A branch is not a test as far as the failure is concerned.
    NoTest(fn(&Failing<'_>, PointId) -> bool),
    /// Of a value that is compared only the boundary is expected.
    BoundaryOnly(fn(&Failing<'_>, &Side, &BitVector) -> bool),
    /// Not all values that a mask or a remainder leaves are expected.
    PartialRange(fn(&Failing<'_>, &Masked) -> bool),
    /// No caller has the initial state of this failing execution.
    ExcludesStart(fn(&Witness, &Execution, &Failure) -> bool),
    /// Without the assumption, the objects of the environment have another form.
    Environment(fn(&mut Environment)),
    /// The path class is described differently; `path_class.rs`, `facts.rs` and `whole_class.rs` ask for the
    /// assumption.
    PathClass,
}

/// Declares an assumption: a constant whose doc comment is its manual text.
macro_rules! assumption {
    (@list) => { &[] };
    (@list $list:expr) => { &$list };
    (
        $(#[doc = $line:literal])+
        $constant:ident = $name:literal {
            principle: $principle:ident,
            lifted_by: $evidence:literal,
            sentence: $sentence:literal,
            $(sentences: $sentences:expr,)?
            $(along_with: $along:expr,)?
            effects: $effects:expr,
            silent: $silent:literal,
            reported: $reported:literal $(,)?
        }
    ) => {
        $(#[doc = $line])+
        pub(crate) const $constant: crate::assumptions::Assumption = crate::assumptions::Assumption {
            name: $name,
            manual: concat!($($line, "\n"),+),
            principle: crate::assumptions::Principle::$principle,
            lifted_by: $evidence,
            sentence: $sentence,
            sentences: crate::assumptions::assumption!(@list $($sentences)?),
            along_with: crate::assumptions::assumption!(@list $($along)?),
            silent: $silent,
            reported: $reported,
            effects: &$effects,
        };
    };
}

pub(crate) use assumption;

mod allocation_succeeds;
mod array_base;
mod assertion_after_loop;
mod back_link;
mod callee_result;
mod callee_tests;
mod caller_object_size;
mod conversion_range;
mod defensive_callback;
mod distinct_objects;
mod explicit_range;
mod heap_object;
mod known_caller;
mod live_object;
mod lower_bound;
mod non_negative_index;
mod not_a_number;
mod own_text;
mod pointer_equality;
mod pointer_order;
mod quiet_callee;
mod relative_comparison;
mod returned_count;
mod size_range;
mod static_state;
mod stored_value;
mod tag;
mod trip_count;
mod unique_reference;
mod untested_input;
mod unwritten_branch;

pub(crate) use allocation_succeeds::ALLOCATION_SUCCEEDS;
pub(crate) use callee_result::CALLEE_RESULT;
pub(crate) use callee_tests::CALLEE_TESTS;
pub(crate) use explicit_range::EXPLICIT_RANGE;
pub(crate) use non_negative_index::NON_NEGATIVE_INDEX;
pub(crate) use own_text::OWN_TEXT;
pub(crate) use relative_comparison::RELATIVE_COMPARISON;
pub(crate) use trip_count::TRIP_COUNT;
pub(crate) use untested_input::UNTESTED_INPUT;
pub(crate) use unwritten_branch::UNWRITTEN_BRANCH;

/// All assumptions. `indict why` names the first that keeps an obligation silent, so that the most general comes last.
pub const ASSUMPTIONS: &[Assumption] = &[
    quiet_callee::QUIET_CALLEE,
    size_range::SIZE_RANGE,
    pointer_order::POINTER_ORDER,
    returned_count::RETURNED_COUNT,
    conversion_range::CONVERSION_RANGE,
    not_a_number::NOT_A_NUMBER,
    UNWRITTEN_BRANCH,
    assertion_after_loop::ASSERTION_AFTER_LOOP,
    pointer_equality::POINTER_EQUALITY,
    defensive_callback::DEFENSIVE_CALLBACK,
    TRIP_COUNT,
    static_state::STATIC_STATE,
    lower_bound::LOWER_BOUND,
    stored_value::STORED_VALUE,
    known_caller::KNOWN_CALLER,
    RELATIVE_COMPARISON,
    NON_NEGATIVE_INDEX,
    EXPLICIT_RANGE,
    tag::TAG,
    CALLEE_RESULT,
    CALLEE_TESTS,
    OWN_TEXT,
    ALLOCATION_SUCCEEDS,
    array_base::ARRAY_BASE,
    live_object::LIVE_OBJECT,
    unique_reference::UNIQUE_REFERENCE,
    back_link::BACK_LINK,
    distinct_objects::DISTINCT_OBJECTS,
    heap_object::HEAP_OBJECT,
    caller_object_size::CALLER_OBJECT_SIZE,
    UNTESTED_INPUT,
];

/// The assumptions that are made: all, unless some are switched off.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Assumptions {
    off: BTreeSet<&'static str>,
}

impl Assumptions {
    /// Switches an assumption on or off; returns false if there is none of this name.
    #[must_use]
    pub fn switch(&mut self, name: &str, on: bool) -> bool {
        let Some(assumption) = ASSUMPTIONS.iter().find(|one| one.name == name) else {
            return false;
        };
        match on {
            true => self.off.remove(assumption.name),
            false => self.off.insert(assumption.name),
        };
        true
    }

    /// The same without some assumptions.
    #[must_use]
    pub fn without<'a>(&self, off: impl IntoIterator<Item = &'a Assumption>) -> Assumptions {
        let names = off.into_iter().map(|assumption| assumption.name);
        Assumptions { off: self.off.iter().copied().chain(names).collect() }
    }

    /// Whether an assumption is made.
    pub fn has(&self, assumption: &Assumption) -> bool {
        !self.off.contains(assumption.name)
    }

    /// The effects of those that are made.
    pub(crate) fn effects(&self) -> impl Iterator<Item = &'static Effect> {
        let made = ASSUMPTIONS.iter().filter(|assumption| self.has(assumption));
        made.flat_map(|assumption| assumption.effects)
    }

    /// Whether some assumption says that a branch is not a test.
    pub(crate) fn ignore_branch(&self, failing: &Failing<'_>, branch: PointId) -> bool {
        self.effects()
            .any(|effect| matches!(effect, Effect::NoTest(is_none) if is_none(failing, branch)))
    }

    /// Whether some assumption says that of a value that is compared only the boundary is expected.
    pub(crate) fn expect_boundary(
        &self,
        failing: &Failing<'_>,
        side: &Side,
        value: &BitVector,
    ) -> bool {
        self.effects()
            .any(|effect| matches!(effect, Effect::BoundaryOnly(is_kept) if is_kept(failing, side, value)))
    }

    /// Whether some assumption says that not all values of a mask are expected.
    pub(crate) fn restrict_range(&self, failing: &Failing<'_>, masked: &Masked) -> bool {
        self.effects()
            .any(|effect| matches!(effect, Effect::PartialRange(is_partial) if is_partial(failing, masked)))
    }

    /// Whether some assumption excludes the initial state of a failing execution.
    pub(crate) fn exclude_start(
        &self,
        witness: &Witness,
        run: &Execution,
        failure: &Failure,
    ) -> bool {
        self.effects()
            .any(|effect| matches!(effect, Effect::ExcludesStart(is_excluded) if is_excluded(witness, run, failure)))
    }

    /// The conditions that no execution is assumed to meet, where an obligation of a kind is concerned.
    pub(crate) fn excluded(
        &self,
        evaluation: &Evaluation,
        facts: &ProcedureFacts,
        kind: AssertKind,
    ) -> Vec<Condition> {
        let excluded = self.effects().map(|effect| match effect {
            Effect::ExcludesInputs(inputs) => inputs(evaluation).to_vec(),
            Effect::Excludes(conditions) => conditions(evaluation, facts, kind),
            Effect::NoTest(_)
            | Effect::BoundaryOnly(_)
            | Effect::PartialRange(_)
            | Effect::ExcludesStart(_)
            | Effect::Environment(_)
            | Effect::PathClass => Vec::new(),
        });
        excluded.flatten().collect()
    }

    /// Those of them that are conditions on inputs alone, which hold whatever is asked.
    pub(crate) fn excluded_inputs(&self, evaluation: &Evaluation) -> Vec<Condition> {
        let excluded = self.effects().map(|effect| match effect {
            Effect::ExcludesInputs(inputs) => inputs(evaluation),
            Effect::Excludes(_)
            | Effect::NoTest(_)
            | Effect::BoundaryOnly(_)
            | Effect::PartialRange(_)
            | Effect::ExcludesStart(_)
            | Effect::Environment(_)
            | Effect::PathClass => &[],
        });
        excluded.flatten().copied().collect()
    }

    /// The form of the environment's objects.
    pub(crate) fn environment(&self) -> Environment {
        let mut environment = Environment::LARGE;
        for assumption in ASSUMPTIONS.iter().filter(|assumption| !self.has(assumption)) {
            for effect in assumption.effects {
                if let Effect::Environment(change) = effect {
                    change(&mut environment);
                }
            }
        }
        environment
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{ASSUMPTIONS, Assumptions, UNTESTED_INPUT};

    #[test]
    fn names_are_distinct_and_every_assumption_is_described() {
        let names: BTreeSet<&str> = ASSUMPTIONS.iter().map(|assumption| assumption.name).collect();
        assert_eq!(names.len(), ASSUMPTIONS.len());
        for assumption in ASSUMPTIONS {
            let (summary, _) = assumption.described();
            assert!(summary.ends_with('.') && !assumption.lifted_by.is_empty(), "{summary}");
            assert!(!assumption.sentence.ends_with('.') && !assumption.effects.is_empty());
        }
    }

    #[test]
    fn assumptions_are_switched_by_name() {
        let mut made = Assumptions::default();
        assert!(made.has(&UNTESTED_INPUT));
        assert!(made.switch("untested-input", false) && !made.has(&UNTESTED_INPUT));
        assert!(made.switch("untested-input", true) && made == Assumptions::default());
        assert!(!made.switch("untested", false));
    }
}
