//! Queries about guards: only here words are bit-blasted (Xie & Aiken 2007, §2.1).
//!
//! A guard whose conditions are independent needs no solver: every diagram but `NEVER` is satisfiable. The
//! comparisons of words in any other guard are bit-blasted into one circuit, with one incremental solver per
//! procedure.

use circuit::{Answer, Bits, Circuit, FloatFormat, Gate, Queries};
use encode::{WordResult, word_operator};
use ir::Op;
use rustc_hash::FxHashMap;

use crate::limits::QUERY_CONFLICTS;
use crate::space::{Atom, Input, Space, Term, TermId};
use circuit::Guard;

/// An assignment of the conditions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Model {
    atoms: Vec<bool>,
    inputs: FxHashMap<(Input, u32), u128>,
}

impl Model {
    pub(crate) fn holds(&self, condition: u32) -> bool {
        self.atoms.get(condition as usize).copied().unwrap_or(false)
    }

    /// The value of an input; zero if it does not matter.
    pub(crate) fn input(&self, input: Input, width: u32) -> u128 {
        self.inputs.get(&(input, width)).copied().unwrap_or(0)
    }
}

/// The solver of one procedure.
#[derive(Default)]
pub(crate) struct Solver {
    circuit: Circuit,
    queries: Option<Queries>,
    terms: FxHashMap<TermId, Bits>,
    inputs: FxHashMap<(Input, u32), Bits>,
    atoms: FxHashMap<u32, Gate>,
    guards: FxHashMap<Guard, Gate>,
    answers: FxHashMap<Guard, Answer>,
    /// The inputs that are compared as floating-point numbers, and the condition under which each is NaN.
    numbers: FxHashMap<TermId, Gate>,
    pub(crate) asked: u64,
}

impl Solver {
    /// Whether a guard is satisfiable.
    pub(crate) fn ask(&mut self, space: &Space, guard: Guard) -> Answer {
        if guard == Guard::NEVER {
            return Answer::Unsat;
        }
        if let Some(known) = self.answers.get(&guard) {
            return known.clone();
        }
        let compares = space
            .diagrams
            .conditions(guard)
            .into_iter()
            .filter(|number| is_compared(space, *number));
        let known = match compares.count() {
            0 | 1 => Answer::Sat,
            _ => self.solve(space, guard),
        };
        self.answers.insert(guard, known.clone());
        known
    }

    /// Whether a guard is satisfiable, or unknown to be.
    pub(crate) fn may(&mut self, space: &Space, guard: Guard) -> bool {
        !self.ask(space, guard).is_unsat()
    }

    fn solve(&mut self, space: &Space, guard: Guard) -> Answer {
        self.asked += 1;
        let gate = self.gate(space, guard);
        // A number that comes from outside is not NaN unless the procedure tests for it.
        let untested = self.numbers.iter().filter(|(id, _)| !space.is_tested(**id));
        let mut gates: Vec<Gate> = untested.map(|(_, nan)| !*nan).collect();
        gates.sort();
        gates.push(gate);
        let queries = match &mut self.queries {
            Some(queries) => queries,
            None => match Queries::new(sat::Options::default()) {
                Ok(queries) => self.queries.insert(queries),
                Err(_) => return Answer::Unknown(sat::Reason::Interrupted),
            },
        };
        queries.ask_limited(&self.circuit, &gates, &sat::Limits::conflicts(QUERY_CONFLICTS))
    }

    /// A model of a guard, with a value of every condition, if there is one.
    pub(crate) fn model(&mut self, space: &Space, guard: Guard) -> Option<Model> {
        let atoms: Vec<Gate> = (0..space.atoms()).map(|number| self.atom(space, number)).collect();
        if !self.solve(space, guard).is_sat() {
            return None;
        }
        let queries = self.queries.as_ref()?;
        let atoms = atoms.into_iter().map(|gate| queries.value(gate)).collect();
        let small = self.inputs.iter().filter(|((_, width), _)| *width <= 128);
        let inputs = small.map(|(input, bits)| (*input, queries.word(bits))).collect();
        Some(Model { atoms, inputs })
    }

    /// A guard as a gate.
    fn gate(&mut self, space: &Space, guard: Guard) -> Gate {
        if let Some(&gate) = self.guards.get(&guard) {
            return gate;
        }
        let Some(node) = space.diagrams.node(guard) else {
            return Gate::constant(guard == Guard::ALWAYS);
        };
        let gate = stacker::maybe_grow(64 << 10, 1 << 20, || {
            let condition = self.atom(space, node.condition);
            let (high, low) = (self.gate(space, node.high), self.gate(space, node.low));
            self.circuit.ite(condition, high, low)
        });
        self.guards.insert(guard, gate);
        gate
    }

    fn atom(&mut self, space: &Space, number: u32) -> Gate {
        if let Some(&gate) = self.atoms.get(&number) {
            return gate;
        }
        let gate = match space.atom_of(number) {
            Atom::Compare(op, a, b) => {
                if let Op::Float(_) = op {
                    self.note_number(space, *a);
                    self.note_number(space, *b);
                }
                let (a, b) = (self.bits(space, *a), self.bits(space, *b));
                match word_operator(&mut self.circuit, op, &a, Some(&b)) {
                    Some(WordResult::Truth(gate)) => gate,
                    Some(WordResult::Word(_)) | None => self.circuit.input(),
                }
            }
            Atom::Null(_) | Atom::Entry(..) | Atom::Made(..) | Atom::Input(_) | Atom::Same(..) => {
                self.circuit.input()
            }
        };
        self.atoms.insert(number, gate);
        gate
    }

    /// Records that an input is compared as a floating-point number.
    fn note_number(&mut self, space: &Space, id: TermId) {
        if let Term::Input(_) = space.term(id)
            && let Some(format) = FloatFormat::of_width(space.width(id) as usize)
        {
            let bits = self.bits(space, id);
            let nan = self.circuit.float_is_nan(format, &bits);
            self.numbers.insert(id, nan);
        }
    }

    fn bits(&mut self, space: &Space, id: TermId) -> Bits {
        if let Some(bits) = self.terms.get(&id) {
            return bits.clone();
        }
        let width = space.width(id) as usize;
        let bits = stacker::maybe_grow(64 << 10, 1 << 20, || match space.term(id) {
            Term::Constant(value) => Bits::constant(width, *value),
            Term::Input(input) => self
                .inputs
                .entry((*input, width as u32))
                .or_insert_with(|| self.circuit.fresh_bits(width))
                .clone(),
            Term::Op(op, operands) => {
                let operands: Vec<Bits> = operands.iter().map(|id| self.bits(space, *id)).collect();
                let result = operands
                    .first()
                    .and_then(|a| word_operator(&mut self.circuit, op, a, operands.get(1)));
                match result {
                    Some(WordResult::Word(bits)) => bits,
                    Some(WordResult::Truth(gate)) => Bits::from(gate),
                    None => self.circuit.fresh_bits(width),
                }
            }
            Term::Choice(guard, then, otherwise) => {
                let condition = self.gate(space, *guard);
                let (then, otherwise) = (self.bits(space, *then), self.bits(space, *otherwise));
                self.circuit.select(condition, &then, &otherwise)
            }
        });
        self.terms.insert(id, bits.clone());
        bits
    }
}

/// Whether a condition is a comparison, and not independent of the others.
fn is_compared(space: &Space, number: u32) -> bool {
    match space.atom_of(number) {
        Atom::Compare(..) => true,
        Atom::Null(_) | Atom::Entry(..) | Atom::Made(..) | Atom::Input(_) | Atom::Same(..) => false,
    }
}
