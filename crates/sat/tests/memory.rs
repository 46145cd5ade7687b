//! Dropping a session frees its memory. One test, alone in its process, since it watches that
//! process grow.

#![cfg(target_os = "linux")]

use sat::{Answer, Backend, Lit, Options, Session};

#[test]
fn dropped_sessions_free_their_memory() {
    let certified = Options { certify: true, ..Options::default() };
    let batsat = Options { backend: Backend::Batsat, ..Options::default() };
    for options in [Options::default(), certified, batsat] {
        let run = |count: usize| {
            for _ in 0..count {
                let mut session = Session::new(options.clone()).expect("it is built in");
                let lits: Vec<Lit> = session.new_vars(400).into_iter().map(Lit::from).collect();
                for i in 0..1600 {
                    let [a, b, c] = [i, i * i + 1, 3 * i + 7].map(|index| lits[index % 400]);
                    session.add_clause(&[!a, b, !c]);
                }
                assert_eq!(session.solve(&[]), Answer::Sat);
            }
        };
        run(50);
        let before = resident_kilobytes();
        run(500);
        let grown = resident_kilobytes().saturating_sub(before);
        // A session of this size takes more than 100 kB: a leak of all would be 50 MB and more.
        assert!(grown < 10_000, "{options:?}: 500 sessions left {grown} kB behind");
    }
}

/// The memory of this process that is in use.
fn resident_kilobytes() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
    let pages: usize = statm
        .split_whitespace()
        .nth(1)
        .and_then(|pages| pages.parse().ok())
        .expect("the second figure is the resident set");
    pages * 4
}
