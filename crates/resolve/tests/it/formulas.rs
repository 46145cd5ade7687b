//! The readable formula, solved: how many models it has, and which.

use circuit::{Circuit, Gate, Queries};
use resolve::{BooleanHypothesis, Formula, Scope, formula, hypotheses};

use crate::{FIGURES, read_beside};

/// A formula as a gate; a variable is the input of its number in the list.
fn gate(formula: &Formula, names: &[String], inputs: &[Gate], circuit: &mut Circuit) -> Gate {
    match formula {
        Formula::Variable(name) => {
            let position = names.iter().position(|known| known == name);
            inputs[position.expect("all variables are listed")]
        }
        Formula::Not(inner) => !gate(inner, names, inputs, circuit),
        Formula::And(parts) => {
            let parts: Vec<Gate> =
                parts.iter().map(|part| gate(part, names, inputs, circuit)).collect();
            circuit.and_all(parts)
        }
        Formula::Or(parts) => {
            let parts: Vec<Gate> =
                parts.iter().map(|part| gate(part, names, inputs, circuit)).collect();
            circuit.or_all(parts)
        }
        Formula::Iff(left, right) => {
            let left = gate(left, names, inputs, circuit);
            let right = gate(right, names, inputs, circuit);
            circuit.iff(left, right)
        }
    }
}

/// The models of a formula, each as the variables that are true, up to a number.
fn models(readable: &BooleanHypothesis, most: usize) -> Vec<Vec<String>> {
    let names = readable.variables();
    let mut circuit = Circuit::new();
    let inputs: Vec<Gate> = names.iter().map(|_| circuit.input()).collect();
    let mut queries = Queries::new(sat::Options::default()).expect("the solver is built in");
    for conjunct in readable.conjuncts() {
        let gate = gate(conjunct, &names, &inputs, &mut circuit);
        queries.assert(&circuit, gate);
    }
    let mut models = Vec::new();
    while models.len() < most && queries.ask(&circuit, &[]).is_sat() {
        let values: Vec<bool> = inputs.iter().map(|&input| queries.value(input)).collect();
        let holds = names.iter().zip(&values).filter(|(_, value)| **value);
        models.push(holds.map(|(name, _)| name.clone()).collect());
        let same = inputs.iter().zip(&values).map(|(input, value)| input.negate_if(!value));
        let same = circuit.and_all(same.collect::<Vec<_>>());
        queries.assert(&circuit, !same);
    }
    models
}

fn of_state(state: &str, scope: Scope) -> BooleanHypothesis {
    let report = read_beside(FIGURES[2].1, &FIGURES);
    let all = hypotheses(&report.tables[0]);
    let one = all.iter().find(|hypothesis| hypothesis.state.to_string() == state);
    formula(one.expect("the state has something to confirm"), scope).expect("it can be said")
}

const SMALLEST: Scope = Scope { entries: 1, length: 1 };

#[test]
fn figure_8_is_the_only_model_of_the_appendix() {
    let readable = of_state("5.2", SMALLEST);
    assert_eq!(readable.variables().len(), 38);
    let mut expected: Vec<&str> = vec![
        "Len_P0_Left_equals_Zero",
        "P0_Left_equals_Str_Empty",
        "P0_Right_equals_Str_Z0",
        "Rev_P0_Right_equals_Str_Z0",
        "P1_Left_equals_Str_Empty",
        "P1_Right_equals_Str_Z0",
        "P2_Left_equals_Str_Empty",
        "E2_equals_Z0",
        "P2_Right_equals_Str_Empty",
        "Cat_E2_P2_Right_equals_Str_Z0",
        "Rev_P2_Right_equals_Str_Empty",
        "P3_Left_equals_Str_Empty",
        "E3_equals_Z0",
        "P3_Right_equals_Str_Empty",
        "Cat_E3_P3_Right_equals_Str_Z0",
        "Len_P3_Right_equals_Zero",
        "P4_Left_equals_Str_Empty",
        "P4_Right_equals_Str_Z0",
        "P5_Left_equals_Str_Empty",
        "P5_Right_equals_Str_Z0",
    ];
    expected.sort_unstable();
    assert_eq!(models(&readable, 3), [expected]);
}

#[test]
fn the_other_hypotheses_have_no_model_in_the_smallest_scope() {
    for state in ["1", "2", "5.1"] {
        assert!(models(&of_state(state, SMALLEST), 1).is_empty(), "{state}");
    }
}

/// The same answer as the checker's, which finds a witness for state 5.2 alone in every scope.
#[test]
fn larger_scopes_agree_with_the_checker() {
    let scope = Scope { entries: 2, length: 2 };
    for state in ["1", "5.1"] {
        assert!(models(&of_state(state, scope), 1).is_empty(), "{state}");
    }
    assert!(!models(&of_state("5.2", scope), 1).is_empty());
}
