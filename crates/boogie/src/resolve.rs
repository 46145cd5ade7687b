//! Names and types: what each name means, what type each expression has, and what is wrong.
//!
//! Declarations are entered first, so that their order does not matter. Then every expression and
//! every body is visited once. What is faulty gets a type that goes with everything, so that a slip
//! is reported once, and whatever has touched it is left out of the program.

mod declarations;
mod expression;
mod names;
mod operator;
mod parts;
mod procedure;
mod statement;
mod trigger;
mod types;

pub(crate) use procedure::distinct_conditions;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostics::{Diagnostics, TextRange};
use crate::program::{
    Function, Global, Procedure, Program, Reference, Resolutions, TypeConstructor,
};
use crate::syntax::{ModuleSyntax, NodeId};
use crate::types::{BROKEN, TypeId, Types};
use crate::unify::Unifier;

/// Resolves a text. What is wrong with it is in `diagnostics`.
pub(crate) fn resolve<'a, 's>(
    syntax: &'a ModuleSyntax<'s>,
    diagnostics: &mut Diagnostics,
) -> Program<'a, 's> {
    let meaning = Resolutions {
        types: vec![BROKEN; syntax.nodes.len()],
        references: vec![Reference::None; syntax.nodes.len()],
        ..Resolutions::default()
    };
    let mut resolver = Resolver {
        syntax,
        diagnostics,
        types: Types::new(),
        type_names: FxHashMap::default(),
        synonyms: Vec::new(),
        declared: Vec::new(),
        functions: Vec::new(),
        function_names: FxHashMap::default(),
        globals: Vec::new(),
        variable_names: FxHashMap::default(),
        procedures: Vec::new(),
        procedure_names: FxHashMap::default(),
        broken: syntax.broken.iter().copied().collect(),
        meaning,
        unifier: Unifier::default(),
        type_scope: FxHashMap::default(),
        bound: FxHashMap::default(),
        locals: FxHashMap::default(),
        local_types: Vec::new(),
        global_assumptions: FxHashSet::default(),
        local_assumptions: FxHashSet::default(),
        gathered: FxHashSet::default(),
        constants: 0,
        context: Context::Nothing,
        touched: false,
        pending: Vec::new(),
        open_maps: Vec::new(),
        sums: Vec::new(),
    };
    resolver.declare_types();
    resolver.declare_functions();
    resolver.declare_globals();
    resolver.declare_procedures();
    resolver.parents();
    resolver.attributes();
    resolver.function_bodies();
    resolver.expansions();
    let axioms = resolver.axioms();
    resolver.global_conditions();
    resolver.procedure_bodies();
    Program {
        syntax,
        types: resolver.types,
        declared: resolver.declared,
        functions: resolver.functions,
        globals: resolver.globals,
        axioms,
        procedures: resolver.procedures,
        meaning: resolver.meaning,
    }
}

/// What an expression may mention besides functions and constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Context {
    Nothing,
    /// The state now.
    State,
    /// The state now and at the start of the procedure.
    TwoStates,
}

/// The meaning of a type's name.
#[derive(Clone, Copy)]
enum NamedType {
    /// A declared type, and how many types it takes.
    Declared(usize, usize),
    Synonym(usize),
}

/// A synonym, which is resolved when it is first used.
enum Synonym {
    /// Its place among the declarations.
    New(usize),
    /// Being resolved; meeting it again means that the definition is cyclic.
    Open,
    Known(Vec<u32>, TypeId),
}

/// The meaning of a name with a value, outside procedures.
#[derive(Clone, Copy)]
enum NamedValue {
    Global(usize),
    Constant(usize),
}

struct Resolver<'a, 's, 'f> {
    syntax: &'a ModuleSyntax<'s>,
    diagnostics: &'f mut Diagnostics,
    types: Types,
    type_names: FxHashMap<&'s str, NamedType>,
    synonyms: Vec<Synonym>,
    declared: Vec<TypeConstructor<'s>>,
    functions: Vec<Function<'s>>,
    /// Functions by name; a map of owned names, as `f#C` is written nowhere.
    function_names: FxHashMap<String, usize>,
    globals: Vec<Global<'s>>,
    variable_names: FxHashMap<&'s str, NamedValue>,
    procedures: Vec<Procedure<'a, 's>>,
    procedure_names: FxHashMap<&'s str, usize>,
    /// Names whose declarations are faulty, which has been reported.
    broken: FxHashSet<&'s str>,
    meaning: Resolutions,
    unifier: Unifier,
    /// The type parameters in scope.
    type_scope: FxHashMap<&'s str, Vec<TypeId>>,
    /// The bound variables in scope.
    bound: FxHashMap<&'s str, Vec<(NodeId, u32, TypeId)>>,
    /// The variables of the procedure.
    locals: FxHashMap<&'s str, usize>,
    local_types: Vec<TypeId>,
    /// The variables of the program that gather assumptions, and those of the procedure.
    global_assumptions: FxHashSet<&'s str>,
    local_assumptions: FxHashSet<&'s str>,
    /// The variables that have gathered one; those of a procedure until it ends.
    gathered: FxHashSet<(Option<usize>, &'s str)>,
    /// How many of these cannot be assigned: the parameters.
    constants: usize,
    context: Context,
    /// Whether an error was met since this was last reset.
    touched: bool,
    /// Expressions whose types have open variables.
    pending: Vec<(NodeId, NodeId)>,
    /// Where maps of open types are read or changed: their types, and those of keys and value.
    open_maps: Vec<(NodeId, TypeId, Vec<TypeId>, TypeId)>,
    /// The concatenations of bit-vectors.
    sums: Vec<TextRange>,
}

impl<'s> Resolver<'_, 's, '_> {
    fn fault(&mut self, at: TextRange, message: impl Into<String>) {
        self.touched = true;
        self.diagnostics.add(at, message);
    }

    /// Runs an action and returns whether it met no error.
    fn soundly<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let before = self.diagnostics.count();
        let touched = std::mem::replace(&mut self.touched, false);
        let result = act(self);
        let sound = !self.touched && self.diagnostics.count() == before;
        self.touched = touched;
        (result, sound)
    }

    /// Reports a name that means nothing, unless its declaration has been reported.
    fn unknown<'n>(
        &mut self,
        what: &str,
        name: &str,
        at: TextRange,
        others: impl Iterator<Item = &'n str>,
    ) {
        self.touched = true;
        if self.broken.contains(name) {
            return;
        }
        let message = format!("there is no {what} `{name}`");
        match names::nearest(name, others) {
            Some(nearest) => {
                self.diagnostics.add_with(at, message, format!("did you mean `{nearest}`?"));
            }
            None => self.diagnostics.add(at, message),
        }
    }

    fn twice(&mut self, what: &str, name: &str, at: TextRange) {
        self.fault(at, format!("duplicate name `{name}` among {what}"));
    }
}
