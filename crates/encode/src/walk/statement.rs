//! Statements: each one updates the state, and narrows the guard if it can end an execution.

use circuit::{Bits, Gate};
use ir::{
    Allocation, CutReason, HavocReason, Origin, Place, Statement, StatementKind, Storage, Type,
    Variable,
};

use super::Walk;
use super::exit::Due;
use super::place::Steps;
use crate::escape::Escape;
use crate::evaluation::{Attempt, Event};
use crate::memory::{OFFSET, Object, nameable};
use crate::sym::Sym;

impl Walk<'_> {
    pub(super) fn statement(&mut self, position: usize, statement: &Statement) {
        statement.kind.for_each_expr(&mut |&id| self.record_masks(id, statement.origin));
        match &statement.kind {
            StatementKind::Assign(pairs) => {
                if let [(Place { variable: Variable::Local(id), .. }, _)] = &pairs[..]
                    && let Some(&call) = self.markers.get(id)
                {
                    self.record(Event::Call(call));
                    self.calling = Some(call);
                }
                let values: Vec<Sym> = pairs.iter().map(|&(_, value)| self.eval(value)).collect();
                let places: Vec<Steps> = pairs.iter().map(|(place, _)| self.steps(place)).collect();
                for (steps, value) in places.into_iter().zip(values) {
                    self.assign(&steps, value);
                }
            }
            StatementKind::Havoc { place, condition, reason } => {
                let steps = self.steps(place);
                // The result of a callee that is not followed aliases nothing else.
                self.cx.may_alias = !matches!(reason, HavocReason::UnknownCallee)
                    && self.cx.aliasing.has_variable(place.variable);
                let value = match (&steps.ty, reason) {
                    (Type::Bytes, HavocReason::UnknownCallee) => self.after_callee(place.variable),
                    _ => self.cx.fresh(&steps.ty),
                };
                self.leave_scope();
                if let (Sym::Bits(bits), HavocReason::UnknownCallee) = (&value, reason) {
                    self.answers.push((statement.span, bits.clone()));
                    self.record_count(&steps.ty, bits);
                }
                match reason {
                    HavocReason::External => self.external.extend(value.word()),
                    HavocReason::Unmodelled => gates_of(&value, &mut self.unmodelled),
                    HavocReason::Parameter
                    | HavocReason::Environment
                    | HavocReason::Volatile
                    | HavocReason::UnknownCallee
                    | HavocReason::Uninitialized
                    | HavocReason::Loop
                    | HavocReason::Choice => {}
                }
                // A variable that a pass introduced is not requested by the program as written.
                let is_synthetic = statement.origin == Origin::Synthetic
                    && matches!(reason, HavocReason::Uninitialized | HavocReason::Loop);
                if !is_synthetic {
                    self.record(Event::Havoc { value: value.clone(), ty: steps.ty.clone() });
                }
                self.assign(&steps, value);
                if let Some(condition) = condition {
                    let condition = self.eval(*condition).gate();
                    self.narrow(condition);
                }
            }
            StatementKind::Assume { condition, .. } => {
                let condition = self.eval(*condition).gate();
                self.narrow(condition);
            }
            StatementKind::Assert { condition, kind, message } => {
                if *self.procedure.exprs.get(*condition) == ir::Expr::Bool(false) {
                    let guard = &self.here.guard;
                    self.declared = self.guards.or(&mut self.cx.circuit, &self.declared, guard);
                }
                let condition = self.eval(*condition).gate();
                let due = Due {
                    kind: *kind,
                    message,
                    span: statement.span,
                    point: statement.point,
                    origin: statement.origin,
                    position,
                };
                self.oblige(condition, due);
            }
            StatementKind::Allocate { place, allocation } => match allocation {
                Allocation::Atom(sort) => {
                    let steps = self.steps(place);
                    let value = self.cx.allocate(*sort);
                    self.record(Event::Atom(value.clone()));
                    self.assign(&steps, value);
                }
                Allocation::Object { size, storage, may_fail } => {
                    let size = self.eval(*size).bits().clone();
                    let steps = self.steps(place);
                    let value = self.allocate_object(&size, *storage, *may_fail);
                    self.assign(&steps, value);
                }
            },
            StatementKind::Free(pointer) => {
                let pointer = self.eval(*pointer).bits().clone();
                self.cx.free(&mut self.here.state, &pointer);
            }
            StatementKind::Call { .. } => {
                self.cut(Gate::TRUE, Escape::Cut(CutReason::Inlining(0)));
            }
            StatementKind::Unsupported { what, writes } => {
                if self.cx.under() {
                    self.cut(Gate::TRUE, Escape::Cut(CutReason::Unsupported(what.clone())));
                    return;
                }
                for place in writes {
                    let steps = self.steps(place);
                    let value = self.cx.fresh(&steps.ty);
                    self.leave_scope();
                    self.assign(&steps, value);
                }
            }
        }
    }

    /// A pointer to the next object, or `null` if the allocation may fail.
    fn allocate_object(&mut self, size: &Bits, storage: Storage, may_fail: bool) -> Sym {
        let number = self.next_object;
        self.next_object += 1;
        if !nameable(number) {
            self.cut(Gate::TRUE, Escape::Atoms);
        }
        let pointer = self.cx.pointer_to(number);
        let has_room = self.cx.has_room(size);
        let succeeds = match may_fail {
            true => {
                let fails = self.cx.circuit.input();
                let succeeds = self.cx.circuit.and(!fails, has_room);
                let reached = self.guards.gate(&mut self.cx.circuit, &self.here.guard);
                self.allocations.push(Attempt { reached, succeeds });
                succeeds
            }
            false => {
                self.cut(!has_room, Escape::Integer);
                Gate::TRUE
            }
        };
        self.record(Event::Object(number, may_fail.then_some(succeeds)));
        if let Some(size) = size.as_constant() {
            self.cx.addresses.has_size(number, size as u64);
        }
        let index = (number - self.cx.first_own()) as usize;
        self.here.state.objects[index] = Object::allocated(size, storage, succeeds);
        let null = self.cx.default(&Type::Ptr);
        self.cx.select(succeeds, &pointer, &null)
    }

    /// Memory after a callee that is not followed: the objects that were passed to it and those that have escaped
    /// have any contents. In an under-approximation, other objects stay unchanged where the callee is quiet. Frees
    /// are left out: no execution survives because of them.
    fn after_callee(&mut self, memory: Variable) -> Sym {
        let below = self.cx.read_variable(&self.here.state, memory, &Type::Bytes).contents();
        let call = self.calling.and_then(|call| self.calls.get(call));
        let mut passed = Vec::new();
        for &argument in call.iter().flat_map(|call| &call.arguments) {
            if self.procedure.local(argument).ty == Type::Ptr
                && let Some(Sym::Bits(pointer)) = self.here.state.get(Variable::Local(argument))
            {
                let pointer = pointer.clone();
                self.cx.hand_over(&pointer);
                passed.push(pointer.extract(OFFSET..64));
            }
        }
        let others = match self.cx.under() {
            true => {
                let noisy = self.cx.circuit.input();
                self.unusual.writes.push(noisy);
                noisy
            }
            false => Gate::TRUE,
        };
        Sym::Bytes(self.cx.forget(below, passed, others))
    }
}

/// The gates of a value that is made of words.
fn gates_of(value: &Sym, gates: &mut Vec<Gate>) {
    match value {
        Sym::Tuple(parts) => parts.iter().for_each(|part| gates_of(part, gates)),
        other => gates.extend(other.word()),
    }
}
