//! What every back end must do, tested on each of them.

mod families;

use std::thread;
use std::time::{Duration, Instant};

use families::Rng;
use sat::{Answer, Backend, Cnf, Limits, Lit, Options, Profile, Reason, Session, Var};

/// Runs each of the functions named as a test on each of the sessions named.
macro_rules! conformance {
    ($options:tt $($test:ident)*) => { $(conformance!(@test $options $test);)* };
    (@test { $($name:ident: $options:expr;)* } $test:ident) => {
        mod $test {
            use super::*;
            $(#[test] fn $name() { super::$test(&|| Session::new($options).expect("it is built in")); })*
        }
    };
}

conformance! {
    {
        cadical: Options::default();
        cadical_one_shot: Options { profile: Profile::OneShot, ..Options::default() };
        cadical_certified: Options { certify: true, ..Options::default() };
        cadical_one_shot_certified: Options {
            profile: Profile::OneShot, certify: true, ..Options::default()
        };
        batsat: Options { backend: Backend::Batsat, ..Options::default() };
    }
    the_empty_formula_is_satisfiable
    the_empty_clause_is_not
    units_fix_values
    repeated_and_contradictory_literals_are_allowed
    assumptions_hold_for_one_call
    contradictory_assumptions_are_their_own_core
    cores_are_assumptions_and_suffice
    clauses_and_variables_may_come_later
    unmentioned_variables_have_values
    assumptions_may_be_of_unmentioned_variables
    an_unsatisfiable_formula_stays_so
    a_conflict_limit_gives_unknown_and_does_no_harm
    a_deadline_gives_unknown_and_does_no_harm
    a_deadline_in_the_past_is_over
    an_interrupt_from_another_thread_stops_the_search
    statistics_never_decrease
    random_formulas_agree_with_brute_force
    hard_formulas_are_decided
    programs_are_decided
}

/// Makes an empty session on the back end under test.
type New<'a> = &'a dyn Fn() -> Session;

fn load(session: &mut Session, cnf: &Cnf) {
    session.new_vars(cnf.num_vars());
    for clause in cnf.clauses() {
        session.add_clause(clause);
    }
}

fn the_empty_formula_is_satisfiable(new: New<'_>) {
    let mut session = new();
    assert_eq!(session.solve(&[]), Answer::Sat);
    assert_eq!((session.num_vars(), session.num_clauses()), (0, 0));
}

fn the_empty_clause_is_not(new: New<'_>) {
    let mut session = new();
    let a = session.new_var().positive();
    session.add_clause(&[]);
    assert_eq!(session.solve(&[]), Answer::Unsat);
    assert_eq!(session.core(), []);
    assert_eq!(session.solve(&[a]), Answer::Unsat);
    assert_eq!(session.core(), []);
}

fn units_fix_values(new: New<'_>) {
    let mut session = new();
    let lits: Vec<Lit> = session.new_vars(20).iter().map(|v| v.lit(v.index() % 3 == 0)).collect();
    for &lit in &lits {
        session.add_clause(&[lit]);
    }
    assert_eq!(session.solve(&[]), Answer::Sat);
    assert!(lits.iter().all(|&lit| session.value(lit) && !session.value(!lit)));
    session.add_clause(&[!lits[7]]);
    assert_eq!(session.solve(&[]), Answer::Unsat);
}

fn repeated_and_contradictory_literals_are_allowed(new: New<'_>) {
    let mut session = new();
    let [a, b, c] = [(); 3].map(|()| session.new_var().positive());
    session.add_clause(&[a, !a]);
    session.add_clause(&[b, a, b, a, b]);
    session.add_clause(&[!a, !a]);
    session.add_clause(&[c, !c, c, !b]);
    assert_eq!(session.solve(&[]), Answer::Sat);
    assert!(session.value(b) && !session.value(a));
    assert_eq!(session.solve(&[!b, c, !b]), Answer::Unsat);
    assert_eq!(session.core(), [!b]);
    session.add_clause(&[!b, !b, !b]);
    assert_eq!(session.solve(&[]), Answer::Unsat);
}

fn assumptions_hold_for_one_call(new: New<'_>) {
    let mut session = new();
    let [a, b] = [(); 2].map(|()| session.new_var().positive());
    session.add_clause(&[a, b]);
    assert_eq!(session.solve(&[!a]), Answer::Sat);
    assert!(session.value(b));
    assert_eq!(session.solve(&[!b]), Answer::Sat);
    assert!(session.value(a));
    assert_eq!(session.solve(&[!a, !b]), Answer::Unsat);
    assert_eq!(session.core(), [!a, !b]);
    assert_eq!(session.solve(&[]), Answer::Sat);
}

fn contradictory_assumptions_are_their_own_core(new: New<'_>) {
    let mut session = new();
    let [a, b] = [(); 2].map(|()| session.new_var().positive());
    session.add_clause(&[a, b]);
    assert_eq!(session.solve(&[b, a, b, !a]), Answer::Unsat);
    assert_eq!(session.core(), [a, !a]);
    assert_eq!(session.solve(&[b, a, b]), Answer::Sat);
}

fn cores_are_assumptions_and_suffice(new: New<'_>) {
    let mut session = new();
    let cnf = families::random_3sat(60, 240, 4);
    load(&mut session, &cnf);
    let mut rng = Rng(9);
    let mut refuted = 0;
    for _ in 0..200 {
        let assumptions: Vec<Lit> =
            (0..12).map(|_| Var::new(rng.below(60)).lit(rng.coin())).collect();
        if session.solve(&assumptions) == Answer::Unsat {
            let core = session.core().to_vec();
            assert!(core.iter().all(|lit| assumptions.contains(lit)));
            assert!(core.is_sorted_by(|a, b| a < b), "{core:?} has an order and no repetition");
            let mut fresh = new();
            load(&mut fresh, &cnf);
            assert_eq!(fresh.solve(&core), Answer::Unsat, "{core:?} must suffice");
            refuted += 1;
        }
    }
    assert!(refuted > 20, "only {refuted} queries were unsatisfiable");
}

fn clauses_and_variables_may_come_later(new: New<'_>) {
    let mut session = new();
    let first = session.new_var().positive();
    let mut last = first;
    for _ in 0..50 {
        assert_eq!(session.solve(&[first]), Answer::Sat);
        assert!(session.value(last));
        let next = session.new_var().positive();
        session.add_clause(&[!last, next]);
        last = next;
        assert_eq!(session.solve(&[first, !last]), Answer::Unsat);
    }
    session.add_clause(&[!last]);
    assert_eq!(session.solve(&[]), Answer::Sat);
    assert!(!session.value(first));
}

fn unmentioned_variables_have_values(new: New<'_>) {
    let mut session = new();
    let vars = session.new_vars(100);
    session.add_clause(&[vars[50].positive()]);
    assert_eq!(session.solve(&[]), Answer::Sat);
    assert!(vars.iter().all(|v| session.value(v.positive()) != session.value(v.negative())));
}

fn assumptions_may_be_of_unmentioned_variables(new: New<'_>) {
    let mut session = new();
    let vars = session.new_vars(10);
    let assumptions: Vec<Lit> = vars.iter().map(|var| var.lit(var.index() % 2 == 0)).collect();
    assert_eq!(session.solve(&assumptions), Answer::Sat);
    assert!(assumptions.iter().all(|&lit| session.value(lit)));
}

fn an_unsatisfiable_formula_stays_so(new: New<'_>) {
    let mut session = new();
    load(&mut session, &families::pigeons(4));
    let extra = session.new_var().positive();
    for _ in 0..3 {
        assert_eq!(session.solve(&[]), Answer::Unsat);
        assert_eq!(session.solve(&[extra, !extra]), Answer::Unsat);
        session.add_clause(&[extra]);
        let later = session.new_var().positive();
        assert_eq!(session.solve(&[later]), Answer::Unsat);
        assert_eq!(session.core(), []);
    }
}

fn a_conflict_limit_gives_unknown_and_does_no_harm(new: New<'_>) {
    let mut session = new();
    load(&mut session, &families::pigeons(7));
    let answer = session.solve_limited(&[], &Limits::conflicts(10));
    assert_eq!(answer, Answer::Unknown(Reason::ConflictLimit));
    assert!(session.statistics().conflicts < 100);
    assert_eq!(session.solve_limited(&[], &Limits::conflicts(u64::MAX)), Answer::Unsat);
}

fn a_deadline_gives_unknown_and_does_no_harm(new: New<'_>) {
    let mut session = new();
    load(&mut session, &families::pigeons(12));
    let start = Instant::now();
    let answer = session.solve_limited(&[], &Limits::none().within(Duration::from_millis(100)));
    assert_eq!(answer, Answer::Unknown(Reason::Deadline));
    assert!(start.elapsed() >= Duration::from_millis(100));
    assert!(start.elapsed() < Duration::from_secs(20), "it took {:?}", start.elapsed());
    let easy: Vec<Lit> = (0..13 * 12).map(|index| Var::new(index).negative()).collect();
    assert_eq!(session.solve(&easy), Answer::Unsat);
}

fn a_deadline_in_the_past_is_over(new: New<'_>) {
    let mut session = new();
    let limits = Limits { deadline: Some(Instant::now()), ..Limits::none() };
    assert_eq!(session.solve_limited(&[], &limits), Answer::Unknown(Reason::Deadline));
    assert_eq!(session.solve(&[]), Answer::Sat);
}

fn an_interrupt_from_another_thread_stops_the_search(new: New<'_>) {
    let mut session = new();
    load(&mut session, &families::pigeons(12));
    let interrupt = session.interrupt();
    let raise = interrupt.clone();
    let other = thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        raise.raise();
    });
    assert_eq!(session.solve(&[]), Answer::Unknown(Reason::Interrupted));
    other.join().expect("the other thread does not panic");
    // The flag stays up until it is cleared, so an interrupt between two calls is not lost.
    assert_eq!(session.solve(&[]), Answer::Unknown(Reason::Interrupted));
    interrupt.clear();
    let limits = Limits::conflicts(10);
    assert_eq!(session.solve_limited(&[], &limits), Answer::Unknown(Reason::ConflictLimit));
}

