//! A progress bar, on a terminal, for long runs.

use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use driver::{Module, Observer, ProcedureId, QuerySession, Timing};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::dump::Dumps;
use crate::limits::PROGRESS_DELAY;

/// Shows the progress of a run, and passes on dumps.
pub(crate) struct Progress<'d> {
    bar: ProgressBar,
    /// How many files there are, and how many of them have been begun.
    files: AtomicUsize,
    begun: AtomicUsize,
    dumps: &'d Dumps,
    /// Dropped when the run is over, which ends the thread that waits to show the bar.
    over: Option<Sender<()>>,
}

impl<'d> Progress<'d> {
    /// Nothing is shown yet.
    pub(crate) fn new(dumps: &'d Dumps) -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template(
            "{prefix}{bar:24} {pos}/{len} procedures, {elapsed}  {wide_msg}",
        );
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let over = stderr().is_terminal().then(|| {
            let (over, is_over) = channel::<()>();
            let bar = bar.clone();
            std::thread::spawn(move || {
                if is_over.recv_timeout(PROGRESS_DELAY) == Err(RecvTimeoutError::Timeout) {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(Duration::from_millis(200));
                }
            });
            over
        });
        Self { bar, files: AtomicUsize::new(0), begun: AtomicUsize::new(0), dumps, over }
    }

    /// Takes the bar away.
    pub(crate) fn finish(mut self) {
        self.over = None;
        self.bar.finish_and_clear();
    }
}

impl Observer for Progress<'_> {
    fn gathered(&self, files: usize) {
        self.files.store(files, Ordering::Relaxed);
    }

    fn lowering(&self, path: &str) {
        let number = self.begun.fetch_add(1, Ordering::Relaxed) + 1;
        let files = self.files.load(Ordering::Relaxed);
        self.bar.set_prefix(format!("{number}/{files} files "));
        self.bar.set_message(format!("compiling {path}"));
    }

    fn found(&self, procedures: usize) {
        self.bar.inc_length(procedures as u64);
    }

    fn examined(&self, timing: &Timing) {
        self.bar.set_message(timing.name.clone());
        self.bar.inc(1);
    }

    fn lowered(&self, path: &str, module: &Module) {
        self.dumps.lowered(path, module);
    }

    fn asked(&self, procedure: ProcedureId, session: &QuerySession<'_>) {
        self.dumps.asked(procedure, session);
    }
}
