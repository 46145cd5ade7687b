//! How the heap is laid out: sorts, fields, classes of objects.

use crate::lowered;

#[test]
fn types_between_which_no_value_flows_have_sorts_of_their_own() {
    let text = lowered("class A { B b; } class B { A a; } class C { B f(A a) { return a.b; } }");
    assert!(text.contains("var `A.b`: [A]B"), "{text}");
    assert!(text.contains("proc `C.f`(this: C as \"this\", a: A as \"a\")"), "{text}");
}

#[test]
fn types_that_meet_share_a_sort() {
    let text = lowered("class A { Object o; void f(A a) { o = a; } }");
    assert!(text.contains("var `A.o`: [Object]Object"), "{text}");
}

#[test]
fn objects_of_a_sort_with_several_classes_have_a_class() {
    let text =
        lowered("class A { boolean f(A a) { return a instanceof B; } } class B extends A { }");
    assert!(text.contains("variant `class of A` { none, A, B }"), "{text}");
    assert!(text.contains("is `class of A`::B") || text.contains("B"), "{text}");
}

#[test]
fn a_call_goes_to_what_each_class_has() {
    let text = lowered(
        "class A { int f() { return 1; } int g(A a) { return a.f(); } } class B extends A { int f() { return 2; } }",
    );
    assert!(text.contains("`A.f`") && text.contains("`B.f`"), "{text}");
    let calls: Vec<&str> = text.lines().filter(|line| line.contains("call ")).collect();
    assert!(calls.iter().any(|line| line.contains("`A.f`") && line.contains("`B.f`")), "{calls:?}");
}

#[test]
fn generic_fields_are_what_their_variable_stands_for() {
    let text = lowered(
        "class Box<T> { T item; } class V { int n; } class U { int f(Box<V> b) { return b.item.n; } }",
    );
    assert!(!text.contains("unsupported"), "{text}");
}
