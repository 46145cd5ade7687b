//! The bounds that matter for a procedure: those on constructs that occur in its code or in the code that it calls.
//! A C function without loops has no bound on iterations, and no C function has a scope of atoms.
//!
//! This is a property of the text. It is computed once for a module, from callees to callers.

use ir::{Exprs, Module, Procedure, Type};
use passes::graph::Graph;

/// The bounds that matter for a procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RelevantBounds {
    /// There is a loop.
    pub unroll: bool,
    /// There is a call of a procedure with a body.
    pub inline: bool,
    /// There are values of a sort.
    pub scope: bool,
    /// There are mathematical integers.
    pub int_width: bool,
    /// There are sequences.
    pub sequence: bool,
}

impl RelevantBounds {
    /// Every bound, for a check of which nothing is known.
    pub const ALL: RelevantBounds =
        RelevantBounds { unroll: true, inline: true, scope: true, int_width: true, sequence: true };
    const NONE: RelevantBounds = RelevantBounds {
        unroll: false,
        inline: false,
        scope: false,
        int_width: false,
        sequence: false,
    };

    /// The relevant bounds of each procedure of a module.
    pub(crate) fn of(module: &Module) -> Vec<RelevantBounds> {
        let shared = of_declarations(module);
        let mut all: Vec<RelevantBounds> =
            module.procedures.iter().map(|procedure| own(module, procedure).or(shared)).collect();
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); all.len()];
        for (caller, procedure) in module.procedures.iter().enumerate() {
            for callee in procedure.callees() {
                callers[callee.0 as usize].push(caller);
            }
        }
        let mut changed: Vec<usize> = (0..all.len()).collect();
        while let Some(callee) = changed.pop() {
            for &caller in &callers[callee] {
                let joined = all[caller].or(all[callee]);
                if joined != all[caller] {
                    all[caller] = joined;
                    changed.push(caller);
                }
            }
        }
        all
    }

    fn or(self, other: RelevantBounds) -> RelevantBounds {
        RelevantBounds {
            unroll: self.unroll || other.unroll,
            inline: self.inline || other.inline,
            scope: self.scope || other.scope,
            int_width: self.int_width || other.int_width,
            sequence: self.sequence || other.sequence,
        }
    }

    fn add_type(&mut self, module: &Module, ty: &Type) {
        match ty {
            Type::Int => self.int_width = true,
            Type::Sort(_) => self.scope = true,
            Type::Seq(element) => {
                self.sequence = true;
                self.add_type(module, element);
            }
            Type::Map(keys, value) => {
                keys.iter().for_each(|key| self.add_type(module, key));
                self.add_type(module, value);
            }
            Type::Record(id) => {
                let fields = &module.records[id.0 as usize].fields;
                fields.iter().for_each(|(_, field)| self.add_type(module, field));
            }
            // The cases of a variant may have the variant in them.
            Type::Variant(_) => {
                *self = self.or(RelevantBounds { unroll: false, inline: false, ..Self::ALL });
            }
            Type::Bool | Type::Bv(_) | Type::Ptr | Type::Bytes => {}
        }
    }

    fn add_exprs(&mut self, module: &Module, exprs: &Exprs) {
        exprs.types().for_each(|ty| self.add_type(module, ty));
    }
}

/// The constructs in axioms, invariants and definitions. They matter wherever these are assumed.
fn of_declarations(module: &Module) -> RelevantBounds {
    let mut shared = RelevantBounds::NONE;
    let definitions = module.functions.iter().filter_map(|function| function.definition.as_ref());
    let stated = module.axioms.iter().chain(&module.invariants).map(|axiom| &axiom.exprs);
    for exprs in definitions.map(|(exprs, _)| exprs).chain(stated) {
        shared.add_exprs(module, exprs);
    }
    shared
}

fn own(module: &Module, procedure: &Procedure) -> RelevantBounds {
    let mut own = RelevantBounds::NONE;
    procedure.locals.iter().for_each(|local| own.add_type(module, &local.ty));
    own.add_exprs(module, &procedure.exprs);
    if let Some(blocks) = &procedure.blocks {
        let graph = Graph::new(blocks);
        own.unroll = !graph.loops().is_empty() || !graph.is_reducible();
    }
    own.inline = procedure.callees().any(|callee| module.procedure(callee).blocks.is_some());
    own
}
