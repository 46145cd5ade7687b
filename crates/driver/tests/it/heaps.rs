//! Heaps of Java findings: the steps of a trace lead from the heap before to the heap after.

use std::path::{Path, PathBuf};

use driver::{Disk, NoCompiler, Options, Silent};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(name)
}

#[test]
fn steps_lead_from_the_heap_before_to_the_heap_after() {
    let mut options = Options::default();
    options.check.bounds.scope = 3;
    options.check.bounds.unroll = 4;
    let folders = [folder("figures/jackson"), folder("golden/java")];
    let paths: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
    let outcome = driver::run(&paths, &Disk, &NoCompiler, &options, &Silent);
    let mut compared = 0;
    for finding in &outcome.report.findings {
        let Some(after) = finding.heaps.iter().find(|heap| heap.when == "after") else { continue };
        let states = report::states(finding);
        let last = states.last().expect("a run has steps");
        for object in &after.objects {
            let reached = last.object(&object.name);
            let reached = reached.unwrap_or_else(|| panic!("{} in {finding:#?}", object.name));
            for field in &object.fields {
                assert!(reached.fields.contains(field), "{field} of {object:?} in {finding:#?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 20, "{compared} fields");
}
