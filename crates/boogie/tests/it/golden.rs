//! Golden files: `x.bpl` is lowered to `x.vir`, and what is said about it stands in `x.err`, if
//! anything is. With `UPDATE=1` in the environment they are written instead of compared.

use std::fs;
use std::path::{Path, PathBuf};

use super::{lower, messages};

/// The sources of all golden files.
pub(super) fn sources() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut paths: Vec<PathBuf> = fs::read_dir(directory)
        .expect("the golden files are there")
        .map(|entry| entry.expect("a directory can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "bpl"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

#[test]
fn goldens_are_as_expected() {
    let update = std::env::var_os("UPDATE").is_some();
    let mut different = Vec::new();
    for path in sources() {
        let text = fs::read_to_string(&path).expect("a golden file can be read");
        let (module, diagnostics) = lower(&text);
        let is_faulty = diagnostics.iter().any(|d| d.severity == ir::Severity::Error);
        let printed = if is_faulty { String::new() } else { ir::print_brief(&module) };
        for (extension, found) in [("vir", printed), ("err", messages(&text, &diagnostics))] {
            let golden = path.with_extension(extension);
            let expected = fs::read_to_string(&golden).unwrap_or_default();
            if found == expected {
                continue;
            }
            if !update {
                different.push(format!("{}:\n{found}", golden.display()));
            } else if found.is_empty() {
                fs::remove_file(&golden).expect("a golden file can be removed");
            } else {
                fs::write(&golden, found).expect("a golden file can be written");
            }
        }
    }
    assert!(different.is_empty(), "run with UPDATE=1 and read what changed:\n{different:#?}");
}

#[test]
fn printed_goldens_can_be_read_back() {
    for path in sources() {
        let text = fs::read_to_string(&path).expect("a golden file can be read");
        let (module, diagnostics) = lower(&text);
        if diagnostics.iter().any(|d| d.severity == ir::Severity::Error) {
            continue;
        }
        let (read, faults) = ir::parse("test.vir", &ir::print(&module));
        assert_eq!(faults, [], "{}", path.display());
        assert!(read == ir::canonical(&module), "{} reads differently", path.display());
    }
}
