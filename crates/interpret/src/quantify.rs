//! Quantifiers and comprehensions: loops over the values of the bound variables.
//!
//! A bound variable of a type with at most 2¹⁶ values takes them all. One of another type takes
//! those that a guard leaves: of the conditions under which the body matters, those of the form
//! `lo ≤ x`, `x < hi`, `x = e` or `s[x]` with a finite set `s`, where the other side does not speak
//! of variables that have no value yet. Without such a guard the formula is undecided.

use ir::{Binder, Expr, ExprId, Exprs, Op, Quantifier, Type};
use rustc_hash::FxHashSet;

use crate::apply::{integer, map, word};
use crate::domain::{Exact, nth, size};
use crate::equal::canonical_key;
use crate::fault::Fault;
use crate::integer::Integer;
use crate::machine::{Context, Machine};
use crate::value::{Key, MapType, MapValue, Rest, Value};
use crate::word::Word;
use crate::world::World as _;

/// Types with at most this many values are gone through without a guard.
const TRIED: u128 = 1 << 16;

/// The values that a bound variable takes.
enum Candidates {
    /// Those of its type with a number below this.
    Numbered(u128),
    /// The integers from the first up to and with the second.
    Integers(Integer, Integer),
    /// The words of this width that are these integers, from the first up to and with the second.
    Words(u32, Integer, Integer),
    /// These.
    Listed(Vec<Value>),
}

/// What a case says of the loop: whether to go on.
type Visit<'v, M> = dyn FnMut(&mut M) -> Result<bool, Fault> + 'v;

