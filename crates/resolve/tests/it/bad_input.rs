//! What is wrong with texts is messages like a compiler tells it, and the rest is done.

use crate::{FIGURES, messages, read, read_beside};

#[test]
fn unknown_names_are_reported_where_they_stand() {
    let report = read(
        "Facility F;\n  Facility SF is Stack_Template(Integer, 3) realized by R;\n  Operation Go(updates S: SF.Stack);\n    ensures |T| = 0;\n  Procedure\n    Pusch(S);\n    Q := 1;\n  end Go;\nend F;\n",
    );
    assert_eq!(
        messages(&report),
        [
            "test.rb:4:14: unknown name `T`",
            "test.rb:6:5: there is no operation `Pusch` here",
            "test.rb:7:5: expected a variable",
        ]
    );
}

#[test]
fn a_missing_concept_is_reported() {
    let report = read("Realization R for Nowhere_Template;\nend R;\n");
    let all = messages(&report);
    assert!(
        all[0].starts_with("test.rb:1:19: there is no module `Nowhere_Template` (it is looked for"),
        "{all:?}"
    );
}

#[test]
fn modules_that_use_each_other_are_reported() {
    let beside = [
        ("A_Fac", "Facility A_Fac; uses B_Fac; Operation P(); Procedure end P; end A_Fac;"),
        ("B_Fac", "Facility B_Fac; uses A_Fac; Operation Q(); Procedure end Q; end B_Fac;"),
    ];
    let report = read_beside(beside[0].1, &beside);
    let all = messages(&report);
    assert!(
        all.iter().any(|one| one.contains("in a circle: A_Fac uses B_Fac uses A_Fac")),
        "{all:?}"
    );
}

#[test]
fn recursion_without_a_metric_is_reported() {
    let text = FIGURES[2].1.replace("  decreasing |P.Right|;\n", "");
    let report = read_beside(&text, &FIGURES);
    assert_eq!(
        messages(&report),
        ["test.rb:4:1: `Reverse` calls itself without `decreasing`, so termination is not checked"]
    );
    assert_eq!(report.tables[0].rows[2].confirm.len(), 1, "the requires is still owed");
    let unannounced = text.replace("Recursive Procedure", "Procedure");
    assert_eq!(messages(&read_beside(&unannounced, &FIGURES)), messages(&report));
}

#[test]
fn an_unknown_function_may_be_any() {
    let report = read(
        "Enhancement E for Stack_Template;\n  Operation Go(updates S: Stack);\n    ensures Is_Odd_String(S);\nend E;\n",
    );
    assert_eq!(
        messages(&report),
        ["test.rb:3:13: nothing is known of the function `Is_Odd_String`, so it may be any"]
    );
}

#[test]
fn a_loop_has_to_list_what_it_changes() {
    let text = "Realization R for Clearing of Stack_Template;\n  Procedure Go(updates S: Stack);\n    Var E: Entry;\n    While (Depth(S) > 0)\n      changing S;\n      maintaining true;\n      decreasing |S|;\n    do\n      Pop(E, S);\n    end;\n  end Go;\nend R;\n";
    let beside = [(
        "Clearing",
        "Enhancement Clearing for Stack_Template; Operation Go(updates S: Stack); end Clearing;",
    )];
    let report = read_beside(text, &beside);
    assert_eq!(
        messages(&report),
        [
            "test.rb:4:5: the loop changes `E`, which it does not list; it is taken as changed all the same"
        ]
    );
}

#[test]
fn types_that_do_not_agree_are_reported() {
    let report = read(
        "Enhancement E for Stack_Template;\n  Operation Go(updates S: Stack);\n    requires S = 3;\n    ensures |S| o S = S;\nend E;\n",
    );
    assert_eq!(
        messages(&report),
        [
            "test.rb:3:14: Str(Entry) and N cannot be combined",
            "test.rb:4:13: expected a string, found N",
        ]
    );
}

#[test]
fn a_broken_operation_does_not_take_the_next_with_it() {
    let report = read(
        "Facility F;\n  Operation A(updates i Integer);\n  Operation B(updates i: Integer);\n    requires i = 0;\n    ensures i = 1;\n  Procedure\n    Increment(i);\n  end B;\nend F;\n",
    );
    assert_eq!(messages(&report), ["test.rb:2:25: expected `:`, found `Integer`"]);
    assert_eq!(report.tables.len(), 1);
}

#[test]
fn a_function_that_may_be_any_has_the_type_that_is_wanted() {
    let report = read(
        "Client C for Stack_Template;\n  Math_Var s: Str(Entry);\n  Confirm Frob(s) = Frob(s) o s;\nend C;\n",
    );
    assert!(
        messages(&report).iter().all(|one| one.contains("so it may be any")),
        "{:?}",
        messages(&report)
    );
    let text = ir::print(&report.module);
    assert!(text.contains("`Frob(s)`: seq<Entry>"), "{text}");
}

#[test]
fn an_end_with_another_name_ends_all_the_same() {
    let report = read(
        "Facility F;\n  Operation Go(updates i: Integer);\n  Procedure\n  end Went;\nend F;\n",
    );
    assert_eq!(messages(&report), ["test.rb:4:7: this ends `Go`, not `Went`"]);
    assert!(!report.tables[0].is_faulty);
}
