//! The effects of functions on locks and other objects with states, as property files declare them and stubs
//! perform them.

use std::collections::BTreeSet;

use execute::machine::{Effect, Outcome, Transition};
use property::{NextState, OperationTarget, Properties, Property, shipped};
use report::Finding;

/// The transitions of the properties that findings are about: those that come with the program, and the user's.
pub(crate) fn transitions<'f>(
    findings: impl Iterator<Item = &'f Finding>,
    given: &Properties,
) -> Vec<Transition> {
    let setups = findings.filter_map(|finding| finding.setup.as_ref());
    let rules: BTreeSet<&str> = setups.filter_map(|setup| setup.violates.as_deref()).collect();
    if rules.is_empty() {
        return Vec::new();
    }
    let shipped = shipped();
    let machines = shipped.machines.iter().chain(&given.machines);
    let machines = machines.filter(|machine| machine.moves_arguments() && breaks(machine, &rules));
    machines.flat_map(of_property).collect()
}

/// Whether an operation of a property can break one of some rules.
fn breaks(machine: &Property, rules: &BTreeSet<&str>) -> bool {
    let mut moves = machine.operations.iter().flat_map(|operation| &operation.moves);
    moves.any(|step| match &step.to {
        NextState::Error(rule) => rules.contains(rule.as_str()),
        NextState::State(_) | NextState::Impossible => false,
    })
}

fn of_property(machine: &Property) -> Vec<Transition> {
    let mut transitions = Vec::new();
    for operation in &machine.operations {
        let OperationTarget::Argument(argument) = operation.object else { continue };
        for function in &operation.functions {
            transitions.extend(operation.moves.iter().map(|step| Transition {
                property: machine.name.clone(),
                function: function.clone(),
                argument: argument as usize,
                from: step.from,
                to: match &step.to {
                    NextState::State(state) => Effect::State(*state),
                    NextState::Error(rule) => Effect::Violates(rule.clone()),
                    NextState::Impossible => Effect::Never,
                },
                result: step.when.map(outcome),
            }));
        }
    }
    transitions
}

fn outcome(when: property::ResultTest) -> Outcome {
    match when {
        property::ResultTest::Zero => Outcome::Zero,
        property::ResultTest::NonZero => Outcome::NonZero,
        property::ResultTest::Negative => Outcome::Negative,
        property::ResultTest::NotNegative => Outcome::NotNegative,
    }
}
