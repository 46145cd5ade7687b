//! Which part of a program is looked at: names, entries, what has changed, what is not known yet.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use super::{directory, indict, printed};

/// Two functions, each of which divides by what it has found to be zero.
const TWO: &str = "\
int first(int whole, int parts)
{
    if (parts != 0) return 0;
    return whole / parts;
}

int second(int whole, int parts)
{
    if (parts != 0) return 1;
    return whole / parts;
}
";

fn within(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = indict(arguments);
    command.current_dir(directory).env("XDG_CACHE_HOME", directory.join(".cache"));
    command.output().unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn only_what_is_named_is_looked_at() {
    let directory = directory("part_only");
    fs::write(directory.join("a.c"), TWO).unwrap();
    let output = within(&directory, &["check", "a.c", "--only", "second"]);
    let text = printed(&output);
    assert!(text.contains("in `second`") && !text.contains("in `first`"), "{text}");
    assert!(text.contains("1 procedure analysed"), "{text}");
    assert!(text.contains("1 skipped (not asked for)"), "{text}");
    let output = within(&directory, &["check", "a.c", "--only", "secnd"]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(2));
    assert!(text.contains("no procedure `secnd`"), "{text}");
    assert!(text.contains("did you mean `second`?"), "{text}");
}

#[test]
fn every_input_of_an_entry_counts() {
    let directory = directory("part_entry");
    let text = "int get(const int *p) { return *p; }\nint half(int a, int b) { return a / b; }\n";
    fs::write(directory.join("a.c"), text).unwrap();
    assert_eq!(within(&directory, &["check", "a.c"]).status.code(), Some(0));
    let output = within(&directory, &["check", "a.c", "--entry", "get"]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("error[null-dereference]: `p` is null"), "{text}");
    assert!(text.contains("p = NULL"), "{text}");
    assert!(!text.contains("half"), "{text}");
    let output = within(&directory, &["check", "a.c", "--entry", "half", "--replay"]);
    let text = printed(&output);
    assert!(text.contains("error[division-by-zero]"), "{text}");
    assert!(text.contains("confirmed by execution, compiled by"), "{text}");
}

#[test]
fn only_what_has_changed_is_looked_at() {
    let directory = directory("part_since");
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(&directory).args(["-c", "user.name=a", "-c", "user.email=a@b"]);
        let output = command.args(words).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    fs::write(directory.join("a.c"), TWO).unwrap();
    git(&["init", "-q"]);
    git(&["add", "a.c"]);
    git(&["commit", "-q", "-m", "one"]);
    let output = within(&directory, &["check", "a.c", "--since", "HEAD"]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    assert!(printed(&output).contains("2 skipped (unchanged since HEAD)"), "{}", printed(&output));
    fs::write(directory.join("a.c"), TWO.replace("return 1", "return 2")).unwrap();
    fs::write(directory.join("b.c"), TWO.replace("second", "third")).unwrap();
    let output = within(&directory, &["check", "a.c", "b.c", "--since", "HEAD"]);
    let text = printed(&output);
    assert!(text.contains("--> a.c:10:"), "{text}");
    assert!(text.contains("--> b.c:4:"), "{text}");
    assert!(!text.contains("--> a.c:4:"), "{text}");
    let output = within(&directory, &["check", "a.c", "--since", "nowhere"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("git cannot say what has changed since `nowhere`"));
}

#[test]
fn what_is_known_is_not_reported_again() {
    let directory = directory("part_baseline");
    fs::write(directory.join("a.c"), TWO.replace("whole / parts;\n}\n\nint", "1;\n}\n\nint"))
        .unwrap();
    let output = within(&directory, &["baseline", "a.c"]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("baseline of 1 finding written to indict-baseline.json"), "{text}");
    // Lines move, and there is a new finding.
    fs::write(directory.join("a.c"), format!("\n\n{TWO}")).unwrap();
    let output = within(&directory, &["baseline", "a.c"]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("--> a.c:6:") && !text.contains("--> a.c:12:"), "{text}");
    assert!(text.contains("1 of 1 findings still present, 0 fixed"), "{text}");

    let file = directory.join("indict-baseline.json");
    let version = format!("\"indict\": \"{}\"", env!("CARGO_PKG_VERSION"));
    let other = fs::read_to_string(&file).unwrap().replace(&version, "\"indict\": \"0.0.7\"");
    fs::write(&file, other).unwrap();
    let output = within(&directory, &["baseline", "a.c"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("was written by Indict 0.0.7"), "{}", errors(&output));
    fs::write(&file, "{").unwrap();
    let output = within(&directory, &["baseline", "a.c"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("is no baseline"), "{}", errors(&output));
}

#[test]
fn variables_hold_their_initial_values_where_the_program_starts() {
    let directory = directory("part_start");
    let text = |limit: &str| {
        let body = "{\n    int a[4] = {0};\n\n    a[limit - 1] = 1;\n    return a[0];\n}\n";
        let start = format!("static int limit = {limit};\nint main(void)\n{body}");
        format!("{start}int other(void)\n{body}void set(int n) {{ limit = n; }}\n")
    };
    let codes = |limit: &str| {
        fs::write(directory.join("a.c"), text(limit)).unwrap();
        let checked = |name: &str| within(&directory, &["check", "a.c", "--entry", name]).status;
        ["main", "other"].map(|name| checked(name).code())
    };
    assert_eq!(codes("4"), [Some(0), Some(1)]);
    assert_eq!(codes("5"), [Some(1), Some(1)]);
    let text = printed(&within(&directory, &["check", "a.c", "--entry", "main", "--replay"]));
    assert!(text.contains("confirmed by execution"), "{text}");
}

/// Functions that ask two others, which are only declared.
const MODELLED: &str = "\
int limit(void);
int *lookup(int key);
int pick(int i)
{
    int a[4] = {1, 2, 3, 4};
    i = limit();
    return a[i];
}
int value(int key) { return *lookup(key); }
";

#[test]
fn models_may_be_c_and_what_is_wrong_with_one_leaves_the_others() {
    let directory = directory("part_models_in_c");
    fs::write(directory.join("a.c"), MODELLED).unwrap();
    fs::create_dir_all(directory.join("models")).unwrap();
    let write = |name: &str, text: &str| fs::write(directory.join(name), text).unwrap();
    write(
        "models/limit.c",
        "static int twice(int n) { return n + n; }\nint limit(void) { return twice(2); }\n",
    );
    write("models/lookup.c", "#include <stddef.h>\nint *lookup(int key)\n{\n    return nul;\n}\n");
    let output = within(&directory, &["check", "a.c", "--models", "models"]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("`a[i]` is out of bounds"), "{text}");
    assert!(text.contains("--> models/lookup.c:4:"), "{text}");
    assert!(!text.contains("--> a.c:9:"), "{text}");
    write("models/lookup.c", "#include <stddef.h>\nint *lookup(int key)\n{\n    return NULL;\n}\n");
    let text = printed(&within(&directory, &["check", "a.c", "--models", "models"]));
    assert!(text.contains("--> a.c:9:"), "{text}");
}

#[test]
fn models_say_what_functions_do_and_what_is_wrong_with_them_is_reported() {
    let directory = directory("part_models");
    fs::write(directory.join("a.c"), MODELLED).unwrap();
    assert_eq!(within(&directory, &["check", "a.c"]).status.code(), Some(0));
    let models = "\
var memory: bytes;
proc limit() returns (r: bv32)
{
    r := 4bv32;
    exit;
}
proc lookup(key: bv32) returns (r: ptr)
{
    r := nul;
    exit;
}
";
    fs::create_dir_all(directory.join("models")).unwrap();
    fs::write(directory.join("models/own.vir"), models).unwrap();
    let output = within(&directory, &["check", "a.c", "--models", "models"]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("`a[i]` is out of bounds"), "{text}");
    assert!(text.contains("--> models/own.vir:9:"), "{text}");
    assert!(!text.contains("lookup(key)"), "{text}");
    fs::write(directory.join("models/own.vir"), models.replace("nul;", "null;")).unwrap();
    let text = printed(&within(&directory, &["check", "a.c", "--models", "models"]));
    assert!(text.contains("--> a.c:9:"), "{text}");
    let output = within(&directory, &["check", "a.c", "--models", "nowhere"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(printed(&output).contains("nowhere"), "{}", printed(&output));
}
