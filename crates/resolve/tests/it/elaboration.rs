//! The bundled library, definitions, and VIR that is valid.

use crate::{messages, read};

#[test]
fn the_bundled_library_is_without_fault() {
    for name in ["Stack_Template", "Queue_Template", "List_Template", "Set_Template"] {
        let text = format!("Realization R for {name};\nend R;\n");
        let all = messages(&read(&text));
        assert_eq!(all.len(), 1, "{name}: {all:?}");
        assert!(all[0].contains("there is no procedure for"), "{name}: {all:?}");
    }
    let report = read(
        "Enhancement E for Static_Array_Template;\n  Operation Go(updates A: Static_Array);\nend E;\n",
    );
    assert!(messages(&report).is_empty(), "{:?}", messages(&report));
}

#[test]
fn definitions_become_functions() {
    let report = read(
        "Facility F;\n  Definition Twice(n: Z): Z = n + n;\n  Operation Go(updates i: Integer);\n    requires Twice(i) <= max_int;\n    ensures i = Twice(#i);\n  Procedure\n    i := Sum(i, i);\n  end Go;\nend F;\n",
    );
    assert!(messages(&report).is_empty(), "{:?}", messages(&report));
    let text = ir::print(&report.module);
    assert!(text.contains("function Twice(n: int): int = n + n"), "{text}");
    assert_eq!(ir::validate(&report.module), []);
}

#[test]
fn an_induction_becomes_a_function_of_itself() {
    let report = read(
        "Facility F;\n  Inductive Definition on n: N of Power(b: Z, n): Z is\n    (i) Power(b, 0) = 1;\n    (ii) Power(b, n + 1) = b * Power(b, n);\n  Operation Go(updates i: Integer);\n    ensures i = Power(#i, 2);\n  Procedure\n    i := Product(i, i);\n  end Go;\nend F;\n",
    );
    assert!(messages(&report).is_empty(), "{:?}", messages(&report));
    let text = ir::print(&report.module);
    assert!(text.contains("b * `Power'1`(b, n - 1)"), "{text}");
    assert!(text.contains("`Power is determined'8`(b: int, n: int): bool = false"), "{text}");
}

#[test]
fn a_string_that_an_equation_determines_is_not_searched_for() {
    let report = read(
        "Enhancement E for Stack_Template;\n  Operation Go(updates S: Stack);\n    requires there exists x: Entry, there exists R: Str(Entry) such that S = <x> o R;\nend E;\n",
    );
    assert!(messages(&report).is_empty(), "{:?}", messages(&report));
}
