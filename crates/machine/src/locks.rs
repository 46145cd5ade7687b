//! Generated functions that stand for those of locks: each keeps a state for every address, and ends the program where
//! the state does not allow the call.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What a function does to a lock in one state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The function.
    pub function: String,
    /// Which argument points to the lock.
    pub argument: usize,
    /// The state before, by number.
    pub from: u32,
    /// The state after, by number, or the rule that is broken.
    pub to: Result<u32, String>,
    /// For which results; none for all.
    pub result: Option<Outcome>,
}

/// What a result is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Zero.
    Zero,
    /// Not zero.
    NonZero,
}

/// The transitions, by function.
pub(crate) fn by_function(transitions: &[Transition]) -> BTreeMap<&str, Vec<&Transition>> {
    let mut by_function: BTreeMap<&str, Vec<&Transition>> = BTreeMap::new();
    for transition in transitions {
        by_function.entry(&transition.function).or_default().push(transition);
    }
    by_function
}

/// Statements that move the lock of a function whose result is the variable `result`. A lock of which nothing is known
/// is in a state that allows the call. States are numbered from one in the program, since zero stands for those.
pub(crate) fn moves(transitions: &[&Transition], text: &mut String) {
    let Some(first) = transitions.first() else { return };
    let position = first.argument.min(5);
    let _ = writeln!(text, "        unsigned *state = indict_lock(a{position});\n");
    let _ = writeln!(text, "        switch (*state) {{");
    let unknown = transitions.iter().filter(|transition| transition.to.is_ok());
    let mut by_state: BTreeMap<u32, Vec<&Transition>> = BTreeMap::from([(0, Vec::new())]);
    for transition in unknown {
        by_state.entry(0).or_default().push(transition);
    }
    for transition in transitions {
        by_state.entry(transition.from + 1).or_default().push(transition);
    }
    for (state, transitions) in by_state {
        let _ = writeln!(text, "        case {state}:");
        for transition in transitions {
            let condition = match transition.result {
                None => "1",
                Some(Outcome::Zero) => "!(int)result",
                Some(Outcome::NonZero) => "(int)result",
            };
            let _ = match &transition.to {
                Ok(to) => {
                    writeln!(text, "            if ({condition}) {{ *state = {}; break; }}", to + 1)
                }
                Err(rule) => {
                    let rule = crate::program::quoted(rule.as_bytes());
                    writeln!(text, "            if ({condition}) indict_violates({rule});")
                }
            };
        }
        let _ = writeln!(text, "            break;");
    }
    let _ = writeln!(text, "        }}");
}
