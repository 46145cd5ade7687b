//! Small procedures: which obligations can fail, and that their witnesses replay.

use encode::{Evaluation, Inquiry, Known, Scope, evaluate, replay};
use interpret::Outcome;
use ir::{Module, ProcedureId};

fn parse(text: &str) -> Module {
    let (module, diagnostics) = ir::parse("test.vir", text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    module
}

fn inquiry<'e>(module: &'e Module, evaluation: &'e Evaluation) -> Inquiry<'e> {
    let options = sat::Options { certify: true, ..sat::Options::default() };
    Inquiry::new(module, evaluation, options, sat::Limits::none()).expect("the solver is built in")
}

/// The messages of the obligations of the first procedure that can fail, each replayed.
fn failing(text: &str) -> Vec<String> {
    let module = parse(text);
    let procedure = ProcedureId(0);
    let evaluation = evaluate(&module, module.procedure(procedure), &[], &Scope::default());
    let mut inquiry = inquiry(&module, &evaluation);
    let mut failing = Vec::new();
    for obligation in &evaluation.obligations {
        match inquiry.ask(&[obligation.fails]) {
            Known::Never => {}
            Known::Unknown(reason) => panic!("no limit was set, but: {reason}"),
            Known::Exists => {
                let witness = inquiry.witness();
                let run = replay(&module, procedure, &witness, &interpret::Options::default());
                let Outcome::Failed(failure) = &run.outcome else {
                    panic!("`{}` does not fail: {}\n{witness:?}", obligation.message, run.outcome);
                };
                assert_eq!(failure.message, obligation.message);
                failing.push(obligation.message.clone());
            }
        }
    }
    failing
}

#[test]
fn words_wrap_around() {
    let text = r#"
        proc f(x: bv8) {
          entry:
            assume ult(x, 200bv8);
            assert ult(x, x + 100bv8) "grows";
            assert x + x - x == x "cancels";
            exit;
        }"#;
    assert_eq!(failing(text), ["grows"]);
}

#[test]
fn integers_do_not_wrap_around() {
    let text = r#"
        proc f(x: int, y: int) {
          entry:
            assert x < x + 1 "grows";
            assert x + y == y + x "commutes";
            assert y != 0 ==> (x div y) * y + x mod y == x "divides";
            assert x - y <= x "shrinks";
            exit;
        }"#;
    assert_eq!(failing(text), ["shrinks"]);
}

#[test]
fn maps_over_integers_alias() {
    let text = r#"
        var m: [int]int;
        proc f(i: int, j: int) modifies m; {
          entry:
            m[i] := 1;
            m[j] := 2;
            assert m[j] == 2 "last";
            assert m[i] == 1 "first";
            exit;
        }"#;
    assert_eq!(failing(text), ["first"]);
}

#[test]
fn heaps_of_individuals_are_tables() {
    let text = r#"
        sort Node;
        var next: [Node]Node;
        proc f(a: Node)
          requires a != null && next[null] == null;
          modifies next;
        {
          var b: Node;
          entry:
            b := new Node;
            assert b != a && b != null "fresh";
            next[b] := next[a];
            next[a] := b;
            assert next[next[a]] == old(next[a]) "inserted";
            assert closure(graph(next))[a, b] "reachable";
            assert !closure(graph(next))[a, a] "acyclic";
            assert card(graph(next)) <= 3 "few";
            exit;
        }"#;
    assert_eq!(failing(text), ["acyclic", "few"]);
}

#[test]
fn sequences_concatenate_and_reverse() {
    let text = r#"
        sort E;
        proc f(s: seq<E>, x: E) requires len(s) <= 2; {
          entry:
            assert len(s ++ seq[x]) == len(s) + 1 "length";
            assert reverse(reverse(s)) == s "involution";
            assert reverse(s ++ seq[x]) == seq[x] ++ reverse(s) "reverse of a concatenation";
            assert s ++ seq[x] == seq[x] ++ s "commutes";
            assert (seq[x] ++ s)[0] == x "first";
            assert slice(s ++ seq[x], len(s), 1) == seq[x] "slice";
            exit;
        }"#;
    assert_eq!(failing(text), ["commutes"]);
}

#[test]
fn memory_is_bytes() {
    let text = r#"
        var mem: bytes;
        proc f(x: bv32) modifies mem; {
          var p: ptr;
          var q: ptr;
          entry:
            p := alloc 8bv64 heap;
            q := alloc 4bv64 stack;
            mem{p as bv32} := x;
            mem{ptradd(p, 4bv64) as bv32} := 1bv32;
            mem{q as bv32} := 9bv32;
            assert mem{p as bv32} == x "stored";
            assert mem{ptradd(p, 1bv64) as bv8} == extract(x, 8, 8) "little end first";
            assert mem{p as bv32} != mem{q as bv32} "differ";
            assert live(p) && size(p) == 8bv64 "live";
            free p;
            assert !live(p) && live(q) "freed";
            exit;
        }"#;
    assert_eq!(failing(text), ["differ"]);
}

#[test]
fn paths_meet_again() {
    let text = r#"
        proc f(c: bool, x: bv8) {
          var y: bv8;
          entry:
            branch c ? left : right;
          left:
            y := x + 1bv8;
            goto join;
          right:
            havoc y where ult(y, x);
            goto join, other;
          other:
            y := 0bv8;
            goto join;
          join:
            assert y != x "changed";
            assert y != 0bv8 "positive";
            assert c || ule(y, x) "smaller";
            exit;
        }"#;
    assert_eq!(failing(text), ["positive"]);
}
