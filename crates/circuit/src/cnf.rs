//! From gates to clauses, lazily and incrementally.
//!
//! An [`Encoder`] assigns SAT variables to the gates of a query and their cones, and never emits a clause
//! twice: a later query pays only for the part of its cone that no earlier one has paid for. With
//! [`Encoding::Polarity`] a gate's definition is emitted only in the direction in which it is used (Plaisted
//! and Greenbaum, *A Structure-Preserving Clause Form Translation*, 1986), and the other direction when a
//! later query needs it.
//!
//! The structure that [`Circuit`] breaks into two-input conjunctions is found again here: chains of
//! conjunctions become one n-ary gate, and multiplexers and exclusive disjunctions get their own
//! clauses. See [`structure`] for when an inner node is allowed to disappear.
//!
//! ```
//! use circuit::{Circuit, Encoder, Encoding};
//! let mut c = Circuit::new();
//! let (x, y, z) = (c.input(), c.input(), c.input());
//! let (left, right) = (c.or(x, y), c.xor(y, z));
//! let mut cnf = sat::Cnf::new();
//! Encoder::new(Encoding::Polarity).assert_all(&c, &[left, right], &mut cnf);
//! assert_eq!((cnf.num_vars(), cnf.num_clauses()), (3, 3));
//! ```

mod structure;
#[cfg(test)]
mod tests;

use sat::{Lit, Var};

use crate::{Circuit, Gate};
use structure::Shape;

/// Where clauses go.
pub trait Sink {
    /// A fresh variable.
    fn new_var(&mut self) -> Var;
    /// Takes one more clause.
    fn add_clause(&mut self, clause: &[Lit]);
}

impl Sink for sat::Cnf {
    fn new_var(&mut self) -> Var {
        sat::Cnf::new_var(self)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        sat::Cnf::add_clause(self, clause);
    }
}

impl Sink for sat::Session {
    fn new_var(&mut self) -> Var {
        sat::Session::new_var(self)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        sat::Session::add_clause(self, clause);
    }
}

/// Which directions of a gate's definition are emitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// Only the directions in which the gate is used (Plaisted–Greenbaum).
    #[default]
    Polarity,
    /// Both, always (Tseitin).
    Full,
}

/// Translates gates of one circuit into clauses for one sink.
///
/// Invariants: a variable represents one node and has the node's value in every model in which the directions
/// emitted matter; a node that has been asserted is a constant from then on; between calls no node is queued
/// and no fanout counted.
#[derive(Clone, Debug)]
pub struct Encoder {
    encoding: Encoding,
    redundant_multiplexers: bool,
    slots: Vec<Slot>,
    /// The variable that is fixed to true, once a constant has been asked for.
    constant: Option<Var>,
    /// Scratch: gates still to be visited, nodes to be encoded, leaves and literals of one node.
    stack: Vec<Gate>,
    cone: Vec<u32>,
    leaves: Vec<Gate>,
    clause: Vec<Lit>,
}

/// The encoder's state of one node.
#[derive(Clone, Copy, Default, Debug)]
struct Slot {
    /// The variable's index if `VARIABLE` is set, the absorbing node if `ABSORBED` is.
    link: u32,
    flags: u16,
    /// References from the cone being encoded; saturates at 2, for only "one or more" matters.
    fanout: u8,
}

/// The clauses of `node → definition` exist.
const EMITTED_POSITIVE: u16 = 1;
/// The clauses of `¬node → ¬definition` exist.
const EMITTED_NEGATIVE: u16 = 1 << 1;
const EMITTED: u16 = EMITTED_POSITIVE | EMITTED_NEGATIVE;
/// Queued flags are the emitted flags shifted by this much.
const QUEUE_SHIFT: u16 = 2;
const QUEUED: u16 = EMITTED << QUEUE_SHIFT;
/// The node has a variable.
const VARIABLE: u16 = 1 << 4;
/// The node is part of another node's definition and has no variable.
const ABSORBED: u16 = 1 << 5;
/// The node is true, respectively false, in every model.
const ASSERTED_TRUE: u16 = 1 << 6;
const ASSERTED_FALSE: u16 = 1 << 7;
const ASSERTED: u16 = ASSERTED_TRUE | ASSERTED_FALSE;
/// The node was asserted false by this call, and its clauses are still to be emitted.
const FACT: u16 = 1 << 8;

