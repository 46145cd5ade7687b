//! Quantifiers, comprehensions and equalities over values that cannot be listed.

use encode::{Direction, Escape, Evaluation, QueryAnswer, QuerySession, Scope, evaluate, replay};
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

/// What becomes of the obligations of the first procedure: for each that can fail within the scope,
/// its message, and whether the interpreter confirms it.
fn failing(text: &str) -> Vec<(String, bool)> {
    let module = parse(text);
    let procedure = ProcedureId(0);
    let evaluation = evaluate(&module, module.procedure(procedure), &[], &Scope::default());
    let mut session = session(&module, &evaluation);
    let mut failing = Vec::new();
    for obligation in &evaluation.obligations {
        if session.ask(&[obligation.fails]) == QueryAnswer::Sat {
            let witness = session.witness();
            let run = replay(&module, procedure, &witness, &interpret::Options::default());
            let confirmed = match &run.outcome {
                Outcome::Failed(failure) => failure.message == obligation.message,
                _ => false,
            };
            failing.push((obligation.message.clone(), confirmed));
        }
    }
    failing
}

#[track_caller]
fn fails(text: &str, messages: &[&str]) {
    let expected: Vec<(String, bool)> = messages.iter().map(|m| ((*m).to_owned(), true)).collect();
    assert_eq!(failing(text), expected);
}

/// The messages of the obligations of the first procedure that some execution comes to and none survives, in
/// alphabetical order, and whether any run is cut, in an over-approximation.
fn doomed(text: &str) -> (Vec<String>, bool) {
    let module = parse(text);
    let scope = Scope { direction: Direction::Over, atoms: 1 << 12, ..Scope::default() };
    let evaluation = evaluate(&module, module.procedure(ProcedureId(0)), &[], &scope);
    let mut session = session(&module, &evaluation);
    let mut doomed = Vec::new();
    for obligation in &evaluation.obligations {
        if session.ask(&[obligation.reached]) == QueryAnswer::Sat
            && session.ask(&[obligation.reached, !obligation.fails]) == QueryAnswer::Unsat
        {
            doomed.push(obligation.message.clone());
        }
    }
    doomed.sort();
    let cut = evaluation.cuts.iter().any(|cut| session.ask(&[cut.gate]) != QueryAnswer::Unsat);
    (doomed, cut)
}

#[track_caller]
fn dooms(text: &str, messages: &[&str]) {
    let expected: Vec<String> = messages.iter().map(|m| (*m).to_owned()).collect();
    assert_eq!(doomed(text), (expected, false));
}

#[test]
fn an_axiom_dooms_what_contradicts_it() {
    let text = r#"
        function f(x: int): int;
        axiom (all x: int :: f(x) > 0);
        proc p(y: int) {
          entry:
            branch y > 3 ? left : right;
          left:
            assert f(y) <= 0 "not positive";
            exit;
          right:
            assert f(y) <= 1 "at most one";
            assert f(f(y) + 1000) <= 0 "not positive at a big one";
            exit;
        }"#;
    dooms(text, &["not positive", "not positive at a big one"]);
}

#[test]
fn what_is_assumed_of_all_elements_holds_of_each() {
    let text = r#"
        var a: [int]int;
        proc p(n: int) requires n > 5; modifies a; {
          entry:
            assume (all i: int :: 0 <= i && i < n ==> a[i] == 0);
            assert a[3] == 0 "inside";
            assert a[5] != 0 "inside, negated";
            exit;
        }"#;
    fails(text, &["inside, negated"]);
    dooms(text, &["inside, negated"]);
    let text = r#"
        var a: [int]int;
        proc p(n: int) requires n > 5; modifies a; {
          entry:
            assume (all i: int :: 0 <= i && i < n ==> a[i] == 0);
            a[2] := 7;
            assert a[6] == 0 "perhaps outside";
            assert (all i: int :: 0 <= i && i < n ==> a[i] == 0) "no longer";
            exit;
        }"#;
    fails(text, &["perhaps outside", "no longer"]);
    dooms(text, &["no longer"]);
}

