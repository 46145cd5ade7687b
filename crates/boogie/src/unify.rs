//! Unification: finding the types that make two types equal.
//!
//! An open variable may be constrained to bit-vectors of a minimum width, or to maps, with the types of the
//! keys and values at which it is read or changed. Which bit-vector or map type it is becomes known later, or
//! never; then the least one is used.
//!
//! Comparison with `==` is more liberal than anything else in Boogie: it is enough that the two
//! types become equal for *some* choice of the type parameters, which is what `could_be_equal`
//! asks.

use rustc_hash::FxHashMap;

use crate::types::{BROKEN, Ty, TypeId, Types};

/// The bindings and constraints of open variables.
#[derive(Default)]
pub(crate) struct Unifier {
    known: Vec<Option<TypeId>>,
    /// The constraints of open variables.
    kinds: Vec<TypeConstraint>,
    /// Concatenations of words: the two sides and the whole.
    sums: Vec<[TypeId; 3]>,
    /// The undo trail, oldest first.
    trail: Vec<TrailEntry>,
}

/// The constraint of an open variable.
#[derive(Clone, PartialEq, Eq, Debug)]
enum TypeConstraint {
    Any,
    /// Bit-vectors of at least this width.
    Word(u32),
    /// Maps with this number of keys, and their accesses: the types of keys and value, each.
    Map(usize, Vec<(Vec<TypeId>, TypeId)>),
}

enum TrailEntry {
    Known(u32),
    /// The earlier constraint of a variable.
    Kind(u32, TypeConstraint),
}

impl Unifier {
    /// Forgets all variables.
    pub(crate) fn clear(&mut self) {
        self.known.clear();
        self.kinds.clear();
        self.sums.clear();
        self.trail.clear();
    }

    pub(crate) fn new_open(&mut self, types: &mut Types) -> TypeId {
        self.known.push(None);
        self.kinds.push(TypeConstraint::Any);
        types.intern(Ty::Open(self.known.len() as u32 - 1))
    }

    /// A type with all that is known of it.
    pub(crate) fn close(&self, types: &mut Types, id: TypeId) -> TypeId {
        if types.has_open(id) { types.close(id, &self.known) } else { id }
    }

    /// A bit-vector type of at least this width, if this one can be that.
    pub(crate) fn word(&mut self, types: &Types, id: TypeId, least: u32) -> bool {
        let id = self.shallow(types, id);
        match *types.get(id) {
            Ty::Bv(width) => width >= least,
            Ty::Open(number) => self.narrow(number, TypeConstraint::Word(least)),
            _ => false,
        }
    }

    /// Makes an open type one of maps that holds such values at such keys, if it can be that.
    pub(crate) fn map(
        &mut self,
        types: &Types,
        id: TypeId,
        keys: Vec<TypeId>,
        value: TypeId,
    ) -> bool {
        match *types.get(self.shallow(types, id)) {
            Ty::Open(number) => {
                self.narrow(number, TypeConstraint::Map(keys.len(), vec![(keys, value)]))
            }
            _ => false,
        }
    }

    /// A description of an open type.
    pub(crate) fn described(&self, types: &Types, id: TypeId) -> Option<String> {
        let Ty::Open(number) = *types.get(self.shallow(types, id)) else { return None };
        match &self.kinds[number as usize] {
            TypeConstraint::Any => None,
            TypeConstraint::Word(least) => Some(format!("a word of {least} bits at least")),
            TypeConstraint::Map(1, _) => Some("a map with 1 key".to_owned()),
            TypeConstraint::Map(keys, _) => Some(format!("a map with {keys} keys")),
        }
    }

    /// The type of two words, one behind the other. Both must be words.
    pub(crate) fn sum(&mut self, types: &mut Types, sides: [TypeId; 2]) -> TypeId {
        let whole = self.new_open(types);
        let least = sides.map(|side| self.least(types, side));
        self.word(types, whole, least[0].saturating_add(least[1]));
        self.sums.push([sides[0], sides[1], whole]);
        self.add_up(types);
        whole
    }

    /// The least width that a type of words can have.
    fn least(&self, types: &Types, id: TypeId) -> u32 {
        match *types.get(self.shallow(types, id)) {
            Ty::Bv(width) => width,
            Ty::Open(number) => match self.kinds[number as usize] {
                TypeConstraint::Word(least) => least,
                TypeConstraint::Any | TypeConstraint::Map(..) => 0,
            },
            _ => 0,
        }
    }

