//! Both dialects say the same, and short forms are forms.

use resolve::text;

use crate::{FIGURES, messages, read, read_beside};

#[test]
fn the_current_dialect_gives_the_table_of_the_papers() {
    let current = "Realization R for Reversal_Capability of List_Template;\n  Recursive Procedure Reverse(updates P: List);\n    decreasing |P.Right|;\n    Var E: Entry;\n    If (Right_Length(P) > 0) then\n      Remove(E, P);\n      Reverse(P);\n      Insert(E, P);\n    end;\n  end Reverse;\nend R;\n";
    let (old, new) = (read_beside(FIGURES[2].1, &FIGURES), read_beside(current, &FIGURES));
    assert!(messages(&new).is_empty(), "{:?}", messages(&new));
    assert_eq!(text(&old.tables[0]), text(&new.tables[0]));
}

#[test]
fn short_forms_of_modes_are_read() {
    let report = read(
        "Concept C(Type T);\n  Type Family U is modeled by Cart_Prod a: Str(T); b: Z; end;\n    exemplar X;\n    initialization ensures X.b = 0;\n  Oper P(upd X: U; alt t: T; rpl u: T; rest v: T; eval i: Integer; clr Y: U; prs W: U);\n    requires X.b = i;\n    ensures X.a = #X.a o <#t>;\nend C;\n",
    );
    assert!(messages(&report).is_empty(), "{:?}", messages(&report));
}

/// A facility with one operation on two integers; its table as text.
fn table(body: &str) -> String {
    let report = read(&format!(
        "Facility F;\n  Operation Go(updates i, j: Integer);\n    ensures i = #j;\n  Procedure\n{body}\n  end Go;\nend F;\n"
    ));
    assert!(messages(&report).is_empty(), "{:?}", messages(&report));
    text(&report.tables[0])
}

#[test]
fn a_swap_exchanges_values() {
    let table = table("    i :=: j;");
    assert!(table.contains("i1 = j0"), "{table}");
}

#[test]
fn sides_of_a_choice_are_ways_to_the_next_state() {
    let table = table("    If (i < j) then\n      i := j;\n    else\n      j := i;\n    end;");
    assert!(table.contains("│ 5.1   │ i0 < j0"), "{table}");
    assert!(table.contains("│ 5.2   │ i0 ≥ j0"), "{table}");
}

#[test]
fn a_confirmed_condition_is_owed_where_it_stands() {
    let table = table("    Increment(i);\n    Confirm i = #i + 1;\n    Assume j = 0;");
    assert!(table.contains("i1 = i0 + 1"), "{table}");
    assert!(table.contains("j1 = 0"), "{table}");
}

#[test]
fn a_function_whose_ensures_is_no_equation_has_any_value_that_it_allows() {
    let report = read(
        "Facility F;\n  Operation Some(evaluates i: Integer): Integer;\n    ensures Some > i;\n  Procedure\n    Some := i + 1;\n  end Some;\n  Operation Go(updates i: Integer);\n    ensures i > #i;\n  Procedure\n    i := Some(i);\n  end Go;\nend F;\n",
    );
    let table = text(&report.tables[1]);
    assert!(table.contains("Some'0_0 > i0"), "{table}");
    assert!(table.contains("i1 = Some'0_0"), "{table}");
}

#[test]
fn other_languages_of_the_same_file_names_are_distinguished() {
    assert!(resolve::is_resolve("-- a comment\nRealization R for E;\nend R;"));
    assert!(!resolve::is_resolve("# ruby\nclass Realization\nend\n"));
    assert!(!resolve::is_resolve("require 'set'\nputs 1\n"));
}

#[test]
fn an_instance_must_satisfy_the_requirements_of_its_concept() {
    let report = read(
        "Facility F;\n  Facility SF is Stack_Template(Integer, 0) realized by R;\n  Facility QF is Queue_Template(Integer, 3) realized by R;\nend F;\n",
    );
    let owed = |number: usize| {
        let owed = &report.tables[number].rows[0].confirm[0];
        format!("{}: {}", owed.source, owed.term)
    };
    assert_eq!(owed(0), "the requires of Stack_Template: 0 > 0");
    assert_eq!(owed(1), "the requires of Queue_Template: 3 > 0");
    assert!(report.tables[0].facts.is_empty(), "what is owed is not relied on");
}

#[test]
fn what_is_remembered_is_what_the_sign_for_old_values_means() {
    let table = table(
        "    i := j;\n    Remember;\n    Increment(i);\n    Confirm i = #i + 1;\n    Forget;\n    Confirm j = #j;",
    );
    assert!(table.contains("i2 = i1 + 1"), "{table}");
    assert!(table.contains("j2 = j0"), "{table}");
}

#[test]
fn questions_about_strings_are_asked_before_or_between_them() {
    let condition = |text: &str| {
        let report = read(&format!(
            "Client C for Stack_Template;\n  Math_Var s, t: Str(Entry);\n  Confirm {text};\nend C;\n"
        ));
        assert!(messages(&report).is_empty(), "{:?}", messages(&report));
        report.tables[0].rows[0].confirm[0].term.to_string()
    };
    for name in ["Is_Permutation", "Is_Prefix", "Is_Suffix", "Is_Substring"] {
        let asked = format!("{name}(s, s o t)");
        assert_eq!(condition(&asked), asked);
        assert_eq!(condition(&format!("s {name} s o t")), asked);
    }
    assert_eq!(
        condition("there exists unique u: Str(Entry), s = u"),
        "∃ u: Str(Entry), s = u ∧ (∀ u': Str(Entry), s = u' ⇒ u' = u)"
    );
    assert_eq!(condition("(Sum i: Z where 0 < i < 3, i ** 2) = 5"), "(Sum i = 1..2, i ** 2) = 5");
}

#[test]
fn of_operations_with_one_name_the_one_for_the_declared_type_is_meant() {
    let report = read_beside(
        "Facility F;\n  Facility SF is Stack_Template(Integer, 3) realized by R enhanced by Writing realized by W;\n  Operation Go(clears S: SF.Stack);\n  Procedure\n    Write(S);\n  end Go;\nend F;\n",
        &[(
            "Writing",
            "Enhancement Writing for Stack_Template; Operation Write(clears S: Stack); end Writing;",
        )],
    );
    let table = text(report.tables.last().expect("there is a procedure"));
    assert!(table.contains("S1 = Empty_String"), "{table}");
}
