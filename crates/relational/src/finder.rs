//! The model finder: bounds and formulas in, instances or a reason for their absence out.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use circuit::{Circuit, Encoder, Encoding, Gate, Valuation};
use sat::Session;

use crate::bounds::{Bound, Bounds};
use crate::core::{self, Core};
use crate::error::Error;
use crate::evaluate::Evaluator;
use crate::face::Formula;
use crate::instance::Instance;
use crate::logic::{AnyNode, FormulaId, RelationId};
use crate::matrix::Matrix;
use crate::options::{Integers, Options};
use crate::problem::{self, Problem};
use crate::tuples::TupleSet;

/// The solution of a problem: an instance, unsatisfiability, or unknown.
#[derive(Clone, Debug)]
pub enum Solution {
    /// Here is one, judged by the evaluator.
    Instance(Instance),
    /// There is none, or none that has not been given already.
    Unsatisfiable {
        /// Whether the formula became false while it was translated, without a solver.
        trivially: bool,
    },
    /// It is not known whether there is one.
    Unknown(Reason),
}

/// Why a solution is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The solver gave up.
    Solver(sat::Reason),
    /// There is no instance whose integers all fit in the chosen width, but there are assignments
    /// in which one does not fit, and such an assignment might have been an instance.
    Overflow {
        /// The chosen width.
        width: u32,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Solver(reason) => fmt::Display::fmt(reason, f),
            Reason::Overflow { width } => write!(
                f,
                "no instance has only integers of {width} bits, but one with wider ones may exist"
            ),
        }
    }
}

/// The size of a problem and the time spent on it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// Inputs for the tuples that the bounds leave open.
    pub primary: usize,
    /// Variables of the clauses.
    pub variables: usize,
    /// Clauses.
    pub clauses: usize,
    /// Time from formulas to clauses.
    pub translate: Duration,
    /// Time in the solver.
    pub solve: Duration,
}

/// Finds the instances of a set of formulas within bounds, one after the other.
///
/// ```
/// use relational::{Solution, Bounds, Finder, Logic, Options, Universe, all};
/// let logic = Logic::new();
/// let node = logic.relation("Node", 1);
/// let next = logic.relation("next", 2);
/// let ring = next.is_function(node, node)
///     & all([("n", node)], |[n]| node.is_in(n.join(next.closure())));
///
/// let universe = Universe::new(["a", "b", "c"])?;
/// let mut bounds = Bounds::new(&logic, &universe);
/// bounds.exactly(node, &universe.all())?;
/// bounds.at_most(next, &universe.all().product(&universe.all())?)?;
/// let mut finder = Finder::new(&bounds, &[ring], &Options::default())?;
/// let Solution::Instance(instance) = finder.next() else { panic!("a ring exists") };
/// assert_eq!(instance.get(next)?.len(), 3);
/// # Ok::<(), relational::Error>(())
/// ```
pub struct Finder<'a> {
    bounds: Bounds<'a>,
    options: Options,
    /// The caller's circuit and constraints, from which [`Finder::core`] starts again.
    given: (Circuit, Vec<Gate>),
    /// The conjuncts of the caller's formulas.
    conjuncts: Vec<FormulaId>,
    problem: Problem,
    encoder: Encoder,
    session: Session,
    trivially_false: bool,
    statistics: Statistics,
}

impl<'a> Finder<'a> {
    /// Translates the conjunction of the formulas within the bounds.
    ///
    /// # Errors
    /// If a formula is ill-typed, has a free variable or a relation without bounds, is too large,
    /// or if the solver cannot be set up as asked.
    pub fn new(
        bounds: &Bounds<'a>,
        formulas: &[Formula<'a>],
        options: &Options,
    ) -> Result<Finder<'a>, Error> {
        Finder::in_circuit(&Circuit::new(), &[], bounds, formulas, options)
    }

    /// The same over a circuit of the caller's, to whose gates relations may be bound, and under
    /// constraints stated as gates of it.
    ///
    /// # Errors
    /// As for [`Finder::new`].
    pub fn in_circuit(
        circuit: &Circuit,
        constraints: &[Gate],
        bounds: &Bounds<'a>,
        formulas: &[Formula<'a>],
        options: &Options,
    ) -> Result<Finder<'a>, Error> {
        let start = Instant::now();
        if formulas.iter().any(|formula| !std::ptr::eq(formula.logic, bounds.logic())) {
            return Err(Error::LogicMismatch);
        }
        let conjuncts = problem::conjuncts(&bounds.logic().arena.borrow(), formulas);
        let given = (circuit.clone(), constraints.to_vec());
        let problem = Problem::new(circuit.clone(), constraints, bounds, &conjuncts, options)?;

        let mut session = Session::new(options.session.clone())?;
        let mut encoder = Encoder::new(Encoding::Polarity);
        let mut primary = 0;
        for input in problem.primary() {
            encoder.input_literal(&problem.circuit, input, &mut session);
            primary += 1;
        }
        let stated = problem.conjuncts.iter().flat_map(|(_, gates)| gates);
        let roots: Vec<Gate> = stated.chain(&problem.hard).copied().collect();
        encoder.assert_all(&problem.circuit, &roots, &mut session);
        let statistics = Statistics {
            primary,
            variables: session.num_vars(),
            clauses: session.num_clauses(),
            translate: start.elapsed(),
            solve: Duration::ZERO,
        };
        Ok(Finder {
            bounds: bounds.clone(),
            options: options.clone(),
            given,
            conjuncts,
            problem,
            encoder,
            session,
            trivially_false: roots.contains(&Gate::FALSE),
            statistics,
        })
    }