    /// Finds what is left where two of three widths are known. Tells whether all widths add up.
    pub(crate) fn add_up(&mut self, types: &mut Types) -> bool {
        let mut is_right = true;
        let mut again = true;
        while std::mem::take(&mut again) {
            for [left, right, whole] in self.sums.clone() {
                let width = |unifier: &Self, id| match *types.get(unifier.shallow(types, id)) {
                    Ty::Bv(width) => Some(width),
                    _ => None,
                };
                let widths = [left, right, whole].map(|id| width(self, id));
                let found = match widths {
                    [Some(a), Some(b), Some(sum)] => {
                        is_right &= a.saturating_add(b) == sum;
                        None
                    }
                    [Some(a), Some(b), None] => Some((whole, a.checked_add(b))),
                    [Some(a), None, Some(sum)] => Some((right, sum.checked_sub(a))),
                    [None, Some(b), Some(sum)] => Some((left, sum.checked_sub(b))),
                    [None, ..] | [_, None, _] => None,
                };
                if let Some((id, width)) = found {
                    let width = width.filter(|width| *width <= ir::Type::MAX_WIDTH);
                    let word = width.map(|width| types.intern(Ty::Bv(width)));
                    is_right &= word.is_some_and(|word| self.unify(types, id, word));
                    if !is_right {
                        return false;
                    }
                    again = true;
                }
            }
        }
        is_right
    }

    /// Chooses a type for all that is still open: the least word, the plainest map, or a given type.
    pub(crate) fn settle(&mut self, types: &mut Types, ty: TypeId) {
        self.add_up(types);
        for number in 0..self.known.len() {
            if self.known[number].is_some() {
                continue;
            }
            let open = types.intern(Ty::Open(number as u32));
            match self.kinds[number].clone() {
                TypeConstraint::Any => {}
                TypeConstraint::Word(least) => {
                    let word = types.intern(Ty::Bv(least));
                    self.unify(types, open, word);
                    self.add_up(types);
                }
                TypeConstraint::Map(arity, _) => {
                    let keys: Vec<TypeId> = (0..arity).map(|_| self.new_open(types)).collect();
                    let value = self.new_open(types);
                    let plain = types.intern(Ty::Map(0, keys.into(), value));
                    if !self.unify(types, open, plain) {
                        // A map with values of several types at keys of several types.
                        let bound = |types: &mut Types, index| types.intern(Ty::Bound(0, index));
                        let keys = (0..arity as u32).map(|index| bound(types, index)).collect();
                        let value = bound(types, arity as u32);
                        let map = types.intern(Ty::Map(arity as u32 + 1, keys, value));
                        self.unify(types, open, map);
                    }
                }
            }
        }
        for known in &mut self.known {
            known.get_or_insert(ty);
        }
    }

    /// Learns more of an open variable, if that goes with what is known of it.
    fn narrow(&mut self, number: u32, kind: TypeConstraint) -> bool {
        let before = self.kinds[number as usize].clone();
        let both = match (before.clone(), kind) {
            (TypeConstraint::Any, kind) | (kind, TypeConstraint::Any) => kind,
            (TypeConstraint::Word(a), TypeConstraint::Word(b)) => TypeConstraint::Word(a.max(b)),
            (TypeConstraint::Map(a, mut these), TypeConstraint::Map(b, those)) if a == b => {
                these.extend(those);
                TypeConstraint::Map(a, these)
            }
            (
                TypeConstraint::Word(_) | TypeConstraint::Map(..),
                TypeConstraint::Word(_) | TypeConstraint::Map(..),
            ) => return false,
        };
        if both != before {
            self.kinds[number as usize] = both;
            self.trail.push(TrailEntry::Kind(number, before));
        }
        true
    }

    /// The type, as far as its outermost constructor is known.
    pub(crate) fn shallow(&self, types: &Types, mut id: TypeId) -> TypeId {
        while let Ty::Open(number) = types.get(id) {
            match self.known[*number as usize] {
                Some(known) => id = known,
                None => break,
            }
        }
        id
    }

    /// Makes two types equal. If that cannot be, nothing is learnt.
    pub(crate) fn unify(&mut self, types: &mut Types, a: TypeId, b: TypeId) -> bool {
        let mark = self.trail.len();
        let done = self.attempt(types, a, b, None);
        if !done {
            self.undo(mark);
        }
        done
    }

    /// Whether two types are equal for some choice of type parameters.
    pub(crate) fn could_be_equal(&mut self, types: &mut Types, a: TypeId, b: TypeId) -> bool {
        let mark = self.trail.len();
        let done = self.attempt(types, a, b, Some(FxHashMap::default()));
        self.undo(mark);
        done
    }

    fn undo(&mut self, mark: usize) {
        for step in self.trail.drain(mark..).rev() {
            match step {
                TrailEntry::Known(number) => self.known[number as usize] = None,
                TrailEntry::Kind(number, before) => self.kinds[number as usize] = before,
            }
        }
    }

