//! The options of solving.

/// How wide integers are, and what becomes of a result that does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Integers {
    /// Integers are mathematical: each result is given the bits it needs, nothing overflows.
    #[default]
    Exact,
    /// Two's complement of this many bits, and arithmetic is meant to be modular.
    Wrapping(u32),
    /// Integers are mathematical but only instances in which every result fits in this many bits are
    /// considered. Where such a restriction could have hidden an instance, the solution is
    /// [`Solution::Unknown`](crate::Solution::Unknown), never "unsatisfiable".
    Checked(u32),
}

/// Options of a [`Finder`](crate::Finder).
#[derive(Clone, Debug)]
pub struct Options {
    /// Integer width and overflow policy.
    pub integers: Integers,
    /// Symmetry breaking: how many pairs of tuples are compared per pair of interchangeable
    /// atoms. Zero breaks no symmetry, so that enumeration yields every instance.
    pub symmetry: usize,
    /// The limits of each solver call.
    pub limits: sat::Limits,
    /// The solver session; certification is chosen here.
    pub session: sat::Options,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            integers: Integers::Exact,
            symmetry: 20,
            limits: sat::Limits::default(),
            session: sat::Options { profile: sat::Profile::OneShot, ..sat::Options::default() },
        }
    }
}
