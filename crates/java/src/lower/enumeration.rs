//! Enumerations: their constants are all the objects there are, and no two of them are the same (JLS §8.9).
//!
//! These facts are stated where a procedure mentions any of them. As many atoms as there are constants must
//! exist then, whatever the scope ([`ir::Module::least`]).

use ir::{ExprId, SortId, Type};

use super::Lowering;
use super::body::Body;
use crate::program::{ClassId, FieldId, Program};
use crate::types::Ty;

impl Lowering<'_> {
    /// How many atoms sorts have at least, for the constants that are mentioned somewhere.
    pub(super) fn least(&mut self) -> Vec<(SortId, u32)> {
        let mut fields: Vec<FieldId> = self.fields.keys().copied().collect();
        fields.sort_unstable();
        let mut least: Vec<(SortId, u32)> = Vec::new();
        for class in mentioned_enums(self.program, &fields) {
            let Type::Sort(sort) = self.vir(&Ty::Class(class, Vec::new())) else { continue };
            let count = constants(self.program, class).len() as u32;
            match least.iter_mut().find(|(known, _)| *known == sort) {
                Some((_, known)) => *known += count,
                None => least.push((sort, count)),
            }
        }
        least
    }
}

impl Body<'_, '_> {
    /// The facts about the enumerations that have some of these fields as constants.
    pub(super) fn enumerations_hold(&mut self, fields: &[FieldId]) -> Vec<ExprId> {
        let program = self.cx.program;
        let classes = mentioned_enums(program, fields);
        classes.into_iter().flat_map(|class| self.constants_hold(class)).collect()
    }

    fn constants_hold(&mut self, class: ClassId) -> Vec<ExprId> {
        let own = Ty::Class(class, Vec::new());
        let sort = self.cx.vir(&own);
        let fields = constants(self.cx.program, class);
        let globals: Vec<_> = fields.into_iter().map(|field| self.cx.field(field)).collect();
        let values: Vec<ExprId> = globals.into_iter().map(|global| self.global(global)).collect();
        let mut conditions = Vec::new();
        for (number, value) in values.iter().enumerate() {
            conditions.extend(self.is_typed(*value, &own));
            let is_null = self.is_null(*value);
            conditions.push(self.not(is_null));
            for other in &values[..number] {
                let same = self.equal(*value, *other);
                conditions.push(self.not(same));
            }
        }
        conditions.extend(self.for_all(sort, |body, object| {
            let is_null = body.is_null(object);
            let is_one = body.is_instance(object, &own, &own);
            let mut cases = vec![is_null, body.not(is_one)];
            cases.extend(values.iter().map(|value| body.equal(object, *value)));
            Some(body.any(cases))
        }));
        conditions
    }
}

/// The enumerations that have some of these fields as constants, each once.
fn mentioned_enums(program: &Program<'_>, fields: &[FieldId]) -> Vec<ClassId> {
    let constants = fields.iter().map(|field| program.field(*field));
    let constants = constants.filter(|field| field.constant.is_some());
    let mut classes: Vec<ClassId> = constants.map(|field| field.class).collect();
    classes.sort_unstable();
    classes.dedup();
    classes
}

/// The constants of an enumeration, in order.
fn constants(program: &Program<'_>, class: ClassId) -> Vec<FieldId> {
    let fields = program.class(class).fields.iter().copied();
    let mut constants: Vec<FieldId> =
        fields.filter(|field| program.field(*field).constant.is_some()).collect();
    constants.sort_by_key(|field| program.field(*field).constant);
    constants
}
