//! `indict bounds`, `instances` and `mutate`: what invariants admit and what specifications notice.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::{directory, expect, indict, printed};

const LIST: &str = "tests/figures/taco/LinkedSequence.java";
const TREE: &str = "tests/figures/taco/RedBlackSet.java";

/// The command line with a cache of its own.
fn with_cache(home: &Path, arguments: &[&str]) -> Command {
    let mut command = indict(arguments);
    command.env("XDG_CACHE_HOME", home).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(name: &str, arguments: &[&str]) -> Output {
    with_cache(&directory(name), arguments).output().unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A Java file of a test's own.
fn java(name: &str, text: &str) -> String {
    let path = directory(name).join("Test.java");
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn bounds_are_matrices() {
    let output = run("bounds", &["bounds", TREE, "--scope", "4"]);
    assert_eq!(output.status.code(), Some(0));
    expect("bounds.txt", &printed(&output));
    let page = run("bounds_page", &["bounds", TREE, "--scope", "3", "--format", "html"]);
    assert!(printed(&page).starts_with("<!DOCTYPE html>"));
    let json = run("bounds_json", &["bounds", TREE, "RedBlackSet", "--format", "json"]);
    let chart: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(chart["tight"], 30);
}

#[test]
fn instances_are_drawn() {
    let output = run("instances", &["instances", TREE, "--scope", "3"]);
    expect("instances.txt", &printed(&output));
    let page = run("instances_page", &["instances", TREE, "--scope", "3", "--format", "html"]);
    assert_eq!(printed(&page).matches("<svg").count(), 6);
    let few = run("instances_few", &["instances", TREE, "--scope", "4", "--most", "3"]);
    assert!(printed(&few).starts_with("RedBlackSet: the first 3 shapes within scope 4"));
}

/// The inputs are compiled and made, where there is a compiler of Java.
#[test]
fn instances_are_test_inputs() {
    let folder = directory("inputs");
    let written = folder.to_str().unwrap();
    let output = run("inputs_store", &["instances", TREE, "--scope", "3", "--emit-test", written]);
    assert_eq!(output.status.code(), Some(0));
    let file = folder.join("Instances.java");
    assert!(std::fs::read_to_string(&file).unwrap().contains("static Object instance6()"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(TREE);
    let mut javac = Command::new("javac");
    javac.arg("-nowarn").arg("-d").arg(&folder).arg(&file).arg(source);
    let Ok(compiled) = javac.stderr(Stdio::null()).status() else { return };
    assert!(compiled.success());
    let made = Command::new("java").arg("-cp").arg(&folder).arg("Instances").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&made.stdout), "6 inputs\n");
}

#[test]
fn a_class_without_invariant_has_any_heaps() {
    let file = java("no_invariant", "class Test { Test next; int n() { return 1; } }");
    let output = run("no_invariant_store", &["bounds", &file, "--scope", "2"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        errors(&output),
        "indict: Test has no invariant: any object that Java can make is one\n"
    );
    let checked = run("no_invariant_check", &["check", &file, "--scope", "6"]);
    assert_eq!(checked.status.code(), Some(0), "{}", printed(&checked));
}

#[test]
fn an_invariant_that_nothing_meets_is_reported() {
    let text = "class Test {\n    int n;\n    //@ invariant n < 0 && n > 0;\n    void f() {}\n}\n";
    let file = java("contradiction", text);
    let bounds = run("contradiction_store", &["bounds", &file]);
    assert_eq!(bounds.status.code(), Some(1));
    assert_eq!(printed(&bounds), "Test: no object meets the invariant within scope 5\n");
    let instances = run("contradiction_store", &["instances", &file]);
    assert_eq!(instances.status.code(), Some(1));
    assert!(printed(&instances).starts_with("Test: no object meets the invariant within scope 3"));
}

#[test]
fn a_scope_that_is_too_small_for_the_invariant_is_reported() {
    let text = "class Test {\n    /*@ nullable @*/ Test next;\n    \
                //@ invariant next != null && next != this && next.next != null && next.next != this && next.next != next;\n    \
                void f() {}\n}\n";
    let file = java("small", text);
    let few = run("small_store", &["instances", &file, "--scope", "2"]);
    assert_eq!(printed(&few), "Test: no object meets the invariant within scope 2\n");
    let enough = run("small_store", &["instances", &file, "--scope", "3"]);
    assert_eq!(enough.status.code(), Some(0), "{}", printed(&enough));
}

#[test]
fn an_invariant_that_calls_what_is_not_pure_is_not_taken_for_more_than_it_is() {
    let text = "class Test {\n    int n;\n    //@ invariant step() > 0;\n    int step() { return n++; }\n}\n";
    let file = java("impure", text);
    let output = run("impure_store", &["bounds", &file]);
    let message = errors(&output);
    assert!(message.contains("a call of a method that is not pure is not modelled"), "{message}");
    assert!(message.contains("more may be shown than the invariant admits"), "{message}");
    let checked = printed(&run("impure_store", &["check", &file]));
    assert!(checked.contains("1 unknown (clause left out)"), "{checked}");
}

#[test]
fn names_that_are_not_there_are_reported_with_the_nearest() {
    let cases: [(&[&str], &str); 4] = [
        (&["bounds", LIST, "LinkedSequenze"], "there is no class `LinkedSequenze`"),
        (&["instances", "README.md"], "`README.md` is no Java file"),
        (&["mutate", LIST, "LinkedSequence.romove"], "did you mean `LinkedSequence.remove`?"),
        (&["mutate", LIST, "LinkedSequence.remove", "--only", "XYZ"], "no kind of mistake `XYZ`"),
    ];
    for (arguments, message) in cases {
        let output = run("names", arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(errors(&output).contains(message), "{arguments:?}: {}", errors(&output));
    }
}

#[test]
fn a_damaged_cache_is_replaced_and_that_is_noted() {
    let home = directory("damaged");
    let arguments = ["bounds", LIST, "--scope", "6"];
    let first = with_cache(&home, &arguments).output().unwrap();
    let files = std::fs::read_dir(home.join("indict")).unwrap().map(|file| file.unwrap().path());
    let files: Vec<_> = files.collect();
    let file = files.iter().find(|file| file.extension().is_some_and(|end| end == "db")).unwrap();
    for damage in ["", "this is no database, and it never was one of any kind"] {
        files.iter().filter(|other| *other != file).for_each(|other| {
            let _ = std::fs::remove_file(other);
        });
        std::fs::write(file, damage).unwrap();
        let again = with_cache(&home, &arguments).output().unwrap();
        assert_eq!(printed(&again), printed(&first));
        let is_noted = errors(&again).contains("is damaged; it was replaced");
        assert_eq!(is_noted, !damage.is_empty(), "{}", errors(&again));
    }
    let cached = with_cache(&home, &arguments).output().unwrap();
    assert_eq!((printed(&cached), errors(&cached)), (printed(&first), String::new()));
    let alone = indict(&[&arguments[..], &["--no-cache"]].concat()).output().unwrap();
    assert_eq!(printed(&alone), printed(&first), "the cache changes nothing");
}

#[test]
fn processes_share_a_cache() {
    let home = directory("shared");
    let arguments =
        ["check", TREE, "--only", "RedBlackSet.find", "--scope", "5", "--unroll", "6", "-v"];
    let mut running: Vec<_> =
        (0..3).map(|_| with_cache(&home, &arguments).spawn().unwrap()).collect();
    let outputs = running.drain(..).map(|child| child.wait_with_output().unwrap());
    let verdict = |output: &Output| {
        let text = printed(output);
        let line = text.lines().find(|line| line.contains("RedBlackSet.find"));
        line.unwrap_or_default().to_owned()
    };
    let verdicts: Vec<String> = outputs.map(|output| verdict(&output)).collect();
    assert!(verdicts[0].contains("shapes, all executions end"), "{}", verdicts[0]);
    assert!(verdicts.iter().all(|other| *other == verdicts[0]), "{verdicts:?}");
    let again = with_cache(&home, &arguments).output().unwrap();
    assert_eq!(verdict(&again), verdicts[0], "cached results are the same");
}

const COUNTER: &str = "public class Test {\n    int n;\n    //@ invariant 0 <= n && n < 10;\n\n    \
                       //@ requires n < 9;\n    //@ ENSURES\n    void up() {\n        n = n + 1;\n    }\n}\n";

#[test]
fn mutants_show_what_a_contract_does_not_say() {
    let strong = COUNTER.replace("ENSURES", "ensures n == \\old(n) + 1;");
    let weak = COUNTER.replace("ENSURES", "ensures n >= 0;");
    let kinds = ["--only", "AOR,SDL"];
    let file = java("strong", &strong);
    let strong = run("strong_store", &[&["mutate", &file, "Test.up"], &kinds[..]].concat());
    assert_eq!(strong.status.code(), Some(0), "{}", printed(&strong));
    let file = java("weak", &weak);
    let weak = run("weak_store", &[&["mutate", &file, "Test.up"], &kinds[..]].concat());
    assert_eq!(weak.status.code(), Some(1), "{}", printed(&weak));
    let text = printed(&weak);
    assert!(
        text.contains("8:9: SDL `n = n + 1;` becomes nothing: equivalent within bounds"),
        "{text}"
    );
}

#[test]
fn a_method_that_fails_anyway_has_no_mutants() {
    let wrong = COUNTER.replace("ENSURES", "ensures n == \\old(n);");
    let output = run("wrong_store", &["mutate", &java("wrong", &wrong), "Test.up"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        errors(&output).contains("as it stands does not keep its contract"),
        "{}",
        errors(&output)
    );
}
