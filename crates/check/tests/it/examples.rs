//! The bundled examples: the four that exercise the four ways in which state is represented.

use crate::check;

macro_rules! example {
    ($name:literal) => {
        include_str!(concat!("../../../../examples/vir/", $name, ".vir"))
    };
}

#[test]
fn delete_dereferences_null_and_keeps_cells() {
    let (findings, verdicts) = check(example!("delete"));
    assert_eq!(
        findings,
        [
            "30 null-dereference: prev is null when the first cell holds v",
            "13 contract: the list does not hold just the cells without v",
        ]
    );
    assert_eq!(verdicts, ["Findings"]);
}

#[test]
fn container_of_overwrites_the_link() {
    let (findings, _) = check(example!("container_of"));
    assert_eq!(
        findings,
        [
            "29 assertion: the link was overwritten through the union",
            "  21 because of this",
            "  25 because of this",
            "  28 because of this",
        ]
    );
}

#[test]
fn maps_may_be_written_at_the_same_index() {
    let (findings, verdicts) = check(example!("maps"));
    assert_eq!(findings, ["21 contract: the first was overwritten"]);
    assert_eq!(verdicts, ["NoneWithinBounds", "Findings"]);
}

#[test]
fn reverse_forgets_to_advance() {
    let (findings, verdicts) = check(example!("reverse"));
    assert_eq!(findings, ["29 contract: the list is not reversed", "  28 because of this"]);
    assert_eq!(verdicts[2], "Findings");
}
