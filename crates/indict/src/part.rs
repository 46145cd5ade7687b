//! Selection: which procedures are checked, and which have changed according to git.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::process::{Command, Stdio};

use clap::Args as Arguments;
use driver::{Changes, Selection};

use crate::Failure;

/// The selection of procedures.
#[derive(Arguments, Debug)]
#[command(next_help_heading = "Selection")]
pub(crate) struct Asked {
    /// Check only procedures of this name; repeatable
    ///
    /// Others are inlined where they are called.
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,

    /// Check only this function, for every input; repeatable
    ///
    /// For C: parameters may be null, have any value, and point to objects of any size within the bounds;
    /// there are no trusted assumptions. Without this flag the inputs of C functions are trusted unless the
    /// function tests them.
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Vec<String>,

    /// Check only procedures with lines changed since a git revision
    ///
    /// Uncommitted changes count, and all lines of untracked files.
    #[arg(long, value_name = "REV")]
    pub(crate) since: Option<String>,
}

impl Asked {
    /// The selected procedures.
    ///
    /// # Errors
    /// If git does not know the revision, or is not installed.
    pub(crate) fn part(&self) -> Result<Selection, Failure> {
        let changed = self.since.as_deref().map(changes).transpose()?;
        Ok(Selection { only: self.only.clone(), entries: self.entry.clone(), changed })
    }
}

/// The changes below the working directory since a revision.
fn changes(since: &str) -> Result<Changes, Failure> {
    let diff = git(
        since,
        &["diff", "--relative", "--no-ext-diff", "--no-color", "--no-prefix", "-U0", since, "--"],
    )?;
    let mut lines = changed_lines(&diff);
    for path in git(since, &["ls-files", "--others", "--exclude-standard"])?.lines() {
        lines.insert(path.to_owned(), vec![1..=u32::MAX]);
    }
    Ok(Changes { since: since.to_owned(), lines })
}

/// The output of git.
fn git(since: &str, words: &[&str]) -> Result<String, Failure> {
    let mut command = Command::new("git");
    command.args(["-c", "core.quotePath=false"]).args(words).stdin(Stdio::null());
    let output = command
        .output()
        .map_err(|error| Failure(format!("--since needs git, which cannot be started: {error}")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let why = said.lines().next().unwrap_or("it does not say why");
        return Err(Failure(format!("git cannot say what has changed since `{since}`: {why}")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The lines that a diff without context adds or removes, by file. A removed line counts for the lines around it.
fn changed_lines(diff: &str) -> BTreeMap<String, Vec<RangeInclusive<u32>>> {
    let mut changes: BTreeMap<String, Vec<RangeInclusive<u32>>> = BTreeMap::new();
    let mut file = None;
    let mut is_header = true;
    for line in diff.lines() {
        if line.starts_with("diff ") {
            is_header = true;
        } else if let (true, Some(path)) = (is_header, line.strip_prefix("+++ ")) {
            file = Some(path.trim_end_matches('\t').to_owned());
        } else if let (Some(path), Some(hunk)) = (&file, line.strip_prefix("@@ ")) {
            is_header = false;
            let added = hunk.split(' ').find_map(|word| word.strip_prefix('+'));
            let (start, count) = added.and_then(range).unwrap_or((1, u32::MAX));
            let lines = match count {
                0 => start..=start.saturating_add(1),
                count => start..=start.saturating_add(count - 1),
            };
            changes.entry(path.clone()).or_default().push(lines);
        }
    }
    changes
}

/// The start and the length of `start,length`, or of `start`.
fn range(text: &str) -> Option<(u32, u32)> {
    match text.split_once(',') {
        Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::changed_lines;

    #[test]
    fn hunks_become_lines() {
        let diff = "diff --git a.c a.c\n--- a.c\n+++ a.c\n@@ -3 +3,2 @@ int f\n-x\n+y\n+++ z\n@@ -9,2 \
            +10,0 @@\n-a\n-b\ndiff --git b c d\n--- b\n+++ b c\n@@ -0,0 +1 @@\n+q\n";
        let changes = changed_lines(diff);
        assert_eq!(changes["a.c"], [3..=4, 10..=11]);
        assert_eq!(changes["b c"], [1..=1]);
        assert_eq!(changes.len(), 2);
    }
}
