//! Contracts: what JML and formulas over relations become.

use crate::lowered;

#[test]
fn clauses_of_several_comments_are_one_contract() {
    let text = lowered(
        "class A {\n//@ requires x > 0;\n//@ ensures \\result == x;\nint f(int x) { return x; } }",
    );
    assert!(text.contains("\"the precondition `x > 0` does not hold\""), "{text}");
    assert!(text.contains("\"`\\\\result == x` does not hold at exit\""), "{text}");
}

#[test]
fn references_are_not_null_in_jml_unless_it_says_so() {
    let text = lowered("class A {\n//@ requires true;\nvoid f(A a, /*@ nullable @*/ A b) { } }");
    assert!(text.contains("\"`a` is null\""), "{text}");
    assert!(!text.contains("\"`b` is null\""), "{text}");
}

#[test]
fn invariants_hold_at_entry_and_at_exit_but_not_before_a_constructor() {
    let text = lowered("class A {\n//@ invariant n >= 0;\nint n; A() { } void f() { } }");
    let of = |name: &str| {
        let start = text.find(&format!("proc `{name}`")).expect("it is there");
        let rest = &text[start..];
        rest[..rest.find("{\n").unwrap_or(rest.len())].to_owned()
    };
    assert!(of("A.f").contains("of `this` does not hold\""), "{text}");
    assert!(of("A.f").contains("of `this` does not hold at exit\""), "{text}");
    assert!(!of("A.A").contains("of `this` does not hold\""), "{text}");
    assert!(of("A.A").contains("of `this` does not hold at exit\""), "{text}");
}

#[test]
fn closures_and_comprehensions_are_those_of_vir() {
    let text = lowered(
        "class L { L next; int v;\n@Ensures(\"l.*next' = l.*next - {c | c.v = 3}\")\nstatic void f(L l) { } }",
    );
    assert!(text.contains("rclosure(graph(old(`L.next`)))"), "{text}");
    assert!(text.contains("diff("), "{text}");
}

#[test]
fn a_constructor_has_no_object_before() {
    let text = "class A { int n;\n//@ requires n > 0;\nA() { } }";
    let (_, diagnostics) = java::lower("Test.java", text);
    let messages: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
    assert_eq!(messages, ["no object exists here in a specification"]);
}

#[test]
fn who_is_reached_need_not_be_asked_whether_it_exists() {
    let with = |range: &str| {
        lowered(&format!(
            "class L {{ /*@ nullable @*/ L next; /*@ nullable @*/ Object any;\n\
             //@ ensures (\\forall L n; {range}; n.next != this);\nvoid f() {{ new L(); }} }}"
        ))
    };
    let asks = |text: &str| {
        let ensures = text.lines().find(|line| line.contains("forall")).expect("it is there");
        ensures.contains("n != null")
    };
    assert!(asks(&with("n.next == n")));
    assert!(!asks(&with("\\reach(this, L, next).has(n)")));
    assert!(!asks(&with("n.next == n && \\old(\\reach(next, L, next)).has(n)")));
    assert!(asks(&with("\\reach(this, L, next).has(n.next)")));
    assert!(asks(&with("\\reach(this, L, next).has(n) || n == this")));
}

#[test]
fn what_is_reached_is_a_set() {
    let text = lowered(
        "class L { /*@ nullable @*/ L next;\n//@ ensures \\reach(this, L, next).has(this) && \\reach(this, L, next).int_size() > 0;\nvoid f() { } }",
    );
    assert!(text.contains("card(join("), "{text}");
}
