//! Why there is no execution.

use std::{fmt, io};

/// Why there is no execution.
#[derive(Debug)]
pub enum Trouble {
    /// The disk or a process does not do what it should.
    World(io::Error),
    /// The compiler does not accept the source or the program: its first complaint.
    Refused(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::World(error) => write!(f, "{error}"),
            Trouble::Refused(why) => write!(f, "the compiler refuses it: {why}"),
        }
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::World(error)
    }
}