    /// The size of the problem and the time spent so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// The solver session, for its own statistics and for writing the clauses to a file.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// A core of the formulas; nothing if they are satisfiable, or if a limit was reached.
    ///
    /// ```
    /// use relational::{Bounds, Finder, Logic, Options, Universe};
    /// let logic = Logic::new();
    /// let (a, b) = (logic.relation("a", 1), logic.relation("b", 1));
    /// let universe = Universe::new(["x", "y"])?;
    /// let mut bounds = Bounds::new(&logic, &universe);
    /// bounds.at_most(a, &universe.all())?;
    /// bounds.at_most(b, &universe.all())?;
    /// let formulas = [a.some(), b.some(), a.is_in(b), b.no()];
    /// let finder = Finder::new(&bounds, &formulas, &Options::default())?;
    /// let core = finder.core()?.expect("the formulas contradict each other");
    /// assert_eq!(core.formulas, [b.some(), b.no()]);
    /// # Ok::<(), relational::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Finder::new`].
    pub fn core(&self) -> Result<Option<Core<'a>>, Error> {
        let (circuit, constraints) = &self.given;
        core::core(circuit, constraints, &self.bounds, &self.conjuncts, &self.options)
    }

    /// The next instance: one that differs in the value of some relation from all that this finder
    /// has given before.
    #[allow(clippy::should_implement_trait)] // There is always a next answer.
    pub fn next(&mut self) -> Solution {
        if self.trivially_false && self.problem.overflow == Gate::FALSE {
            return Solution::Unsatisfiable { trivially: true };
        }
        match self.solve() {
            sat::Answer::Sat => {
                let instance = self.read();
                self.judge(&instance);
                self.exclude(&instance);
                Solution::Instance(instance)
            }
            sat::Answer::Unsat => self.absent(),
            sat::Answer::Unknown(reason) => Solution::Unknown(Reason::Solver(reason)),
        }
    }

    fn solve(&mut self) -> sat::Answer {
        let start = Instant::now();
        let answer = self.session.solve_limited(&[], &self.options.limits);
        self.statistics.solve += start.elapsed();
        answer
    }

    /// Reads the relations off the solver's model. Gates are evaluated on the model's inputs: the
    /// variables of inner gates need not agree with their definitions.
    fn read(&self) -> Instance {
        let inputs: Vec<bool> = self
            .problem
            .circuit
            .inputs()
            .map(|input| self.encoder.variable(input).is_some_and(|lit| self.session.value(lit)))
            .collect();
        let mut values = Valuation::new(inputs);
        let universe = self.bounds.universe();
        let mut members = |matrix: &Matrix| {
            let held =
                matrix.cells().iter().filter(|cell| values.value(&self.problem.circuit, cell.1));
            let tuples = held.map(|cell| cell.0).collect();
            TupleSet::from_sorted(universe.clone(), matrix.arity(), tuples)
        };
        let relations: BTreeMap<RelationId, (String, TupleSet)> = self
            .problem
            .relations
            .iter()
            .map(|(relation, matrix)| {
                (*relation, (self.bounds.relation_name(*relation), members(matrix)))
            })
            .collect();
        let witnesses = self
            .problem
            .witnesses
            .iter()
            .map(|witness| (witness.name.clone(), members(&witness.matrix)))
            .collect();
        let integers = self.bounds.integers().clone();
        Instance { universe: universe.clone(), relations, integers, witnesses }
    }

    /// Judges an instance by the evaluator; one that fails would be a fault of the translation.
    fn judge(&self, instance: &Instance) {
        for (relation, bound) in self.bounds.iter() {
            let value = &instance.relations[&relation].1;
            if let Bound::Between { lower, upper } = bound {
                let within = lower.is_subset(value) && value.is_subset(upper);
                let name = self.bounds.relation_name(relation);
                assert!(within, "the translation let `{name}` leave its bounds");
            }
        }
        let arena = self.bounds.logic().arena.borrow();
        let mut evaluator = Evaluator::new(&arena, instance, self.options.integers);
        for &conjunct in &self.conjuncts {
            let verdict = evaluator.formula(conjunct);
            let text = || crate::print::text(&arena, AnyNode::Formula(conjunct));
            assert!(
                verdict == Ok(true),
                "the translation gave an instance that violates `{}` ({verdict:?})",
                text()
            );
        }
    }

    /// Blocks the relations' values in this instance for all later solutions.
    fn exclude(&mut self, instance: &Instance) {
        let mut different = Vec::new();
        for (relation, matrix) in &self.problem.relations {
            let value = &instance.relations[relation].1;
            for &(tuple, gate) in matrix.cells() {
                if gate.as_constant().is_none() {
                    different.push(gate.negate_if(value.has_number(tuple)));
                }
            }
        }
        different.sort_unstable();
        different.dedup();
        let clause = self.encoder.literals(&self.problem.circuit, &different, &mut self.session);
        self.session.add_clause(&clause);
    }

    /// The solution when the solver has no (further) model.
    fn absent(&mut self) -> Solution {
        let Integers::Checked(width) = self.options.integers else {
            return Solution::Unsatisfiable { trivially: false };
        };
        if self.problem.overflow == Gate::FALSE {
            return Solution::Unsatisfiable { trivially: false };
        }
        Solution::Unknown(Reason::Overflow { width })
    }
}
