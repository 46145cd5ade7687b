//! The environment does not change what the solver does. The tests execution themselves again, as a child process
//! with variables set, because a process cannot safely change its own environment.

use std::process::Command;

use cadical::{Configuration, Error, Outcome, Solver};

/// Set for the child process.
const CHILD: &str = "CADICAL_TESTS_CHILD";

/// Runs one test of this file in a child process and says whether it passes there.
fn passes(test: &str, variable: &str, value: &str) -> bool {
    let program = std::env::current_exe().expect("a running test has a file");
    let mut command = Command::new(program);
    command.args(["--exact", test]).env(CHILD, "1").env(variable, value);
    command.output().expect("the test can run again").status.success()
}

#[test]
fn a_variable_that_asks_for_a_proof_file_is_refused() {
    for variable in ["CADICAL_LIDRUP_TRACE", "CADICALLIDRUPTRACE"] {
        if std::env::var_os(CHILD).is_none() {
            let test = "a_variable_that_asks_for_a_proof_file_is_refused";
            assert!(passes(test, variable, "/nowhere/proof"));
        } else if std::env::var_os(variable).is_some() {
            let refused = Solver::new(Configuration::Default);
            assert_eq!(refused.err(), Some(Error::Environment(variable)));
        }
    }
}

#[test]
fn variables_that_set_options_have_no_effect() {
    if std::env::var_os(CHILD).is_none() {
        let test = "variables_that_set_options_have_no_effect";
        // With 'factor' and 'factorcheck' variables must be declared, with 'checkfrozen' they must
        // be frozen: our way of using the solver would not survive any of them.
        for option in ["CADICAL_FACTOR", "CADICAL_CHECKFROZEN", "CADICAL_FACTORCHECK"] {
            assert!(passes(test, option, "2"), "{option} has an effect");
        }
        return;
    }
    for configuration in [Configuration::Default, Configuration::Plain] {
        let mut solver = Solver::new(configuration).expect("no proof file is asked for");
        for variable in 1..50 {
            solver.add_clause(&[-variable, variable + 1]);
            assert_eq!(solver.solve(&[1]), Outcome::Satisfiable);
            assert!(solver.value(variable + 1));
        }
        assert_eq!(solver.solve(&[1, -50]), Outcome::Unsatisfiable);
    }
}
