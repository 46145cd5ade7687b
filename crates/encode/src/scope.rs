//! The scope of an evaluation, and the direction in which it approximates.

use crate::heap::Heaps;

/// The direction in which an evaluation approximates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Every execution it describes is an execution of the program, as far as can be said without looking at all
    /// values of types that have no end; executions that leave the scope are cut.
    Under,
    /// Every execution of the program is described; some that are described may not exist. An expression that
    /// leaves the scope has any value.
    Over,
}

/// The form of the environment's objects of byte memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Environment {
    /// Whether they have any size up to the scope's, and pointers point to their starts. Otherwise they are larger than
    /// any offset, on both sides of where pointers point to.
    pub has_bounded_sizes: bool,
    /// Whether any two pointers may alias. Otherwise only those may whose addresses the procedure uses.
    pub may_alias: bool,
    /// Whether they may be other than heap blocks.
    pub has_other_storage: bool,
}

impl Environment {
    /// Large and distinct heap blocks.
    pub const LARGE: Environment =
        Environment { has_bounded_sizes: false, may_alias: false, has_other_storage: false };
}

impl Default for Environment {
    fn default() -> Environment {
        Environment { has_bounded_sizes: true, may_alias: true, has_other_storage: true }
    }
}

/// The bounds of an evaluation. They are part of every verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scope {
    /// The direction of approximation.
    pub direction: Direction,
    /// How many atoms each sort has besides `null`, in the initial state.
    pub atoms: u32,
    /// Sorts that have another number, by name.
    pub named: Vec<(String, u32)>,
    /// The width in bits within which mathematical integers are exact.
    pub int_width: u32,
    /// The greatest length of a sequence.
    pub sequence: u32,
    /// How many elements of each array are listed: executions that use others are cut. If this is not given, arrays
    /// may have any length.
    pub columns: Option<u32>,
    /// How many objects of byte memory belong to the environment.
    pub objects: u32,
    /// The greatest size in bytes of an object of the environment, where sizes are bounded.
    pub object_size: u32,
    /// The form of those objects, in the under-approximation.
    pub environment: Environment,
    /// Whether the evaluation records tests: what each copy of a branch compares and which values are at the boundary,
    /// which values are masked, and which inputs are unusual ([`Evaluation::unusual`](crate::Evaluation::unusual)).
    pub records_tests: bool,
    /// How the initial heap is looked for.
    pub heaps: Heaps,
    /// The number of gates beyond which executions are not followed further.
    pub gates: usize,
}

impl Scope {
    pub(crate) fn is_under(&self) -> bool {
        self.direction == Direction::Under
    }

    /// How many atoms a sort of this name has besides `null`, in the initial state.
    pub fn atoms_of(&self, sort: &str) -> u32 {
        let named = self.named.iter().find(|(name, _)| name == sort);
        named.map_or(self.atoms, |(_, count)| *count)
    }
}

impl Default for Scope {
    fn default() -> Scope {
        Scope {
            direction: Direction::Under,
            atoms: 3,
            named: Vec::new(),
            int_width: 8,
            sequence: 4,
            columns: None,
            objects: 256,
            object_size: 255,
            environment: Environment::default(),
            records_tests: false,
            heaps: Heaps::default(),
            gates: 4_000_000,
        }
    }
}
