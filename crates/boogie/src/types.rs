//! Types as terms: each is stored once, so that equal types have equal numbers.
//!
//! A term may have *rigid* variables, the type parameters of declarations and quantifiers, which
//! are numbered through the whole text; *open* variables, which unification determines; and, below
//! a polymorphic map, *bound* ones, which count the maps between them and their own.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use crate::limits::TYPE_SIZE;

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct TypeId(pub(crate) u32);

/// The kinds of types.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Ty {
    /// The type of what is faulty; it goes with everything.
    Broken,
    Bool,
    Int,
    Real,
    Bv(u32),
    /// Significand and exponent.
    Float(u32, u32),
    RoundingMode,
    Text,
    RegularExpression,
    /// A declared type applied to types.
    Constructed(usize, Box<[TypeId]>),
    /// The number of type parameters, keys, value.
    Map(u32, Box<[TypeId]>, TypeId),
    Rigid(u32),
    Open(u32),
    /// How many polymorphic maps are between, and which parameter.
    Bound(u32, u32),
}

/// Cached properties of a type.
#[derive(Clone, Copy)]
struct TypeFacts {
    depth: u32,
    size: u32,
    open: bool,
    rigid: bool,
    broken: bool,
    /// How many polymorphic maps must be around it.
    bound: u32,
}

/// All types of a text.
pub(crate) struct Types {
    list: Vec<(Ty, TypeFacts)>,
    known: FxHashMap<Ty, TypeId>,
    /// The names of rigid variables.
    pub(crate) rigid: Vec<String>,
    /// The names of declared types.
    pub(crate) names: Vec<String>,
}

pub(crate) const BROKEN: TypeId = TypeId(0);
pub(crate) const BOOL: TypeId = TypeId(1);
pub(crate) const INT: TypeId = TypeId(2);
pub(crate) const REAL: TypeId = TypeId(3);

impl Types {
    pub(crate) fn new() -> Types {
        let mut types = Types {
            list: Vec::new(),
            known: FxHashMap::default(),
            rigid: Vec::new(),
            names: Vec::new(),
        };
        for ty in [Ty::Broken, Ty::Bool, Ty::Int, Ty::Real] {
            types.intern(ty);
        }
        types
    }

    pub(crate) fn get(&self, id: TypeId) -> &Ty {
        &self.list[id.0 as usize].0
    }

    pub(crate) fn intern(&mut self, ty: Ty) -> TypeId {
        if let Some(id) = self.known.get(&ty) {
            return *id;
        }
        let mut facts =
            TypeFacts { depth: 1, size: 1, open: false, rigid: false, broken: false, bound: 0 };
        match &ty {
            Ty::Broken => facts.broken = true,
            Ty::Rigid(_) => facts.rigid = true,
            Ty::Open(_) => facts.open = true,
            Ty::Bound(depth, _) => facts.bound = depth + 1,
            Ty::Constructed(_, arguments) => self.gather(&mut facts, arguments),
            Ty::Map(parameters, keys, value) => {
                self.gather(&mut facts, keys);
                self.gather(&mut facts, &[*value]);
                facts.bound = facts.bound.saturating_sub(u32::from(*parameters > 0));
            }
            Ty::Bool
            | Ty::Int
            | Ty::Real
            | Ty::Bv(_)
            | Ty::Float(..)
            | Ty::RoundingMode
            | Ty::Text
            | Ty::RegularExpression => {}
        }
        let id = TypeId(self.list.len() as u32);
        self.list.push((ty.clone(), facts));
        self.known.insert(ty, id);
        id
    }

    fn gather(&self, facts: &mut TypeFacts, parts: &[TypeId]) {
        for part in parts {
            let part = self.facts(*part);
            facts.depth = facts.depth.max(part.depth.saturating_add(1));
            facts.size = facts.size.saturating_add(part.size);
            facts.open |= part.open;
            facts.rigid |= part.rigid;
            facts.broken |= part.broken;
            facts.bound = facts.bound.max(part.bound);
        }
    }

