//! Statements, places, calls and exits.

use super::arena::{Arena, Traits};
use super::{Rule, Validator};
use crate::address::ADDRESS_BITS;
use crate::expr::ExprId;
use crate::module::ProcedureId;
use crate::procedure::{Mode, Procedure};
use crate::statement::{Allocation, Callee, Exit, Place, Projection, StatementKind, Variable};
use crate::types::Type;
use crate::typing::viewable;

impl Validator<'_> {
    pub(super) fn statement(
        &mut self,
        procedure: &Procedure,
        arena: &Arena<'_>,
        kind: &StatementKind,
    ) {
        match kind {
            StatementKind::Assign(pairs) => {
                self.require(!pairs.is_empty(), Rule::Statements, || {
                    "an assignment assigns nothing".to_owned()
                });
                for (place, value) in pairs {
                    let (ty, ghost) = self.target(procedure, arena, place);
                    let allowed = if ghost { Traits::ANY } else { Traits::CODE };
                    self.root(arena, *value, ty.as_ref(), allowed, "an assigned value");
                }
            }
            StatementKind::Havoc { place, condition, reason: _ } => {
                let (_, ghost) = self.target(procedure, arena, place);
                let allowed = if ghost { Traits::ANY } else { Traits::ANY.without(Traits::GHOST) };
                if let Some(condition) = condition {
                    let what = "the condition of a havoc";
                    self.root(arena, *condition, Some(&Type::Bool), allowed, what);
                }
            }
            StatementKind::Assume { condition, reason: _ } => {
                self.root(arena, *condition, Some(&Type::Bool), Traits::ANY, "an assumption");
            }
            StatementKind::Assert { condition, kind: _, message: _ } => {
                self.root(arena, *condition, Some(&Type::Bool), Traits::ANY, "an assertion");
            }
            StatementKind::Allocate { place, allocation } => {
                let (ty, _) = self.target(procedure, arena, place);
                let allocated = match allocation {
                    Allocation::Atom(sort) => Type::Sort(*sort),
                    Allocation::Object { size, storage: _, may_fail: _ } => {
                        let word = Type::Bv(ADDRESS_BITS);
                        self.root(arena, *size, Some(&word), Traits::CODE, "the size of an object");
                        Type::Ptr
                    }
                };
                let fits = ty.is_none_or(|ty| ty == allocated);
                self.require(fits, Rule::Statements, || {
                    "what is allocated does not fit its place".to_owned()
                });
            }
            StatementKind::Free(pointer) => {
                self.root(arena, *pointer, Some(&Type::Ptr), Traits::CODE, "what is freed");
            }
            StatementKind::Call { results, callee, arguments, caught } => {
                self.call(procedure, arena, results, callee, arguments);
                if let Some((thrown, value)) = caught {
                    let (ty, _) = self.target(procedure, arena, thrown);
                    let fits = ty.is_none_or(|ty| ty == Type::Bool);
                    self.require(fits, Rule::Calls, || {
                        "what notes an exception is no truth value".to_owned()
                    });
                    if let Some(value) = value
                        && let (Some(ty), _) = self.target(procedure, arena, value)
                    {
                        self.exception(&ty);
                    }
                }
            }
            StatementKind::Unsupported { what: _, writes } => {
                for place in writes {
                    self.target(procedure, arena, place);
                }
            }
        }
    }

    pub(super) fn exit(&mut self, arena: &Arena<'_>, exit: &Exit) {
        match exit {
            Exit::Normal | Exit::Exceptional(None) | Exit::Intended(_) | Exit::Cut(_) => {}
            Exit::Exceptional(Some(value)) => {
                self.root(arena, *value, None, Traits::CODE, "the value of an exception");
                self.exception(arena.exprs.ty(*value));
            }
        }
    }

    fn exception(&mut self, ty: &Type) {
        let known = self.thrown.get_or_insert_with(|| ty.clone()).clone();
        self.require(known == *ty, Rule::Exceptions, || {
            "exceptions have values of different types".to_owned()
        });
    }

    /// A place that is written: its type, and whether it is ghost.
    fn target(
        &mut self,
        procedure: &Procedure,
        arena: &Arena<'_>,
        place: &Place,
    ) -> (Option<Type>, bool) {
        let ghost = match place.variable {
            Variable::Global(id) => {
                self.module.globals.get(id.0 as usize).is_some_and(|global| global.ghost)
            }
            Variable::Local(id) => {
                let local = procedure.locals.get(id.0 as usize);
                local.is_some_and(|local| local.mode == Mode::Ghost)
            }
        };
        let allowed = if ghost { Traits::ANY } else { Traits::CODE };
        (self.place(procedure, arena, place, allowed), ghost)
    }

    /// The type of a place, if it is one.
    pub(super) fn place(
        &mut self,
        procedure: &Procedure,
        arena: &Arena<'_>,
        place: &Place,
        allowed: Traits,
    ) -> Option<Type> {
        let variable = match place.variable {
            Variable::Global(id) => self.module.globals.get(id.0 as usize).map(|v| &v.ty),
            Variable::Local(id) => procedure.locals.get(id.0 as usize).map(|v| &v.ty),
        };
        let Some(ty) = variable else {
            self.add(Rule::Places, "a place begins at no variable");
            return None;
        };
        let mut ty = ty.clone();
        for projection in &place.path {
            let next = self.step(arena, projection, &ty, allowed);
            match next {
                Ok(next) => ty = next,
                Err(message) => {
                    self.add(Rule::Places, message);
                    return None;
                }
            }
        }
        Some(ty)
    }

    fn step(
        &mut self,
        arena: &Arena<'_>,
        projection: &Projection,
        ty: &Type,
        allowed: Traits,
    ) -> Result<Type, String> {
        match (projection, ty) {
            (Projection::Field(id, index), Type::Record(record)) if id == record => {
                let fields = &self.module.records[id.0 as usize].fields;
                let field = fields.get(*index as usize);
                field.map(|(_, ty)| ty.clone()).ok_or_else(|| "there is no such field".to_owned())
            }
            (Projection::Index(keys), Type::Map(types, value)) => {
                if keys.len() != types.len() {
                    return Err(format!("a place has {} keys", keys.len()));
                }
                for (key, ty) in keys.iter().zip(types) {
                    self.root(arena, *key, Some(ty), allowed, "a key");
                }
                Ok((**value).clone())
            }
            (Projection::View { pointer, ty, volatile: _ }, Type::Bytes) => {
                self.root(arena, *pointer, Some(&Type::Ptr), allowed, "the pointer of a view");
                viewable(ty, self.module)?;
                Ok(ty.clone())
            }
            (Projection::Field(..) | Projection::Index(_) | Projection::View { .. }, _) => {
                Err(format!("a place of type {} has no such part", ty.display(self.module)))
            }
        }
    }

    fn call(
        &mut self,
        procedure: &Procedure,
        arena: &Arena<'_>,
        results: &[Place],
        callee: &Callee,
        arguments: &[ExprId],
    ) {
        let called: Vec<ProcedureId> = match callee {
            Callee::Procedure(id) => vec![*id],
            Callee::Choice(chosen_by, table) => {
                self.choice(arena, *chosen_by, table);
                table.iter().map(|(_, id)| *id).collect()
            }
        };
        let count = self.module.procedures.len();
        if called.is_empty() || called.iter().any(|id| id.0 as usize >= count) {
            self.add(Rule::Calls, "a call calls no procedure");
            return;
        }
        let signature = self.signature(called[0]);
        if called.iter().any(|id| self.signature(*id) != signature) {
            self.add(Rule::Calls, "the procedures of a choice differ in their types");
        }
        let (parameters, returned) = signature;
        let same = arguments.len() == parameters.len() && results.len() == returned.len();
        self.require(same, Rule::Calls, || {
            format!(
                "a call with {} arguments and {} results does not fit the procedure",
                arguments.len(),
                results.len()
            )
        });
        for (argument, ty) in arguments.iter().zip(&parameters) {
            let fits = arena.exprs.ty(*argument) == ty;
            self.require(fits, Rule::Calls, || {
                "an argument does not have the type of the parameter".to_owned()
            });
        }
        for argument in arguments {
            self.root(arena, *argument, None, Traits::CODE, "an argument");
        }
        for (place, ty) in results.iter().zip(&returned) {
            let (found, _) = self.target(procedure, arena, place);
            let fits = found.is_none_or(|found| found == *ty);
            self.require(fits, Rule::Calls, || {
                "a result does not have the type of its place".to_owned()
            });
        }
    }

    fn choice(&mut self, arena: &Arena<'_>, chosen_by: ExprId, table: &[(ExprId, ProcedureId)]) {
        self.root(arena, chosen_by, None, Traits::CODE, "what chooses a procedure");
        let ty = arena.exprs.ty(chosen_by);
        for (index, (value, _)) in table.iter().enumerate() {
            let fits = arena.exprs.ty(*value) == ty && arena.traits(*value) == Traits::default();
            self.require(fits, Rule::Calls, || {
                "a value that chooses a procedure is no constant of the right type".to_owned()
            });
            let expr = arena.exprs.get(*value);
            let is_new = table[..index].iter().all(|(other, _)| arena.exprs.get(*other) != expr);
            self.require(is_new, Rule::Calls, || "a value chooses two procedures".to_owned());
        }
    }

    fn signature(&self, id: ProcedureId) -> (Vec<Type>, Vec<Type>) {
        let procedure = self.module.procedure(id);
        let types = |mode| {
            procedure.locals_with(mode).map(|local| procedure.local(local).ty.clone()).collect()
        };
        (types(Mode::Parameter), types(Mode::Result))
    }
}
