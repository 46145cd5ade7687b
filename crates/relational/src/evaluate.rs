//! The evaluator: the value of an expression or formula in one instance.
//!
//! It is the judge of every instance the solver proposes, so it shares nothing with the
//! translation but the syntax: sets are sets, quantifiers are loops.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::algebra;
use crate::error::Error;
use crate::face::{Expr, Formula, Int};
use crate::instance::Instance;
use crate::logic::{
    AnyNode, Arena, BinaryOp, Comparison, Connective, Decl, ExprId, ExprNode, FormulaId,
    FormulaNode, IntComparison, IntId, IntNode, IntOp, Multiplicity, Quantifier, TotalOrder,
    UnaryOp,
};
use crate::options::Integers;
use crate::translate::grow;
use crate::tuples::TupleSet;
use crate::typing;

impl Instance {
    /// Whether the formula holds in this instance; integers are exact.
    ///
    /// # Errors
    /// If the formula is ill-typed, has free variables, or mentions a relation without a value.
    ///
    /// ```
    /// use relational::{Solution, Bounds, Finder, Logic, Options, Universe};
    /// let logic = Logic::new();
    /// let next = logic.relation("next", 2);
    /// let universe = Universe::new(["a", "b"])?;
    /// let mut bounds = Bounds::new(&logic, &universe);
    /// bounds.at_most(next, &universe.all().product(&universe.all())?)?;
    /// let mut finder = Finder::new(&bounds, &[next.some()], &Options::default())?;
    /// let Solution::Instance(instance) = finder.next() else { panic!("there is one") };
    /// assert!(instance.holds(next.some())?);
    /// assert_eq!(&instance.value(next.closure() & next)?, instance.get(next)?);
    /// # Ok::<(), relational::Error>(())
    /// ```
    pub fn holds(&self, formula: Formula<'_>) -> Result<bool, Error> {
        let arena = formula.logic.arena.borrow();
        typing::check(&arena, AnyNode::Formula(formula.id))?;
        let mut evaluator = Evaluator::new(&arena, self, Integers::Exact);
        evaluator.formula(formula.id)
    }

    /// The value of an expression in this instance; integers are exact.
    ///
    /// # Errors
    /// If the expression is ill-typed, has free variables, or mentions a relation without a value.
    pub fn value(&self, expr: Expr<'_>) -> Result<TupleSet, Error> {
        let arena = expr.logic.arena.borrow();
        typing::check(&arena, AnyNode::Expr(expr.id))?;
        let mut evaluator = Evaluator::new(&arena, self, Integers::Exact);
        Ok((*evaluator.expr(expr.id)?).clone())
    }

    /// The value of an integer expression in this instance, exact.
    ///
    /// # Errors
    /// If the expression is ill-typed, has free variables, mentions a relation without a value, or
    /// does not fit in 128 bits.
    pub fn int(&self, int: Int<'_>) -> Result<i128, Error> {
        let arena = int.logic.arena.borrow();
        typing::check(&arena, AnyNode::Int(int.id))?;
        let mut evaluator = Evaluator::new(&arena, self, Integers::Exact);
        evaluator.int(int.id)
    }
}

/// The state of one evaluation.
pub(crate) struct Evaluator<'e> {
    arena: &'e Arena,
    instance: &'e Instance,
    integers: Integers,
    scope: Vec<Option<Rc<TupleSet>>>,
    /// The values of expressions without free variables.
    closed: FxHashMap<ExprId, Rc<TupleSet>>,
}

impl<'e> Evaluator<'e> {
    pub(crate) fn new(arena: &'e Arena, instance: &'e Instance, integers: Integers) -> Self {
        let scope = vec![None; arena.variables.len()];
        Evaluator { arena, instance, integers, scope, closed: FxHashMap::default() }
    }

    fn expr(&mut self, id: ExprId) -> Result<Rc<TupleSet>, Error> {
        let closed = self.arena.exprs.facts(id.index()).free.is_empty();
        if let Some(value) = self.closed.get(&id) {
            return Ok(value.clone());
        }
        let value = grow(|| self.compute(id))?;
        if closed {
            self.closed.insert(id, value.clone());
        }
        Ok(value)
    }

