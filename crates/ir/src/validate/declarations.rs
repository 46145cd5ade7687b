//! Types, functions, axioms and invariants.

use super::arena::{Arena, Traits};
use super::{Rule, Validator};
use crate::expr::{Binder, Expr, ExprId};
use crate::module::{Axiom, Content, Module};
use crate::types::Type;

/// Names and types of all that the module declares.
pub(super) fn check_types(validator: &mut Validator<'_>) {
    let module = validator.module;
    let sorts = module.sorts.iter().map(|sort| &**sort);
    let records = module.records.iter().map(|record| &*record.name);
    let variants = module.variants.iter().map(|variant| &*variant.name);
    validator.distinct("types", sorts.chain(records).chain(variants));
    for record in &module.records {
        validator.distinct("fields", record.fields.iter().map(|(name, _)| &**name));
        for (_, ty) in &record.fields {
            validator.check_type(ty, false);
        }
    }
    for variant in &module.variants {
        validator.distinct("constructors", variant.constructors.iter().map(|(name, _)| &**name));
        validator.require(!variant.constructors.is_empty(), Rule::Types, || {
            format!("the variant `{}` has no constructor", variant.name)
        });
        for ty in variant.constructors.iter().flat_map(|(_, types)| types) {
            validator.check_type(ty, false);
        }
    }
    let functions = module.functions.iter().map(|function| &*function.name);
    let globals = module.globals.iter().map(|global| &*global.name);
    validator.distinct("functions or globals", functions.chain(globals));
    for function in &module.functions {
        validator.enter(function.span);
        validator.distinct("parameters", function.parameters.iter().map(|(name, _)| &**name));
        for (_, ty) in &function.parameters {
            validator.check_type(ty, false);
        }
        validator.check_type(&function.result, false);
    }
    check_objects(validator);
    for global in &module.globals {
        validator.enter(global.span);
        validator.check_type(&global.ty, true);
    }
    validator.span = None;
    validator.distinct("procedures", module.procedures.iter().map(|procedure| &*procedure.name));
    for procedure in &module.procedures {
        validator.enter(procedure.span);
        for local in &procedure.locals {
            validator.check_type(&local.ty, true);
        }
    }
    validator.span = None;
    if validator.violations.is_empty() {
        check_nesting(validator);
    }
}

/// Static objects have an address each, and their contents lie within them.
fn check_objects(validator: &mut Validator<'_>) {
    let module = validator.module;
    let in_order = module.objects.is_sorted_by(|a, b| a.address < b.address);
    validator.require(in_order, Rule::Objects, || {
        "static objects are in the order of their addresses".to_owned()
    });
    for object in &module.objects {
        let Some(address) = module.functions.get(object.address.0 as usize) else {
            validator.add(Rule::Objects, "a static object has no address".to_owned());
            continue;
        };
        validator.enter(address.span);
        let is_address = address.parameters.is_empty()
            && address.result == Type::Ptr
            && address.definition.is_none();
        validator.require(is_address, Rule::Objects, || {
            format!("`{}` is not the address of an object", address.name)
        });
        let mut end = 0;
        for (offset, part) in object.contents.iter().flatten() {
            let fits = *offset >= end
                && offset.checked_add(part.size()).is_some_and(|end| end <= object.size);
            validator.require(fits, Rule::Objects, || {
                format!("what `{}` holds at {offset} does not fit", address.name)
            });
            end = offset.saturating_add(part.size());
            if let Content::Address(to, _) = part {
                validator.require(module.object_at(*to).is_some(), Rule::Objects, || {
                    format!("`{}` holds the address of no static object", address.name)
                });
            }
        }
    }
}

impl Validator<'_> {
    /// Checks that a type may occur here; byte memory only where that is allowed.
    pub(super) fn check_type(&mut self, ty: &Type, may_be_bytes: bool) {
        if *ty == Type::Bytes && may_be_bytes {
            return;
        }
        if let Err(message) = well_formed(ty, self.module, Type::MAX_DEPTH) {
            self.add(Rule::Types, message);
        }
    }
}

pub(super) fn well_formed(ty: &Type, module: &Module, deeper: usize) -> Result<(), String> {
    let Some(deeper) = deeper.checked_sub(1) else {
        return Err(format!("types nest at most {} deep", Type::MAX_DEPTH));
    };
    let exists = match ty {
        Type::Bool | Type::Int | Type::Ptr => true,
        Type::Bytes => return Err("bytes is the type of a whole variable only".to_owned()),
        Type::Bv(width) => (1..=Type::MAX_WIDTH).contains(width),
        Type::Sort(id) => (id.0 as usize) < module.sorts.len(),
        Type::Record(id) => (id.0 as usize) < module.records.len(),
        Type::Variant(id) => (id.0 as usize) < module.variants.len(),
        Type::Seq(element) => return well_formed(element, module, deeper),
        Type::Map(keys, value) => {
            for part in keys.iter().chain([&**value]) {
                well_formed(part, module, deeper)?;
            }
            !keys.is_empty()
        }
    };
    if exists { Ok(()) } else { Err(format!("there is no type {}", ty.display(module))) }
}

