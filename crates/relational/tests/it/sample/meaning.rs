//! The literal meaning of samples: a tuple is in an expression's value if the definition of the
//! expression says so.

use super::{E, F, I, Setting, Value, tuples};

/// What a result wider than the chosen width becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    Exact,
    Wrapping(u32),
}

pub struct Meaning<'m> {
    pub setting: &'m Setting,
    pub relations: &'m [Value],
    pub variables: Vec<Value>,
    pub width: Width,
}

impl Meaning<'_> {
    fn value(&mut self, e: &E) -> Value {
        tuples(self.setting.atoms, arity(e)).into_iter().filter(|t| self.member(t, e)).collect()
    }

    fn member(&mut self, t: &[usize], e: &E) -> bool {
        let n = self.setting.atoms;
        match e {
            E::Relation(relation) => self.relations[*relation].contains(t),
            E::Variable(variable, _) => self.variables[*variable].contains(t),
            E::Univ => true,
            E::Iden => t[0] == t[1],
            E::Nothing(_) => false,
            E::Union(a, b) => self.member(t, a) | self.member(t, b),
            E::Intersection(a, b) => self.member(t, a) & self.member(t, b),
            E::Difference(a, b) => self.member(t, a) & !self.member(t, b),
            E::Join(a, b) => {
                let split = arity(a) - 1;
                (0..n).any(|x| {
                    self.member(&[&t[..split], &[x]].concat(), a)
                        && self.member(&[&[x], &t[split..]].concat(), b)
                })
            }
            E::Product(a, b) => {
                let split = arity(a);
                self.member(&t[..split], a) & self.member(&t[split..], b)
            }
            E::Override(a, b) => {
                let value = self.value(b);
                value.contains(t)
                    || self.member(t, a) && !value.iter().any(|other| other[0] == t[0])
            }
            E::Domain(a, b) => self.member(&t[..1], a) & self.member(t, b),
            E::Range(a, b) => self.member(t, a) & self.member(&t[t.len() - 1..], b),
            E::Transpose(a) => self.member(&[t[1], t[0]], a),
            E::Closure(a) => {
                let step = self.value(a);
                let mut reached = vec![false; n];
                for _ in 0..n {
                    for pair in &step {
                        if pair[0] == t[0] || reached[pair[0]] {
                            reached[pair[1]] = true;
                        }
                    }
                }
                reached[t[1]]
            }
            E::Reflexive(a) => t[0] == t[1] || self.member(t, &E::Closure(a.clone())),
            E::Project(a, columns) => self
                .value(a)
                .iter()
                .any(|source| columns.iter().zip(t).all(|(&column, &atom)| source[column] == atom)),
            E::Comprehension(decls, body) => {
                let values: Vec<Value> = decls.iter().map(|d| self.value(d)).collect();
                if !values.iter().zip(t).all(|(value, &atom)| value.contains(&vec![atom])) {
                    return false;
                }
                let bindings: Vec<Value> =
                    t.iter().map(|&atom| Value::from([vec![atom]])).collect();
                self.under(bindings, |this| this.holds(body))
            }
            E::Conditional(f, a, b) => {
                if self.holds(f) {
                    self.member(t, a)
                } else {
                    self.member(t, b)
                }
            }
            E::Let(value, body) => {
                let value = self.value(value);
                self.under(vec![value], |this| this.member(t, body))
            }
            E::OfInt(i) => {
                let i = self.int(i);
                self.setting.integers.iter().any(|&(v, atom)| i128::from(v) == i && atom == t[0])
            }
        }
    }

    fn under<T>(&mut self, values: Vec<Value>, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.variables.len();
        self.variables.extend(values);
        let result = work(self);
        self.variables.truncate(before);
        result
    }

    pub fn holds(&mut self, f: &F) -> bool {
        match f {
            F::Constant(value) => *value,
            F::In(a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                a.is_subset(&b)
            }
            F::Equal(a, b) => self.value(a) == self.value(b),
            F::No(a) => self.value(a).is_empty(),
            F::Some(a) => !self.value(a).is_empty(),
            F::One(a) => self.value(a).len() == 1,
            F::Lone(a) => self.value(a).len() <= 1,
            F::Quantified(quantifier, disjoint, decls, body) => {
                let domains: Vec<Value> = decls.iter().map(|d| self.value(d)).collect();
                let choices: Vec<Vec<Value>> = domains.iter().fold(vec![vec![]], |prefixes, d| {
                    let extend = |prefix: &Vec<Value>| -> Vec<Vec<Value>> {
                        d.iter()
                            .map(|t| [&prefix[..], &[Value::from([t.clone()])]].concat())
                            .collect()
                    };
                    prefixes.iter().flat_map(extend).collect()
                });
                let (mut total, mut examples) = (0, 0);
                for choice in choices {
                    if *disjoint && choice.len() == 2 && choice[0] == choice[1] {
                        continue;
                    }
                    total += 1;
                    examples += usize::from(self.under(choice, |this| this.holds(body)));
                }
                match quantifier {
                    'a' => examples == total,
                    's' => examples > 0,
                    'n' => examples == 0,
                    'o' => examples == 1,
                    _ => examples <= 1,
                }
            }
            F::Not(f) => !self.holds(f),
            F::And(f, g) => self.holds(f) & self.holds(g),
            F::Or(f, g) => self.holds(f) | self.holds(g),
            F::Implies(f, g) => !self.holds(f) | self.holds(g),
            F::Iff(f, g) => self.holds(f) == self.holds(g),
            F::Let(value, body) => {
                let value = self.value(value);
                self.under(vec![value], |this| this.holds(body))
            }
            F::IntEqual(a, b) => self.int(a) == self.int(b),
            F::IntLess(a, b) => self.int(a) < self.int(b),
            F::IntAtMost(a, b) => self.int(a) <= self.int(b),
            F::TotalOrder => {
                // Relation 0 ordered by relation 2 with relation 1 both first and last: there is
                // one atom, and no pair.
                self.relations[2].is_empty()
                    && self.relations[0].len() == 1
                    && self.relations[0] == self.relations[1]
            }
        }
    }

    fn int(&mut self, i: &I) -> i128 {
        let exact = match i {
            I::Constant(value) => i128::from(*value),
            I::Count(e) => self.value(e).len() as i128,
            I::SumOf(e) => {
                let value = self.value(e);
                let members = self.setting.integers.iter().filter(|i| value.contains(&vec![i.1]));
                members.map(|&(v, _)| i128::from(v)).sum()
            }
            I::Sum(domain, body) => {
                let domain = self.value(domain);
                domain
                    .into_iter()
                    .map(|t| self.under(vec![Value::from([t])], |this| this.int(body)))
                    .sum()
            }
            I::Negate(a) => -self.int(a),
            I::Binary(op, a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                match op {
                    '+' => a + b,
                    '-' => a - b,
                    '*' => a * b,
                    '/' if b == 0 => 0,
                    '/' => a / b,
                    _ if b == 0 => a,
                    _ => a % b,
                }
            }
            I::Conditional(f, a, b) => {
                if self.holds(f) {
                    self.int(a)
                } else {
                    self.int(b)
                }
            }
        };
        match self.width {
            Width::Exact => exact,
            Width::Wrapping(width) => exact << (128 - width) >> (128 - width),
        }
    }
}

fn arity(e: &E) -> usize {
    match e {
        E::Relation(relation) => super::ARITIES[*relation],
        E::Variable(_, arity) | E::Nothing(arity) => *arity,
        E::Univ | E::OfInt(_) => 1,
        E::Iden | E::Transpose(_) | E::Closure(_) | E::Reflexive(_) => 2,
        E::Union(a, _) | E::Intersection(a, _) | E::Difference(a, _) => arity(a),
        E::Override(a, _) | E::Range(a, _) | E::Conditional(_, a, _) => arity(a),
        E::Domain(_, b) | E::Let(_, b) => arity(b),
        E::Join(a, b) => arity(a) + arity(b) - 2,
        E::Product(a, b) => arity(a) + arity(b),
        E::Project(_, columns) => columns.len(),
        E::Comprehension(decls, _) => decls.len(),
    }
}
