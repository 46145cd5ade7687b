//! One source, twice: as VIR, and as what a program of it prints.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clang::{Compiler, Flags};

/// A source that a test wrote, in a directory of its own.
pub struct Source {
    directory: PathBuf,
    file: PathBuf,
    text: String,
    flags: Vec<String>,
}

struct Text<'t>(&'t str);

impl c::Sources for Text<'_> {
    fn text(&self, path: &str) -> Option<&str> {
        path.ends_with(".c").then_some(self.0)
    }

    fn asserts_set(&self) -> bool {
        true
    }
}

impl Source {
    /// Writes a source down.
    pub fn new(name: &str, text: String, flags: &[&str]) -> Source {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&directory).expect("the directory for tests can be written");
        let file = directory.join("source.c");
        fs::write(&file, &text).expect("the directory for tests can be written");
        let flags = flags.iter().map(|&flag| flag.to_owned()).collect();
        Source { directory, file, text, flags }
    }

    /// The module of VIR, valid and without anything unsupported.
    pub fn lowered(&self, compiler: &Compiler) -> ir::Module {
        let words: Vec<_> = self.flags.iter().map(Into::into).collect();
        let command = clang::Command::plain(&self.file, &Flags::of(&words));
        let compiled = compiler.compile(&command).unwrap_or_else(|error| panic!("{error}"));
        let decoded = bitcode::decode(&compiled.bytes).expect("clang's bitcode is read");
        let (module, diagnostics) = c::lower(&decoded, &Text(&self.text));
        assert_eq!(diagnostics, [], "{}", self.file.display());
        let violations = ir::validate(&module);
        assert!(violations.is_empty(), "{}: {violations:?}", self.file.display());
        module
    }

    /// What the program prints, and its exit status, with the code generated at a level.
    pub fn printed(&self, compiler: &Compiler, level: &str) -> (String, Option<i32>) {
        let program = self.directory.join("program");
        let status = Command::new(compiler.program())
            .args(&self.flags)
            .args(["-w", level, "-o"])
            .arg(&program)
            .arg(&self.file)
            .status()
            .expect("clang can be started");
        assert!(status.success(), "{} is compiled", self.file.display());
        let output = Command::new(&program).stdin(Stdio::null()).output().expect("it can be run");
        let text = String::from_utf8(output.stdout).expect("it prints text");
        (text, output.status.code())
    }
}

/// The clang that is installed.
pub fn compiler() -> Compiler {
    Compiler::find(None, None).unwrap_or_else(|error| panic!("{error}"))
}
