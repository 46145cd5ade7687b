//! What a function returns is the same in the interpreter as on the machine.

use crate::fixture::{go, lowered, path, returned};

fn check(name: &str) {
    let module = lowered(name);
    let expected = std::fs::read_to_string(path(&format!("{name}.expected"))).expect("it was made");
    let mut wrong = Vec::new();
    for line in expected.lines() {
        let (function, value) = line.split_once(' ').expect("a name and a number");
        let run = go(&module, function, []);
        if returned(&run) != value.parse().ok() {
            wrong.push(format!("{function}: {}, not {value}: {:?}", run.outcome, returned(&run)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn arithmetic() {
    check("arithmetic");
}

#[test]
fn control() {
    check("control");
}

#[test]
fn memory() {
    check("memory");
}

#[test]
fn random_programs() {
    for seed in [3, 10, 35, 44, 77, 123] {
        check(&format!("random_{seed}"));
    }
}
