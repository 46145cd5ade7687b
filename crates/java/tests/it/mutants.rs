//! Mutants: which there are, and that each is Java.

use java::{MutationOperator, NoMutants, mutants};

const TEXT: &str = "
class Outer {
    static class Node { Node next; Node other; int n; boolean marked; }
    Node head;
    int f(Node node, int k) {
        if (k < 3 && !node.marked) head = node.next;
        k += 1;
        return k & 1;
    }
    native int g();
}
";

fn changes(kind: MutationOperator) -> Vec<String> {
    let (name, all) = mutants(TEXT, "Outer.f").unwrap();
    assert_eq!(name, "Outer.f");
    let of_kind = all.iter().filter(|mutant| mutant.operator == kind);
    of_kind
        .map(|m| format!("{} -> {}", TEXT[m.start..m.end].trim(), m.replacement.trim()))
        .collect()
}

#[test]
fn each_kind_of_mistake_is_made() {
    assert_eq!(
        changes(MutationOperator::Arithmetic),
        ["+= -> -=", "+= -> *=", "+= -> /=", "+= -> %="]
    );
    let relations = changes(MutationOperator::Relation);
    assert_eq!(relations.len(), 7, "{relations:?}");
    assert!(relations.contains(&"< -> >=".to_owned()), "{relations:?}");
    let conditions = changes(MutationOperator::Condition);
    assert!(conditions.contains(&"&& -> ||".to_owned()), "{conditions:?}");
    assert!(conditions.contains(&"!node.marked -> (node.marked)".to_owned()), "{conditions:?}");
    assert_eq!(changes(MutationOperator::Bits), ["& -> |", "& -> ^"]);
    assert_eq!(changes(MutationOperator::Field), ["next -> other"]);
    let references = changes(MutationOperator::Reference);
    assert!(references.contains(&"node -> head".to_owned()), "{references:?}");
    assert!(references.contains(&"node.next -> null".to_owned()), "{references:?}");
    assert!(changes(MutationOperator::Unary).contains(&"k -> (-k)".to_owned()));
    assert!(changes(MutationOperator::Deletion).contains(&"k += 1; -> ;".to_owned()));
}

#[test]
fn every_mutant_is_lowered_without_faults() {
    let (_, all) = mutants(TEXT, "f").unwrap();
    assert!(all.len() > 30);
    for mutant in all {
        let text = mutant.text(TEXT);
        assert_ne!(text, TEXT);
        let (_, diagnostics) = java::lower("Test.java", &text);
        let fault = diagnostics.iter().find(|d| d.severity == ir::Severity::Error);
        assert!(fault.is_none(), "{fault:?} in {text}");
    }
}

#[test]
fn a_variable_does_not_stand_for_its_own_first_value() {
    let text = "class A { A next; A f(A a) { A b = a; A c = b; return c.next; } }";
    let (_, all) = mutants(text, "f").unwrap();
    let references = all.iter().filter(|mutant| mutant.operator == MutationOperator::Reference);
    let mut others: Vec<(&str, &str)> = references
        .map(|mutant| (&text[mutant.start..mutant.end], mutant.replacement.as_str()))
        .collect();
    others.retain(|(from, to)| ["a", "b", "c"].contains(from) && ["a", "b", "c"].contains(to));
    assert_eq!(others, [("b", "a"), ("c", "a"), ("c", "b")]);
}

#[test]
fn methods_without_body_and_names_that_are_not_there_have_none() {
    assert_eq!(mutants(TEXT, "Outer.g"), Err(NoMutants::NoBody));
    let known = vec!["Outer.f".to_owned(), "Outer.g".to_owned()];
    assert_eq!(mutants(TEXT, "Outer.h"), Err(NoMutants::NoMethod(known)));
}
