//! Unification: finding the types that make two types equal.
//!
//! Comparison with `==` is more liberal than anything else in Boogie: it is enough that the two
//! types become equal for *some* choice of the type parameters, which is what `could_be_equal`
//! asks.

use rustc_hash::FxHashMap;

use crate::types::{BROKEN, Ty, TypeId, Types};

/// What is known of open variables.
#[derive(Default)]
pub(crate) struct Unifier {
    known: Vec<Option<TypeId>>,
    /// The variables that became known, oldest first.
    trail: Vec<u32>,
}

impl Unifier {
    /// Forgets all variables.
    pub(crate) fn clear(&mut self) {
        self.known.clear();
        self.trail.clear();
    }

    pub(crate) fn new_open(&mut self, types: &mut Types) -> TypeId {
        self.known.push(None);
        types.intern(Ty::Open(self.known.len() as u32 - 1))
    }

    /// A type with all that is known of it.
    pub(crate) fn close(&self, types: &mut Types, id: TypeId) -> TypeId {
        if types.has_open(id) { types.close(id, &self.known) } else { id }
    }

    /// Makes all that is still open the same type.
    pub(crate) fn default_to(&mut self, ty: TypeId) {
        for known in &mut self.known {
            known.get_or_insert(ty);
        }
    }

    /// What a type is, as far as its outermost part is known.
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
        for number in self.trail.drain(mark..) {
            self.known[number as usize] = None;
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
                (Ty::Open(number), _) => {
                    if !self.set(types, number, a, b) {
                        return false;
                    }
                }
                (_, Ty::Open(number)) => {
                    if !self.set(types, number, b, a) {
                        return false;
                    }
                }
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

    fn set(&mut self, types: &mut Types, number: u32, variable: TypeId, value: TypeId) -> bool {
        let value = self.close(types, value);
        if types.is_loose(value) || occurs(types, variable, value) {
            return false;
        }
        self.known[number as usize] = Some(value);
        self.trail.push(number);
        true
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
