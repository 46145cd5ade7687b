//! Threads and observers.

use std::num::NonZeroUsize;
use std::path::Path;

use driver::{MemoryFiles, NoCompiler, Observer, Options, Silent};
use ir::Module;

use super::WRONG;

#[test]
fn output_does_not_depend_on_the_number_of_threads() {
    let procedure = |number: usize| WRONG.replace("wrong", &format!("wrong_{number}"));
    let file = |number: usize| {
        let text: String = (0..20).map(|n| procedure(20 * number + n)).collect();
        (format!("f{number}.vir"), text)
    };
    let files = MemoryFiles::new((0..5).map(file));
    let report = |jobs| {
        let options = Options { jobs: NonZeroUsize::new(jobs), ..Options::default() };
        let outcome = driver::run(&[Path::new(".")], &files, &NoCompiler, &options, &Silent);
        let mut bytes = Vec::new();
        report::json::render(
            &outcome.report,
            &driver::Registry::default().tool(),
            &outcome.sources,
            &mut bytes,
        )
        .unwrap();
        String::from_utf8(bytes).unwrap()
    };
    let one = report(1);
    assert_eq!(one.matches("\"x is seven\"").count(), 200, "message and last step of 100 findings");
    assert_eq!(one, report(2));
    assert_eq!(one, report(7));
}

#[test]
fn an_observer_sees_everything() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    #[derive(Default)]
    struct Counter([AtomicUsize; 3]);
    impl Observer for Counter {
        fn found(&self, procedures: usize) {
            self.0[0].fetch_add(procedures, Ordering::Relaxed);
        }
        fn examined(&self, _: &driver::Timing) {
            self.0[1].fetch_add(1, Ordering::Relaxed);
        }
        fn lowered(&self, _: &str, module: &Module) {
            self.0[2].fetch_add(module.procedures.len(), Ordering::Relaxed);
        }
    }
    let counter = Counter::default();
    let files = MemoryFiles::new([("a.vir", WRONG), ("b.vir", WRONG), ("c.vir", "sort A; proc +")]);
    driver::run(&[Path::new(".")], &files, &NoCompiler, &Options::default(), &counter);
    assert_eq!(counter.0.map(AtomicUsize::into_inner), [2, 2, 2]);
}
