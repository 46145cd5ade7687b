//! Whatever the text, there is a valid module and no panic.

use fastrand::Rng;

use crate::{FIGURES, read_beside};

const WORDS: [&str; 24] = [
    "end",
    ";",
    "(",
    ")",
    "If",
    "While",
    "do",
    "Procedure",
    "Operation",
    "<",
    ">",
    "|",
    "#",
    ":=:",
    "P",
    "Entry",
    "requires",
    "ensures",
    "and",
    "Type",
    "is",
    "\"",
    "(*",
    "there exists",
];

#[test]
fn texts_with_words_changed_are_read() {
    let mut rng = Rng::with_seed(7);
    let mut tables = 0;
    for _ in 0..300 {
        let (_, original) = FIGURES[rng.usize(..FIGURES.len())];
        let mut words: Vec<&str> = original.split_inclusive([' ', '\n']).collect();
        for _ in 0..rng.usize(1..4) {
            let position = rng.usize(..words.len());
            match rng.u8(..3) {
                0 => {
                    words.remove(position);
                }
                1 => words.insert(position, WORDS[rng.usize(..WORDS.len())]),
                _ => words[position] = WORDS[rng.usize(..WORDS.len())],
            }
        }
        let report = read_beside(&words.concat(), &FIGURES);
        assert_eq!(ir::validate(&report.module), []);
        tables += report.tables.len();
    }
    assert!(tables > 0, "some texts still make sense");
}

#[test]
fn deep_nesting_is_reported_and_not_followed() {
    let text =
        format!("Facility F;\n  Constraint {}1{};\nend F;\n", "(".repeat(5_000), ")".repeat(5_000));
    let report = read_beside(&text, &[]);
    assert!(report.diagnostics.iter().any(|one| one.message.contains("nests more than")));
}
