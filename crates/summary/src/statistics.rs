//! Statistics over the summaries of a program, as Xie & Aiken 2007, §5.6.2, give them for Linux.

use std::fmt;

use crate::program::ProcedureResult;
use crate::summary::{Machine, Summary};

/// Numbers of functions, by their effects on typestates and memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// All.
    pub functions: usize,
    /// Those without a summary, because they exceed the budget.
    pub given_up: usize,
    /// Those that change the state of an object, themselves or through a callee.
    pub moving: usize,
    /// Those that change the states of several.
    pub several: usize,
    /// Those that only acquire: every call moves one object from the first state to another.
    pub acquiring: usize,
    /// Those that only release: every call moves one object back to the first state.
    pub releasing: usize,
    /// Those whose outcome determines the state of an object at exit.
    pub correlated: usize,
    /// Those that lead from some state at entry to the error state.
    pub requiring: usize,
    /// Those that return new memory, or store it where the caller can reach it.
    pub allocating: usize,
    /// Those that free an argument.
    pub freeing: usize,
}

impl Statistics {
    /// Counts.
    pub fn of(procedures: &[ProcedureResult]) -> Statistics {
        let mut all = Statistics { functions: procedures.len(), ..Statistics::default() };
        for procedure in procedures {
            match &procedure.outcome {
                Ok(analysed) => all.add(&analysed.summary),
                Err(_) => all.given_up += 1,
            }
        }
        all
    }

    fn add(&mut self, summary: &Summary) {
        let Summary { machines, result, allocations, frees, .. } = summary;
        self.moving += usize::from(!machines.is_empty());
        self.several += usize::from(machines.len() > 1);
        if let [machine] = &machines[..] {
            self.acquiring += usize::from(always_moves(machine, |from| from == 0, |to| to != 0));
            self.releasing += usize::from(always_moves(machine, |from| from != 0, |to| to == 0));
        }
        self.correlated += usize::from(machines.iter().any(is_correlated));
        self.requiring += usize::from(machines.iter().any(requires));
        self.allocating += usize::from(result.new || !allocations.is_empty());
        self.freeing += usize::from(!frees.is_empty());
    }
}

/// The number of the error state is greater than that of any other.
fn error(machine: &Machine) -> Option<u32> {
    let from = machine.transitions.iter().map(|transition| transition.from).max()?;
    let to = machine.transitions.iter().map(|transition| transition.to).max()?;
    (to > from).then_some(to)
}

/// Whether there are transitions between such states, and all lead to such states, errors aside.
fn always_moves(machine: &Machine, from: impl Fn(u32) -> bool, to: impl Fn(u32) -> bool) -> bool {
    let error = error(machine);
    let moves = machine.transitions.iter().filter(|t| from(t.from) && Some(t.to) != error);
    let mut moves = moves.peekable();
    moves.peek().is_some() && moves.all(|transition| to(transition.to))
}

/// Whether there are several transitions from one state and one valuation at entry, and the outcome determines which.
fn is_correlated(machine: &Machine) -> bool {
    let error = error(machine);
    let moves = || machine.transitions.iter().filter(|t| Some(t.to) != error);
    moves().any(|a| {
        let alike = || moves().filter(|b| (b.incond, b.from) == (a.incond, a.from));
        alike().any(|b| b.to != a.to)
            && alike().all(|b| alike().all(|c| b.outcond != c.outcond || b.to == c.to))
    })
}

fn requires(machine: &Machine) -> bool {
    let error = error(machine);
    error.is_some() && machine.transitions.iter().any(|transition| Some(transition.to) == error)
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Statistics { functions, given_up, moving, several, .. } = self;
        let functions_ = if *functions == 1 { "function" } else { "functions" };
        writeln!(f, "{functions} {functions_}, {given_up} too large to be summarised")?;
        writeln!(f, "  {moving} change the state of an object, {several} of several")?;
        writeln!(f, "  {} only acquire, {} only release", self.acquiring, self.releasing)?;
        writeln!(f, "  {} return a value that indicates the exit state", self.correlated)?;
        writeln!(f, "  {} require an entry state", self.requiring)?;
        writeln!(f, "  {} allocate, {} free an argument", self.allocating, self.freeing)
    }
}