fn statistics_never_decrease(new: New<'_>) {
    let mut session = new();
    load(&mut session, &families::random_3sat(80, 330, 3));
    let mut rng = Rng(5);
    let mut before = session.statistics();
    for query in 1..=100 {
        let assumptions: Vec<Lit> =
            (0..3).map(|_| Var::new(rng.below(80)).lit(rng.coin())).collect();
        session.solve(&assumptions);
        let after = session.statistics();
        assert_eq!(after.queries, query);
        assert!(after.conflicts >= before.conflicts && after.decisions >= before.decisions);
        assert!(after.propagations >= before.propagations);
        assert!(after.proof_steps >= before.proof_steps);
        before = after;
    }
    assert!(before.conflicts > 0 && before.decisions > 0 && before.propagations > 0);
}

fn random_formulas_agree_with_brute_force(new: New<'_>) {
    let mut rng = Rng(77);
    for _ in 0..150 {
        let vars = 4 + rng.below(7);
        let full = families::random_3sat(vars, vars * 5, rng.below(1 << 30) as u64);
        let mut session = new();
        session.new_vars(vars);
        for clause in full.clauses() {
            // Clauses of all lengths up to three.
            session.add_clause(&clause[rng.below(8).min(2) / 2..]);
            if rng.below(4) > 0 {
                continue;
            }
            let assumptions: Vec<Lit> =
                (0..rng.below(4)).map(|_| Var::new(rng.below(vars)).lit(rng.coin())).collect();
            let answer = session.solve(&assumptions);
            let expected = brute_force(session.cnf(), &assumptions);
            assert_eq!(answer, if expected { Answer::Sat } else { Answer::Unsat });
            if answer == Answer::Unsat {
                assert!(!brute_force(session.cnf(), session.core()), "the core must suffice");
            }
        }
    }
}

