//! Java that is not as it should be, and what is known of classes from elsewhere.

use std::path::Path;

use driver::{MemoryFiles, NoCompiler, Options, Outcome, Rules, Silent};

use super::{findings, notes, run, verdicts};

/// A method that is wrong, to see that the rest of a file is checked.
const WRONG: &str = "
    //@ ensures \\result == x;
    static int wrong(int x) { if (x == 7) return 8; return x; }
";

fn class(text: &str) -> String {
    format!("class A {{\n{text}{WRONG}}}\n")
}

fn run_with(options: &Options, files: &[(&str, &str)]) -> Outcome {
    let memory = MemoryFiles::new(files.iter().map(|&(path, text)| (path, text)));
    driver::run(&[Path::new(files[0].0)], &memory, &NoCompiler, options, &Silent)
}

#[test]
fn java_that_does_not_parse() {
    let outcome = run([("A.java", class("    static int f( { return 1; }\n"))], &["A.java"]);
    assert_eq!(notes(&outcome), ["error: A.java:2:18: `)` is missing here"]);
    assert_eq!(verdicts(&outcome), ["A.f: skipped: faulty source", "A.wrong: findings"]);
}

#[test]
fn types_that_do_not_resolve() {
    let text = class("    static int f(Foo foo) { return foo.size(); }\n");
    let outcome = run([("A.java", text)], &["A.java"]);
    let all = notes(&outcome).join("\n");
    assert!(all.contains("the effect of `size` is unknown: any result is possible"), "{all}");
    assert_eq!(verdicts(&outcome), ["A.f: none within bounds", "A.wrong: findings"]);
}

#[test]
fn preconditions_that_contradict_each_other() {
    let text = class("    //@ requires x > 3 && x < 2;\n    static int f(int x) { return x; }\n");
    let outcome = run([("A.java", text)], &["A.java"]);
    let all = findings(&outcome);
    assert!(all[0].ends_with("no input satisfies the precondition"), "{all:?}");
    assert_eq!(verdicts(&outcome), ["A.f: findings", "A.wrong: findings"]);
}

#[test]
fn a_scope_of_nothing() {
    let mut options = Options::default();
    options.check.bounds.scope = 0;
    let text = class("    int f;\n    //@ ensures f == 0;\n    void m() { }\n");
    let outcome = run_with(&options, &[("A.java", &text)]);
    let vain = "A.m: unknown: bounds (no input within the bounds satisfies the preconditions and assumptions)";
    assert_eq!(verdicts(&outcome), [vain, "A.wrong: findings"]);
    let messages = notes(&outcome);
    assert!(messages[0].contains("a scope of 0 lets no object exist"), "{messages:?}");
}

#[test]
fn preconditions_that_need_more_objects_than_there_may_be() {
    let mut options = Options::default();
    options.check.bounds.scope = 1;
    let text = "class A {\n    //@ requires a != b;\n    //@ ensures false;\n    static void f(A a, A b) { }\n}\n";
    let verdicts_in = |options: &Options| verdicts(&run_with(options, &[("A.java", text)]));
    let vain = "A.f: unknown: bounds (no input within the bounds satisfies the preconditions and assumptions)";
    assert_eq!(verdicts_in(&options), [vain]);
    options.check.bounds.scope = 2;
    assert_eq!(verdicts_in(&options), ["A.f: findings"]);
}

#[test]
fn places_that_are_named_and_not_there() {
    let mut options = Options::default();
    options.classes.specifications.push("specs".into());
    options.classes.class_files.extend(["none.jar".into(), "broken.jar".into()]);
    let text = class("");
    let outcome = run_with(&options, &[("A.java", &text), ("broken.jar", "no archive")]);
    assert_eq!(
        notes(&outcome),
        [
            "error: `broken.jar` is no archive of class files, or it is damaged",
            "error: there is no file or directory `none.jar`",
            "error: there is no file or directory `specs`",
        ]
    );
    assert_eq!(verdicts(&outcome), ["A.wrong: findings"]);
}