    fn attempt(
        &mut self,
        types: &mut Types,
        a: TypeId,
        b: TypeId,
        mut chosen: Option<FxHashMap<u32, TypeId>>,
    ) -> bool {
        let mut open = vec![(a, b)];
        let mut budget = 100_000_usize;
        while let Some((a, b)) = open.pop() {
            let Some(left) = budget.checked_sub(1) else { return false };
            budget = left;
            let (a, b) = (self.look(types, a, &chosen), self.look(types, b, &chosen));
            if a == b || a == BROKEN || b == BROKEN {
                continue;
            }
            match (types.get(a).clone(), types.get(b).clone()) {
                // A type parameter may be chosen to be any word or map, but is none by itself.
                (Ty::Open(open), Ty::Rigid(number)) | (Ty::Rigid(number), Ty::Open(open))
                    if chosen.is_some() && self.kinds[open as usize] != TypeConstraint::Any =>
                {
                    let other = types.intern(Ty::Open(open));
                    chosen.get_or_insert_default().insert(number, other);
                }
                (Ty::Open(number), _) => match self.set(types, number, a, b) {
                    Some(more) => open.extend(more),
                    None => return false,
                },
                (_, Ty::Open(number)) => match self.set(types, number, b, a) {
                    Some(more) => open.extend(more),
                    None => return false,
                },
                (Ty::Rigid(number), _) if chosen.is_some() && !types.is_loose(b) => {
                    chosen.get_or_insert_default().insert(number, b);
                }
                (_, Ty::Rigid(number)) if chosen.is_some() && !types.is_loose(a) => {
                    chosen.get_or_insert_default().insert(number, a);
                }
                (Ty::Constructed(f, these), Ty::Constructed(g, those))
                    if f == g && these.len() == those.len() =>
                {
                    open.extend(these.iter().copied().zip(those.iter().copied()));
                }
                (Ty::Map(n, these, x), Ty::Map(m, those, y))
                    if n == m && these.len() == those.len() =>
                {
                    open.extend(these.iter().copied().zip(those.iter().copied()));
                    open.push((x, y));
                }
                _ => return false,
            }
        }
        true
    }

    fn look(&self, types: &Types, id: TypeId, chosen: &Option<FxHashMap<u32, TypeId>>) -> TypeId {
        let mut id = self.shallow(types, id);
        if let Some(chosen) = chosen {
            for _ in 0..100 {
                let Ty::Rigid(number) = types.get(id) else { break };
                match chosen.get(number) {
                    Some(other) if *other != id => id = self.shallow(types, *other),
                    _ => break,
                }
            }
        }
        id
    }

    /// Makes an open variable a type: the types that must be equal for that, if it can be.
    fn set(
        &mut self,
        types: &mut Types,
        number: u32,
        variable: TypeId,
        value: TypeId,
    ) -> Option<Vec<(TypeId, TypeId)>> {
        let value = self.close(types, value);
        if types.is_loose(value) || occurs(types, variable, value) {
            return None;
        }
        let mut more = Vec::new();
        match (self.kinds[number as usize].clone(), types.get(value).clone()) {
            (TypeConstraint::Any, _) => {}
            (kind, Ty::Open(other)) => {
                if !self.narrow(other, kind) {
                    return None;
                }
            }
            (TypeConstraint::Word(least), Ty::Bv(width)) if width >= least => {}
            (TypeConstraint::Map(arity, entries), Ty::Map(parameters, keys, held))
                if keys.len() == arity =>
            {
                for (entry_keys, entry_value) in entries {
                    let instance: Vec<TypeId> =
                        (0..parameters).map(|_| self.new_open(types)).collect();
                    for (key, entry_key) in keys.iter().zip(entry_keys) {
                        more.push((types.instantiate(*key, &instance), entry_key));
                    }
                    more.push((types.instantiate(held, &instance), entry_value));
                }
            }
            (TypeConstraint::Word(_) | TypeConstraint::Map(..), _) => return None,
        }
        self.known[number as usize] = Some(value);
        self.trail.push(TrailEntry::Known(number));
        Some(more)
    }
}

/// Whether a variable is part of a type.
fn occurs(types: &Types, variable: TypeId, id: TypeId) -> bool {
    if id == variable {
        return true;
    }
    if !types.has_open(id) {
        return false;
    }
    match types.get(id) {
        Ty::Constructed(_, arguments) => {
            arguments.iter().any(|argument| occurs(types, variable, *argument))
        }
        Ty::Map(_, keys, value) => {
            keys.iter().any(|key| occurs(types, variable, *key)) || occurs(types, variable, *value)
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
        | Ty::Bound(..) => false,
    }
}
