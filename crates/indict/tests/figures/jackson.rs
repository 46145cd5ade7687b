//! *Finding Bugs with a Constraint Solver*: what `indict formula` shows of Figure 1's `delete`.

use crate::{expect, folder, indict, report};

#[test]
fn figures_5_6_8_and_2_are_printed() {
    let folder = folder("figures/jackson");
    let text = indict(&folder, &["formula", "Delete.java", "Procedures.delete_2"]);
    assert!(
        text.contains("  E45 ⇒ prev1.next1 = l.next ∧ all e: List - prev1 | e.next1 = e.next\n")
    );
    assert!(text.contains("  c = L0\n"), "the witness of Figure 2");
    expect(&folder.join("figure_8.txt"), &text);
}

#[test]
fn null_dereferences_are_recorded_as_in_section_3_10() {
    let folder = folder("figures/jackson");
    let arguments = ["formula", "Delete.java", "Procedures.delete_2", "--nulls", "recorded"];
    let text = indict(&folder, &arguments);
    assert!(text.contains("  NullDerefs2 = @prev\n"), "{text}");
    expect(&folder.join("section_3_10.txt"), &text);
}

#[test]
fn doomed_points_of_a_java_method_are_a_flag_away() {
    let text = indict(
        &folder("figures/jackson"),
        &["formula", "Delete.java", "Procedures.delete_2", "--doomed"],
    );
    assert!(text.contains("F_Bdef"), "{text}");
}

#[test]
fn each_finding_has_a_page_of_its_own() {
    let pages = std::env::temp_dir().join(format!("indict-pages-{}", std::process::id()));
    let output = pages.to_str().expect("the folder's name is text");
    let arguments =
        ["--format", "html", "-o", output, "--scope", "2", "--unroll", "2", "Delete.java"];
    let listed = report(&folder("figures/jackson"), &arguments);
    let names: Vec<&str> = listed.lines().filter_map(|line| line.rsplit('/').next()).collect();
    assert!(names.contains(&"Procedures.delete_2.contract.html"), "{listed}");
    assert!(names.contains(&"Procedures.delete_1.null-dereference.html"), "{listed}");
    for name in &names {
        let html = std::fs::read_to_string(pages.join(name)).expect("the page is there");
        assert!(html.contains("<svg "), "{name} draws a heap");
        assert!(!html.contains("http"), "{name} needs nothing else");
    }
    std::fs::remove_dir_all(&pages).expect("it can be removed");
}
