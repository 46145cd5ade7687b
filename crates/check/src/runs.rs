//! Runs from a shape, followed one by one without a formula: where the heap is settled, and each number that the
//! procedure is handed is one of few, each run is known.
//!
//! What is seen so is only whether there is anything to ask. Where a run fails, where something is not known, or where
//! there are too many runs, everything is asked as usual.

use bounds::concrete::{Machine, Outcome, Program};
use bounds::{beginning, value};
use encode::{Content, Feasible, Part};
use ir::{Module, Procedure};

use crate::quick_check::{MOST_NUMBERED, QuickCheck};

/// What is seen of the runs from a shape, if all of them can be followed.
pub(crate) fn runs(
    module: &Module,
    procedure: &Procedure,
    program: &Program<'_>,
    atoms: &[u32],
    shape: &Feasible,
) -> Option<QuickCheck> {
    let handed: Vec<(Part, u32)> = shape
        .parts
        .iter()
        .filter_map(|(part, content)| match content {
            Content::UpTo(greatest) => Some((*part, *greatest)),
            _ => None,
        })
        .collect();
    let ways = handed.iter().map(|(_, greatest)| *greatest as usize + 1);
    if ways.fold(1, usize::saturating_mul) > MOST_NUMBERED {
        return None;
    }
    let mut machine = beginning(module, procedure, program, atoms, shape)?;
    // What holds whatever is handed need not be asked of each run.
    let is_admitted = machine.is_admitted();
    match is_admitted {
        Some(false) => Some(QuickCheck::Nothing),
        Some(true) | None => numbered(&mut machine, &handed, is_admitted == Some(true)),
    }
}

/// The runs with each of these numbers in every way.
fn numbered(
    machine: &mut Machine<'_>,
    handed: &[(Part, u32)],
    is_admitted: bool,
) -> Option<QuickCheck> {
    let Some(((part, greatest), others)) = handed.split_first() else {
        return one(machine, is_admitted);
    };
    let mut worst = QuickCheck::Nothing;
    for number in 0..=*greatest {
        let number = value(&Content::Number(i128::from(number)));
        machine.begin_with(part.variable, part.row, number);
        worst = worst.max(numbered(machine, others, is_admitted)?);
    }
    Some(worst)
}

fn one(machine: &mut Machine<'_>, is_admitted: bool) -> Option<QuickCheck> {
    if !is_admitted && !machine.is_admitted()? {
        return Some(QuickCheck::Nothing);
    }
    match machine.run() {
        Outcome::None | Outcome::Ends => Some(QuickCheck::Nothing),
        Outcome::Fails => Some(QuickCheck::Suspect),
        Outcome::GoesOn => Some(QuickCheck::GoesOn),
        Outcome::Unknown => None,
    }
}