    fn facts(&self, id: TypeId) -> TypeFacts {
        self.list[id.0 as usize].1
    }

    pub(crate) fn has_open(&self, id: TypeId) -> bool {
        self.facts(id).open
    }

    pub(crate) fn has_rigid(&self, id: TypeId) -> bool {
        self.facts(id).rigid
    }

    pub(crate) fn is_broken(&self, id: TypeId) -> bool {
        self.facts(id).broken
    }

    /// Whether a type refers to a parameter of a polymorphic map around it.
    pub(crate) fn is_loose(&self, id: TypeId) -> bool {
        self.facts(id).bound > 0
    }

    /// Whether a type is larger or deeper than VIR takes it.
    pub(crate) fn is_too_large(&self, id: TypeId) -> bool {
        let facts = self.facts(id);
        facts.size > TYPE_SIZE || facts.depth as usize > ir::Type::MAX_DEPTH - 2
    }

    /// A new type parameter.
    pub(crate) fn new_rigid(&mut self, name: &str) -> (u32, TypeId) {
        self.rigid.push(name.to_owned());
        let number = self.rigid.len() as u32 - 1;
        (number, self.intern(Ty::Rigid(number)))
    }

    /// A type with other types for some of its rigid variables.
    pub(crate) fn substitute(&mut self, id: TypeId, new: &FxHashMap<u32, TypeId>) -> TypeId {
        let find = |ty: &Ty| match ty {
            Ty::Rigid(number) => new.get(number).copied(),
            _ => None,
        };
        self.replace(id, false, &find, &mut FxHashMap::default())
    }

    /// A type with what is known of its open variables.
    pub(crate) fn close(&mut self, id: TypeId, known: &[Option<TypeId>]) -> TypeId {
        let find = |ty: &Ty| match ty {
            Ty::Open(number) => known.get(*number as usize).copied().flatten(),
            _ => None,
        };
        self.replace(id, true, &find, &mut FxHashMap::default())
    }

    /// The parameters of the outermost polymorphic map replaced in a part of it.
    pub(crate) fn instantiate(&mut self, part: TypeId, arguments: &[TypeId]) -> TypeId {
        if arguments.is_empty() {
            return part;
        }
        let mut done = FxHashMap::default();
        self.instantiate_below(part, 0, arguments, &mut done)
    }

    fn instantiate_below(
        &mut self,
        id: TypeId,
        depth: u32,
        arguments: &[TypeId],
        done: &mut FxHashMap<(TypeId, u32), TypeId>,
    ) -> TypeId {
        if self.facts(id).bound <= depth {
            return id;
        }
        if let Some(known) = done.get(&(id, depth)) {
            return *known;
        }
        let new = match self.get(id).clone() {
            Ty::Bound(at, index) if at == depth => {
                arguments.get(index as usize).copied().unwrap_or(BROKEN)
            }
            Ty::Constructed(name, parts) => {
                let parts = parts
                    .iter()
                    .map(|part| self.instantiate_below(*part, depth, arguments, done))
                    .collect();
                self.intern(Ty::Constructed(name, parts))
            }
            Ty::Map(parameters, keys, value) => {
                let depth = depth + u32::from(parameters > 0);
                let keys = keys
                    .iter()
                    .map(|key| self.instantiate_below(*key, depth, arguments, done))
                    .collect();
                let value = self.instantiate_below(value, depth, arguments, done);
                self.intern(Ty::Map(parameters, keys, value))
            }
            Ty::Broken
            | Ty::Bool
            | Ty::Int
            | Ty::Real
            | Ty::Bv(_)
            | Ty::Float(..)
            | Ty::RoundingMode
            | Ty::Text
            | Ty::RegularExpression
            | Ty::Rigid(_)
            | Ty::Open(_)
            | Ty::Bound(..) => id,
        };
        done.insert((id, depth), new);
        new
    }

