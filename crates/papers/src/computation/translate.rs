//! Formulas of the paper's notation as formulas of the model finder.

use std::collections::BTreeMap;

use java::subset::{Formula, Quantifier, Set};
use relational::{Expr, Logic};

/// The meaning of names.
pub(crate) struct Names<'l> {
    pub(crate) logic: &'l Logic,
    /// Sets, relations and truth values; a truth value is a set that is empty or not.
    pub(crate) relations: BTreeMap<String, Expr<'l>>,
    /// Everything that a variable ranges over which ranges over nothing in particular.
    pub(crate) objects: Expr<'l>,
    /// Which numbers are less than which.
    pub(crate) less: Expr<'l>,
    /// Variables in scope.
    pub(crate) bound: Vec<(String, Expr<'l>)>,
}

impl<'l> Names<'l> {
    /// A name; one that is not known is empty, and a formula of the subset has none.
    fn get(&self, name: &str) -> Expr<'l> {
        let bound = self.bound.iter().rev().find(|(known, _)| known == name);
        let global = || self.relations.get(name).copied();
        bound.map(|(_, expr)| *expr).or_else(global).unwrap_or_else(|| self.logic.none(1))
    }

    pub(crate) fn formula(&mut self, formula: &Formula) -> relational::Formula<'l> {
        match formula {
            Formula::True => self.logic.truth(),
            Formula::Boolean(name) => self.get(name).some(),
            Formula::In(a, b) => self.set(a).is_in(self.set(b)),
            Formula::Equal(a, b) => self.set(a).equals(self.set(b)),
            Formula::Less(a, b) => (self.set(a).product(self.set(b)) & self.less).some(),
            Formula::Count(quantifier, a) => count(*quantifier, self.set(a)),
            Formula::Quantified(quantifier, name, over, body) => {
                let over = over.as_ref().map(|over| self.set(over)).unwrap_or(self.objects);
                let variable = self.logic.variable(name, 1);
                self.bound.push((name.clone(), variable.expr()));
                let body = self.formula(body);
                self.bound.pop();
                match quantifier {
                    Quantifier::All => variable.all(over, body),
                    Quantifier::Some => variable.some(over, body),
                    Quantifier::No => !variable.some(over, body),
                    Quantifier::One => variable.comprehension(over, body).one(),
                    Quantifier::Sole => variable.comprehension(over, body).lone(),
                }
            }
            Formula::Not(inner) => !self.formula(inner),
            Formula::And(a, b) => self.formula(a) & self.formula(b),
            Formula::Or(a, b) => self.formula(a) | self.formula(b),
            Formula::Implies(a, b) => {
                let (a, b) = (self.formula(a), self.formula(b));
                a.implies(b)
            }
        }
    }

    fn set(&mut self, set: &Set) -> Expr<'l> {
        match set {
            Set::Empty => self.logic.none(1),
            Set::Name(name) => self.get(name),
            Set::Union(a, b) => self.set(a) + self.set(b),
            Set::Difference(a, b) => self.set(a) - self.set(b),
            Set::Intersection(a, b) => self.set(a) & self.set(b),
            Set::Join(a, b) => {
                let (a, b) = (self.set(a), self.set(b));
                a.join(b)
            }
            Set::Transpose(a) => self.set(a).transpose(),
            Set::Closure(a) => self.set(a).closure(),
            Set::ReflexiveClosure(a) => self.set(a).reflexive_closure(),
            Set::Comprehension(name, over, body) => {
                let over = over.as_ref().map(|over| self.set(over)).unwrap_or(self.objects);
                let variable = self.logic.variable(name, 1);
                self.bound.push((name.clone(), variable.expr()));
                let body = self.formula(body);
                self.bound.pop();
                variable.comprehension(over, body)
            }
        }
    }
}

fn count<'l>(quantifier: Quantifier, set: Expr<'l>) -> relational::Formula<'l> {
    match quantifier {
        Quantifier::No => set.no(),
        Quantifier::Some | Quantifier::All => set.some(),
        Quantifier::One => set.one(),
        Quantifier::Sole => set.lone(),
    }
}