/// Whether one of all the assignments satisfies a formula and assumptions.
fn brute_force(cnf: &Cnf, assumptions: &[Lit]) -> bool {
    (0..1_u32 << cnf.num_vars()).any(|bits| {
        let holds = |lit: &Lit| (bits >> lit.var().index() & 1 == 1) == lit.is_positive();
        assumptions.iter().all(holds) && cnf.clauses().all(|clause| clause.iter().any(holds))
    })
}

fn hard_formulas_are_decided(new: New<'_>) {
    for (name, cnf) in [
        ("pigeons", families::pigeons(7)),
        ("multiplier", families::commutativity(4)),
        ("random", families::random_3sat(100, 600, 1)),
    ] {
        let mut session = new();
        load(&mut session, &cnf);
        assert_eq!(session.solve(&[]), Answer::Unsat, "{name}");
        assert_eq!(session.core(), []);
    }
}

fn programs_are_decided(new: New<'_>) {
    let (cnf, conditions) = families::program(40, 5);
    let mut session = new();
    load(&mut session, &cnf);
    let mut rng = Rng(3);
    let mut unsat = 0;
    for _ in 0..300 {
        let mut pick = || conditions[rng.below(conditions.len())];
        match session.solve(&[pick(), !pick(), pick()]) {
            Answer::Sat => {}
            Answer::Unsat => unsat += 1,
            Answer::Unknown(reason) => panic!("{reason}"),
        }
    }
    assert!((1..300).contains(&unsat));
}
