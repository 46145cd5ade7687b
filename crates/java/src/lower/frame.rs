//! Frame conditions: what a method may assign, for its callers and as its own obligation.

use ir::{ClauseRole, Expr, ExprId, Op, Place, Quantifier, Type, Variable};

use super::body::{Body, Val};
use super::heap::HeapMap;
use crate::program::FieldId;
use crate::spec::{Location, MissingClauseRole, SpecCase};
use crate::syntax::{ExprKind, TextRange};
use crate::types::Ty;

/// An assignable location, in terms of the pre-state.
#[derive(Clone, Debug)]
pub(super) enum Assignable {
    /// A field of one object, or of all.
    Field(FieldId, Option<ExprId>),
    /// Elements of an array, all or from one index to another.
    Elements(Val, Option<(ExprId, ExprId)>),
}

impl Body<'_, '_> {
    /// The locations that change for callers that do not see the body.
    pub(super) fn modified(&mut self, cases: &[SpecCase], is_pure: bool) {
        let program = self.cx.program;
        let method = program.method(self.key.method);
        let is_library = program.class(method.class).is_library;
        let says = cases.iter().any(|case| case.assignable.is_some());
        for gap in &method.spec.missing {
            if gap.role == MissingClauseRole::Assignable {
                self.unsupported_reason = None;
                self.leave_out(ClauseRole::Frame, &gap.text, gap.at);
            }
        }
        if is_pure || (is_library && !says) {
            self.procedure.contract.modifies = Some(Vec::new());
            return;
        }
        let Some(allowed) = self.allowed_places(cases) else { return };
        let mut places = Vec::new();
        for allowed in allowed {
            match allowed {
                Assignable::Field(field, None) => places.push(self.field_place(field, None)),
                Assignable::Field(field, object) => places.push(self.field_place(field, object)),
                Assignable::Elements(array, _) => {
                    let (elements, _) = self.elements(&array.ty);
                    let variable = Variable::Global(elements);
                    places.push(Place { variable, path: Vec::new() });
                }
            }
        }
        self.procedure.contract.modifies = Some(places);
    }

    /// The listed locations of the cases; none if one of them lists nothing, or everything, or an unsupported
    /// location.
    fn allowed_places(&mut self, cases: &[SpecCase]) -> Option<Vec<Assignable>> {
        if cases.is_empty() || self.procedure.contract.lacks(&[ClauseRole::Frame]).is_some() {
            return None;
        }
        let mut allowed = Vec::new();
        let mut is_listed = true;
        for case in cases {
            for (location, at) in case.assignable.as_ref()? {
                self.unsupported_reason = None;
                match self.location(location) {
                    Some(mut places) => allowed.append(&mut places),
                    None => {
                        is_listed = false;
                        if *location != Location::Everything {
                            let text = self.cx.text(self.file, *at);
                            let text = crate::jml::one_line(text);
                            self.leave_out(ClauseRole::Frame, &format!("assignable {text}"), *at);
                        }
                    }
                }
            }
        }
        is_listed.then_some(allowed)
    }

    /// A field of an object, or of all, and the fields that belong to it as a group.
    fn with_group(&self, field: FieldId, object: Option<ExprId>) -> Vec<Assignable> {
        let program = self.cx.program;
        let mut fields = vec![field];
        let mut next = 0;
        while let Some(&group) = fields.get(next) {
            next += 1;
            let group = program.field(group);
            for (number, member) in program.fields.iter().enumerate() {
                let id = FieldId(number as u32);
                let is_near = program.is_subclass(member.class, group.class)
                    || program.is_subclass(group.class, member.class);
                if is_near && member.groups.contains(&group.name) && !fields.contains(&id) {
                    fields.push(id);
                }
            }
        }
        let allowed = |field: FieldId| {
            let is_static = program.field(field).is_static;
            Assignable::Field(field, object.filter(|_| !is_static))
        };
        fields.into_iter().map(allowed).collect()
    }

