//! The C library: what its functions do, for modules that only declare them.
//!
//! `library.vir` holds a procedure for each function that is modelled, as VIR text. A declared
//! procedure of the same name and types gets its body.

use std::sync::OnceLock;

use ir::{FileId, Module, Origin, Procedure, Span};

use crate::context::Context;

/// The models, over one state variable, `memory`.
fn models() -> &'static Module {
    static MODELS: OnceLock<Module> = OnceLock::new();
    MODELS.get_or_init(|| {
        let (module, diagnostics) = ir::parse("library.vir", include_str!("library.vir"));
        assert!(diagnostics.is_empty(), "the models of the C library are valid: {diagnostics:?}");
        module
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
            | "_printk"
            | "printk"
            | "atexit"
    )
}

impl Context<'_> {
    /// Gives bodies to the functions of the library that the module declares.
    pub(crate) fn add_library(&mut self) {
        let models = models();
        for procedure in &mut self.module.procedures {
            if procedure.blocks.is_some() {
                continue;
            }
            let Some(model) = models.find_procedure(&procedure.name) else { continue };
            let model = models.procedure(model);
            if fits(procedure, model) {
                adopt(procedure, model);
            }
        }
    }
}

fn fits(declared: &Procedure, model: &Procedure) -> bool {
    use ir::Mode::{Parameter, Result};
    let types = |procedure: &Procedure, mode| -> Vec<ir::Type> {
        procedure.locals_with(mode).map(|id| procedure.local(id).ty.clone()).collect()
    };
    types(declared, Parameter) == types(model, Parameter)
        && types(declared, Result) == types(model, Result)
}

/// Takes over the body of a model. It has no place in any source of the user.
fn adopt(declared: &mut Procedure, model: &Procedure) {
    let nowhere = Span { file: FileId(0), start: 0, end: 0 };
    let name = std::mem::take(&mut declared.name);
    let display = declared.display.take();
    *declared = Procedure { name, display, span: nowhere, ..model.clone() };
    for block in declared.blocks.iter_mut().flatten() {
        for statement in &mut block.statements {
            statement.span = nowhere;
            statement.origin = Origin::Synthetic;
        }
        block.terminator.span = nowhere;
        block.terminator.origin = Origin::Synthetic;
    }
}
