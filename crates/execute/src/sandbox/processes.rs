//! The processes that a program has started, as `/proc` has them. Where there is no `/proc`, only the program's
//! own process group is known.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// The resources that a program and the processes that it has started use.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Usage {
    pub(crate) processes: usize,
    /// In bytes.
    pub(crate) memory: u64,
}

/// The resources of a process and of those that it has started.
pub(crate) fn usage(root: u32) -> Usage {
    let all = started_by(root, None);
    let memory = all.iter().map(|process| resident(*process)).sum();
    Usage { processes: all.len(), memory }
}

/// Kills a process and all that it has started: its descendants, its process group, and whatever has the directory
/// of the execution in its environment or works in it.
pub(crate) fn kill(root: u32, directory: Option<&Path>) {
    // New ones may have been started in the meantime, and one that is just starting a program shows neither its
    // parent nor its environment for a moment: nothing is left when nothing was seen twice.
    let mut seen_none = false;
    for _ in 0..20 {
        let mut all = started_by(root, directory);
        if all.iter().all(|process| is_dead(*process)) {
            if seen_none {
                return;
            }
            seen_none = true;
            thread::sleep(Duration::from_millis(2));
            continue;
        }
        seen_none = false;
        all.remove(&root);
        let mut words = ["-s", "KILL", "--"].map(str::to_owned).to_vec();
        words.push(format!("-{root}"));
        words.extend(all.iter().map(u32::to_string));
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "kill \"$@\"", "sh"]).args(&words);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // Processes that have ended already cannot be killed.
        let _ = command.status();
        thread::sleep(Duration::from_millis(2));
    }
}

/// A process, the descendants that it has now, its group, and those with a directory in their environment or as
/// their working directory. While a process starts a program, its environment reads as empty; the working
/// directory is there all the time.
fn started_by(root: u32, directory: Option<&Path>) -> BTreeSet<u32> {
    let mut all = BTreeSet::from([root]);
    let known: Vec<Known> = processes().collect();
    loop {
        let before = all.len();
        for process in &known {
            if all.contains(&process.parent) || process.group == root {
                all.insert(process.number);
            }
        }
        if all.len() == before {
            break;
        }
    }
    if let Some(directory) = directory {
        // The system reports working directories without symbolic links.
        let resolved = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
        let word = [b"HOME=", directory.as_os_str().as_bytes()].concat();
        let has = |process: &&Known| {
            let entry = format!("/proc/{}", process.number);
            fs::read_link(format!("{entry}/cwd")).is_ok_and(|path| path.starts_with(&resolved))
                || fs::read(format!("{entry}/environ"))
                    .is_ok_and(|text| text.split(|byte| *byte == 0).any(|entry| entry == word))
        };
        all.extend(known.iter().filter(has).map(|process| process.number));
    }
    all
}

struct Known {
    number: u32,
    parent: u32,
    group: u32,
}

fn processes() -> impl Iterator<Item = Known> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let number = entry.file_name().to_str()?.parse().ok()?;
        let [_, parent, group] = status(number)?;
        Some(Known { number, parent: parent.parse().ok()?, group: group.parse().ok()? })
    })
}

/// The state of a process, its parent and its group.
fn status(process: u32) -> Option<[String; 3]> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program stands in brackets and may have any characters.
    let (_, rest) = text.rsplit_once(')')?;
    let mut words = rest.split_whitespace().map(str::to_owned);
    Some([words.next()?, words.next()?, words.next()?])
}

/// Whether a process is gone, or is one that only its parent has not yet asked about.
fn is_dead(process: u32) -> bool {
    status(process).is_none_or(|[state, ..]| state == "Z" || state == "X")
}

/// The bytes of memory that a process holds.
fn resident(process: u32) -> u64 {
    let Ok(text) = fs::read_to_string(format!("/proc/{process}/status")) else { return 0 };
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
