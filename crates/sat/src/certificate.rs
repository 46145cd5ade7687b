//! Refutations that are checked while they are found.
//!
//! [`Certified`] is a back end around CaDiCaL that trusts none of its refutations. Every step of the solver's
//! proof passes through the [LRAT checker](crate::lrat) as it is made, and the answer is `Unsat` only if the
//! checker derives the empty clause, or a clause that consists of negated assumptions. That clause is also
//! the core.
//!
//! The trusted code is this file and `lrat.rs`. The solver's claims about the *query* are checked too: a
//! clause that it calls original must be the one that was just added, literal for literal but for order and
//! repetition, and an assumption must be one of ours.

use std::cell::RefCell;
use std::rc::Rc;

use cadical::{ClauseId, Tracer};

use crate::backend::Cadical;
use crate::{Answer, Interrupt, Limits, Lit, Profile, Reason, Solver, Statistics, Var, lrat};

/// CaDiCaL with every refutation checked.
pub(crate) struct Certified {
    solver: Cadical,
    auditor: Rc<RefCell<Auditor>>,
}

impl Certified {
    pub(crate) fn new(profile: Profile) -> Result<Certified, cadical::Error> {
        Certified::with_tracer(profile, |auditor| auditor)
    }

    /// The same, with something between the solver and the auditor.
    pub(crate) fn with_tracer<T: Tracer + 'static>(
        profile: Profile,
        tracer: impl FnOnce(Rc<RefCell<Auditor>>) -> T,
    ) -> Result<Certified, cadical::Error> {
        let auditor = Rc::new(RefCell::new(Auditor::default()));
        let solver = Cadical::traced(profile, tracer(Rc::clone(&auditor)))?;
        Ok(Certified { solver, auditor })
    }
}

impl Solver for Certified {
    fn new_var(&mut self) -> Var {
        self.solver.new_var()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.auditor.borrow_mut().expect(clause);
        self.solver.add_clause(clause);
    }

    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Answer {
        self.auditor.borrow_mut().begin(assumptions);
        let answer = self.solver.solve(assumptions, limits);
        match self.auditor.borrow().verdict() {
            Err(why) if answer.is_unsat() => Answer::Unknown(Reason::Uncertified(why)),
            _ => answer,
        }
    }

    fn value(&mut self, var: Var) -> bool {
        self.solver.value(var)
    }

    fn failed(&mut self, assumption: Lit) -> bool {
        self.auditor.borrow().core.binary_search(&assumption).is_ok()
    }

    fn prefer(&mut self, literal: Lit) {
        self.solver.prefer(literal);
    }

    fn interrupt(&self) -> Interrupt {
        self.solver.interrupt()
    }

    fn statistics(&self) -> Statistics {
        let proof_steps = self.auditor.borrow().checker.steps();
        Statistics { proof_steps, ..self.solver.statistics() }
    }
}

/// Follows the solver's proof and remembers the first thing that was wrong with it.
///
/// Invariant: while `fault` is `None`, every clause of the checker follows from clauses that were
/// announced by [`Auditor::expect`].
#[derive(Debug, Default)]
pub(crate) struct Auditor {
    checker: lrat::Checker,
    /// The clause being added, sorted and without repetitions.
    expected: Option<Vec<Lit>>,
    /// The assumptions of the current query, sorted.
    assumptions: Vec<Lit>,
    /// The number of the clause over assumptions that was checked in this query.
    failed: Option<ClauseId>,
    /// The assumptions whose negations form that clause, sorted.
    core: Vec<Lit>,
    /// Whether the solver has named its evidence in this query, and rightly.
    concluded: bool,
    /// Why no refutation is believed any more.
    fault: Option<String>,
    /// The literals of the event at hand.
    lits: Vec<Lit>,
}

impl Auditor {
    /// Announces the clause that is about to be added.
    fn expect(&mut self, clause: &[Lit]) {
        self.expected = Some(normalised(clause));
    }

    /// Announces a query.
    fn begin(&mut self, assumptions: &[Lit]) {
        self.expected = None;
        self.assumptions = normalised(assumptions);
        self.failed = None;
        self.core.clear();
        self.concluded = false;
    }