#[test]
fn an_element_that_breaks_a_quantified_assertion_is_found() {
    let text = r#"
        var a: [int]int;
        proc p(n: int) {
          entry:
            assert (all i: int :: 0 <= i && i < n ==> a[i] >= 0) "none is negative";
            assert (some i: int :: 0 <= i && i < n && a[i] >= 0) "some is not negative";
            assert n > 0 "there are some";
            exit;
        }"#;
    fails(text, &["none is negative", "some is not negative"]);
    dooms(text, &[]);
}

#[test]
fn words_are_gone_through_or_instantiated() {
    let text = r#"
        var m: [bv64]bv8;
        proc p(x: bv8, k: bv64) {
          entry:
            assert (all y: bv8 :: bvand(y, x) == 0bv8) "no bits";
            assert x == 0bv8 "zero";
            assume (all j: bv64 :: ult(j, k) ==> m[j] == 1bv8);
            assume ult(100bv64, k);
            assert m[100bv64] == 1bv8 "below";
            assert m[k] == 1bv8 "not below";
            exit;
        }"#;
    fails(text, &["no bits", "not below"]);
    dooms(text, &[]);
}

#[test]
fn sorts_have_any_number_of_atoms() {
    let text = r#"
        sort Ref;
        var next: [Ref]Ref;
        proc p(a: Ref, b: Ref)
          requires (all r: Ref :: next[r] != r);
          requires (some r: Ref :: r != null && next[r] == b);
          modifies next;
        {
          var c: Ref;
          entry:
            assert next[a] == a "loops";
            exit;
          other:
            exit;
        }"#;
    dooms(text, &["loops"]);
    let text = r#"
        sort Ref;
        proc p(a: Ref) requires (all r: Ref :: r == null || r == a); {
          var b: Ref;
          entry:
            havoc b;
            branch b == null || a == null ? done : check;
          check:
            assert b != a "only one";
            exit;
          done:
            assert b != null "none";
            exit;
        }"#;
    // That there is no other atom is said of the terms that functions and maps are used at.
    dooms(text, &[]);
}

#[test]
fn maps_are_equal_if_they_agree_everywhere() {
    let text = r#"
        var a: [int]int;
        var b: [int]int;
        proc p(i: int, v: int) modifies a, b; {
          entry:
            assume a == b;
            assert a[i] == b[i] "equal maps agree";
            a[i] := v;
            assert a == b "one is changed";
            b[i] := v;
            assert a == b "both are changed";
            exit;
        }"#;
    fails(text, &["one is changed"]);
    dooms(text, &[]);
    let text = r#"
        var a: [int]int;
        var b: [int]int;
        proc p() modifies a; {
          entry:
            goto first, second, third;
          first:
            assume (all i: int :: a[i] == b[i]);
            assert a != b "the same everywhere";
            exit;
          second:
            a := b;
            assert a != b "the same";
            exit;
          third:
            a := b[1000 := 3];
            assert a != b "perhaps not the same";
            assert a == b "then not";
            exit;
        }"#;
    dooms(text, &["the same", "the same everywhere", "then not"]);
}

#[test]
fn comprehensions_are_read_back() {
    let text = r#"
        ghost var a: [int]int;
        proc p(b: [int]int, i: int) modifies a; {
          entry:
            a := (lambda j: int :: if j == 3 then 7 else b[j] + 1);
            goto first, second, third;
          first:
            assert a[3] != 7 "at three";
            exit;
          second:
            assert a[i] == b[i] + 1 "elsewhere";
            exit;
          third:
            assume i != 3 && b[i] == 5;
            assert a[i] != 6 "other than three";
            exit;
        }"#;
    dooms(text, &["at three", "other than three"]);
    let text = r#"
        ghost var a: [int]int;
        proc p(b: [int]int, i: int) modifies a; {
          entry:
            a := (lambda j: int :: if j == 3 then 7 else b[j]);
            assert a[3] == 7 "at three";
            assert a[i] == b[i] "elsewhere";
            assert a == b[3 := 7] "as a store";
            exit;
        }"#;
    fails(text, &["elsewhere"]);
    dooms(text, &[]);
}

#[test]
fn an_axiom_over_all_integers_replays() {
    let text = r#"
        function f(x: int): int;
        axiom (all x: int :: f(x) > 0);
        axiom (all x: int :: x > 10 ==> f(x) == 3);
        proc p(y: int) {
          entry:
            assert f(y) > 0 "positive";
            assert f(y) == 3 "three";
            assert y > 10 "large";
            exit;
        }"#;
    fails(text, &["three", "large"]);
    dooms(text, &[]);
    let text = r#"
        function f(x: int): int;
        axiom (all x: int, y: int :: x <= y ==> f(x) <= f(y));
        proc p(y: int) {
          entry:
            assert f(y) <= f(y + 1) "grows";
            assert f(y + 1) < f(y) "shrinks";
            exit;
        }"#;
    dooms(text, &["shrinks"]);
}

