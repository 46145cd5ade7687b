//! A program that a test has written: compiled, lowered, run and analysed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use driver::{Compiled, Complaint, Disk, Options, Outcome, Rules, Silent};
use interpret::Pointer;
use ir::address::ENVIRONMENT;
use ir::{Module, PointId, ProcedureId};
use judge::{Choice, LinkedProgram, Observation, Scalar, Witness};
use property::{Index, shipped};

/// The rules of locks and leaks.
pub const RULES: [&str; 4] = ["double-lock", "double-unlock", "lock-imbalance", "memory-leak"];

/// How many times as many programs are to be tried as usual.
pub fn scale() -> usize {
    std::env::var("INDICT_DIFFERENTIAL").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// A file, and the module that it is lowered to.
pub struct Source {
    pub file: PathBuf,
    pub text: String,
    pub module: Module,
}

struct Text<'t>(&'t str);

impl c::Sources for Text<'_> {
    fn text(&self, path: &str) -> Option<&str> {
        path.ends_with(".c").then_some(self.0)
    }
}

/// The clang that is installed.
pub struct Clang(pub clang::Compiler);

impl Clang {
    pub fn find() -> Clang {
        Clang(clang::Compiler::find(None, None).unwrap_or_else(|error| panic!("{error}")))
    }
}

impl driver::Compiler for Clang {
    fn compile(&self, path: &Path) -> Result<Compiled, Vec<Complaint>> {
        let command = clang::Command::plain(path, &clang::Flags::of(&[]));
        let compiled = self.0.compile(&command).unwrap_or_else(|error| panic!("{error}"));
        Ok(Compiled { bytes: compiled.bytes, directory: PathBuf::from(".") })
    }
}

impl Source {
    /// Writes a text to a file of its own and lowers it.
    pub fn new(clang: &Clang, name: &str, text: String) -> Source {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.c"));
        fs::write(&file, &text).expect("the directory for tests can be written");
        let bytes = driver::Compiler::compile(clang, &file).expect("it is C").bytes;
        let decoded = bitcode::decode(&bytes).expect("clang's bitcode is read");
        let (module, diagnostics) = c::lower(&decoded, &Text(&text));
        assert_eq!(diagnostics, [], "{}", file.display());
        Source { file, text, module }
    }

    /// The function of a name.
    pub fn function(&self, name: &str) -> ProcedureId {
        self.module.find_procedure(name).unwrap_or_else(|| panic!("{name} is in the text"))
    }

    /// The line of a point of a function.
    pub fn line(&self, function: ProcedureId, point: PointId) -> usize {
        let blocks = self.module.procedure(function).blocks.iter().flatten();
        let spans = blocks.flat_map(|block| {
            let statements = block.statements.iter().map(|one| (one.point, one.span));
            statements.chain([(block.terminator.point, block.terminator.span)])
        });
        let mut spans = spans;
        let span = spans.find(|(at, _)| *at == point).expect("the function has the point").1;
        self.text[..span.start as usize].matches('\n').count() + 1
    }

    /// The number of the static object of a name.
    pub fn object(&self, name: &str) -> Option<usize> {
        let is_named = |object: &ir::Object| self.module.function(object.address).name == name;
        self.module.objects.iter().position(is_named)
    }

    /// Runs a function from a witness until there are no more choices.
    pub fn observe(
        &self,
        index: &Index,
        function: ProcedureId,
        witness: &Witness,
        after: &mut dyn FnMut(Observation) -> Option<Vec<Choice>>,
    ) {
        let program = LinkedProgram { units: vec![&self.module], definition: &|_, _| None, index };
        judge::observe(&program, (0, function), witness, after);
    }

    /// What the rules of locks and leaks find.
    pub fn checked(&self, clang: &Clang) -> Checked {
        let mut rules = Rules::none();
        for rule in RULES {
            rules.switch(rule, true);
        }
        let options = Options { rules, ..Options::default() };
        let Outcome { report, .. } = driver::run(&[&self.file], &Disk, clang, &options, &Silent);
        let findings = report.findings.iter().map(|finding| Found {
            function: finding.function.clone().expect("the finding is in a function"),
            rule: finding.rule.to_string(),
            line: finding.place.start.line as usize,
        });
        let is_unknown = |verdict: &report::Verdict| matches!(verdict, report::Verdict::Unknown(_));
        let unknown = report.procedures.iter().filter(|of| is_unknown(&of.verdict));
        Checked {
            findings: findings.collect(),
            unknown: unknown.map(|procedure| procedure.name.clone()).collect(),
        }
    }
}

/// What was found in a file.
pub struct Checked {
    pub findings: BTreeSet<Found>,
    /// The functions of which something is unknown.
    pub unknown: BTreeSet<String>,
}

/// A failure: of which function, which rule, and on which of its lines.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Found {
    pub function: String,
    pub rule: String,
    pub line: usize,
}

/// What is declared of functions.
pub fn index() -> Index {
    Index::new(shipped())
}

/// The caller's structure.
pub const BOX: u64 = ENVIRONMENT + 1;

/// The caller's block.
pub const BLOCK: u64 = ENVIRONMENT + 2;

/// The size of a block.
pub const NODE: u64 = 16;

/// A number as a parameter.
pub fn number(value: i32) -> Option<Scalar> {
    Some(Scalar::Word(32, u128::from(value as u32)))
}

/// The bytes of a pointer to an object.
pub fn address(object: u64) -> Vec<u8> {
    Pointer::to(object).address().to_le_bytes().to_vec()
}