impl Encoder {
    /// An encoder that has emitted nothing yet.
    pub fn new(encoding: Encoding) -> Encoder {
        Encoder {
            encoding,
            redundant_multiplexers: false,
            slots: Vec::new(),
            constant: None,
            stack: Vec::new(),
            cone: Vec::new(),
            leaves: Vec::new(),
            clause: Vec::new(),
        }
    }

    /// Whether to emit that a multiplexer agrees with its branches where they agree. These clauses are
    /// implied by the others but let the solver propagate without knowing the condition.
    pub fn redundant_multiplexers(mut self, emit: bool) -> Encoder {
        self.redundant_multiplexers = emit;
        self
    }

    /// A literal that implies the gate: assuming or asserting it is satisfiable exactly if the gate
    /// can be true. Its negation implies nothing; ask for the negated gate's literal instead.
    pub fn literal(&mut self, circuit: &Circuit, gate: Gate, sink: &mut impl Sink) -> Lit {
        self.prepare(circuit);
        let literal = self.leaf(gate, sink);
        self.stack.push(gate);
        self.encode(circuit, sink);
        literal
    }

    /// The literals of several gates, encoded together so that what they share is seen as shared.
    pub fn literals(
        &mut self,
        circuit: &Circuit,
        gates: &[Gate],
        sink: &mut impl Sink,
    ) -> Vec<Lit> {
        self.prepare(circuit);
        let literals = gates.iter().map(|&gate| self.leaf(gate, sink)).collect();
        self.stack.extend(gates.iter().rev());
        self.encode(circuit, sink);
        literals
    }

    /// The literal of an input, whose variable is made now if it does not exist. Needs no clauses,
    /// so both signs of the literal can be used, and callers can number inputs before all else.
    pub fn input_literal(&mut self, circuit: &Circuit, gate: Gate, sink: &mut impl Sink) -> Lit {
        assert!(circuit.operands(gate).is_none(), "{gate} is a conjunction, not an input");
        self.prepare(circuit);
        self.leaf(gate, sink)
    }

    /// The literal of the gate if its node has a variable already. The literal's value in a model
    /// is the gate's for inputs; for other gates it need not be, as one direction of the definition
    /// may be missing: evaluate the circuit on the inputs instead.
    pub fn variable(&self, gate: Gate) -> Option<Lit> {
        if let Some(value) = gate.as_constant() {
            return self.constant.map(|var| var.lit(value));
        }
        let slot = self.slots.get(gate.node())?;
        (slot.flags & VARIABLE != 0).then(|| Var::new(slot.link as usize).lit(!gate.is_negated()))
    }