#[test]
fn a_method_of_which_every_run_is_cut() {
    let text = class(
        "    //@ ensures \\result == 100;\n    static int count() {\n        int n = 0;\n        \
         while (n < 100) n++;\n        return n;\n    }\n",
    );
    let outcome = run([("A.java", text)], &["A.java"]);
    let cut = "A.count: unknown: bounds (every execution is cut off: a loop runs more than 4 times; \
               4 iterations, --unroll)";
    assert_eq!(verdicts(&outcome), [cut, "A.wrong: findings"]);
}

#[test]
fn runs_that_are_cut_are_reported() {
    let text = "class A {\n    //@ ensures \\result >= 0;\n    static int count(int k) {\n        \
                int n = 0;\n        while (n < k) n++;\n        return n;\n    }\n}\n";
    let outcome = run([("A.java", text)], &["A.java"]);
    let procedure = &outcome.report.procedures[0];
    assert_eq!(procedure.verdict.to_string(), "none within bounds");
    assert_eq!(procedure.cut.as_deref(), Some("a loop runs more than 4 times"));
    let summary = outcome.report.summary.to_string();
    assert!(summary.contains("1 procedure analysed (1 with executions cut off)"), "{summary}");
}

#[test]
fn contracts_from_files_of_their_own() {
    let mut options = Options::default();
    options.classes.specifications.push("specs".into());
    let source = "class A {\n    int f;\n    int get() { return f; }\n}\n";
    let specification = "class A {\n    //@ ensures \\result > f;\n    int get();\n}\n";
    let outcome = run_with(&options, &[("A.java", source), ("specs/A.jml", specification)]);
    let all = findings(&outcome);
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(all[0].contains("`\\result > f` does not hold at exit"), "{all:?}");
}

#[test]
fn an_error_in_a_specification_has_its_place_in_the_comment() {
    let text = "class A {\n    /*@ requires x > 0;\n      @ ensures \\result ==> ;\n      @*/\n    \
                static int f(int x) { return x; }\n}\n";
    let outcome = run([("A.java", text)], &["A.java"]);
    let place = outcome.report.notes[0].place.as_ref().expect("it has a place");
    assert_eq!(place.start.line, 3, "{:?}", notes(&outcome));
}

#[test]
fn null_is_as_the_flag_says() {
    let text = "class C { int v; }\nclass A {\n    //@ ensures \\result == c.v;\n    static int f(C c) \
                { return c.v; }\n}\n";
    let found = |nullness| {
        let mut options = Options::default();
        options.classes.nullness = nullness;
        findings(&run_with(&options, &[("A.java", text)])).len()
    };
    assert_eq!(found(java::Nullness::AsSpecified), 0);
    assert_eq!(found(java::Nullness::NonNull), 0);
    assert_eq!(found(java::Nullness::Nullable), 1);
}

#[test]
fn classes_have_scopes_of_their_own() {
    // Three nodes in a row are needed to see it.
    let text = "class Node { /*@ nullable @*/ Node next; }\nclass A {\n    \
                /*@ requires a.next != null && a.next.next != null && a.next != a\n      \
                @     && a.next.next != a && a.next.next != a.next;\n      \
                @ ensures a.next.next == a;\n      @*/\n    static void f(Node a) { }\n}\n";
    let found = |node| {
        let mut options = Options::default();
        options.check.bounds.scope = 1;
        options.check.bounds.scopes = vec![("Node".to_owned(), node)];
        findings(&run_with(&options, &[("A.java", text)])).len()
    };
    assert_eq!((found(2), found(3)), (0, 1));
}

