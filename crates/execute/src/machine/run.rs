//! A compiler that has sanitizers: compiling a program, and running it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::Trouble;
use crate::machine::events::{self, events};
use crate::machine::program::Program;
use crate::sandbox::{self, Limit, Limits, ProcessEnd, Ran, Sandbox, Supervised, supervise};

/// The compilers that are tried, in order, after the one that made the bitcode.
const NAMES: [&str; 8] =
    ["gcc", "clang", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "cc"];

/// A compiler that takes longer, or more memory, is stopped.
const COMPILING: Limits =
    Limits { wall: Duration::from_secs(300), memory: 8 << 30, processes: 64, ..Limits::MOMENT };

/// Flags that are added to those of the source. Pointers may be unaligned, and functions are called by the types
/// that the machine knows.
const OURS: &[&str] = &[
    "-w",
    "-g",
    "-O0",
    "-fsanitize=address,undefined",
    "-fno-sanitize=alignment",
    "-fno-omit-frame-pointer",
    "-fno-pie",
];

/// How a program is linked. Functions that an execution does not call need not exist.
const LINKED: &[&str] =
    &["-fsanitize=address,undefined", "-no-pie", "-Wl,--unresolved-symbols=ignore-all"];

/// A program in which all that is relied on happens: both sanitizers report an error through the third file, with its
/// line.
const TRIAL: &str = "#include <stdlib.h>\n\
    static int indict_divide(int a, int b) { return a / b; }\n";
const TRIED: &str = "int main(int count, char **words)\n{\n    indict_word = words[1];\n    \
    __asan_set_error_report_callback(indict_report);\n    indict_say(\"start\", \"\", 0);\n    \
    indict_counts = 1;\n    volatile int most = 0x7fffffff;\n    most = most + count;\n    \
    volatile char *block = malloc(3);\n    return block[count + 2];\n}\n";

/// A compiler whose sanitizers work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compiler {
    program: PathBuf,
    /// The program that finds the lines of clang's sanitizers.
    symbolizer: Option<PathBuf>,
}

/// An execution of a program, and the word that marks its events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The word.
    pub word: String,
    /// The outcome.
    pub ran: Ran,
}

impl Compiler {
    /// The one that is preferred, or else the first on the path whose sanitizers work.
    pub fn find(preferred: Option<&Path>, path: &OsStr, sandbox: &Sandbox) -> Option<Compiler> {
        let on_path = |name: &Path| {
            if name.components().count() > 1 {
                return Some(name.to_owned()).filter(|file| file.is_file());
            }
            std::env::split_paths(path).map(|folder| folder.join(name)).find(|file| file.is_file())
        };
        let names = preferred.into_iter().chain(NAMES.iter().map(Path::new));
        let compilers = names.filter_map(on_path).map(|program| {
            let symbolizer = symbolizer(&program, path);
            Compiler { program, symbolizer }
        });
        compilers.into_iter().find(|compiler| compiler.works(sandbox))
    }

    /// Whether its sanitizers report errors with their lines, tried out once for each compiler.
    fn works(&self, sandbox: &Sandbox) -> bool {
        static TRIALS: Mutex<BTreeMap<PathBuf, bool>> = Mutex::new(BTreeMap::new());
        let mut trials = TRIALS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(works) = trials.get(&self.program) {
            return *works;
        }
        let wrapped = ["__assert_fail", "exit"].map(str::to_owned).to_vec();
        let text = format!("{TRIAL}{}{TRIED}", include_str!("../../c/begin.c"));
        let to = sandbox.scratch().join(format!("trial{}", trials.len()));
        let built = self.compile(&Program { text, wrapped }, &[], Path::new("."), &to);
        let works = built.is_ok_and(|binary| {
            let word = word();
            let ran = self.start(&binary, &[word.clone().into()], sandbox);
            ran.is_ok_and(|ran| {
                let events = events(&String::from_utf8_lossy(&ran.report), &word);
                let has_lines = |error: &events::Error| {
                    error.frames.first().is_some_and(|frame| frame.path.is_some())
                };
                events.errors.len() >= 2 && events.errors.iter().all(has_lines)
            })
        });
        trials.insert(self.program.clone(), works);
        works
    }

    /// Its name.
    pub fn name(&self) -> String {
        let name = self.program.file_name().unwrap_or(self.program.as_os_str());
        name.to_string_lossy().into_owned()
    }

    fn is_clang(&self) -> bool {
        self.name().contains("clang")
    }

