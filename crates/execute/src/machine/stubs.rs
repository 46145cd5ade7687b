//! Stubs for callees without a body: each returns the results of the witness in order, and reads, writes and frees
//! what the witness does. After these calls it is the function of that name, if there is one, or it reports that
//! the execution has left the path of the witness. Functions that have effects outside of the program, such as
//! `unlink`, `system` or `socket`, are always stubs, and never do anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use report::setup::Target;

use crate::machine::locks::{self, Transition, by_function, numbers};
use crate::machine::program::{Case, address, assignment, is_the_systems, number, quoted};

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

/// Functions that fill a buffer: its argument, and the two arguments whose product is its size. Without input they
/// would not fill it, so that an overflow would go unseen.
const FILLING: [(&str, usize, &str); 6] = [
    ("read", 1, "a2"),
    ("pread", 1, "a2"),
    ("recv", 1, "a2"),
    ("fread", 0, "a1 * a2"),
    ("fgets", 0, "a1"),
    ("getcwd", 0, "a1"),
];

/// The behaviour of a stub after the calls of the witness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Behind {
    /// It is the function of that name, if there is one.
    Real,
    /// It fills a buffer: which argument it is, and which two multiplied are its size.
    Fills(usize, &'static str),
    /// It does nothing and returns this.
    Refuses(&'static str),
    /// It opens the null device instead if these words hold, for which the path is the argument of this number.
    Opens(usize, &'static str),
}

/// Functions that have effects outside of the program, by what their stubs return.
const OUTSIDE: &[(&str, &[&str])] = &[
    (
        "-1ul",
        &[
            "unlink",
            "unlinkat",
            "remove",
            "rename",
            "renameat",
            "renameat2",
            "rmdir",
            "mkdir",
            "mkdirat",
            "mknod",
            "mknodat",
            "mkfifo",
            "mkfifoat",
            "link",
            "linkat",
            "symlink",
            "symlinkat",
            "chmod",
            "fchmod",
            "fchmodat",
            "chown",
            "fchown",
            "lchown",
            "fchownat",
            "truncate",
            "truncate64",
            "ftruncate",
            "ftruncate64",
            "utime",
            "utimes",
            "utimensat",
            "futimens",
            "mkstemp",
            "mkstemp64",
            "mkostemp",
            "creat",
            "creat64",
            "system",
            "execv",
            "execve",
            "execvp",
            "execvpe",
            "execl",
            "execle",
            "execlp",
            "fexecve",
            "execveat",
            "fork",
            "_Fork",
            "vfork",
            "clone",
            "daemon",
            "kill",
            "killpg",
            "tgkill",
            "sigqueue",
            "socket",
            "socketpair",
            "connect",
            "bind",
            "listen",
            "accept",
            "accept4",
            "send",
            "sendto",
            "sendmsg",
            "sendmmsg",
            "mount",
            "umount",
            "umount2",
            "reboot",
            "chroot",
            "pivot_root",
            "setuid",
            "seteuid",
            "setreuid",
            "setresuid",
            "setgid",
            "setegid",
            "setregid",
            "setresgid",
            "ptrace",
            "syscall",
            "shm_open",
            "shm_unlink",
            "sem_unlink",
            "mq_open",
            "mq_unlink",
            "sethostname",
            "settimeofday",
            "clock_settime",
            "swapon",
            "swapoff",
            "init_module",
            "finit_module",
            "delete_module",
            "bpf",
            "unshare",
            "setns",
        ],
    ),
    ("11ul", &["posix_spawn", "posix_spawnp"]),
    ("0ul", &["popen", "tmpfile", "tmpfile64", "mkdtemp", "dlopen", "dlmopen", "sem_open"]),
];

/// Functions that open files, for reading or for writing.
const OPENING: &[(&str, Behind)] = &[
    ("open", Behind::Opens(0, "a1 & 01103")),
    ("open64", Behind::Opens(0, "a1 & 01103")),
    ("openat", Behind::Opens(1, "a2 & 01103")),
    ("openat64", Behind::Opens(1, "a2 & 01103")),
    ("fopen", Behind::Opens(0, "indict_writes((const char *)a1)")),
    ("fopen64", Behind::Opens(0, "indict_writes((const char *)a1)")),
    ("freopen", Behind::Opens(0, "indict_writes((const char *)a1)")),
    ("freopen64", Behind::Opens(0, "indict_writes((const char *)a1)")),
];

/// Whether a mode of a stream is one for writing.
const WRITES: &str = "
static int indict_writes(const char *mode)
{
    for (; mode && *mode; mode++)
        if (*mode == 'w' || *mode == 'a' || *mode == '+')
            return 1;
    return 0;
}
";

/// The stubs that every program has: those of functions with effects outside, and those that fill buffers.
fn always() -> BTreeMap<&'static str, Behind> {
    let outside = OUTSIDE
        .iter()
        .flat_map(|(result, names)| names.iter().map(|name| (*name, Behind::Refuses(result))));
    let filling = FILLING.iter().map(|(name, buffer, size)| (*name, Behind::Fills(*buffer, size)));
    outside.chain(filling).chain(OPENING.iter().copied()).collect()
}

/// Writes the stubs of all cases; the functions that they stand for.
pub(crate) fn write(cases: &[Case<'_>], locks: &[Transition], text: &mut String) -> Vec<String> {
    let calls = cases.iter().filter_map(|case| case.finding.setup.as_ref());
    let calls = calls.flat_map(|setup| &setup.calls);
    let properties = numbers(locks);
    let (always, locks) = (always(), by_function(locks));
    let mut callees: BTreeSet<&str> = calls.filter_map(|call| call.callee.as_deref()).collect();
    callees.extend(always.keys());
    callees.extend(locks.keys());
    text.push_str(WRITES);
    stub(None, "indict_through_pointer", Behind::Real, "", cases, text);
    for callee in &callees {
        let behind = always.get(callee).copied().unwrap_or(Behind::Real);
        let mut moves = String::new();
        if let Some(transitions) = locks.get(callee) {
            locks::moves(transitions, &properties, &mut moves);
        }
        stub(Some(callee), &format!("__wrap_{callee}"), behind, &moves, cases, text);
    }
    if cases.iter().any(|case| has_failing(case)) {
        allocators(cases, text);
    }
    callees.into_iter().map(str::to_owned).collect()
}

fn has_failing(case: &Case<'_>) -> bool {
    case.finding.setup.as_ref().is_some_and(|setup| !setup.failing.is_empty())
}

fn stub(
    callee: Option<&str>,
    name: &str,
    behind: Behind,
    moves: &str,
    cases: &[Case<'_>],
    text: &mut String,
) {
    let real = callee.map(|callee| format!("__real_{callee}"));
    text.push('\n');
    if let Some(real) = &real {
        let _ = writeln!(text, "extern unsigned long {real}({PARAMETERS}) __attribute__((weak));");
    }
    let _ = writeln!(text, "unsigned long {name}({PARAMETERS})\n{{");
    let has_answers = cases.iter().any(|case| {
        let mut setup = case.finding.setup.iter();
        setup.any(|setup| setup.calls.iter().any(|call| call.callee.as_deref() == callee))
    });
    if has_answers {
        calls(callee, !moves.is_empty(), cases, text);
    }
    if !moves.is_empty() {
        let _ = writeln!(text, "    if (indict_counts && indict_rule) {{");
        if !has_answers {
            let _ = writeln!(text, "        unsigned long result = 0;");
        }
        text.push_str(moves);
        let _ = writeln!(text, "        return result;\n    }}");
        if has_answers {
            let _ = writeln!(text, "    if (is_answered)\n        return result;");
        }
    }
    let real = real.as_deref().unwrap_or("0");
    match behind {
        Behind::Real => {
            let callee =
                quoted(callee.unwrap_or("a function of which nothing is known").as_bytes());
            let is_missing = if real == "0" { String::new() } else { format!(" && !{real}") };
            let _ = writeln!(text, "    if (indict_counts{is_missing})");
            let _ = writeln!(text, "        indict_say(\"beyond\", {callee}, 0);");
        }
        Behind::Fills(buffer, size) => {
            let _ = writeln!(text, "    if (indict_counts)");
            let filled = format!("__builtin_memset((void *)a{buffer}, 'x', {size}), {size}");
            let _ = writeln!(text, "        return {filled};");
        }
        Behind::Refuses(result) => {
            let _ = writeln!(text, "    if (indict_counts)\n        return {result};");
        }
        Behind::Opens(path, condition) => {
            let _ = writeln!(text, "    if (indict_counts && ({condition}))");
            let _ = writeln!(text, "        a{path} = (unsigned long)\"/dev/null\";");
        }
    }
    match real {
        "0" => text.push_str("    return 0;\n}\n"),
        real => {
            let _ = writeln!(text, "    return {real} ? {real}({ARGUMENTS}) : 0;\n}}");
        }
    }
}

/// The calls of a callee in each case, in order. Where a lock is moved too, the result is the variable `result`.
fn calls(callee: Option<&str>, is_lock: bool, cases: &[Case<'_>], text: &mut String) {
    let _ = writeln!(text, "    static unsigned asked;");
    if is_lock {
        let _ = writeln!(text, "    unsigned long result = 0;\n    int is_answered = 0;");
    }
    text.push('\n');
    let _ = writeln!(text, "    if (indict_counts)\n        switch (indict_case) {{");
    for case in cases {
        let Some(setup) = &case.finding.setup else { continue };
        let calls = setup.calls.iter().filter(|call| call.callee.as_deref() == callee);
        let calls: Vec<_> = calls.collect();
        if calls.is_empty() {
            continue;
        }
        let _ = writeln!(text, "        case {}:\n            switch (asked++) {{", case.number);
        for (position, call) in calls.into_iter().enumerate() {
            let _ = writeln!(text, "            case {position}:");
            for at in call.follows.iter().map(|at| address(setup, case.number, at)) {
                let _ = writeln!(text, "                (void)*(volatile char *)({at});");
            }
            for (to, content) in &call.writes {
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
            for at in call.frees.iter().map(|at| address(setup, case.number, at)) {
                let _ = writeln!(text, "                __builtin_free((void *)({at}));");
            }
            let result = call.result.as_ref();
            let result = result.map_or("0".to_owned(), |datum| number(setup, case.number, datum));
            let _ = match is_lock {
                true => writeln!(
                    text,
                    "                result = {result};\n                is_answered = 1;\n                break;"
                ),
                false => writeln!(text, "                return {result};"),
            };
        }
        let _ = writeln!(text, "            }}\n            break;");
    }
    let _ = writeln!(text, "        }}");
}

/// Allocators that fail when the execution says so.
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
