//! The Java program that replays a finding.

use std::fmt::Write as _;

use report::{FailureKind, Finding, Heap, Object, Place};

/// The common part of all such programs.
const TEMPLATE: &str = include_str!("../../java/Replay.java");

/// The part of each flavour: its entry, and its use of the outcome.
const PROGRAM: &str = include_str!("../../java/Program.part");
const JUNIT: &str = include_str!("../../java/JUnit.part");
const INPUTS: &str = include_str!("../../java/Inputs.part");

/// The purpose of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flavour {
    /// It runs by itself, needs nothing, and prints whether the failure happens.
    Program,
    /// It is a test for JUnit 5, which fails as long as the failure happens.
    JUnit,
}

/// The annotations that carry formulas.
const ANNOTATIONS: [&str; 4] = ["Requires", "Ensures", "Invariant", "Modifies"];

/// A program that replays a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The name of its class, which is in no package.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The program that replays a finding, if it has an execution and Java executes the failing code; `name` is the
/// name of its class, `source` the text of the finding's file.
pub fn program(finding: &Finding, name: &str, source: &str, flavour: Flavour) -> Option<Program> {
    let function = finding.function.as_deref()?;
    let (owner, method) = function.rsplit_once('.')?;
    let is_constructor = owner.rsplit('.').next() == Some(method);
    let before = finding.heaps.iter().find(|heap| heap.when == "before");
    if finding.trace.is_empty() || !is_executed(finding, source) {
        return None;
    }
    let empty = Heap { when: "before".to_owned(), variables: Vec::new(), objects: Vec::new() };
    let entry = finding.trace.first().map(|step| step.values.clone()).unwrap_or_default();
    let without_heap = Heap { variables: entry, ..empty };
    let before = before.unwrap_or(&without_heap);
    let mut steps = Vec::new();
    build(before, &mut steps);
    check(before, &mut steps);
    steps.push("tell(\"start\", \"\");".to_owned());
    let method = if is_constructor { "<init>" } else { method };
    let is_argument = |name: &str| name != "this" && !name.contains('.') && !is_constant(name);
    let receiver = before.variables.iter().find(|binding| binding.name == "this");
    let receiver = receiver.map_or("null".to_owned(), |binding| quoted(&binding.value));
    let arguments: String = before
        .variables
        .iter()
        .filter(|binding| is_argument(&binding.name))
        .map(|binding| format!(", {}", quoted(&binding.value)))
        .collect();
    steps.push(format!("call({}, {}, {receiver}{arguments});", quoted(owner), quoted(method)));
    expect(finding, before, &mut steps);
    let (part, indent) = match flavour {
        Flavour::Program => (PROGRAM, ""),
        Flavour::JUnit => (JUNIT, "    "),
    };
    let steps: String = steps.iter().map(|step| format!("        {indent}{step}\n")).collect();
    let package = package(source).map_or(String::new(), |package| format!("{package}."));
    let text = TEMPLATE
        .replace("@ENTRY@", part.trim_end_matches('\n'))
        .replace("@NAME@", name)
        .replace("@PACKAGE@", &package)
        .replace("@METHOD@", &test_name(function, finding))
        .replace("@MESSAGE@", &quoted(&finding.message))
        .replace("@STEPS@", &steps);
    Some(Program { name: name.to_owned(), text })
}

/// A class that makes heaps as inputs for tests, each with the object that `this` stands for.
pub fn inputs(heaps: &[Heap], name: &str, source: &str) -> Program {
    let mut methods = String::new();
    let mut all = String::new();
    for (number, heap) in (1..).zip(heaps) {
        let mut steps = Vec::new();
        build(heap, &mut steps);
        let this = heap.variables.iter().find(|binding| binding.name == "this");
        let this = this.map_or("null".to_owned(), |binding| quoted(&binding.value));
        let steps: String = steps.iter().map(|step| format!("        {step}\n")).collect();
        let _ = write!(
            methods,
            "    static Object instance{number}() throws Exception {{\n        objects.clear();\n\
             {steps}        return objects.get({this});\n    }}\n\n"
        );
        let _ = writeln!(all, "        all.add(instance{number}());");
    }
    let package = package(source).map_or(String::new(), |package| format!("{package}."));
    let entry = INPUTS.trim_end_matches('\n').replace("@ALL@", &all);
    let text = TEMPLATE
        .replace("@ENTRY@", &entry.replace("@METHODS@", methods.trim_end()))
        .replace("@NAME@", name)
        .replace("@PACKAGE@", &package);
    Program { name: name.to_owned(), text }
}

