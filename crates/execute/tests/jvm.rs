//! Programs on a JVM: one that shows what is found, and those that misbehave, each with a clear outcome.

use execute::jvm::{Flavour, Jvm, program};
use execute::sandbox::{self, Isolation, Sandbox};
use report::{
    Binding, Confirmation, Execution, FailureKind, Finding, Heap, LineIndex, Object, Obstacle,
    Place, Refutation, Step, StepKind,
};

/// Calls `A.run(0)`, which is to fail on the line that is marked by an exception that a rule stands for; none if there is no
/// JVM.
fn executed(rule: &str, body: &str, heap: impl FnOnce(&mut Heap)) -> Option<Execution> {
    let jvm = Jvm::find(&std::env::var_os("PATH")?)?;
    let sandbox = Sandbox::new().unwrap();
    let source = format!(
        "class A {{\n    int n;\n    static final int N = 3;\n    static int run(int a) throws Exception {{\n{body}\n    }}\n}}\n"
    );
    let path = sandbox.scratch().join("A.java");
    std::fs::write(&path, &source).unwrap();
    let line = source.lines().position(|line| line.contains("// here")).unwrap();
    let line = u32::try_from(line + 1).unwrap();
    let place = Place::of_token(path.to_string_lossy(), &LineIndex::new(&source), line, 1);
    let confirmation = Confirmation::ReplayedByInterpreter;
    let kind = FailureKind::named(rule).unwrap_or(FailureKind::Postcondition);
    let mut finding = Finding::new(rule, kind, "a message", place.clone(), confirmation);
    finding.function = Some("A.run".to_owned());
    finding.trace.push(Step::new(StepKind::Entry, ""));
    finding.trace.push(Step::new(StepKind::Failure, "fails").at(place));
    let mut before =
        Heap { when: "before".to_owned(), variables: vec![binding("a", "0")], objects: Vec::new() };
    heap(&mut before);
    finding.heaps.push(before);
    let program = program(&finding, "Replay1", &source, Flavour::Program).unwrap();
    let folder = sandbox.scratch().join("classes");
    jvm.compile(&[&program], &path, &source, &folder).unwrap();
    Some(jvm.run(&finding, &program, &folder, &sandbox).unwrap())
}

fn binding(name: &str, value: &str) -> Binding {
    Binding { name: name.to_owned(), value: value.to_owned() }
}

fn plain(body: &str) -> Option<Execution> {
    executed("division-by-zero", body, |_| ())
}

#[track_caller]
fn stopped(execution: Option<Execution>, obstacle: Obstacle) {
    match execution {
        None => {}
        Some(Execution::CouldNotRun { reason, .. }) => assert_eq!(reason, obstacle),
        Some(other) => panic!("{other:?}"),
    }
}

#[track_caller]
fn refuted(execution: Option<Execution>, refutation: Refutation) {
    match execution {
        None => {}
        Some(Execution::Refuted { reason, .. }) => assert_eq!(reason, refutation),
        Some(other) => panic!("{other:?}"),
    }
}

#[track_caller]
fn confirmed(execution: Option<Execution>) {
    assert!(matches!(execution, None | Some(Execution::Confirmed { .. })), "{execution:?}");
}

#[test]
fn the_exception_and_its_line_count() {
    confirmed(plain("return 1 / a; // here"));
    refuted(plain("return a; // here"), Refutation::NoFailure);
    refuted(plain("a = 1 / a;\nreturn a; // here"), Refutation::OtherFailure);
    refuted(plain("A x = null;\nreturn x.n; // here"), Refutation::OtherFailure);
}

#[test]
fn the_heap_is_compared_before_the_call() {
    let object = Object {
        name: "A#1".to_owned(),
        kind: "A".to_owned(),
        fields: vec![binding("n", "7"), binding("n", "8")],
    };
    let execution =
        executed("division-by-zero", "return 1 / a; // here", |heap| heap.objects.push(object));
    stopped(execution, Obstacle::StartState);
    // A constant keeps its value.
    let execution = executed("division-by-zero", "return 1 / a; // here", |heap| {
        heap.variables.push(binding("A.N", "4"));
    });
    stopped(execution, Obstacle::StartState);
}

#[test]
fn a_jvm_that_hangs_is_killed() {
    stopped(plain("while (true) { } // here"), Obstacle::TimeLimit);
}

#[test]
fn code_that_ends_the_jvm_says_nothing() {
    let body = "System.out.println(\"confirmed x\"); System.exit(0); return 1 / a; // here";
    stopped(plain(body), Obstacle::EndedElsewhere);
}

#[test]
fn files_processes_and_sockets_are_out_of_reach() {
    if Sandbox::new().unwrap().isolation() != Isolation::Full {
        return;
    }
    let name = format!("indict-written-{:016x}", sandbox::random());
    let file = std::env::temp_dir().join(name);
    let body = format!(
        "try {{ new java.io.FileOutputStream(\"{}\").write(1); return 1; }}\ncatch (java.io.IOException e) \
         {{ return 1 / a; }} // here",
        file.display()
    );
    confirmed(plain(&body));
    assert!(!file.exists());
    let body = "try { new java.net.Socket(\"192.0.2.1\", 80); return 1; }\ncatch (java.io.IOException e) \
                { return 1 / a; } // here";
    confirmed(plain(body));
    let body = "for (int i = 0; i < 200; i++)\nnew ProcessBuilder(\"sleep\", \"60\").start(); \
                Thread.sleep(60000); return 1 / a; // here";
    stopped(plain(body), Obstacle::ProcessLimit);
}
