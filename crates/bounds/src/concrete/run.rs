//! Executions: one path through the blocks, from the initial state to an end.

use ir::{
    Allocation, BlockId, Clause, CutReason, Exit, Mode, Place, Projection, StatementKind,
    TerminatorKind, Variable,
};

use crate::concrete::evaluate::{Machine, write};
use crate::concrete::value::Value;

/// How an execution ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It does not begin, or an assumption does not hold.
    None,
    /// It ends, and whatever must hold does.
    Ends,
    /// Something that must hold does not.
    Fails,
    /// A loop or call is not followed further.
    GoesOn,
    /// Something that decides it is not known.
    Unknown,
}

impl Machine<'_> {
    /// Whether all preconditions hold in the initial state.
    pub fn is_admitted(&mut self) -> Option<bool> {
        self.state.clone_from(&self.entry);
        self.change();
        let program = self.program;
        let mut known = Some(true);
        for clause in &program.procedure.contract.requires {
            match self.eval(program.node(clause.condition), false).truth() {
                Some(true) => {}
                Some(false) => return Some(false),
                None => known = None,
            }
        }
        known
    }

    /// Executes the procedure from the initial state, which is known to satisfy the preconditions.
    pub fn run(&mut self) -> Outcome {
        let program = self.program;
        let module = program.module;
        let Some(blocks) = &program.procedure.blocks else { return Outcome::Unknown };
        if !module.axioms.is_empty() || !module.invariants.is_empty() {
            return Outcome::Unknown;
        }
        self.state.clone_from(&self.entry);
        self.change();
        let next = self.next.clone();
        let mut here = BlockId(0);
        // No block is passed twice where there are no loops.
        let mut outcome = Outcome::Unknown;
        for _ in 0..blocks.len() {
            let block = &blocks[here.0 as usize];
            let stopped = block.statements.iter().find_map(|one| self.statement(&one.kind));
            if let Some(stopped) = stopped {
                outcome = stopped;
                break;
            }
            match &block.terminator.kind {
                TerminatorKind::Goto(targets) => match targets[..] {
                    [target] => here = target,
                    _ => break,
                },
                TerminatorKind::Branch(test, then, otherwise) => {
                    match self.eval(program.node(*test), false).truth() {
                        Some(true) => here = *then,
                        Some(false) => here = *otherwise,
                        None => break,
                    }
                }
                TerminatorKind::Exit(exit) => {
                    outcome = self.leave(exit);
                    break;
                }
            }
        }
        self.next = next;
        outcome
    }

    /// Executes a statement; returns how the execution ends there, if it does.
    fn statement(&mut self, statement: &StatementKind) -> Option<Outcome> {
        let program = self.program;
        match statement {
            StatementKind::Assign(pairs) => {
                let values: Vec<Value> =
                    pairs.iter().map(|(_, value)| self.eval(program.node(*value), false)).collect();
                let keys: Vec<Option<Value>> =
                    pairs.iter().map(|(place, _)| self.key(place)).collect();
                for ((place, _), (value, key)) in pairs.iter().zip(values.into_iter().zip(keys)) {
                    self.assign(place, key, value);
                }
                None
            }
            StatementKind::Havoc { place, condition, .. } => {
                let key = self.key(place);
                self.assign(place, key, Value::Unknown);
                condition.map(|_| Outcome::Unknown)
            }
            StatementKind::Assume { condition, .. } => {
                match self.eval(program.node(*condition), false).truth() {
                    Some(true) => None,
                    Some(false) => Some(Outcome::None),
                    None => Some(Outcome::Unknown),
                }
            }
            StatementKind::Assert { condition, .. } => {
                match self.eval(program.node(*condition), false).truth() {
                    Some(true) => None,
                    Some(false) => Some(Outcome::Fails),
                    None => Some(Outcome::Unknown),
                }
            }
            StatementKind::Allocate { place, allocation: Allocation::Atom(sort) } => {
                let number = &mut self.next[sort.0 as usize];
                let value = Value::Atom(*number as u8);
                *number += 1;
                let key = self.key(place);
                self.assign(place, key, value);
                None
            }
            StatementKind::Call { .. } => Some(Outcome::GoesOn),
            StatementKind::Allocate { allocation: Allocation::Object { .. }, .. }
            | StatementKind::Free(_)
            | StatementKind::Unsupported { .. } => Some(Outcome::Unknown),
        }
    }

    /// The key at which a place changes a map.
    fn key(&mut self, place: &Place) -> Option<Value> {
        match &place.path[..] {
            [Projection::Index(keys)] if keys.len() == 1 => {
                Some(self.eval(self.program.node(keys[0]), false))
            }
            _ => None,
        }
    }

    fn assign(&mut self, place: &Place, key: Option<Value>, value: Value) {
        let slot = self.program.slot(place.variable);
        match (place.path.is_empty(), key) {
            (true, _) => self.state[slot] = value,
            (false, Some(Value::Atom(key))) => write(&mut self.state[slot], key, value),
            (false, _) => self.state[slot] = Value::Unknown,
        }
        self.change();
    }

    /// Checks the obligations at an exit.
    fn leave(&mut self, exit: &Exit) -> Outcome {
        let program = self.program;
        let is_exceptional = match exit {
            Exit::Normal => false,
            Exit::Exceptional(_) => true,
            Exit::Intended(_) => return Outcome::Ends,
            Exit::Cut(CutReason::Unrolling(_) | CutReason::Inlining(_)) => return Outcome::GoesOn,
            Exit::Cut(CutReason::Unsupported(_)) => return Outcome::Unknown,
        };
        // In a postcondition a parameter is what the caller gave, whatever the body made of it.
        for id in program.procedure.locals_with(Mode::Parameter) {
            let slot = program.slot(Variable::Local(id));
            self.state[slot] = self.entry[slot].clone();
        }
        self.change();
        let ensures = program.procedure.contract.ensures.iter();
        let owed = ensures.filter(|ensured| ensured.exceptional == is_exceptional);
        let owed = owed.map(|ensured| &ensured.clause).filter(|clause| !clause.free);
        let mut outcome = Outcome::Ends;
        for clause in owed {
            let clause: &Clause = clause;
            match self.eval(program.node(clause.condition), false).truth() {
                Some(true) => {}
                Some(false) => return Outcome::Fails,
                None => outcome = Outcome::Unknown,
            }
        }
        outcome
    }
}