#[test]
fn alternating_quantifiers_are_no_ground_for_claims() {
    let text = r#"
        function f(x: int, y: int): bool;
        axiom (all x: int :: (some y: int :: f(x, y)));
        proc p(z: int) {
          entry:
            assert (some y: int :: f(z, y)) "there is one";
            assert (all y: int :: !f(z, y)) "there is none";
            exit;
        }"#;
    dooms(text, &["there is none"]);
    // The interpreter cannot decide the axiom, so nothing is confirmed.
    assert_eq!(failing(text), [("there is none".to_owned(), false)]);
}

#[test]
fn what_no_instance_speaks_of_stays_open() {
    let text = r#"
        function f(x: int): int;
        proc p(s: seq<int>, y: int) {
          entry:
            assume (all q: seq<int> :: len(q) < 3);
            assert f(y) == y "of sequences";
            exit;
        }"#;
    dooms(text, &[]);
    let module = parse(text);
    let evaluation = evaluate(&module, module.procedure(ProcedureId(0)), &[], &Scope::default());
    let whys: Vec<&Escape> = evaluation.cuts.iter().map(|cut| &cut.why).collect();
    assert_eq!(whys, [&Escape::UnboundedQuantifier]);
}

#[test]
fn big_integers_are_the_same_only_if_they_are_the_same_result() {
    let text = r#"
        var m: [int]int;
        proc p(x: int) modifies m; {
          entry:
            m[1000] := 1;
            goto constants, sums, sum, back, other, through;
          constants:
            assert 1000 != 1256 "different constants";
            exit;
          sums:
            assert x + 512 != x + 1024 "different sums";
            exit;
          sum:
            assert x + 1000 != x + 1000 "the same sum";
            exit;
          back:
            assert m[1000] != 1 "read back";
            exit;
          other:
            assert m[1256] == 1 "of another key";
            exit;
          through:
            m[1256] := 2;
            assert m[1000] == 1 "through another key";
            exit;
        }"#;
    dooms(text, &["read back", "the same sum"]);
}

#[test]
fn what_is_allocated_may_be_what_is_left_to_chance_later() {
    let text = r#"
        sort Ref;
        var next: [Ref]Ref;
        proc p(a: Ref) modifies next; {
          var b: Ref;
          var c: Ref;
          entry:
            b := new Ref;
            goto first, second, third, fourth;
          first:
            assert b == a "is new";
            exit;
          second:
            havoc c;
            assert b == c "may be";
            exit;
          third:
            havoc next;
            assert next[a] == b "may be pointed to";
            exit;
          fourth:
            assert next[a] == b "is not pointed to";
            exit;
        }"#;
    dooms(text, &["is new", "is not pointed to"]);
}

#[test]
fn sequences_may_be_longer_than_the_scope() {
    let text = r#"
        proc p(s: seq<int>, t: seq<int>, x: int) requires len(s) > 10; {
          entry:
            goto short, grows, same, element, joined;
          short:
            assert len(s) < 3 "short";
            exit;
          grows:
            assert len(s ++ seq[x]) != len(s) + 1 "does not grow";
            exit;
          same:
            assert s != s "not the same";
            exit;
          element:
            assert s[0] == x "first";
            exit;
          joined:
            assert s ++ seq[x] == t ++ seq[x] "joined";
            exit;
        }"#;
    dooms(text, &["does not grow", "not the same", "short"]);
}

#[test]
fn shifts_to_and_fro_leave_runs() {
    let text = r#"
        proc p(a: [bv32]bv8, b: [bv32]bv8, n: bv32) {
          entry:
            assume (all i: bv32 :: ult(i, n) ==> a[i] == a[i + 1bv32]);
            assume (all i: bv32 :: ult(i, n) ==> b[i] == a[i - 1bv32]);
            assert n != 0bv32 "there are some";
            exit;
        }
    "#;
    fails(text, &["there are some"]);
}
