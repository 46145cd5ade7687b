//! Passes on written examples, against files. `UPDATE=1 cargo test -p passes` writes them anew.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ir::{Module, PointId, Procedure, ProcedureId};
use passes::{Effects, Limits, Unrolling};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

/// Reads `NAME.vir`, hands it to a pass together with its procedure `main`, and compares what comes
/// out with `NAME.PASS.vir`, or replaces that file if `UPDATE` is set. What comes out has to be valid.
fn check(name: &str, pass: &str, run: impl FnOnce(&Module, ProcedureId) -> (Procedure, String)) {
    let source = std::fs::read_to_string(path(&format!("{name}.vir"))).expect("the example exists");
    let (mut module, diagnostics) = ir::parse(name, &source);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let main = module.find_procedure("main").expect("examples have a procedure main");
    let (procedure, notes) = run(&module, main);
    module.procedures[main.0 as usize] = procedure.clone();
    ir::debug_validate(&module);
    module.procedures = vec![procedure];
    let actual = format!("{}{notes}", ir::print_brief(&module));
    let golden = format!("{name}.{pass}.vir");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path(&golden), actual).expect("the golden file can be written");
        return;
    }
    let expected = std::fs::read_to_string(path(&golden)).unwrap_or_default();
    assert_eq!(
        actual, expected,
        "{golden}: run `UPDATE=1 cargo test -p passes` and read the change"
    );
}

fn under(name: &str, limits: Limits) {
    check(name, "under", |module, main| {
        let prepared = passes::for_under(module, &Effects::of(module), main, &limits);
        let notes: Vec<String> = prepared.notes.iter().map(|note| format!("// {note}\n")).collect();
        (prepared.procedure, notes.concat())
    });
}

fn over(name: &str, limits: Limits) {
    check(name, "over", |module, main| {
        let prepared = passes::for_over(module, &Effects::of(module), main, &limits);
        let notes: Vec<String> = prepared.notes.iter().map(|note| format!("// {note}\n")).collect();
        (prepared.procedure, notes.concat())
    });
}

#[test]
fn nested_loops_are_unrolled() {
    check("nested", "unroll", |module, main| {
        let unrolling = Unrolling { iterations: 1, size: 1_000, facts: true };
        (passes::unroll(module.procedure(main), &unrolling).0, String::new())
    });
}

#[test]
fn nested_loops_are_described() {
    over("nested", Limits::default());
}

#[test]
fn a_goto_into_a_loop_is_split() {
    check("goto_into_loop", "split", |module, main| {
        (passes::split(module.procedure(main), 100).0, String::new())
    });
}

#[test]
fn a_goto_into_a_loop_is_cut_if_splitting_is_too_large() {
    check("goto_into_loop", "cut", |module, main| {
        let (procedure, notes) = passes::split(module.procedure(main), 0);
        (procedure, format!("// {}\n", notes[0]))
    });
}

#[test]
fn calls_are_inlined_and_replaced_by_contracts() {
    under("calls", Limits::default());
}

#[test]
fn calls_that_are_not_followed_may_do_what_bodies_can() {
    over("calls", Limits { inline: 1, ..Limits::default() });
}

#[test]
fn recursion_is_followed_to_a_depth() {
    under("recursion", Limits { inline: 2, ..Limits::default() });
}

#[test]
fn a_choice_of_callees_becomes_branches() {
    under("dispatch", Limits::default());
}

/// What lay on the callee's stack is gone, and a result that was never set may be anything.
#[test]
fn an_inlined_stack_ends_with_its_procedure() {
    under("stack", Limits::default());
}

#[test]
fn a_loop_that_nothing_leaves_is_intended() {
    over("server", Limits::default());
}

#[test]
fn what_is_not_asked_about_is_sliced_away() {
    check("slice", "asked", |module, main| {
        let asked = BTreeSet::from([PointId(7)]);
        (passes::slice(module, module.procedure(main), &asked), String::new())
    });
}

#[test]
fn effects_follow_calls() {
    let (module, diagnostics) = ir::parse(
        "effects",
        "var a: int; var b: int; var c: int; var mem: bytes;
         proc even(n: int) { a := n; call odd(n); exit; }
         proc odd(n: int) { var t: bool; call even(n) catch t; call leaf(); exit; }
         proc leaf() { b := 1; exit exceptional; }
         proc stop(p: ptr) { free p; exit intended \"abort()\"; }
         proc outside();
         proc promised() modifies c; ensures exceptional true;",
    );
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let effects = Effects::of(&module);
    let messages: Vec<String> = (0..module.procedures.len() as u32)
        .map(|id| {
            let effect = effects.get(ProcedureId(id));
            let globals: Vec<&str> =
                effect.modifies().map(|id| module.global(id).name.as_str()).collect();
            let name = &module.procedure(ProcedureId(id)).name;
            format!("{name}: {} {} {}", globals.join(","), effect.raises, effect.stops)
        })
        .collect();
    let expected = [
        "even: a,b true false",
        "odd: a,b true false",
        "leaf: b true false",
        "stop: mem false true",
        "outside: a,b,c,mem false false",
        "promised: c true false",
    ];
    assert_eq!(messages, expected);
}
