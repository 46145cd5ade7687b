//! Types. An opaque type at some types is a sort of its own; a polymorphic map is a record with one
//! map for each instance at which the module uses it.

use ir::{RecordId, RecordType, SortId, Type, VariantId, VariantType};

use super::Lowering;
use super::frame::Frame;
use crate::types::{Ty, TypeId};

impl Lowering<'_, '_, '_> {
    /// The type at the types that the frame has for type parameters.
    pub(super) fn ground(&mut self, frame: &Frame, id: TypeId) -> TypeId {
        if self.types.has_rigid(id) { self.types.substitute(id, &frame.types) } else { id }
    }

    /// The VIR type of a type without variables.
    pub(super) fn ty(&mut self, id: TypeId) -> Type {
        if let Some(ty) = self.lowered_types.get(&id) {
            return ty.clone();
        }
        let ty = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.new_type(id));
        self.lowered_types.insert(id, ty.clone());
        ty
    }

    fn new_type(&mut self, id: TypeId) -> Type {
        match self.types.get(id).clone() {
            Ty::Bool => Type::Bool,
            Ty::Int => Type::Int,
            // There is one word of no bits.
            Ty::Bv(0) => {
                let name = self.type_names.distinct("bv0");
                let constructors = vec![("0bv0".to_owned(), Vec::new())];
                self.variant(name, constructors)
            }
            Ty::Bv(width) => Type::Bv(width),
            Ty::Real | Ty::Float(..) | Ty::RoundingMode | Ty::Text | Ty::RegularExpression => {
                self.sort(id)
            }
            Ty::Constructed(declared, arguments) => {
                self.found.ty(declared, &arguments);
                self.declared_type(id, declared, &arguments)
            }
            Ty::Map(0, keys, value) => {
                let value = self.ty(value);
                // A map without keys has one value, and is that value.
                if keys.is_empty() {
                    return value;
                }
                let keys = keys.iter().map(|key| self.ty(*key)).collect();
                Type::Map(keys, Box::new(value))
            }
            Ty::Map(..) => {
                let shown = self.types.show(id);
                let name = self.type_names.distinct(&shown);
                let record = RecordId(self.module.records.len() as u32);
                self.module.records.push(RecordType { name, fields: Vec::new() });
                self.records.insert(record, Vec::new());
                Type::Record(record)
            }
            // Only what is faulty has these, and that is not lowered.
            Ty::Broken | Ty::Rigid(_) | Ty::Open(_) | Ty::Bound(..) => Type::Int,
        }
    }

    fn sort(&mut self, id: TypeId) -> Type {
        let shown = self.types.show(id);
        let name = self.type_names.distinct(&shown);
        self.module.sorts.push(name);
        Type::Sort(SortId(self.module.sorts.len() as u32 - 1))
    }

    pub(super) fn variant(&mut self, name: String, constructors: Vec<(String, Vec<Type>)>) -> Type {
        self.module.variants.push(VariantType { name, constructors });
        Type::Variant(VariantId(self.module.variants.len() as u32 - 1))
    }

    fn declared_type(&mut self, id: TypeId, declared: usize, arguments: &[TypeId]) -> Type {
        let program = self.program;
        if let ([element], Some(true)) =
            (arguments, program.declared.get(declared).map(|declared| declared.is_sequence))
        {
            return Type::Seq(Box::new(self.ty(*element)));
        }
        let constructors = match program.declared.get(declared) {
            Some(declared) => declared.constructors.as_deref().unwrap_or(&[]),
            None => &[],
        };
        if constructors.is_empty() || self.recursive_types[declared] {
            return self.sort(id);
        }
        let constructors: Vec<(String, Vec<Type>)> = constructors
            .iter()
            .map(|constructor| {
                let fields = constructor
                    .fields
                    .iter()
                    .map(|(_, ty)| {
                        let ty = self.field_type(declared, arguments, *ty);
                        self.ty(ty)
                    })
                    .collect();
                (constructor.name.to_owned(), fields)
            })
            .collect();
        let shown = self.types.show(id);
        let name = self.type_names.distinct(&shown);
        self.variant(name, constructors)
    }

    /// The type of a datatype's field at some type arguments.
    pub(super) fn field_type(
        &mut self,
        declared: usize,
        arguments: &[TypeId],
        ty: TypeId,
    ) -> TypeId {
        let rigid = &self.program.declared[declared].rigid;
        let new = rigid.iter().copied().zip(arguments.iter().copied()).collect();
        self.types.substitute(ty, &new)
    }

    /// The field of the record of a polymorphic map that an instance is, and its type.
    pub(super) fn map_field(
        &mut self,
        frame: &mut Frame,
        map: TypeId,
        instance: &[TypeId],
    ) -> Option<(RecordId, u32, Type)> {
        let Type::Record(record) = self.ty(map) else {
            frame.fail("a polymorphic map");
            return None;
        };
        self.found.map(map, instance);
        let known = self.records.get(&record)?.iter().position(|known| **known == *instance);
        if let Some(index) = known {
            let ty = self.module.records[record.0 as usize].fields[index].1.clone();
            return Some((record, index as u32, ty));
        }
        let Ty::Map(_, keys, value) = self.types.get(map).clone() else { return None };
        let keys = keys.iter().map(|key| self.types.instantiate(*key, instance)).collect();
        let value = self.types.instantiate(value, instance);
        let plain = self.types.intern(Ty::Map(0, keys, value));
        if self.types.is_too_large(plain) {
            frame.fail("a type that is too large");
            return None;
        }
        let ty = self.ty(plain);
        if self.contains(&ty, record) {
            frame.fail("a map that holds itself");
            return None;
        }
        let names: Vec<String> = instance.iter().map(|ty| self.types.show(*ty)).collect();
        let fields = &mut self.module.records[record.0 as usize].fields;
        let mut name = names.join(", ");
        while fields.iter().any(|(other, _)| *other == name) {
            name.push('\'');
        }
        fields.push((name, ty.clone()));
        let index = fields.len() as u32 - 1;
        self.records.entry(record).or_default().push(instance.into());
        Some((record, index, ty))
    }

    /// Whether values of a type contain values of a record.
    fn contains(&self, ty: &Type, record: RecordId) -> bool {
        let mut open = vec![ty];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(ty) = open.pop() {
            match ty {
                Type::Record(id) => {
                    if *id == record {
                        return true;
                    }
                    if seen.insert((true, id.0)) {
                        let fields = &self.module.records[id.0 as usize].fields;
                        open.extend(fields.iter().map(|(_, ty)| ty));
                    }
                }
                Type::Variant(id) => {
                    if seen.insert((false, id.0)) {
                        let constructors = &self.module.variants[id.0 as usize].constructors;
                        open.extend(constructors.iter().flat_map(|(_, types)| types));
                    }
                }
                Type::Map(keys, value) => {
                    open.extend(keys);
                    open.push(value);
                }
                Type::Seq(element) => open.push(element),
                Type::Bool | Type::Bv(_) | Type::Int | Type::Sort(_) | Type::Ptr | Type::Bytes => {}
            }
        }
        false
    }
}
