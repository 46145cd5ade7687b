//! Stand-ins for the callees that the source does not have: each answers in order what the run was told,
//! follows, writes and frees what was followed, written and freed. Behind its answers it is the function of that
//! name, if there is one.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use report::setup::Target;

use crate::program::{Case, address, assignment, is_the_systems, number};

/// The registers in which words are passed.
const PARAMETERS: &str = "unsigned long a0, unsigned long a1, unsigned long a2, unsigned long a3, unsigned long a4, unsigned long a5";
const ARGUMENTS: &str = "a0, a1, a2, a3, a4, a5";

/// The functions that allocate, their parameters and arguments.
pub(crate) const WRAPPED_ALLOCATORS: [(&str, &str, &str); 6] = [
    ("malloc", "unsigned long n", "n"),
    ("calloc", "unsigned long m, unsigned long n", "m, n"),
    ("realloc", "void *p, unsigned long n", "p, n"),
    ("aligned_alloc", "unsigned long m, unsigned long n", "m, n"),
    ("strdup", "const char *s", "s"),
    ("strndup", "const char *s, unsigned long n", "s, n"),
];

/// Functions that fill a buffer: which argument it is, and which two multiplied are its size. Without
/// anything to read they would not, so that nobody would see that it is too small.
const FILLING: [(&str, usize, &str); 6] = [
    ("read", 1, "a2"),
    ("pread", 1, "a2"),
    ("recv", 1, "a2"),
    ("fread", 0, "a1 * a2"),
    ("fgets", 0, "a1"),
    ("getcwd", 0, "a1"),
];

/// Writes the stand-ins of all cases; the functions that they stand in for.
pub(crate) fn write(cases: &[Case<'_>], text: &mut String) -> Vec<String> {
    let answers = cases.iter().filter_map(|case| case.finding.setup.as_ref());
    let answers = answers.flat_map(|setup| &setup.answers);
    let mut callees: BTreeSet<&str> =
        answers.filter_map(|answer| answer.callee.as_deref()).collect();
    let steps = || cases.iter().flat_map(|case| &case.finding.trace);
    let is_called = |name: &str| {
        steps().any(|step| {
            step.text.strip_prefix("calls ").is_some_and(|call| {
                call.strip_prefix(name).is_some_and(|rest| rest.starts_with('('))
            })
        })
    };
    callees.extend(FILLING.iter().map(|(name, ..)| *name).filter(|name| is_called(name)));
    stand_in(None, "indict_through_pointer", cases, text);
    for callee in &callees {
        stand_in(Some(callee), &format!("__wrap_{callee}"), cases, text);
    }
    if cases.iter().any(|case| has_failing(case)) {
        allocators(cases, text);
    }
    callees.into_iter().map(str::to_owned).collect()
}

fn has_failing(case: &Case<'_>) -> bool {
    case.finding.setup.as_ref().is_some_and(|setup| !setup.failing.is_empty())
}

fn stand_in(callee: Option<&str>, name: &str, cases: &[Case<'_>], text: &mut String) {
    let real = callee.map(|callee| format!("__real_{callee}"));
    text.push('\n');
    if let Some(real) = &real {
        let _ = writeln!(text, "extern unsigned long {real}() __attribute__((weak));");
    }
    let _ = writeln!(text, "unsigned long {name}({PARAMETERS})\n{{");
    let _ = writeln!(text, "    static unsigned asked;\n");
    let _ = writeln!(text, "    if (indict_counts)\n        switch (indict_case) {{");
    for case in cases {
        let Some(setup) = &case.finding.setup else { continue };
        let answers = setup.answers.iter().filter(|answer| answer.callee.as_deref() == callee);
        let answers: Vec<_> = answers.collect();
        if answers.is_empty() {
            continue;
        }
        let _ = writeln!(text, "        case {}:\n            switch (asked++) {{", case.number);
        for (position, answer) in answers.into_iter().enumerate() {
            let _ = writeln!(text, "            case {position}:");
            for at in answer.follows.iter().map(|at| address(setup, case.number, at)) {
                let _ = writeln!(text, "                (void)*(volatile char *)({at});");
            }
            for (to, content) in &answer.writes {
                let is_writable = match &to.of {
                    Target::Argument(position) => *position < 6,
                    Target::Symbol(name) => !is_the_systems(name),
                    Target::Block(_) => true,
                    Target::Code => false,
                };
                if is_writable {
                    let at = address(setup, case.number, to);
                    let line = assignment(setup, case.number, &at, content);
                    let _ = writeln!(text, "                {line}");
                }
            }
            for at in answer.frees.iter().map(|at| address(setup, case.number, at)) {
                let _ = writeln!(text, "                __builtin_free((void *)({at}));");
            }
            let result = answer.result.as_ref();
            let result = result.map_or("0".to_owned(), |datum| number(setup, case.number, datum));
            let _ = writeln!(text, "                return {result};");
        }
        let _ = writeln!(text, "            }}\n            break;");
    }
    let _ = writeln!(text, "        }}");
    let filled = FILLING.iter().find(|(known, ..)| callee == Some(*known));
    if let Some((_, buffer, size)) = filled {
        let _ = writeln!(text, "    if (indict_counts)");
        let _ = writeln!(
            text,
            "        return __builtin_memset((void *)a{buffer}, 'x', {size}), {size};"
        );
    }
    match &real {
        Some(real) => {
            let _ = writeln!(text, "    return {real} ? {real}({ARGUMENTS}) : 0;\n}}");
        }
        None => text.push_str("    return 0;\n}\n"),
    }
}

/// Allocators that fail when the run says so.
fn allocators(cases: &[Case<'_>], text: &mut String) {
    let _ = writeln!(text, "\nstatic int indict_fails(void)\n{{");
    let _ = writeln!(text, "    if (!indict_counts)\n        return 0;");
    let _ = writeln!(text, "    switch (indict_case) {{");
    for case in cases.iter().filter(|case| has_failing(case)) {
        let Some(setup) = &case.finding.setup else { continue };
        let _ =
            writeln!(text, "    case {}:\n        switch (indict_allocations++) {{", case.number);
        for failing in &setup.failing {
            let _ = writeln!(text, "        case {failing}: return 1;");
        }
        let _ = writeln!(text, "        }}");
        let _ = writeln!(text, "        return 0;");
    }
    let _ = writeln!(text, "    }}\n    return 0;\n}}");
    for (name, parameters, arguments) in WRAPPED_ALLOCATORS {
        let _ = writeln!(text, "\nvoid *__real_{name}({parameters});");
        let _ = writeln!(text, "void *__wrap_{name}({parameters})\n{{");
        let _ = writeln!(text, "    return indict_fails() ? 0 : __real_{name}({arguments});\n}}");
    }
}
