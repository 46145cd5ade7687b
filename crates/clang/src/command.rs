//! How the user's build compiles a file, and what of that matters to us.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// How one file is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// Where the compiler is started.
    pub directory: PathBuf,
    /// The file, as the compiler is given it.
    pub file: PathBuf,
    /// The flags that matter.
    pub flags: Flags,
}

impl Command {
    /// A file compiled where we are, with no flags but these.
    pub fn plain(file: impl Into<PathBuf>, flags: &Flags) -> Command {
        Command { directory: PathBuf::from("."), file: file.into(), flags: flags.clone() }
    }

    /// Where the file is, seen from where we are.
    pub fn path(&self) -> PathBuf {
        if self.directory == Path::new(".") {
            return self.file.clone();
        }
        self.directory.join(&self.file)
    }
}

/// Flags of a compiler that matter for the meaning of a file: macros, include paths, the language, the
/// target, and what changes the meaning of arithmetic.
///
/// None of them loads code into a compiler, names a program for it to run, or reads more flags from a file:
/// those are refused, since compile commands come with the code that is analysed.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Flags {
    kept: Vec<OsString>,
    refused: Vec<OsString>,
}

/// Flags that affect the output but not the meaning of the program. A trailing `*` matches any suffix.
const DROPPED: &[&str] = &[
    "-c",
    "-S",
    "-E",
    "-v",
    "-pipe",
    "-s",
    "-O*",
    "-g*",
    "-pg",
    "-p",
    "-M",
    "-MM",
    "-MD",
    "-MMD",
    "-MP",
    "-MG",
    "-MV",
    "-Wp,-M*",
    "-Wp,-MD*",
    "-Wp,-MMD*",
    "-Werror*",
    "-pedantic-errors",
    "-save-temps*",
    "-flto*",
    "-fno-lto",
    "-ffat-lto-objects",
    "-fuse-linker-plugin",
    "-fuse-ld*",
    "-fprofile*",
    "-ftest-coverage",
    "--coverage",
    "-fcoverage*",
    "-fpatchable-function-entry*",
    "-fsanitize*",
    "-fno-sanitize*",
    "-fstack-protector*",
    "-fstack-clash-protection",
    "-fcf-protection*",
    "-ftrivial-auto-var-init*",
    "-fzero-call-used-regs*",
    "-fxray*",
    "-finstrument-functions*",
    "-mfentry",
    "-mrecord-mcount",
    "-mnop-mcount",
    "-mindirect-branch*",
    "-mfunction-return*",
    "-mretpoline*",
    "-fdiagnostics*",
    "-fcolor-diagnostics",
    "-emit-llvm",
    "-fdump*",
    "-fstack-usage",
    "-fcallgraph-info*",
    "-ftime-trace*",
    "-fproc-stat-report*",
    "-fsave-optimization-record*",
    "-foptimization-record-file*",
    "-fcrash-diagnostics*",
    "-fno-integrated-as",
    "-no-integrated-as",
    "-fintegrated-as",
    "-###",
    "-frandom-seed*",
    "-fdebug-prefix-map*",
    "-ffile-prefix-map*",
    "-fdebug-compilation-dir*",
    "-fno-discard-value-names",
    "-fdiscard-value-names",
    "-Wl,*",
    "-Wa,*",
    "-l*",
    "-L*",
    "-shared",
    "-static",
    "-rdynamic",
    "-r",
    "-pthread",
];

/// Flags that are dropped together with the word behind them.
const DROPPED_WITH_NEXT: &[&str] = &[
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-serialize-diagnostics",
    "--serialize-diagnostics",
    "-Xlinker",
    "-Xassembler",
    "-z",
    "-u",
    "-T",
    "-aux-info",
    "-dumpbase",
];

/// Flags whose value is the word behind them.
const WITH_NEXT: &[&str] = &[
    "-I",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "--sysroot",
    "-x",
    "-target",
    "-arch",
    "-Xclang",
    "-Xpreprocessor",
    "--param",
    "-F",
    "-iframework",
    "-std",
];

/// Flags that load code into a compiler, name programs or directories of programs for it to run, change how
/// it reads its arguments, or make it compile for devices by programs of their own.
const REFUSED: &[&str] = &[
    "-fplugin*",
    "-fpass-plugin*",
    "-iplugindir*",
    "-B*",
    "--prefix*",
    "-specs*",
    "--specs*",
    "--config*",
    "--ld-path*",
    "-cc1*",
    "--driver-mode*",
    "--analyze*",
    "-fopenmp-targets*",
    "--offload*",
    "--cuda*",
    "--hip*",
    "--rocm*",
    "--ptxas*",
    "-fno-integrated-cc1",
];

