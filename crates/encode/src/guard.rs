//! Guards: under which conditions a run gets somewhere.
//!
//! A guard is a decision diagram over named conditions (paper 2, §3.3), so that what a branch
//! contributes disappears where its sides meet again: `c ∨ ¬c` is true, whatever `c` is made of.
//! A diagram that grows beyond a cap becomes a gate, and stays one.

use std::sync::{Arc, LazyLock};

use biodivine_lib_bdd::{Bdd, BddPointer, BddVariable, BddVariableSet};
use circuit::{Circuit, Gate};
use rustc_hash::FxHashMap;

/// A diagram with more nodes than this becomes a gate.
const CAP: usize = 256;

/// The most conditions that diagrams can name.
const CONDITIONS: usize = 60_000;

/// Most procedures have no more conditions than this, and can share what names them.
const FEW: usize = 4096;

static FEW_VARIABLES: LazyLock<Arc<BddVariableSet>> = LazyLock::new(|| variables(FEW));

fn variables(count: usize) -> Arc<BddVariableSet> {
    Arc::new(BddVariableSet::new_anonymous(count as u16))
}

/// A condition on the inputs under which a run gets somewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Guard {
    Diagram(Bdd),
    Gate(Gate),
}

/// The conditions that guards are made of.
pub(crate) struct Guards {
    variables: Arc<BddVariableSet>,
    /// The condition that each variable names.
    conditions: Vec<Gate>,
    names: FxHashMap<Gate, BddVariable>,
}

impl Guards {
    /// Room for this many conditions; more than that become gates.
    pub(crate) fn new(conditions: usize) -> Guards {
        let variables = match conditions {
            0..=FEW => Arc::clone(&FEW_VARIABLES),
            _ => variables(conditions.min(CONDITIONS)),
        };
        Guards { variables, conditions: Vec::new(), names: FxHashMap::default() }
    }

    pub(crate) fn always(&self) -> Guard {
        Guard::Diagram(self.variables.mk_true())
    }

    pub(crate) fn never(&self) -> Guard {
        Guard::Diagram(self.variables.mk_false())
    }

    /// The guard where a condition holds as well.
    pub(crate) fn and(&mut self, c: &mut Circuit, guard: &Guard, condition: Gate) -> Guard {
        match condition.as_constant() {
            Some(true) => return guard.clone(),
            Some(false) => return self.never(),
            None => {}
        }
        if let (Guard::Diagram(diagram), Some(name)) = (guard, self.name(condition.abs())) {
            let literal = self.variables.mk_literal(name, !condition.is_negated());
            return self.capped(c, diagram.and(&literal));
        }
        let gate = self.gate(c, guard);
        Guard::Gate(c.and(gate, condition))
    }

    /// The guard that holds where either does.
    pub(crate) fn or(&mut self, c: &mut Circuit, a: &Guard, b: &Guard) -> Guard {
        if let (Guard::Diagram(a), Guard::Diagram(b)) = (a, b) {
            return self.capped(c, a.or(b));
        }
        let (a, b) = (self.gate(c, a), self.gate(c, b));
        Guard::Gate(c.or(a, b))
    }

    /// Whether no run gets there, as far as can be seen without asking anybody.
    pub(crate) fn is_never(&self, guard: &Guard) -> bool {
        match guard {
            Guard::Diagram(diagram) => diagram.is_false(),
            Guard::Gate(gate) => *gate == Gate::FALSE,
        }
    }

    /// The guard as a gate.
    pub(crate) fn gate(&self, c: &mut Circuit, guard: &Guard) -> Gate {
        let diagram = match guard {
            Guard::Gate(gate) => return *gate,
            Guard::Diagram(diagram) => diagram,
        };
        if diagram.is_false() {
            return Gate::FALSE;
        }
        // A diagram lists its nodes children first; the first two are the constants.
        let mut gates = vec![Gate::FALSE, Gate::TRUE];
        for pointer in diagram.pointers().skip(2) {
            let condition = self.conditions[diagram.var_of(pointer).to_index()];
            let [low, high] = [diagram.low_link_of(pointer), diagram.high_link_of(pointer)]
                .map(|link: BddPointer| gates[link.to_index()]);
            gates.push(c.ite(condition, high, low));
        }
        gates[diagram.root_pointer().to_index()]
    }

    fn capped(&self, c: &mut Circuit, diagram: Bdd) -> Guard {
        if diagram.size() <= CAP {
            return Guard::Diagram(diagram);
        }
        let gate = self.gate(c, &Guard::Diagram(diagram));
        Guard::Gate(gate)
    }

    fn name(&mut self, condition: Gate) -> Option<BddVariable> {
        if let Some(&name) = self.names.get(&condition) {
            return Some(name);
        }
        let number = self.conditions.len();
        if number >= usize::from(self.variables.num_vars()) {
            return None;
        }
        let name = BddVariable::from_index(number);
        self.conditions.push(condition);
        self.names.insert(condition, name);
        Some(name)
    }
}
