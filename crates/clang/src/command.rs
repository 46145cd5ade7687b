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
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Flags(Vec<OsString>);

/// Flags that say what to produce, and how, but not what the program means. Those that end in `*` stand for
/// all that begin so.
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
    "-fplugin*",
    "-fdump*",
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
    "-mllvm",
    "--param",
    "-B",
    "-F",
    "-iframework",
    "-std",
];

impl Flags {
    /// The flags that matter among arguments that name no input file.
    pub fn of(arguments: &[OsString]) -> Flags {
        Flags::split(arguments).0
    }

    /// The flags that matter, and the arguments that are no flags: input files.
    pub fn split(arguments: &[OsString]) -> (Flags, Vec<PathBuf>) {
        let (mut flags, mut inputs) = (Vec::new(), Vec::new());
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let is = |list: &[&str]| list.iter().any(|flag| argument == OsStr::new(flag));
            if !argument.as_bytes().starts_with(b"-") || argument == "-" {
                inputs.push(PathBuf::from(argument));
            } else if is(DROPPED_WITH_NEXT) {
                rest.next();
            } else if argument.as_bytes().starts_with(b"-o") && argument != "-objc" {
                // The name of what is produced may stand right behind the flag.
            } else if is(WITH_NEXT) {
                flags.push(argument.clone());
                flags.extend(rest.next().cloned());
            } else if !is_dropped(argument) {
                flags.push(argument.clone());
            }
        }
        (Flags(flags), inputs)
    }

    /// The flags.
    pub fn get(&self) -> &[OsString] {
        &self.0
    }

    /// The same, and more behind them, which win where they differ.
    pub fn and(&self, more: &Flags) -> Flags {
        Flags(self.0.iter().chain(&more.0).cloned().collect())
    }

    /// The same without one of them.
    pub(crate) fn without(&self, unknown: &OsStr) -> Flags {
        Flags(self.0.iter().filter(|flag| flag.as_os_str() != unknown).cloned().collect())
    }
}

fn is_dropped(argument: &OsStr) -> bool {
    let argument = argument.as_bytes();
    DROPPED.iter().any(|flag| match flag.strip_suffix('*') {
        Some(start) => argument.starts_with(start.as_bytes()),
        None => argument == flag.as_bytes(),
    })
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
}
