//! The C program that replays findings of one file: a function for each that builds its memory and makes
//! the call.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use report::setup::{
    Address, Argument, Block, Content, Datum, Passing, Piece, State, Target, Variable,
};
use report::{Confirmation, Execution, FailureKind, Finding, Obstacle, Unobservable};

use crate::machine::locks::{Transition, numbers};
use crate::machine::stubs::{self, WRAPPED_ALLOCATORS};

/// The beginning of every such program, behind the source.
const BEGIN: &str = include_str!("../../c/begin.c");

/// The new name of the program's own `main`, which is not where the replay starts.
const MAIN: &str = "indict_main_of_the_program";

/// A finding that is to be replayed, under a number.
#[derive(Clone, Copy, Debug)]
pub struct Case<'f> {
    /// The number by which the program selects a finding.
    pub number: usize,
    /// The finding.
    pub finding: &'f Finding,
}

/// A program that replays findings of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Its text.
    pub text: String,
    /// The functions that the linker is to replace by those of the program.
    pub wrapped: Vec<String>,
}

/// The outcome of a finding that is not executed.
pub fn without_run(finding: &Finding) -> Option<Execution> {
    let unobservable = |reason| Some(Execution::NotObservable { reason });
    match (&finding.setup, finding.kind) {
        (_, FailureKind::Uninitialized) => unobservable(Unobservable::UninitializedRead),
        (_, FailureKind::MemoryLeak) => unobservable(Unobservable::Leak),
        (_, FailureKind::StateImbalance) => unobservable(Unobservable::TwoRuns),
        (None, FailureKind::ObjectState) => unobservable(Unobservable::LockState),
        (None, _) => match finding.confirmation {
            Confirmation::ProvedWithoutRun(_) => unobservable(Unobservable::NoRun),
            Confirmation::ReplayedByInterpreter | Confirmation::ConfirmedByExecution(_) => {
                unobservable(Unobservable::NoObserver)
            }
        },
        (
            Some(_),
            FailureKind::Precondition
            | FailureKind::Postcondition
            | FailureKind::Invariant
            | FailureKind::LoopInvariant
            | FailureKind::Progress
            | FailureKind::Assignable
            | FailureKind::Exception
            | FailureKind::Unreachable,
        ) => unobservable(Unobservable::NoObserver),
        (Some(setup), _) => {
            let detail = setup.missing.clone()?;
            Some(Execution::CouldNotRun { reason: Obstacle::StartState, detail: Some(detail) })
        }
    }
}

/// The program for findings that are executed; `source` is the absolute path of their file, and `locks` says what
/// functions do to locks and other objects with states, where a finding is about one.
pub fn program(source: &str, cases: &[Case<'_>], locks: &[Transition]) -> Program {
    let mut text = String::new();
    let _ = writeln!(text, "#define main {MAIN}");
    let _ = writeln!(text, "#include {}", quoted(source.as_bytes()));
    let _ = writeln!(text, "#undef main\n");
    text.push_str(BEGIN);
    foreign(cases, &mut text);
    for case in cases {
        for block in case.finding.setup.iter().flat_map(|setup| &setup.blocks) {
            let _ = writeln!(text, "static unsigned char *{};", name(case.number, block.number));
        }
    }
    let is_about_locks = cases.iter().any(|case| case.finding.kind == FailureKind::ObjectState);
    let locks = if is_about_locks { locks } else { &[] };
    let mut wrapped = stubs::write(cases, locks, &mut text);
    wrapped.extend(["__assert_fail", "exit"].map(str::to_owned));
    let properties = numbers(locks);
    for case in cases {
        self::case(case, &properties, &mut text);
    }
    let first = cases.first().map_or(0, |case| case.number);
    let _ = writeln!(text, "\nint main(int count, char **words)\n{{");
    let _ = writeln!(text, "    indict_case = count > 1 ? indict_number(words[1]) : {first};");
    let _ = writeln!(text, "    indict_word = count > 2 ? words[2] : indict_word;");
    let _ = writeln!(text, "    __asan_set_error_report_callback(indict_report);");
    text.push_str("    switch (indict_case) {\n");
    for Case { number, .. } in cases {
        let _ = writeln!(text, "    case {number}: indict_case_{number}(); return 0;");
    }
    text.push_str("    }\n    return 2;\n}\n");
    let fails = |case: &Case<'_>| {
        case.finding.setup.as_ref().is_some_and(|setup| !setup.failing.is_empty())
    };
    if cases.iter().any(fails) {
        wrapped.extend(WRAPPED_ALLOCATORS.iter().map(|(name, ..)| (*name).to_owned()));
    }
    Program { text, wrapped }
}

