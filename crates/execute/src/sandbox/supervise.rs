//! Waiting for a program, and ending it where it goes beyond its limits.

use std::io::{self, Read};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Instant;

use crate::limits::{OUTPUT_WAIT, POLL_INTERVAL, USAGE_INTERVAL};
use crate::sandbox::{Limits, processes};

/// How a program ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProcessEnd {
    /// By itself, with a code, as a shell reports it: 128 plus the signal if one ended it.
    Exited(i32),
    /// It was ended, since it went beyond a limit.
    Stopped(Limit),
}

/// A limit that a program went beyond.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// It did not end in time.
    Time,
    /// It and the processes that it had started held too much memory.
    Memory,
    /// It had started too many processes.
    Processes,
    /// It printed too much.
    Output,
}

/// A program that has ended, and what it printed, to both streams.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Supervised {
    /// How it ended.
    pub ended: ProcessEnd,
    /// The output.
    pub output: String,
}

/// The number of the signal by which the system ends what has used its time.
const SIGXCPU: i32 = 24;

/// Runs a program that is trusted under limits on time, memory, processes and output.
///
/// # Errors
/// If it cannot be started.
pub fn supervise(command: &mut Command, limits: &Limits) -> io::Result<Supervised> {
    supervised(command, limits, None)
}

/// The same, where whatever has a directory in its environment belongs to the program.
pub(crate) fn supervised(
    command: &mut Command,
    limits: &Limits,
    directory: Option<&Path>,
) -> io::Result<Supervised> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // All processes that it starts are in a group of their own, unless they leave it.
    let mut child = command.process_group(0).spawn()?;
    let printed = Arc::new(AtomicU64::new(0));
    let streams = [
        child.stdout.take().map(|stream| read(stream, &printed, limits.output)),
        child.stderr.take().map(|stream| read(stream, &printed, limits.output)),
    ];
    let ended = wait(&mut child, limits, &printed);
    // Processes that it has left running are killed too.
    processes::kill(child.id(), directory);
    child.wait()?;
    let output: Vec<String> = streams
        .into_iter()
        .flatten()
        .map(|stream| stream.recv_timeout(OUTPUT_WAIT).unwrap_or_default())
        .filter(|text| !text.is_empty())
        .collect();
    let ended = match ended? {
        ProcessEnd::Exited(_) if printed.load(Ordering::Relaxed) > limits.output => {
            ProcessEnd::Stopped(Limit::Output)
        }
        ended => ended,
    };
    Ok(Supervised { ended, output: output.join("\n") })
}

fn wait(child: &mut Child, limits: &Limits, printed: &AtomicU64) -> io::Result<ProcessEnd> {
    let start = Instant::now();
    let mut looked = start;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(ended(status));
        }
        if start.elapsed() > limits.wall {
            return Ok(ProcessEnd::Stopped(Limit::Time));
        }
        if printed.load(Ordering::Relaxed) > limits.output {
            return Ok(ProcessEnd::Stopped(Limit::Output));
        }
        if looked.elapsed() > USAGE_INTERVAL {
            let usage = processes::usage(child.id());
            if usage.memory > limits.memory {
                return Ok(ProcessEnd::Stopped(Limit::Memory));
            }
            if usage.processes > limits.processes {
                return Ok(ProcessEnd::Stopped(Limit::Processes));
            }
            looked = Instant::now();
        }
        thread::sleep(POLL_INTERVAL);
    }
}

fn ended(status: ExitStatus) -> ProcessEnd {
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    match code {
        code if code == 128 + SIGXCPU => ProcessEnd::Stopped(Limit::Time),
        code => ProcessEnd::Exited(code),
    }
}

/// Reads a stream to its end, counts it, and keeps as much as is allowed.
fn read(
    mut stream: impl Read + Send + 'static,
    printed: &Arc<AtomicU64>,
    most: u64,
) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    let printed = Arc::clone(printed);
    thread::spawn(move || {
        let mut kept = Vec::new();
        let mut part = vec![0; 1 << 16];
        // The bytes read before an error are kept.
        while let Ok(count @ 1..) = stream.read(&mut part) {
            let before = printed.fetch_add(count as u64, Ordering::Relaxed);
            let room = usize::try_from(most.saturating_sub(before)).unwrap_or(usize::MAX);
            kept.extend_from_slice(&part[..count.min(room)]);
        }
        // The receiver may be gone.
        let _ = sender.send(String::from_utf8_lossy(&kept).into_owned());
    });
    receiver
}
