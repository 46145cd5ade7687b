//! Every problem, at sizes small enough for a test, has the answer it should have.

use bench::measure::measure;
use bench::problems::{
    Expected, Problem, ceilings_and_floors, dijkstra, file_system, handshake, hotel, list_check,
    lists, pigeonhole, ring_election, trees,
};
use relational::{Error, Finder, Logic, Options, Solution};

/// Asks, and checks the answer with and without a certificate. Facts that contradict each other
/// would make any claim hold, so they must have an instance by themselves.
fn check(
    expected: Expected,
    state: impl Fn(&Logic) -> Result<Problem<'_>, Error>,
) -> Result<(), Error> {
    let logic = Logic::new();
    let problem = state(&logic)?;
    assert_eq!(problem.expected, expected, "{}", problem.name);
    for certify in [false, true] {
        let mut options = Options::default();
        options.session.certify = certify;
        let verdict = measure(&problem, &options)?.verdict;
        assert!(verdict.is(expected), "{} is {verdict}", problem.name);
    }
    let mut finder = Finder::new(&problem.bounds, &problem.facts, &Options::default())?;
    let Solution::Instance(instance) = finder.next() else {
        panic!("the facts of {} contradict each other", problem.name);
    };
    let text = instance.to_string();
    for (relation, _) in instance.iter() {
        assert!(text.contains(&format!("{relation} = {{")), "{relation} is missing in {text}");
    }
    Ok(())
}

#[test]
fn ring_election_elects_at_most_one() -> Result<(), Error> {
    check(Expected::Unsat, |logic| ring_election(logic, 3, 7))
}

#[test]
fn dijkstra_prevents_deadlock() -> Result<(), Error> {
    check(Expected::Unsat, |logic| dijkstra(logic, 5, 3, 3))
}

#[test]
fn hotel_is_safe_with_five_events() -> Result<(), Error> {
    check(Expected::Unsat, |logic| hotel(logic, 5))
}

#[test]
fn hotel_is_unsafe_with_six_events() -> Result<(), Error> {
    check(Expected::Sat, |logic| hotel(logic, 6))
}

#[test]
fn handshake_needs_couples() -> Result<(), Error> {
    check(Expected::Sat, |logic| handshake(logic, 6))?;
    check(Expected::Sat, |logic| handshake(logic, 2))
}

#[test]
fn lists_have_prefixes() -> Result<(), Error> {
    check(Expected::Unsat, |logic| lists(logic, 2))?;
    check(Expected::Sat, |logic| lists(logic, 3))?;
    check(Expected::Sat, |logic| lists(logic, 5))
}

#[test]
fn file_system_has_aliases() -> Result<(), Error> {
    check(Expected::Unsat, |logic| file_system(logic, 1))?;
    check(Expected::Sat, |logic| file_system(logic, 2))?;
    check(Expected::Sat, |logic| file_system(logic, 5))
}

#[test]
fn pigeons_need_holes() -> Result<(), Error> {
    check(Expected::Unsat, |logic| pigeonhole(logic, 10, 9))?;
    check(Expected::Sat, |logic| pigeonhole(logic, 9, 9))
}

#[test]
fn floors_are_ceilings() -> Result<(), Error> {
    check(Expected::Unsat, |logic| ceilings_and_floors(logic, 4, 4))
}

#[test]
fn trees_are_trees_by_any_definition() -> Result<(), Error> {
    check(Expected::Unsat, |logic| trees(logic, 1))?;
    check(Expected::Unsat, |logic| trees(logic, 4))
}

#[test]
fn list_of_three_is_not_reversed() -> Result<(), Error> {
    check(Expected::Unsat, |logic| list_check(logic, 2))?;
    check(Expected::Sat, |logic| list_check(logic, 3))?;
    check(Expected::Sat, |logic| list_check(logic, 6))
}