    fn compute(&mut self, id: ExprId) -> Result<Rc<TupleSet>, Error> {
        let arena = self.arena;
        let universe = self.instance.universe();
        let arity = arena.exprs.facts(id.index()).arity;
        if universe.capacity(arity).is_none() {
            let what = format!("`{}`", crate::print::text(arena, AnyNode::Expr(id)));
            return Err(Error::TooLarge { what, atoms: universe.size() });
        }
        Ok(Rc::new(match *arena.exprs.node(id.index()) {
            ExprNode::Relation(relation) => match self.instance.relation(relation) {
                Some(value) => value.clone(),
                None => {
                    return Err(Error::Unbound(arena.relations[relation.index()].name.clone()));
                }
            },
            ExprNode::Variable(variable) => match &self.scope[variable.index()] {
                Some(value) => return Ok(value.clone()),
                None => unreachable!("`check` refuses free variables"),
            },
            ExprNode::Univ => universe.all(),
            ExprNode::Iden => algebra::identity(universe),
            ExprNode::Nothing(arity) => universe.none(arity)?,
            ExprNode::Unary(op, a) => {
                let a = self.expr(a)?;
                match op {
                    UnaryOp::Transpose => algebra::transpose(&a),
                    UnaryOp::Closure => algebra::closure(&a),
                    UnaryOp::ReflexiveClosure => {
                        algebra::union(&algebra::closure(&a), &algebra::identity(universe))
                    }
                }
            }
            ExprNode::Binary(op, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                match op {
                    BinaryOp::Union => algebra::union(&a, &b),
                    BinaryOp::Intersection => algebra::intersection(&a, &b),
                    BinaryOp::Difference => algebra::difference(&a, &b),
                    BinaryOp::Product => algebra::product(&a, &b),
                    BinaryOp::Join => algebra::join(&a, &b),
                    BinaryOp::Override => algebra::override_with(&a, &b),
                    BinaryOp::RestrictDomain => algebra::restrict_domain(&a, &b),
                    BinaryOp::RestrictRange => algebra::restrict_range(&a, &b),
                }
            }
            ExprNode::Project(a, ref columns) => algebra::project(&*self.expr(a)?, columns),
            ExprNode::Comprehension(ref decls, body) => {
                let mut tuples = Vec::new();
                self.choices(decls, 0, 0, &mut |this, tuple| {
                    if this.formula(body)? {
                        tuples.push(tuple);
                    }
                    Ok(true)
                })?;
                TupleSet::from_sorted(universe.clone(), arity, tuples)
            }
            ExprNode::Conditional(f, a, b) => {
                return if self.formula(f)? { self.expr(a) } else { self.expr(b) };
            }
            ExprNode::Let(variable, value, body) => {
                let value = self.expr(value)?;
                let outer = self.scope[variable.index()].replace(value);
                let result = self.expr(body);
                self.scope[variable.index()] = outer;
                return result;
            }
            ExprNode::OfInt(int) => {
                let int = self.int(int)?;
                let atom = i64::try_from(int).ok().and_then(|i| self.instance.integers.get(&i));
                TupleSet::from_sorted(universe.clone(), 1, atom.copied().into_iter().collect())
            }
        }))
    }

    pub(crate) fn formula(&mut self, id: FormulaId) -> Result<bool, Error> {
        grow(|| self.decide(id))
    }

