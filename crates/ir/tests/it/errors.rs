//! Faults are reported where they are, all of them, and what is sound is kept.

use crate::check::messages;

/// The diagnostics of a text, one line each.
fn check(source: &str, expected: &[&str]) {
    let (_, diagnostics) = ir::parse("test.vir", source);
    assert_eq!(messages(source, &diagnostics), expected, "{source}");
}

#[test]
fn several_faults_in_one_file_are_all_reported() {
    let source = "\
sort Ref;
sort Ref;
var next: [Ref]Ref
var head: Rf;
const c: bv0;
proc p(x: int) returns (y: bool)
  requires x + true > 0;
  ensures y
{
  var b: bv8;
  entry:
    y := x;
    b := 256bv8;
    b := b < b;
    z := 3;
    goto nowhere;
  other:
    x := ;
    head := null;
    assert x == null;
    exit
}
proc q() { call p(); exit; }
";
    check(
        source,
        &[
            "2:6: `Ref` is declared twice",
            "4:1: `var` is out of place (expected `;`)",
            "4:11: there is no type `Rf`",
            "5:10: a word has 1 to 8388608 bits",
            "7:12: operand 2 of `+` must be int",
            "9:1: `{` is out of place (expected `;`)",
            "12:10: this has type int (expected bool)",
            "13:10: the number does not fit into 8 bits",
            "14:10: words are not compared by symbols, as these do not tell their sign (write ult, ule, slt or sle)",
            "15:5: there is no variable `z`",
            "16:10: there is no block `nowhere`",
            "18:10: `;` is out of place (expected an expression)",
            "20:17: `null` is of a sort or ptr (expected int)",
            "22:1: `}` is out of place (expected `;`)",
            "23:12: the procedure takes 1 arguments, not 0",
            "23:12: the procedure returns 1 results, not 0",
        ],
    );
}

#[test]
fn faults_of_statements_do_not_hide_one_another() {
    let source = "\
sort Ref;
var next: [Ref]Ref;
var mem: bytes;
record Pair { left: int, right: bool }
variant Option { None, Some(int) }
function f(x: int): int;
proc p(x: int) returns (y: bool)
{
  var b: bv8; var r: Ref; var pair: Pair; var o: Option; var s: seq<int>;
  entry:
    y := x;
    b := 256bv8;
    y := b < b;
    z := 3;
    x := ;
    assert x == null;
    y := null == null;
    next[x] := r;
    next[r, r] := r;
    x, y := 1;
    x := f(y);
    x := f();
    x := g(1);
    pair := Pair { left: 1 };
    pair.top := 1;
    o := Some(true);
    y := o is Many;
    x := o!Some.1;
    x := s[y];
    b := mem{next as bv8};
    mem{null as int} := x;
    call p(1);
    y := call q(1);
    r := new Pair;
    havoc x because boredom;
    havoc 3;
    f(x) := 3;
    x := mem{null as bv8 volatile};
    x := 12bv;
    x := 0x;
    b := b div b;
    x := %1;
    unsupported nothing;
    goto entry;
  entry:
    exit sideways;
  end:
    x := 1;
}
";
    check(
        source,
        &[
            "11:10: this has type int (expected bool)",
            "12:10: the number does not fit into 8 bits",
            "13:10: words are not compared by symbols, as these do not tell their sign (write ult, ule, slt or sle)",
            "14:5: there is no variable `z`",
            "15:10: `;` is out of place (expected an expression)",
            "16:17: `null` is of a sort or ptr (expected int)",
            "17:10: the type is not clear from the context (write `null:T` or `seq<T>[]`)",
            "17:18: the type is not clear from the context (write `null:T` or `seq<T>[]`)",
            "18:10: this has type int (expected Ref)",
            "19:5: the map takes 1 keys, not 2",
            "20:14: 2 places cannot get 1 values",
            "21:12: this has type bool (expected int)",
            "22:10: `f` takes 1 arguments, not 0",
            "23:10: there is no function or operator `g`",
            "24:13: the field `right` is missing",
            "25:10: there is no field of Pair `top`",
            "26:15: this has type bool (expected int)",
            "27:15: there is no constructor of Option `Many`",
            "28:10: the constructor has 1 arguments",
            "29:12: this has type bool (expected int)",
            "30:14: this has type [Ref]Ref (expected ptr)",
            "31:5: memory holds words of whole bytes and pointers, not int",
            "32:5: the procedure returns 1 results, not 0",
            "33:15: there is no procedure `q`",
            "34:14: there is no sort `Pair`",
            "35:21: `boredom` is out of place (expected why: parameter, environment, volatile, \
             unknown-callee, uninitialized, loop or choice)",
            "36:11: this cannot be assigned (a variable, then any of `[…]`, `.f`, `{p as T}`)",
            "37:5: this cannot be assigned (a variable, then any of `[…]`, `.f`, `{p as T}`)",
            "38:10: an expression cannot read volatile memory; `havoc` the place and read it then",
            "39:10: a word has 1 to 8388608 bits",
            "40:10: not a number",
            "41:10: `div` and `mod` are for integers (write udiv, urem, sdiv or srem)",
            "42:10: `%1` is used before it is defined",
            "43:17: `nothing` is out of place (expected a text in double quotes)",
            "45:3: `entry` is declared twice",
            "46:10: `sideways` is out of place (expected `;`)",
            "47:3: the block end does not say where it leads (expected goto, branch, exit or cut at its end)",
        ],
    );
}

