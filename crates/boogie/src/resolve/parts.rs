//! Parts of values: what maps hold at keys, and the fields of datatypes.

use super::Resolver;
use crate::diagnostics::TextRange;
use crate::syntax::{Name, NodeId};
use crate::types::{BOOL, BROKEN, Ty, TypeId};

/// The types of a map's value and keys, and its type arguments.
pub(super) struct MapTypes {
    pub(super) value: TypeId,
    pub(super) keys: Vec<TypeId>,
    pub(super) instance: Vec<TypeId>,
}

impl<'s> Resolver<'_, 's, '_> {
    /// The type of a map's values at some keys.
    pub(super) fn select(
        &mut self,
        id: NodeId,
        map: NodeId,
        keys: &[NodeId],
        at: TextRange,
    ) -> Option<TypeId> {
        let ty = self.type_of(map);
        if let Ty::Open(_) = self.types.get(ty) {
            return Some(self.select_open(id, ty, map, keys));
        }
        let entry = self.map_value(ty, self.at(map), keys.len(), at)?;
        for (key, ty) in keys.iter().zip(entry.keys) {
            self.expect(*key, ty);
        }
        if !entry.instance.is_empty() {
            self.meaning.instances.insert(id, entry.instance.into());
        }
        Some(entry.value)
    }

    /// The same of a map whose type will turn out later.
    fn select_open(&mut self, id: NodeId, ty: TypeId, map: NodeId, keys: &[NodeId]) -> TypeId {
        let keys: Vec<TypeId> = keys.iter().map(|key| self.meaning.types[*key as usize]).collect();
        self.touched |= keys.iter().any(|key| self.types.is_broken(*key));
        let value = self.unifier.new_open(&mut self.types);
        if !self.unifier.map(&self.types, ty, keys.clone(), value) {
            self.fault(self.at(map), format!("expected a map with {} keys", keys.len()));
            return BROKEN;
        }
        self.open_maps.push((id, ty, keys, value));
        value
    }

    /// Finds the type arguments of maps whose types were open when they were resolved.
    pub(super) fn close_open_maps(&mut self) {
        for (id, ty, keys, value) in std::mem::take(&mut self.open_maps) {
            let ty = self.closed(ty);
            let Ty::Map(parameters, own_keys, own_value) = self.types.get(ty).clone() else {
                continue;
            };
            let instance: Vec<TypeId> =
                (0..parameters).map(|_| self.unifier.new_open(&mut self.types)).collect();
            for (own, key) in own_keys.iter().zip(keys) {
                let own = self.types.instantiate(*own, &instance);
                self.unifier.unify(&mut self.types, own, key);
            }
            let own = self.types.instantiate(own_value, &instance);
            self.unifier.unify(&mut self.types, own, value);
            if parameters > 0 {
                self.meaning.instances.insert(id, instance.into());
            }
        }
    }

    /// The types of a map's value, of its keys, and its type arguments.
    pub(super) fn map_value(
        &mut self,
        ty: TypeId,
        map_at: TextRange,
        given: usize,
        at: TextRange,
    ) -> Option<MapTypes> {
        let ty = self.unifier.shallow(&self.types, ty);
        if ty == BROKEN {
            self.touched = true;
            return None;
        }
        // A map type without further constraints is a plain map.
        if let Ty::Open(_) = self.types.get(ty) {
            let keys: Vec<TypeId> =
                (0..given).map(|_| self.unifier.new_open(&mut self.types)).collect();
            let value = self.unifier.new_open(&mut self.types);
            let map = self.types.intern(Ty::Map(0, keys.clone().into(), value));
            self.unifier.unify(&mut self.types, ty, map);
            return Some(MapTypes { value, keys, instance: Vec::new() });
        }
        let Ty::Map(parameters, keys, value) = self.types.get(ty).clone() else {
            let found = self.shown(ty);
            self.fault(map_at, format!("expected a map, found {found}"));
            return None;
        };
        if keys.len() != given {
            self.fault(at, format!("this map takes {} keys, not {given}", keys.len()));
            return None;
        }
        let instance: Vec<TypeId> =
            (0..parameters).map(|_| self.unifier.new_open(&mut self.types)).collect();
        let keys = keys.iter().map(|key| self.types.instantiate(*key, &instance)).collect();
        let value = self.types.instantiate(value, &instance);
        Some(MapTypes { value, keys, instance })
    }

    /// The type of a field of a datatype's value.
    pub(super) fn field(&mut self, operand: NodeId, name: Name<'s>) -> Option<TypeId> {
        let ty = self.type_of(operand);
        self.field_of(ty, self.at(operand), name)
    }

    pub(super) fn field_of(&mut self, ty: TypeId, at: TextRange, name: Name<'s>) -> Option<TypeId> {
        let (declared, arguments) = self.datatype(ty, at)?;
        let fields: Vec<(&'s str, TypeId)> = self.declared[declared]
            .constructors
            .iter()
            .flatten()
            .flat_map(|constructor| constructor.fields.iter().copied())
            .collect();
        let Some((_, ty)) = fields.iter().find(|(field, _)| *field == name.text) else {
            self.unknown("field", name.text, name.at, fields.iter().map(|(field, _)| *field));
            return None;
        };
        let rigid = self.declared[declared].rigid.clone();
        let new = rigid.into_iter().zip(arguments.iter().copied()).collect();
        Some(self.types.substitute(*ty, &new))
    }

    fn datatype(&mut self, ty: TypeId, at: TextRange) -> Option<(usize, Box<[TypeId]>)> {
        let ty = self.unifier.shallow(&self.types, ty);
        match self.types.get(ty).clone() {
            Ty::Constructed(declared, arguments)
                if self.declared[declared].constructors.is_some() =>
            {
                Some((declared, arguments))
            }
            Ty::Broken => {
                self.touched = true;
                None
            }
            _ => {
                let found = self.shown(ty);
                self.fault(at, format!("expected a value of a datatype, found {found}"));
                None
            }
        }
    }

    pub(super) fn is(&mut self, operand: NodeId, name: Name<'s>) -> TypeId {
        let ty = self.type_of(operand);
        let Some((declared, _)) = self.datatype(ty, self.at(operand)) else { return BROKEN };
        let names: Vec<&'s str> = self.declared[declared]
            .constructors
            .iter()
            .flatten()
            .map(|constructor| constructor.name)
            .collect();
        if !names.contains(&name.text) {
            self.unknown("constructor", name.text, name.at, names.into_iter());
            return BROKEN;
        }
        BOOL
    }
}