    /// The words of the command that compiles a program, besides where it is and where it goes.
    pub fn words(&self, program: &Program, flags: &[OsString]) -> Vec<OsString> {
        let mut words = self.compiling(flags);
        words.extend(self.linking(program));
        words
    }

    fn compiling(&self, flags: &[OsString]) -> Vec<OsString> {
        let mut words = vec![self.program.clone().into_os_string()];
        words.extend(flags.iter().cloned());
        words.extend(OURS.iter().map(OsString::from));
        if self.is_clang() {
            words.extend(["-fno-sanitize=function", "-fintegrated-as"].map(OsString::from));
        }
        words
    }

    fn linking<'p>(&self, program: &'p Program) -> impl Iterator<Item = OsString> + use<'p> {
        let wrapped = program.wrapped.iter().map(|name| format!("-Wl,--wrap={name}").into());
        LINKED.iter().map(OsString::from).chain(wrapped)
    }

    /// Compiles a program, with the flags of the source and where that is compiled, to a file. The flags have no part in
    /// linking, which starts further programs.
    ///
    /// # Errors
    /// If that could not be done.
    pub fn compile(
        &self,
        program: &Program,
        flags: &[OsString],
        directory: &Path,
        to: &Path,
    ) -> Result<PathBuf, Trouble> {
        let (text, object) = (to.with_extension("replay.c"), to.with_extension("o"));
        std::fs::write(&text, &program.text)?;
        let words = self.compiling(flags);
        let mut compile = Command::new(&words[0]);
        compile.args(&words[1..]).arg("-c").arg(&text).arg("-o").arg(&object);
        accepted(compile.current_dir(directory))?;
        let mut link = Command::new(&self.program);
        link.args(self.linking(program)).arg(&object).arg("-o").arg(to).arg("-lm");
        accepted(&mut link)?;
        Ok(to.to_owned())
    }

    /// Runs the case of a number.
    ///
    /// # Errors
    /// If the binary cannot be started.
    pub fn run(&self, binary: &Path, case: usize, sandbox: &Sandbox) -> Result<Run, Trouble> {
        let word = word();
        let ran = self.start(binary, &[case.to_string().into(), word.clone().into()], sandbox)?;
        Ok(Run { word, ran })
    }

    fn start(&self, binary: &Path, words: &[OsString], sandbox: &Sandbox) -> io::Result<Ran> {
        // The shadow of AddressSanitizer takes more addresses than could be limited.
        let memory = Limits::MOMENT.memory >> 20;
        let address: OsString = format!(
            "detect_stack_use_after_return=1:detect_leaks=0:allocator_may_return_null=1:handle_abort=1:\
             hard_rss_limit_mb={memory}:disable_coredump=1"
        )
        .into();
        let undefined = OsStr::new("halt_on_error=0");
        let mut environment =
            vec![("ASAN_OPTIONS", address.as_os_str()), ("UBSAN_OPTIONS", undefined)];
        if let Some(symbolizer) = &self.symbolizer {
            environment.push(("ASAN_SYMBOLIZER_PATH", symbolizer.as_os_str()));
        }
        sandbox.run(binary, words, &environment, &Limits::MOMENT)
    }
}

/// A word that the program cannot know before it is started.
fn word() -> String {
    format!("{:016x}", sandbox::random())
}

/// The symbolizer of clang's sanitizers: beside clang itself, or on the path.
fn symbolizer(compiler: &Path, path: &OsStr) -> Option<PathBuf> {
    let beside = std::fs::canonicalize(compiler).ok()?.parent().map(Path::to_owned);
    let folders = beside.into_iter().chain(std::env::split_paths(path));
    folders.map(|folder| folder.join("llvm-symbolizer")).find(|file| file.is_file())
}

/// Runs a compiler, which has to succeed.
fn accepted(command: &mut Command) -> Result<(), Trouble> {
    let Supervised { ended, output } = supervise(command, &COMPILING)?;
    match ended {
        ProcessEnd::Exited(0) => Ok(()),
        ProcessEnd::Exited(_) => {
            let complaint = output.lines().find(|line| line.contains("error"));
            Err(Trouble::Refused(complaint.unwrap_or(output.trim()).to_owned()))
        }
        ProcessEnd::Stopped(limit) => {
            let what = match limit {
                Limit::Time => "time",
                Limit::Memory => "memory",
                Limit::Processes => "processes",
                Limit::Output => "output",
            };
            Err(Trouble::Refused(format!("compiling it takes too much {what}")))
        }
    }
}