/// Defines the variables that the source only declares.
fn foreign(cases: &[Case<'_>], text: &mut String) {
    let variables = cases.iter().filter_map(|case| case.finding.setup.as_ref());
    let mut names: Vec<&str> = variables
        .flat_map(|setup| &setup.variables)
        .filter(|variable| variable.is_extern && !is_the_systems(&variable.name))
        .map(|variable| variable.name.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let _ = writeln!(text, "__attribute__((weak)) __typeof__({name}) {name};");
    }
}

fn case(case: &Case<'_>, properties: &BTreeMap<&str, usize>, text: &mut String) {
    let number = case.number;
    let Some(setup) = &case.finding.setup else { return };
    let message = case.finding.message.replace("*/", "* /").replace('\n', " ");
    let place = &case.finding.place;
    let _ = writeln!(text, "\n/* {}:{}: {message} */", place.path, place.start.line);
    let _ = writeln!(text, "static void indict_case_{number}(void)\n{{");
    for Block { number: block, size, .. } in &setup.blocks {
        let _ = writeln!(text, "    {} = indict_block({size});", name(number, *block));
    }
    for Block { number: block, start, content, .. } in &setup.blocks {
        for piece in content {
            let at = format!("{} + {}", name(number, *block), piece.offset - *start as i64);
            fill(setup, number, &at, piece, text);
        }
    }
    for Variable { name, is_extern, content } in &setup.variables {
        if is_the_systems(name) {
            continue;
        }
        if !is_extern {
            let _ = writeln!(text, "    __builtin_memset((void *)&{name}, 0, sizeof {name});");
        }
        for piece in content {
            let at = format!("(unsigned char *)&{name} + {}", piece.offset);
            fill(setup, number, &at, piece, text);
        }
    }
    text.push('\n');
    for Block { number: block, start, content, .. } in &setup.blocks {
        for piece in content {
            let at = format!("{} + {}", name(number, *block), piece.offset - *start as i64);
            compare(setup, number, &at, piece, &format!("block {block}"), text);
        }
    }
    for Variable { name, content, .. } in &setup.variables {
        for piece in content.iter().filter(|_| !is_the_systems(name)) {
            let at = format!("(unsigned char *)&{name} + {}", piece.offset);
            compare(setup, number, &at, piece, name, text);
        }
    }
    for State { property, object, state } in &setup.states {
        if let Some(property) = properties.get(property.as_str()) {
            let object = self::number(setup, number, object);
            let _ = writeln!(text, "    *indict_state({property}, {object}) = {};", state + 1);
        }
    }
    if let Some(rule) = &setup.violates {
        let _ = writeln!(text, "    indict_rule = {};", quoted(rule.as_bytes()));
    }
    let types: Vec<String> =
        setup.arguments.iter().map(|argument| type_of(&argument.passing)).collect();
    let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
    let values: Vec<String> =
        setup.arguments.iter().map(|argument| value_of(setup, number, argument)).collect();
    // A compiler that sees that the types differ would rather end the program.
    let callee = if setup.function == "main" { MAIN } else { &setup.function };
    let _ = writeln!(text, "    void *volatile callee = (void *)&{callee};\n");
    let _ = writeln!(text, "    indict_say(\"start\", \"\", 0);\n    indict_counts = 1;");
    let call = format!("((unsigned long (*)({types}))callee)({})", values.join(", "));
    let _ = writeln!(text, "    {call};");
    let _ = writeln!(text, "    indict_counts = 0;\n    indict_say(\"returned\", \"\", 0);\n}}");
}

fn fill(setup: &report::Setup, case: usize, at: &str, piece: &Piece, text: &mut String) {
    let _ = writeln!(text, "    {}", assignment(setup, case, at, &piece.content));
}

/// Compares a part of memory with what the execution begins with.
fn compare(
    setup: &report::Setup,
    case: usize,
    at: &str,
    piece: &Piece,
    name: &str,
    text: &mut String,
) {
    let name = quoted(name.as_bytes());
    let _ = match &piece.content {
        Content::Bytes(bytes) => {
            let count = bytes.len();
            writeln!(text, "    indict_same({at}, {}, {count}, {name});", quoted(bytes))
        }
        Content::Address(to) => {
            writeln!(text, "    indict_leads({at}, {}, {name});", address(setup, case, to))
        }
    };
}

/// A statement that puts something into memory.
pub(crate) fn assignment(
    setup: &report::Setup,
    case: usize,
    at: &str,
    content: &Content,
) -> String {
    match content {
        Content::Bytes(bytes) => {
            format!("indict_bytes({at}, {}, {});", quoted(bytes), bytes.len())
        }
        Content::Address(to) => format!("indict_address({at}, {});", address(setup, case, to)),
    }
}

/// An address, as a pointer to bytes.
pub(crate) fn address(setup: &report::Setup, case: usize, address: &Address) -> String {
    let Address { of, offset } = address;
    match of {
        Target::Block(number) => {
            let block = setup.blocks.iter().find(|block| block.number == *number);
            let start = block.map_or(0, |block| block.start as i64);
            format!("{} + {}", name(case, *number), offset - start)
        }
        Target::Symbol(symbol) => format!("(unsigned char *)&{symbol} + {offset}"),
        Target::Code => "(unsigned char *)&indict_through_pointer".to_owned(),
        Target::Argument(position) => format!("(unsigned char *)a{position} + {offset}"),
    }
}

/// A word or an address, as a number.
pub(crate) fn number(setup: &report::Setup, case: usize, datum: &Datum) -> String {
    match datum {
        Datum::Word(word) => format!("{word:#x}ul"),
        Datum::Address(to) => format!("(unsigned long)({})", address(setup, case, to)),
    }
}

fn type_of(passing: &Passing) -> String {
    match passing {
        Passing::Word(1) => "_Bool".to_owned(),
        Passing::Word(8) => "unsigned char".to_owned(),
        Passing::Word(16) => "unsigned short".to_owned(),
        Passing::Word(32) => "unsigned".to_owned(),
        Passing::Word(_) => "unsigned long".to_owned(),
        Passing::Pointer => "void *".to_owned(),
        Passing::Floating(32) => "float".to_owned(),
        Passing::Floating(_) => "double".to_owned(),
        Passing::Record(name) => name.clone(),
    }
}

fn value_of(setup: &report::Setup, case: usize, argument: &Argument) -> String {
    let number = number(setup, case, &argument.datum);
    match &argument.passing {
        Passing::Word(_) => number,
        Passing::Pointer => format!("(void *){number}"),
        Passing::Floating(32) => format!("indict_float({number})"),
        Passing::Floating(_) => format!("indict_double({number})"),
        Passing::Record(name) => format!("*({name} *){number}"),
    }
}

/// The variable that points to a block.
fn name(case: usize, block: u64) -> String {
    format!("indict_{case}_{block}")
}

/// A text as C has it, every byte of it.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => text.extend(['\\', char::from(byte)]),
            b' '..=b'~' if byte != b'?' => text.push(char::from(byte)),
            _ => {
                let _ = write!(text, "\\{byte:03o}");
            }
        }
    }
    text + "\""
}

/// Whether a variable is the system's own, which has a use for what it holds.
pub(crate) fn is_the_systems(name: &str) -> bool {
    const THEIRS: &[&str] = &[
        "stdin",
        "stdout",
        "stderr",
        "errno",
        "environ",
        "__environ",
        "optarg",
        "optind",
        "opterr",
        "optopt",
        "timezone",
        "daylight",
        "tzname",
    ];
    THEIRS.contains(&name)
}
