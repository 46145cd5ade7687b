//! Queries: can these gates hold together?
//!
//! Most queries of an analysis are easy, and a solver is slow at easy queries. So a query passes through four
//! stages, and each sees only what the one before left over: constant folding; 1,024 random patterns; the
//! models of earlier queries; and one incremental SAT solver that knows the cones of earlier queries.
//! Kuehlmann, Paruthi, Krohm and Ganai (*Robust Boolean Reasoning*, TCAD 2002) describe the combination.
//!
//! Whatever its source, a witness has been evaluated on the whole circuit before it is an answer.
//!
//! ```
//! use circuit::{Answer, Bits, Circuit, Queries};
//! let mut c = Circuit::new();
//! let x = c.fresh_bits(16);
//! let square = c.mul(&x, &x);
//! let found = c.equal(&square, &Bits::constant(16, 1681));
//! let small = c.ult(&x, &Bits::constant(16, 100));
//! let mut queries = Queries::new(sat::Options::default())?;
//! assert_eq!(queries.ask(&c, &[found, small]), Answer::Sat);
//! assert_eq!(queries.word(&x), 41);
//! let even = !x[0];
//! assert_eq!(queries.ask(&c, &[small, even, found]), Answer::Unsat);
//! assert_eq!(queries.core(), [even, found]);
//! # Ok::<(), sat::Error>(())
//! ```

use sat::{Answer, Limits, Lit, Session};

use crate::limits::{LARGE_CIRCUIT, PATTERN_BATCHES, PATTERN_BATCHES_OF_LARGE};
use crate::{Batch, Bits, Circuit, Encoder, Encoding, Gate};

/// Answers queries about one growing circuit.
///
/// Invariants: a batch's `valid` patterns satisfy every asserted gate; the witness is a valid pattern of a
/// batch; all answers depend only on the circuit and the queries so far.
#[derive(Debug)]
pub struct Queries {
    session: Session,
    encoder: Encoder,
    /// The random patterns, then the models.
    batches: Vec<Patterns>,
    /// How many batches of random patterns there are, and how many of models at most.
    kept: usize,
    /// Where the next model goes, counted over all model batches.
    next_model: usize,
    asserted: Vec<Gate>,
    last: LastAnswer,
    tally: QueryCounts,
}

/// The number of queries that each stage has answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct QueryCounts {
    /// By looking at the gates: a constant, or a gate and its negation.
    pub folded: u64,
    /// By a random pattern.
    pub simulated: u64,
    /// By the model of an earlier query.
    pub recycled: u64,
    /// By the solver, with a model.
    pub satisfied: u64,
    /// By the solver, with a core.
    pub refuted: u64,
    /// Not at all: the solver gave up.
    pub unknown: u64,
}

impl QueryCounts {
    /// The number of queries.
    pub fn asked(&self) -> u64 {
        self.folded + self.simulated + self.recycled + self.solved()
    }

    /// How many of them reached the solver.
    pub fn solved(&self) -> u64 {
        self.satisfied + self.refuted + self.unknown
    }
}

impl std::ops::AddAssign for QueryCounts {
    fn add_assign(&mut self, other: QueryCounts) {
        self.folded += other.folded;
        self.simulated += other.simulated;
        self.recycled += other.recycled;
        self.satisfied += other.satisfied;
        self.refuted += other.refuted;
        self.unknown += other.unknown;
    }
}

#[derive(Debug)]
struct Patterns {
    batch: Batch,
    /// The patterns that satisfy what has been asserted.
    valid: u64,
}

/// The outcome of the last query.
#[derive(Debug)]
enum LastAnswer {
    Witness { batch: usize, bit: u32 },
    Core(Vec<Gate>),
    Nothing,
}

impl Queries {
    /// Nothing asserted, nothing asked.
    ///
    /// # Errors
    ///
    /// If the solver cannot be had.
    pub fn new(options: sat::Options) -> Result<Queries, sat::Error> {
        Ok(Queries::with(Session::new(options)?, Encoder::new(Encoding::Polarity)))
    }

    /// Nothing asserted, nothing asked, on top of an empty session and an unused encoder.
    pub fn with(session: Session, encoder: Encoder) -> Queries {
        Queries {
            session,
            encoder,
            batches: (0..PATTERN_BATCHES).map(Patterns::new).collect(),
            kept: PATTERN_BATCHES,
            next_model: 0,
            asserted: Vec::new(),
            last: LastAnswer::Nothing,
            tally: QueryCounts::default(),
        }
    }

