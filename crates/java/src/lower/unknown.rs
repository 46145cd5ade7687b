//! Unknown values.
//!
//! An unsupported construct cuts the execution. A value from outside, such as the result of a method that is
//! declared nowhere, may be anything of its type; that is noted, and such a method is assumed not to change
//! objects.

use ir::{HavocReason, Op, Origin, Place, StatementKind, Variable};

use super::body::{Body, Val};
use crate::program::Class;
use crate::syntax::{Binary, TextRange};
use crate::types::Ty;

impl Body<'_, '_> {
    /// Cuts executions at an unsupported construct, and notes it.
    pub(super) fn unsupported(&mut self, what: &str, at: TextRange) {
        self.note(format!("{what} is not modelled"), at);
        self.cut(what, at);
    }

    /// Cuts executions at an unsupported construct.
    pub(super) fn cut(&mut self, what: &str, at: TextRange) {
        let kind = StatementKind::Unsupported { what: what.to_owned(), writes: Vec::new() };
        self.emit(kind, at, Origin::Source);
    }

    /// Cuts executions at an unsupported construct; its result is any value of the type.
    pub(super) fn unknown(&mut self, what: &str, ty: Ty, at: TextRange) -> Val {
        self.unsupported(what, at);
        self.anything(ty, at)
    }

    /// A value that comes from elsewhere: any of its type.
    pub(super) fn external_value(&mut self, what: &str, ty: Ty, at: TextRange) -> Val {
        self.note(format!("{what} is unknown: any result is possible"), at);
        self.received(ty, at)
    }

    /// Any value of a type, or an object that is new here.
    pub(super) fn received(&mut self, ty: Ty, at: TextRange) -> Val {
        let old = self.anything(ty, at);
        self.perhaps_new(old, at)
    }

    /// A value that comes from elsewhere, or instead of it an object that is new here.
    pub(super) fn perhaps_new(&mut self, value: Val, at: TextRange) -> Val {
        match self.fresh_external(&value.ty, at) {
            Some(new) => self.one_of(&new, value, at),
            None => value,
        }
    }

    /// One of two values, as external code chooses.
    pub(super) fn one_of(&mut self, a: &Val, b: Val, at: TextRange) -> Val {
        let choice = self.anything(Ty::Boolean, at);
        let vir = self.type_of(b.id);
        Val { id: self.op(Op::Ite, vec![choice.id, a.id, b.id], vir), ty: b.ty }
    }

    /// A fresh object, if external code could create one.
    fn fresh_external(&mut self, ty: &Ty, at: TextRange) -> Option<Val> {
        let program = self.cx.program;
        if *ty == program.library_type("java.lang.String") {
            return Some(self.new_string(ty, at));
        }
        // An object of a class of this program would have to satisfy its invariant.
        let class = program.class_of(ty).map(|class| program.class(class));
        let is_made =
            |class: &Class<'_>| (class.is_library || class.is_opaque) && !class.is_abstract;
        class.is_some_and(is_made).then(|| self.make(ty, at))
    }

    /// The result of an operator with an unknown operand.
    pub(super) fn computed(&mut self, operator: Binary, a: &Ty, b: &Ty, at: TextRange) -> Val {
        let is_truth = match operator {
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => true,
            Binary::AndAlso | Binary::OrElse | Binary::Implies | Binary::Iff => true,
            Binary::And | Binary::Or | Binary::Xor => *a == Ty::Boolean || *b == Ty::Boolean,
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Rem => false,
            Binary::Shl | Binary::Shr | Binary::UShr => false,
        };
        let ty = match is_truth {
            true => Ty::Boolean,
            false if a.is_numeric() => a.promoted(&Ty::Int),
            false if b.is_numeric() => b.promoted(&Ty::Int),
            false => Ty::Unknown,
        };
        self.anything(ty, at)
    }

    /// The result of an unmodelled operation: any value of a type, on which no finding may depend.
    pub(super) fn unmodelled(&mut self, what: &str, ty: Ty, at: TextRange) -> Val {
        self.note(format!("{what} is not modelled"), at);
        self.left_open(ty, HavocReason::Unmodelled, at)
    }

    /// Any value of a type.
    pub(super) fn anything(&mut self, ty: Ty, at: TextRange) -> Val {
        self.left_open(ty, HavocReason::External, at)
    }

    fn left_open(&mut self, ty: Ty, reason: HavocReason, at: TextRange) -> Val {
        let vir = self.cx.vir(&ty);
        let local = self.variable("unknown", vir, None);
        let place = Place { variable: Variable::Local(local), path: Vec::new() };
        let kind = StatementKind::Havoc { place, condition: None, reason };
        self.emit(kind, at, Origin::Synthetic);
        let id = self.read(local);
        if ty.is_reference()
            && let Some(is_typed) = self.is_typed(id, &ty)
        {
            self.assume(is_typed, at);
        }
        Val { id, ty }
    }

    /// Adds a note for this file; other files get none.
    fn note(&mut self, message: String, at: TextRange) {
        if !self.cx.program.class(self.class).is_library {
            self.cx.diagnostics.file = self.file;
            self.cx.diagnostics.note(at, message);
        }
    }
}
