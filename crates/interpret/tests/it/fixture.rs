//! Reading programs and running them.

use interpret::{
    Ending, EvalError, Execution, Failure, Inputs, MapType, MapValue, Options, Oracle, Outcome,
    Recorded, Value, VirNames, run,
};
use ir::{AssertKind, FunctionId, GlobalId, Module, ProcedureId, SortId, Type};

/// A module from a text that must be valid.
pub fn module(text: &str) -> Module {
    let (module, diagnostics) = ir::parse("test.vir", text);
    let messages: Vec<String> = diagnostics
        .iter()
        .map(|d| format!("{:?}: {d}", ir::line_and_column(text, d.span.start)))
        .collect();
    assert!(messages.is_empty(), "{}", messages.join("\n"));
    module
}

pub fn procedure(module: &Module, name: &str) -> ProcedureId {
    module.find_procedure(name).expect("the procedure exists")
}

pub fn global(module: &Module, name: &str) -> GlobalId {
    let position = module.globals.iter().position(|global| global.name == name);
    GlobalId(position.expect("the variable exists") as u32)
}

pub fn function(module: &Module, name: &str) -> FunctionId {
    let position = module.functions.iter().position(|function| function.name == name);
    FunctionId(position.expect("the function exists") as u32)
}

pub fn sort(module: &Module, name: &str) -> SortId {
    let position = module.sorts.iter().position(|sort| sort == name);
    SortId(position.expect("the sort exists") as u32)
}

/// The map of a state variable's type that is `rest` but for these entries with one key.
pub fn map(
    module: &Module,
    name: &str,
    rest: Option<Value>,
    entries: impl IntoIterator<Item = (Value, Value)>,
) -> Value {
    let Type::Map(keys, value) = &module.global(global(module, name)).ty else {
        panic!("{name} is no map")
    };
    let ty = MapType::new(keys, value);
    let map = match rest {
        Some(rest) => MapValue::constant(ty, rest),
        None => MapValue::unknown(ty),
    };
    Value::from(entries.into_iter().fold(map, |map, (key, value)| map.with([key], value)))
}

pub fn go_with(module: &Module, name: &str, inputs: &Inputs, oracle: &mut dyn Oracle) -> Execution {
    let options = Options { facts: true, ..Options::default() };
    run(module, procedure(module, name), inputs, oracle, &options)
}

/// Runs a procedure of a text without parameters and without an oracle.
pub fn go(text: &str, name: &str) -> Execution {
    go_with(&module(text), name, &Inputs::default(), &mut Recorded::default())
}

/// The results of an execution that must exit normally.
#[track_caller]
pub fn results(module: &Module, run: &Execution) -> Vec<Value> {
    match &run.outcome {
        Outcome::Exit(Ending::Normal(results)) => {
            results.iter().map(|value| value.clone().expect("every result is set")).collect()
        }
        _ => panic!("{}", run.show(module, &VirNames)),
    }
}

#[track_caller]
pub fn failure(run: &Execution) -> (AssertKind, &str) {
    match &run.outcome {
        Outcome::Failed(Failure { kind, message, .. }) => (*kind, message),
        other => panic!("the execution {other}"),
    }
}

#[track_caller]
pub fn fault(run: &Execution) -> &EvalError {
    match &run.outcome {
        Outcome::Error { fault, .. } => fault,
        other => panic!("the execution {other}"),
    }
}
