//! The page of a finding: what is drawn at each step, and where.

use std::collections::BTreeMap;

use report::{
    Binding, Confirmation, FailureKind, Finding, Heap, LineIndex, Object, Place, Step, StepKind,
    page,
};

const SOURCE: &str = "class P {\n  static void cut(Cell l) {\n    l.next = null;\n  }\n}\n";

fn cell(name: &str, next: &str) -> Object {
    let fields = vec![Binding { name: "next".to_owned(), value: next.to_owned() }];
    Object { name: name.to_owned(), kind: "Cell".to_owned(), fields }
}

/// A list of two cells loses its second.
fn finding() -> Finding {
    let index = LineIndex::new(SOURCE);
    let place = |start, end| Place::of_offsets("P.java", &index, start, end);
    let mut finding = Finding::new(
        "contract",
        FailureKind::Postcondition,
        "`l.*next' = l.*next` does not hold at exit",
        place(12, 35),
        Confirmation::ReplayedByInterpreter,
    );
    finding.function = Some("P.cut".to_owned());
    finding.trace = vec![
        Step::new(StepKind::Entry, "").at(place(12, 35)).with("l", "Cell#1"),
        Step::new(StepKind::Statement, "").at(place(42, 55)).with("Cell#1.next", "null"),
        Step::new(StepKind::Failure, "does not hold").at(place(12, 35)),
    ];
    let variables = vec![Binding { name: "l".to_owned(), value: "Cell#1".to_owned() }];
    let objects = vec![cell("Cell#1", "Cell#2"), cell("Cell#2", "null")];
    let before = Heap { when: "before".to_owned(), variables: variables.clone(), objects };
    let objects = vec![cell("Cell#1", "null")];
    finding.heaps = vec![before, Heap { when: "after".to_owned(), variables, objects }];
    finding
}

/// The drawings of a page, one for each step.
fn drawings(html: &str) -> Vec<&str> {
    html.split("<svg ")
        .skip(1)
        .filter_map(|rest| rest.split_once("</svg>"))
        .map(|(svg, _)| svg)
        .collect()
}

/// Where the box of an object begins: the text from the box to the name.
fn place_of<'h>(drawing: &'h str, name: &str) -> &'h str {
    let (before, _) = drawing.split_once(&format!(">{name}</text>")).expect("it is drawn");
    let start = before.rfind("<rect ").expect("a box is around it");
    before[start..].split('>').next().expect("it ends")
}

#[test]
fn objects_keep_their_places_from_step_to_step() {
    let sources = BTreeMap::from([("P.java".to_owned(), SOURCE.to_owned())]);
    let html = page::render(&finding(), &sources);
    let drawings = drawings(&html);
    assert_eq!(drawings.len(), 3);
    for name in ["Cell#1", "Cell#2"] {
        let first = place_of(drawings[0], name);
        assert!(drawings.iter().all(|drawing| place_of(drawing, name) == first), "{name}");
    }
    assert_ne!(place_of(drawings[0], "Cell#1"), place_of(drawings[0], "Cell#2"));
}

#[test]
fn what_a_step_changes_is_marked_there_and_nowhere_else() {
    let html = page::render(&finding(), &BTreeMap::new());
    let drawings = drawings(&html);
    let marks = drawings.iter().map(|drawing| drawing.matches("changed").count());
    assert_eq!(marks.collect::<Vec<_>>(), [0, 1, 0]);
    assert!(drawings[0].contains("class=\"arrow\""));
    assert!(drawings[1].contains("class=\"arrow was\""), "where it led before");
    assert_eq!(drawings[2].matches("class=\"arrow").count(), 0);
}

#[test]
fn the_path_is_marked_in_the_code() {
    let sources = BTreeMap::from([("P.java".to_owned(), SOURCE.to_owned())]);
    let html = page::render(&finding(), &sources);
    assert!(html.contains("data-steps=\"0:3:26 2:3:26\"><i>2</i>"), "{html}");
    assert!(html.contains("class=\"line passed\" data-steps=\"1:5:18\"><i>3</i>"), "{html}");
    assert!(html.contains("<h1><code>l.*next' = l.*next</code> does not hold at exit</h1>"));
}
