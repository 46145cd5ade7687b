//! Expressions: each becomes statements for what it does and a value that holds until the state changes.

use ir::AssertKind;

use super::body::{Body, Val};
use super::convert::unboxed;
use crate::syntax::{Binary, Expr, ExprKind, Ident, Literal, TextRange, TypeRef, Unary};
use crate::types::Ty;

impl<'p> Body<'_, 'p> {
    pub(super) fn expr(&mut self, expr: &'p Expr) -> Val {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.expr_kind(expr))
    }

    fn expr_kind(&mut self, expr: &'p Expr) -> Val {
        let at = expr.at;
        let may_be_constant = matches!(
            expr.kind,
            ExprKind::Unary(..)
                | ExprKind::Binary(..)
                | ExprKind::Conditional(..)
                | ExprKind::Cast(..)
        );
        if may_be_constant && let Some(constant) = self.folded(expr) {
            return constant;
        }
        match &expr.kind {
            ExprKind::Literal(literal) => self.literal(literal, at),
            ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Index(..) => {
                let target = self.target(expr);
                self.check_target(&target);
                self.value_of(&target, at)
            }
            ExprKind::This => match self.this_value() {
                Some(this) => this,
                None => self.unknown("`this` without an object", Ty::Unknown, at),
            },
            ExprKind::OuterThis(name) => {
                let program = self.cx.program;
                let wanted = program.find_class(name, self.class);
                match self.enclosing(|_, class| Some(class) == wanted) {
                    Some((_, Some(object))) => object,
                    _ => self.unknown("an enclosing object", Ty::Unknown, at),
                }
            }
            ExprKind::Call { receiver, name, arguments } => {
                self.call(receiver, name, arguments, at)
            }
            ExprKind::New { ty, arguments, body, outer } => {
                self.new_object(ty, arguments, body.as_deref(), outer.as_deref(), at)
            }
            ExprKind::NewArray { element, lengths, open, initial } => {
                self.new_arrays(element, lengths, *open, initial.as_deref(), at)
            }
            ExprKind::Elements(_) => self.unknown("elements without an array", Ty::Unknown, at),
            ExprKind::Unary(operator, operand) => self.unary_expr(*operator, operand, at),
            ExprKind::Update { up, prefix, target } => self.update(*up, *prefix, target, at),
            ExprKind::Binary(operator, a, b) => self.binary_expr(*operator, a, b, expr),
            ExprKind::Assign(operator, left, right) => self.assignment(*operator, left, right, at),
            ExprKind::Conditional(condition, a, b) => self.conditional(condition, a, b, at),
            ExprKind::Cast(ty, value) => {
                let to = self.written(ty);
                if to == Ty::Unknown {
                    self.expr(value);
                    return self.external_value("the type that is cast to", to, at);
                }
                let value = self.expr(value);
                match to.is_numeric() {
                    true => {
                        let value = self.unbox(&value, at);
                        self.convert(&value, &to, at)
                    }
                    false => self.cast(&value, &to, at),
                }
            }
            ExprKind::InstanceOf(value, ty, name) => self.instance_of(value, ty, name.as_ref(), at),
            ExprKind::Switch(value, cases) => self.switch_expr(value, cases, at),
            ExprKind::ClassLiteral(_) => self.class_literal(at),
            ExprKind::Spec(_) => self.unknown("a specification", Ty::Unknown, at),
            ExprKind::Unknown(what) => self.unknown(what, Ty::Unknown, at),
        }
    }

    /// The object of a class literal: any existing one.
    fn class_literal(&mut self, at: TextRange) -> Val {
        let ty = self.cx.program.library_type("java.lang.Class");
        let value = self.anything(ty, at);
        let is_null = self.is_null(value.id);
        let exists = self.not(is_null);
        self.assume(exists, at);
        value
    }

    fn unary_expr(&mut self, operator: Unary, operand: &'p Expr, at: TextRange) -> Val {
        let value = self.expr(operand);
        let value = self.unbox(&value, operand.at);
        if value.ty == Ty::Unknown {
            let ty = if operator == Unary::Not { Ty::Boolean } else { Ty::Unknown };
            return self.anything(ty, at);
        }
        match self.unary(operator, &value) {
            Some(value) => value,
            None if operator == Unary::Not => self.unknown("this operation", Ty::Boolean, at),
            None => self.unknown("this operation", value.ty, at),
        }
    }

    fn binary_expr(&mut self, operator: Binary, a: &'p Expr, b: &'p Expr, whole: &'p Expr) -> Val {
        let is_lazy = matches!(operator, Binary::AndAlso | Binary::OrElse);
        if is_lazy && !b.is_plain() {
            return self.jumping(whole);
        }
        let left = self.expr(a);
        let left = if b.has_effects() { self.save(&left, a.at) } else { left };
        let right = self.expr(b);
        self.binary_values(operator, &left, &right, b.at, whole.at)
    }

    /// An operator on two values, with what it checks.
    pub(super) fn binary_values(
        &mut self,
        operator: Binary,
        a: &Val,
        b: &Val,
        b_at: TextRange,
        at: TextRange,
    ) -> Val {
        let string = self.cx.program.library_type("java.lang.String");
        let is_text = |ty: &Ty| *ty == string && string != Ty::Unknown;
        if operator == Binary::Add && (is_text(&a.ty) || is_text(&b.ty)) {
            return self.concatenation(a, b, at);
        }
        let both_references = a.ty.is_reference() && b.ty.is_reference();
        if both_references && matches!(operator, Binary::Eq | Binary::Ne) {
            let same = self.same(a, b);
            return match operator {
                Binary::Ne => Val { id: self.not(same.id), ty: Ty::Boolean },
                _ => same,
            };
        }
        if a.ty == Ty::Unknown || b.ty == Ty::Unknown {
            return self.computed(operator, &a.ty, &b.ty, at);
        }
        let (a, b) = (self.unbox(a, at), self.unbox(b, b_at));
        if matches!(operator, Binary::Div | Binary::Rem) && a.ty.is_integral() && b.ty.is_integral()
        {
            let width = b.ty.width().unwrap_or(32);
            let zero = self.word(width, 0);
            let is_zero = self.equal(b.id, zero);
            let condition = self.not(is_zero);
            let exception = "java.lang.ArithmeticException";
            let message = "the divisor is zero";
            self.check(condition, AssertKind::DivisionByZero, exception, message, b_at);
        }
        match self.binary(operator, &a, &b) {
            Some(value) => value,
            None => {
                let is_comparison = matches!(
                    operator,
                    Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge
                );
                let ty = match is_comparison {
                    true => Ty::Boolean,
                    false if a.ty.is_numeric() && b.ty.is_numeric() => a.ty.promoted(&b.ty),
                    false => Ty::Unknown,
                };
                let is_float = a.ty.is_floating() || b.ty.is_floating();
                match is_float && ty.is_floating() {
                    true => self.unmodelled("floating-point division", ty, at),
                    false => self.unknown("this operation", ty, at),
                }
            }
        }
    }

    fn conditional(&mut self, condition: &'p Expr, a: &'p Expr, b: &'p Expr, at: TextRange) -> Val {
        let (yes, no) = (self.blocks.create("then"), self.blocks.create("else"));
        let after = self.blocks.create("chosen");
        self.condition(condition, yes, no);
        self.blocks.enter(yes);
        let first = self.expr(a);
        let first = self.save(&first, a.at);
        let first_end = self.blocks.create("join");
        self.go(first_end, a.at);
        self.blocks.enter(no);
        let second = self.expr(b);
        let ty = self.common_type(&first.ty, &second.ty);
        let vir = self.cx.vir(&ty);
        let result = self.variable("value", vir, None);
        let second = self.convert(&second, &ty, b.at);
        self.set(result, second.id, b.at);
        self.go(after, b.at);
        self.blocks.enter(first_end);
        let first = self.convert(&first, &ty, a.at);
        self.set(result, first.id, a.at);
        self.go(after, at);
        self.blocks.enter(after);
        Val { id: self.read(result), ty }
    }

    /// The type of a choice between values of two types (JLS §15.25), as far as it matters here.
    pub(super) fn common_type(&self, a: &Ty, b: &Ty) -> Ty {
        let program = self.cx.program;
        if a == b {
            return a.clone();
        }
        match (a, b) {
            (Ty::Null, other) | (other, Ty::Null) => {
                return super::convert::boxed(program, other).unwrap_or_else(|| other.clone());
            }
            (Ty::Unknown, other) | (other, Ty::Unknown) => return other.clone(),
            _ => {}
        }
        let inner = |ty: &Ty| unboxed(program, ty).unwrap_or_else(|| ty.clone());
        let (plain_a, plain_b) = (inner(a), inner(b));
        if plain_a.is_numeric() && plain_b.is_numeric() {
            return plain_a.promoted(&plain_b);
        }
        if plain_a == plain_b {
            return plain_a;
        }
        let lineage = program.lineage(a);
        let shared = lineage
            .iter()
            .find(|(class, _)| program.class_of(b).is_some_and(|b| program.is_subclass(b, *class)));
        match shared {
            Some((class, arguments)) => Ty::Class(*class, arguments.clone()),
            None => program.library_type("java.lang.Object"),
        }
    }

    fn instance_of(
        &mut self,
        value: &'p Expr,
        ty: &'p TypeRef,
        name: Option<&'p Ident>,
        at: TextRange,
    ) -> Val {
        let of = self.written(ty);
        let value = self.expr(value);
        self.matched(&value, &of, name, at)
    }

    /// Whether a value is of a type, and then what the variable of the pattern holds.
    pub(super) fn matched(
        &mut self,
        value: &Val,
        of: &Ty,
        name: Option<&'p Ident>,
        at: TextRange,
    ) -> Val {
        let is_known = value.ty.is_reference() && of.is_reference();
        let found = match is_known && value.ty != Ty::Null {
            true => {
                self.cx.unify(&value.ty, of);
                let value = self.save(value, at);
                let is_null = self.is_null(value.id);
                let exists = self.not(is_null);
                let fits = self.is_instance(value.id, &value.ty, of);
                (self.and(exists, fits), value.id)
            }
            false => {
                let truth = match value.ty {
                    Ty::Null => self.truth(false),
                    _ => self.external_value("whether this is of the type", Ty::Boolean, at).id,
                };
                (truth, self.anything(of.clone(), at).id)
            }
        };
        if let Some(name) = name {
            // The variable is only read where it matched.
            let local = self.declare(&name.name, of);
            self.set(local, found.1, name.at);
        }
        Val { id: found.0, ty: Ty::Boolean }
    }
}

/// Whether an expression is the literal `true`.
pub(super) fn is_true(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Literal(Literal::Bool(true)))
}
