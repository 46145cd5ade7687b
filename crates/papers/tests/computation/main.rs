//! Tests of computation graphs and their formulas.

mod agree;
mod figures;
mod random;

use std::path::{Path, PathBuf};

use java::NoSources;
use java::subset::{Procedure, procedure};

/// A file of the paper's figures.
fn figure(name: &str) -> (PathBuf, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/figures/jackson").join(name);
    let text = std::fs::read_to_string(&path).expect("the figure is there");
    (path, text)
}

fn read(text: &str, name: &str) -> Procedure {
    procedure(text, &NoSources, name).unwrap_or_else(|why| panic!("{name}: {why:?}"))
}
