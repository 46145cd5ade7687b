//! Compilers, behind one trait: a language that comes as bitcode is compiled by whoever hands one in.

use std::path::{Path, PathBuf};

use report::Severity;

/// Whoever turns a source file into bitcode. Calls come from all threads.
pub trait Compiler: Sync {
    /// The bitcode of a file.
    ///
    /// # Errors
    /// What there is to say instead. What is said alike of several files is told once.
    fn compile(&self, path: &Path) -> Result<Compiled, Vec<Complaint>>;

    /// What the bitcode of a file depends on, if that is known without compiling it; equal only if the
    /// bitcode is.
    fn fingerprint(&self, _path: &Path) -> Option<Vec<u8>> {
        None
    }
}

/// Bitcode of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Compiled {
    /// The bitcode.
    pub bytes: Vec<u8>,
    /// Where relative paths in it are meant from.
    pub directory: PathBuf,
}

/// What a compiler has to say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// How bad it is.
    pub severity: Severity,
    /// One sentence, without a full stop.
    pub message: String,
    /// Where: a file, its line, and its column in bytes, both from one.
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
