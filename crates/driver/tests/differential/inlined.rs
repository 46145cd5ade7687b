//! Proposals against inlining: a function whose callees are summarised, and the same function with their bodies in
//! place of calls, on the same lines. Functions with a callee that is wrong itself are not compared further: the
//! finding is in the callee.

use std::collections::BTreeSet;

use fastrand::Rng;

use crate::exhaustive::is_callees;
use crate::fixture::{Checked, Clang, Found, Source, scale};
use crate::generate::{Group, Shape, expanded, group, text};

const FILES: usize = 6;
const GROUPS: usize = 30;
const SHAPE: Shape = Shape { functions: 3, statements: 7, has_loops: false };

/// For a hundred findings of both, this number may be found with calls only: none were, but the judge tries a
/// limited number of executions, and those of an inlined function are other ones.
const MOST_WITH_CALLS: usize = 3;

/// For a hundred findings of both, this number may be found in the inlined function only. They are leaks of a block
/// that a callee has stored in the caller's structure or a static variable and that a later call overwrites:
/// summaries say that the block is stored, not that it is the one that was there.
const MOST_INLINED: usize = 40;

#[test]
fn findings_do_not_depend_on_where_bodies_are() {
    let clang = Clang::find();
    let mut rng = Rng::with_seed(2102);
    let (mut same, mut callees) = (0, 0);
    let (mut only_called, mut only_expanded) = (Vec::new(), Vec::new());
    for file in 0..FILES * scale() {
        let groups: Vec<Group> = (0..GROUPS).map(|n| group(&mut rng, n, SHAPE)).collect();
        let called = Source::new(&clang, &format!("called-{file}"), text(&groups));
        let inlined = Source::new(&clang, &format!("expanded-{file}"), expanded(&groups));
        let (with_calls, without) = (called.checked(&clang), inlined.checked(&clang));
        for group in &groups {
            let last = &group.functions.last().expect("a group has functions").name;
            let of = |checked: &Checked| -> BTreeSet<Found> {
                let own = checked.findings.iter().filter(|found| found.function == *last);
                own.filter(|found| found.rule != "lock-imbalance").cloned().collect()
            };
            let (here, there) = (of(&with_calls), of(&without));
            same += here.intersection(&there).count();
            let tell = |found: &Found| format!("{found:?} in {}", called.file.display());
            only_called.extend(here.difference(&there).map(tell));
            let (_, others) = group.functions.split_last().expect("a group has functions");
            let is_wrong = |found: &Found| others.iter().any(|other| other.name == found.function);
            let is_clean = !with_calls.findings.iter().any(is_wrong);
            for found in there.difference(&here) {
                if !is_clean || is_callees(&called, &with_calls, found) {
                    callees += 1;
                } else {
                    only_expanded.push(tell(found));
                }
            }
        }
    }
    let counts = format!(
        "{same} the same, {callees} with wrong callees, {} with calls only, {} inlined only",
        only_called.len(),
        only_expanded.len()
    );
    eprintln!("{counts}");
    assert!(same > 50, "there was something to find: {counts}");
    assert!(
        only_called.len() * 100 <= same * MOST_WITH_CALLS,
        "{counts}\n{}",
        only_called.join("\n")
    );
    assert!(
        only_expanded.len() * 100 <= same * MOST_INLINED,
        "{counts}\n{}",
        only_expanded.join("\n")
    );
}
