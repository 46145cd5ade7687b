//! Figures 2, 5, 6 and 8 of the paper.

use papers::computation::{CheckResult, Extract, FixedValue, Nulls, extract};

use super::{figure, read};

fn delete(specification: u32, unroll: u32, nulls: Nulls) -> Extract {
    let (_, text) = figure("Delete.java");
    let procedure = read(&text, &format!("Procedures.delete_{specification}"));
    extract(&procedure, unroll, nulls)
}

/// Figure 2, less what the paper should not have printed: primed copies of variables, and `next1'`.
const FIGURE_2: [FixedValue<'static>; 23] = [
    ("List", &[&["L0"]]),
    ("Val", &[&["V0"]]),
    ("E01", &[&["traversed"]]),
    ("E12", &[]),
    ("E13", &[&["traversed"]]),
    ("E34", &[&["traversed"]]),
    ("E45", &[&["traversed"]]),
    ("E52", &[&["traversed"]]),
    ("E36", &[]),
    ("E67", &[]),
    ("E78", &[]),
    ("E82", &[]),
    ("l", &[&["L0"]]),
    ("l1", &[&["L0"]]),
    ("prev", &[&["L0"]]),
    ("prev1", &[]),
    ("prev2", &[]),
    ("v", &[&["V0"]]),
    ("next", &[]),
    ("next1", &[]),
    ("val", &[&["L0", "V0"]]),
    ("next'", &[]),
    ("val'", &[&["L0", "V0"]]),
];

#[test]
fn figure_2_is_a_model_and_its_neighbours_are_not() {
    let (answer, _) = delete(2, 1, Nulls::Ignored).ask(1, &FIGURE_2).expect("it is well formed");
    let CheckResult::Model(model) = answer else { panic!("{answer:?}") };
    assert_eq!(model.witnesses, [("c".to_owned(), vec![vec!["L0".to_owned()]])]);
    // With another cell as witness, or another path, it is none.
    for (name, value) in [("l", &[][..]), ("E82", &[&["traversed"][..]]), ("v", &[])] {
        let pins = FIGURE_2.map(|pin| if pin.0 == name { (name, value) } else { pin });
        let (answer, _) = delete(2, 1, Nulls::Ignored).ask(1, &pins).expect("it is well formed");
        assert_eq!(answer, CheckResult::None, "{name}");
    }
}

#[test]
fn the_model_that_is_shown_has_the_path_and_the_witness_of_figure_2() {
    let (answer, _) = delete(2, 1, Nulls::Ignored).ask(1, &[]).expect("it is well formed");
    let CheckResult::Model(model) = answer else { panic!("{answer:?}") };
    assert_eq!(model.path, ["E01", "E13", "E34", "E45", "E52"]);
    assert_eq!(model.value("c"), Some(&vec![vec!["L0".to_owned()]]));
    assert_eq!(model.value("next'"), model.value("next"), "a store through null has no effect");
}

#[test]
fn figure_5_has_nine_nodes_and_ten_edges() {
    let extract = delete(2, 1, Nulls::Ignored);
    assert_eq!((extract.graph.nodes, extract.graph.exit), (9, 2));
    let names: Vec<&str> = extract.graph.edges.iter().map(|edge| edge.name.as_str()).collect();
    assert_eq!(
        names,
        ["E01", "E12", "E13", "E34", "E45", "E52", "E36", "E67", "E78", "E82"],
        "in the order of Figure 2"
    );
}

#[test]
fn figure_6_has_three_variables_for_prev_two_for_next_and_one_for_val() {
    let extract = delete(2, 1, Nulls::Ignored);
    let variables: Vec<String> =
        extract.labels.components.iter().flat_map(|component| component.variables()).collect();
    assert_eq!(
        variables,
        ["l", "l1", "v", "prev", "prev1", "prev2", "next", "next1", "val"].map(str::to_owned)
    );
    assert_eq!(extract.labels.at("prev", 2), "prev2");
    assert_eq!(extract.labels.at("next", 8), "next");
    assert_eq!(extract.labels.at("next", 2), "next1");
}

/// Figure 8, with its slips put right: E13 says that `l` is not empty, and variables have no prime. What is
/// said of one edge stands together, and components come in the order of their declaration.
const FIGURE_8: &str = "
  E01
  E01 ⇒ prev1 = {}
  E01 ⇒ E12 ∨ E13
  E12 ⇒ l = {} ∧ l1 = l ∧ prev2 = prev1 ∧ all e | e.next1 = e.next
  E13 ⇒ l != {}
  E13 ⇒ E34 ∨ E36
  E34 ⇒ l.val = v
  E34 ⇒ E45
  E45 ⇒ prev1.next1 = l.next ∧ all e: List - prev1 | e.next1 = e.next
  E45 ⇒ E52
  E52 ⇒ l1 = l ∧ prev2 = prev1
  E36 ⇒ l.val != v
  E36 ⇒ E67
  E67 ⇒ prev2 = l
  E67 ⇒ E78
  E78 ⇒ l1 = l.next
  E78 ⇒ E82
  E82 ⇒ l1 = {} ∧ all e | e.next1 = e.next
  all e | e.next' = e.next1
  all e | e.val' = e.val
";

#[test]
fn figure_8_is_the_formula() {
    let shown = delete(2, 1, Nulls::Ignored).to_string();
    let (_, code) = shown.split_once("Code formula:").expect("there is a formula");
    let (code, _) = code.split_once("\nPostcondition").expect("there is a postcondition");
    assert_eq!(code, FIGURE_8);
}

#[test]
fn specifications_1_4_and_5_hold_and_2_and_3_do_not() {
    for (specification, holds) in [(1, true), (2, false), (3, false), (4, true), (5, true)] {
        for nulls in [Nulls::Ignored, Nulls::Excluded] {
            let (answer, _) = delete(specification, 3, nulls).ask(3, &[]).expect("well formed");
            assert_eq!(
                answer == CheckResult::None,
                holds,
                "{specification}, {nulls:?}: {answer:?}"
            );
        }
    }
}

/// §3.10: the variable that is null when it is dereferenced is in the set at the end.
#[test]
fn the_store_through_prev_is_recorded() {
    let (answer, _) = delete(1, 1, Nulls::Recorded).ask(1, &[]).expect("it is well formed");
    let CheckResult::Model(model) = answer else { panic!("{answer:?}") };
    assert_eq!(model.value("NullDerefs2"), Some(&vec![vec!["@prev".to_owned()]]));
    assert_eq!(model.path, ["E01", "E13", "E34", "E45", "E52"]);
}

/// §3.10: of `l.next.next` the object whose field is null is named.
#[test]
fn the_object_whose_field_is_null_is_recorded() {
    let text = "class L { L next; } class P { @Requires(\"some l\") \
                static L second(L l) { return l.next.next; } }";
    let extract = extract(&read(text, "second"), 1, Nulls::Recorded);
    let (answer, _) = extract.ask(2, &[]).expect("it is well formed");
    let CheckResult::Model(model) = answer else { panic!("{answer:?}") };
    assert_eq!(model.value("NullDerefs1"), model.value("l"));
}