    /// The meaning of a location; none if it may be any.
    fn location(&mut self, location: &Location) -> Option<Vec<Assignable>> {
        let mut env = self.env_before();
        let is_constructor = self.cx.program.method(self.key.method).is_constructor;
        match location {
            Location::Nothing => Some(Vec::new()),
            Location::Everything => None,
            Location::Field(name, _) => {
                let field = self.relation_field(None, name)?;
                Some(self.with_group(field, None))
            }
            Location::Elements(array, range) => {
                let array = self.jml(array, &mut env)?;
                let range = match range {
                    None => None,
                    Some(range) => {
                        let (first, last) = &**range;
                        let (first, last) = (self.jml(first, &mut env)?, self.jml(last, &mut env)?);
                        let first = self.number_as(first.id, &first.ty, &Ty::Int)?;
                        Some((first, self.number_as(last.id, &last.ty, &Ty::Int)?))
                    }
                };
                matches!(array.ty, Ty::Array(_)).then(|| vec![Assignable::Elements(array, range)])
            }
            Location::Fields(object) => {
                let program = self.cx.program;
                if matches!(object.kind, ExprKind::This) && is_constructor {
                    let own = Ty::Class(self.class, Vec::new());
                    let lineage = program.lineage(&own);
                    let fields = lineage.iter().flat_map(|(id, _)| &program.class(*id).fields);
                    return Some(fields.map(|field| Assignable::Field(*field, None)).collect());
                }
                if let Some(class) = self.class_named(object) {
                    let fields = program.class(class).fields.iter();
                    let own = fields.filter(|field| program.field(**field).is_static);
                    return Some(own.map(|field| Assignable::Field(*field, None)).collect());
                }
                let object = self.jml(object, &mut env)?;
                let lineage = program.lineage(&object.ty);
                let fields = lineage.iter().flat_map(|(class, _)| &program.class(*class).fields);
                let own = fields.filter(|field| !program.field(**field).is_static);
                Some(own.map(|field| Assignable::Field(*field, Some(object.id))).collect())
            }
            Location::One(expr) => {
                let (ty, object, name) = match &expr.kind {
                    ExprKind::Name(name) => {
                        let own = Ty::Class(env.class, Vec::new());
                        (own, env.this.clone().map(|this| this.id), name)
                    }
                    ExprKind::Field(object, field) if matches!(object.kind, ExprKind::This) => {
                        let own = Ty::Class(env.class, Vec::new());
                        (own, env.this.clone().map(|this| this.id), &field.name)
                    }
                    ExprKind::Field(object, field) => match self.class_named(object) {
                        Some(class) => (Ty::Class(class, Vec::new()), None, &field.name),
                        None => {
                            let object = self.jml(object, &mut env)?;
                            (object.ty, Some(object.id), &field.name)
                        }
                    },
                    ExprKind::Index(array, index) => {
                        let array = self.jml(array, &mut env)?;
                        let index = self.jml(index, &mut env)?;
                        let index = self.number_as(index.id, &index.ty, &Ty::Int)?;
                        let one = Assignable::Elements(array, Some((index, index)));
                        return Some(vec![one]);
                    }
                    _ => return None,
                };
                let Some((field, _)) = self.cx.program.find_field(&ty, name) else {
                    self.not_modelled(&format!("the group or field `{name}`"), expr.at);
                    return None;
                };
                let is_static = self.cx.program.field(field).is_static;
                let object = object.filter(|_| !is_static);
                // The object of a constructor does not exist in the pre-state.
                let is_known = is_static || object.is_some() || is_constructor;
                is_known.then(|| self.with_group(field, object))
            }
        }
    }

    /// A method with a list of what it may assign leaves all else as it was, but for new objects.
    /// `fields` and `arrays` are what the method and those it calls use.
    pub(super) fn check_frame(
        &mut self,
        fields: &[FieldId],
        arrays: &[(ir::GlobalId, ir::SortId)],
    ) {
        let program = self.cx.program;
        let method = program.method(self.key.method);
        if super::procedure::is_synthetic(program, self.key, method) {
            return;
        }
        let says = method.spec.is_pure || method.spec.cases.iter().any(|c| c.assignable.is_some());
        if !says || self.procedure.contract.modifies.is_none() {
            return;
        }
        let cases = &method.spec.cases;
        let Some(allowed) =
            self.allowed_places(cases).or_else(|| method.spec.is_pure.then(Vec::new))
        else {
            return;
        };
        let at = cases.iter().filter_map(|case| case.assignable.as_ref()).flatten();
        let at = at.map(|(_, at)| *at).next().unwrap_or(method.at);
        for field in fields {
            self.check_field(*field, &allowed, at);
        }
        for (elements, sort) in arrays {
            self.check_elements(*elements, *sort, &allowed, at);
        }
    }