    /// Makes a gate hold in every later query.
    pub fn assert(&mut self, circuit: &Circuit, gate: Gate) {
        self.encoder.assert_all(circuit, &[gate], &mut self.session);
        self.asserted.push(gate);
        self.make_room(circuit);
        for patterns in &mut self.batches {
            patterns.batch.update(circuit);
            patterns.valid &= patterns.batch.word(gate);
        }
        self.last = LastAnswer::Nothing;
    }

    /// Whether the gates can hold together, along with everything asserted.
    pub fn ask(&mut self, circuit: &Circuit, gates: &[Gate]) -> Answer {
        self.ask_limited(circuit, gates, &Limits::none())
    }

    /// Whether the gates can hold together, as far as the solver finds out within its limits.
    pub fn ask_limited(&mut self, circuit: &Circuit, gates: &[Gate], limits: &Limits) -> Answer {
        self.ask_any(circuit, gates, &[Gate::TRUE], limits)
    }

    /// Whether the gates can hold together with one of the others, or several.
    pub fn ask_any(
        &mut self,
        circuit: &Circuit,
        gates: &[Gate],
        others: &[Gate],
        limits: &Limits,
    ) -> Answer {
        if let Some(core) = contradiction(gates, others) {
            self.tally.folded += 1;
            self.last = LastAnswer::Core(core);
            return Answer::Unsat;
        }
        if let Some((batch, bit)) = self.recall(circuit, gates, others) {
            if batch < self.kept {
                self.tally.simulated += 1;
            } else {
                self.tally.recycled += 1;
            }
            self.last = LastAnswer::Witness { batch, bit };
            return Answer::Sat;
        }
        let mut literals = self.encoder.literals(circuit, gates, &mut self.session);
        let choice = self.choice(circuit, others);
        literals.extend(choice);
        let answer = self.session.solve_limited(&literals, limits);
        match answer {
            Answer::Sat => {
                self.tally.satisfied += 1;
                let (batch, bit) = self.remember(circuit);
                let patterns = &self.batches[batch];
                let holds = patterns.valid & patterns.holding(gates, others);
                assert!(holds >> bit & 1 == 1, "the solver's model does not satisfy the circuit");
                self.last = LastAnswer::Witness { batch, bit };
            }
            Answer::Unsat => {
                self.tally.refuted += 1;
                let core = self.session.core();
                let failed = |literal: &Lit| core.binary_search(literal).is_ok();
                let core = gates.iter().zip(&literals).filter(|(_, literal)| failed(literal));
                let core = core.map(|(&gate, _)| gate).collect();
                self.last = LastAnswer::Core(core);
            }
            Answer::Unknown(_) => {
                self.tally.unknown += 1;
                self.last = LastAnswer::Nothing;
            }
        }
        if let Some(choice) = choice {
            self.session.add_clause(&[!choice]);
        }
        answer
    }

    /// A literal that is assumed for one query and makes one of the gates hold, unless one always does.
    fn choice(&mut self, circuit: &Circuit, gates: &[Gate]) -> Option<Lit> {
        if gates.contains(&Gate::TRUE) {
            return None;
        }
        let choice = self.session.new_var().positive();
        let mut clause = self.encoder.literals(circuit, gates, &mut self.session);
        clause.push(!choice);
        self.session.add_clause(&clause);
        Some(choice)
    }

    /// Makes the next model, if the solver has to find one, unlike the last ones: of the inputs that it
    /// knows each is to have the value that it has in a pattern of the given number.
    pub fn vary(&mut self, circuit: &Circuit, number: u64) {
        let patterns = &mut self.batches[(number / 64) as usize % self.kept];
        patterns.batch.update(circuit);
        for input in circuit.inputs() {
            if let Some(literal) = self.encoder.variable(input) {
                let holds = patterns.batch.word(input) >> (number % 64) & 1 == 1;
                self.session.prefer(if holds { literal } else { !literal });
            }
        }
    }

    /// The value of a gate, not only of an input, in the witness of the last query.
    ///
    /// # Panics
    ///
    /// If the last answer was not `Sat`, or if the gate was created after it.
    pub fn value(&self, gate: Gate) -> bool {
        let LastAnswer::Witness { batch, bit } = self.last else {
            panic!("a value is read though the last answer was not Sat");
        };
        self.batches[batch].batch.word(gate) >> bit & 1 == 1
    }

