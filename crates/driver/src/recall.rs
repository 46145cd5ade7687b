//! A run that was made before: if no file has changed and the same is asked, the report is the same.
//!
//! What a compiled file comes to depends on what the compiler reads, which the compiler can tell without
//! compiling ([`Compiler::fingerprint`]). The key of a run is made of that, for each file in order, and of
//! everything that can be set.

use std::collections::BTreeMap;
use std::path::Path;

use report::{Finding, Report};
use serde::{Deserialize, Serialize};
use summary::{Digest, Memory};

use crate::compiler::Compiler;
use crate::files::Files;
use crate::gather::Gathered;
use crate::language::{Lower, of_path};
use crate::options::Options;
use crate::run::{Outcome, Suppressed};
use crate::source::read_leniently;

/// A run, as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    report: Report,
    suppressed: Vec<(Finding, String)>,
    /// The files whose texts the report may mention.
    texts: Vec<String>,
}

/// What a run over files depends on, as far as it can be told now; nothing if it cannot.
pub(crate) fn key(
    gathered: &Gathered,
    compiler: &dyn Compiler,
    options: &Options,
) -> Option<Digest> {
    // Where the clock decides, or files are read that nobody lists, a run is not like the one before.
    if !options.may_recall || options.check.solver.time.is_some() || !options.models.is_empty() {
        return None;
    }
    let mut hasher = blake3::Hasher::new();
    let asked = Options { jobs: None, memory: None, store: None, ..options.clone() };
    hasher.update(format!("{asked:?} {:?}", gathered.notes).as_bytes());
    for path in &gathered.files {
        let Lower::Compiled(_) = of_path(path)?.lower else { return None };
        hasher.update(path.as_os_str().as_encoded_bytes()).update(&[0]);
        let fingerprint = compiler.fingerprint(path)?;
        hasher.update(&fingerprint.len().to_le_bytes()).update(&fingerprint);
    }
    Some(*hasher.finalize().as_bytes())
}

/// The outcome that was kept under a key.
pub(crate) fn recall(
    key: &Digest,
    memory: &dyn Memory,
    files: &dyn Files,
    working: &Path,
) -> Option<Outcome> {
    let Kept { report, suppressed, texts } = serde_json::from_slice(&memory.recall(key)?).ok()?;
    let mut sources = BTreeMap::new();
    for name in texts {
        let text = read_leniently(&working.join(&name), files)?;
        sources.insert(name, text);
    }
    let suppressed = suppressed.into_iter();
    let suppressed = suppressed.map(|(finding, reason)| Suppressed { finding, reason }).collect();
    Some(Outcome { report, sources, suppressed, timings: Vec::new() })
}

/// Keeps an outcome under a key.
pub(crate) fn keep(key: Digest, outcome: &Outcome, memory: &dyn Memory) {
    let told = |one: &Suppressed| (one.finding.clone(), one.reason.clone());
    let kept = Kept {
        report: outcome.report.clone(),
        suppressed: outcome.suppressed.iter().map(told).collect(),
        texts: outcome.sources.keys().cloned().collect(),
    };
    // What cannot be written down is found out again.
    if let Ok(bytes) = serde_json::to_vec(&kept) {
        memory.keep(&[(key, bytes)]);
    }
}
