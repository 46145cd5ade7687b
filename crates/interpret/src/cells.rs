//! Quantifiers over all integers, or all words of a wide type, decided by finitely many cases.
//!
//! Assume that the bound variables of a formula occur in two positions only: as a key of a map or an argument
//! of a function without definition, neither of which depends on them, and as one side of an equality or a
//! comparison whose other side does not depend on them or is one of them too. (A value that is read so may be
//! a key again: like everything else, it is a function of the cell.) A map is finitely many exceptions to one
//! rest. Let the *points* be the keys of those exceptions and the values of those other sides. Then the truth
//! of the formula depends only on which point each variable is, or between which neighbouring points it lies,
//! and on how the variables compare with each other: every read returns the rest unless all its keys are
//! points, every comparison has the same outcome, and everything else is a function of those.
//!
//! So it is enough to try, for each variable, all points and, of each gap between them, as many values
//! as there are variables, or all values of the gap if it has fewer: any values of the variables can
//! be moved to such ones, one gap at a time, keeping their order and which of them are equal. Words
//! are the same with a least and a greatest value, if they are compared as natural numbers.
//!
//! A comprehension with one variable is a map by the same argument, if all gaps agree on its value.

use std::collections::BTreeSet;
use std::sync::Arc;

use ir::{Binder, Expr, ExprId, Exprs, FunctionId, Module, Op, Type};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::apply::{integer, map, word};
use crate::domain::{UnboundedTypes, size};
use crate::error::EvalError;
use crate::integer::Integer;
use crate::limits::QUANTIFIED_VALUES;
use crate::machine::{Context, Machine};
use crate::quantify::Visit;
use crate::value::{MapType, MapValue, Rest, Value, single};
use crate::word::Word;
use crate::world::World as _;

/// An occurrence of a bound variable that makes points.
enum KeyUse {
    /// It is compared with an expression.
    Compared(ClosedExpr),
    /// It is the key of a map at a position.
    Key(ClosedExpr, usize),
    /// It is the argument of a function at a position.
    Argument(FunctionId, usize),
}

/// An expression that mentions none of the bound variables, and whether it refers to the entry state.
#[derive(Clone, Copy)]
struct ClosedExpr {
    id: ExprId,
    old: bool,
}

