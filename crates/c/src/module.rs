//! A module of bitcode becomes a module of VIR.

use bitcode::{AttributeGroup, AttributeKind, FunctionId};
use ir::{Contract, Diagnostic, Exprs, Global, Local, Mode, Procedure, ProcedureId, Type};
use rustc_hash::FxHashMap;

use crate::Sources;
use crate::context::Context;
use crate::form::Forms;
use crate::limits::ALL_INITIALIZER_BYTES;
use crate::names::Names;
use crate::source::Files;

/// Lowers a module. It never fails: what has no meaning here is `unsupported` in the result.
pub fn lower(module: &bitcode::Module, sources: &dyn Sources) -> (ir::Module, Vec<Diagnostic>) {
    let mut context = Context {
        source: module,
        module: ir::Module::default(),
        files: Files::new(module, sources),
        types: vec![None; module.types.len()],
        opaque: None,
        record_names: Names::default(),
        names: Names::default(),
        globals: Vec::new(),
        functions: Vec::new(),
        ifuncs: Vec::new(),
        procedures: Vec::new(),
        procedure_names: Names::default(),
        extended: FxHashMap::default(),
        imported: FxHashMap::default(),
        unknown_callees: FxHashMap::default(),
        takers: FxHashMap::default(),
        variables: FxHashMap::default(),
        operations: FxHashMap::default(),
        forms: Forms::default(),
        room: ALL_INITIALIZER_BYTES,
    };
    context.declare_memory();
    context.declare_symbols();
    context.make_objects();
    context.note_variables();
    context.declare_procedures();
    for (index, function) in module.functions.iter().enumerate() {
        if let Some(procedure) = context.procedures[index]
            && !function.is_declaration
            && !function.blocks.is_empty()
        {
            context.define(procedure, function);
        }
    }
    context.add_library();
    context.complete_forms();
    let mut diagnostics = Vec::new();
    let pointer_bits = module.data_layout.pointer_bits(0);
    if pointer_bits != ir::ADDRESS_BITS {
        let message = format!("pointers have {pointer_bits} bits on this target");
        let note = "memory that holds pointers is modelled for targets of 64 bits only";
        let at = context.nowhere();
        diagnostics.push(Diagnostic::note(at, message).with_note(Some(note.to_owned())));
    }
    let Context { module, files, .. } = context;
    let module = ir::Module { files: files.into_files(), ..module };
    ir::debug_validate(&module);
    (module, diagnostics)
}

impl Context<'_> {
    fn declare_memory(&mut self) {
        let name = self.names.distinct("memory");
        let span = self.nowhere();
        let memory = Global { name, ty: Type::Bytes, ghost: false, display: None, span };
        self.module.globals.push(memory);
    }

    /// Declares a procedure for every function that is not an intrinsic.
    fn declare_procedures(&mut self) {
        let source = self.source;
        for (index, function) in source.functions.iter().enumerate() {
            if function.name.starts_with("llvm.") {
                self.procedures.push(None);
                continue;
            }
            let procedure = self.declare(FunctionId(index as u32));
            self.module.procedures.push(procedure);
            let id = ProcedureId(self.module.procedures.len() as u32 - 1);
            self.procedures.push(Some(id));
        }
    }

    fn declare(&mut self, id: FunctionId) -> Procedure {
        let source = self.source;
        let function = &source[id];
        let mut variable_names = Names::default();
        let mut locals = Vec::new();
        for parameter in &function.parameters {
            let written = parameter.name.as_deref();
            let name = variable_names.plain(written.unwrap_or("argument"));
            let display = written.map(str::to_owned);
            let ty = self.ty(parameter.ty);
            locals.push(Local { name, ty, mode: Mode::Parameter, display });
        }
        if let Some(result) = self.result_of(function.ty) {
            let name = variable_names.plain("result");
            locals.push(Local { name, ty: result, mode: Mode::Result, display: None });
        }
        let subprogram = function.subprogram(source);
        let display = subprogram
            .and_then(|id| source.metadata.subprogram(id))
            .map(|node| source.metadata.text(node.name).to_owned());
        let writes_nothing = function.is_declaration
            && (attributes(source, function).is_some_and(only_reads)
                || crate::library::only_outputs(&function.name));
        let modifies = writes_nothing.then(Vec::new);
        Procedure {
            name: self.procedure_names.distinct(&function.name),
            display: display.filter(|name| !name.is_empty()),
            span: self.nowhere(),
            locals,
            exprs: Exprs::default(),
            contract: Contract { modifies, ..Contract::default() },
            blocks: None,
            points: 0,
            places: Vec::new(),
            forms: Vec::new(),
        }
    }

    /// The procedure that a declared one is when it is given further arguments of these types.
    pub(crate) fn extend(&mut self, id: ProcedureId, types: Vec<Type>) -> ProcedureId {
        if let Some(known) = self.extended.get(&(id, types.clone())) {
            return *known;
        }
        let declared = self.module.procedure(id);
        let mut extended = declared.clone();
        extended.display = Some(declared.display.clone().unwrap_or_else(|| declared.name.clone()));
        extended.name = self.procedure_names.plain(&declared.name);
        let named = declared.locals_with(Mode::Parameter).count();
        let further = (named..).zip(&types).map(|(position, ty)| Local {
            name: format!("further_{position}"),
            ty: ty.clone(),
            mode: Mode::Parameter,
            display: None,
        });
        extended.locals.splice(named..named, further);
        self.module.procedures.push(extended);
        let extended = ProcedureId(self.module.procedures.len() as u32 - 1);
        self.extended.insert((id, types), extended);
        extended
    }

    /// The return type of a function type, if any.
    pub(crate) fn result_of(&mut self, signature: bitcode::TypeId) -> Option<Type> {
        let result = self.source[signature].as_function()?.result;
        match self.source[result] {
            bitcode::Type::Void => None,
            _ => Some(self.ty(result)),
        }
    }
}

/// The attributes of a function itself.
pub(crate) fn attributes<'m>(
    source: &'m bitcode::Module,
    function: &bitcode::Function,
) -> Option<&'m AttributeGroup> {
    source[function.attributes?].function(source)
}

fn only_reads(attributes: &AttributeGroup) -> bool {
    let effects = attributes.memory_effects();
    let writes = effects.arguments.writes || effects.other.writes;
    !writes && !attributes.has(AttributeKind::AllocKind)
}
