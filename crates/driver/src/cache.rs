//! Cached reports: if no file and no option has changed, the report is the same.
//!
//! The key is made of all options and, for each file in order, of a digest of what its compilation reads, which the
//! compiler knows without compiling ([`Compiler::fingerprint`]).

use std::collections::BTreeMap;
use std::path::Path;

use report::{Finding, Report};
use serde::{Deserialize, Serialize};
use store::{Cache, Key, Kind};

use crate::compiler::Compiler;
use crate::files::Files;
use crate::gather::Gathered;
use crate::language::{Lower, of_path};
use crate::options::Options;
use crate::run::{Outcome, Suppressed};
use crate::source::read_leniently;

/// Whole reports.
const REPORT: Kind = Kind::new("report");

/// An entry of the cache.
#[derive(Serialize, Deserialize)]
struct Entry {
    report: Report,
    suppressed: Vec<(Finding, String)>,
    /// The files whose texts the report may mention.
    texts: Vec<String>,
}

/// The key of a report; none if the report must not be cached.
pub(crate) fn key(gathered: &Gathered, compiler: &dyn Compiler, options: &Options) -> Option<Key> {
    // A deadline, or files that are not part of the key, may change the report.
    if !options.reuse_reports || options.check.solver.time.is_some() || !options.models.is_empty() {
        return None;
    }
    let mut hasher = blake3::Hasher::new();
    let asked = Options { jobs: None, cache: None, ..options.clone() };
    hasher.update(format!("{asked:?} {:?}", gathered.notes).as_bytes());
    for path in &gathered.files {
        let Lower::Compiled(_) = of_path(path)?.lower else { return None };
        hasher.update(path.as_os_str().as_encoded_bytes()).update(&[0]);
        let fingerprint = compiler.fingerprint(path)?;
        hasher.update(&fingerprint.len().to_le_bytes()).update(&fingerprint);
    }
    Some(*hasher.finalize().as_bytes())
}

/// The cached outcome.
pub(crate) fn get(
    key: &Key,
    cache: &dyn Cache,
    files: &dyn Files,
    working: &Path,
) -> Option<Outcome> {
    let Entry { report, suppressed, texts } =
        serde_json::from_slice(&cache.get(REPORT, key)?).ok()?;
    let mut sources = BTreeMap::new();
    for name in texts {
        let text = read_leniently(&working.join(&name), files)?;
        sources.insert(name, text);
    }
    let suppressed = suppressed.into_iter();
    let suppressed = suppressed.map(|(finding, reason)| Suppressed { finding, reason }).collect();
    Some(Outcome { report, sources, suppressed, timings: Vec::new() })
}

/// Caches an outcome.
pub(crate) fn put(key: Key, outcome: &Outcome, cache: &dyn Cache) {
    let pair = |one: &Suppressed| (one.finding.clone(), one.reason.clone());
    let entry = Entry {
        report: outcome.report.clone(),
        suppressed: outcome.suppressed.iter().map(pair).collect(),
        texts: outcome.sources.keys().cloned().collect(),
    };
    if let Ok(bytes) = serde_json::to_vec(&entry) {
        cache.put(REPORT, &key, &bytes);
    }
}