    /// Whether the current query has been refuted.
    fn verdict(&self) -> Result<(), String> {
        match &self.fault {
            Some(fault) => Err(fault.clone()),
            None if self.concluded => Ok(()),
            None => Err("the proof ends without a conclusion".to_owned()),
        }
    }

    /// Handles one event, unless the proof has already failed.
    fn on_event(
        &mut self,
        clause: &[i32],
        handle: impl FnOnce(&mut Auditor, &[Lit]) -> Result<(), String>,
    ) {
        if self.fault.is_some() {
            return;
        }
        let mut lits = std::mem::take(&mut self.lits);
        lits.clear();
        lits.extend(clause.iter().copied().flat_map(Lit::from_dimacs));
        let result = if lits.len() == clause.len() {
            handle(self, &lits)
        } else {
            Err("a clause of the proof contains something that is not a literal".to_owned())
        };
        self.fault = result.err();
        self.lits = lits;
    }
}

impl Tracer for Auditor {
    fn original(&mut self, id: ClauseId, clause: &[i32]) {
        self.on_event(clause, |this, clause| {
            if this.expected.take() != Some(normalised(clause)) {
                return Err(format!("the proof's clause {id} is not the one that was added"));
            }
            this.checker.axiom(id, clause).map_err(said)
        });
    }

    fn derived(&mut self, id: ClauseId, clause: &[i32], witness: i32, antecedents: &[ClauseId]) {
        self.on_event(clause, |this, clause| {
            if witness != 0 {
                return Err(said(lrat::LratError::NotRup(id)));
            }
            this.checker.derive(id, clause, antecedents).map_err(said)
        });
    }

    fn deleted(&mut self, id: ClauseId) {
        self.on_event(&[], |this, _| this.checker.delete(id).map_err(said));
    }

    fn weakened(&mut self, id: ClauseId) {
        self.on_event(&[], |this, _| this.checker.park(id).map_err(said));
    }

    fn restored(&mut self, id: ClauseId, clause: &[i32]) {
        self.on_event(clause, |this, clause| this.checker.restore(id, clause).map_err(said));
    }

    fn failed_assumptions(&mut self, id: ClauseId, clause: &[i32], antecedents: &[ClauseId]) {
        self.on_event(clause, |this, clause| {
            this.checker.check(id, clause, antecedents).map_err(said)?;
            for &lit in clause {
                if this.assumptions.binary_search(&!lit).is_err() {
                    return Err(format!("the core contains {}, which was not assumed", !lit));
                }
            }
            this.core = normalised(clause);
            this.core.iter_mut().for_each(|lit| *lit = !*lit);
            this.core.sort_unstable();
            this.failed = Some(id);
            Ok(())
        });
    }

    fn concluded(&mut self, ids: &[ClauseId]) {
        self.on_event(&[], |this, _| {
            let [id] = *ids else {
                return Err("the conclusion does not name exactly one clause".to_owned());
            };
            let is_empty = this.checker.clause(id).is_some_and(|mut lits| lits.next().is_none());
            if !is_empty && this.failed != Some(id) {
                return Err(format!("the conclusion names clause {id}, which refutes nothing"));
            }
            if is_empty {
                this.core.clear();
            }
            this.concluded = true;
            Ok(())
        });
    }
}

fn said(fault: lrat::LratError) -> String {
    fault.to_string()
}

