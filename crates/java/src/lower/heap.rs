//! The heap as state variables: a map for each field, lengths and elements of arrays, classes of objects.

use ir::{GlobalId, SortId, Type, VariantId, VariantType};

use super::Lowering;
use super::sorts::{Group, Kind};
use crate::diagnostics::span;
use crate::program::{FieldId, Program};
use crate::types::Ty;

/// A state variable without a declaration.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum HeapMap {
    /// From arrays of a sort to their lengths.
    Length(SortId),
    /// From arrays of a sort and indices to elements of a type.
    Elements(SortId, Type),
    /// From objects of a sort to their classes.
    Class(SortId),
    /// From objects to the members of the set that a field of the specification is.
    Members(FieldId),
    /// From objects to the length of the sequence that a field of the specification is.
    Count(FieldId),
    /// From objects and indices to the members of that sequence.
    Item(FieldId),
}

/// The width of an index.
pub(super) const INDEX: Type = Type::Bv(32);

impl Lowering<'_> {
    /// The state variable of a field.
    pub(super) fn field(&mut self, id: FieldId) -> GlobalId {
        if let Some(&known) = self.fields.get(&id) {
            return known;
        }
        let field = self.program.field(id).clone();
        let class = self.program.class(field.class);
        let (owner, file) = (class.name.clone(), class.file);
        let value = self.vir(&field.ty);
        let ty = match field.is_static {
            true => value,
            false => {
                let owner = self.vir(&Ty::Class(field.class, Vec::new()));
                Type::Map(vec![owner], Box::new(value))
            }
        };
        let display = match field.is_static {
            true => format!("{owner}.{}", field.name),
            false => field.name.clone(),
        };
        let name = self.distinct_global(&format!("{owner}.{}", field.name));
        let span = span(file, field.at);
        let ghost = field.spec.is_some();
        let global = self.add_global(ir::Global { name, ty, ghost, display: Some(display), span });
        self.fields.insert(id, global);
        global
    }

    /// The state variable of a heap map.
    pub(super) fn map(&mut self, map: HeapMap) -> GlobalId {
        if let Some(&known) = self.maps.get(&map) {
            return known;
        }
        let sort_name =
            |lowering: &Self, sort: SortId| lowering.module.sorts[sort.0 as usize].clone();
        let (owner, what, ty) = match &map {
            HeapMap::Length(sort) => {
                let ty = Type::Map(vec![Type::Sort(*sort)], Box::new(INDEX));
                (sort_name(self, *sort), "length".to_owned(), ty)
            }
            HeapMap::Elements(sort, element) => {
                let keys = vec![Type::Sort(*sort), INDEX];
                let ty = Type::Map(keys, Box::new(element.clone()));
                (sort_name(self, *sort), "elements".to_owned(), ty)
            }
            HeapMap::Class(sort) => {
                let value = Box::new(Type::Variant(self.classes(*sort)));
                let ty = Type::Map(vec![Type::Sort(*sort)], value);
                (sort_name(self, *sort), "class".to_owned(), ty)
            }
            HeapMap::Members(field) | HeapMap::Count(field) | HeapMap::Item(field) => {
                let declared = self.program.field(*field);
                let owner = self.vir(&Ty::Class(declared.class, Vec::new()));
                let member = self.vir(&declared.ty);
                let (what, keys, value) = match &map {
                    HeapMap::Members(_) => ("members", vec![owner, member], Type::Bool),
                    HeapMap::Count(_) => ("size", vec![owner], INDEX),
                    _ => ("items", vec![owner, INDEX], member),
                };
                let name = self.program.class(declared.class).name.clone();
                let ty = Type::Map(keys, Box::new(value));
                (name, format!("{}.{what}", declared.name), ty)
            }
        };
        let name = self.distinct_global(&format!("{owner}.{what}"));
        // Which class an object has is part of how it is called, and what sets and sequences have in them
        // is no value that is shown.
        let (display, ghost) = match map {
            HeapMap::Elements(..) | HeapMap::Length(_) => (Some(what), false),
            HeapMap::Class(_) => (None, false),
            HeapMap::Count(_) => (Some(what), true),
            HeapMap::Members(_) | HeapMap::Item(_) => (None, true),
        };
        let span = span(0, crate::syntax::TextRange::default());
        let global = self.add_global(ir::Global { name, ty, ghost, display, span });
        self.maps.insert(map, global);
        global
    }

    /// The union of the classes that objects of a sort have.
    pub(super) fn classes(&mut self, sort: SortId) -> VariantId {
        let name = format!("class of {}", self.module.sorts[sort.0 as usize]);
        let known = self.module.variants.iter().position(|variant| variant.name == name);
        let position = known.unwrap_or_else(|| {
            let none = ("none".to_owned(), Vec::new());
            let mut constructors = vec![none];
            for kind in &self.groups[sort.0 as usize].classes {
                let is_taken = |name: &str| constructors.iter().any(|(known, _)| known == name);
                let name = distinct(&kind_name(self.program, kind), is_taken);
                constructors.push((name, Vec::new()));
            }
            self.module.variants.push(VariantType { name, constructors });
            self.module.variants.len() - 1
        });
        VariantId(position as u32)
    }

    fn add_global(&mut self, global: ir::Global) -> GlobalId {
        self.module.globals.push(global);
        GlobalId(self.module.globals.len() as u32 - 1)
    }

    fn distinct_global(&self, name: &str) -> String {
        let is_taken = |name: &str| {
            self.module.globals.iter().any(|global| global.name == name)
                || self.module.functions.iter().any(|function| function.name == name)
        };
        distinct(name, is_taken)
    }
}

/// A name that is not taken, like the given one.
pub(super) fn distinct(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(name) {
        return name.to_owned();
    }
    let numbered = (2..).map(|number| format!("{name}#{number}"));
    numbered.into_iter().find(|name| !is_taken(name)).unwrap_or_default()
}

/// A name for a sort: that of its only class, or of the one from which the others descend.
pub(super) fn sort_name(program: &Program<'_>, group: &Group, taken: &[String]) -> String {
    let is_top = |kind: &&Kind| match kind {
        Kind::Class(id) => group.kinds.iter().all(|other| match other {
            Kind::Class(below) => program.is_subclass(*below, *id),
            Kind::Array(_) => Some(*id) == program.object(),
        }),
        Kind::Array(_) => group.kinds.len() == 1,
    };
    // Objects that have no class of their own are called by their sort.
    let only = match &group.classes[..] {
        [only] if !group.is_numbered => Some(only),
        _ => None,
    };
    let top = only.or_else(|| group.kinds.iter().find(is_top)).or(group.kinds.first());
    let wanted = top.map_or_else(|| "Object".to_owned(), |kind| kind_name(program, kind));
    distinct(&wanted, |name| taken.iter().any(|taken| taken == name))
}

fn kind_name(program: &Program<'_>, kind: &Kind) -> String {
    match kind {
        Kind::Class(id) => program.class(*id).name.clone(),
        Kind::Array(element) => format!("{}[]", program.show(element)),
    }
}
