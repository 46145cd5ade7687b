//! Stopping a solver that is at work, from another thread or by the clock.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::{Limits, Reason};

/// Stops a solver from another thread.
///
/// All clones share one flag. A raised interrupt stays raised, so it is not lost between two calls: every
/// call returns [`Reason::Interrupted`] until the flag is cleared.
///
/// ```
/// use sat::{Answer, Options, Reason, Session};
///
/// let mut session = Session::new(Options::default())?;
/// let interrupt = session.interrupt();
/// interrupt.raise();
/// assert_eq!(session.solve(&[]), Answer::Unknown(Reason::Interrupted));
/// interrupt.clear();
/// assert_eq!(session.solve(&[]), Answer::Sat);
/// # Ok::<(), sat::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// A flag of its own, not raised.
    #[must_use]
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// Asks the solver to stop, now and in later calls.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lets the solver work again.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether the solver has been asked to stop.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The check whether to stop that a back end makes while it searches, and the reason.
#[derive(Debug, Default)]
pub(crate) struct StopCheck {
    interrupt: Interrupt,
    deadline: Cell<Option<Instant>>,
    reason: Cell<Option<Stop>>,
}

#[derive(Clone, Copy, Debug)]
enum Stop {
    Interrupted,
    Deadline,
}

impl StopCheck {
    /// The flag this watch looks at.
    pub(crate) fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    /// Begins a call under these limits.
    pub(crate) fn begin(&self, limits: &Limits) {
        self.deadline.set(limits.deadline);
        self.reason.set(None);
    }

    /// Whether to stop. Once true it stays true until the next call begins.
    pub(crate) fn stop(&self) -> bool {
        if self.reason.get().is_some() {
            return true;
        }
        if self.interrupt.is_raised() {
            self.reason.set(Some(Stop::Interrupted));
        } else if self.deadline.get().is_some_and(|deadline| Instant::now() >= deadline) {
            self.reason.set(Some(Stop::Deadline));
        }
        self.reason.get().is_some()
    }

    /// Why [`StopCheck::stop`] returned true, if it did.
    pub(crate) fn reason(&self) -> Option<Reason> {
        self.reason.get().map(|stop| match stop {
            Stop::Interrupted => Reason::Interrupted,
            Stop::Deadline => Reason::Deadline,
        })
    }
}
