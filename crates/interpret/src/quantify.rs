//! Quantifiers and comprehensions: loops over the values of the bound variables.
//!
//! A bound variable of a type with at most 2¹⁶ values takes them all. One of another type takes those that a
//! guard admits: of the conditions under which the body matters, those of the form `lo ≤ x`, `x < hi`, `x =
//! e` or `s[x]` with a finite set `s`, where the other side does not mention variables that have no value
//! yet. Without such a guard, or if it admits very many, evaluation enumerates the [cells](crate::cells) of
//! the formula, if it has a form in which they decide; otherwise it is undecided.

use ir::{Binder, Expr, ExprId, Limit, Op, Order, Quantifier, Type};
use rustc_hash::FxHashSet;

use crate::apply::{integer, map, word};
use crate::domain::{UnboundedTypes, nth, size};
use crate::equal::canonical_key;
use crate::error::EvalError;
use crate::integer::Integer;
use crate::limits::QUANTIFIED_VALUES;
use crate::machine::{Context, Machine};
use crate::value::{Key, MapType, MapValue, Rest, Value};
use crate::word::Word;
use crate::world::World as _;

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

impl Candidates {
    /// Whether there are more values than enumeration should visit.
    fn are_many(&self) -> bool {
        match self {
            Candidates::Integers(low, high) | Candidates::Words(_, low, high) => {
                high.sub(low) > Integer::from(QUANTIFIED_VALUES as i64)
            }
            Candidates::Numbered(_) | Candidates::Listed(_) => false,
        }
    }
}

/// The visitor of a case: whether the loop continues.
pub(crate) type Visit<'v, M> = dyn FnMut(&mut M) -> Result<bool, EvalError> + 'v;

impl<'m> Machine<'m, '_> {
    /// The truth of a quantified formula.
    pub(crate) fn quantified(
        &mut self,
        cx: Context<'m>,
        quantifier: Quantifier,
        binders: &'m [Binder],
        body: ExprId,
    ) -> Result<bool, EvalError> {
        let deciding = match quantifier {
            Quantifier::All => false,
            Quantifier::Some => true,
        };
        let guards = cx.exprs.guards(quantifier, body);
        // Within a scope the cases after a deciding one matter too, as they may leave it.
        let in_full = self.options.scope.is_some();
        let (mut doubt, mut decided) = (None, false);
        self.each(
            cx,
            binders,
            &guards,
            Some(body),
            &mut |machine| match machine.holds(cx, body) {
                Ok(value) => {
                    decided |= value == deciding;
                    Ok(in_full || !decided)
                }
                Err(fault) if fault.is_unknown() => {
                    doubt.get_or_insert(fault);
                    Ok(true)
                }
                Err(fault) => Err(fault),
            },
        )?;
        match doubt {
            _ if decided => Ok(deciding),
            None => Ok(!deciding),
            Some(fault) => Err(fault),
        }
    }

    /// The map that a comprehension is.
    pub(crate) fn lambda(
        &mut self,
        cx: Context<'m>,
        ty: &'m Type,
        binders: &'m [Binder],
        body: ExprId,
    ) -> Result<Value, EvalError> {
        let Type::Map(keys, value) = ty else {
            return EvalError::ill_typed("a comprehension has the type of a map");
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
            // Within a scope a rest that no key has must not matter.
            _ if self.options.scope.is_some() => {}
            _ if **value == Type::Bool => cx.exprs.conjuncts(body, &mut guards),
            Expr::Op(Op::Ite, parts) if !self.speaks_of_unset(cx, parts[2]) => {
                cx.exprs.conjuncts(parts[0], &mut guards);
                rest = self.evaluate(cx, parts[2])?;
            }
            _ => {}
        }
        if let &[binder] = binders
            && self.options.scope.is_none()
            && self.candidates(cx, binder, &ty.keys[0], &guards)?.is_none()
        {
            return self.lambda_by_cells(cx, ty, binder, body);
        }
        let mut entries: Vec<(Key, Value)> = Vec::new();
        self.each(cx, binders, &guards, None, &mut |machine| {
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
    /// If they matter to the truth of a formula only, enough cases to decide it will do.
    pub(crate) fn each(
        &mut self,
        cx: Context<'m>,
        binders: &[Binder],
        guards: &[ExprId],
        formula: Option<ExprId>,
        visit: &mut Visit<'_, Self>,
    ) -> Result<bool, EvalError> {
        let Some((binder, others)) = binders.split_first() else {
            self.work(1)?;
            return visit(self);
        };
        self.reserve(cx);
        let slot = cx.base + binder.0 as usize;
        let ty = cx.exprs.binder(*binder).1;
        let outer = self.bound[slot].take();
        // Within a scope it is the values of the scope that count.
        let formula = formula.filter(|_| self.options.scope.is_none());
        let going = match (self.candidates(cx, *binder, ty, guards), formula) {
            (Ok(Some(candidates)), Some(formula))
                if candidates.are_many() && self.has_cells(cx, binders, formula) =>
            {
                self.each_cell(cx, binders, formula, visit)
            }
            (Ok(Some(candidates)), _) => {
                self.each_candidate(ty, candidates, &mut |machine, value| {
                    machine.bound[slot] = Some(value);
                    machine.each(cx, others, guards, formula, visit)
                })
            }
            (Ok(None), Some(formula)) => self.each_cell(cx, binders, formula, visit),
            (Ok(None), None) => {
                let name = cx.exprs.binder(*binder).0;
                EvalError::undecided(format!("nothing says which values `{name}` can take"))
            }
            (Err(fault), _) => Err(fault),
        };
        self.bound[slot] = outer;
        going
    }

    fn each_candidate(
        &mut self,
        ty: &Type,
        candidates: Candidates,
        visit: &mut dyn FnMut(&mut Self, Value) -> Result<bool, EvalError>,
    ) -> Result<bool, EvalError> {
        let one = Integer::from(1);
        match candidates {
            Candidates::Numbered(count) => {
                for index in 0..count {
                    let value = nth(&mut UnboundedTypes(self), ty, index);
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

    /// The values that a bound variable takes, if its type or the guards leave few enough.
    fn candidates(
        &mut self,
        cx: Context<'m>,
        binder: Binder,
        ty: &Type,
        guards: &[ExprId],
    ) -> Result<Option<Candidates>, EvalError> {
        if let Some(count) = size(&mut UnboundedTypes(self), ty).at_most(QUANTIFIED_VALUES) {
            return Ok(Some(Candidates::Numbered(count)));
        }
        let mut limits = Limits::default();
        for guard in guards {
            let Some((limit, other)) = cx.exprs.limit(*guard, binder) else { continue };
            if self.speaks_of_unset(cx, other) {
                continue;
            }
            let other = self.evaluate(cx, other)?;
            match limit {
                Limit::Equal => return Ok(Some(Candidates::Listed(vec![other]))),
                Limit::Member => {
                    let set = map(&other)?;
                    if *set.rest() == Rest::Is(Value::Bool(false)) {
                        let members = set.entries().keys().map(|key| key[0].clone());
                        return Ok(Some(Candidates::Listed(members.collect())));
                    }
                }
                Limit::Below { order, strict } => limits.narrow(order, true, strict, &other)?,
                Limit::Above { order, strict } => limits.narrow(order, false, strict, &other)?,
            }
        }
        Ok(limits.candidates(ty))
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
    ) -> Result<(), EvalError> {
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
