//! Programs: the figures of paper 4 written in VIR, and what random ones are made of.

use ir::Module;
use ir::generate::Shape;

/// Figure 1: a null pointer is dereferenced.
pub const TRIVIAL: &str = include_str!("../../../../examples/vir/doomed.vir");

/// Figure 2: bubble sort, then the first element is read with an index that has run below zero.
pub const LOOP: &str = r#"
var a: [bv8]bv8;
proc getMin(x: bv8) returns (r: bv8) {
  var i: bv8;
  var j: bv8;
  var temp: bv8;
  entry:
    i := x - 1bv8;
    goto outer;
  outer:
    branch sle(0bv8, i) ? inner_first : after;
  inner_first:
    j := 1bv8;
    goto inner;
  inner:
    branch sle(j, i) ? compare : outer_next;
  compare:
    assert out-of-bounds sle(1bv8, j) "j - 1 is negative";
    branch slt(a[j], a[j - 1bv8]) ? swap : inner_next;
  swap:
    temp := a[j - 1bv8];
    a[j - 1bv8] := a[j];
    a[j] := temp;
    goto inner_next;
  inner_next:
    j := j + 1bv8;
    goto inner;
  outer_next:
    i := i - 1bv8;
    goto outer;
  after:
    assert out-of-bounds sle(0bv8, i) "the index is negative";
    r := a[i];
    exit;
}"#;

/// Figure 3: the entry for a key is looked for, and is there if the caller has kept his word.
pub const COMPLEX: &str = r#"
sort Entry;
var left: [Entry]Entry;
var right: [Entry]Entry;
var key: [Entry]bv8;
var data: [Entry]bv8;
proc update(root: Entry, k: bv8, d: bv8) {
  var x: Entry;
  entry:
    x := root;
    goto head;
  head:
    assert null-dereference x != null "x is null";
    branch key[x] != k ? body : found;
  body:
    branch slt(k, key[x]) ? go_left : go_right;
  go_left:
    x := left[x];
    goto head;
  go_right:
    x := right[x];
    goto head;
  found:
    assert null-dereference x != null "x is null";
    data[x] := d;
    exit;
}"#;

/// Figure 6: what comes before the branch dooms one side of it.
pub const PATH: &str = r#"
sort Ref;
var target: [Ref]bv8;
proc f(k: bv8) {
  var i: Ref;
  entry:
    i := null;
    branch k != 0bv8 ? use : done;
  use:
    assert null-dereference i != null "i is null";
    target[i] := 3bv8;
    goto done;
  done:
    exit;
}"#;

/// The figures, by what the paper calls them.
pub const FIGURES: [(&str, &str); 4] =
    [("trivial", TRIVIAL), ("loop", LOOP), ("complex", COMPLEX), ("pathprog", PATH)];

/// Words, maps, records, unions, choices, contracts, exceptions: domains in which the evaluator is
/// exact.
pub fn words() -> Shape {
    Shape {
        procedures: 1,
        widths: vec![1, 2],
        integers: false,
        sorts: false,
        specifications: true,
        exceptions: true,
        calls: false,
        listed: true,
        ghosts: true,
        blocks: 6,
        statements: 4,
        variables: 3,
        ..Shape::runnable()
    }
}

/// A random module without most of its assumptions, which contradict each other more often than not.
pub fn tamed(mut module: Module, seed: u64) -> Module {
    if !seed.is_multiple_of(4) {
        module.axioms.clear();
        module.invariants.clear();
        module.procedures[0].contract.requires.clear();
    }
    module
}