fn normalised(clause: &[Lit]) -> Vec<Lit> {
    let mut clause = clause.to_vec();
    clause.sort_unstable();
    clause.dedup();
    clause
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Session;
    use std::cell::Cell;

    /// How a layer between the solver and the auditor tampers with the events that pass through it.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Tamper {
        Nothing,
        DropHint,
        SwapHint,
        AlterLiteral,
        DropLiteral,
        ClaimRat,
        ForgetClause,
        AlterOriginal,
        RepeatOriginal,
        InventFailure,
        DropConclusion,
        MoveConclusion,
    }

    /// Passes the events on, but for one of each kind, which it tampers with.
    struct Layer {
        auditor: Rc<RefCell<Auditor>>,
        tamper: Tamper,
        /// How many events of the kind concerned to let pass before.
        patience: usize,
        restored: Rc<Cell<usize>>,
    }

    impl Layer {
        /// Whether to do this now.
        fn now(&mut self, tamper: Tamper) -> bool {
            if self.tamper != tamper {
                return false;
            }
            self.patience = self.patience.wrapping_sub(1);
            self.patience == usize::MAX
        }
    }

    impl Tracer for Layer {
        fn original(&mut self, id: ClauseId, clause: &[i32]) {
            let mut clause = clause.to_vec();
            if self.now(Tamper::AlterOriginal) {
                clause.pop();
            }
            self.auditor.original(id, &clause);
            if self.now(Tamper::RepeatOriginal) {
                self.auditor.original(id + 1_000_000, &clause);
            }
        }

        fn derived(&mut self, id: ClauseId, clause: &[i32], witness: i32, hints: &[ClauseId]) {
            let (mut clause, mut hints, mut witness) = (clause.to_vec(), hints.to_vec(), witness);
            if self.now(Tamper::DropHint) {
                hints.pop();
            }
            if self.now(Tamper::SwapHint) {
                *hints.last_mut().expect("a derived clause has hints") = 1;
            }
            if self.now(Tamper::AlterLiteral) {
                clause[0] = -clause[0];
            }
            if self.now(Tamper::DropLiteral) {
                clause.remove(0);
            }
            if self.now(Tamper::ClaimRat) {
                witness = 1;
            }
            self.auditor.derived(id, &clause, witness, &hints);
            if self.now(Tamper::ForgetClause) {
                self.auditor.deleted(hints[0]);
            }
        }

        fn deleted(&mut self, id: ClauseId) {
            self.auditor.deleted(id);
        }

        fn weakened(&mut self, id: ClauseId) {
            self.auditor.weakened(id);
        }

        fn restored(&mut self, id: ClauseId, clause: &[i32]) {
            self.restored.set(self.restored.get() + 1);
            self.auditor.restored(id, clause);
        }

        fn failed_assumptions(&mut self, id: ClauseId, clause: &[i32], hints: &[ClauseId]) {
            let mut clause = clause.to_vec();
            if self.now(Tamper::InventFailure) {
                clause.push(1);
            }
            self.auditor.failed_assumptions(id, &clause, hints);
        }

        fn concluded(&mut self, ids: &[ClauseId]) {
            if self.now(Tamper::DropConclusion) {
                return;
            }
            let shift = ClauseId::from(self.now(Tamper::MoveConclusion));
            self.auditor.concluded(&[ids[0] - shift]);
        }
    }

    fn session(tamper: Tamper, patience: usize) -> (Session, Rc<Cell<usize>>) {
        let restored = Rc::new(Cell::new(0));
        let count = Rc::clone(&restored);
        let solver = Certified::with_tracer(Profile::Incremental, |auditor| Layer {
            auditor,
            tamper,
            patience,
            restored,
        });
        (Session::with_solver(Box::new(solver.expect("the environment is clean"))), count)
    }

    /// One pigeon more than holes, each present only if the literal returned for it is true.
    fn pigeons(session: &mut Session, holes: usize) -> Vec<Lit> {
        let sits: Vec<Vec<Var>> = (0..=holes).map(|_| session.new_vars(holes)).collect();
        let mut present = Vec::new();
        for (pigeon, places) in sits.iter().enumerate() {
            let presence = session.new_var().positive();
            let mut somewhere = vec![!presence];
            somewhere.extend(places.iter().map(|var| var.positive()));
            session.add_clause(&somewhere);
            for other in &sits[..pigeon] {
                for hole in 0..holes {
                    session.add_clause(&[places[hole].negative(), other[hole].negative()]);
                }
            }
            present.push(presence);
        }
        present
    }

    /// The answer to a query that is unsatisfiable.
    fn answer(tamper: Tamper, patience: usize) -> Answer {
        let (mut session, _) = session(tamper, patience);
        let present = pigeons(&mut session, 5);
        session.solve(&present)
    }

    #[test]
    fn an_honest_proof_is_believed() {
        assert_eq!(answer(Tamper::Nothing, 0), Answer::Unsat);
    }

    #[test]
    fn a_proof_that_was_tampered_with_is_not_believed() {
        for (tamper, patience) in [
            (Tamper::DropHint, vec![0, 1, 10, 40]),
            (Tamper::SwapHint, vec![0, 1, 10, 40]),
            (Tamper::AlterLiteral, vec![0, 1, 10, 40]),
            (Tamper::DropLiteral, vec![0, 1, 10]),
            (Tamper::ClaimRat, vec![0, 20]),
            (Tamper::ForgetClause, vec![0, 1]),
            (Tamper::AlterOriginal, vec![0, 7]),
            (Tamper::RepeatOriginal, vec![0, 7]),
            (Tamper::InventFailure, vec![0]),
            (Tamper::DropConclusion, vec![0]),
            (Tamper::MoveConclusion, vec![0]),
        ] {
            for patience in patience {
                let answer = answer(tamper, patience);
                assert!(
                    matches!(answer, Answer::Unknown(Reason::Uncertified(_))),
                    "{tamper:?} after {patience}: {answer}"
                );
            }
        }
    }

    #[test]
    fn evidence_holds_for_one_query() {
        let (a, b) = (Var::new(0).positive(), Var::new(1).positive());
        let mut auditor = Auditor::default();
        auditor.expect(&[!a]);
        auditor.original(1, &[-1]);
        auditor.begin(&[b, a]);
        auditor.failed_assumptions(2, &[-1], &[1]);
        assert!(auditor.verdict().is_err(), "nothing has been concluded");
        auditor.concluded(&[2]);
        assert_eq!((auditor.verdict(), &auditor.core[..]), (Ok(()), &[a][..]));
        // The empty clause has an empty core.
        auditor.expect(&[a]);
        auditor.original(3, &[1]);
        auditor.begin(&[b, a]);
        auditor.failed_assumptions(4, &[-1], &[1]);
        auditor.derived(5, &[], 0, &[1, 3]);
        auditor.concluded(&[5]);
        assert_eq!((auditor.verdict(), &auditor.core[..]), (Ok(()), &[][..]));
        // A clause over the assumptions of one query implies nothing about another.
        auditor.begin(&[b]);
        auditor.concluded(&[4]);
        assert!(auditor.verdict().is_err());
    }

    #[test]
    fn after_a_bad_step_no_refutation_is_believed_but_models_are() {
        let (mut session, _) = session(Tamper::DropHint, 3);
        let present = pigeons(&mut session, 5);
        for _ in 0..2 {
            let answer = session.solve(&present);
            assert!(matches!(answer, Answer::Unknown(Reason::Uncertified(_))), "{answer}");
            assert_eq!(session.solve(&present[1..]), Answer::Sat);
        }
    }

    #[test]
    fn restored_clauses_are_part_of_proofs() {
        let (mut session, restored) = session(Tamper::Nothing, 0);
        // A chain of equivalences, which the solver eliminates while it works on the pigeons, and
        // is then asked about.
        let vars = session.new_vars(200);
        for pair in vars.windows(2) {
            session.add_clause(&[pair[0].negative(), pair[1].positive()]);
            session.add_clause(&[pair[0].positive(), pair[1].negative()]);
        }
        let present = pigeons(&mut session, 7);
        for round in 0..10 {
            let (a, b) = (vars[9 * round], vars[199 - 7 * round]);
            session.solve_limited(&present, &Limits::conflicts(1000));
            assert_eq!(session.solve(&[a.positive(), b.negative()]), Answer::Unsat);
            assert_eq!(session.core().len(), 2);
            assert_eq!(session.solve(&[a.positive(), b.positive()]), Answer::Sat);
        }
        assert_eq!(session.solve(&present), Answer::Unsat);
        assert!(restored.get() > 0, "the test must see a clause restored");
    }
}