/// Flags that are refused together with the word behind them.
const REFUSED_WITH_NEXT: &[&str] =
    &["-B", "-specs", "--specs", "--config", "-wrapper", "--prefix", "-load", "-plugin", "-mllvm"];

/// The languages that `-x` may name. Other languages need further programs.
const LANGUAGES: &[&str] = &["c", "cpp-output", "none"];

impl Flags {
    /// The flags that matter among arguments that name no input file.
    pub fn of(arguments: &[OsString]) -> Flags {
        Flags::split(arguments).0
    }

    /// The flags that matter, and the arguments that are no flags: input files.
    pub fn split(arguments: &[OsString]) -> (Flags, Vec<PathBuf>) {
        let (mut flags, mut inputs) = (Flags::default(), Vec::new());
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let is = |list: &[&str]| list.iter().any(|flag| argument == OsStr::new(flag));
            let starts = |start: &str| argument.as_bytes().starts_with(start.as_bytes());
            if starts("@") {
                // A response file that could not be read is read by the compiler if it is there by then.
                flags.refused.push(argument.clone());
            } else if !starts("-") || argument == "-" {
                inputs.push(PathBuf::from(argument));
            } else if is(REFUSED_WITH_NEXT) || is_other_pass(argument) {
                flags.refuse(argument, rest.next());
            } else if is_among(argument, REFUSED) {
                flags.refused.push(argument.clone());
            } else if is(DROPPED_WITH_NEXT) {
                rest.next();
            } else if starts("-o") && argument != "-objc" {
                // The name of what is produced may stand right behind the flag.
            } else if is(WITH_NEXT) {
                let value = rest.next();
                if value.is_some_and(|value| is_harmful(argument, value)) {
                    flags.refuse(argument, value);
                } else {
                    flags.kept.push(argument.clone());
                    flags.kept.extend(value.cloned());
                }
            } else if is_harmful_joined(argument) {
                flags.refused.push(argument.clone());
            } else if !is_among(argument, DROPPED) {
                flags.kept.push(argument.clone());
            }
        }
        (flags, inputs)
    }

    fn refuse(&mut self, flag: &OsStr, value: Option<&OsString>) {
        let mut words = flag.to_owned();
        if let Some(value) = value {
            words.push(" ");
            words.push(value);
        }
        self.refused.push(words);
    }

    /// The flags.
    pub fn get(&self) -> &[OsString] {
        &self.kept
    }

    /// The refused flags, each with its value: those that load code into a compiler or make it run programs.
    pub fn refused(&self) -> &[OsString] {
        &self.refused
    }

    /// The same, and more behind them, which win where they differ.
    pub fn and(&self, more: &Flags) -> Flags {
        let both = |one: &[OsString], two: &[OsString]| one.iter().chain(two).cloned().collect();
        Flags { kept: both(&self.kept, &more.kept), refused: both(&self.refused, &more.refused) }
    }

    /// The same without one of them.
    pub(crate) fn without(&self, unknown: &OsStr) -> Flags {
        let kept = self.kept.iter().filter(|flag| flag.as_os_str() != unknown);
        Flags { kept: kept.cloned().collect(), refused: self.refused.clone() }
    }
}

fn is_among(argument: &OsStr, flags: &[&str]) -> bool {
    let argument = argument.as_bytes();
    flags.iter().any(|flag| match flag.strip_suffix('*') {
        Some(start) => argument.starts_with(start.as_bytes()),
        None => argument == flag.as_bytes(),
    })
}

/// Whether a flag hands the word behind it to a part of the compiler that is not for C: `-Xarch_host`,
/// `-Xcuda-ptxas`; or is for those who work on clang: `-ccc-gcc-name`.
fn is_other_pass(argument: &OsStr) -> bool {
    const KNOWN: &[&str] = &["-Xclang", "-Xpreprocessor", "-Xlinker", "-Xassembler"];
    let is_known = KNOWN.iter().any(|flag| argument == OsStr::new(flag));
    let bytes = argument.as_bytes();
    bytes.starts_with(b"-ccc-") || bytes.starts_with(b"-X") && !is_known
}

/// Whether the argument of a flag makes a compiler read more flags, load code or run programs.
fn is_harmful(flag: &OsStr, value: &OsStr) -> bool {
    let is = |name: &str| flag == OsStr::new(name);
    if value.as_bytes().starts_with(b"@") {
        return true;
    }
    if is("-Xclang") || is("-Xpreprocessor") {
        return !is_plain(value.as_bytes());
    }
    is("-x") && !LANGUAGES.iter().any(|language| value == OsStr::new(language))
}