impl<'m> Machine<'m, '_> {
    /// Whether a formula has a form in which finitely many cases of its bound variables decide.
    pub(crate) fn has_cells(&mut self, cx: Context<'m>, binders: &[Binder], body: ExprId) -> bool {
        let mut wide = binders.to_vec();
        wide.retain(|&binder| {
            size(&mut UnboundedTypes(self), cx.exprs.binder(binder).1)
                .at_most(QUANTIFIED_VALUES)
                .is_none()
        });
        uses(self.module, cx.exprs, &wide, body).is_some()
    }

    /// Visits enough cases of some bound variables to decide a formula, until the visitor stops.
    /// Gives whether it did not; undecided if the formula is none of those that can be decided so.
    pub(crate) fn each_cell(
        &mut self,
        cx: Context<'m>,
        binders: &[Binder],
        body: ExprId,
        visit: &mut Visit<'_, Self>,
    ) -> Result<bool, EvalError> {
        let (mut small, mut wide) = (Vec::new(), Vec::new());
        for &binder in binders {
            let size = size(&mut UnboundedTypes(self), cx.exprs.binder(binder).1);
            if size.at_most(QUANTIFIED_VALUES).is_some() { &mut small } else { &mut wide }
                .push(binder);
        }
        if !small.is_empty() && !wide.is_empty() {
            return self.each(cx, &small, &[], None, &mut |machine| {
                machine.each_cell(cx, &wide, body, visit)
            });
        }
        let outer: Vec<_> = wide.iter().map(|&b| self.bound[slot(cx, b)].take()).collect();
        let going = self.representatives(cx, &wide, body).and_then(|candidates| {
            let mut cases: u128 = 1;
            for candidates in &candidates {
                cases = cases.saturating_mul(candidates.len() as u128);
            }
            if cases > QUANTIFIED_VALUES {
                return EvalError::undecided("a quantifier distinguishes too many cases");
            }
            self.each_choice(cx, &wide, &candidates, visit)
        });
        for (&binder, value) in wide.iter().zip(outer) {
            self.bound[slot(cx, binder)] = value;
        }
        going
    }

    /// The map that a comprehension over one variable is: its values at the points, and elsewhere what
    /// it is in every gap.
    pub(crate) fn lambda_by_cells(
        &mut self,
        cx: Context<'m>,
        ty: Arc<MapType>,
        binder: Binder,
        body: ExprId,
    ) -> Result<Value, EvalError> {
        let slot = slot(cx, binder);
        let outer = self.bound[slot].take();
        let result = self.points(cx, &[binder], body).and_then(|mut points| {
            let key = cx.exprs.binder(binder).1;
            let points = points.remove(key).unwrap_or_default();
            let (mut rest, mut entries) = (None, Vec::new());
            for number in with_gaps(&points, 1, &range(key)) {
                let key = value(key, &number);
                self.work(1)?;
                self.bound[slot] = Some(key.clone());
                let value = self.evaluate(cx, body)?;
                if points.contains(&number) {
                    entries.push((single(key), value));
                } else if *rest.get_or_insert(value.clone()) != value {
                    return EvalError::undecided("a comprehension has no value that is the rest");
                }
            }
            let rest = rest.unwrap_or_else(|| Value::default_of(&ty.value, self.module));
            Ok(Value::from(MapValue::from_parts(ty, Rest::Is(rest), entries)))
        });
        self.bound[slot] = outer;
        result
    }

    /// The values to try for each variable.
    fn representatives(
        &mut self,
        cx: Context<'m>,
        binders: &[Binder],
        body: ExprId,
    ) -> Result<Vec<Vec<Value>>, EvalError> {
        let points = self.points(cx, binders, body)?;
        let none = BTreeSet::new();
        let ty = |binder: &Binder| cx.exprs.binder(*binder).1;
        Ok(binders
            .iter()
            .map(|binder| {
                let ty = ty(binder);
                let same = binders.iter().filter(|other| cx.exprs.binder(**other).1 == ty).count();
                let points = points.get(ty).unwrap_or(&none);
                let numbers = with_gaps(points, same, &range(ty));
                numbers.iter().map(|number| value(ty, number)).collect()
            })
            .collect())
    }

    /// The points of each type.
    fn points(
        &mut self,
        cx: Context<'m>,
        binders: &[Binder],
        body: ExprId,
    ) -> Result<FxHashMap<&'m Type, BTreeSet<Integer>>, EvalError> {
        let Some(uses) = uses(self.module, cx.exprs, binders, body) else {
            let name = cx.exprs.binder(binders[0]).0;
            return EvalError::undecided(format!("nothing says which values `{name}` can take"));
        };
        let mut points: FxHashMap<&'m Type, BTreeSet<Integer>> = FxHashMap::default();
        for (binder, used) in uses {
            let points = points.entry(cx.exprs.binder(binder).1).or_default();
            match used {
                KeyUse::Compared(other) => {
                    let other = self.evaluate_closed(cx, other)?;
                    points.insert(number(&other)?);
                }
                KeyUse::Key(of, position) => {
                    let of = self.evaluate_closed(cx, of)?;
                    let of = map(&of)?;
                    if let Rest::Unknown(_) = of.rest() {
                        return EvalError::undecided("a map is not known everywhere");
                    }
                    self.work(of.entries().len() as u64)?;
                    for key in of.entries().keys() {
                        points.insert(number(&key[position])?);
                    }
                }
                KeyUse::Argument(function, position) => {
                    let table = self.oracle.table(self.module, function);
                    let is_known = |rest: &Rest| matches!(rest, Rest::Is(rest) if rest.is_plain());
                    let Some(table) = table.filter(|table| is_known(table.rest())) else {
                        return EvalError::undecided("a function is not known everywhere");
                    };
                    self.work(table.entries().len() as u64)?;
                    for key in table.entries().keys() {
                        points.insert(number(&key[position])?);
                    }
                }
            }
        }
        Ok(points)
    }

    fn evaluate_closed(&mut self, cx: Context<'m>, closed: ClosedExpr) -> Result<Value, EvalError> {
        match closed.old {
            true => self.evaluate_old(cx, closed.id),
            false => self.evaluate(cx, closed.id),
        }
    }

    fn each_choice(
        &mut self,
        cx: Context<'m>,
        binders: &[Binder],
        candidates: &[Vec<Value>],
        visit: &mut Visit<'_, Self>,
    ) -> Result<bool, EvalError> {
        let (Some((binder, others)), Some((values, rest))) =
            (binders.split_first(), candidates.split_first())
        else {
            self.work(1)?;
            return visit(self);
        };
        for value in values {
            self.bound[slot(cx, *binder)] = Some(value.clone());
            if !self.each_choice(cx, others, rest, visit)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn slot(cx: Context<'_>, binder: Binder) -> usize {
    cx.base + binder.0 as usize
}

/// The occurrences of bound variables in an expression, if all have the right form.
fn uses(
    module: &Module,
    exprs: &Exprs,
    binders: &[Binder],
    body: ExprId,
) -> Option<Vec<(Binder, KeyUse)>> {
    let bound = |id: ExprId| match exprs.get(id) {
        Expr::Bound(binder) if binders.contains(binder) => Some(*binder),
        _ => None,
    };
    let mentioning = mentioning(exprs, binders, body);
    let is_open = |id: &ExprId| mentioning.contains(id);
    let mut uses = Vec::new();
    let mut pending = vec![(body, false)];
    let mut seen = FxHashSet::default();
    while let Some((id, old)) = pending.pop() {
        if !is_open(&id) || !seen.insert((id, old)) {
            continue;
        }
        let closed = |id| ClosedExpr { id, old };
        match exprs.get(id) {
            Expr::Op(Op::Select, operands) => {
                let (of, keys) = operands.split_first()?;
                if is_open(of) {
                    return None;
                }
                for (position, &key) in keys.iter().enumerate() {
                    match bound(key) {
                        Some(binder) => uses.push((binder, KeyUse::Key(closed(*of), position))),
                        None => pending.push((key, old)),
                    }
                }
            }
            Expr::Apply(function, arguments) => {
                if module.function(*function).definition.is_some() {
                    return None;
                }
                for (position, &argument) in arguments.iter().enumerate() {
                    match bound(argument) {
                        Some(binder) => uses.push((binder, KeyUse::Argument(*function, position))),
                        None => pending.push((argument, old)),
                    }
                }
            }
            Expr::Op(Op::Eq | Op::IntLt | Op::IntLe | Op::BvUlt | Op::BvUle, operands) => {
                let [a, b] = operands[..] else { return None };
                match (bound(a), bound(b)) {
                    (Some(_), Some(_)) => {}
                    (Some(binder), None) if !is_open(&b) => {
                        uses.push((binder, KeyUse::Compared(closed(b))));
                    }
                    (None, Some(binder)) if !is_open(&a) => {
                        uses.push((binder, KeyUse::Compared(closed(a))));
                    }
                    (Some(_), None) | (None, Some(_)) => return None,
                    (None, None) => pending.extend([(a, old), (b, old)]),
                }
            }
            Expr::Op(_, operands) => pending.extend(operands.iter().map(|&id| (id, old))),
            Expr::Old(inner) => pending.push((*inner, true)),
            Expr::Bound(_) | Expr::Quantified(..) | Expr::Lambda(..) => return None,
            Expr::Bool(_) | Expr::Bv(..) | Expr::Int(_) | Expr::Null(_) | Expr::Read(_) => {}
        }
    }
    let fits = |binder: &Binder| matches!(exprs.binder(*binder).1, Type::Int | Type::Bv(_));
    binders.iter().all(fits).then_some(uses)
}

/// The parts of an expression that mention one of these variables.
fn mentioning(exprs: &Exprs, binders: &[Binder], body: ExprId) -> FxHashSet<ExprId> {
    let mut parts = BTreeSet::from([body]);
    let mut pending = vec![body];
    while let Some(id) = pending.pop() {
        pending.extend(exprs.get(id).operands().iter().filter(|&&operand| parts.insert(operand)));
    }
    // Operands are older than their users.
    let mut mentioning = FxHashSet::default();
    for id in parts {
        let mentions = match exprs.get(id) {
            Expr::Bound(binder) => binders.contains(binder),
            expr => expr.operands().iter().any(|operand| mentioning.contains(operand)),
        };
        if mentions {
            mentioning.insert(id);
        }
    }
    mentioning
}

/// The least and the greatest number of a type, where there are such.
fn range(ty: &Type) -> [Option<Integer>; 2] {
    match ty {
        Type::Bv(width) => {
            let count = BigInt::from(1) << *width;
            [Some(Integer::from(0)), Some(Integer::from(count - 1))]
        }
        _ => [None, None],
    }
}

/// An integer or a word as a number.
fn number(value: &Value) -> Result<Integer, EvalError> {
    match value {
        Value::Bv(_) => Ok(Integer::from(BigInt::from(word(value)?.to_nat()))),
        _ => integer(value).cloned(),
    }
}

/// The value of a type that is a number.
fn value(ty: &Type, number: &Integer) -> Value {
    match ty {
        Type::Bv(width) => Value::Bv(Word::from_int(*width, &number.to_big())),
        _ => Value::Int(number.clone()),
    }
}

/// The points, and up to N numbers of each gap between them, ascending.
fn with_gaps(
    points: &BTreeSet<Integer>,
    count: usize,
    [least, greatest]: &[Option<Integer>; 2],
) -> Vec<Integer> {
    let one = Integer::from(1);
    let count = Integer::from(count as i64);
    let mut numbers = Vec::new();
    let mut fill = |from: Integer, below: Option<&Integer>| {
        let end = from.add(&count);
        let end = below.map_or(end.clone(), |below| end.min(below.clone()));
        let mut number = from;
        while number < end {
            numbers.push(number.clone());
            number = number.add(&one);
        }
        numbers.extend(below.cloned());
    };
    let beyond = greatest.as_ref().map(|greatest| greatest.add(&one));
    let mut from = match (least, points.first()) {
        (Some(least), _) => least.clone(),
        (None, Some(first)) => first.sub(&count),
        (None, None) => Integer::from(0),
    };
    for point in points {
        fill(from, Some(point));
        from = point.add(&one);
    }
    let has_end = beyond.is_some();
    fill(from, beyond.as_ref());
    if has_end {
        numbers.pop();
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a formula can distinguish about some values: which are points, and how all of them compare.
    fn look(points: &BTreeSet<Integer>, values: &[Integer]) -> Vec<std::cmp::Ordering> {
        let others = points.iter().chain(values);
        values.iter().flat_map(|value| others.clone().map(move |other| value.cmp(other))).collect()
    }

    fn numbers(range: std::ops::Range<i64>) -> Vec<Integer> {
        range.map(Integer::from).collect()
    }

    #[test]
    fn whatever_values_look_like_some_representatives_do() {
        for code in 0_u32..1 << 7 {
            let points: BTreeSet<Integer> = numbers(0..7)
                .into_iter()
                .filter(|n| code >> n.to_i64().unwrap() & 1 == 1)
                .collect();
            for range in [[None, None], [Some(Integer::from(0)), Some(Integer::from(6))]] {
                let values = match range[0] {
                    Some(_) => numbers(0..7),
                    None => numbers(-3..10),
                };
                let mut some_looks = BTreeSet::new();
                for a in &with_gaps(&points, 2, &range) {
                    assert!(range[0].is_none() || values.contains(a));
                    for b in &with_gaps(&points, 2, &range) {
                        some_looks.insert(look(&points, &[a.clone(), b.clone()]));
                    }
                }
                for a in &values {
                    for b in &values {
                        assert!(some_looks.contains(&look(&points, &[a.clone(), b.clone()])));
                    }
                }
            }
        }
    }

    #[test]
    fn gaps_are_not_gone_through() {
        let points = BTreeSet::from([Integer::from(-1_000_000), Integer::from(5)]);
        assert_eq!(with_gaps(&points, 2, &[None, None]).len(), 8);
        assert_eq!(with_gaps(&BTreeSet::new(), 3, &[None, None]).len(), 3);
    }
}
