//! Small procedures: which obligations can fail, and that their witnesses replay.

use encode::{Direction, Evaluation, QueryAnswer, QuerySession, Scope, evaluate, replay};
use interpret::Outcome;
use ir::{Module, ProcedureId};

fn parse(text: &str) -> Module {
    let (module, diagnostics) = ir::parse("test.vir", text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    module
}

fn session<'e>(module: &'e Module, evaluation: &'e Evaluation) -> QuerySession<'e> {
    let options = sat::Options { certify: true, ..sat::Options::default() };
    QuerySession::new(module, evaluation, options, sat::Limits::none())
        .expect("the solver is built in")
}

/// The messages of the obligations of the first procedure that can fail, each replayed.
fn failing(text: &str) -> Vec<String> {
    let module = parse(text);
    let procedure = ProcedureId(0);
    let evaluation = evaluate(&module, module.procedure(procedure), &[], &Scope::default());
    let mut session = session(&module, &evaluation);
    let mut failing = Vec::new();
    for obligation in &evaluation.obligations {
        match session.ask(&[obligation.fails]) {
            QueryAnswer::Unsat => {}
            QueryAnswer::Unknown(reason) => panic!("no limit was set, but: {reason}"),
            QueryAnswer::Sat => {
                let witness = session.witness();
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
fn heaps_of_atoms_are_tables() {
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

#[test]
fn free_postconditions_are_not_evaluated() {
    let module = parse(
        r#"
        proc f() returns (r: int) free ensures 1000 * r == 0; {
          entry:
            r := 1;
            exit;
        }"#,
    );
    let evaluation = evaluate(&module, module.procedure(ProcedureId(0)), &[], &Scope::default());
    assert_eq!(session(&module, &evaluation).ask(&[evaluation.normal]), QueryAnswer::Sat);
    assert!(evaluation.cuts.is_empty(), "cuts were not requested");
}

#[test]
fn every_byte_of_the_environment_has_a_value() {
    let module = parse(
        r#"
        var mem: bytes;
        proc f(p: ptr) {
          entry:
            assume live(p) && offset(p) == 0bv64 && ule(1bv64, size(p));
            assert mem{p as bv8} != mem{p as bv8} "fails";
            exit;
        }"#,
    );
    for direction in [Direction::Under, Direction::Over] {
        let scope = Scope { direction, ..Scope::default() };
        let evaluation = evaluate(&module, module.procedure(ProcedureId(0)), &[], &scope);
        let mut session = session(&module, &evaluation);
        assert_eq!(session.ask(&[evaluation.obligations[0].reached]), QueryAnswer::Sat);
        assert_eq!(session.ask(&[evaluation.survives]), QueryAnswer::Unsat, "{direction:?}");
    }
}

#[test]
fn pointers_do_not_wrap_around() {
    let text = r#"
        proc f(p: ptr) {
          var q: ptr;
          entry:
            q := ptradd(p, 0x1000000000000bv64);
            assert p != q "moved";
            exit;
        }"#;
    assert!(failing(text).is_empty(), "no run gets back to where it was");
    let module = parse(text);
    let scope = Scope { direction: Direction::Over, ..Scope::default() };
    let evaluation = evaluate(&module, module.procedure(ProcedureId(0)), &[], &scope);
    assert_eq!(session(&module, &evaluation).ask(&[evaluation.normal]), QueryAnswer::Sat);
}

#[test]
fn unknown_maps_hold_values_of_their_type() {
    let text = r#"
        sort S;
        variant One { Only(bool) }
        var ones: [int]One;
        var atoms: [int]S;
        var pointers: [int]ptr;
        proc f(i: int) {
          var fresh: S;
          var object: ptr;
          entry:
            assert ones[i] is Only "of the only constructor";
            fresh := new S;
            assert atoms[i] != fresh "fresh";
            object := alloc 1bv64 heap;
            assert !sameobject(pointers[i], object) "not yet";
            assert atoms[i] == null "null";
            exit;
        }"#;
    assert_eq!(failing(text), ["null"]);
}

#[test]
fn the_negation_of_a_big_integer_may_be_small() {
    let module = parse(
        r#"
        proc f(x: int) requires x == -128; {
          entry:
            assert -(-x) == x;
            exit;
        }"#,
    );
    let scope = Scope { direction: Direction::Over, ..Scope::default() };
    let evaluation = evaluate(&module, module.procedure(ProcedureId(0)), &[], &scope);
    assert_eq!(session(&module, &evaluation).ask(&[evaluation.normal]), QueryAnswer::Sat);
}

#[test]
fn constant_objects_hold_their_contents_and_others_anything() {
    let text = r#"
        object greeting: 16 constant { 0: "68690a", 8: table + 4 };
        object table: 8;
        object unused: 4;
        object last: 4 { 0: "00000000" };
        var mem: bytes;
        proc f(i: bv64) {
          entry:
            assert mem{greeting as bv16} == 26984bv16 "spells hi";
            assert mem{ptradd(greeting, 8bv64) as ptr} == ptradd(table, 4bv64) "points into the table";
            assert mem{mem{ptradd(greeting, 8bv64) as ptr} as bv8} == 7bv8 "is seven";
            assert mem{last as bv32} == 0bv32 "is still zero";
            assume ult(i, 4bv64);
            mem{ptradd(table, i) as bv8} := 9bv8;
            assert mem{table as bv8} == 9bv8 "is nine";
            assert i == 0bv64 ==> mem{table as bv8} == 9bv8 "was just written";
            assert size(last) == 4bv64 && !heap(last) && live(last) "is static";
            exit;
        }"#;
    assert_eq!(failing(text), ["is seven", "is still zero", "is nine"]);
}

#[test]
fn bytes_that_were_never_written_can_be_looked_at() {
    let text = r#"
        var mem: bytes;
        proc f(given: ptr, b: bv8) {
          var x: ptr;
          entry:
            x := alloc 2bv64 heap;
            mem{x as bv8} := b;
            assert peek(mem, x) == b "was written";
            assert peek(mem, ptradd(x, 1bv64)) == 0bv8 "was never written";
            assume live(given) && offset(given) == 0bv64 && ule(1bv64, size(given));
            assert peek(mem, given) == 0bv8 "is given";
            exit;
        }"#;
    assert_eq!(failing(text), ["is given"]);
}

#[test]
fn bytes_are_copied_with_or_without_a_value() {
    let text = r#"
        var mem: bytes;
        proc f(n: bv64, b: bv8) {
          var x: ptr; var y: ptr;
          entry:
            x := alloc 8bv64 stack;
            y := alloc 8bv64 stack;
            mem := fill(mem, x, b, 8bv64);
            mem := fill(mem, y, 0bv8, 8bv64);
            assume ule(n, 8bv64);
            mem := copy(mem, y, x, n);
            assert ult(2bv64, n) ==> mem{ptradd(y, 2bv64) as bv8} == b "is copied";
            assert mem{ptradd(y, 3bv64) as bv8} == b "may be beyond the copy";
            mem := copy(mem, ptradd(x, 1bv64), x, 4bv64);
            assert mem{x as bv8} == mem{ptradd(x, 1bv64) as bv8} "overlaps";
            exit;
        }"#;
    assert_eq!(failing(text), ["may be beyond the copy"]);
}
