//! The solvers behind [`Solver`], each in a file of its own.

#[cfg(feature = "batsat")]
mod batsat;
#[cfg(feature = "cadical")]
mod cadical;

#[cfg(feature = "cadical")]
pub(crate) use self::cadical::Cadical;

use crate::{Backend, Error, Options, Solver};

#[cfg(not(any(feature = "cadical", feature = "batsat")))]
compile_error!("the crate `sat` needs a back end: enable its feature `cadical` or `batsat`");

/// The solver that the options ask for.
pub(crate) fn new(options: &Options) -> Result<Box<dyn Solver>, Error> {
    match options.backend {
        Backend::Cadical => new_cadical(options),
        Backend::Batsat => new_batsat(options),
    }
}

#[cfg(feature = "cadical")]
fn new_cadical(options: &Options) -> Result<Box<dyn Solver>, Error> {
    let unusable = |error: ::cadical::Error| Error::Unusable(error.to_string());
    if options.certify {
        let solver = crate::certificate::Certified::new(options.profile);
        Ok(Box::new(solver.map_err(unusable)?))
    } else {
        Ok(Box::new(Cadical::new(options.profile).map_err(unusable)?))
    }
}

#[cfg(not(feature = "cadical"))]
fn new_cadical(_options: &Options) -> Result<Box<dyn Solver>, Error> {
    Err(Error::NotBuilt(Backend::Cadical))
}

#[cfg(feature = "batsat")]
fn new_batsat(options: &Options) -> Result<Box<dyn Solver>, Error> {
    if options.certify {
        return Err(Error::NoProofs(Backend::Batsat));
    }
    Ok(Box::new(batsat::Batsat::new()))
}

#[cfg(not(feature = "batsat"))]
fn new_batsat(_options: &Options) -> Result<Box<dyn Solver>, Error> {
    Err(Error::NotBuilt(Backend::Batsat))
}