    /// Makes the conjunction of the gates hold in every model.
    ///
    /// Asserted conjunctions are split, asserted disjunctions become one clause of their leaves, and
    /// none of them gets a variable unless something else refers to it. The empty clause is added if
    /// a gate is the constant false or was asserted with the other sign before.
    pub fn assert_all(&mut self, circuit: &Circuit, gates: &[Gate], sink: &mut impl Sink) {
        self.prepare(circuit);
        let mut pending: Vec<Gate> = gates.iter().rev().copied().collect();
        let mut facts = Vec::new();
        while let Some(gate) = pending.pop() {
            if let Some(value) = gate.as_constant() {
                if !value {
                    sink.add_clause(&[]);
                }
                continue;
            }
            let slot = &mut self.slots[gate.node()];
            let (asserted, refuted, emitted) = if gate.is_negated() {
                (ASSERTED_FALSE, ASSERTED_TRUE, EMITTED_NEGATIVE)
            } else {
                (ASSERTED_TRUE, ASSERTED_FALSE, EMITTED_POSITIVE)
            };
            if slot.flags & refuted != 0 {
                sink.add_clause(&[]);
            }
            if slot.flags & ASSERTED != 0 {
                continue;
            }
            let defined = slot.flags & emitted != 0;
            slot.flags |= asserted;
            if slot.flags & VARIABLE != 0 {
                slot.flags |= EMITTED;
                let literal = Var::new(slot.link as usize).lit(!gate.is_negated());
                sink.add_clause(&[literal]);
            }
            match circuit.operands(gate) {
                None => {
                    self.leaf(gate, sink);
                }
                Some((a, b)) if !defined && !gate.is_negated() => pending.extend([b, a]),
                Some(_) if !defined => facts.push(gate),
                Some(_) => {}
            }
        }
        for &gate in &facts {
            let (a, b) = circuit.operands(gate).expect("a fact is a negated conjunction");
            self.slots[gate.node()].flags |= FACT;
            self.cone.push(gate.node() as u32);
            self.refer(a, b, true);
        }
        self.encode(circuit, sink);
    }

    /// Makes room for nodes that the circuit has gained.
    fn prepare(&mut self, circuit: &Circuit) {
        if self.slots.len() < circuit.len() {
            self.slots.resize(circuit.len(), Slot::default());
        }
    }

    /// The literal of a gate, without any definition.
    fn leaf(&mut self, gate: Gate, sink: &mut impl Sink) -> Lit {
        if let Some(value) = gate.as_constant() {
            let constant = self.constant.unwrap_or_else(|| {
                let var = sink.new_var();
                sink.add_clause(&[var.positive()]);
                var
            });
            self.constant = Some(constant);
            return constant.lit(value);
        }
        let slot = &mut self.slots[gate.node()];
        if slot.flags & VARIABLE == 0 {
            let var = sink.new_var();
            slot.link = var.index() as u32;
            slot.flags = slot.flags & !ABSORBED | VARIABLE;
            if slot.flags & ASSERTED != 0 {
                slot.flags |= EMITTED;
                sink.add_clause(&[var.lit(slot.flags & ASSERTED_TRUE != 0)]);
            }
        }
        Var::new(slot.link as usize).lit(!gate.is_negated())
    }

    /// Counts the references of a node to its operands and queues them for a visit.
    fn refer(&mut self, a: Gate, b: Gate, negate: bool) {
        for operand in [b, a] {
            let slot = &mut self.slots[operand.node()];
            slot.fanout = (slot.fanout + 1).min(2);
            self.stack.push(operand.negate_if(negate));
        }
    }

    /// Encodes the gates on `stack` and their cones: first a visit that finds the cone and counts fanouts,
    /// then one sweep from the newest node to the oldest. In that order a node's users come before the node,
    /// so when it is reached they have determined whether it needs a variable.
    fn encode(&mut self, circuit: &Circuit, sink: &mut impl Sink) {
        while let Some(gate) = self.stack.pop() {
            let wanted = self.wanted(gate);
            let slot = &mut self.slots[gate.node()];
            let known = slot.flags | slot.flags >> QUEUE_SHIFT;
            if slot.flags & ASSERTED != 0 || wanted & !known == 0 {
                continue;
            }
            let Some((a, b)) = circuit.operands(gate) else { continue };
            let first = slot.flags & QUEUED == 0;
            slot.flags |= (wanted & !slot.flags) << QUEUE_SHIFT;
            if first {
                self.cone.push(gate.node() as u32);
                self.refer(a, b, gate.is_negated());
            } else {
                self.stack.extend([b.negate_if(gate.is_negated()), a.negate_if(gate.is_negated())]);
            }
        }
        let mut cone = std::mem::take(&mut self.cone);
        cone.sort_unstable();
        for &node in cone.iter().rev() {
            let slot = &mut self.slots[node as usize];
            let wanted = slot.flags >> QUEUE_SHIFT & EMITTED;
            let flags = slot.flags;
            slot.flags &= !(QUEUED | FACT);
            slot.fanout = 0;
            if flags & FACT != 0 {
                self.emit_fact(circuit, node, sink);
            } else if flags & VARIABLE != 0 {
                slot.flags |= wanted;
                self.emit_definition(circuit, node, wanted, sink);
            }
        }
        cone.clear();
        self.cone = cone;
    }