/// A name for a test, after the method and the rule.
fn test_name(function: &str, finding: &Finding) -> String {
    let method = function.rsplit('.').next().unwrap_or(function);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let text = format!("{method}_{}", finding.rule);
    text.chars().map(|c| if is_word(c) { c } else { '_' }).collect()
}

/// Whether Java executes the failing code: it does not evaluate specifications in comments.
fn is_executed(finding: &Finding, source: &str) -> bool {
    let on_the_way = ["loop-invariant", "progress", "precondition"];
    if finding.detail.as_deref().is_some_and(|failing| on_the_way.contains(&failing)) {
        return false;
    }
    let line = source.lines().nth(finding.place.start.line.saturating_sub(1) as usize);
    let is_comment = line.is_some_and(|line| {
        let line = line.trim_start();
        line.starts_with("//@") || line.starts_with("/*@") || line.starts_with('@')
    });
    finding.rule.as_str() != "assertion" || !is_comment
}

/// Declarations of the annotations that a source uses and does not have, by file name; they carry formulas
/// and mean nothing to Java.
pub fn annotations(source: &str) -> Vec<(String, String)> {
    let is_missing = |name: &&str| {
        source.contains(&format!("@{name}("))
            && !source.contains(&format!("@interface {name}"))
            && !source.contains(&format!(".{name};"))
    };
    let header = package(source).map_or(String::new(), |package| format!("package {package};\n"));
    let declaration = |name: &str| {
        let plural = format!("{name}List");
        let text = format!(
            "{header}@java.lang.annotation.Repeatable({plural}.class)\n@interface {name} {{ String[] \
             value(); }}\n@interface {plural} {{ {name}[] value(); }}\n"
        );
        (format!("{name}.java"), text)
    };
    ANNOTATIONS.iter().copied().filter(is_missing).map(declaration).collect()
}

/// The package that a source is in.
fn package(source: &str) -> Option<&str> {
    let line = source.lines().map(str::trim).find(|line| line.starts_with("package "))?;
    Some(line.strip_prefix("package ")?.trim_end_matches(';').trim())
}

/// Makes the objects, then sets their fields.
fn build(heap: &Heap, steps: &mut Vec<String>) {
    for object in heap.objects.iter().filter(|object| object.kind != TEXT) {
        let length = field(object, "length").unwrap_or("0");
        let inner = match object.kind.as_str() {
            "String" => said(object, heap),
            _ => field(object, "value").unwrap_or("0").to_owned(),
        };
        let (name, kind) = (quoted(&object.name), quoted(&object.kind));
        steps.push(format!("make({name}, {kind}, {length}, {});", quoted(&inner)));
    }
    for literal in heap.variables.iter().filter(|variable| is_literal(&variable.name)) {
        let object = quoted(&literal.value);
        steps.push(format!("objects.put({object}, {}.intern());", literal.name));
    }
    let statics = heap.variables.iter().filter(|variable| !is_constant(&variable.name));
    for variable in statics.filter(|variable| variable.name.contains('.')) {
        if let Some((owner, name)) = variable.name.rsplit_once('.') {
            let (owner, name, value) = (quoted(owner), quoted(name), quoted(&variable.value));
            steps.push(format!("setStatic({owner}, {name}, {value});"));
        }
    }
    for object in &heap.objects {
        let is_array = object.kind.ends_with("[]");
        for field in &object.fields {
            if (is_array && field.name == "length") || is_value(&object.kind) {
                continue;
            }
            let (object, name, value) =
                (quoted(&object.name), quoted(&field.name), quoted(&field.value));
            steps.push(format!("set({object}, {name}, {value});"));
        }
    }
}

