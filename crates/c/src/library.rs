//! The C library: what its functions do, for modules that only declare them.
//!
//! The files beside this one hold a procedure for each function that is modelled, as VIR text, in words
//! that do not know how the caller wrote what it passes; the call is what is reported. A declared
//! procedure of the same name and types gets the model's body, and what that needs: static objects, other
//! models. A model that calls through a pointer chooses among the functions of the program.

mod adopt;
mod characters;

use std::sync::OnceLock;

use ir::{Content, Module, ProcedureId};
use rustc_hash::FxHashMap;

/// The models, over one state variable, `memory`, and where they are by name.
pub(crate) struct Models {
    module: Module,
    by_name: FxHashMap<String, ProcedureId>,
}

const TEXT: &str = concat!(
    "var memory: bytes;\n",
    include_str!("library/memory.vir"),
    include_str!("library/strings.vir"),
    include_str!("library/search.vir"),
    include_str!("library/characters.vir"),
    include_str!("library/numbers.vir"),
    include_str!("library/sorting.vir"),
);

fn models() -> &'static Models {
    static MODELS: OnceLock<Models> = OnceLock::new();
    MODELS.get_or_init(|| {
        let (mut module, diagnostics) = ir::parse("library.vir", TEXT);
        assert!(diagnostics.is_empty(), "the models of the C library are valid: {diagnostics:?}");
        for (name, bytes) in characters::tables() {
            let object = module
                .functions
                .iter()
                .position(|function| function.name == name)
                .and_then(|id| module.object_at(ir::FunctionId(id as u32)))
                .expect("the models declare the tables");
            module.objects[object].contents = Some(vec![(0, Content::Bytes(bytes))]);
        }
        let names = module.procedures.iter().map(|procedure| procedure.name.clone());
        let by_name = names.zip((0..).map(ProcedureId)).collect();
        Models { module, by_name }
    })
}

/// Whether a function only speaks to the outside: memory stays as it is.
pub(crate) fn only_speaks(name: &str) -> bool {
    matches!(
        name,
        "printf"
            | "puts"
            | "putchar"
            | "fprintf"
            | "vprintf"
            | "vfprintf"
            | "fputs"
            | "fputc"
            | "putc"
            | "fwrite"
            | "perror"
            | "write"
            | "fflush"
            | "srand"
            | "rand"
            | "getenv"
            | "_printk"
            | "printk"
            | "atexit"
    ) || has_status(name)
}

/// Whether a function ends the program with the status that it is given.
pub(crate) fn has_status(name: &str) -> bool {
    matches!(name, "exit" | "_exit" | "_Exit" | "quick_exit")
}
