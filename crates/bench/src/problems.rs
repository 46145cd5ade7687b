//! Ten relational problems, stated as Kodkod's own example programs state them: the same relations
//! under the same bounds, the same constraints, and a total order wherever those programs declare
//! one. So the sizes of the formulas can be compared.

mod ceilings_and_floors;
mod dijkstra;
mod file_system;
mod handshake;
mod hotel;
mod list_check;
mod lists;
mod pigeonhole;
mod ring_election;
mod trees;
mod vocabulary;

pub use ceilings_and_floors::ceilings_and_floors;
pub use dijkstra::dijkstra;
pub use file_system::file_system;
pub use handshake::handshake;
pub use hotel::hotel;
pub use list_check::list_check;
pub use lists::lists;
pub use pigeonhole::pigeonhole;
pub use ring_election::ring_election;
pub use trees::trees;

use relational::{Bounds, Formula, Options};

/// A problem for the model finder, and its expected answer.
#[derive(Clone, Debug)]
pub struct Problem<'a> {
    /// The name, with sizes.
    pub name: String,
    /// The universe and the bounds of all relations.
    pub bounds: Bounds<'a>,
    /// The facts about the system.
    pub facts: Vec<Formula<'a>>,
    /// The goal of an instance: a scenario, or the negation of a claim.
    pub goal: Formula<'a>,
    /// The answer to facts and goal together.
    pub expected: Expected,
    /// How far into the ordering of symmetric instances the problem needs to be compared, if
    /// further than usual.
    pub symmetry: Option<usize>,
}

impl<'a> Problem<'a> {
    /// The facts and the goal: what the model finder is to satisfy.
    pub fn formulas(&self) -> Vec<Formula<'a>> {
        self.facts.iter().copied().chain([self.goal]).collect()
    }

    /// The given options with the symmetry breaking that this problem needs.
    pub fn options(&self, options: &Options) -> Options {
        Options { symmetry: self.symmetry.unwrap_or(options.symmetry), ..options.clone() }
    }
}

/// The right answer to a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// There is an instance.
    Sat,
    /// There is none within the bounds.
    Unsat,
}
