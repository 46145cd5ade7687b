//! Calls: overload resolution, possible targets, and the result.

use ir::{Callee, ExprId, Origin, Place, StatementKind, Type, Variable};

use super::body::{Body, Val};
use super::sorts::{Group, Kind};
use super::{ConstructorPart, ProcedureKey};
use crate::program::{ClassId, MethodId};
use crate::syntax::{Expr, Ident, Receiver, TextRange, TypeKind};
use crate::types::Ty;

impl<'p> Body<'_, 'p> {
    /// The values of arguments, in order, none changed by those behind it.
    pub(super) fn arguments(&mut self, arguments: &'p [Expr]) -> Vec<Val> {
        let mut values = Vec::with_capacity(arguments.len());
        for (number, argument) in arguments.iter().enumerate() {
            let value = self.expr(argument);
            let changes = arguments[number + 1..].iter().any(Expr::has_effects);
            values.push(if changes { self.save(&value, argument.at) } else { value });
        }
        values
    }

    pub(super) fn call(
        &mut self,
        receiver: &'p Receiver,
        name: &'p Ident,
        arguments: &'p [Expr],
        at: TextRange,
    ) -> Val {
        let program = self.cx.program;
        let has_effects = arguments.iter().any(Expr::has_effects);
        let (object, seen, is_super, is_static) = match receiver {
            Receiver::None => {
                let has = |body: &Self, class: ClassId| {
                    !body.methods_named(&body.own_type(class), &name.name).is_empty()
                };
                match self.enclosing(has) {
                    Some((class, object)) => {
                        let own = self.own_type(class);
                        (object, own, false, false)
                    }
                    None => return self.unknown_call(name, arguments, at),
                }
            }
            Receiver::Super => {
                let above = program.class(self.class).superclass.clone().unwrap_or(Ty::Unknown);
                (self.this_value(), above, true, false)
            }
            Receiver::Expr(receiver) => match self.class_named(receiver) {
                Some(class) => (None, Ty::Class(class, Vec::new()), false, true),
                None => {
                    let value = self.expr(receiver);
                    let value = if has_effects { self.save(&value, receiver.at) } else { value };
                    let ty = value.ty.clone();
                    if !ty.is_reference() || ty == Ty::Null {
                        return self.unknown_call(name, arguments, at);
                    }
                    (Some(value), ty, false, false)
                }
            },
        };
        let values = self.arguments(arguments);
        let candidates = self.methods_named(&seen, &name.name);
        let component = (candidates.is_empty() && values.is_empty())
            .then(|| self.component(&seen, &name.name))
            .flatten();
        if let (Some((field, ty)), Some(object)) = (component, &object) {
            if let Receiver::Expr(receiver) = receiver {
                let message = self.null_message(receiver.at);
                self.not_null(object, &message, receiver.at);
            }
            return Val { id: self.field_value(field, object.id), ty };
        }
        let Some(method) = self.most_specific(&candidates, &values) else {
            let object = object.filter(|_| !is_static);
            if let (Some(object), Receiver::Expr(receiver)) = (&object, receiver) {
                let message = self.null_message(receiver.at);
                self.not_null(object, &message, receiver.at);
            }
            return self.unknown_call(name, &[], at);
        };
        let declared = program.method(method);
        let mut given = Vec::new();
        if !declared.is_static {
            let Some(object) = object else {
                return self.unknown("a call without an object", declared.result.clone(), at);
            };
            if let Receiver::Expr(receiver) = receiver {
                let message = self.null_message(receiver.at);
                self.not_null(&object, &message, receiver.at);
            }
            given.push(object);
        }
        if let Some(value) = self.intrinsic(method, given.first(), &values, at) {
            return value;
        }
        let converted = self.converted(method, &values, &seen, at);
        let result = self.result_type(method, &seen, &values);
        given.extend(converted);
        let called = match declared.is_static || is_super || declared.is_private {
            true => {
                if let Some(object) = given.first().cloned().filter(|_| !declared.is_static) {
                    let owner = Ty::Class(declared.class, Vec::new());
                    given[0] = self.convert(&object, &owner, at);
                }
                let throwing = self.wants_exceptions();
                self.call_procedure(
                    ProcedureKey { method, form: ConstructorPart::Whole, throwing },
                    given,
                    at,
                )
            }
            false => self.dispatch(method, given, at),
        };
        match called {
            Some(value) => self.refine(&value, &result, at),
            None => Val { id: self.truth(false), ty: Ty::Void },
        }
    }

    /// The component of a record that a method is named after.
    fn component(&self, seen: &Ty, name: &str) -> Option<(crate::program::FieldId, Ty)> {
        let program = self.cx.program;
        let class = program.class(program.class_of(seen)?);
        (class.kind == TypeKind::Record).then(|| program.find_field(seen, name)).flatten()
    }

    /// A call of a method that is declared nowhere.
    fn unknown_call(&mut self, name: &Ident, arguments: &'p [Expr], at: TextRange) -> Val {
        self.arguments(arguments);
        self.external_value(&format!("the effect of `{}`", name.name), Ty::Unknown, at)
    }

    /// Calls a method without arguments that the language itself asks for.
    pub(super) fn call_on(&mut self, object: &Val, name: &str, at: TextRange) -> Val {
        let candidates = self.methods_named(&object.ty, name);
        let Some(method) = self.most_specific(&candidates, &[]) else {
            return self.external_value(&format!("the effect of `{name}`"), Ty::Unknown, at);
        };
        let result = self.result_type(method, &object.ty, &[]);
        match self.dispatch(method, vec![object.clone()], at) {
            Some(value) => self.refine(&value, &result, at),
            None => Val { id: self.truth(false), ty: Ty::Void },
        }
    }

    /// Arguments as a method takes them: converted, and the last ones in an array if it takes any number.
    pub(super) fn converted(
        &mut self,
        method: MethodId,
        values: &[Val],
        seen: &Ty,
        at: TextRange,
    ) -> Vec<Val> {
        let program = self.cx.program;
        let declared = program.method(method);
        let parameters: Vec<Ty> = declared.parameters.iter().map(|p| p.ty.clone()).collect();
        let is_spread = declared.is_variadic
            && !(values.len() == parameters.len()
                && values.last().is_some_and(|last| matches!(last.ty, Ty::Array(_) | Ty::Null)));
        let fixed = if is_spread { parameters.len() - 1 } else { parameters.len() };
        let mut given = Vec::new();
        for (value, parameter) in values.iter().zip(&parameters[..fixed]) {
            let erased = program.erased(parameter);
            let actual = self.as_member_of(parameter, method, seen);
            // The argument is first converted to the parameter's type as seen here, then to the method's own
            // type.
            let value = match actual.is_reference() {
                true => self.convert(value, &actual, at),
                false => value.clone(),
            };
            let value = self.convert(&value, &erased, at);
            given.push(self.save(&value, at));
        }
        if is_spread && let Some(Ty::Array(element)) = parameters.last() {
            let element = program.erased(element);
            let rest = &values[fixed.min(values.len())..];
            let count = self.word(32, rest.len() as i64);
            let array = self.new_array(&element, &Val { id: count, ty: Ty::Int }, at);
            for (index, value) in rest.iter().enumerate() {
                let value = self.convert(value, &element, at);
                let index = self.word(32, index as i64);
                let place = self.element_place(&array, index);
                let kind = StatementKind::Assign(vec![(place, value.id)]);
                self.emit(kind, at, Origin::Synthetic);
            }
            given.push(array);
        }
        given
    }

    /// A type of a method's signature, with the class's type variables substituted.
    fn as_member_of(&self, ty: &Ty, method: MethodId, seen: &Ty) -> Ty {
        let program = self.cx.program;
        let class = program.method(method).class;
        let lineage = program.lineage(seen);
        match lineage.iter().find(|(known, _)| *known == class) {
            Some((_, arguments)) => program.substitute(ty, class, arguments),
            None => ty.clone(),
        }
    }

    /// The type of a call, with the method's own type variables inferred from arguments.
    fn result_type(&self, method: MethodId, seen: &Ty, values: &[Val]) -> Ty {
        let program = self.cx.program;
        let declared = program.method(method);
        let result = self.as_member_of(&declared.result, method, seen);
        let Ty::Var(var) = result else { return result };
        if !declared.vars.contains(&var) {
            return result;
        }
        let ty = declared.parameters.iter().zip(values).find_map(|(parameter, value)| {
            match (&parameter.ty, &value.ty) {
                (Ty::Var(known), ty) if *known == var && ty.is_reference() && *ty != Ty::Null => {
                    Some(ty.clone())
                }
                (Ty::Array(element), Ty::Array(ty)) if **element == Ty::Var(var) => {
                    Some((**ty).clone())
                }
                _ => None,
            }
        });
        ty.unwrap_or_else(|| program.erased(&result))
    }

    /// Calls what the class of the object has for a method.
    fn dispatch(&mut self, method: MethodId, mut given: Vec<Val>, at: TextRange) -> Option<Val> {
        let program = self.cx.program;
        let throwing = self.wants_exceptions();
        let object = given[0].clone();
        let group: Group = self.cx.group(&object.ty).clone();
        let fits = |kind: &Kind| super::body::kind_is(program, kind, &object.ty);
        let mut overrides: Vec<(usize, MethodId)> = Vec::new();
        for (position, kind) in group.classes.iter().enumerate().filter(|(_, kind)| fits(kind)) {
            let implementation = match kind {
                Kind::Class(class) => program.implementation(*class, method),
                Kind::Array(_) => method,
            };
            overrides.push((position, implementation));
        }
        let first = overrides.first().map_or(method, |(_, first)| *first);
        if overrides.iter().all(|(_, overriding)| *overriding == first) {
            let owner = Ty::Class(program.method(first).class, Vec::new());
            given[0] = self.owned(&object, &owner);
            return self.call_procedure(
                ProcedureKey { method: first, form: ConstructorPart::Whole, throwing },
                given,
                at,
            );
        }
        let base = program.method(method);
        let is_alike = |a: &Ty, b: &Ty| {
            (a.is_reference() && b.is_reference()) || program.erased(a) == program.erased(b)
        };
        let fits_base = |overriding: &MethodId| {
            let own = program.method(*overriding);
            let parameters = base.parameters.iter().zip(&own.parameters);
            is_alike(&base.result, &own.result)
                && parameters.into_iter().all(|(a, b)| is_alike(&a.ty, &b.ty))
        };
        if !overrides.iter().all(|(_, overriding)| fits_base(overriding)) {
            let what = "a method that is overridden by one of another type";
            return Some(self.unknown(what, base.result.clone(), at));
        }
        let class = self.class_of(object.id, &object.ty)?;
        let mut table = Vec::new();
        for (position, overriding) in overrides {
            let own = program.method(overriding);
            for (a, b) in base.parameters.iter().zip(&own.parameters) {
                self.cx.unify(&a.ty, &b.ty);
            }
            self.cx.unify(&base.result, &own.result);
            self.cx.unify(&object.ty, &Ty::Class(own.class, Vec::new()));
            let known = self.class_constant(group.sort, Some(position));
            let procedure = self.cx.procedure(ProcedureKey {
                method: overriding,
                form: ConstructorPart::Whole,
                throwing,
            });
            table.push((known, procedure));
        }
        let result = program.method(method).result.clone();
        self.invoke(Callee::Choice(class, table), given, &result, at)
    }

    /// An object as one of the class that declares the method. `Object` has methods for all, and they
    /// need not share a sort for that.
    fn owned(&mut self, object: &Val, owner: &Ty) -> Val {
        self.cx.unify(&object.ty, owner);
        Val { id: object.id, ty: owner.clone() }
    }

    /// Calls the procedure of a method.
    pub(super) fn call_procedure(
        &mut self,
        key: ProcedureKey,
        given: Vec<Val>,
        at: TextRange,
    ) -> Option<Val> {
        let program = self.cx.program;
        let declared = program.method(key.method);
        let result = match (declared.is_constructor, key.form) {
            (true, ConstructorPart::Whole) => Ty::Class(declared.class, Vec::new()),
            (true, ConstructorPart::Part | ConstructorPart::Rest) => Ty::Void,
            (false, _) => declared.result.clone(),
        };
        let procedure = self.cx.procedure(key);
        let called = self.invoke(Callee::Procedure(procedure), given, &result, at)?;
        let may_be_new = declared.is_native && program.is_external(declared);
        Some(if may_be_new { self.perhaps_new(called, at) } else { called })
    }

    fn invoke(
        &mut self,
        callee: Callee,
        given: Vec<Val>,
        result: &Ty,
        at: TextRange,
    ) -> Option<Val> {
        let arguments: Vec<ExprId> = given.iter().map(|value| value.id).collect();
        let whole = |local| Place { variable: Variable::Local(local), path: Vec::new() };
        let result_local = (*result != Ty::Void).then(|| {
            let vir = self.cx.vir(result);
            self.variable("result", vir, None)
        });
        let catches =
            self.frames.iter().any(|frame| matches!(frame, super::body::Frame::Try { .. }));
        let throwable = self.throwable();
        let caught = catches.then(|| {
            let sort = self.cx.vir(&throwable);
            (self.variable("threw", Type::Bool, None), self.variable("thrown", sort, None))
        });
        if let Some((flag, _)) = caught {
            let no = self.truth(false);
            self.set(flag, no, at);
        }
        let results = result_local.iter().map(|local| whole(*local)).collect();
        let noted = caught.map(|(flag, thrown)| (whole(flag), Some(whole(thrown))));
        let kind = StatementKind::Call { results, callee, arguments, caught: noted };
        self.emit(kind, at, Origin::Source);
        if let Some((flag, thrown)) = caught {
            let (threw, went_on) = (self.blocks.create("threw"), self.blocks.create("returned"));
            let flag = self.read(flag);
            self.fork(flag, threw, went_on, at);
            self.blocks.enter(threw);
            let object = Val { id: self.read(thrown), ty: throwable };
            self.raise(&object, at);
            self.blocks.enter(went_on);
        }
        let local = result_local?;
        Some(Val { id: self.read(local), ty: result.clone() })
    }
}