/// Compares the heap that was built with that of the report, field by field.
fn check(heap: &Heap, steps: &mut Vec<String>) {
    for object in heap.objects.iter().filter(|object| !is_value(&object.kind)) {
        for field in &object.fields {
            let (object, name, value) =
                (quoted(&object.name), quoted(&field.name), quoted(&field.value));
            steps.push(format!("check({object}, {name}, {value});"));
        }
    }
    for variable in heap.variables.iter().filter(|variable| !is_constant(&variable.name)) {
        if let Some((owner, name)) = variable.name.rsplit_once('.') {
            let (owner, name, value) = (quoted(owner), quoted(name), quoted(&variable.value));
            steps.push(format!("checkStatic({owner}, {name}, {value});"));
        }
    }
}

/// The class of strings with the same text.
const TEXT: &str = "Text";

/// Whether objects of a class are made with what they hold.
fn is_value(kind: &str) -> bool {
    matches!(
        kind,
        "Integer" | "Long" | "Short" | "Byte" | "Character" | "Boolean" | "String" | "Text"
    )
}

/// Whether a name is that of a literal in the source, or of something that belongs to one.
fn is_constant(name: &str) -> bool {
    name.starts_with('"')
}

/// Whether a name is that of a literal in the source.
fn is_literal(name: &str) -> bool {
    is_constant(name) && name.ends_with('"')
}

fn field<'o>(object: &'o Object, name: &str) -> Option<&'o str> {
    object.fields.iter().find(|field| field.name == name).map(|field| field.value.as_str())
}

/// The text of a string: that of a literal with the same content, or one that only strings of the same content and
/// length have.
fn said(string: &Object, heap: &Heap) -> String {
    let Some(text) = field(string, "value") else { return string.name.clone() };
    let says = |name: &str| {
        heap.objects
            .iter()
            .any(|object| object.name == name && field(object, "value") == Some(text))
    };
    let literal =
        heap.variables.iter().find(|variable| is_literal(&variable.name) && says(&variable.value));
    if let Some(literal) = literal {
        return literal.name.trim_matches('"').to_owned();
    }
    let length = heap.objects.iter().find(|object| object.name == text);
    let length = length.and_then(|text| field(text, "length")).and_then(|n| n.parse().ok());
    match length {
        None => text.to_owned(),
        Some(0) => String::new(),
        Some(length) => {
            let number: u32 = text.rsplit('#').next().and_then(|n| n.parse().ok()).unwrap_or(0);
            let first = char::from_u32(u32::from('a') + number % 26).unwrap_or('a');
            let rest = "_".repeat(usize::min(length, 1 << 15) - 1);
            format!("{first}{rest}")
        }
    }
}

/// The expected outcome: an exception, or an end in the heap of the report.
fn expect(finding: &Finding, before: &Heap, steps: &mut Vec<String>) {
    let thrown: &[&str] = match finding.kind {
        FailureKind::NullDereference => &["java.lang.NullPointerException"],
        FailureKind::OutOfBounds => {
            &["java.lang.IndexOutOfBoundsException", "java.lang.NegativeArraySizeException"]
        }
        FailureKind::DivisionByZero => &["java.lang.ArithmeticException"],
        FailureKind::Assertion => &["java.lang.AssertionError"],
        FailureKind::Exception => &["java.lang.Throwable"],
        FailureKind::Nontermination => &["java.lang.RuntimeException", "java.lang.Error"],
        // No other failure throws: the method returns, and the heap shows what is wrong.
        _ => &[],
    };
    if !thrown.is_empty() {
        // The throw statement of an exception that the contract forbids may be in any callee.
        if !matches!(finding.kind, FailureKind::Exception | FailureKind::Nontermination) {
            steps.push(lines(finding));
        }
        let names: Vec<String> = thrown.iter().map(|name| quoted(name)).collect();
        steps.push(format!("expectThrown({});", names.join(", ")));
        return;
    }
    steps.push("expectReturned();".to_owned());
    let after = finding.heaps.iter().find(|heap| heap.when == "after").unwrap_or(before);
    let results = ["\\result", "this"];
    for variable in &after.variables {
        let is_new = !before.variables.iter().any(|known| known.name == variable.name);
        if is_new && results.contains(&variable.name.as_str()) {
            steps.push(format!("expectResult({});", quoted(&variable.value)));
        }
    }
    for variable in &after.variables {
        if let Some((owner, name)) = variable.name.rsplit_once('.')
            && !is_constant(&variable.name)
        {
            let (owner, name, value) = (quoted(owner), quoted(name), quoted(&variable.value));
            steps.push(format!("expectStatic({owner}, {name}, {value});"));
        }
    }
    for object in after.objects.iter().filter(|object| !is_value(&object.kind)) {
        for field in &object.fields {
            let (object, name, value) =
                (quoted(&object.name), quoted(&field.name), quoted(&field.value));
            steps.push(format!("expect({object}, {name}, {value});"));
        }
    }
    steps.push("confirm(\"heap and result are as reported\");".to_owned());
}