/// Whether a flag that has its value with it does so.
fn is_harmful_joined(argument: &OsStr) -> bool {
    let bytes = argument.as_bytes();
    if let Some(words) = bytes.strip_prefix(b"-Wp,").filter(|_| !is_among(argument, DROPPED)) {
        return !words.split(|byte| *byte == b',').all(is_plain);
    }
    let language = bytes.strip_prefix(b"-x").filter(|language| !language.is_empty());
    language.is_some_and(|language| !LANGUAGES.iter().any(|known| known.as_bytes() == language))
}

/// Whether an argument for the compiler proper affects the language and takes no further argument.
fn is_plain(word: &[u8]) -> bool {
    let starts = |starts: &[&str]| starts.iter().any(|start| word.starts_with(start.as_bytes()));
    word.len() > 2
        && starts(&["-D", "-U", "-I", "-W", "-f"])
        && !starts(&["-fplugin", "-fpass-plugin", "-Wp", "-Wl", "-Wa"])
}

/// Whether a file is C that is compiled: headers and assembly are not, nor are other languages.
pub fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "c" || extension == "i")
}

/// Whether a file is C++ by its name.
pub(crate) fn is_cpp(path: &Path) -> bool {
    let names = ["cc", "cp", "cpp", "cxx", "c++", "C", "CPP", "ii"];
    path.extension().is_some_and(|extension| names.iter().any(|name| extension == *name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn what_does_not_change_the_meaning_is_dropped() {
        let line = "-DX=1 -I inc -O2 -g3 -Wall -Werror=format -c -o a.o -MD -MF a.d -fwrapv \
                    -fno-strict-overflow -fsanitize=address -std=gnu11 src/a.c";
        let (flags, inputs) = Flags::split(&words(line));
        assert_eq!(
            flags.get(),
            words("-DX=1 -I inc -Wall -fwrapv -fno-strict-overflow -std=gnu11")
        );
        assert_eq!(inputs, [PathBuf::from("src/a.c")]);
    }

    #[test]
    fn a_value_behind_a_flag_is_no_input() {
        let (flags, inputs) = Flags::split(&words("-include config.h -x c -D A a.c -oa.o"));
        assert_eq!(flags.get(), words("-include config.h -x c -D A"));
        assert_eq!(inputs, [PathBuf::from("a.c")]);
    }

    /// The flags that are left of a line, and those that were refused.
    fn check(line: &str, kept: &str, refused: &[&str]) {
        let (flags, inputs) = Flags::split(&words(line));
        assert_eq!(flags.get(), words(kept), "{line}");
        assert_eq!(flags.refused(), refused, "{line}");
        assert_eq!(inputs, [PathBuf::from("a.c")], "{line}");
    }

    #[test]
    fn nothing_loads_code_into_the_compiler() {
        check("-DA -fplugin=e.so a.c", "-DA", &["-fplugin=e.so"]);
        check("-fplugin-arg-e-x=1 a.c", "", &["-fplugin-arg-e-x=1"]);
        check("-fpass-plugin=e.so a.c", "", &["-fpass-plugin=e.so"]);
        let load = ["-Xclang -load", "-Xclang e.so", "-Xclang -add-plugin"];
        check("-Xclang -load -Xclang e.so -Xclang -add-plugin a.c", "", &load);
        check("-mllvm -load=e.so -DB a.c", "-DB", &["-mllvm -load=e.so"]);
        check("-Xpreprocessor -fplugin=e.so a.c", "", &["-Xpreprocessor -fplugin=e.so"]);
        check("-Wp,-DX,-fplugin=e.so a.c", "", &["-Wp,-DX,-fplugin=e.so"]);
        check("-Xarch_host -fplugin=e.so a.c", "", &["-Xarch_host -fplugin=e.so"]);
        check("-cc1 -load e.so a.c", "", &["-cc1", "-load e.so"]);
        check("-Xclang -fwchar-type=short -Wp,-DX a.c", "-Xclang -fwchar-type=short -Wp,-DX", &[]);
    }

    #[test]
    fn nothing_names_programs_for_the_compiler_to_run() {
        check("-B. -B bin a.c", "", &["-B.", "-B bin"]);
        check(
            "-specs=s --specs=s -wrapper gdb,--args a.c",
            "",
            &["-specs=s", "--specs=s", "-wrapper gdb,--args"],
        );
        check(
            "--config=x --config y --driver-mode=cl a.c",
            "",
            &["--config=x", "--config y", "--driver-mode=cl"],
        );
        check(
            "-ccc-gcc-name ./gcc -x cuda -xhip --cuda-path=. a.c",
            "",
            &["-ccc-gcc-name ./gcc", "-x cuda", "-xhip", "--cuda-path=."],
        );
        check("@more -include @more -x c a.c", "-x c", &["@more", "-include @more"]);
    }
}
