//! Proofs written by hand, correct and corrupted.

use super::*;

fn clause(numbers: &[i32]) -> Vec<Lit> {
    numbers.iter().copied().flat_map(Lit::from_dimacs).collect()
}

/// A checker that holds these clauses as axioms 1, 2, ….
fn checker(axioms: &[&[i32]]) -> Checker {
    let mut checker = Checker::new();
    for (index, axiom) in axioms.iter().enumerate() {
        checker.axiom(index as ClauseId + 1, &clause(axiom)).expect("the number is free");
    }
    checker
}

/// All eight clauses over three variables.
fn cube() -> Checker {
    checker(&[
        &[1, 2, 3],
        &[1, 2, -3],
        &[1, -2, 3],
        &[1, -2, -3],
        &[-1, 2, 3],
        &[-1, 2, -3],
        &[-1, -2, 3],
        &[-1, -2, -3],
    ])
}

/// A refutation of [`cube`].
const PROOF: [(ClauseId, &[i32], &[ClauseId]); 4] = [
    (9, &[1, 2], &[1, 2]),
    (10, &[1], &[9, 3, 4]),
    (11, &[2], &[10, 5, 6]),
    (12, &[], &[10, 11, 7, 8]),
];

fn run(checker: &mut Checker, proof: &[(ClauseId, &[i32], &[ClauseId])]) -> Result<(), LratError> {
    proof.iter().try_for_each(|(id, lits, hints)| checker.derive(*id, &clause(lits), hints))
}

#[test]
fn a_correct_proof_is_accepted() {
    let mut checker = cube();
    assert_eq!(run(&mut checker, &PROOF), Ok(()));
    assert!(checker.is_refuted());
    assert_eq!(checker.steps(), 4);
}

#[test]
fn a_dropped_hint_is_noticed() {
    for step in 0..PROOF.len() {
        for hint in 0..PROOF[step].2.len() {
            let mut checker = cube();
            run(&mut checker, &PROOF[..step]).expect("the beginning is correct");
            let (id, lits, hints) = PROOF[step];
            let mut hints = hints.to_vec();
            hints.remove(hint);
            assert!(checker.derive(id, &clause(lits), &hints).is_err(), "{id} without {hint}");
            assert!(!checker.is_refuted());
        }
    }
}

#[test]
fn a_wrong_hint_is_noticed() {
    let mut checker = cube();
    assert_eq!(run(&mut checker, &[(9, &[1, 2], &[1, 8])]), Err(LratError::NotUnit(9, 8)));
    assert_eq!(run(&mut checker, &[(9, &[1, 2], &[1, 1])]), Err(LratError::NoConflict(9)));
}

#[test]
fn an_altered_literal_is_noticed() {
    let mut checker = cube();
    assert_eq!(run(&mut checker, &[(9, &[1, 3], &[1, 2])]), Err(LratError::NotUnit(9, 2)));
    assert_eq!(run(&mut checker, &[(9, &[1], &[1, 2])]), Err(LratError::NotUnit(9, 1)));
}

#[test]
fn a_missing_clause_is_noticed() {
    let mut checker = cube();
    assert_eq!(run(&mut checker, &[(9, &[1, 2], &[1, 77])]), Err(LratError::NoSuchClause(77)));
    checker.delete(2).expect("the clause is there");
    assert_eq!(run(&mut checker, &[(9, &[1, 2], &[1, 2])]), Err(LratError::NoSuchClause(2)));
    assert_eq!(checker.delete(2), Err(LratError::NoSuchClause(2)));
}

#[test]
fn a_refused_clause_is_not_taken() {
    let mut checker = cube();
    assert!(run(&mut checker, &[(9, &[], &[1])]).is_err());
    assert!(checker.clause(9).is_none() && !checker.is_refuted());
}

#[test]
fn a_rat_step_is_refused() {
    let mut checker = checker(&[&[1, 2]]);
    assert_eq!(run(&mut checker, &[(2, &[3], &[-1])]), Err(LratError::NotRup(2)));
    assert_eq!(run(&mut checker, &[(2, &[3], &[])]), Err(LratError::NoConflict(2)));
}

#[test]
fn a_number_is_positive_and_used_once() {
    let mut checker = checker(&[&[1]]);
    assert_eq!(checker.axiom(1, &[]), Err(LratError::NumberTaken(1)));
    assert_eq!(checker.axiom(0, &[]), Err(LratError::BadNumber(0)));
    assert_eq!(checker.axiom(-3, &[]), Err(LratError::BadNumber(-3)));
    assert_eq!(checker.axiom(1 << 40, &[]), Err(LratError::BadNumber(1 << 40)));
    assert!(!checker.is_refuted());
}

#[test]
fn repeated_literals_and_tautologies_do_no_harm() {
    let mut checker = checker(&[&[1, 1, 2, 1], &[-2, 2], &[-2]]);
    assert_eq!(run(&mut checker, &[(4, &[1], &[3, 1]), (5, &[4, -4, 4], &[])]), Ok(()));
    assert_eq!(checker.clause(1).expect("it was added").count(), 2);
    // A tautology implies nothing, so it must not help to derive anything.
    assert!(run(&mut checker, &[(6, &[3], &[2])]).is_err());
    assert!(run(&mut checker, &[(6, &[], &[2, 5])]).is_err());
}

#[test]
fn a_parked_clause_survives_its_deletion_until_it_is_restored() {
    let mut checker = cube();
    checker.park(2).expect("the clause is there");
    checker.delete(2).expect("the clause is there");
    assert_eq!(checker.restore(2, &clause(&[1, 2])), Err(LratError::Altered(2)));
    assert_eq!(checker.restore(2, &clause(&[1, 2, 3])), Err(LratError::Altered(2)));
    assert_eq!(checker.restore(2, &clause(&[1, 2, -3, 4])), Err(LratError::Altered(2)));
    assert_eq!(checker.restore(2, &clause(&[-3, 2, 1, 2])), Ok(()));
    checker.delete(2).expect("it is there again");
    assert_eq!(checker.restore(2, &clause(&[1, 2, -3])), Err(LratError::NoSuchClause(2)));
}

#[test]
fn a_deletion_that_comes_after_the_restoration_is_counted() {
    let mut checker = cube();
    checker.park(2).expect("the clause is there");
    checker.restore(2, &clause(&[1, 2, -3])).expect("the literals are the same");
    checker.delete(2).expect("the clause is there");
    assert_eq!(run(&mut checker, &PROOF), Ok(()));
    checker.delete(2).expect("the restored clause is there");
    assert_eq!(checker.delete(2), Err(LratError::NoSuchClause(2)));
}

#[test]
fn garbage_is_collected_and_the_rest_stays() {
    let mut checker = cube();
    let many = clause(&(10..1010).collect::<Vec<_>>());
    for id in 100..10_100 {
        checker.axiom(id, &many).expect("the number is free");
        checker.delete(id).expect("the clause is there");
    }
    assert!(checker.words.len() < 4 * GARBAGE_WORDS);
    assert_eq!(run(&mut checker, &PROOF), Ok(()));
}

#[test]
fn marks_survive_the_end_of_the_epochs() {
    let mut checker = cube();
    checker.epoch = u32::MAX - 2;
    assert_eq!(run(&mut checker, &PROOF), Ok(()));
    assert!(checker.epoch < 10);
}
