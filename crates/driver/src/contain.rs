//! Panics are bugs of Indict, and must affect one procedure at most: they are caught and reported here.

use std::cell::Cell;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};

/// A panic that was caught.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Panic {
    /// Its message.
    pub message: String,
    /// The line of Indict's source that panicked, if [`record_panics`] was called before.
    pub place: Option<String>,
}

impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.place {
            Some(place) => write!(f, ", at {place}"),
            None => Ok(()),
        }
    }
}

thread_local! {
    static IS_CONTAINED: Cell<bool> = const { Cell::new(false) };
    static LAST: Cell<Option<String>> = const { Cell::new(None) };
}

/// Calls a function, and catches a panic. Data that the function has modified must not be used after one.
///
/// # Errors
/// If it panics.
pub fn contain<T>(work: impl FnOnce() -> T) -> Result<T, Panic> {
    let was_contained = IS_CONTAINED.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    IS_CONTAINED.set(was_contained);
    outcome.map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        let message = text.unwrap_or_else(|| "no message".to_owned());
        Panic { message, place: LAST.take() }
    })
}

/// From now on, [`contain`] alone reports panics within it, with their place in Indict's source, and standard error
/// does not show them. A program calls this once: it sets the panic hook of the process.
pub fn record_panics() {
    let others = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if IS_CONTAINED.get() {
            let place = panic.location();
            LAST.set(place.map(|place| format!("{}:{}", place.file(), place.line())));
        } else {
            others(panic);
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::{contain, record_panics};

    #[test]
    fn a_panic_is_reported_with_its_place() {
        record_panics();
        let panic = contain(|| -> () { panic!("we are wrong about {}", 7) }).unwrap_err();
        assert_eq!(panic.message, "we are wrong about 7");
        assert!(panic.place.is_some_and(|place| place.contains("contain.rs:")));
        assert_eq!(contain(|| 3), Ok(3));
    }
}
