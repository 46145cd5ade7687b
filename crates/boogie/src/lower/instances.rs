//! Which types functions, maps and types are used at, and what a formula over types is made for.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::Lowering;
use super::frame::Frame;
use crate::limits::AXIOM_INSTANCES;
use crate::program::Reference;
use crate::syntax::{NodeId, NodeKind};
use crate::types::{Ty, TypeId, Types};

type Arguments = BTreeSet<Box<[TypeId]>>;

/// The uses of symbols, by types.
#[derive(Default)]
pub(super) struct Instances {
    functions: FxHashMap<usize, Arguments>,
    /// Polymorphic maps by their type.
    maps: FxHashMap<TypeId, Arguments>,
    /// Declared types.
    types: FxHashMap<usize, Arguments>,
}

impl Instances {
    pub(super) fn function(&mut self, function: usize, arguments: &[TypeId]) {
        insert(self.functions.entry(function).or_default(), arguments);
    }

    pub(super) fn map(&mut self, map: TypeId, arguments: &[TypeId]) {
        insert(self.maps.entry(map).or_default(), arguments);
    }

    pub(super) fn ty(&mut self, declared: usize, arguments: &[TypeId]) {
        insert(self.types.entry(declared).or_default(), arguments);
    }

    pub(super) fn is_within(&self, other: &Instances) -> bool {
        within(&self.functions, &other.functions)
            && within(&self.maps, &other.maps)
            && within(&self.types, &other.types)
    }

    pub(super) fn add(&mut self, other: Instances) {
        for (key, set) in other.functions {
            self.functions.entry(key).or_default().extend(set);
        }
        for (key, set) in other.maps {
            self.maps.entry(key).or_default().extend(set);
        }
        for (key, set) in other.types {
            self.types.entry(key).or_default().extend(set);
        }
    }
}

fn insert(set: &mut Arguments, arguments: &[TypeId]) {
    if !arguments.is_empty() && !set.contains(arguments) {
        set.insert(arguments.into());
    }
}

fn within<K: std::hash::Hash + Eq>(
    these: &FxHashMap<K, Arguments>,
    those: &FxHashMap<K, Arguments>,
) -> bool {
    these.iter().all(|(key, set)| {
        set.is_empty() || those.get(key).is_some_and(|other| set.is_subset(other))
    })
}

impl Lowering<'_, '_, '_> {
    /// The types that a quantifier's type parameters are to be instantiated with: for each choice
    /// one type per parameter. Nothing if there are too many.
    ///
    /// A parameter gets a type if some function, polymorphic map or declared type that the formula
    /// mentions at a type with this parameter is used at the type that results.
    pub(super) fn choices(&mut self, frame: &Frame, enter: NodeId) -> Option<Vec<Vec<TypeId>>> {
        let program = self.program;
        let NodeKind::Enter(scope) = &program.syntax.nodes[enter as usize].kind else {
            return Some(Vec::new());
        };
        let (rigid, binder_types) = program.meaning.scopes[&enter].clone();
        let mut candidates: Vec<BTreeSet<TypeId>> = vec![BTreeSet::new(); rigid.len()];
        let known = self.known;
        for ty in binder_types {
            self.match_type(frame, ty, &rigid, &mut candidates);
        }
        for node in enter..scope.end {
            let Some(arguments) = program.meaning.instances.get(&node) else { continue };
            let arguments: Vec<TypeId> =
                arguments.iter().map(|ty| self.types.substitute(*ty, &frame.types)).collect();
            let used = match program.meaning.references[node as usize] {
                Reference::Function(index) => known.functions.get(&index),
                Reference::None | Reference::Variable(_) | Reference::Bound(..) => {
                    let map = match &program.syntax.nodes[node as usize].kind {
                        NodeKind::Index(map, _) | NodeKind::Update(map, _, _) => *map,
                        _ => continue,
                    };
                    let ty = program.meaning.types[map as usize];
                    let ty = self.types.substitute(ty, &frame.types);
                    known.maps.get(&ty)
                }
            };
            for instance in used.into_iter().flatten() {
                for (pattern, ty) in arguments.iter().zip(instance.iter()) {
                    match_one(&self.types, *pattern, *ty, &rigid, &mut candidates);
                }
            }
        }
        let mut choices: Vec<Vec<TypeId>> = vec![Vec::new()];
        for candidates in candidates {
            let mut longer = Vec::new();
            for choice in &choices {
                for ty in &candidates {
                    let mut choice = choice.clone();
                    choice.push(*ty);
                    longer.push(choice);
                }
                if longer.len() > AXIOM_INSTANCES {
                    return None;
                }
            }
            choices = longer;
        }
        choices.retain(|choice| choice.iter().all(|ty| !self.types.is_too_large(*ty)));
        Some(choices)
    }

    /// Matches the declared types in the type of a bound variable.
    fn match_type(
        &mut self,
        frame: &Frame,
        ty: TypeId,
        rigid: &[u32],
        candidates: &mut [BTreeSet<TypeId>],
    ) {
        let ty = self.types.substitute(ty, &frame.types);
        if let Ty::Constructed(declared, arguments) = self.types.get(ty).clone() {
            let known = self.known;
            for instance in known.types.get(&declared).into_iter().flatten() {
                for (pattern, ty) in arguments.iter().zip(instance.iter()) {
                    match_one(&self.types, *pattern, *ty, rigid, candidates);
                }
            }
        }
    }
}

/// Adds what the parameters must be for a pattern to be a type.
fn match_one(
    types: &Types,
    pattern: TypeId,
    ty: TypeId,
    rigid: &[u32],
    candidates: &mut [BTreeSet<TypeId>],
) {
    if !types.has_rigid(pattern) {
        return;
    }
    match (types.get(pattern), types.get(ty)) {
        (Ty::Rigid(number), _) => {
            if let Some(index) = rigid.iter().position(|other| other == number)
                && !types.is_loose(ty)
                && !types.has_rigid(ty)
            {
                candidates[index].insert(ty);
            }
        }
        (Ty::Constructed(f, these), Ty::Constructed(g, those)) if f == g => {
            for (pattern, ty) in these.iter().zip(those.iter()) {
                match_one(types, *pattern, *ty, rigid, candidates);
            }
        }
        (Ty::Map(n, these, value), Ty::Map(m, those, other))
            if n == m && these.len() == those.len() =>
        {
            for (pattern, ty) in these.iter().zip(those.iter()) {
                match_one(types, *pattern, *ty, rigid, candidates);
            }
            match_one(types, *value, *other, rigid, candidates);
        }
        _ => {}
    }
}