/// Without a contract only certain failures are reported, and that under whichever rule is asked for.
#[test]
fn a_rule_alone_finds_what_fails_in_every_execution() {
    let text = "class A {\n  int n;\n  static int f(A a, int k) {\n    if (a == null) return a.n;\n    \
                if (k == 0) return 1 / k;\n    return 0;\n  }\n}\n";
    let rules_found = |asked: &[&str], denied: &[&str]| {
        let mut rules = if asked.is_empty() { Rules::default() } else { Rules::none() };
        asked.iter().for_each(|id| rules.switch(id, true));
        denied.iter().for_each(|id| rules.switch(id, false));
        let options = Options { rules, ..Options::default() };
        let outcome = run_with(&options, &[("A.java", text)]);
        assert!(outcome.report.findings.iter().all(|finding| finding.extent.is_every()));
        let ids = outcome.report.findings.iter().map(|finding| finding.rule.to_string());
        ids.collect::<Vec<_>>()
    };
    assert_eq!(rules_found(&[], &[]), ["null-dereference", "division-by-zero"]);
    assert_eq!(rules_found(&["doomed"], &[]), ["null-dereference", "division-by-zero"]);
    assert_eq!(rules_found(&["null-dereference"], &[]), ["null-dereference"]);
    assert_eq!(rules_found(&[], &["null-dereference"]), ["division-by-zero"]);
}

/// Constant expressions are evaluated before there is IR, by a table of operators of their own. It agrees with the
/// encoding.
#[test]
fn constant_expressions_are_what_the_operators_compute() {
    let arithmetic = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>"];
    let comparisons = ["<", "<=", ">", ">=", "==", "!="];
    let pairs: [(i64, i64); 4] = [(7, -2), (i64::from(i32::MIN), -1), (-1, 33), (12_345_678, 31)];
    let mut methods = String::new();
    let mut count = 0;
    for (ty, suffix) in [("int", ""), ("long", "L")] {
        for (a, b) in pairs {
            let typed = arithmetic.map(|operator| (operator, ty));
            for (operator, result) in typed.into_iter().chain(comparisons.map(|o| (o, "boolean"))) {
                count += 1;
                methods += &format!(
                    "    //@ requires x == ({a}{suffix}) && y == ({b}{suffix});\n    //@ ensures \\result;\n    \
                     static boolean m{count}({ty} x, {ty} y) {{\n        \
                     final {result} folded = ({a}{suffix}) {operator} ({b}{suffix});\n        \
                     return folded == (x {operator} y);\n    }}\n"
                );
            }
        }
    }
    let outcome = run([("A.java", class(&methods))], &["A.java"]);
    let all = verdicts(&outcome);
    let (wrong, others) = all.split_last().expect("there are methods");
    assert_eq!(wrong, "A.wrong: findings");
    assert_eq!(others.len(), count);
    for verdict in others {
        assert!(verdict.ends_with(": none within bounds"), "{verdict}");
    }
}

/// A loop that prepends twelve nodes to a list.
const BUILD: &str = "class Node { Node next; int value; }
class Chain {
    Node head;
    /*@ ensures \\result.value == 0; @*/
    Node build() {
        for (int i = 0; i < 12; i++) {
            Node n = new Node();
            n.value = i;
            n.next = head;
            head = n;
        }
        return head;
    }
}
";

#[test]
fn elided_steps_leave_the_heap_behind_that_later_steps_are_drawn_with() {
    let mut options = Options::default();
    options.check.bounds.unroll = 14;
    let outcome = run_with(&options, &[("Chain.java", BUILD)]);
    let finding = &outcome.report.findings[0];
    let is_elided = |step: &&report::Step| step.kind == report::StepKind::Elided;
    assert_eq!(finding.trace.iter().filter(is_elided).count(), 1, "{:#?}", finding.trace);
    let states = report::states(finding);
    let last = states.last().expect("there is a step");
    let after = finding.heaps.last().expect("the heap changes");
    assert!(after.objects.len() > 12, "{after:#?}");
    for object in &after.objects {
        let drawn = last.object(&object.name).expect("every object is met");
        let sorted = |object: &report::Object| {
            let mut fields: Vec<String> = object.fields.iter().map(ToString::to_string).collect();
            fields.sort();
            fields
        };
        assert_eq!(sorted(drawn), sorted(object), "{}", object.name);
    }
}
