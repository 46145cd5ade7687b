//! Closed programs print the same in the interpreter as on the machine, and end with the same status.

use interpret::host::{Host, start};
use interpret::{Options, run};

use crate::compile::{Source, compiler};

fn check(name: &str, text: &str) {
    let compiler = compiler();
    let source = Source::new(name, text.to_owned(), &[]);
    let (printed, status) = source.printed(&compiler, "-O1");
    assert!(!printed.is_empty(), "{name} prints something");
    let module = source.lowered(&compiler);
    let main = module.find_procedure("main").expect("there is a main");
    let inputs = start(&module, main, &[b"program".to_vec()]).expect("one argument");
    let mut host = Host::default();
    let options = Options { statics: true, trace: 0, steps: u64::MAX, ..Options::default() };
    let outcome = run(&module, main, &inputs, &mut host, &options).outcome;
    assert_eq!(String::from_utf8_lossy(&host.output), printed, "{name} {outcome}");
    assert_eq!(host.exit_status(&outcome), status, "{name} {outcome}");
}

macro_rules! programs {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            check(stringify!($name), include_str!(concat!("programs/", stringify!($name), ".c")));
        })*
    };
}

programs!(compress, evaluate, floats, formats, hashes, pieces, sorts, table, tokens);
