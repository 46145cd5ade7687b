//! The C library: what its functions do, for modules that only declare them.
//!
//! The files beside this one hold a procedure for each modelled function, as VIR text, with messages that do
//! not mention the caller's expressions; failures are reported at the call. A declared procedure of the same
//! name and types gets the model's body, and its dependencies: static objects, other models. A model that
//! calls through a pointer chooses among the functions of the program. A model that calls itself states the
//! function's obligations and guarantees, and leaves the rest to the unknown function: to the oracle during
//! an execution, to any result in an encoding.

mod adopt;
mod characters;
mod further;

use std::sync::OnceLock;

use ir::{Content, ExprId, FunctionId, Module, Procedure, ProcedureId, Type};
use rustc_hash::FxHashMap;

/// Models of functions, over one state variable, `memory`, and where they are by name.
#[derive(Clone, Debug)]
pub struct Models {
    module: Module,
    by_name: FxHashMap<String, ProcedureId>,
    /// Whether they were C.
    is_lowered: bool,
}

impl Models {
    /// The procedures of a valid module that are trusted, as models of the functions of their names. None if
    /// the module has another state than `memory`.
    pub fn new(module: Module, is_trusted: &[bool]) -> Option<Models> {
        let is_memory = match &module.globals[..] {
            [] => true,
            [memory] => memory.ty == Type::Bytes,
            _ => false,
        };
        let procedures = module.procedures.iter().zip((0..).map(ProcedureId));
        let trusted = procedures.zip(is_trusted).filter(|(_, is_trusted)| **is_trusted);
        let by_name = trusted.map(|((procedure, id), _)| (procedure.name.clone(), id)).collect();
        is_memory.then_some(Models { module, by_name, is_lowered: false })
    }

    /// The functions of a C file that are trusted, as models of the functions of their names. What the file
    /// itself has from a library is no model; neither is what passes structures by value, which each module
    /// numbers for itself.
    pub fn lowered(module: Module, is_trusted: &[bool]) -> Option<Models> {
        let is_model = |(procedure, is_trusted): (&Procedure, &bool)| {
            let is_written = procedure.span.start < procedure.span.end;
            let locals = procedure.locals.iter().map(|local| &local.ty);
            let exprs = (0..procedure.exprs.len() as u32).map(|id| procedure.exprs.ty(ExprId(id)));
            let mut types = locals.chain(exprs);
            *is_trusted && is_written && !types.any(|ty| matches!(ty, Type::Record(_)))
        };
        let models: Vec<bool> = module.procedures.iter().zip(is_trusted).map(is_model).collect();
        let models = Models::new(module, &models)?;
        Some(Models { is_lowered: true, ..models })
    }

    /// An object that the models declare.
    fn object(&self, name: &str) -> Option<FunctionId> {
        let position = self.module.functions.iter().position(|function| function.name == name)?;
        Some(FunctionId(position as u32))
    }
}

const TEXT: &str = concat!(
    "var memory: bytes;\n",
    include_str!("library/memory.vir"),
    include_str!("library/strings.vir"),
    include_str!("library/search.vir"),
    include_str!("library/characters.vir"),
    include_str!("library/numbers.vir"),
    include_str!("library/math.vir"),
    include_str!("library/sorting.vir"),
    include_str!("library/streams.vir"),
    include_str!("library/formats.vir"),
    include_str!("library/files.vir"),
    include_str!("library/directories.vir"),
    include_str!("library/scans.vir"),
    include_str!("library/fortified.vir"),
);

fn models() -> &'static Models {
    static MODELS: OnceLock<Models> = OnceLock::new();
    MODELS.get_or_init(|| {
        let (mut module, diagnostics) = ir::parse("library.vir", TEXT);
        assert!(diagnostics.is_empty(), "the models of the C library are valid: {diagnostics:?}");
        let is_trusted = vec![true; module.procedures.len()];
        for (name, bytes) in characters::tables() {
            let position = module.functions.iter().position(|function| function.name == name);
            let address = FunctionId(position.expect("the models declare their objects") as u32);
            let object = module.object_at(address).expect("the tables are objects");
            module.objects[object].contents = Some(vec![(0, Content::Bytes(bytes))]);
        }
        Models::new(module, &is_trusted).expect("the models are over memory")
    })
}

/// Whether a function only speaks to the outside: memory stays as it is.
pub(crate) fn only_outputs(name: &str) -> bool {
    matches!(
        name,
        "printf"
            | "puts"
            | "putchar"
            | "fprintf"
            | "vprintf"
            | "vfprintf"
            | "perror"
            | "srand"
            | "rand"
            | "getenv"
            | "_printk"
            | "printk"
            | "atexit"
            | "ungetc"
            | "feof"
            | "ferror"
            | "clearerr"
            | "fileno"
            | "rewind"
            | "strerror"
            | "readdir"
            | "rewinddir"
            | "dirfd"
            | "__printf_chk"
            | "__fprintf_chk"
    ) || sets_errno(name)
        || has_status(name)
}

/// Whether a function that only outputs sets `errno` when it fails.
fn sets_errno(name: &str) -> bool {
    matches!(
        name,
        "fopen"
            | "fdopen"
            | "freopen"
            | "fclose"
            | "fgetc"
            | "getc"
            | "getchar"
            | "fputs"
            | "fputc"
            | "putc"
            | "fwrite"
            | "fflush"
            | "fseek"
            | "ftell"
            | "open"
            | "close"
            | "write"
            | "pwrite"
            | "send"
            | "lseek"
            | "dup"
            | "dup2"
            | "remove"
            | "unlink"
            | "rename"
            | "setenv"
            | "unsetenv"
            | "opendir"
            | "closedir"
    )
}

/// Whether a function ends the program with the status that it is given.
pub(crate) fn has_status(name: &str) -> bool {
    matches!(name, "exit" | "_exit" | "_Exit" | "quick_exit")
}
