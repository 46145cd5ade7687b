//! Guards: under which conditions an execution reaches a point.
//!
//! A guard is a decision diagram ([`circuit::Guards`], which `summary` uses too) over conditions that are gates. A
//! diagram that grows beyond a limit becomes a gate, and stays one.

use std::cell::RefCell;

use circuit::{Circuit, Gate};
use rustc_hash::FxHashMap;

use crate::limits::{DIAGRAM_CONDITIONS, DIAGRAM_NODES, FEW_DIAGRAM_CONDITIONS};

/// A condition on the inputs under which an execution reaches a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Guard {
    Diagram(circuit::Guard),
    Gate(Gate),
}

/// The guards of a procedure.
pub(crate) struct Guards {
    diagrams: circuit::Guards,
    /// The most conditions that diagrams may test.
    room: usize,
    /// The gate of each condition.
    conditions: Vec<Gate>,
    numbers: FxHashMap<Gate, u32>,
    /// The gates of diagrams.
    gates: RefCell<FxHashMap<circuit::Guard, Gate>>,
}

impl Guards {
    /// Guards over about this many conditions.
    pub(crate) fn new(conditions: usize) -> Guards {
        Guards {
            diagrams: circuit::Guards::new(usize::MAX),
            room: conditions.clamp(FEW_DIAGRAM_CONDITIONS, DIAGRAM_CONDITIONS),
            conditions: Vec::new(),
            numbers: FxHashMap::default(),
            gates: RefCell::default(),
        }
    }

    pub(crate) fn always(&self) -> Guard {
        Guard::Diagram(circuit::Guard::ALWAYS)
    }

    pub(crate) fn never(&self) -> Guard {
        Guard::Diagram(circuit::Guard::NEVER)
    }

    /// The guard where a condition holds as well.
    pub(crate) fn and(&mut self, c: &mut Circuit, guard: &Guard, condition: Gate) -> Guard {
        match condition.as_constant() {
            Some(true) => return *guard,
            Some(false) => return self.never(),
            None => {}
        }
        if let (Guard::Diagram(diagram), Some(number)) = (*guard, self.number(condition.abs())) {
            let literal = self.diagrams.literal(number);
            let both = match condition.is_negated() {
                false => self.diagrams.and(diagram, literal),
                true => self.diagrams.and_not(diagram, literal),
            };
            return self.limited(c, both);
        }
        let gate = self.gate(c, guard);
        Guard::Gate(c.and(gate, condition))
    }

    /// The guard that holds where either does.
    pub(crate) fn or(&mut self, c: &mut Circuit, a: &Guard, b: &Guard) -> Guard {
        if let (Guard::Diagram(a), Guard::Diagram(b)) = (*a, *b) {
            let either = self.diagrams.or(a, b);
            return self.limited(c, either);
        }
        let (a, b) = (self.gate(c, a), self.gate(c, b));
        Guard::Gate(c.or(a, b))
    }

    /// Whether a guard never holds, as far as that is known without a solver.
    pub(crate) fn is_never(&self, guard: &Guard) -> bool {
        match guard {
            Guard::Diagram(diagram) => *diagram == circuit::Guard::NEVER,
            Guard::Gate(gate) => *gate == Gate::FALSE,
        }
    }

    /// The guard as a gate.
    pub(crate) fn gate(&self, c: &mut Circuit, guard: &Guard) -> Gate {
        match guard {
            Guard::Gate(gate) => *gate,
            Guard::Diagram(diagram) => self.built(c, &mut self.gates.borrow_mut(), *diagram),
        }
    }

    /// The gate of a diagram. Diagrams are no deeper than they have nodes.
    fn built(
        &self,
        c: &mut Circuit,
        gates: &mut FxHashMap<circuit::Guard, Gate>,
        diagram: circuit::Guard,
    ) -> Gate {
        let Some(node) = self.diagrams.node(diagram) else {
            return Gate::constant(diagram == circuit::Guard::ALWAYS);
        };
        if let Some(&gate) = gates.get(&diagram) {
            return gate;
        }
        let high = self.built(c, gates, node.high);
        let low = self.built(c, gates, node.low);
        let gate = c.ite(self.conditions[node.condition as usize], high, low);
        gates.insert(diagram, gate);
        gate
    }

    fn limited(&self, c: &mut Circuit, diagram: circuit::Guard) -> Guard {
        let guard = Guard::Diagram(diagram);
        match self.diagrams.is_larger(diagram, DIAGRAM_NODES) {
            false => guard,
            true => Guard::Gate(self.gate(c, &guard)),
        }
    }

    /// The number of a condition, if there is room for it.
    fn number(&mut self, condition: Gate) -> Option<u32> {
        if let Some(&number) = self.numbers.get(&condition) {
            return Some(number);
        }
        if self.conditions.len() >= self.room {
            return None;
        }
        let number = self.conditions.len() as u32;
        self.conditions.push(condition);
        self.numbers.insert(condition, number);
        Some(number)
    }
}
