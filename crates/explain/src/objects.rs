//! Presentation of state as objects with fields.
//!
//! In a module that is lowered from a language of objects, a map from the atoms of a sort is a field of
//! objects. A map without a display name from atoms to a variant type without arguments gives the class of
//! each object; its first constructor means that there is no such object. Two maps that are displayed as
//! `length` and `elements` make arrays. Words are signed numbers.

use interpret::{Names, Rest, Value};
use ir::{GlobalId, Module, ProcedureId, SortId, Type, Variable};
use report::{Binding, Heap, Object};

use crate::limits::{ARRAY_ELEMENTS, HEAP_OBJECTS};

/// How state is presented.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Presentation {
    /// Maps are maps, words are words.
    #[default]
    Plain,
    /// Maps from atoms are fields of objects, words are signed numbers.
    Objects,
    /// Byte memory is objects that have names and parts; values have the syntax of their forms.
    Memory,
}

/// A state that is presented as objects, and the classes of its objects.
pub struct Objects<'o> {
    module: &'o Module,
    /// The values of state variables from which kinds are read: those at the end know all objects.
    kinds: Vec<(SortId, &'o Value)>,
}

impl<'o> Objects<'o> {
    /// `last` are the values of the state variables at the end of an execution.
    pub fn new(module: &'o Module, last: &'o [Option<Value>]) -> Objects<'o> {
        let mut kinds = Vec::new();
        for (global, value) in module.globals.iter().zip(last) {
            if let (None, Type::Map(keys, to), Some(value)) = (&global.display, &global.ty, value)
                && let ([Type::Sort(sort)], Type::Variant(_)) = (&keys[..], &**to)
            {
                kinds.push((*sort, value));
            }
        }
        Objects { module, kinds }
    }

    /// The kind of an atom, if the module says.
    fn kind(&self, sort: SortId, id: u64) -> Option<&'o str> {
        let (_, map) = self.kinds.iter().find(|(known, _)| *known == sort)?;
        match look_up(map, &[Value::Atom(sort, id)])? {
            Value::Variant(variant, constructor, _) if constructor > 0 => {
                let variant = &self.module.variants[variant.0 as usize];
                Some(&variant.constructors[constructor as usize].0)
            }
            _ => None,
        }
    }

    fn name(&self, sort: SortId, id: u64) -> String {
        let sort_name = &self.module.sorts[sort.0 as usize];
        format!("{}#{id}", self.kind(sort, id).unwrap_or(sort_name))
    }

    /// A value in the syntax of the source.
    pub(crate) fn show(&self, value: &Value) -> String {
        match value {
            Value::Bv(word) => word.to_int().to_string(),
            Value::Atom(_, 0) => "null".to_owned(),
            Value::Atom(sort, id) => self.name(*sort, *id),
            other => other.show(self.module, self).to_string(),
        }
    }

    /// A place in the syntax of the source: `o.f`, `a[i]`.
    pub(crate) fn place(&self, target: &interpret::Target) -> Option<String> {
        let Variable::Global(id) = target.variable else { return None };
        let display = self.module.global(id).display.as_deref()?;
        let [interpret::Step::Index(keys)] = &target.path[..] else { return None };
        match &keys[..] {
            [object @ Value::Atom(..)] => Some(format!("{}.{display}", self.show(object))),
            [array @ Value::Atom(..), index @ Value::Bv(_)] => {
                Some(format!("{}[{}]", self.show(array), self.show(index)))
            }
            _ => None,
        }
    }

    /// The heap that variables lead to in a state. Constants are shown where they are, or lead to, something
    /// that is shown anyway.
    pub fn heap(
        &self,
        when: &str,
        variables: &[(String, Value)],
        constants: &[(String, Value)],
        state: &dyn Fn(GlobalId) -> Option<&'o Value>,
    ) -> Heap {
        let mut open: Vec<(SortId, u64)> = Vec::new();
        let mut bindings: Vec<Binding> = Vec::new();
        let statics = self.module.globals.iter().enumerate().filter_map(|(number, global)| {
            let is_static = matches!(global.ty, Type::Sort(_) | Type::Bool | Type::Bv(_));
            let value = state(GlobalId(number as u32)).filter(|_| is_static)?;
            Some((global.display.clone()?, value.clone()))
        });
        for (name, value) in variables.iter().cloned().chain(statics) {
            open.extend(atom(&value));
            bindings.push(Binding { name, value: self.show(&value) });
        }
        let mut seen: Vec<(SortId, u64)> = Vec::new();
        let mut objects = Vec::new();
        let mut next = 0;
        let mut constants: Vec<&(String, Value)> = constants.iter().collect();
        while objects.len() < HEAP_OBJECTS {
            if next == open.len() {
                let is_met = |it: &(SortId, u64)| {
                    let (sort, id) = *it;
                    let fields = self.fields(sort, id, state);
                    let mut led_to = fields.iter().filter_map(|(_, value)| atom(value));
                    seen.contains(it) || led_to.any(|other| seen.contains(&other))
                };
                let met = constants
                    .iter()
                    .position(|(_, value)| atom(value).is_some_and(|it| is_met(&it)));
                let Some(met) = met else { break };
                let (name, value) = constants.remove(met);
                open.extend(atom(value));
                bindings.push(Binding { name: name.clone(), value: self.show(value) });
                continue;
            }
            let (sort, id) = open[next];
            next += 1;
            if seen.contains(&(sort, id)) {
                continue;
            }
            seen.push((sort, id));
            let fields = self.fields(sort, id, state);
            open.extend(fields.iter().filter_map(|(_, value)| atom(value)));
            let fields = fields
                .iter()
                .map(|(name, value)| Binding { name: name.clone(), value: self.show(value) });
            let kind = self.kind(sort, id).unwrap_or(&self.module.sorts[sort.0 as usize]);
            let (name, kind) = (self.name(sort, id), kind.to_owned());
            objects.push(Object { name, kind, fields: fields.collect() });
        }
        Heap { when: when.to_owned(), variables: bindings, objects }
    }

    /// The fields of an object, or the length and elements of an array. A field that another kind of the sort
    /// declares appears only if it has a value.
    fn fields(
        &self,
        sort: SortId,
        id: u64,
        state: &dyn Fn(GlobalId) -> Option<&'o Value>,
    ) -> Vec<(String, Value)> {
        let key = Value::Atom(sort, id);
        let kind = self.kind(sort, id);
        let is_array = kind.unwrap_or(&self.module.sorts[sort.0 as usize]).ends_with("[]");
        let mut fields = Vec::new();
        let mut length = 0;
        // How long an array is says how many elements it has.
        let mut globals: Vec<(usize, &ir::Global)> =
            self.module.globals.iter().enumerate().collect();
        globals.sort_by_key(|(_, global)| match &global.ty {
            Type::Map(keys, _) => keys.len(),
            _ => 0,
        });
        for (number, global) in globals {
            let Type::Map(keys, to) = &global.ty else { continue };
            let (Some(display), Some(map)) = (&global.display, state(GlobalId(number as u32)))
            else {
                continue;
            };
            match &keys[..] {
                [Type::Sort(of)] if *of == sort => {
                    let Some(value) = look_up(map, std::slice::from_ref(&key)) else { continue };
                    if is_array {
                        length = match &value {
                            Value::Bv(word) => word.small().unwrap_or(0),
                            _ => 0,
                        };
                    }
                    let is_own = kind.is_none_or(|kind| {
                        global.name.strip_prefix(kind).is_some_and(|rest| rest.starts_with('.'))
                    });
                    let is_length = display == "length" && global.name.ends_with(".length");
                    let is_default = value == Value::default_of(to, self.module);
                    if (is_array && is_length) || (!is_array && (is_own || !is_default)) {
                        fields.push((display.clone(), value));
                    }
                }
                [Type::Sort(of), Type::Bv(width)] if *of == sort && is_array => {
                    for index in 0..length.min(ARRAY_ELEMENTS) {
                        let keys = [key.clone(), Value::bv(*width, index)];
                        if let Some(value) = look_up(map, &keys) {
                            fields.push((format!("[{index}]"), value));
                        }
                    }
                }
                _ => {}
            }
        }
        fields
    }
}

impl Names for Objects<'_> {
    fn atom(&self, sort: SortId, id: u64) -> Option<String> {
        Some(self.name(sort, id))
    }

    fn variable(&self, procedure: ProcedureId, variable: Variable) -> Option<String> {
        match variable {
            Variable::Local(id) => self.module.procedure(procedure).local(id).display.clone(),
            Variable::Global(id) => self.module.global(id).display.clone(),
        }
    }
}

/// The value of a map at a key, if the map is known there.
fn look_up(map: &Value, key: &[Value]) -> Option<Value> {
    let Value::Map(map) = map else { return None };
    let found = map.entries().get(key).cloned();
    found.or_else(|| match map.rest() {
        Rest::Is(value) => Some(value.clone()),
        Rest::Unknown(_) => None,
    })
}

fn atom(value: &Value) -> Option<(SortId, u64)> {
    match value {
        Value::Atom(sort, id) if *id > 0 => Some((*sort, *id)),
        _ => None,
    }
}