    /// A field is as it was where it is not listed.
    fn check_field(&mut self, field: FieldId, allowed: &[Assignable], at: TextRange) {
        let declared = self.cx.program.field(field);
        let own: Vec<Option<ExprId>> = allowed
            .iter()
            .filter_map(|allowed| match allowed {
                Assignable::Field(known, object) if *known == field => Some(*object),
                _ => None,
            })
            .collect();
        if declared.is_static || declared.is_model() || own.contains(&None) {
            return;
        }
        let owner = Ty::Class(declared.class, Vec::new());
        let sort = self.cx.vir(&owner);
        let binder = self.procedure.exprs.bind("o", sort.clone());
        let object = self.push(Expr::Bound(binder), sort);
        let mut exempt = Vec::new();
        for known in own.into_iter().flatten() {
            let known = self.before(known);
            exempt.push(self.equal(object, known));
        }
        if let Some(class) = self.class_of(object, &owner) {
            let is_new = self.is_nothing(class);
            exempt.push(self.before(is_new));
        }
        let now = self.field_value(field, object);
        let before = self.before(now);
        exempt.push(self.equal(now, before));
        let condition = self.any(exempt);
        let all = self.push(Expr::Quantified(Quantifier::All, vec![binder], condition), Type::Bool);
        let message = format!("`{}` is assigned where it may not be", declared.name);
        self.ensure(false, all, message, at);
    }

    /// Elements are as they were where they are not listed.
    fn check_elements(
        &mut self,
        elements: ir::GlobalId,
        sort: ir::SortId,
        allowed: &[Assignable],
        at: TextRange,
    ) {
        let ty = Type::Sort(sort);
        let binders = [("a", ty.clone()), ("i", Type::Bv(32))]
            .map(|(name, ty)| (self.procedure.exprs.bind(name, ty.clone()), ty));
        let [array, index] = binders.clone().map(|(binder, ty)| self.push(Expr::Bound(binder), ty));
        let mut exempt = Vec::new();
        for allowed in allowed {
            let Assignable::Elements(known, range) = allowed else { continue };
            if self.elements(&known.ty).0 != elements {
                continue;
            }
            let known = self.before(known.id);
            let is_known = self.equal(array, known);
            exempt.push(match range {
                None => is_known,
                Some((first, last)) => {
                    // No index is negative, and so they are compared without sign.
                    let (first, last) = (self.before(*first), self.before(*last));
                    let zero = self.word(32, 0);
                    let is_any = self.op(Op::BvSle, vec![zero, last], Type::Bool);
                    let is_below = self.op(Op::BvSlt, vec![first, zero], Type::Bool);
                    let first = self.op(Op::Ite, vec![is_below, zero, first], Type::Bv(32));
                    let above = self.op(Op::BvUle, vec![first, index], Type::Bool);
                    let below = self.op(Op::BvUle, vec![index, last], Type::Bool);
                    self.all_of([is_known, is_any, above, below])
                }
            });
        }
        let group = self.cx.groups[sort.0 as usize].clone();
        if group.is_numbered {
            let classes = self.cx.map(HeapMap::Class(sort));
            let classes = self.global(classes);
            let class = self.select(classes, vec![array]);
            let is_new = self.is_nothing(class);
            exempt.push(self.before(is_new));
        }
        let map = self.global(elements);
        let now = self.select(map, vec![array, index]);
        let before = self.before(now);
        exempt.push(self.equal(now, before));
        let condition = self.any(exempt);
        let binders = binders.map(|(binder, _)| binder).to_vec();
        let all = self.push(Expr::Quantified(Quantifier::All, binders, condition), Type::Bool);
        let message = "an element is assigned that may not be".to_owned();
        self.ensure(false, all, message, at);
    }

    /// The same in the state before.
    fn before(&mut self, id: ExprId) -> ExprId {
        let ty = self.type_of(id);
        self.push(Expr::Old(id), ty)
    }
}