    fn wanted(&self, gate: Gate) -> u16 {
        match self.encoding {
            Encoding::Full => EMITTED,
            Encoding::Polarity if gate.is_negated() => EMITTED_NEGATIVE,
            Encoding::Polarity => EMITTED_POSITIVE,
        }
    }

    /// The clauses that relate a node's variable to its definition.
    fn emit_definition(&mut self, circuit: &Circuit, node: u32, wanted: u16, sink: &mut impl Sink) {
        let output = Var::new(self.slots[node as usize].link as usize).positive();
        let (positive, negative) = (wanted & EMITTED_POSITIVE != 0, wanted & EMITTED_NEGATIVE != 0);
        match self.shape(circuit, node) {
            Shape::Multiplexer(multiplexer) => {
                if positive {
                    self.emit_multiplexer(multiplexer, Some(!output), false, sink);
                }
                if negative {
                    self.emit_multiplexer(multiplexer, Some(output), true, sink);
                }
            }
            Shape::Conjunction => {
                let leaves = std::mem::take(&mut self.leaves);
                if positive {
                    for &leaf in &leaves {
                        let leaf = self.leaf(leaf, sink);
                        sink.add_clause(&[!output, leaf]);
                    }
                }
                if negative {
                    self.emit_disjunction(&leaves, Some(output), sink);
                }
                self.leaves = leaves;
            }
        }
    }

    /// The clauses of a node that is false in every model.
    fn emit_fact(&mut self, circuit: &Circuit, node: u32, sink: &mut impl Sink) {
        match self.shape(circuit, node) {
            Shape::Multiplexer(multiplexer) => {
                self.emit_multiplexer(multiplexer, None, true, sink);
            }
            Shape::Conjunction => {
                let leaves = std::mem::take(&mut self.leaves);
                self.emit_disjunction(&leaves, None, sink);
                self.leaves = leaves;
            }
        }
    }

    /// One clause: some leaf is false, or else `output` holds. The leaves are sorted.
    fn emit_disjunction(&mut self, leaves: &[Gate], output: Option<Lit>, sink: &mut impl Sink) {
        if leaves.windows(2).any(|pair| pair[0] == !pair[1]) {
            return;
        }
        let mut clause = std::mem::take(&mut self.clause);
        clause.clear();
        clause.extend(output);
        for &leaf in leaves {
            clause.push(self.leaf(!leaf, sink));
        }
        sink.add_clause(&clause);
        self.clause = clause;
    }

    /// The clauses of `output ∨ ite(condition, then, otherwise)`, the multiplexer negated if asked.
    fn emit_multiplexer(
        &mut self,
        [condition, then, otherwise]: [Gate; 3],
        output: Option<Lit>,
        negate: bool,
        sink: &mut impl Sink,
    ) {
        let exclusive = then == !otherwise;
        let condition = self.leaf(condition, sink);
        let then = self.leaf(then.negate_if(negate), sink);
        let otherwise = self.leaf(otherwise.negate_if(negate), sink);
        let mut emit = |a: Lit, b: Lit| match output {
            Some(output) => sink.add_clause(&[output, a, b]),
            None => sink.add_clause(&[a, b]),
        };
        emit(!condition, then);
        emit(condition, otherwise);
        if self.redundant_multiplexers && !exclusive {
            emit(then, otherwise);
        }
    }
}
