//! Cores: the caller's formulas that contradict each other when there is no instance.
//!
//! Every conjunct becomes an assumption. The solver's failed assumptions are a first core; each of
//! its members is then left out once, and stays out if the rest is still unsatisfiable. What
//! remains is minimal: without any one of its formulas there is an instance.

use circuit::{Circuit, Encoder, Encoding, Gate};
use sat::{Lit, Session};

use crate::bounds::Bounds;
use crate::error::Error;
use crate::face::Formula;
use crate::logic::FormulaId;
use crate::options::Options;
use crate::problem::Problem;

/// Formulas of the caller's that cannot hold together within the bounds.
#[derive(Clone, Debug)]
pub struct Core<'a> {
    /// The formulas: outermost conjuncts of those the finder was given, in their order.
    pub formulas: Vec<Formula<'a>>,
    /// Whether each formula is known to be needed; false only if a limit was reached.
    pub minimal: bool,
}

/// A core of the conjuncts, or nothing if they are satisfiable or a limit was reached.
pub(crate) fn core<'a>(
    circuit: &Circuit,
    constraints: &[Gate],
    bounds: &Bounds<'a>,
    conjuncts: &[FormulaId],
    options: &Options,
) -> Result<Option<Core<'a>>, Error> {
    let setting = CoreSearch { circuit, constraints, bounds, options };
    let problem = setting.problem(conjuncts)?;
    let Some((mut core, mut minimal)) = setting.shrink(&problem)? else { return Ok(None) };
    // Orders that were fixed in the bounds cannot be assumed; they are left out one by one.
    core.extend(&problem.fixed);
    for order in &problem.fixed {
        let rest: Vec<FormulaId> = core.iter().copied().filter(|f| f != order).collect();
        match setting.unsatisfiable(&rest)? {
            Some(true) => core = rest,
            Some(false) => {}
            None => minimal = false,
        }
    }
    let in_order = conjuncts.iter().filter(|conjunct| core.contains(conjunct));
    let formulas = in_order.map(|&id| Formula { logic: bounds.logic(), id }).collect();
    Ok(Some(Core { formulas, minimal }))
}

struct CoreSearch<'s, 'a> {
    circuit: &'s Circuit,
    constraints: &'s [Gate],
    bounds: &'s Bounds<'a>,
    options: &'s Options,
}

impl CoreSearch<'_, '_> {
    fn problem(&self, conjuncts: &[FormulaId]) -> Result<Problem, Error> {
        let circuit = self.circuit.clone();
        Problem::new(circuit, self.constraints, self.bounds, conjuncts, self.options)
    }

    /// Whether the conjuncts have no instance; nothing if a limit was reached.
    fn unsatisfiable(&self, conjuncts: &[FormulaId]) -> Result<Option<bool>, Error> {
        let problem = self.problem(conjuncts)?;
        let mut asked = Assumed::new(problem, self.options)?;
        let all = asked.literals.clone();
        Ok(asked.refuted(&all, self.options).map(|core| core.is_some()))
    }

    /// A core among the conjuncts that were not fixed, and whether it is minimal.
    fn shrink(&self, problem: &Problem) -> Result<Option<(Vec<FormulaId>, bool)>, Error> {
        let movable: Vec<FormulaId> = problem
            .conjuncts
            .iter()
            .map(|conjunct| conjunct.0)
            .filter(|conjunct| !problem.fixed.contains(conjunct))
            .collect();
        let all: Vec<FormulaId> = problem.conjuncts.iter().map(|conjunct| conjunct.0).collect();
        let mut asked = Assumed::new(self.problem(&all)?, self.options)?;
        let literal = |asked: &Assumed, f: FormulaId| {
            asked.literals[all.iter().position(|&g| g == f).expect("a conjunct of this problem")]
        };
        let literals: Vec<Lit> = movable.iter().map(|&f| literal(&asked, f)).collect();
        let Some(Some(mut core)) = asked.refuted(&literals, self.options) else {
            return Ok(None);
        };
        let mut minimal = true;
        for candidate in core.clone() {
            if !core.contains(&candidate) {
                continue;
            }
            let rest: Vec<Lit> = core.iter().copied().filter(|&lit| lit != candidate).collect();
            match asked.refuted(&rest, self.options) {
                Some(Some(smaller)) => core = smaller,
                Some(None) => {}
                None => minimal = false,
            }
        }
        let blamed = movable.into_iter().filter(|&f| core.contains(&literal(&asked, f)));
        Ok(Some((blamed.collect(), minimal)))
    }
}

/// A problem whose conjuncts are assumptions.
struct Assumed {
    session: Session,
    literals: Vec<Lit>,
}

impl Assumed {
    fn new(mut problem: Problem, options: &Options) -> Result<Assumed, Error> {
        let profile = sat::Profile::Incremental;
        let mut session = Session::new(sat::Options { profile, ..options.session.clone() })?;
        let mut encoder = Encoder::new(Encoding::Polarity);
        let gates: Vec<Gate> = problem
            .conjuncts
            .iter()
            .map(|(_, gates)| problem.circuit.and_all(gates.iter().copied()))
            .collect();
        encoder.assert_all(&problem.circuit, &problem.hard, &mut session);
        // A literal of its own for each conjunct, as two conjuncts may have become one gate.
        let literals = gates
            .iter()
            .map(|&gate| {
                let literal = encoder.literal(&problem.circuit, gate, &mut session);
                let selector = session.new_var().positive();
                session.add_clause(&[!selector, literal]);
                selector
            })
            .collect();
        Ok(Assumed { session, literals })
    }

    /// The failed assumptions if they are inconsistent, `Some(None)` if they are consistent, nothing if a
    /// limit was reached.
    fn refuted(&mut self, assumptions: &[Lit], options: &Options) -> Option<Option<Vec<Lit>>> {
        match self.session.solve_limited(assumptions, &options.limits) {
            sat::Answer::Unsat => Some(Some(self.session.core().to_vec())),
            sat::Answer::Sat => Some(None),
            sat::Answer::Unknown(_) => None,
        }
    }
}
