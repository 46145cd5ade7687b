//! What a session adds to its back end.

use sat::{
    Answer, Backend, Error, Interrupt, Limits, Lit, Options, Session, Solver, Statistics, Var,
};

fn session() -> Session {
    Session::new(Options::default()).expect("CaDiCaL is built in")
}

#[test]
fn certificates_are_refused_where_there_are_no_proofs() {
    let options = Options { backend: Backend::Batsat, certify: true, ..Options::default() };
    let error = Session::new(options).expect_err("Batsat gives no proofs");
    assert_eq!(error, Error::NoProofs(Backend::Batsat));
    assert_eq!(
        error.to_string(),
        "Batsat gives no proofs, so its answers cannot be certified; use CaDiCaL"
    );
}

#[test]
fn certified_sessions_count_proof_steps() {
    for certify in [false, true] {
        let mut session =
            Session::new(Options { certify, ..Options::default() }).expect("CaDiCaL is built in");
        let [a, b] = [(); 2].map(|()| session.new_var().positive());
        for clause in [[a, b], [a, !b], [!a, b], [!a, !b]] {
            session.add_clause(&clause);
        }
        assert_eq!(session.solve(&[]), Answer::Unsat);
        assert_eq!(session.statistics().proof_steps > 0, certify);
    }
}

#[test]
fn a_model_stays_readable_while_the_formula_grows() {
    let mut session = session();
    let a = session.new_var().positive();
    session.add_clause(&[a]);
    assert_eq!(session.solve(&[]), Answer::Sat);
    session.new_var();
    session.add_clause(&[!a]);
    assert!(session.value(a));
}

#[test]
fn the_formula_is_kept_as_it_was_added() {
    let mut session = session();
    let [a, b] = [(); 2].map(|()| session.new_var().positive());
    session.add_clause(&[b, !a, b]);
    session.add_clause(&[]);
    let mut text = Vec::new();
    session.write_dimacs(&mut text).expect("a vector takes everything");
    assert_eq!(String::from_utf8(text).expect("DIMACS is ASCII"), "p cnf 2 2\n2 -1 2 0\n0\n");
    assert_eq!(session.cnf().clause(0), [b, !a, b]);
}

#[test]
#[should_panic(expected = "a value is read though the last answer was not Sat")]
fn a_value_needs_a_model() {
    let mut session = session();
    let a = session.new_var().positive();
    session.add_clause(&[a]);
    assert_eq!(session.solve(&[!a]), Answer::Unsat);
    let _ = session.value(a);
}

#[test]
#[should_panic(expected = "a core is read though the last answer was not Unsat")]
fn a_core_needs_a_refutation() {
    let mut session = session();
    assert_eq!(session.solve(&[]), Answer::Sat);
    let _ = session.core();
}

#[test]
#[should_panic(expected = "variable 1 is newer than the last answer")]
fn a_variable_made_later_has_no_value() {
    let mut session = session();
    assert_eq!(session.solve(&[]), Answer::Sat);
    let late = session.new_var().positive();
    let _ = session.value(late);
}

#[test]
#[should_panic(expected = "3 is assumed, but only 1 variables exist")]
fn an_assumption_needs_a_variable() {
    let mut session = session();
    session.new_var();
    session.solve(&[Var::new(2).positive()]);
}

/// A solver that says `Sat` whatever it is asked, and gives every variable the value `true`.
struct Liar {
    num_vars: usize,
}

impl Solver for Liar {
    fn new_var(&mut self) -> Var {
        self.num_vars += 1;
        Var::new(self.num_vars - 1)
    }
    fn add_clause(&mut self, _clause: &[Lit]) {}
    fn solve(&mut self, _assumptions: &[Lit], _limits: &Limits) -> Answer {
        Answer::Sat
    }
    fn value(&mut self, _var: Var) -> bool {
        true
    }
    fn failed(&mut self, _assumption: Lit) -> bool {
        false
    }
    fn interrupt(&self) -> Interrupt {
        Interrupt::new()
    }
    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}

#[test]
#[should_panic(expected = "the solver's model is wrong: it falsifies clause 1, [Lit(-1), Lit(-2)]")]
fn a_wrong_model_is_our_bug() {
    let mut session = Session::with_solver(Box::new(Liar { num_vars: 0 }));
    let [a, b] = [(); 2].map(|()| session.new_var().positive());
    session.add_clause(&[a, b]);
    assert_eq!(session.solve(&[]), Answer::Sat);
    session.add_clause(&[!a, !b]);
    session.solve(&[]);
}

#[test]
#[should_panic(expected = "the solver's model is wrong: it falsifies the assumption -1")]
fn a_model_without_the_assumptions_is_our_bug() {
    let mut session = Session::with_solver(Box::new(Liar { num_vars: 0 }));
    let a = session.new_var().positive();
    session.solve(&[!a]);
}
