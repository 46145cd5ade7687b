//! The proof events.
//!
//! CaDiCaL can report each step of its reasoning in LRAT style: a derived clause comes with the
//! clauses that make it follow by unit propagation, in the order of propagation. Nathan Wetzler,
//! Marijn Heule, Warren Hunt: *DRAT-trim*, SAT 2014, for the proofs; Florian Pollitt, Mathias
//! Fleury, Armin Biere: *Faster LRAT checking than solving with CaDiCaL*, SAT 2023, for the hints.

use std::cell::RefCell;
use std::rc::Rc;

/// The number by which proof events name a clause. Numbers are positive and given out in order.
pub type ClauseId = i64;

/// A listener to the solver's proof.
///
/// The events arrive while the solver works: originals during `add_clause`, everything else during
/// `solve`. All literals are those of the user, also after the solver has renumbered its own. The
/// methods must not panic, since a panic cannot unwind through the solver.
pub trait Tracer {
    /// The user has added a clause, given here as it was added.
    fn original(&mut self, id: ClauseId, clause: &[i32]);

    /// A clause follows from the antecedents. With a witness, a literal other than zero, it does
    /// not follow but can be added without making a satisfiable formula unsatisfiable (RAT).
    fn derived(&mut self, id: ClauseId, clause: &[i32], witness: i32, antecedents: &[ClauseId]);

    /// A clause will not be an antecedent any more.
    fn deleted(&mut self, id: ClauseId);

    /// A clause leaves the formula, to be deleted, though it does not follow from the rest; it may
    /// be restored later.
    fn weakened(&mut self, id: ClauseId);

    /// A weakened clause is a clause of the formula again, under its old number.
    fn restored(&mut self, id: ClauseId, clause: &[i32]);

    /// The negations of some assumptions form a clause that follows from the antecedents.
    fn failed_assumptions(&mut self, id: ClauseId, clause: &[i32], antecedents: &[ClauseId]);

    /// The call of `solve` ends as unsatisfiable, because of these clauses: the empty clause, or
    /// one over failed assumptions.
    fn concluded(&mut self, ids: &[ClauseId]);
}

/// A shared tracer, to be read while it is connected.
impl<T: Tracer> Tracer for Rc<RefCell<T>> {
    fn original(&mut self, id: ClauseId, clause: &[i32]) {
        self.borrow_mut().original(id, clause);
    }

    fn derived(&mut self, id: ClauseId, clause: &[i32], witness: i32, antecedents: &[ClauseId]) {
        self.borrow_mut().derived(id, clause, witness, antecedents);
    }

    fn deleted(&mut self, id: ClauseId) {
        self.borrow_mut().deleted(id);
    }

    fn weakened(&mut self, id: ClauseId) {
        self.borrow_mut().weakened(id);
    }

    fn restored(&mut self, id: ClauseId, clause: &[i32]) {
        self.borrow_mut().restored(id, clause);
    }

    fn failed_assumptions(&mut self, id: ClauseId, clause: &[i32], antecedents: &[ClauseId]) {
        self.borrow_mut().failed_assumptions(id, clause, antecedents);
    }

    fn concluded(&mut self, ids: &[ClauseId]) {
        self.borrow_mut().concluded(ids);
    }
}

/// Turns CaDiCaL's events into ours.
pub(crate) struct TracerAdapter<T>(pub(crate) T);

impl<T: Tracer> cadical_sys::ProofTracer for TracerAdapter<T> {
    fn add_original_clause(&mut self, id: i64, _redundant: bool, clause: &[i32], restored: bool) {
        if restored {
            self.0.restored(id, clause);
        } else {
            self.0.original(id, clause);
        }
    }

    fn add_derived_clause(
        &mut self,
        id: i64,
        _redundant: bool,
        witness: i32,
        clause: &[i32],
        antecedents: &[i64],
    ) {
        self.0.derived(id, clause, witness, antecedents);
    }

    fn delete_clause(&mut self, id: i64, _redundant: bool, _clause: &[i32]) {
        self.0.deleted(id);
    }

    fn weaken_minus(&mut self, id: i64, _clause: &[i32]) {
        self.0.weakened(id);
    }

    fn add_assumption_clause(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) {
        self.0.failed_assumptions(id, clause, antecedents);
    }

    fn conclude_unsat(&mut self, _kind: i32, ids: &[i64]) {
        self.0.concluded(ids);
    }

    // The caller knows the assumptions and the models; the rest serves other proof formats.
    fn strengthen(&mut self, _id: i64) {}
    fn finalize_clause(&mut self, _id: i64, _clause: &[i32]) {}
    fn add_assumption(&mut self, _lit: i32) {}
    fn add_constraint(&mut self, _clause: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn conclude_sat(&mut self, _kind: i32, _model: &[i32]) {}
    fn conclude_unknown(&mut self, _trail: &[i32]) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Configuration, Outcome, Solver};

    /// Writes down the events that carry literals.
    #[derive(Default)]
    struct EventLog {
        originals: Vec<Vec<i32>>,
        failed: Vec<Vec<i32>>,
        conclusions: usize,
        derived_without_antecedents: usize,
    }

    impl Tracer for EventLog {
        fn original(&mut self, _id: ClauseId, clause: &[i32]) {
            self.originals.push(clause.to_vec());
        }
        fn derived(&mut self, _id: ClauseId, _clause: &[i32], witness: i32, hints: &[ClauseId]) {
            self.derived_without_antecedents += usize::from(hints.is_empty() || witness != 0);
        }
        fn deleted(&mut self, _id: ClauseId) {}
        fn weakened(&mut self, _id: ClauseId) {}
        fn restored(&mut self, _id: ClauseId, _clause: &[i32]) {}
        fn failed_assumptions(&mut self, _id: ClauseId, clause: &[i32], _hints: &[ClauseId]) {
            self.failed.push(clause.to_vec());
        }
        fn concluded(&mut self, _ids: &[ClauseId]) {
            self.conclusions += 1;
        }
    }

    #[test]
    fn a_proof_repeats_the_clauses_and_names_the_failed_assumptions() {
        let diary = Rc::new(RefCell::new(EventLog::default()));
        let mut solver = Solver::new(Configuration::Default).expect("the environment is clean");
        solver.connect_tracer(Rc::clone(&diary)).expect("no clause has been added");
        let clauses: [&[i32]; 4] = [&[1, 2, 2], &[-1, 3], &[4, -4], &[-2, 3, 5]];
        for clause in clauses {
            solver.add_clause(clause);
        }
        assert_eq!(solver.solve(&[-3, -5, 6]), Outcome::Unsatisfiable);
        let mut diary = diary.borrow_mut();
        assert_eq!(diary.originals, clauses);
        diary.failed[0].sort();
        assert_eq!(diary.failed, [[3, 5]]);
        assert_eq!((diary.conclusions, diary.derived_without_antecedents), (1, 0));
    }

    #[test]
    fn a_tracer_comes_before_the_first_clause() {
        let mut solver = Solver::new(Configuration::Default).expect("the environment is clean");
        solver.add_clause(&[1]);
        let late = solver.connect_tracer(Rc::new(RefCell::new(EventLog::default())));
        assert_eq!(late, Err(crate::Error::TooLate));
    }
}