/// What uses a broken declaration is not reported again.
#[test]
fn one_fault_is_one_diagnostic() {
    check(
        "var g: Nothing;\nproc p() { g := 1; assert g == 2; exit; }\nproc q() { call p(); exit; }",
        &["1:8: there is no type `Nothing`"],
    );
    check(
        "proc p(x: ) { exit; }\nproc q() { call p(1); exit; }",
        &["1:11: `)` is out of place (expected a name)"],
    );
}

#[test]
fn strays_of_the_lexer() {
    check(
        "sort A;\n\\ sort B;\nsort `C\nvar x: int; /* never closed",
        &[
            "2:1: unexpected character '\\\\'",
            "3:6: unterminated name",
            "4:1: `var` is out of place (expected `;`)",
            "4:13: unterminated comment",
        ],
    );
    check("file \"a\\q\";", &["1:6: `\\q` is no escape"]);
    check("axiom % 1 == 1;", &["1:7: a label of a shared expression is `%` and a number"]);
}

#[test]
fn a_rule_that_is_broken_is_a_diagnostic() {
    check(
        "ghost var g: int; var x: int;\nproc p() { x := g; exit; }",
        &["2:12: an assigned value must not depend on ghost variables (in the procedure `p`)"],
    );
    check("record R { r: R }", &["1:1: the type `R` contains itself"]);
}

#[test]
fn what_is_sound_is_kept() {
    let source = "sort Ref; var x: int; var y: Rf;\nproc p() { x := 1; x := ; x := 2; exit; }";
    let (module, diagnostics) = ir::parse("test.vir", source);
    assert_eq!(diagnostics.len(), 2);
    assert_eq!(
        ir::print_brief(&module),
        "sort Ref;\nvar x: int;\n\nproc p()\n{\n  entry:\n    x := 1;\n    \
         unsupported \"text that could not be read\";\n    x := 2;\n    exit;\n}\n"
    );
    assert_eq!(ir::validate(&module), []);
}

#[test]
fn the_number_of_diagnostics_is_limited() {
    let source = "sort ;\n".repeat(10_000);
    let (_, diagnostics) = ir::parse("test.vir", &source);
    assert_eq!(diagnostics.len(), 101);
    assert_eq!(diagnostics[100].message, "there are 9900 more errors");
}
