//! Evaluation of an expression in the state of an execution.
//!
//! Expressions are total, but an execution may not know every value, so evaluation returns a value or an
//! [error](EvalError). A connective that one operand decides has its value even if the other has none, and so
//! has a quantifier that one case decides: the value is the same whatever the unknown value is.

use ir::{Expr, ExprId, Memory, Op, Type, Variable};
use smallvec::SmallVec;

use crate::apply::{apply, truth};
use crate::error::EvalError;
use crate::integer::Integer;
use crate::limits::EVALUATION_DEPTH;
use crate::machine::{Context, Machine};
use crate::memory::Pointer;
use crate::trace::Location;
use crate::value::{Key, Value};
use crate::word::Word;
use crate::world::World as _;

impl<'m> Machine<'m, '_> {
    /// Whether a condition holds.
    pub(crate) fn holds(&mut self, cx: Context<'m>, condition: ExprId) -> Result<bool, EvalError> {
        truth(&self.evaluate(cx, condition)?)
    }

    /// The value of an expression.
    pub(crate) fn evaluate(&mut self, cx: Context<'m>, id: ExprId) -> Result<Value, EvalError> {
        let value = self.compute(cx, id)?;
        if let Some(scope) = &self.options.scope {
            let within = match &value {
                Value::Int(integer) => {
                    integer.to_i64().is_some_and(|integer| scope.integers.contains(&integer))
                }
                Value::Seq(elements) => elements.len() as u64 <= u64::from(scope.length),
                // The parts of what is larger have been computed before.
                Value::Bool(_)
                | Value::Bv(_)
                | Value::Atom(..)
                | Value::Ptr(_)
                | Value::Map(_)
                | Value::Record(..)
                | Value::Variant(..)
                | Value::Bytes(_) => true,
            };
            if !within {
                return Err(EvalError::OutOfScope(format!("{value:?}")));
            }
        }
        Ok(value)
    }

    fn compute(&mut self, cx: Context<'m>, id: ExprId) -> Result<Value, EvalError> {
        match cx.exprs.get(id) {
            Expr::Bool(truth) => Ok(Value::Bool(*truth)),
            Expr::Bv(width, value) => Ok(Value::Bv(Word::from_int(*width, value))),
            Expr::Int(value) => Ok(Value::Int(Integer::from(value))),
            Expr::Null(Type::Sort(sort)) => Ok(Value::null(*sort)),
            Expr::Null(_) => Ok(Value::Ptr(Pointer::NULL)),
            Expr::Read(variable) => self.read(cx, *variable),
            Expr::Bound(binder) => {
                match self.bound.get(cx.base + binder.0 as usize).and_then(Option::as_ref) {
                    Some(value) => Ok(value.clone()),
                    None => EvalError::ill_typed("a bound variable occurs outside its binder"),
                }
            }
            Expr::Op(op, operands) => self.nested(|machine| machine.operator(cx, id, op, operands)),
            Expr::Apply(function, arguments) => self.nested(|machine| {
                let arguments: Key = arguments
                    .iter()
                    .map(|argument| machine.evaluate(cx, *argument))
                    .collect::<Result<_, _>>()?;
                match &machine.module.function(*function).definition {
                    None => machine.uninterpreted(*function, arguments),
                    Some((exprs, body)) => {
                        let base = machine.bound.len();
                        let count = exprs.binders().max(arguments.len());
                        machine.bound.extend(arguments.into_iter().map(Some));
                        machine.bound.resize(base + count, None);
                        let inner = Context { exprs, base, ..cx };
                        let value = machine.evaluate(inner, *body);
                        machine.bound.truncate(base);
                        value
                    }
                }
            }),
            Expr::Old(inner) => self.evaluate_old(cx, *inner),
            Expr::Quantified(quantifier, binders, body) => self.nested(|machine| {
                machine.quantified(cx, *quantifier, binders, *body).map(Value::Bool)
            }),
            Expr::Lambda(binders, body) => {
                self.nested(|machine| machine.lambda(cx, cx.exprs.ty(id), binders, *body))
            }
        }
    }

    /// The value of an expression in the state at entry.
    pub(crate) fn evaluate_old(&mut self, cx: Context<'m>, id: ExprId) -> Result<Value, EvalError> {
        let time = self.frames.get(cx.frame).and_then(|frame| frame.old.as_ref());
        let before = self.past;
        self.past = time.map(|old| old.time);
        let value = self.evaluate(Context { old: true, ..cx }, id);
        self.past = before;
        value
    }

    fn operator(
        &mut self,
        cx: Context<'m>,
        id: ExprId,
        op: &'m Op,
        operands: &'m [ExprId],
    ) -> Result<Value, EvalError> {
        match (op, operands) {
            (Op::And, [a, b]) => self.connective(cx, (*a, false), (*b, false), false),
            (Op::Or, [a, b]) => self.connective(cx, (*a, true), (*b, true), true),
            (Op::Implies, [a, b]) => self.connective(cx, (*a, false), (*b, true), true),
            (Op::Ite, [condition, yes, no]) => {
                let chosen = if self.holds(cx, *condition)? { yes } else { no };
                self.evaluate(cx, *chosen)
            }
            _ => {
                let mut values: SmallVec<[Value; 3]> = SmallVec::new();
                for operand in operands {
                    values.push(self.evaluate(cx, *operand)?);
                }
                self.note_reads(cx, op, operands, &values);
                if is_comparison(op) && self.oracle.wants_comparisons() {
                    self.oracle.compared(self.site(), op, &values[0], &values[1]);
                }
                apply(self, op, &mut values, cx.exprs.ty(id))
            }
        }
    }

    /// Notes the entries, bytes and objects that an operator looks at.
    fn note_reads(&mut self, cx: Context<'m>, op: &Op, operands: &[ExprId], values: &[Value]) {
        if !self.trace.is_on() {
            return;
        }
        match (op, values) {
            (Op::Memory(Memory::Load(ty)), [_, Value::Ptr(at)]) => {
                let bytes = match ty {
                    Type::Bv(width) => u64::from(width.div_ceil(8)),
                    _ => u64::from(ir::ADDRESS_BITS / 8),
                };
                self.note_read(|| Location::Memory(*at, bytes));
            }
            (Op::Memory(Memory::Peek), [_, Value::Ptr(at)]) => {
                self.note_read(|| Location::Memory(*at, 1));
            }
            (
                Op::Memory(Memory::IsLive | Memory::ObjectSize | Memory::IsHeap),
                [Value::Ptr(at)],
            ) => {
                self.note_read(|| Location::Object(at.object));
            }
            (Op::Select, [_, keys @ ..]) => {
                if let Expr::Read(Variable::Global(id)) = cx.exprs.get(operands[0]) {
                    self.note_read(|| Location::Entry(*id, keys.iter().cloned().collect()));
                }
            }
            _ => {}
        }
    }

    /// A connective that has the value `decided` if either operand has its own deciding value, and
    /// the opposite otherwise.
    fn connective(
        &mut self,
        cx: Context<'m>,
        (a, deciding_a): (ExprId, bool),
        (b, deciding_b): (ExprId, bool),
        decided: bool,
    ) -> Result<Value, EvalError> {
        let doubt = match self.holds(cx, a) {
            Ok(value) if value == deciding_a => return Ok(Value::Bool(decided)),
            Ok(_) => None,
            Err(fault) if fault.is_unknown() => Some(fault),
            Err(fault) => return Err(fault),
        };
        let value = self.holds(cx, b);
        match (doubt, value) {
            (_, Ok(value)) if value == deciding_b => Ok(Value::Bool(decided)),
            (None, Ok(_)) => Ok(Value::Bool(!decided)),
            (Some(fault), Ok(_)) => Err(fault),
            (None, Err(fault)) => Err(fault),
            (Some(first), Err(second)) => Err(if second.is_unknown() { first } else { second }),
        }
    }

    /// Computes something one level deeper, on a larger stack where that is needed.
    fn nested(
        &mut self,
        compute: impl FnOnce(&mut Self) -> Result<Value, EvalError>,
    ) -> Result<Value, EvalError> {
        self.work(1)?;
        if self.nesting >= EVALUATION_DEPTH {
            return Err(EvalError::OutOfSteps);
        }
        self.nesting += 1;
        let value = if self.nesting.is_multiple_of(16) {
            stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || compute(self))
        } else {
            compute(self)
        };
        self.nesting -= 1;
        value
    }
}

/// Whether an operator compares words or pointers, or masks a word.
fn is_comparison(op: &Op) -> bool {
    matches!(op, Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle | Op::BvAnd)
}
