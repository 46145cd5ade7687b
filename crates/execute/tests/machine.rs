//! Programs that are replayed: those that show what is found, and those that misbehave, each with a clear outcome.

use std::path::{Path, PathBuf};

use execute::machine::{Case, Compiler, Effect, Outcome, Transition, judge, program};
use execute::sandbox::{self, Sandbox};
use report::setup::{Address, Argument, Block, Content, Datum, Passing, Piece, StubCall, Target};
use report::{
    Confirmation, Execution, FailureKind, Finding, LineIndex, Observer, Obstacle, Place,
    Refutation, Setup, Step, StepKind, Unobservable,
};

/// Runs the function `f` of a source; its failure is to be on the line that is marked.
struct Replay {
    source: String,
    rule: &'static str,
    kind: StepKind,
    setup: Setup,
    locks: Vec<Transition>,
}

/// What goes wrong by a rule; rules of locks are about states of objects.
fn kind(rule: &str) -> FailureKind {
    FailureKind::named(rule).unwrap_or(FailureKind::ObjectState)
}

fn replay(rule: &'static str, source: &str) -> Replay {
    let setup = Setup { function: "f".to_owned(), ..Setup::default() };
    let source = source.to_owned();
    Replay { source, rule, kind: StepKind::Failure, setup, locks: Vec::new() }
}

impl Replay {
    fn with(mut self, change: impl FnOnce(&mut Setup)) -> Replay {
        change(&mut self.setup);
        self
    }

    /// What each compiler that there is says of it, which has to be the same.
    #[track_caller]
    fn executed(self) -> Execution {
        let sandbox = Sandbox::new().unwrap();
        let line = self.source.lines().position(|line| line.contains("/* here */")).unwrap();
        let index = LineIndex::new(&self.source);
        let file = sandbox.scratch().join("a.c");
        std::fs::write(&file, &self.source).unwrap();
        let line = u32::try_from(line + 1).unwrap();
        let place = Place::of_token(file.to_string_lossy(), &index, line, 1);
        let confirmation = Confirmation::ReplayedByInterpreter;
        let mut finding =
            Finding::new(self.rule, kind(self.rule), "a message", place.clone(), confirmation);
        finding.trace.push(Step::new(self.kind, "").at(place));
        finding.setup = Some(Box::new(self.setup));
        let path = std::env::var_os("PATH").unwrap();
        let mut executions = Vec::new();
        for name in ["gcc", "clang-19"] {
            let Some(compiler) = Compiler::find(Some(Path::new(name)), &path, &sandbox) else {
                continue;
            };
            let cases = [Case { number: 1, finding: &finding }];
            let program = program(&file.to_string_lossy(), &cases, &self.locks);
            let to = sandbox.scratch().join(format!("replay-{name}"));
            let binary = compiler.compile(&program, &[], Path::new("."), &to);
            let binary = binary.unwrap_or_else(|trouble| panic!("{trouble}: {}", program.text));
            executions.push(judge(&finding, &compiler.run(&binary, 1, &sandbox).unwrap()));
        }
        let kinds: Vec<_> = executions.iter().map(std::mem::discriminant).collect();
        assert!(kinds.windows(2).all(|two| two[0] == two[1]), "{executions:?}");
        executions.swap_remove(0)
    }
}

fn word(value: u64) -> Argument {
    Argument { datum: Datum::Word(value), passing: Passing::Word(32) }
}

fn pointer(block: u64) -> Argument {
    let address = Address { of: Target::Block(block), offset: 0 };
    Argument { datum: Datum::Address(address), passing: Passing::Pointer }
}

fn block(content: Vec<Piece>) -> Vec<Block> {
    vec![Block { number: 1, start: 0, size: 8, content }]
}

