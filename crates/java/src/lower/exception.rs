//! Exceptions: what throws, what catches, and the obligations at an exceptional exit.
//!
//! An exception of the language (a null dereference, an index out of bounds …) that nothing in the method can
//! catch and no contract allows is an obligation. Any other is control flow: the object is allocated, and the
//! execution continues at the handler, or leaves the method.

use ir::{
    AssertKind, Exit, ExprId, LocalId, Origin, Place, StatementKind, TerminatorKind, Variable,
};

use super::body::{Body, Frame, Val};
use crate::syntax::{Catch, Stmt, TextRange};
use crate::types::Ty;

impl<'p> Body<'_, 'p> {
    /// The execution continues only if the condition holds; otherwise the language throws.
    pub(super) fn check(
        &mut self,
        condition: ExprId,
        kind: AssertKind,
        exception: &str,
        message: &str,
        at: TextRange,
    ) {
        if matches!(self.procedure.exprs.get(condition), ir::Expr::Bool(true)) {
            return;
        }
        let thrown = self.cx.program.library_type(exception);
        if thrown == Ty::Unknown || !self.may_go_on(&thrown) {
            let message = message.to_owned();
            self.emit(StatementKind::Assert { condition, kind, message }, at, Origin::Source);
            return;
        }
        let (fine, broken) = (self.blocks.create("fine"), self.blocks.create("throws"));
        self.fork(condition, fine, broken, at);
        self.blocks.enter(broken);
        let object = self.make(&thrown, at);
        self.raise(&object, at);
        self.blocks.enter(fine);
    }

    /// Whether an exception of the language may be caught or is allowed.
    fn may_go_on(&self, thrown: &Ty) -> bool {
        self.key.throwing
            || self.allowed.iter().any(|allowed| self.covers(allowed, thrown))
            || self.is_caught(thrown)
    }

    /// Whether an exception is caught around what is lowered here.
    fn is_caught(&self, thrown: &Ty) -> bool {
        self.frames.iter().any(|frame| match frame {
            Frame::Try { catches, .. } => catches.iter().any(|caught| self.covers(caught, thrown)),
            _ => false,
        })
    }

    /// Whether an exception is of a class that is caught or allowed.
    fn covers(&self, caught: &Ty, thrown: &Ty) -> bool {
        let program = self.cx.program;
        match (program.class_of(thrown), program.class_of(caught)) {
            (Some(thrown), Some(caught)) => program.is_subclass(thrown, caught),
            _ => false,
        }
    }

    /// The condition of an `assert` holds, or an error is thrown if it is caught here.
    pub(super) fn asserted(&mut self, condition: ExprId, message: String, at: TextRange) {
        let exception = "java.lang.AssertionError";
        let thrown = self.cx.program.library_type(exception);
        match self.is_caught(&thrown) {
            true => self.check(condition, AssertKind::Assertion, exception, &message, at),
            false => self.obligation(condition, AssertKind::Assertion, message, at),
        }
    }

    /// Whether callees must let exceptions of the language out as such.
    pub(super) fn wants_exceptions(&self) -> bool {
        let program = self.cx.program;
        let runtime = ["java.lang.RuntimeException", "java.lang.Exception", "java.lang.Throwable"];
        let is_language = |caught: &Ty| {
            let Some(caught) = program.class_of(caught) else { return false };
            let below = program.library("java.lang.RuntimeException");
            runtime.iter().any(|name| program.library(name) == Some(caught))
                || below.is_some_and(|below| program.is_subclass(caught, below))
        };
        self.key.throwing
            || self.allowed.iter().any(is_language)
            || self.frames.iter().any(|frame| match frame {
                Frame::Try { catches, .. } => catches.iter().any(is_language),
                _ => false,
            })
    }

    pub(super) fn not_null(&mut self, object: &Val, message: &str, at: TextRange) {
        // `this` and a new object are never null.
        if let ir::Expr::Read(Variable::Local(local)) = self.procedure.exprs.get(object.id)
            && Some(*local) == self.this
        {
            return;
        }
        if object.ty == Ty::Null {
            let never = self.truth(false);
            let exception = "java.lang.NullPointerException";
            self.check(never, AssertKind::NullDereference, exception, message, at);
            return;
        }
        let is_null = self.is_null(object.id);
        let condition = self.not(is_null);
        let exception = "java.lang.NullPointerException";
        self.check(condition, AssertKind::NullDereference, exception, message, at);
    }

    /// Throws an object: to the nearest handler, through `finally`, or out.
    pub(super) fn raise(&mut self, object: &Val, at: TextRange) {
        let found = self.frames.iter().rposition(|frame| matches!(frame, Frame::Try { .. }));
        let saved = self.save(object, at);
        self.leave(found.map_or(0, |position| position + 1));
        match found.and_then(|position| self.frames.get(position).cloned()) {
            Some(Frame::Try { handler, exception, .. }) => {
                let thrown = self.throwable();
                let value = self.convert(&saved, &thrown, at);
                self.set(exception, value.id, at);
                self.go(handler, at);
            }
            _ => {
                let thrown = self.throwable();
                let value = self.convert(&saved, &thrown, at);
                let span = self.span(at);
                let exit = Exit::Exceptional(Some(value.id));
                self.blocks.end(TerminatorKind::Exit(exit), span, Origin::Source);
            }
        }
    }

    /// The type of all that is thrown.
    pub(super) fn throwable(&self) -> Ty {
        self.cx.program.library_type("java.lang.Throwable")
    }

    /// Executes the `finally` blocks of frames that a jump leaves, innermost first.
    pub(super) fn leave(&mut self, down_to: usize) {
        for position in (down_to..self.frames.len()).rev() {
            if let Frame::Finally(statements) = self.frames[position] {
                let inner = self.frames.split_off(position);
                self.block(statements);
                self.frames.extend(inner);
            }
        }
    }

    pub(super) fn throw(&mut self, object: &Val, at: TextRange) {
        self.not_null(object, "the thrown exception is null", at);
        self.raise(object, at);
    }

    pub(super) fn try_(
        &mut self,
        body: &'p [Stmt],
        catches: &'p [Catch],
        finally: Option<&'p [Stmt]>,
        at: TextRange,
    ) {
        let after = self.blocks.create("after_try");
        let outer = self.frames.len();
        self.frames.extend(finally.map(Frame::Finally));
        let throwable = self.throwable();
        let sort = self.cx.vir(&throwable);
        let exception = self.variable("caught", sort, None);
        let handler = self.blocks.create("catch");
        let types: Vec<Vec<Ty>> = catches
            .iter()
            .map(|catch| catch.types.iter().map(|ty| self.written(ty)).collect())
            .collect();
        // An exception executes `finally` too.
        let all: Vec<Ty> = types.iter().flatten().cloned().collect();
        let needs_handler = !catches.is_empty() || finally.is_some();
        if needs_handler {
            self.frames.push(Frame::Try { handler, exception, catches: all });
        }
        self.block(body);
        if needs_handler {
            self.frames.pop();
        }
        if self.blocks.is_open() {
            self.leave(outer);
            self.go(after, at);
        }
        if needs_handler {
            self.blocks.enter(handler);
            for (catch, types) in catches.iter().zip(&types) {
                self.catch(catch, types, exception, outer, after);
            }
            let thrown = Val { id: self.read(exception), ty: throwable };
            self.raise(&thrown, at);
        }
        self.frames.truncate(outer);
        self.blocks.enter(after);
    }

    /// A clause that takes an exception if it is of one of its types.
    fn catch(
        &mut self,
        catch: &'p Catch,
        types: &[Ty],
        exception: LocalId,
        outer: usize,
        after: ir::BlockId,
    ) {
        let at = catch.name.at;
        let throwable = self.throwable();
        let thrown = self.read(exception);
        let mut fitting = Vec::new();
        for ty in types {
            self.cx.unify(ty, &throwable);
            fitting.push(self.is_instance(thrown, &throwable, ty));
        }
        let fits = self.any(fitting);
        let (taken, next) = (self.blocks.create("caught"), self.blocks.create("next_catch"));
        self.fork(fits, taken, next, at);
        self.blocks.enter(taken);
        self.blocks.next_point();
        self.scopes.push(rustc_hash::FxHashMap::default());
        let declared = match types {
            [one] if one.is_reference() => one.clone(),
            _ => throwable,
        };
        let local = self.declare(&catch.name.name, &declared);
        let place = Place { variable: Variable::Local(local), path: Vec::new() };
        self.assign(place, thrown, at);
        self.block(&catch.body);
        self.scopes.pop();
        if self.blocks.is_open() {
            self.leave(outer);
            self.go(after, at);
        }
        self.blocks.enter(next);
    }
}
