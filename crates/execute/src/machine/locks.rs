//! Generated functions that stand for those of locks: each keeps a state for every address, and ends the program where
//! the state does not allow the call and that is the rule that the finding says is broken.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The effect of a function on a lock, or another object with a state, in one state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The property that has the states. The states of different properties are kept apart.
    pub property: String,
    /// The function.
    pub function: String,
    /// The argument that points to the lock.
    pub argument: usize,
    /// The state before, by number.
    pub from: u32,
    /// The effect.
    pub to: Effect,
    /// For which results; none for all.
    pub result: Option<Outcome>,
}

/// The effect of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The lock is in this state, by number.
    State(u32),
    /// This rule is broken. The state stays as it is.
    Violates(String),
    /// The function has no such result in this state. The state stays as it is.
    Never,
}

/// How a result compares with zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Zero.
    Zero,
    /// Not zero.
    NonZero,
    /// Less than zero.
    Negative,
    /// Zero or more.
    NotNegative,
}

impl Outcome {
    /// As a condition on the variable `result`. Results of functions that return less than a word have only that.
    fn condition(self) -> &'static str {
        match self {
            Outcome::Zero => "!(int)result",
            Outcome::NonZero => "(int)result",
            Outcome::Negative => "(int)result < 0",
            Outcome::NotNegative => "(int)result >= 0",
        }
    }
}

/// The last argument that is passed in a register.
const LAST_ARGUMENT: usize = 5;

/// The transitions, by function.
pub(crate) fn by_function(transitions: &[Transition]) -> BTreeMap<&str, Vec<&Transition>> {
    let mut by_function: BTreeMap<&str, Vec<&Transition>> = BTreeMap::new();
    for transition in transitions.iter().filter(|one| one.argument <= LAST_ARGUMENT) {
        by_function.entry(&transition.function).or_default().push(transition);
    }
    by_function
}

/// The properties, by name, and the numbers that they have in the program.
pub(crate) fn numbers(transitions: &[Transition]) -> BTreeMap<&str, usize> {
    let names: BTreeSet<&str> = transitions.iter().map(|one| one.property.as_str()).collect();
    names.into_iter().zip(1..).collect()
}

/// Statements that move the lock of a function whose result is the variable `result`.
pub(crate) fn moves(
    transitions: &[&Transition],
    numbers: &BTreeMap<&str, usize>,
    text: &mut String,
) {
    let mut by_object: BTreeMap<(usize, usize), Vec<&Transition>> = BTreeMap::new();
    for &transition in transitions {
        if let Some(property) = numbers.get(transition.property.as_str()) {
            by_object.entry((*property, transition.argument)).or_default().push(transition);
        }
    }
    let _ = writeln!(text, "        unsigned *state;\n");
    for ((property, argument), transitions) in by_object {
        let _ = writeln!(text, "        state = indict_state({property}, a{argument});");
        moves_of_one(&transitions, text);
    }
}

/// A lock of which nothing is known is in a state that allows the call, else in the first. States are numbered from one
/// in the program, since zero stands for those. The first transition that fits is the one that is made.
fn moves_of_one(transitions: &[&Transition], text: &mut String) {
    let _ = writeln!(text, "        switch (*state) {{");
    let allows = |one: &&&Transition| matches!(one.to, Effect::State(_));
    let mut by_state: BTreeMap<u32, Vec<&Transition>> = BTreeMap::new();
    by_state.insert(0, transitions.iter().filter(allows).copied().collect());
    for &transition in transitions {
        by_state.entry(transition.from + 1).or_default().push(transition);
    }
    for (state, transitions) in by_state {
        let _ = writeln!(text, "        case {state}:");
        for transition in transitions {
            let condition = transition.result.map_or("1", Outcome::condition);
            let effect = match &transition.to {
                Effect::State(to) => format!("*state = {};", to + 1),
                Effect::Violates(rule) => {
                    format!(
                        "indict_violates({});",
                        crate::machine::program::quoted(rule.as_bytes())
                    )
                }
                Effect::Never => String::new(),
            };
            let _ = writeln!(text, "            if ({condition}) {{ {effect} break; }}");
        }
        if state == 0 {
            let _ = writeln!(text, "            *state = 1;");
        }
        let _ = writeln!(text, "            break;");
    }
    let _ = writeln!(text, "        }}");
}