#[track_caller]
fn confirmed(replay: Replay, observer: Observer) {
    match replay.executed() {
        Execution::Confirmed { by, .. } => assert_eq!(by, observer),
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn refuted(replay: Replay, refutation: Refutation) {
    match replay.executed() {
        Execution::Refuted { reason, .. } => assert_eq!(reason, refutation),
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn stopped(replay: Replay, obstacles: &[Obstacle]) {
    match replay.executed() {
        Execution::CouldNotRun { reason, .. } => assert!(obstacles.contains(&reason), "{reason:?}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_fails_at_the_place_is_confirmed() {
    let divides =
        replay("division-by-zero", "int f(int a, int b)\n{\n    return a / b; /* here */\n}\n");
    confirmed(
        divides.with(|setup| setup.arguments = vec![word(3), word(0)]),
        Observer::UndefinedBehaviorSanitizer,
    );
    let source =
        "#include <stdlib.h>\nvoid f(char *p)\n{\n    free(p);\n    free(p); /* here */\n}\n";
    let frees = replay("double-free", source).with(|setup| {
        setup.arguments = vec![pointer(1)];
        setup.blocks = block(Vec::new());
    });
    confirmed(frees, Observer::AddressSanitizer);
    let source = "#include <assert.h>\nvoid f(void)\n{\n    assert(0); /* here */\n}\n";
    confirmed(replay("assertion", source), Observer::Assertion);
}

#[test]
fn what_fails_elsewhere_or_not_at_all_is_refuted() {
    let source = "int f(int a, int b)\n{\n    return b ? a / b : 0; /* here */\n}\n";
    let passes = replay("division-by-zero", source);
    let passes = passes.with(|setup| setup.arguments = vec![word(3), word(0)]);
    refuted(passes, Refutation::NoFailure);
    let source = "int f(int *p)\n{\n    int a = *p;\n    return 1 / a; /* here */\n}\n";
    let null = Argument { datum: Datum::Word(0), passing: Passing::Pointer };
    let crashes = replay("division-by-zero", source).with(|setup| setup.arguments = vec![null]);
    refuted(crashes, Refutation::OtherFailure);
}

#[test]
fn an_access_within_a_structure_is_not_observable() {
    let source = "struct s { char a[4]; char b[4]; };\n\
                  int f(struct s *s, int n)\n{\n    char *p = s->a;\n    return p[n]; /* here */\n}\n";
    let within = replay("out-of-bounds", source).with(|setup| {
        setup.arguments = vec![pointer(1), word(5)];
        setup.blocks = block(Vec::new());
    });
    let reason = Unobservable::OutOfBounds;
    assert_eq!(within.executed(), Execution::NotObservable { reason });
}

#[test]
fn without_the_witness_s_own_start_state_there_is_no_run() {
    // Two parts of the block overlap and hold different values.
    let piece = |offset, byte| Piece { offset, content: Content::Bytes(vec![byte, byte]) };
    let content = vec![piece(0, 1), piece(1, 2)];
    let overlaps = replay("assertion", "void f(char *p) { /* here */ }\n").with(|setup| {
        setup.arguments = vec![pointer(1)];
        setup.blocks = block(content);
    });
    stopped(overlaps, &[Obstacle::StartState]);
}

#[test]
fn a_run_that_asks_more_than_the_witness_has_left_its_path() {
    let source = "int next(void);\n\
                  int f(char *p)\n{\n    return next() ? next() : p[9]; /* here */\n}\n";
    let call = StubCall {
        callee: Some("next".to_owned()),
        result: Some(Datum::Word(1)),
        follows: Vec::new(),
        writes: Vec::new(),
        frees: Vec::new(),
    };
    let asks = replay("out-of-bounds", source).with(|setup| {
        setup.arguments = vec![pointer(1)];
        setup.blocks = block(Vec::new());
        setup.calls = vec![call];
    });
    refuted(asks, Refutation::OtherPath);
}

#[test]
fn what_never_ends_is_stopped_unless_that_is_what_was_found() {
    let source = "void f(void)\n{\n    for (volatile int i = 0;; i = 1) /* here */\n        ;\n}\n";
    stopped(replay("assertion", source), &[Obstacle::TimeLimit]);
    confirmed(Replay { kind: StepKind::Endless, ..replay("doomed", source) }, Observer::Clock);
}

#[test]
fn endless_output_and_memory_are_stopped() {
    let source = "#include <stdio.h>\n\
                  void f(void)\n{\n    for (;;) /* here */\n        puts(\"more\");\n}\n";
    stopped(replay("assertion", source), &[Obstacle::OutputLimit]);
    let source = "#include <stdlib.h>\n#include <string.h>\nvoid f(void)\n{\n    for (;;) { /* here */\n\
                  char *p = malloc(1 << 24);\n        if (p)\n            memset(p, 1, 1 << 24);\n    }\n}\n";
    // AddressSanitizer has a limit of its own, which is the same, and a slow machine may run out of time first.
    let obstacles = [Obstacle::MemoryLimit, Obstacle::EndedElsewhere, Obstacle::TimeLimit];
    stopped(replay("assertion", source), &obstacles);
}

/// A function body that does something outside, and reports by an assertion that it could not.
#[track_caller]
fn has_no_effect(headers: &[&str], condition: &str) {
    let includes: String = headers.iter().map(|name| format!("#include <{name}>\n")).collect();
    let source = format!(
        "#include <assert.h>\n{includes}void f(void)\n{{\n    assert({condition}); /* here */\n}}\n"
    );
    confirmed(replay("assertion", &source), Observer::Assertion);
}

#[test]
fn nothing_outside_is_touched() {
    has_no_effect(&["unistd.h"], "fork() != -1");
    has_no_effect(&["sys/socket.h"], "socket(AF_INET, SOCK_STREAM, 0) != -1");
    has_no_effect(&["stdlib.h"], "system(\"exit 0\") == 0");
    has_no_effect(&["stdio.h"], "remove(\"/tmp/nothing\") == 0 || rename(\"a\", \"b\") == 0");
    has_no_effect(&["unistd.h"], "execl(\"/bin/true\", \"true\", (char *)0) != -1");
    has_no_effect(&["signal.h", "unistd.h"], "kill(getpid(), 9) != -1");
}

#[test]
fn files_are_not_written() {
    let name = format!("indict-written-{:016x}", sandbox::random());
    let file: PathBuf = std::env::temp_dir().join(name);
    let source = format!(
        "#include <assert.h>\n#include <fcntl.h>\n#include <stdio.h>\n#include <unistd.h>\n\
         void f(void)\n{{\n    FILE *s = fopen(\"{0}\", \"w\");\n    if (s) {{\n        fputs(\"x\", s);\n\
         fclose(s);\n    }}\n    int n = open(\"{0}\", O_CREAT | O_WRONLY, 0600);\n    if (n >= 0)\n\
         write(n, \"x\", 1);\n    assert(!s); /* here */\n}}\n",
        file.display()
    );
    // The stream is that of the null device.
    confirmed(replay("assertion", &source), Observer::Assertion);
    assert!(!file.exists());
}

fn mutex() -> Vec<Transition> {
    let step = |function: &str, from, to: Result<u32, &str>, result| Transition {
        property: "mutex".to_owned(),
        function: function.to_owned(),
        argument: 0,
        from,
        to: to.map_or_else(|rule| Effect::Violates(rule.to_owned()), Effect::State),
        result,
    };
    vec![
        step("take", 0, Ok(1), None),
        step("take", 1, Err("double-lock"), None),
        step("give", 1, Ok(0), None),
        step("give", 0, Err("double-unlock"), None),
        step("attempt", 0, Ok(1), Some(Outcome::Zero)),
        step("try_for", 0, Ok(1), Some(Outcome::NotNegative)),
        step("try_for", 0, Ok(0), Some(Outcome::Negative)),
        Transition { to: Effect::Never, ..step("try_for", 1, Ok(1), Some(Outcome::NotNegative)) },
        Transition { property: "reading".to_owned(), ..step("give", 0, Err("double-read"), None) },
    ]
}

const LOCK: &str =
    "void take(void *);\nvoid give(void *);\nint attempt(void *);\nint try_for(void *);\n";

/// A function that uses locks, and is said to break a rule.
fn locks(rule: &'static str, body: &str) -> Replay {
    let source = format!("{LOCK}void f(char *l)\n{{\n{body}}}\n");
    let replay = Replay { locks: mutex(), ..replay(rule, &source) };
    replay.with(|setup| {
        setup.arguments = vec![pointer(1)];
        setup.blocks = block(Vec::new());
        setup.violates = Some(rule.to_owned());
    })
}

fn call(callee: &str, result: u64) -> StubCall {
    StubCall {
        callee: Some(callee.to_owned()),
        result: Some(Datum::Word(result)),
        follows: Vec::new(),
        writes: Vec::new(),
        frees: Vec::new(),
    }
}

const UNSEEN: Execution = Execution::NotObservable { reason: Unobservable::LockState };

#[test]
fn stubs_of_locks_know_states() {
    let body = "take(l);\ngive(l);\ntake(l);\ntake(l); /* here */\n";
    confirmed(locks("double-lock", body), Observer::LockStub);
    confirmed(locks("double-unlock", "give(l);\ngive(l); /* here */\n"), Observer::LockStub);
    let body = "if (!attempt(l))\ntake(l); /* here */\n";
    confirmed(locks("double-lock", body), Observer::LockStub);
    // Two locks, and one that was held before.
    let fine = locks("double-lock", "give(l);\ntake(l);\ntake(l + 4); /* here */\n");
    assert_eq!(fine.executed(), UNSEEN);
}

#[test]
fn results_decide_what_becomes_of_a_lock() {
    let tried = |result| {
        let body = "if (try_for(l) != 7)\ntake(l); /* here */\n";
        locks("double-lock", body).with(|setup| setup.calls = vec![call("try_for", result)])
    };
    confirmed(tried(0), Observer::LockStub);
    confirmed(tried(3), Observer::LockStub);
    // It did not lock, so there is nothing to unlock.
    let body = "if (attempt(l))\ngive(l); /* here */\n";
    let failed = locks("double-unlock", body);
    confirmed(failed.with(|setup| setup.calls = vec![call("attempt", 5)]), Observer::LockStub);
    assert_eq!(tried(0xffff_fffc).executed(), UNSEEN);
    assert_eq!(tried(7).executed(), UNSEEN);
}

#[test]
fn the_state_at_the_start_is_the_witness_s() {
    let starts = |property: &str, state| {
        locks("double-lock", "try_for(l);\ntake(l); /* here */\n").with(|setup| {
            setup.calls = vec![call("try_for", 0xffff_fffc)];
            let object = Datum::Address(Address { of: Target::Block(1), offset: 0 });
            let property = property.to_owned();
            setup.states = vec![report::setup::State { property, object, state }];
        })
    };
    confirmed(starts("mutex", 1), Observer::LockStub);
    assert_eq!(starts("mutex", 0).executed(), UNSEEN);
    // The states of another property are not those of this one.
    assert_eq!(starts("reading", 1).executed(), UNSEEN);
}

#[test]
fn only_the_rule_of_the_finding_ends_a_run() {
    let body = "take(l);\ntake(l);\ngive(l);\ngive(l); /* here */\n";
    confirmed(locks("double-unlock", body), Observer::LockStub);
    // The same rule elsewhere is not what was found.
    let elsewhere = locks("double-lock", "take(l);\ntake(l);\ntake(l); /* here */\n");
    stopped(elsewhere, &[Obstacle::EndedElsewhere]);
}

#[test]
fn a_finding_about_something_else_does_not_end_at_a_lock() {
    let sandbox = Sandbox::new().unwrap();
    let source = format!(
        "#include <assert.h>\n{LOCK}void f(char *l)\n{{\ntake(l);\ntake(l);\nassert(!l);\n}}\n"
    );
    let file = sandbox.scratch().join("a.c");
    std::fs::write(&file, &source).unwrap();
    let finding = |rule: &str, line, violates: Option<&str>| {
        let place = Place::of_token(file.to_string_lossy(), &LineIndex::new(&source), line, 1);
        let confirmation = Confirmation::ReplayedByInterpreter;
        let mut finding = Finding::new(rule, kind(rule), "a message", place.clone(), confirmation);
        finding.trace.push(Step::new(StepKind::Failure, "").at(place));
        finding.setup = Some(Box::new(Setup {
            function: "f".to_owned(),
            arguments: vec![pointer(1)],
            blocks: block(Vec::new()),
            calls: vec![call("take", 0), call("take", 0)],
            violates: violates.map(str::to_owned),
            ..Setup::default()
        }));
        finding
    };
    let locked = finding("double-lock", 9, Some("double-lock"));
    let asserted = finding("assertion", 10, None);
    let cases = [Case { number: 1, finding: &locked }, Case { number: 2, finding: &asserted }];
    let program = program(&file.to_string_lossy(), &cases, &mutex());
    let path = std::env::var_os("PATH").unwrap();
    let compiler = Compiler::find(None, &path, &sandbox).expect("there is a compiler");
    let to = sandbox.scratch().join("replay");
    let binary = compiler.compile(&program, &[], Path::new("."), &to).unwrap();
    for case in cases {
        let run = compiler.run(&binary, case.number, &sandbox).unwrap();
        let execution = judge(case.finding, &run);
        let observer = [Observer::LockStub, Observer::Assertion][case.number - 1];
        match execution {
            Execution::Confirmed { by, .. } => assert_eq!(by, observer),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_compiler_without_sanitizers_is_not_taken() {
    let sandbox = Sandbox::new().unwrap();
    let bin = sandbox.scratch().join("bin");
    std::fs::create_dir(&bin).unwrap();
    let fake = bin.join("gcc");
    std::fs::write(&fake, "#!/bin/sh\nexit 1\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&fake, mode).unwrap();
    assert_eq!(Compiler::find(None, bin.as_os_str(), &sandbox), None);
    assert_eq!(Compiler::find(Some(&fake), bin.as_os_str(), &sandbox), None);
}
