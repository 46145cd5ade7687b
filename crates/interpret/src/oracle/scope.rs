//! Scopes: finite pieces of the infinite types, to choose values from.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use ir::{Module, SortId, Type};

use crate::domain::{Carrier, nth, size};
use crate::memory::Pointer;
use crate::value::Value;

/// Which values an oracle chooses from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scope {
    /// The integers.
    pub integers: RangeInclusive<i64>,
    /// The atoms of each sort other than `null`; a sort that is not listed has `sort_size` of them.
    pub atoms: BTreeMap<SortId, Arc<Vec<u64>>>,
    /// How many atoms other than `null` a sort has.
    pub sort_size: u64,
    /// The greatest length of a sequence.
    pub length: u32,
    /// The pointers other than `null`.
    pub pointers: Vec<Pointer>,
}

impl Default for Scope {
    fn default() -> Scope {
        Scope {
            integers: -2..=2,
            atoms: BTreeMap::new(),
            sort_size: 2,
            length: 2,
            pointers: Vec::new(),
        }
    }
}

impl Scope {
    /// The atoms of a sort other than `null`.
    pub fn atoms(&self, sort: SortId) -> Arc<Vec<u64>> {
        let given = self.atoms.get(&sort).cloned();
        given.unwrap_or_else(|| Arc::new((1..=self.sort_size).collect()))
    }

    /// A value of a type, composed of choices: `choose` gets the number of alternatives of each. Maps are
    /// left unknown, so that the execution requests their entries one by one. None if the type has too many
    /// values, or a choice is not made.
    pub fn pick(
        &self,
        module: &Module,
        ty: &Type,
        choose: &mut dyn FnMut(u64) -> Option<u64>,
    ) -> Option<Value> {
        match ty {
            Type::Map(..) => Value::unknown_map(ty),
            Type::Seq(element) => {
                let length = choose(u64::from(self.length) + 1)?;
                let elements = (0..length).map(|_| self.pick(module, element, choose));
                Some(Value::seq(elements.collect::<Option<Vec<_>>>()?))
            }
            Type::Record(id) => {
                let fields = &module.records[id.0 as usize].fields;
                let values = fields.iter().map(|(_, ty)| self.pick(module, ty, choose));
                Some(Value::record(*id, values.collect::<Option<Vec<_>>>()?))
            }
            Type::Variant(id) => {
                let constructors = &module.variants[id.0 as usize].constructors;
                let constructor = choose(constructors.len() as u64)?;
                let (_, types) = &constructors[constructor as usize];
                let arguments = types.iter().map(|ty| self.pick(module, ty, choose));
                let arguments = arguments.collect::<Option<Vec<_>>>()?;
                Some(Value::variant(*id, constructor as u32, arguments))
            }
            Type::Bool | Type::Bv(_) | Type::Int | Type::Sort(_) | Type::Ptr | Type::Bytes => {
                let within = &mut ScopedTypes { scope: self, module };
                let size = size(within, ty).at_most(u128::from(u64::MAX))?;
                let index = choose(size as u64)?;
                Some(nth(within, ty, u128::from(index)))
            }
        }
    }
}

struct ScopedTypes<'s> {
    scope: &'s Scope,
    module: &'s Module,
}

impl Carrier for ScopedTypes<'_> {
    fn module(&self) -> &Module {
        self.module
    }

    fn atoms(&mut self, sort: SortId) -> Option<Arc<Vec<u64>>> {
        Some(self.scope.atoms(sort))
    }

    fn integers(&self) -> Option<RangeInclusive<i64>> {
        Some(self.scope.integers.clone())
    }

    fn length(&self) -> Option<u32> {
        Some(self.scope.length)
    }

    fn pointers(&self) -> Option<&[Pointer]> {
        Some(&self.scope.pointers)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use ir::{RecordId, RecordType, VariantId, VariantType};

    use super::*;

    fn module() -> Module {
        Module {
            sorts: vec!["S".into()],
            records: vec![RecordType {
                name: "R".into(),
                fields: vec![("a".into(), Type::Bool), ("b".into(), Type::Int)],
            }],
            variants: vec![VariantType {
                name: "V".into(),
                constructors: vec![
                    ("None".into(), vec![]),
                    ("Some".into(), vec![Type::Bv(2), Type::Bool]),
                ],
            }],
            ..Module::default()
        }
    }

    #[test]
    fn every_value_has_one_number() {
        let module = module();
        let scope = Scope { pointers: vec![Pointer::to(1)], ..Scope::default() };
        let seq = |ty| Type::Seq(Box::new(ty));
        let map = |keys, value| Type::Map(keys, Box::new(value));
        let cases = [
            (Type::Bool, 2),
            (Type::Bv(4), 16),
            (Type::Int, 5),
            (Type::Sort(SortId(0)), 3),
            (Type::Ptr, 2),
            (seq(Type::Bool), 7),
            (seq(Type::Sort(SortId(0))), 13),
            (map(vec![Type::Bool], Type::Bv(2)), 16),
            (map(vec![Type::Bool, Type::Sort(SortId(0))], Type::Bool), 64),
            (Type::Record(RecordId(0)), 10),
            (Type::Variant(VariantId(0)), 9),
            (seq(Type::Variant(VariantId(0))), 91),
        ];
        for (ty, expected) in cases {
            let within = &mut ScopedTypes { scope: &scope, module: &module };
            assert_eq!(size(within, &ty).at_most(u128::MAX), Some(expected), "{ty:?}");
            let values: BTreeSet<Value> =
                (0..expected).map(|index| nth(within, &ty, index)).collect();
            assert_eq!(values.len() as u128, expected, "{ty:?}");
            assert!(values.iter().all(|value| value.has_type(&ty, &module)), "{ty:?}");
        }
    }

    #[test]
    fn what_is_too_large_or_not_chosen_is_not_picked() {
        let (module, scope) = (module(), Scope::default());
        assert_eq!(scope.pick(&module, &Type::Bytes, &mut |_| Some(0)), None);
        assert_eq!(scope.pick(&module, &Type::Bv(64), &mut |_| Some(0)), None);
        assert_eq!(scope.pick(&module, &Type::Bool, &mut |_| None), None);
        let largest = scope.pick(&module, &Type::Bv(63), &mut |size| Some(size - 1));
        assert_eq!(largest, Some(Value::bv(63, (1 << 63) - 1)));
    }
}
