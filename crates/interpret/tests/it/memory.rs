//! C-like programs: `container_of`, a union, pointers in memory, storage.

use interpret::{
    Bytes, Decision, EvalError, Inputs, NewObject, Outcome, Pointer, Recorded, Undefined, Value,
};
use ir::address::ENVIRONMENT;
use ir::{AssertKind, Storage};

use crate::fixture::{failure, fault, global, go, go_with, module, results};

/// `struct item { u32 kind; union { u32 number; u8 bytes[4]; }; struct link { struct link *next; } link; }`
/// with a function that gets from the link to the number, and one that fills in the bytes.
fn container(before_use: &str, third_byte: &str) -> String {
    format!(
        r#"
var mem: bytes;

proc number_of(link: ptr) returns (n: bv32)
{{
  var item: ptr;
  entry:
    item := ptradd(link, -8bv64);
    assert null-dereference !sameobject(item, null) "item is null";
    assert use-after-free live(item) "item has been freed";
    assert out-of-bounds sle(0bv64, offset(item)) && ule(offset(item) + 8bv64, size(item));
    n := mem{{ptradd(item, 4bv64) as bv32}};
    exit;
}}

proc main() returns (n: bv32, same: bool)
{{
  var item: ptr;
  var head: ptr;
  entry:
    item := alloc 16bv64 heap;
    head := alloc 8bv64 stack;
    mem{{item as bv32}} := 7bv32;
    mem{{ptradd(item, 4bv64) as bv8}} := 1bv8;
    mem{{ptradd(item, 5bv64) as bv8}} := 2bv8;
    {third_byte}
    mem{{ptradd(item, 7bv64) as bv8}} := 4bv8;
    mem{{head as ptr}} := ptradd(item, 8bv64);
    {before_use}
    n := call number_of(mem{{head as ptr}});
    same := mem{{head as bv64}} == address(item) + 8bv64;
    assert double-free live(item);
    free item;
    exit;
}}
"#
    )
}

const THIRD: &str = "mem{ptradd(item, 6bv64) as bv8} := 3bv8;";

#[test]
fn container_of_reads_the_union_as_a_word() {
    let text = container("", THIRD);
    let run = go(&text, "main");
    let expected = [Value::bv(32, 0x0403_0201), Value::Bool(true)];
    assert_eq!(results(&module(&text), &run), expected);
}

#[test]
fn a_byte_that_was_not_written_is_an_error() {
    let run = go(&container("", ""), "main");
    let at = Pointer { object: 1, offset: 6 };
    assert_eq!(*fault(&run), EvalError::Undefined(Undefined::Byte(at)));
}

#[test]
fn use_after_free_is_asserted_before_the_access() {
    let run = go(&container("free item;", THIRD), "main");
    assert_eq!(failure(&run).0, AssertKind::UseAfterFree);
}

#[test]
fn an_access_without_an_assertion_is_an_error() {
    let dead = "free item; n := mem{item as bv32};";
    let run = go(&container(dead, THIRD), "main");
    assert_eq!(*fault(&run), EvalError::Undefined(Undefined::Dead(Pointer::to(1))));
    let outside = "mem{ptradd(item, 13bv64) as bv32} := 0bv32;";
    let run = go(&container(outside, THIRD), "main");
    let at = Pointer { object: 1, offset: 13 };
    assert_eq!(*fault(&run), EvalError::Undefined(Undefined::OutOfRange(at, 4)));
}

#[test]
fn memory_and_objects_come_with_the_inputs() {
    let module = module(
        r#"
        var mem: bytes;
        proc first(p: ptr) returns (b: bv8, s: bv64, h: bool)
        {
          entry:
            b := mem{p as bv8};
            s, h := size(p), heap(p);
            exit;
        }"#,
    );
    let mut bytes = Bytes::default();
    bytes.write(ENVIRONMENT, 2, &[42]);
    let at = Pointer { object: ENVIRONMENT, offset: 2 };
    let inputs = Inputs::new([Value::Ptr(at)])
        .with(global(&module, "mem"), Value::Bytes(bytes))
        .with_object(NewObject::new(3, Storage::Environment));
    let run = go_with(&module, "first", &inputs, &mut Recorded::default());
    let expected = [Value::bv(8, 42), Value::bv(64, 3), Value::Bool(false)];
    assert_eq!(results(&module, &run), expected);
}

