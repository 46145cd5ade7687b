//! From a resolved program to VIR.
//!
//! VIR has no type parameters, so everything is lowered for the types at which it is used: an *instance*. A
//! formula that quantifies over types is replaced by its instances at the types that the rest of the module
//! uses, which are only known afterwards; so lowering repeats with the instances of the last round until it
//! finds no more.
//!
//! A construct that VIR cannot express is *trouble*: the expression gets some value of its type, and
//! `unsupported` precedes the statement that uses it. An axiom in trouble is left out, and the procedures
//! that may depend on it begin with `unsupported`.

mod assignment;
mod axioms;
mod blocks;
mod builtin;
mod call;
mod contract;
mod datatype;
mod expression;
mod frame;
mod function;
mod instances;
mod literal;
mod names;
mod operator;
mod place;
mod procedure;
mod recursion;
mod statement;
mod taint;
mod types;

use ir::{Exprs, FunctionId, ProcedureId, Span};
use rustc_hash::FxHashMap;

use crate::diagnostics::{Diagnostics, TextRange};
use crate::limits::LOWERING_ROUNDS;
use crate::program::Program;
use crate::types::{TypeId, Types};
use instances::Instances;
use names::Names;

/// Lowers a program. What is not modelled is noted in `diagnostics`.
pub(crate) fn lower(
    program: &mut Program<'_, '_>,
    path: &str,
    diagnostics: &mut Diagnostics,
) -> ir::Module {
    let mut types = std::mem::replace(&mut program.types, Types::new());
    let mut known = Instances::default();
    let declared_types = types.names.len();
    let mut round = 1;
    loop {
        let mut lowering = Lowering::new(program, types, &known, round == LOWERING_ROUNDS);
        lowering.run(path);
        let is_done = !lowering.ranges_over_types
            || lowering.found.is_within(&known)
            || round == LOWERING_ROUNDS;
        let Lowering { module, notes, found, types: returned, .. } = lowering;
        if is_done {
            for (at, note) in notes {
                diagnostics.note(at, note);
            }
            return module;
        }
        known.add(found);
        types = returned;
        types.names.truncate(declared_types);
        round += 1;
    }
}

struct Lowering<'p, 'a, 's> {
    program: &'p Program<'a, 's>,
    types: Types,
    module: ir::Module,
    /// The VIR types of types.
    lowered_types: FxHashMap<TypeId, ir::Type>,
    /// The polymorphic map types that records represent, and the instances that are their fields.
    records: FxHashMap<ir::RecordId, Vec<Box<[TypeId]>>>,
    /// Whether a declared type contains itself.
    recursive_types: Vec<bool>,
    functions: FxHashMap<(usize, Box<[TypeId]>), FunctionId>,
    /// How many instances each function has.
    instance_counts: FxHashMap<usize, usize>,
    /// Synthetic functions, by name.
    made: FxHashMap<String, FunctionId>,
    /// The names of functions and globals, and those of types.
    names: Names,
    type_names: Names,
    /// The constants that real literals are.
    real_literals: Vec<FunctionId>,
    recursive_functions: Vec<bool>,
    /// Whether the definition of a function is a specification.
    specifications: Vec<bool>,
    /// Functions whose meaning we do not know.
    function_trouble: FxHashMap<FunctionId, String>,
    /// Instances of functions whose bodies are still to be lowered.
    open_functions: Vec<(usize, Box<[TypeId]>, FunctionId)>,
    procedures: FxHashMap<(usize, Box<[TypeId]>), ProcedureId>,
    /// Instances of procedures that are still to be lowered.
    open_procedures: Vec<(usize, Box<[TypeId]>, ProcedureId)>,
    procedure_names: Names,
    /// Procedures whose contract is in trouble.
    contract_trouble: FxHashMap<ProcedureId, String>,
    /// Functions of axioms that were left out.
    tainted: FxHashMap<FunctionId, String>,
    /// The lowered nodes, in the frame that is being lowered.
    values: Vec<ir::ExprId>,
    /// The instances of the last round, and those of this one.
    known: &'p Instances,
    found: Instances,
    ranges_over_types: bool,
    /// Whether nothing will come after this round.
    is_last: bool,
    notes: Vec<(TextRange, String)>,
}

impl<'p, 'a, 's> Lowering<'p, 'a, 's> {
    fn new(
        program: &'p Program<'a, 's>,
        types: Types,
        known: &'p Instances,
        is_last: bool,
    ) -> Self {
        let (recursive_functions, specifications) = recursion::functions(program);
        Lowering {
            recursive_types: recursion::types(program, &types),
            program,
            types,
            module: ir::Module::default(),
            lowered_types: FxHashMap::default(),
            records: FxHashMap::default(),
            functions: FxHashMap::default(),
            instance_counts: FxHashMap::default(),
            made: FxHashMap::default(),
            names: Names::default(),
            type_names: Names::default(),
            real_literals: Vec::new(),
            recursive_functions,
            specifications,
            function_trouble: FxHashMap::default(),
            open_functions: Vec::new(),
            procedures: FxHashMap::default(),
            open_procedures: Vec::new(),
            procedure_names: Names::default(),
            contract_trouble: FxHashMap::default(),
            tainted: FxHashMap::default(),
            values: vec![ir::ExprId(0); program.syntax.nodes.len()],
            known,
            found: Instances::default(),
            ranges_over_types: false,
            is_last,
            notes: Vec::new(),
        }
    }

    fn run(&mut self, path: &str) {
        self.module.files.push(ir::SourceFile { path: path.to_owned() });
        self.globals();
        self.declare_functions();
        self.declare_procedures();
        self.lower_procedures();
        self.lower_functions();
        self.axioms();
        self.lower_functions();
        // That constants differ ties nothing to what was left out.
        self.spread();
        self.unique_constants();
        self.taint();
    }

    fn globals(&mut self) {
        let program = self.program;
        for global in &program.globals {
            let ty = self.ty(global.ty);
            let name = self.distinct(global.name.text);
            let display = (name != global.name.text).then(|| global.name.text.to_owned());
            let span = global.name.at.span();
            self.module.globals.push(ir::Global { name, ty, ghost: false, display, span });
        }
    }

    /// A name that no function or global has yet.
    fn distinct(&mut self, name: &str) -> String {
        self.names.distinct(name)
    }

    /// A synthetic function.
    fn make(
        &mut self,
        name: &str,
        parameters: &[ir::Type],
        result: ir::Type,
        span: Span,
    ) -> FunctionId {
        if let Some(id) = self.made.get(name) {
            return *id;
        }
        let id = FunctionId(self.module.functions.len() as u32);
        self.made.insert(name.to_owned(), id);
        let parameters = parameters
            .iter()
            .enumerate()
            .map(|(index, ty)| (format!("x{index}"), ty.clone()))
            .collect();
        let name = self.distinct(name);
        let definition = None;
        self.module.functions.push(ir::Function { name, parameters, result, definition, span });
        id
    }

    fn note(&mut self, at: TextRange, trouble: &str) {
        self.notes.push((at, format!("{trouble} is not modelled")));
    }

    fn add_axiom(&mut self, exprs: Exprs, condition: ir::ExprId, span: Span) {
        self.module.axioms.push(ir::Axiom { exprs, condition, span });
    }
}
