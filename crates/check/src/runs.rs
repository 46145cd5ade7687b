//! Concrete executions from one shape, without a formula: the heap is fixed, and each numeric parameter has few values.
//!
//! They only decide whether there is anything to ask. Where an execution fails, where something is unknown, or where there
//! are too many executions, the shape is checked in full.

use bounds::concrete::{Machine, Outcome, Program};
use bounds::{beginning, value};
use encode::{Content, Feasible, Part};
use ir::{Module, Procedure};

use crate::limits::NUMBERED_EXECUTIONS;
use crate::quick_check::QuickCheck;

/// The result for all executions from a shape, if all of them can be executed.
pub(crate) fn executions(
    module: &Module,
    procedure: &Procedure,
    program: &Program<'_>,
    atoms: &[u32],
    shape: &Feasible,
) -> Option<QuickCheck> {
    let numbers: Vec<(Part, u32)> = shape
        .parts
        .iter()
        .filter_map(|(part, content)| match content {
            Content::UpTo(greatest) => Some((*part, *greatest)),
            _ => None,
        })
        .collect();
    let values = numbers.iter().map(|(_, greatest)| *greatest as usize + 1);
    if values.fold(1, usize::saturating_mul) > NUMBERED_EXECUTIONS {
        return None;
    }
    let mut machine = beginning(module, procedure, program, atoms, shape)?;
    // A precondition that holds for all parameter values need not be checked for each execution.
    let is_admitted = machine.is_admitted();
    match is_admitted {
        Some(false) => Some(QuickCheck::Clean),
        Some(true) | None => numbered(&mut machine, &numbers, is_admitted == Some(true)),
    }
}

/// The executions with all combinations of these numbers.
fn numbered(
    machine: &mut Machine<'_>,
    numbers: &[(Part, u32)],
    is_admitted: bool,
) -> Option<QuickCheck> {
    let Some(((part, greatest), others)) = numbers.split_first() else {
        return one(machine, is_admitted);
    };
    let mut worst = QuickCheck::Clean;
    for number in 0..=*greatest {
        let number = value(&Content::Number(i128::from(number)));
        machine.begin_with(part.variable, part.row, number);
        worst = worst.max(numbered(machine, others, is_admitted)?);
    }
    Some(worst)
}

fn one(machine: &mut Machine<'_>, is_admitted: bool) -> Option<QuickCheck> {
    if !is_admitted && !machine.is_admitted()? {
        return Some(QuickCheck::Clean);
    }
    match machine.run() {
        Outcome::None | Outcome::Ends => Some(QuickCheck::Clean),
        Outcome::Fails => Some(QuickCheck::Suspect),
        Outcome::GoesOn => Some(QuickCheck::Cut),
        Outcome::Unknown => None,
    }
}