#[test]
fn stack_objects_die_with_their_procedure_and_heap_objects_do_not() {
    let text = r#"
        var mem: bytes;
        proc make() returns (s: ptr, h: ptr)
        {
          entry:
            s := alloc 4bv64 stack;
            h := alloc 4bv64 heap may fail;
            exit;
        }
        proc main() returns (a: bool, b: bool, c: bool)
          ensures a == false;
          ensures old(live(pointer(0bv64))) == false;
        {
          var s: ptr; var h: ptr;
          entry:
            s, h := call make();
            a, b, c := live(s), live(h), h == null;
            exit;
        }"#;
    let module = module(text);
    for (fails, expected) in [(false, [false, true, false]), (true, [false, false, true])] {
        let mut oracle = Recorded::new([Decision::Fails(fails)]);
        let run = go_with(&module, "main", &Inputs::default(), &mut oracle);
        assert_eq!(results(&module, &run), expected.map(Value::Bool));
    }
}

#[test]
fn old_looks_at_the_objects_of_the_entry() {
    let text = r#"
        var mem: bytes;
        proc main(p: ptr)
          ensures old(live(p)) && !live(p) && size(p) == old(size(p));
          ensures mem{p as bv8} == 1bv8 "this cannot be read any more";
        {
          entry:
            mem{p as bv8} := 1bv8;
            free p;
            exit;
        }"#;
    let module = module(text);
    let given = Pointer::to(ENVIRONMENT);
    let inputs = Inputs::new([Value::Ptr(given)]).with_object(NewObject::new(1, Storage::Heap));
    let run = go_with(&module, "main", &inputs, &mut Recorded::default());
    assert_eq!(*fault(&run), EvalError::Undefined(Undefined::Dead(given)));
    assert!(matches!(run.outcome, Outcome::Error { site, .. } if site.is_exit(&module)));
}

#[test]
fn static_objects_hold_their_contents_and_can_be_copied() {
    let text = r#"
object greeting: 16 constant { 0: "68690a", 8: table + 4 };
object table: 8 { 0: "0102030405060708" };
var mem: bytes;
proc main() returns (a: bv16, b: bv8, same: bool, c: bv32)
{
  var buffer: ptr;
  entry:
    buffer := alloc 16bv64 stack;
    mem := copy(mem, buffer, greeting, 16bv64);
    a := mem{buffer as bv16};
    b := mem{mem{ptradd(buffer, 8bv64) as ptr} as bv8};
    same := mem{ptradd(greeting, 8bv64) as ptr} == ptradd(table, 4bv64);
    mem := fill(mem, ptradd(buffer, 1bv64), 255bv8, 2bv64);
    mem := copy(mem, ptradd(buffer, 1bv64), buffer, 3bv64);
    c := mem{buffer as bv32};
    exit;
}
"#;
    let module = module(text);
    let inputs = Inputs::default();
    let options = interpret::Options { statics: true, ..interpret::Options::default() };
    let main = crate::fixture::procedure(&module, "main");
    let run = interpret::run(&module, main, &inputs, &mut Recorded::default(), &options);
    let expected =
        [Value::bv(16, 0x6968), Value::bv(8, 5), Value::Bool(true), Value::bv(32, 0xffff_6868)];
    assert_eq!(results(&module, &run), expected);
}

#[test]
fn bytes_that_were_never_written_are_copied_as_such() {
    let text = r#"
var mem: bytes;
proc main() returns (a: bv8)
{
  var x: ptr; var y: ptr;
  entry:
    x := alloc 4bv64 stack;
    y := alloc 4bv64 stack;
    mem{x as bv8} := 1bv8;
    mem{y as bv32} := 0bv32;
    mem := copy(mem, y, x, 4bv64);
    a := mem{y as bv8};
    a := mem{ptradd(y, 1bv64) as bv8};
    exit;
}
"#;
    let run = go(text, "main");
    let undefined = Undefined::Byte(Pointer { object: 2, offset: 1 });
    assert_eq!(fault(&run), &EvalError::from(undefined));
}

#[test]
fn bytes_beyond_what_a_run_can_bear_end_it() {
    let text = |count: u64, change: &str| {
        format!(
            "var mem: bytes;\nproc main()\n{{\n  var a: ptr;\n  var b: ptr;\n  entry:\n    \
             a := alloc {count}bv64 heap;\n    b := alloc {count}bv64 heap;\n    \
             mem := {change}, {count}bv64);\n    exit;\n}}\n"
        )
    };
    for change in ["fill(mem, a, 0bv8", "copy(mem, a, b"] {
        assert!(matches!(go(&text(1 << 37, change), "main").outcome, Outcome::OutOfSteps));
        assert!(matches!(go(&text(16, change), "main").outcome, Outcome::Exit(_)));
    }
}
