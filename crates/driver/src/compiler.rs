//! Compilers, behind one trait: the caller passes in the compiler for languages that are lowered from bitcode.

use std::path::{Path, PathBuf};

use report::Severity;

/// A compiler from source files to bitcode. Calls come from all threads.
pub trait Compiler: Sync {
    /// The bitcode of a file.
    ///
    /// # Errors
    /// The diagnostics. One that several files have in common is reported once.
    fn compile(&self, path: &Path) -> Result<Compiled, Vec<Complaint>>;

    /// A digest of everything that the bitcode of a file depends on, if it can be had without compiling; it is equal
    /// only if the bitcode is.
    fn fingerprint(&self, _path: &Path) -> Option<Vec<u8>> {
        None
    }
}

/// Bitcode of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Compiled {
    /// The bitcode.
    pub bytes: Vec<u8>,
    /// The directory that relative paths in it refer to.
    pub directory: PathBuf,
}

/// A diagnostic of a compiler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// Its severity.
    pub severity: Severity,
    /// One sentence, without a full stop.
    pub message: String,
    /// Its place: a file, line and column in bytes, both from one.
    pub place: Option<(PathBuf, u32, u32)>,
}

/// There is no compiler.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCompiler;

impl Compiler for NoCompiler {
    fn compile(&self, _: &Path) -> Result<Compiled, Vec<Complaint>> {
        let message = "there is no compiler here, which is needed to read C".to_owned();
        Err(vec![Complaint { severity: Severity::Error, message, place: None }])
    }
}
