//! Undefined behaviour of C is an assertion that fails, with a message in C's terms.

use interpret::{Outcome, Value, Word};
use ir::AssertKind;

use crate::fixture::{go, lowered};

#[track_caller]
fn fails(name: &str, arguments: &[i64], kind: AssertKind, message: &str) {
    let module = lowered("faults");
    let arguments = arguments.iter().map(|value| Value::Bv(Word::signed(32, *value)));
    let run = go(&module, name, arguments);
    match &run.outcome {
        Outcome::Failed(failure) => {
            assert_eq!((failure.kind, &*failure.message), (kind, message));
        }
        other => panic!("{name} {other}"),
    }
}

#[test]
fn arithmetic() {
    fails("adds", &[2147483647, 1], AssertKind::Overflow, "`a + b` overflows");
    fails("divides", &[1, 0], AssertKind::DivisionByZero, "`b` is zero");
    fails("divides", &[-2147483648, -1], AssertKind::Overflow, "`a / b` overflows");
    fails("shifts", &[1, 32], AssertKind::Shift, "`b` is negative or not less than 32");
}

#[test]
fn memory() {
    fails("null_field", &[], AssertKind::NullDereference, "`n->next` is null");
    fails("past_the_end", &[8], AssertKind::OutOfBounds, "`buf[i]` is out of bounds");
    fails("past_the_end", &[-1], AssertKind::OutOfBounds, "`buf[i]` is out of bounds");
    fails("in_a_field", &[4], AssertKind::OutOfBounds, "`r->values[i]` is out of bounds");
    fails("after_free", &[], AssertKind::UseAfterFree, "`p` points to memory that was freed");
    fails("calls_in_memory", &[30], AssertKind::OutOfBounds, "`l.a[i]` is out of bounds");
    fails("grid", &[8], AssertKind::OutOfBounds, "`m[1][i]` is out of bounds");
    fails("global_table", &[3], AssertKind::OutOfBounds, "`table[i]` is out of bounds");
}

#[test]
fn library() {
    let twice = "`p` points to memory that was already freed";
    fails("frees_twice", &[], AssertKind::DoubleFree, twice);
    let variable = "`&x` was not returned by an allocation";
    fails("frees_a_variable", &[], AssertKind::InvalidFree, variable);
    fails("calls_nothing", &[], AssertKind::NullDereference, "`f` is null");
    let unended = "what is passed to strlen ends without a zero";
    fails("unended", &[], AssertKind::OutOfBounds, unended);
    fails("copies_too_much", &[9], AssertKind::OutOfBounds, "`small` is out of bounds");
}

#[test]
fn assertions() {
    fails("asserts", &[3], AssertKind::Assertion, "the assertion `x != 3` fails");
    let module = lowered("faults");
    let run = go(&module, "asserts", [Value::Bv(Word::signed(32, 4))]);
    assert_eq!(crate::fixture::returned(&run), Some(5));
    let run = go(&module, "gives_up", []);
    assert_eq!(run.outcome.to_string(), "ends on purpose: exit()");
}
