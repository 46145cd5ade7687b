//! `javac` and `java`: compiling a program together with its source, and running it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use report::{Execution, Finding, Observer, Obstacle, Refutation};

use crate::Trouble;
use crate::jvm::program::{Program, annotations};
use crate::sandbox::{self, Limit, Limits, ProcessEnd, Ran, Sandbox, Supervised, supervise};

/// The limits of a program. A virtual machine starts slowly and has threads of its own, which are no processes.
const LIMITS: Limits = Limits { wall: Duration::from_secs(20), open_files: 1024, ..Limits::MOMENT };

/// The limits of a compiler.
const COMPILING: Limits =
    Limits { wall: Duration::from_secs(120), memory: 4 << 30, ..Limits::MOMENT };

/// A Java virtual machine and its compiler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Jvm {
    javac: PathBuf,
    java: PathBuf,
}

impl Jvm {
    /// The one on the path, if there is one.
    pub fn find(path: &std::ffi::OsStr) -> Option<Jvm> {
        let find = |name: &str| {
            std::env::split_paths(path).map(|folder| folder.join(name)).find(|file| file.is_file())
        };
        Some(Jvm { javac: find("javac")?, java: find("java")? })
    }

    /// Compiles programs with the source they are about into a folder.
    ///
    /// # Errors
    /// If that could not be done.
    pub fn compile(
        &self,
        programs: &[&Program],
        path: &Path,
        source: &str,
        folder: &Path,
    ) -> Result<(), Trouble> {
        std::fs::create_dir_all(folder)?;
        // A path that begins with an at sign would be read as a list of arguments.
        let mut files = vec![std::path::absolute(path)?];
        let texts =
            programs.iter().map(|program| (format!("{}.java", program.name), program.text.clone()));
        for (name, text) in texts.chain(annotations(source)) {
            let file = folder.join(name);
            std::fs::write(&file, text)?;
            files.push(file);
        }
        let mut compile = Command::new(&self.javac);
        compile.args(["-g", "-nowarn", "-proc:none", "-Xlint:none", "-d"]).arg(folder).args(&files);
        let Supervised { ended, output } = supervise(&mut compile, &COMPILING)?;
        if ended == ProcessEnd::Exited(0) {
            return Ok(());
        }
        let complaint = output.lines().find(|line| line.contains("error:"));
        Err(Trouble::Refused(complaint.unwrap_or(output.trim()).to_owned()))
    }

    /// Runs a program that was compiled into a folder, and says what that means for its finding.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run(
        &self,
        finding: &Finding,
        program: &Program,
        folder: &Path,
        sandbox: &Sandbox,
    ) -> Result<Execution, Trouble> {
        let word = format!("{:016x}", sandbox::random());
        let options = [
            "-ea",
            "-Xmx512m",
            "-Xss4m",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-XX:-OmitStackTraceInFastThrow",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-Djava.awt.headless=true",
            "-cp",
        ];
        let mut words: Vec<OsString> = options.map(OsString::from).to_vec();
        words.extend([folder.as_os_str().to_owned(), program.name.clone().into()]);
        words.push(word.clone().into());
        let ran = sandbox.run(&self.java, &words, &[], &LIMITS)?;
        Ok(judge(finding, &ran, &word))
    }
}

/// Judges the events that an execution printed, under a word that the analysed code does not know.
fn judge(finding: &Finding, ran: &Ran, word: &str) -> Execution {
    let printed = String::from_utf8_lossy(&ran.report);
    let mut started = false;
    for line in printed.lines() {
        let Some(rest) = line.strip_prefix(word).and_then(|rest| rest.strip_prefix(' ')) else {
            continue;
        };
        let (kind, what) = rest.split_once(' ').unwrap_or((rest, ""));
        let refuted = |reason| Execution::Refuted { reason, seen: Some(what.to_owned()) };
        match kind {
            "start" => started = true,
            "differs" => {
                let detail = Some(what.to_owned());
                return Execution::CouldNotRun { reason: Obstacle::StartState, detail };
            }
            "confirmed" => {
                return Execution::Confirmed { by: Observer::Jvm, seen: what.to_owned() };
            }
            "no-failure" => return refuted(Refutation::NoFailure),
            "other-failure" => return refuted(Refutation::OtherFailure),
            "other-state" => return refuted(Refutation::OtherState),
            _ => {}
        }
    }
    let could_not_run = |reason, detail| Execution::CouldNotRun { reason, detail };
    match ran.ended {
        ProcessEnd::Stopped(Limit::Time) if started && finding.is_endless() => {
            Execution::Confirmed {
                by: Observer::Clock,
                seen: "the call does not return".to_owned(),
            }
        }
        ProcessEnd::Stopped(Limit::Time) => could_not_run(Obstacle::TimeLimit, None),
        ProcessEnd::Stopped(Limit::Memory) => could_not_run(Obstacle::MemoryLimit, None),
        ProcessEnd::Stopped(Limit::Processes) => could_not_run(Obstacle::ProcessLimit, None),
        ProcessEnd::Stopped(Limit::Output) => could_not_run(Obstacle::OutputLimit, None),
        ProcessEnd::Exited(code) => {
            let words = ran.output.lines().find(|line| !line.trim().is_empty());
            let detail = words.map_or(format!("exit code {code}"), |words| words.trim().to_owned());
            could_not_run(Obstacle::EndedElsewhere, Some(detail))
        }
    }
}

#[cfg(test)]
mod tests {
    use report::{
        Confirmation, Execution, FailureKind, Finding, LineIndex, Obstacle, Place, Refutation,
        Step, StepKind,
    };

    use super::judge;
    use crate::sandbox::{Limit, ProcessEnd, Ran};

    fn judged(printed: &str, ended: ProcessEnd, kind: StepKind) -> Execution {
        let place = Place::of_offsets("A.java", &LineIndex::new("class A {}"), 0, 1);
        let mut finding = Finding::new(
            "doomed",
            FailureKind::Nontermination,
            "a message",
            place,
            Confirmation::ReplayedByInterpreter,
        );
        finding.trace.push(Step::new(kind, ""));
        let ran = Ran { ended, output: "w confirmed by itself\n".into(), report: printed.into() };
        judge(&finding, &ran, "w")
    }

    #[test]
    fn what_is_reported_under_the_word_counts() {
        let fails = StepKind::Failure;
        let ended = ProcessEnd::Exited(0);
        let confirmed = judged("w start\nw confirmed an exception\n", ended, fails);
        assert!(matches!(confirmed, Execution::Confirmed { .. }), "{confirmed:?}");
        let refuted = judged("w start\nw other-state the result is 3\n", ended, fails);
        let Execution::Refuted { reason, .. } = refuted else { panic!("{refuted:?}") };
        assert_eq!(reason, Refutation::OtherState);
        let obstacle = |printed: &str, ended| match judged(printed, ended, fails) {
            Execution::CouldNotRun { reason, .. } => Some(reason),
            _ => None,
        };
        assert_eq!(obstacle("w differs a field\n", ended), Some(Obstacle::StartState));
        assert_eq!(obstacle("v confirmed x\n", ended), Some(Obstacle::EndedElsewhere));
        let hung = ProcessEnd::Stopped(Limit::Time);
        assert_eq!(obstacle("w start\n", hung), Some(Obstacle::TimeLimit));
    }

    #[test]
    fn what_does_not_end_confirms_that_it_does_not() {
        let hung = ProcessEnd::Stopped(Limit::Time);
        let endless = judged("w start\n", hung, StepKind::Endless);
        assert!(matches!(endless, Execution::Confirmed { .. }), "{endless:?}");
    }
}
