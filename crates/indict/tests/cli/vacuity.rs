//! What no run within the bounds reaches, where nothing is found.

use std::fs;

use serde_json::Value;

use super::{directory, indict};

const BOOGIE: &str = "\
procedure behind() {
  var i: int;
  i := 0;
  while (i < 100) {
    i := i + 1;
  }
  i := 2;
  assert i == 2;
}
procedure contradictory(x: int)
  requires x > 0;
  requires x < 0;
{
  assert x == 7;
}
procedure dead(x: int) returns (y: int)
  ensures y > 0;
{
  y := 1;
  if (x > 3 && x < 2) {
    y := 5;
  }
  y := y + 1;
}
procedure live(x: int) returns (y: int)
  requires x > 0;
  ensures y > 0;
{
  y := x;
  if (x > 3) {
    y := 4;
  }
  y := y + 1;
}
";

const JAVA: &str = "\
class A {
    //@ requires x > 0;
    //@ requires x < 0;
    static int contradictory(int x) {
        return x;
    }

    //@ ensures \\result >= 0;
    static int dead(int x) {
        if (x > 3 && x < 2) {
            return 7;
        }
        return 1;
    }
}
";

const C: &str = "\
int dead(int x)
{
    if (x > 3 && x < 2)
        return 7;
    return 0;
}

int behind(unsigned n)
{
    unsigned i, sum = 0;

    for (i = 0; i < 100000; i++)
        sum = sum * 3 + n;
    if (sum == 5)
        return 1;
    return 2;
}
";

/// The kind and the line of what is not reached, and whether that is proved.
type Unreached = Vec<(String, u64, bool)>;

/// What is not reached in each procedure of a file.
fn unreached(name: &str, text: &str, arguments: &[&str]) -> Vec<(String, Unreached)> {
    let directory = directory(&format!("unreached-{name}"));
    fs::write(directory.join(name), text).unwrap();
    let mut command = indict(&["check", "--format", "json", "--no-cache", name]);
    let output = command.args(arguments).current_dir(&directory).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let one = |value: &Value| {
        let kind = value["kind"].as_str().unwrap().to_owned();
        let line = value["place"]["start"]["line"].as_u64().unwrap();
        (kind, line, value["proved"].as_bool().unwrap())
    };
    let procedures = report["procedures"].as_array().unwrap().iter();
    let unreached = procedures.map(|procedure| {
        let missed = procedure["unreached"].as_array().cloned().unwrap_or_default();
        let name = procedure["name"].as_str().unwrap().to_owned();
        (name, missed.iter().map(one).collect())
    });
    unreached.collect()
}

fn code(lines: &[u64]) -> Vec<(String, u64, bool)> {
    lines.iter().map(|&line| ("code".to_owned(), line, true)).collect()
}

fn preconditions(lines: &[u64]) -> Vec<(String, u64, bool)> {
    lines.iter().map(|&line| ("precondition".to_owned(), line, true)).collect()
}

fn of(unreached: &[(String, Unreached)], name: &str) -> Unreached {
    let mut unreached = unreached.iter();
    unreached.find(|(found, _)| found == name).expect("the procedure is checked").1.clone()
}

#[test]
fn code_behind_a_loop_that_is_longer_than_the_bounds_is_listed() {
    assert_eq!(of(&unreached("a.bpl", BOOGIE, &[]), "behind"), code(&[7, 8]));
    assert_eq!(of(&unreached("b.c", C, &[]), "behind"), code(&[14, 15, 16, 17]));
}

#[test]
fn dead_code_is_listed_and_other_code_is_not() {
    let boogie = unreached("c.bpl", BOOGIE, &[]);
    assert_eq!(of(&boogie, "dead"), code(&[21]));
    assert_eq!(of(&boogie, "live"), code(&[]));
    assert_eq!(of(&unreached("d.c", C, &[]), "dead"), code(&[4]));
    assert_eq!(of(&unreached("A.java", JAVA, &[]), "A.dead"), code(&[11]));
}

#[test]
fn contradictory_preconditions_are_listed_where_they_are_no_finding() {
    let quiet = ["--rule", "-contract"];
    let boogie = of(&unreached("e.bpl", BOOGIE, &quiet), "contradictory");
    assert_eq!(boogie, preconditions(&[11, 12]));
    let java =
        of(&unreached("B.java", &JAVA.replace("class A", "class B"), &quiet), "B.contradictory");
    let written: Vec<_> = java.iter().filter(|one| one.1 > 1).cloned().collect();
    assert_eq!(java, written);
    assert!(preconditions(&[2, 3]).iter().all(|one| java.contains(one)), "{java:?}");
    // Where it is one, the finding says so.
    assert_eq!(of(&unreached("f.bpl", BOOGIE, &[]), "contradictory"), code(&[]));
}

#[test]
fn text_has_the_list_only_if_it_is_asked_for() {
    let directory = directory("unreached-text");
    fs::write(directory.join("a.c"), C).unwrap();
    let printed = |arguments: &[&str]| {
        let mut command = indict(&["check", "--no-cache", "a.c"]);
        let output = command.args(arguments).current_dir(&directory).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(printed(&["-v"]).contains("a.c:4:9: no execution gets here within the bounds\n"));
    assert!(!printed(&[]).contains("no run"));
}