    /// The value of a word of at most 128 bits in the witness of the last query.
    ///
    /// # Panics
    ///
    /// As [`Queries::value`], or if the word is wider.
    pub fn word(&self, word: &Bits) -> u128 {
        assert!(word.width() <= 128, "a number holds at most 128 bits");
        word.iter().rev().fold(0, |number, gate| number << 1 | u128::from(self.value(gate)))
    }

    /// The witness of the last query: the values of all inputs, by number.
    ///
    /// # Panics
    ///
    /// As [`Queries::value`].
    pub fn witness(&self, circuit: &Circuit) -> Vec<bool> {
        circuit.inputs().map(|input| self.value(input)).collect()
    }

    /// Gates of the last query that cannot hold together; empty if the asserted gates are inconsistent by
    /// themselves.
    ///
    /// # Panics
    ///
    /// If the last answer was not `Unsat`.
    pub fn core(&self) -> &[Gate] {
        match &self.last {
            LastAnswer::Core(core) => core,
            LastAnswer::Witness { .. } | LastAnswer::Nothing => {
                panic!("a core is read though the last answer was not Unsat")
            }
        }
    }

    /// The number of queries that each stage has answered.
    pub fn tally(&self) -> QueryCounts {
        self.tally
    }

    /// The SAT session below, for its statistics.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Keeps little of a large circuit, if no model has been kept yet.
    fn make_room(&mut self, circuit: &Circuit) {
        if circuit.len() > LARGE_CIRCUIT
            && self.kept == PATTERN_BATCHES
            && self.batches.len() == PATTERN_BATCHES
        {
            self.batches.truncate(PATTERN_BATCHES_OF_LARGE);
            self.kept = PATTERN_BATCHES_OF_LARGE;
        }
    }

    /// A pattern already known under which the gates hold, and one of the others.
    fn recall(
        &mut self,
        circuit: &Circuit,
        gates: &[Gate],
        others: &[Gate],
    ) -> Option<(usize, u32)> {
        self.make_room(circuit);
        for (index, patterns) in self.batches.iter_mut().enumerate() {
            patterns.batch.update(circuit);
            let found = patterns.valid & patterns.holding(gates, others);
            if found != 0 {
                return Some((index, found.trailing_zeros()));
            }
        }
        None
    }

    /// Puts the solver's model among the patterns. Inputs the solver knows nothing of keep the random
    /// values of their batch.
    fn remember(&mut self, circuit: &Circuit) -> (usize, u32) {
        let index = self.kept + self.next_model / 64;
        let bit = (self.next_model % 64) as u32;
        self.next_model = (self.next_model + 1) % (64 * self.kept);
        if index == self.batches.len() {
            self.batches.push(Patterns { valid: 0, ..Patterns::new(index) });
        }
        let (session, encoder) = (&self.session, &self.encoder);
        let patterns = &mut self.batches[index];
        let inputs = circuit
            .inputs()
            .map(|input| encoder.variable(input).map(|literal| session.value(literal)));
        patterns.batch.set_pattern(bit, inputs);
        patterns.batch.update(circuit);
        let valid = patterns.batch.conjunction(&self.asserted) & 1 << bit;
        patterns.valid = patterns.valid & !(1 << bit) | valid;
        (index, bit)
    }
}

impl Patterns {
    fn new(index: usize) -> Patterns {
        Patterns { batch: Batch::random(index as u64), valid: u64::MAX }
    }

    /// The patterns under which the gates hold, and one of the others.
    fn holding(&self, gates: &[Gate], others: &[Gate]) -> u64 {
        let any = others.iter().fold(0, |any, &gate| any | self.batch.word(gate));
        any & self.batch.conjunction(gates)
    }
}

/// Gates of a query that contradict each other syntactically, or a gate that the others contradict.
fn contradiction(gates: &[Gate], others: &[Gate]) -> Option<Vec<Gate>> {
    if gates.contains(&Gate::FALSE) {
        return Some(vec![Gate::FALSE]);
    }
    if others.iter().all(|gate| *gate == Gate::FALSE) {
        return Some(Vec::new());
    }
    let clash = gates.iter().find(|&&gate| gates.contains(&!gate));
    clash.map(|&gate| vec![gate, !gate])
}