/// Says where the exception is to come from: the file, and the lines of the failure and of the finding.
fn lines(finding: &Finding) -> String {
    let place = finding.failure().and_then(|step| step.place.as_ref()).unwrap_or(&finding.place);
    let file = finding.place.path.rsplit('/').next().unwrap_or(&finding.place.path);
    let range = |place: &Place| {
        let (first, last) = (place.start.line, place.end.line.max(place.start.line));
        format!("{first}, {last}")
    };
    let ranges = [place, &finding.place].map(range).join(", ");
    format!("at({}, {ranges});", quoted(file))
}

fn quoted(text: &str) -> String {
    let escaped: String = text
        .chars()
        .flat_map(|c| match c {
            '"' | '\\' => vec!['\\', c],
            '\n' => vec!['\\', 'n'],
            c => vec![c],
        })
        .collect();
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use report::{
        Binding, Confirmation, FailureKind, Finding, Heap, LineIndex, Object, Place, Step, StepKind,
    };

    use super::{Flavour, annotations, program};

    fn finding() -> Finding {
        let place = Place::of_offsets("A.java", &LineIndex::new("class A {}"), 0, 1);
        let confirmation = Confirmation::ReplayedByInterpreter;
        let mut finding = Finding::new(
            "null-dereference",
            FailureKind::NullDereference,
            "`l` is null here",
            place,
            confirmation,
        );
        finding.function = Some("A.B.run".to_owned());
        finding.trace.push(Step::new(StepKind::Entry, ""));
        let binding =
            |name: &str, value: &str| Binding { name: name.to_owned(), value: value.to_owned() };
        let (name, kind) = ("Node#1".to_owned(), "Node".to_owned());
        let fields = vec![binding("next", "Node#1")];
        finding.heaps.push(Heap {
            when: "before".to_owned(),
            variables: vec![binding("this", "Node#1"), binding("l", "null")],
            objects: vec![Object { name, kind, fields }],
        });
        finding
    }

    #[test]
    fn the_program_builds_the_heap_and_calls_the_method() {
        let text = program(&finding(), "Replay1", "package a.b;\nclass A {}", Flavour::Program);
        let text = text.unwrap().text;
        assert!(text.contains("public class Replay1 {"));
        assert!(text.contains("make(\"Node#1\", \"Node\", 0, \"0\");"));
        assert!(text.contains("set(\"Node#1\", \"next\", \"Node#1\");"));
        assert!(text.contains("call(\"A.B\", \"run\", \"Node#1\", \"null\");"));
        assert!(text.contains("expectThrown(\"java.lang.NullPointerException\");"));
        assert!(text.contains("\"a.b.\""));
    }

    #[test]
    fn a_test_fails_where_the_program_confirms() {
        let text = program(&finding(), "Replay1Test", "class A {}", Flavour::JUnit).unwrap().text;
        assert!(text.contains("@org.junit.jupiter.api.Test\n    void run_null_dereference()"));
        assert!(text.contains("throw new AssertionError(\"`l` is null here\" + \": \" + how);"));
        assert!(!text.contains("System.exit"), "{text}");
        assert!(!text.contains("main("), "{text}");
    }

    #[test]
    fn annotations_that_are_used_and_not_declared_are_declared() {
        let found = annotations("package p;\n@Ensures(\"some x\") void f();");
        let [(name, text)] = &found[..] else { panic!("{found:?}") };
        assert_eq!(name, "Ensures.java");
        assert!(text.starts_with("package p;"));
        assert!(annotations("@interface Ensures {} @Ensures(\"x\")").is_empty());
    }
}
