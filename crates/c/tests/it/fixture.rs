//! Fixtures and how to run them.

use std::path::PathBuf;

use interpret::host::Host;
use interpret::{Execution, Inputs, Options, Outcome, Value, run};

/// The path of a fixture.
pub fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// The text of the one source file of a fixture.
pub struct Text(pub String);

impl c::Sources for Text {
    fn text(&self, path: &str) -> Option<&str> {
        path.ends_with(".c").then_some(&*self.0)
    }
}

/// A fixture, lowered and valid.
pub fn lowered(name: &str) -> ir::Module {
    let bytes = std::fs::read(path(&format!("{name}.bc"))).expect("the fixture exists");
    let text = std::fs::read_to_string(path(&format!("{name}.c"))).expect("the source exists");
    let decoded = bitcode::decode(&bytes).expect("the fixture is bitcode");
    let (module, diagnostics) = c::lower(&decoded, &Text(text));
    assert_eq!(diagnostics, []);
    let violations = ir::validate(&module);
    assert!(violations.is_empty(), "{violations:?}");
    module
}

/// Runs a procedure on words, from the start of the program.
pub fn go(
    module: &ir::Module,
    name: &str,
    arguments: impl IntoIterator<Item = Value>,
) -> Execution {
    let procedure = module.find_procedure(name).expect("the procedure exists");
    let options = Options { statics: true, ..Options::default() };
    run(module, procedure, &Inputs::new(arguments), &mut Host::default(), &options)
}

/// What an execution returned, if it did and that is a word.
pub fn returned(run: &Execution) -> Option<i64> {
    match &run.outcome {
        Outcome::Exit(interpret::Ending::Normal(results)) => match results.first()? {
            Some(Value::Bv(word)) => word.small_signed(),
            _ => None,
        },
        _ => None,
    }
}