    fn decide(&mut self, id: FormulaId) -> Result<bool, Error> {
        let arena = self.arena;
        Ok(match *arena.formulas.node(id.index()) {
            FormulaNode::Constant(value) => value,
            FormulaNode::Compare(comparison, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                match comparison {
                    Comparison::In => a.is_subset(&b),
                    Comparison::Equal => a == b,
                }
            }
            FormulaNode::Multiplicity(multiplicity, a) => {
                let count = self.expr(a)?.len();
                match multiplicity {
                    Multiplicity::No => count == 0,
                    Multiplicity::Some => count > 0,
                    Multiplicity::One => count == 1,
                    Multiplicity::Lone => count <= 1,
                }
            }
            FormulaNode::Quantified(quantifier, ref decls, body) => {
                self.quantified(quantifier, decls, body)?
            }
            FormulaNode::Not(f) => !self.formula(f)?,
            FormulaNode::Connective(connective, f, g) => {
                let f = self.formula(f)?;
                match connective {
                    Connective::And => f && self.formula(g)?,
                    Connective::Or => f || self.formula(g)?,
                    Connective::Implies => !f || self.formula(g)?,
                    Connective::Iff => f == self.formula(g)?,
                }
            }
            FormulaNode::Let(variable, value, body) => {
                let value = self.expr(value)?;
                let outer = self.scope[variable.index()].replace(value);
                let result = self.formula(body);
                self.scope[variable.index()] = outer;
                result?
            }
            FormulaNode::CompareInt(comparison, a, b) => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                match comparison {
                    IntComparison::Equal => a == b,
                    IntComparison::Less => a < b,
                    IntComparison::AtMost => a <= b,
                }
            }
            FormulaNode::TotalOrder(order) => self.total_order(order)?,
        })
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        decls: &[Decl],
        body: FormulaId,
    ) -> Result<bool, Error> {
        // Searches for examples of the body (of its negation for `all`) until the result is known.
        let wanted = quantifier != Quantifier::All;
        let enough = match quantifier {
            Quantifier::All | Quantifier::Some | Quantifier::No => 1,
            Quantifier::One | Quantifier::Lone => 2,
        };
        let mut found = 0;
        self.choices(decls, 0, 0, &mut |this, _| {
            if this.formula(body)? == wanted {
                found += 1;
            }
            Ok(found < enough)
        })?;
        Ok(match quantifier {
            Quantifier::All | Quantifier::No => found == 0,
            Quantifier::Some | Quantifier::One => found == 1,
            Quantifier::Lone => found <= 1,
        })
    }

    /// Visits every choice of values for the declared variables until the visitor stops.
    fn choices(
        &mut self,
        decls: &[Decl],
        depth: usize,
        prefix: usize,
        visit: &mut dyn FnMut(&mut Self, usize) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        let Some(decl) = decls.get(depth) else { return visit(self, prefix) };
        let domain = self.expr(decl.domain)?;
        let universe = self.instance.universe();
        let stride = universe.size().pow(domain.arity() as u32);
        for &tuple in domain.numbers() {
            let single = TupleSet::from_sorted(universe.clone(), domain.arity(), vec![tuple]);
            let repeats = decl
                .distinct_from
                .iter()
                .any(|other| self.scope[other.index()].as_deref() == Some(&single));
            if repeats {
                continue;
            }
            let outer = self.scope[decl.variable.index()].replace(Rc::new(single));
            let go_on = self.choices(decls, depth + 1, prefix * stride + tuple, visit);
            self.scope[decl.variable.index()] = outer;
            if !go_on? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn int(&mut self, id: IntId) -> Result<i128, Error> {
        let exact = grow(|| self.exact(id))?;
        let too_wide = |arena, width| Error::IntegerWidth {
            text: crate::print::text(arena, AnyNode::Int(id)),
            width,
        };
        let exact = exact.ok_or_else(|| too_wide(self.arena, 128))?;
        match self.integers {
            Integers::Exact => Ok(exact),
            Integers::Wrapping(width) => {
                let unused = 128 - width.clamp(1, 128);
                Ok(exact << unused >> unused)
            }
            Integers::Checked(width) => {
                let unused = 128 - width.clamp(1, 128);
                if exact << unused >> unused == exact {
                    Ok(exact)
                } else {
                    Err(too_wide(self.arena, width as usize))
                }
            }
        }
    }

    /// The exact value, or nothing if 128 bits cannot hold it.
    fn exact(&mut self, id: IntId) -> Result<Option<i128>, Error> {
        let arena = self.arena;
        Ok(match *arena.ints.node(id.index()) {
            IntNode::Constant(value) => Some(i128::from(value)),
            IntNode::Cardinality(set) => Some(self.expr(set)?.len() as i128),
            IntNode::SumOf(set) => {
                let set = self.expr(set)?;
                let members = self.instance.integers.iter().filter(|&(_, &a)| set.has_number(a));
                Some(members.map(|(&value, _)| i128::from(value)).sum())
            }
            IntNode::Sum(ref decls, body) => {
                let mut sum = Some(0_i128);
                self.choices(decls, 0, 0, &mut |this, _| {
                    let term = this.int(body)?;
                    sum = sum.and_then(|sum| sum.checked_add(term));
                    Ok(true)
                })?;
                sum
            }
            IntNode::Negate(a) => self.int(a)?.checked_neg(),
            IntNode::Binary(op, a, b) => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                match op {
                    IntOp::Add => a.checked_add(b),
                    IntOp::Subtract => a.checked_sub(b),
                    IntOp::Multiply => a.checked_mul(b),
                    IntOp::Divide if b == 0 => Some(0),
                    IntOp::Divide => a.checked_div(b),
                    IntOp::Remainder if b == 0 => Some(a),
                    IntOp::Remainder => a.checked_rem(b),
                }
            }
            IntNode::Conditional(f, a, b) => {
                return if self.formula(f)? {
                    self.int(a).map(Some)
                } else {
                    self.int(b).map(Some)
                };
            }
        })
    }

    fn total_order(&mut self, order: TotalOrder) -> Result<bool, Error> {
        let (next, ordered) = (self.expr(order.next)?, self.expr(order.ordered)?);
        let (first, last) = (self.expr(order.first)?, self.expr(order.last)?);
        // Follow the order from the first atom to the last; it must use all pairs and visit all atoms.
        let ([start], [end]) = (first.numbers(), last.numbers()) else { return Ok(false) };
        let mut met = vec![*start];
        let mut here = first.clone();
        while met.len() <= ordered.len() {
            here = Rc::new(algebra::join(&here, &next));
            match here.numbers() {
                [] => break,
                [atom] => met.push(*atom),
                _ => return Ok(false),
            }
        }
        let arrived = met.last() == Some(end) && next.len() + 1 == met.len();
        met.sort_unstable();
        Ok(arrived && met == ordered.numbers())
    }
}