    /// Replaces variables, and if requested also those in the replacements.
    fn replace(
        &mut self,
        id: TypeId,
        again: bool,
        new: &dyn Fn(&Ty) -> Option<TypeId>,
        done: &mut FxHashMap<TypeId, TypeId>,
    ) -> TypeId {
        let facts = self.facts(id);
        if !facts.rigid && !facts.open {
            return id;
        }
        if let Some(known) = done.get(&id) {
            return *known;
        }
        let ty = self.get(id).clone();
        let result = match new(&ty) {
            Some(other) if again => self.replace(other, again, new, done),
            Some(other) => other,
            None => match ty {
                Ty::Constructed(name, parts) => {
                    let parts =
                        parts.iter().map(|part| self.replace(*part, again, new, done)).collect();
                    self.intern(Ty::Constructed(name, parts))
                }
                Ty::Map(parameters, keys, value) => {
                    let keys =
                        keys.iter().map(|key| self.replace(*key, again, new, done)).collect();
                    let value = self.replace(value, again, new, done);
                    self.intern(Ty::Map(parameters, keys, value))
                }
                Ty::Broken
                | Ty::Bool
                | Ty::Int
                | Ty::Real
                | Ty::Bv(_)
                | Ty::Float(..)
                | Ty::RoundingMode
                | Ty::Text
                | Ty::RegularExpression
                | Ty::Rigid(_)
                | Ty::Open(_)
                | Ty::Bound(..) => id,
            },
        };
        done.insert(id, result);
        result
    }

    /// A type as Boogie writes it, cut short if it is long.
    pub(crate) fn show(&self, id: TypeId) -> String {
        let mut text = String::new();
        self.write(id, false, 0, &mut text);
        text
    }

    fn write(&self, id: TypeId, as_argument: bool, level: u32, text: &mut String) {
        if text.len() > 20_000 {
            return;
        }
        match self.get(id) {
            Ty::Broken => text.push('?'),
            Ty::Bool => text.push_str("bool"),
            Ty::Int => text.push_str("int"),
            Ty::Real => text.push_str("real"),
            Ty::Bv(width) => _ = write!(text, "bv{width}"),
            Ty::Float(significand, exponent) => _ = write!(text, "float{significand}e{exponent}"),
            Ty::RoundingMode => text.push_str("rmode"),
            Ty::Text => text.push_str("string"),
            Ty::RegularExpression => text.push_str("regex"),
            Ty::Rigid(number) => text.push_str(&self.rigid[*number as usize]),
            Ty::Open(_) => text.push('_'),
            Ty::Bound(depth, index) => {
                _ = write!(text, "a{}", (level.saturating_sub(depth + 1)) * 10 + index);
            }
            Ty::Constructed(name, arguments) => {
                let parenthesised = as_argument && !arguments.is_empty();
                text.push_str(if parenthesised { "(" } else { "" });
                text.push_str(&self.names[*name]);
                for argument in arguments {
                    text.push(' ');
                    self.write(*argument, true, level, text);
                }
                text.push_str(if parenthesised { ")" } else { "" });
            }
            Ty::Map(parameters, keys, value) => {
                text.push_str(if as_argument { "(" } else { "" });
                let inner = level + u32::from(*parameters > 0);
                if *parameters > 0 {
                    let names: Vec<String> =
                        (0..*parameters).map(|index| format!("a{}", level * 10 + index)).collect();
                    _ = write!(text, "<{}>", names.join(", "));
                }
                text.push('[');
                for (index, key) in keys.iter().enumerate() {
                    text.push_str(if index > 0 { ", " } else { "" });
                    self.write(*key, false, inner, text);
                }
                text.push(']');
                self.write(*value, false, inner, text);
                text.push_str(if as_argument { ")" } else { "" });
            }
        }
    }
}
