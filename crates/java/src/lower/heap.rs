//! The heap as state variables: a map for each field, lengths and elements of arrays, classes of objects.

use ir::{GlobalId, SortId, Type, VariantId, VariantType};

use super::Lowering;
use super::sorts::{Group, Kind};
use crate::faults::span;
use crate::program::{FieldId, Program};
use crate::types::Ty;

/// A state variable that no declaration stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Map {
    /// From arrays of a sort to their lengths.
    Length(SortId),
    /// From arrays of a sort and indices to elements of a type.
    Elements(SortId, Type),
    /// From objects of a sort to their classes.
    Class(SortId),
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
        let global =
            self.add_global(ir::Global { name, ty, ghost: false, display: Some(display), span });
        self.fields.insert(id, global);
        global
    }

    /// A state variable that no declaration stands for.
    pub(super) fn map(&mut self, map: Map) -> GlobalId {
        if let Some(&known) = self.maps.get(&map) {
            return known;
        }
        let (sort, what, ty) = match &map {
            Map::Length(sort) => {
                (*sort, "length", Type::Map(vec![Type::Sort(*sort)], Box::new(INDEX)))
            }
            Map::Elements(sort, element) => {
                let keys = vec![Type::Sort(*sort), INDEX];
                (*sort, "elements", Type::Map(keys, Box::new(element.clone())))
            }
            Map::Class(sort) => {
                let value = Box::new(Type::Variant(self.classes(*sort)));
                (*sort, "class", Type::Map(vec![Type::Sort(*sort)], value))
            }
        };
        let owner = self.module.sorts[sort.0 as usize].clone();
        let name = self.distinct_global(&format!("{owner}.{what}"));
        // Which class an object has is part of how it is called.
        let display = match map {
            Map::Elements(..) | Map::Length(_) => Some(what.to_owned()),
            Map::Class(_) => None,
        };
        let span = span(0, crate::syntax::At::default());
        let global = self.add_global(ir::Global { name, ty, ghost: false, display, span });
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