impl<'m> Machine<'m, '_> {
    /// The truth of a quantified formula.
    pub(crate) fn quantified(
        &mut self,
        cx: Context<'m>,
        quantifier: Quantifier,
        binders: &'m [Binder],
        body: ExprId,
    ) -> Result<bool, Fault> {
        let deciding = match quantifier {
            Quantifier::All => false,
            Quantifier::Some => true,
        };
        let mut guards = Vec::new();
        match quantifier {
            Quantifier::All => antecedents(cx.exprs, body, &mut guards),
            Quantifier::Some => conjuncts(cx.exprs, body, &mut guards),
        }
        let mut doubt = None;
        let undecided =
            self.each(cx, binders, &guards, &mut |machine| match machine.holds(cx, body) {
                Ok(value) => Ok(value != deciding),
                Err(fault) if fault.is_doubt() => {
                    doubt.get_or_insert(fault);
                    Ok(true)
                }
                Err(fault) => Err(fault),
            })?;
        match (undecided, doubt) {
            (false, _) => Ok(deciding),
            (true, None) => Ok(!deciding),
            (true, Some(fault)) => Err(fault),
        }
    }

    /// The map that a comprehension is.
    pub(crate) fn lambda(
        &mut self,
        cx: Context<'m>,
        ty: &'m Type,
        binders: &'m [Binder],
        body: ExprId,
    ) -> Result<Value, Fault> {
        let Type::Map(keys, value) = ty else {
            return Fault::ill_typed("a comprehension has the type of a map");
        };
        self.reserve(cx);
        let ty = MapType::new(keys, value);
        let mut guards = Vec::new();
        let mut rest = Value::default_of(value, self.module);
        match cx.exprs.get(body) {
            _ if !self.speaks_of_unset(cx, body) => {
                let value = self.evaluate(cx, body)?;
                return Ok(Value::from(MapValue::constant(ty, value)));
            }
            _ if **value == Type::Bool => conjuncts(cx.exprs, body, &mut guards),
            Expr::Op(Op::Ite, parts) if !self.speaks_of_unset(cx, parts[2]) => {
                conjuncts(cx.exprs, parts[0], &mut guards);
                rest = self.evaluate(cx, parts[2])?;
            }
            _ => {}
        }
        let mut entries: Vec<(Key, Value)> = Vec::new();
        self.each(cx, binders, &guards, &mut |machine| {
            let value = machine.evaluate(cx, body)?;
            let bound = |binder: &Binder| machine.bound[cx.base + binder.0 as usize].clone();
            let key: Option<Key> = binders.iter().map(bound).collect();
            let key = key.expect("every variable has a value inside the loop");
            entries.push((canonical_key(machine, key)?, value));
            Ok(true)
        })?;
        Ok(Value::from(MapValue::from_parts(ty, Rest::Is(rest), entries)))
    }

    /// Makes room for the values of the bound variables.
    fn reserve(&mut self, cx: Context<'m>) {
        let count = cx.base + cx.exprs.binders();
        if self.bound.len() < count {
            self.bound.resize(count, None);
        }
    }

    /// Visits all cases of some bound variables until the visitor stops. Gives whether it did not.
    fn each(
        &mut self,
        cx: Context<'m>,
        binders: &[Binder],
        guards: &[ExprId],
        visit: &mut Visit<'_, Self>,
    ) -> Result<bool, Fault> {
        let Some((binder, others)) = binders.split_first() else {
            self.work(1)?;
            return visit(self);
        };
        self.reserve(cx);
        let slot = cx.base + binder.0 as usize;
        let ty = cx.exprs.binder(*binder).1;
        let outer = self.bound[slot].take();
        let going = self.candidates(cx, *binder, ty, guards).and_then(|candidates| {
            self.each_candidate(ty, candidates, &mut |machine, value| {
                machine.bound[slot] = Some(value);
                machine.each(cx, others, guards, visit)
            })
        });
        self.bound[slot] = outer;
        going
    }

    fn each_candidate(
        &mut self,
        ty: &Type,
        candidates: Candidates,
        visit: &mut dyn FnMut(&mut Self, Value) -> Result<bool, Fault>,
    ) -> Result<bool, Fault> {
        let one = Integer::from(1);
        match candidates {
            Candidates::Numbered(count) => {
                for index in 0..count {
                    let value = nth(&mut Exact(self), ty, index);
                    if !visit(self, value)? {
                        return Ok(false);
                    }
                }
            }
            Candidates::Integers(mut low, high) => {
                while low <= high {
                    if !visit(self, Value::Int(low.clone()))? {
                        return Ok(false);
                    }
                    low = low.add(&one);
                }
            }
            Candidates::Words(width, mut low, high) => {
                while low <= high {
                    if !visit(self, Value::Bv(Word::from_int(width, &low.to_big())))? {
                        return Ok(false);
                    }
                    low = low.add(&one);
                }
            }
            Candidates::Listed(values) => {
                for value in values {
                    if !visit(self, value)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    fn candidates(
        &mut self,
        cx: Context<'m>,
        binder: Binder,
        ty: &Type,
        guards: &[ExprId],
    ) -> Result<Candidates, Fault> {
        if let Some(count) = size(&mut Exact(self), ty).at_most(TRIED) {
            return Ok(Candidates::Numbered(count));
        }
        let mut limits = Limits::default();
        for guard in guards {
            let Expr::Op(op, operands) = cx.exprs.get(*guard) else { continue };
            let is_binder = |id: ExprId| *cx.exprs.get(id) == Expr::Bound(binder);
            if *op == Op::Select
                && operands.len() == 2
                && is_binder(operands[1])
                && !self.speaks_of_unset(cx, operands[0])
            {
                let set = self.evaluate(cx, operands[0])?;
                let set = map(&set)?;
                if *set.rest() == Rest::Is(Value::Bool(false)) {
                    let members = set.entries().keys().map(|key| key[0].clone());
                    return Ok(Candidates::Listed(members.collect()));
                }
                continue;
            }
            let [a, b] = operands[..] else { continue };
            let (other, binder_is_less) = match (is_binder(a), is_binder(b)) {
                (true, false) => (b, true),
                (false, true) => (a, false),
                (true, true) | (false, false) => continue,
            };
            if self.speaks_of_unset(cx, other) {
                continue;
            }
            if *op == Op::Eq {
                return Ok(Candidates::Listed(vec![self.evaluate(cx, other)?]));
            }
            let Some((order, strict)) = order(op) else { continue };
            let limit = self.evaluate(cx, other)?;
            limits.narrow(order, binder_is_less, strict, &limit)?;
        }
        match limits.candidates(ty) {
            Some(candidates) => Ok(candidates),
            None => {
                let name = cx.exprs.binder(binder).0;
                Fault::undecided(format!("nothing says which values `{name}` can take"))
            }
        }
    }

    /// Whether an expression mentions a bound variable that has no value yet and that it does not
    /// bind itself.
    fn speaks_of_unset(&self, cx: Context<'m>, id: ExprId) -> bool {
        let mut open = vec![id];
        let mut seen = FxHashSet::default();
        let mut own: Vec<Binder> = Vec::new();
        while let Some(id) = open.pop() {
            match cx.exprs.get(id) {
                Expr::Bool(_) | Expr::Bv(..) | Expr::Int(_) | Expr::Null(_) | Expr::Read(_) => {}
                Expr::Bound(binder) => {
                    let value = self.bound.get(cx.base + binder.0 as usize);
                    if value.is_none_or(Option::is_none) && !own.contains(binder) {
                        return true;
                    }
                }
                Expr::Op(_, operands) | Expr::Apply(_, operands) => {
                    open.extend(operands.iter().filter(|operand| seen.insert(**operand)));
                }
                Expr::Old(inner) => open.push(*inner),
                Expr::Quantified(_, binders, body) | Expr::Lambda(binders, body) => {
                    own.extend(binders);
                    open.push(*body);
                }
            }
        }
        false
    }
}

/// Which order a comparison is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Integers,
    Unsigned,
    Signed,
}

/// The order of a comparison, and whether it is strict.
fn order(op: &Op) -> Option<(Order, bool)> {
    match op {
        Op::IntLt => Some((Order::Integers, true)),
        Op::IntLe => Some((Order::Integers, false)),
        Op::BvUlt => Some((Order::Unsigned, true)),
        Op::BvUle => Some((Order::Unsigned, false)),
        Op::BvSlt => Some((Order::Signed, true)),
        Op::BvSle => Some((Order::Signed, false)),
        _ => None,
    }
}

/// Between which values a bound variable lies, in each order.
#[derive(Default)]
struct Limits {
    low: [Option<Integer>; 3],
    high: [Option<Integer>; 3],
}

impl Limits {
    fn narrow(
        &mut self,
        order: Order,
        above: bool,
        strict: bool,
        limit: &Value,
    ) -> Result<(), Fault> {
        let limit = match order {
            Order::Integers => integer(limit)?.clone(),
            Order::Unsigned => Integer::from(num_bigint::BigInt::from(word(limit)?.to_nat())),
            Order::Signed => Integer::from(word(limit)?.to_int()),
        };
        let step = Integer::from(i64::from(strict));
        let index = order as usize;
        if above {
            let limit = limit.sub(&step);
            let high = self.high[index].take();
            self.high[index] = Some(high.map_or(limit.clone(), |high| high.min(limit)));
        } else {
            let limit = limit.add(&step);
            let low = self.low[index].take();
            self.low[index] = Some(low.map_or(limit.clone(), |low| low.max(limit)));
        }
        Ok(())
    }

    /// The values that are left, if the limits leave finitely many.
    fn candidates(mut self, ty: &Type) -> Option<Candidates> {
        let width = match ty {
            Type::Int => {
                let [low, ..] = self.low;
                let [high, ..] = self.high;
                return Some(Candidates::Integers(low?, high?));
            }
            Type::Bv(width) => *width,
            Type::Bool
            | Type::Sort(_)
            | Type::Ptr
            | Type::Map(..)
            | Type::Seq(_)
            | Type::Record(_)
            | Type::Variant(_)
            | Type::Bytes => return None,
        };
        let unsigned = Order::Unsigned as usize;
        if let Some(high) = self.high[unsigned].take() {
            let low = self.low[unsigned].take().unwrap_or(Integer::from(0));
            return Some(Candidates::Words(width, low, high));
        }
        let signed = Order::Signed as usize;
        Some(Candidates::Words(width, self.low[signed].take()?, self.high[signed].take()?))
    }
}

/// The conditions under which a formula that is to hold always can be false.
fn antecedents(exprs: &Exprs, body: ExprId, guards: &mut Vec<ExprId>) {
    let mut body = body;
    while let Expr::Op(Op::Implies, operands) = exprs.get(body) {
        conjuncts(exprs, operands[0], guards);
        body = operands[1];
    }
}

/// The conditions that hold whenever a formula does.
fn conjuncts(exprs: &Exprs, body: ExprId, guards: &mut Vec<ExprId>) {
    let mut open = vec![body];
    let mut seen = FxHashSet::default();
    while let Some(id) = open.pop() {
        match exprs.get(id) {
            Expr::Op(Op::And, operands) => {
                open.extend(operands.iter().rev().filter(|operand| seen.insert(**operand)));
            }
            _ => guards.push(id),
        }
    }
}
