//! The Boogie front end: from the text of a program to VIR, and what is wrong with the text.
//!
//! [`lower`] is all there is. It works in three stages, each in files of its own: `parse` makes a
//! syntax of the text, `resolve` finds out what every name means and what type every expression
//! has, and `lower` makes VIR of it. The first two report diagnostics; the last one trusts them. This
//! crate knows nothing of checkers, formulas and solvers, nor of other languages. The language is
//! that of Leino, *This is Boogie 2* (KRML 178), with the datatypes that came later.
//!
//! # What becomes of what
//!
//! | Boogie | VIR |
//! | --- | --- |
//! | `int`, `bool`, `bv32`, `[K]V` | the same; `[]V` is `V`; `bv0` has one value |
//! | `type T`, `type C a` | a sort; one for each choice of arguments: `` `C int` `` |
//! | `real`, `float24e8`, `string` | a sort; literals are constants, and those of reals differ |
//! | `<a>[Ref, Field a]a` | a record with one map for each type at which the module uses it |
//! | datatypes, old style and new | a variant; a sort if it contains itself |
//! | `type {:builtin "Seq"} Seq _` | `seq<T>`, with the `seq.…` functions |
//! | `const`, `function` | a function; one for each choice of types: `` `f<int>` `` |
//! | `const unique` | axioms that tell them apart |
//! | a function's body | its definition; an axiom if it is recursive |
//! | `{:bvbuiltin "…"}`, `{:builtin "Map…"}` | a definition by VIR's own operators |
//! | `axiom`, `(forall<a> …)` | an axiom; a conjunction over the types that the module uses |
//! | `var` | a global |
//! | a procedure with one implementation | a procedure with a body, in the implementation's names |
//! | a procedure with several, or with `free ensures` | one without a body, and `p#1`, `p#2` … with one each |
//! | a procedure with type parameters | itself, with sorts for them; one more per choice of types at a call |
//! | `requires`, `ensures`, `free`, `modifies` | the contract; without `modifies` nothing changes |
//! | `where` | `free requires`, `free ensures`, `assume` after each `havoc`, `free invariant` of a `while` that changes it |
//! | results and locals | `havoc` at the start: in Boogie they have arbitrary values from there on |
//! | `while (c) invariant i` | a block with the facts, that ends in a `branch`; in a `goto` if `c` is `true` |
//! | `if`, `goto`, `break`, `return` | `branch`, `goto`, `exit` |
//! | `{:msg "…"}` | the message of a clause or an assertion |
//! | `assert {:verified_under a} e` | `assert a \|\| e; assume e` |
//! | `var {:assumption} a` in a body | `assume a` at the start |
//! | `#if X … #else … #endif` | the text behind `#else`: no name is defined |
//! | `old(e)` | `old` of the globals in it; where code runs, variables that were saved at the start |
//! | quantifiers and lambdas where code runs | `havoc tmp; assume tmp == e;` |
//! | `(var x := e; b)` | `b`, with `e` shared |
//!
//! Division by zero and the fields of another constructor have VIR's values; Boogie leaves them open.
//!
//! # What is not modelled
//!
//! Arithmetic on reals and floats, conversions between numbers, recursive datatypes, the partial order `<:`,
//! code expressions, unknown builtin functions, formulas that quantify existentially over types, `free call`
//! of a procedure with preconditions, `{:selective_checking}`, and all constructs for threads: `yield`,
//! `async`, `par`, actions, invariants between threads. Each is noted at its place. The expression gets some
//! value of its type, and `unsupported` precedes the statement that uses it. An axiom or definition that
//! needs it is left out, and a procedure begins with `unsupported` if it mentions a function of this axiom,
//! directly or through definitions and other axioms. If a contract needs it, the body and all calls begin so.

mod diagnostics;
mod graph;
mod lexer;
mod limits;
mod lower;
mod parse;
mod program;
mod resolve;
mod syntax;
mod types;
mod unify;

use diagnostics::{Diagnostics, TextRange};

/// Lowers a Boogie program to VIR, with what there is to say about it in the order of the text.
///
/// This never fails. Faults of the text are errors; the module then lacks what is faulty: bodies,
/// axioms, and procedures whose signature is. What is sound but not modelled is noted and stands in
/// the module as `unsupported`. The module is valid in any case.
pub fn lower(path: &str, text: &str) -> (ir::Module, Vec<ir::Diagnostic>) {
    let mut diagnostics = Diagnostics::default();
    let is_too_long = u32::try_from(text.len()).is_err();
    if is_too_long {
        diagnostics.add(TextRange::default(), "the text is longer than 4 GB");
    }
    let syntax = parse::parse(if is_too_long { "" } else { text }, &mut diagnostics);
    let mut program = resolve::resolve(&syntax, &mut diagnostics);
    let module = lower::lower(&mut program, path, &mut diagnostics);
    ir::debug_validate(&module);
    (module, diagnostics.into_diagnostics())
}
