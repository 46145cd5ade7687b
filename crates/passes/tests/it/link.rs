//! Linking: the bodies of other files, their static objects and records, in one module.

use interpret::{Ending, Inputs, Options, Outcome, Scope, Seeded, Value, Word, run};
use ir::{Module, ProcedureId};
use passes::{Linked, Symbol, link};

fn parsed(text: &str) -> Module {
    let (module, diagnostics) = ir::parse("test.vir", text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    module
}

/// Links `f` of the first file; what a file only declares is defined where a procedure of that name has a body.
fn linked(texts: &[&str]) -> Linked {
    let modules: Vec<Module> = texts.iter().map(|text| parsed(text)).collect();
    let units: Vec<&Module> = modules.iter().collect();
    let definition = |unit: usize, id: ProcedureId| -> Option<Symbol> {
        let name = &units[unit].procedure(id).name;
        units.iter().enumerate().find_map(|(number, module)| {
            let found = module.find_procedure(name)?;
            module.procedure(found).blocks.is_some().then_some((number, found))
        })
    };
    let root = units[0].find_procedure("f").expect("the root is `f`");
    let linked = link(&units, &definition, (0, root));
    assert_eq!(ir::validate(&linked.module), []);
    // The root file keeps its numbering.
    for (own, linked) in units[0].procedures.iter().zip(&linked.module.procedures) {
        assert_eq!(own.name, linked.name);
    }
    linked
}

/// What `f` returns.
fn returned(linked: &Linked) -> Option<u64> {
    let root = linked.module.find_procedure("f").expect("the root is `f`");
    let options = Options { statics: true, ..Options::default() };
    let inputs = Inputs::new([Value::Bv(Word::new(32, 5))]);
    match run(&linked.module, root, &inputs, &mut Seeded::new(1, Scope::default()), &options)
        .outcome
    {
        Outcome::Exit(Ending::Normal(results)) => match results.first()? {
            Some(Value::Bv(word)) => word.small(),
            _ => None,
        },
        _ => None,
    }
}

#[test]
fn a_body_of_another_file_is_called() {
    let linked = linked(&[
        "proc g(x: bv32) returns (y: bv32);\nproc f(x: bv32) returns (y: bv32)\n{\n  entry:\n    \
         y := call g(x);\n    exit;\n}\n",
        "proc h(x: bv32) returns (y: bv32)\n{\n  entry:\n    y := x + 2bv32;\n    exit;\n}\n\
         proc g(x: bv32) returns (y: bv32)\n{\n  entry:\n    y := call h(x);\n    exit;\n}\n",
    ]);
    assert_eq!(returned(&linked), Some(7));
    let names: Vec<usize> = linked.imported.iter().map(|symbol| symbol.0).collect();
    assert_eq!(names, [1, 1], "`g`, and `h` that it calls");
}

#[test]
fn a_body_that_takes_something_else_is_not() {
    let linked = linked(&[
        "proc g(x: bv32) returns (y: bv32);\nproc f(x: bv32) returns (y: bv32)\n{\n  entry:\n    \
         y := call g(x);\n    exit;\n}\n",
        "proc g(x: bv64) returns (y: bv32)\n{\n  entry:\n    y := 1bv32;\n    exit;\n}\n",
    ]);
    assert_eq!(linked.imported, []);
}

#[test]
fn files_may_call_back_and_have_procedures_of_the_same_name() {
    // `same` of the other file is not that of the root; `back` is the root's.
    let linked = linked(&[
        "proc g(x: bv32) returns (y: bv32);\n\
         proc same(x: bv32) returns (y: bv32)\n{\n  entry:\n    y := 100bv32;\n    exit;\n}\n\
         proc back(x: bv32) returns (y: bv32)\n{\n  entry:\n    y := x + 1bv32;\n    exit;\n}\n\
         proc f(x: bv32) returns (y: bv32)\n{\n  entry:\n    y := call g(x);\n    exit;\n}\n",
        "proc back(x: bv32) returns (y: bv32);\n\
         proc same(x: bv32) returns (y: bv32)\n{\n  entry:\n    y := x + 10bv32;\n    exit;\n}\n\
         proc g(x: bv32) returns (y: bv32)\n{\n  entry:\n    y := call same(x);\n    \
         y := call back(y);\n    exit;\n}\n",
    ]);
    assert_eq!(returned(&linked), Some(16));
}

#[test]
fn a_declared_object_is_the_one_that_another_file_defines() {
    let load = |name: &str| format!("    y := memory{{{name} as bv32}};\n");
    let f = "proc g() returns (y: bv32);\nproc f(x: bv32) returns (y: bv32)\n{\n  entry:\n";
    let g = "proc g() returns (y: bv32)\n{\n  entry:\n";
    let other = format!(
        "var memory: bytes;\nobject number: 4 {{ 0: \"07000000\" }};\n{g}{}    exit;\n}}\n",
        load("number")
    );
    // Declared in the root, defined in the other file: one object.
    let declares = format!(
        "var memory: bytes;\nobject number: 4;\n{f}    y := call g();\n{}    exit;\n}}\n",
        load("number")
    );
    let linked_one = linked(&[&declares, &other]);
    assert_eq!(returned(&linked_one), Some(7));
    assert_eq!(linked_one.module.objects.len(), 1);
    // Defined in both: two objects.
    let defines = format!(
        "var memory: bytes;\nobject number: 4 {{ 0: \"09000000\" }};\n{f}    y := call g();\n    \
         exit;\n}}\n"
    );
    let linked_two = linked(&[&defines, &other]);
    assert_eq!(returned(&linked_two), Some(7));
    assert_eq!(linked_two.module.objects.len(), 2);
}
