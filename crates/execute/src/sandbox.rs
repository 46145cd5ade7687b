//! Running programs that are not trusted.
//!
//! A [`Sandbox`] runs a program in a fresh, empty directory with a cleared environment, under limits on time,
//! memory, processes, files and output. Where the system permits it, `unshare` of util-linux puts the program
//! into namespaces of its own: it has no network, sees no other process, and can write nowhere but in that
//! directory, which is a file system in memory. [`Isolation`] says how much of that is available. When the
//! program ends, or a limit ends it, every process that it started is killed and the directory is removed.
//!
//! [`supervise`] runs a program that is trusted, such as a compiler, under limits on time, memory and output
//! alone.
//!
//! This module starts processes and touches the disk. It knows nothing of the programs. Start reading at
//! [`Sandbox::run`].

mod isolation;
mod processes;
mod supervise;

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, Permissions};
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

pub use isolation::Isolation;
pub use supervise::{Limit, ProcessEnd, Supervised, supervise};

/// The limits of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The time.
    pub wall: Duration,
    /// How many bytes of memory it and the processes that it starts may hold.
    pub memory: u64,
    /// How many processes there may be at a time, ours for its isolation included.
    pub processes: usize,
    /// How large a file may become that it writes, and all files in its directory.
    pub file_size: u64,
    /// How many files it may have open.
    pub open_files: u32,
    /// How many bytes it may print.
    pub output: u64,
}

impl Limits {
    /// For a program that runs for a moment.
    pub const MOMENT: Limits = Limits {
        wall: Duration::from_secs(10),
        memory: 2 << 30,
        processes: 32,
        file_size: 16 << 20,
        open_files: 256,
        output: 1 << 20,
    };
}

/// A directory of our own, which is removed in the end, and how programs are isolated.
#[derive(Debug)]
pub struct Sandbox {
    root: PathBuf,
    isolation: Isolation,
    runs: AtomicUsize,
}

/// The outcome of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ran {
    /// How it ended.
    pub ended: ProcessEnd,
    /// The output, of both streams.
    pub output: String,
    /// The bytes that it wrote to the file that is open as number 3.
    pub report: Vec<u8>,
}

impl Sandbox {
    /// A sandbox with a private directory.
    ///
    /// # Errors
    /// If the directory cannot be created.
    pub fn new() -> io::Result<Sandbox> {
        let root = std::env::temp_dir().join(format!("indict-{:016x}", random()));
        DirBuilder::new().mode(0o700).create(&root)?;
        let mut sandbox = Sandbox { root, isolation: Isolation::None, runs: AtomicUsize::new(0) };
        sandbox.isolation = isolation::available(&sandbox);
        Ok(sandbox)
    }

    /// The directory for programs that are to be run. Isolated programs cannot write there.
    pub fn scratch(&self) -> &Path {
        &self.root
    }

    /// How programs are isolated.
    pub fn isolation(&self) -> Isolation {
        self.isolation
    }

    /// Runs a program in an empty directory, with these variables and no others but `PATH`, `HOME`, `TMPDIR` and
    /// `LANG`.
    ///
    /// # Errors
    /// If it cannot be started, or the directory cannot be made.
    pub fn run(
        &self,
        program: &Path,
        arguments: &[OsString],
        environment: &[(&str, &OsStr)],
        limits: &Limits,
    ) -> io::Result<Ran> {
        self.run_isolated(self.isolation, program, arguments, environment, limits)
    }

    pub(crate) fn run_isolated(
        &self,
        isolation: Isolation,
        program: &Path,
        arguments: &[OsString],
        environment: &[(&str, &OsStr)],
        limits: &Limits,
    ) -> io::Result<Ran> {
        let number = self.runs.fetch_add(1, Ordering::Relaxed);
        let directory = self.root.join(format!("run{number}"));
        DirBuilder::new().mode(0o700).create(&directory)?;
        let report_file = self.root.join(format!("report{number}"));
        fs::write(&report_file, "")?;
        let mut command = isolation::command(isolation, &directory, &report_file, limits)?;
        command.arg(program).args(arguments).env_clear().current_dir(&directory);
        command.env("PATH", "/usr/local/bin:/usr/bin:/bin").env("LANG", "C");
        command.env("HOME", &directory).env("TMPDIR", &directory);
        command.envs(environment.iter().copied());
        let ran = supervise::supervised(&mut command, limits, Some(&directory));
        let report = fs::read(&report_file);
        remove(&directory);
        // Files that cannot be removed now go with the rest of the sandbox.
        let _ = fs::remove_file(&report_file);
        let Supervised { ended, output } = ran?;
        Ok(Ran { ended, output, report: report? })
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        remove(&self.root);
    }
}

/// An unpredictable number.
pub fn random() -> u64 {
    RandomState::new().hash_one(std::process::id())
}

/// Removes a directory, whatever a program has made of the permissions in it.
fn remove(directory: &Path) {
    if fs::remove_dir_all(directory).is_err() {
        open_up(directory);
        // Remaining files are in a directory for temporary files.
        let _ = fs::remove_dir_all(directory);
    }
}

fn open_up(directory: &Path) {
    // A directory that stays closed is not removed.
    let _ = fs::set_permissions(directory, Permissions::from_mode(0o700));
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests;