/// Records and variants do not contain themselves.
fn check_nesting(validator: &mut Validator<'_>) {
    let module = validator.module;
    let records = module.records.len();
    let parts = |index: usize| {
        let mut found = Vec::new();
        if index < records {
            module.records[index].fields.iter().for_each(|(_, ty)| named(ty, records, &mut found));
        } else {
            let constructors = &module.variants[index - records].constructors;
            let types = constructors.iter().flat_map(|(_, types)| types);
            types.for_each(|ty| named(ty, records, &mut found));
        }
        found
    };
    let (_, circular) = order(records + module.variants.len(), parts);
    for index in circular {
        let name = match index.checked_sub(records) {
            None => &module.records[index].name,
            Some(variant) => &module.variants[variant].name,
        };
        validator.add(Rule::Types, format!("the type `{name}` contains itself"));
    }
}

fn named(ty: &Type, records: usize, found: &mut Vec<usize>) {
    match ty {
        Type::Record(id) => found.push(id.0 as usize),
        Type::Variant(id) => found.push(records + id.0 as usize),
        Type::Seq(element) => named(element, records, found),
        Type::Map(keys, value) => {
            keys.iter().for_each(|key| named(key, records, found));
            named(value, records, found);
        }
        Type::Bool | Type::Bv(_) | Type::Int | Type::Sort(_) | Type::Ptr | Type::Bytes => {}
    }
}

/// The nodes of a graph in topological order, and those at which a cycle was found.
fn order(count: usize, next: impl Fn(usize) -> Vec<usize>) -> (Vec<usize>, Vec<usize>) {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; count];
    let (mut ordered, mut circular) = (Vec::with_capacity(count), Vec::new());
    for start in 0..count {
        let mut work = vec![(start, false)];
        while let Some((node, is_left)) = work.pop() {
            match states[node] {
                State::Open if is_left => {
                    states[node] = State::Done;
                    ordered.push(node);
                }
                State::New => {
                    states[node] = State::Open;
                    work.push((node, true));
                    for target in next(node) {
                        match states[target] {
                            State::Open => circular.push(target),
                            State::New => work.push((target, false)),
                            State::Done => {}
                        }
                    }
                }
                State::Open | State::Done => {}
            }
        }
    }
    circular.sort_unstable();
    circular.dedup();
    (ordered, circular)
}

/// Definitions, and which of them are specifications.
pub(super) fn check_functions(validator: &mut Validator<'_>) {
    let module = validator.module;
    let count = module.functions.len();
    let applied = |index: usize| {
        let Some((exprs, _)) = &module.functions[index].definition else { return Vec::new() };
        let ids = (0..exprs.len() as u32).map(ExprId);
        ids.filter_map(|id| match exprs.get(id) {
            Expr::Apply(function, _) => Some(function.0 as usize).filter(|index| *index < count),
            _ => None,
        })
        .collect()
    };
    let (ordered, circular) = order(count, applied);
    for index in circular {
        validator.span = Some(module.functions[index].span);
        let name = &module.functions[index].name;
        validator.add(Rule::Recursion, format!("the definition of `{name}` uses `{name}`"));
    }
    validator.specifications = vec![false; count];
    for index in ordered {
        let function = &module.functions[index];
        validator.span = Some(function.span);
        let Some((exprs, root)) = &function.definition else { continue };
        let arity = function.parameters.len();
        let begins = exprs.binders() >= arity
            && (0..).map(Binder).zip(&function.parameters).all(|(binder, (name, ty))| {
                let (bound, bound_type) = exprs.binder(binder);
                bound == name && bound_type == ty
            });
        if !begins {
            let name = &function.name;
            let message = format!("the definition of `{name}` does not begin with its parameters");
            validator.add(Rule::Binding, message);
            continue;
        }
        if let Some(arena) = Arena::check(validator, exprs, &[], &[*root], arity) {
            let allowed = Traits::SPECIFICATION;
            validator.root(&arena, *root, Some(&function.result), allowed, "a definition");
            validator.specifications[index] = arena.traits(*root).has(Traits::SPECIFICATION);
        }
    }
    validator.span = None;
}

/// Axioms and invariants.
pub(super) fn check_conditions(validator: &mut Validator<'_>) {
    let module = validator.module;
    for axiom in &module.axioms {
        check_condition(validator, axiom, Traits::SPECIFICATION, "an axiom");
    }
    for invariant in &module.invariants {
        let allowed = Traits::SPECIFICATION | Traits::GLOBAL | Traits::GHOST;
        check_condition(validator, invariant, allowed, "an invariant");
    }
    validator.span = None;
}

fn check_condition(validator: &mut Validator<'_>, axiom: &Axiom, allowed: Traits, what: &str) {
    validator.enter(axiom.span);
    if let Some(arena) = Arena::check(validator, &axiom.exprs, &[], &[axiom.condition], 0) {
        validator.root(&arena, axiom.condition, Some(&Type::Bool), allowed, what);
    }
}
