//! Random problems over at most three atoms, and a second, literal definition of their meaning.
//!
//! A sample is a syntax tree of its own. It is turned into handles of the library by `build`, and
//! given a meaning by `holds`, which decides membership tuple by tuple and shares no code with the
//! library.

pub mod meaning;

use std::collections::BTreeSet;

use fastrand::Rng;
use relational::{Bounds, Expr, Formula, Int, Logic, TupleSet, Universe};

/// The arities of the relations that samples mention.
pub const ARITIES: [usize; 4] = [1, 1, 2, 3];

/// An expression, with its arity where it cannot be read off.
#[derive(Clone, Debug)]
pub enum E {
    Relation(usize),
    Variable(usize, usize),
    Univ,
    Iden,
    Nothing(usize),
    Union(Box<E>, Box<E>),
    Intersection(Box<E>, Box<E>),
    Difference(Box<E>, Box<E>),
    Join(Box<E>, Box<E>),
    Product(Box<E>, Box<E>),
    Override(Box<E>, Box<E>),
    Domain(Box<E>, Box<E>),
    Range(Box<E>, Box<E>),
    Transpose(Box<E>),
    Closure(Box<E>),
    Reflexive(Box<E>),
    Project(Box<E>, Vec<usize>),
    Comprehension(Vec<E>, Box<F>),
    Conditional(Box<F>, Box<E>, Box<E>),
    Let(Box<E>, Box<E>),
    OfInt(Box<I>),
}

#[derive(Clone, Debug)]
pub enum F {
    Constant(bool),
    In(E, E),
    Equal(E, E),
    No(E),
    Some(E),
    One(E),
    Lone(E),
    Quantified(char, bool, Vec<E>, Box<F>),
    Not(Box<F>),
    And(Box<F>, Box<F>),
    Or(Box<F>, Box<F>),
    Implies(Box<F>, Box<F>),
    Iff(Box<F>, Box<F>),
    Let(E, Box<F>),
    IntEqual(I, I),
    IntLess(I, I),
    IntAtMost(I, I),
    TotalOrder,
}

#[derive(Clone, Debug)]
pub enum I {
    Constant(i64),
    Count(E),
    SumOf(E),
    Sum(E, Box<I>),
    Negate(Box<I>),
    Binary(char, Box<I>, Box<I>),
    Conditional(Box<F>, Box<I>, Box<I>),
}

/// Makes samples. `scope` holds the arities of the variables in scope.
pub struct Generator<'r> {
    pub rng: &'r mut Rng,
    pub scope: Vec<usize>,
}

impl Generator<'_> {
    pub fn expr(&mut self, arity: usize, depth: usize) -> E {
        if depth == 0 || self.rng.u8(..8) == 0 {
            return self.leaf(arity);
        }
        let depth = depth - 1;
        let same = |g: &mut Self| (Box::new(g.expr(arity, depth)), Box::new(g.expr(arity, depth)));
        match self.rng.u8(..16) {
            0 => same(self).apply(E::Union),
            1 => same(self).apply(E::Intersection),
            2 => same(self).apply(E::Difference),
            3 if arity >= 2 => same(self).apply(E::Override),
            4 | 5 => {
                let left = self.rng.usize(1..=2).min(arity + 1);
                let right = arity + 2 - left;
                if right > 3 {
                    return self.leaf(arity);
                }
                E::Join(self.expr(left, depth).into(), self.expr(right, depth).into())
            }
            6 if arity >= 2 => {
                let left = self.rng.usize(1..arity);
                E::Product(self.expr(left, depth).into(), self.expr(arity - left, depth).into())
            }
            7 => E::Domain(self.expr(1, depth).into(), self.expr(arity, depth).into()),
            8 => E::Range(self.expr(arity, depth).into(), self.expr(1, depth).into()),
            9 if arity == 2 => E::Transpose(self.expr(2, depth).into()),
            10 if arity == 2 => E::Closure(self.expr(2, depth).into()),
            11 if arity == 2 => E::Reflexive(self.expr(2, depth).into()),
            12 => {
                let from = self.rng.usize(1..=3);
                let columns = (0..arity).map(|_| self.rng.usize(..from)).collect();
                E::Project(self.expr(from, depth).into(), columns)
            }
            13 => {
                let decls = self.decls(&vec![1; arity], depth);
                let body = self.formula(depth);
                self.scope.truncate(self.scope.len() - arity);
                E::Comprehension(decls, body.into())
            }
            14 => E::Conditional(
                self.formula(depth).into(),
                self.expr(arity, depth).into(),
                self.expr(arity, depth).into(),
            ),
            15 if arity == 1 && self.rng.bool() => E::OfInt(self.int(depth).into()),
            _ => {
                let bound = self.rng.usize(1..=2);
                let value = self.expr(bound, depth);
                self.scope.push(bound);
                let body = self.expr(arity, depth);
                self.scope.pop();
                E::Let(value.into(), body.into())
            }
        }
    }

    fn leaf(&mut self, arity: usize) -> E {
        let mut choices = vec![E::Nothing(arity)];
        choices.extend(if arity == 1 { Some(E::Univ) } else { None });
        choices.extend(if arity == 2 { Some(E::Iden) } else { None });
        for (relation, _) in ARITIES.iter().enumerate().filter(|(_, a)| **a == arity) {
            choices.extend([E::Relation(relation), E::Relation(relation)]);
        }
        for (variable, _) in self.scope.iter().enumerate().filter(|(_, a)| **a == arity) {
            choices.extend([E::Variable(variable, arity), E::Variable(variable, arity)]);
        }
        let choice = self.rng.usize(..choices.len());
        choices.swap_remove(choice)
    }

    /// Declares variables of the given arities; the caller takes them out of scope again.
    fn decls(&mut self, arities: &[usize], depth: usize) -> Vec<E> {
        let domains = arities.iter().map(|&arity| self.expr(arity, depth)).collect();
        self.scope.extend(arities);
        domains
    }

    pub fn formula(&mut self, depth: usize) -> F {
        if depth == 0 {
            return match self.rng.u8(..10) {
                0 => F::Constant(self.rng.bool()),
                1 => F::TotalOrder,
                n => {
                    let arity = self.rng.usize(1..=2);
                    let (a, b) = (self.leaf(arity), self.leaf(arity));
                    if n < 6 { F::In(a, b) } else { F::Some(a) }
                }
            };
        }
        let depth = depth - 1;
        let arity = self.rng.usize(1..=3);
        match self.rng.u8(..18) {
            0 => F::In(self.expr(arity, depth), self.expr(arity, depth)),
            1 => F::Equal(self.expr(arity, depth), self.expr(arity, depth)),
            2 => F::No(self.expr(arity, depth)),
            3 => F::Some(self.expr(arity, depth)),
            4 => F::One(self.expr(arity, depth)),
            5 => F::Lone(self.expr(arity, depth)),
            6..=9 => {
                let arities: Vec<usize> =
                    (0..self.rng.usize(1..=2)).map(|_| self.rng.usize(1..=2)).collect();
                let decls = self.decls(&arities, depth.min(1));
                let body = self.formula(depth);
                self.scope.truncate(self.scope.len() - arities.len());
                let quantifier = ['a', 's', 'n', 'o', 'l'][self.rng.usize(..5)];
                let disjoint = matches!(quantifier, 'a' | 's') && self.rng.bool();
                F::Quantified(quantifier, disjoint, decls, body.into())
            }
            10 => F::Not(self.formula(depth).into()),
            11 => F::And(self.formula(depth).into(), self.formula(depth).into()),
            12 => F::Or(self.formula(depth).into(), self.formula(depth).into()),
            13 => F::Implies(self.formula(depth).into(), self.formula(depth).into()),
            14 => F::Iff(self.formula(depth).into(), self.formula(depth).into()),
            15 => {
                let value = self.expr(arity, depth);
                self.scope.push(arity);
                let body = self.formula(depth);
                self.scope.pop();
                F::Let(value, body.into())
            }
            _ => {
                let (a, b) = (self.int(depth), self.int(depth));
                match self.rng.u8(..3) {
                    0 => F::IntEqual(a, b),
                    1 => F::IntLess(a, b),
                    _ => F::IntAtMost(a, b),
                }
            }
        }
    }

    fn int(&mut self, depth: usize) -> I {
        if depth == 0 {
            return I::Constant(self.rng.i64(-4..=4));
        }
        let depth = depth - 1;
        let arity = self.rng.usize(1..=3);
        match self.rng.u8(..8) {
            0 | 1 => I::Count(self.expr(arity, depth)),
            2 => I::SumOf(self.expr(1, depth)),
            3 => {
                let domain = self.expr(1, depth);
                self.scope.push(1);
                let body = self.int(depth);
                self.scope.pop();
                I::Sum(domain, body.into())
            }
            4 => I::Negate(self.int(depth).into()),
            5 => I::Conditional(
                self.formula(depth).into(),
                self.int(depth).into(),
                self.int(depth).into(),
            ),
            _ => {
                let op = ['+', '-', '*', '/', '%'][self.rng.usize(..5)];
                I::Binary(op, self.int(depth).into(), self.int(depth).into())
            }
        }
    }
}

trait Apply: Sized {
    fn apply(self, f: impl FnOnce(Box<E>, Box<E>) -> E) -> E;
}

impl Apply for (Box<E>, Box<E>) {
    fn apply(self, f: impl FnOnce(Box<E>, Box<E>) -> E) -> E {
        f(self.0, self.1)
    }
}

/// A problem: bounds of the four relations and the integers that atoms stand for.
#[derive(Clone, Debug)]
pub struct Setting {
    pub atoms: usize,
    pub lower: Vec<Value>,
    pub upper: Vec<Value>,
    pub integers: Vec<(i64, usize)>,
}

pub type Value = BTreeSet<Vec<usize>>;

/// All tuples of this arity.
pub fn tuples(atoms: usize, arity: usize) -> Vec<Vec<usize>> {
    (0..arity).fold(vec![vec![]], |prefixes, _| {
        prefixes
            .iter()
            .flat_map(|prefix| (0..atoms).map(move |a| [&prefix[..], &[a]].concat()))
            .collect()
    })
}

impl Setting {
    /// Random bounds that leave at most `free` tuples open. Half of the time they are symmetric.
    pub fn random(rng: &mut Rng, free: usize) -> Setting {
        let atoms = rng.usize(1..=3);
        let symmetric = rng.bool();
        let (mut lower, mut upper) = (vec![], vec![]);
        let mut left = free;
        for arity in ARITIES {
            let all = tuples(atoms, arity);
            let open = if symmetric && all.len() <= left {
                all.clone()
            } else {
                let count = rng.usize(..=left.min(all.len()).min(4));
                let mut open = all.clone();
                rng.shuffle(&mut open);
                open.truncate(count);
                open
            };
            left -= open.len();
            let keep = |t: &&Vec<usize>| !open.contains(t);
            let fixed: Value = if symmetric {
                Value::new()
            } else {
                all.iter().filter(keep).filter(|_| rng.u8(..4) == 0).cloned().collect()
            };
            upper.push(fixed.iter().cloned().chain(open).collect());
            lower.push(fixed);
        }
        let integers = if rng.bool() {
            (0..atoms).map(|atom| (atom as i64 * 2 - 1, atom)).collect()
        } else {
            vec![]
        };
        Setting { atoms, lower, upper, integers }
    }

    pub fn universe(&self) -> Universe {
        Universe::new((0..self.atoms).map(|atom| format!("x{atom}"))).expect("distinct names")
    }

    pub fn bounds<'a>(&self, logic: &'a Logic, relations: &[Expr<'a>]) -> Bounds<'a> {
        let universe = self.universe();
        let mut bounds = Bounds::new(logic, &universe);
        for (position, &relation) in relations.iter().enumerate() {
            let [lower, upper] = [&self.lower, &self.upper]
                .map(|sets| tuple_set(&universe, ARITIES[position], &sets[position]));
            bounds.between(relation, &lower, &upper).expect("consistent bounds");
        }
        for &(value, atom) in &self.integers {
            bounds.integer(value, universe.name(atom)).expect("distinct integers");
        }
        bounds
    }

    /// Every choice of values between the bounds.
    pub fn instances(&self) -> Vec<Vec<Value>> {
        let mut instances = vec![vec![]];
        for (lower, upper) in self.lower.iter().zip(&self.upper) {
            let open: Vec<&Vec<usize>> = upper.difference(lower).collect();
            let values: Vec<Value> = (0..1_usize << open.len())
                .map(|mask| {
                    let chosen = (0..open.len()).filter(|bit| mask >> bit & 1 == 1);
                    lower.iter().cloned().chain(chosen.map(|bit| open[bit].clone())).collect()
                })
                .collect();
            instances = instances
                .iter()
                .flat_map(|prefix| {
                    values.iter().map(|v| [&prefix[..], std::slice::from_ref(v)].concat())
                })
                .collect();
        }
        instances
    }
}

pub fn tuple_set(universe: &Universe, arity: usize, value: &Value) -> TupleSet {
    let mut set = universe.none(arity).expect("small arity");
    for tuple in value {
        set.insert(tuple).expect("atoms of the universe");
    }
    set
}

pub fn value_of(set: &TupleSet) -> Value {
    set.iter().collect()
}

/// Turns samples into the library's handles.
pub struct Builder<'a> {
    pub logic: &'a Logic,
    pub relations: Vec<Expr<'a>>,
    pub variables: Vec<Expr<'a>>,
}

impl<'a> Builder<'a> {
    pub fn new(logic: &'a Logic) -> Builder<'a> {
        let relations = ARITIES
            .iter()
            .enumerate()
            .map(|(position, &arity)| logic.relation(&format!("r{position}"), arity))
            .collect();
        Builder { logic, relations, variables: vec![] }
    }

    fn under<T>(&mut self, variables: &[Expr<'a>], build: impl FnOnce(&mut Self) -> T) -> T {
        self.variables.extend(variables);
        let result = build(self);
        self.variables.truncate(self.variables.len() - variables.len());
        result
    }

    pub fn expr(&mut self, e: &E) -> Expr<'a> {
        match e {
            E::Relation(relation) => self.relations[*relation],
            E::Variable(variable, _) => self.variables[*variable],
            E::Univ => self.logic.univ(),
            E::Iden => self.logic.iden(),
            E::Nothing(arity) => self.logic.none(*arity),
            E::Union(a, b) => self.expr(a) + self.expr(b),
            E::Intersection(a, b) => self.expr(a) & self.expr(b),
            E::Difference(a, b) => self.expr(a) - self.expr(b),
            E::Join(a, b) => self.expr(a).join(self.expr(b)),
            E::Product(a, b) => self.expr(a).product(self.expr(b)),
            E::Override(a, b) => self.expr(a).override_with(self.expr(b)),
            E::Domain(a, b) => self.expr(a).restrict_domain(self.expr(b)),
            E::Range(a, b) => self.expr(a).restrict_range(self.expr(b)),
            E::Transpose(a) => self.expr(a).transpose(),
            E::Closure(a) => self.expr(a).closure(),
            E::Reflexive(a) => self.expr(a).reflexive_closure(),
            E::Project(a, columns) => self.expr(a).project(columns),
            E::Comprehension(decls, body) => {
                let domains: Vec<Expr<'a>> = decls.iter().map(|d| self.expr(d)).collect();
                match domains[..] {
                    [a] => relational::comprehension([("x", a)], |v| {
                        self.under(&v, |this| this.formula(body))
                    }),
                    [a, b] => relational::comprehension([("x", a), ("y", b)], |v| {
                        self.under(&v, |this| this.formula(body))
                    }),
                    [a, b, c] => relational::comprehension([("x", a), ("y", b), ("z", c)], |v| {
                        self.under(&v, |this| this.formula(body))
                    }),
                    _ => unreachable!("samples declare one to three variables"),
                }
            }
            E::Conditional(f, a, b) => self.formula(f).choose(self.expr(a), self.expr(b)),
            E::Let(value, body) => {
                let value = self.expr(value);
                value.bind_expr("v", |v| self.under(&[v], |this| this.expr(body)))
            }
            E::OfInt(i) => self.int(i).as_set(),
        }
    }

    pub fn formula(&mut self, f: &F) -> Formula<'a> {
        match f {
            F::Constant(true) => self.logic.truth(),
            F::Constant(false) => self.logic.falsity(),
            F::In(a, b) => self.expr(a).is_in(self.expr(b)),
            F::Equal(a, b) => self.expr(a).equals(self.expr(b)),
            F::No(a) => self.expr(a).no(),
            F::Some(a) => self.expr(a).some(),
            F::One(a) => self.expr(a).one(),
            F::Lone(a) => self.expr(a).lone(),
            F::Quantified(quantifier, disjoint, decls, body) => {
                let domains: Vec<Expr<'a>> = decls.iter().map(|d| self.expr(d)).collect();
                match domains[..] {
                    [a] => self.quantified(*quantifier, *disjoint, [("x", a)], body),
                    [a, b] => self.quantified(*quantifier, *disjoint, [("x", a), ("y", b)], body),
                    _ => unreachable!("samples declare one or two variables"),
                }
            }
            F::Not(f) => !self.formula(f),
            F::And(f, g) => self.formula(f) & self.formula(g),
            F::Or(f, g) => self.formula(f) | self.formula(g),
            F::Implies(f, g) => self.formula(f).implies(self.formula(g)),
            F::Iff(f, g) => self.formula(f).iff(self.formula(g)),
            F::Let(value, body) => {
                let value = self.expr(value);
                value.bind("v", |v| self.under(&[v], |this| this.formula(body)))
            }
            F::IntEqual(a, b) => self.int(a).equals(self.int(b)),
            F::IntLess(a, b) => self.int(a).less(self.int(b)),
            F::IntAtMost(a, b) => self.int(a).at_most(self.int(b)),
            F::TotalOrder => {
                let r = &self.relations;
                r[2].total_order(r[0], r[1], r[1])
            }
        }
    }

    fn quantified<const N: usize>(
        &mut self,
        quantifier: char,
        disjoint: bool,
        domains: [(&str, Expr<'a>); N],
        body: &F,
    ) -> Formula<'a> {
        let body = |v: [Expr<'a>; N]| self.under(&v, |this| this.formula(body));
        match (quantifier, disjoint) {
            ('a', false) => relational::all(domains, body),
            ('a', true) => relational::all_disjoint(domains, body),
            ('s', false) => relational::some(domains, body),
            ('s', true) => relational::some_disjoint(domains, body),
            ('n', _) => relational::no(domains, body),
            ('o', _) => relational::one(domains, body),
            _ => relational::lone(domains, body),
        }
    }

    pub fn int(&mut self, i: &I) -> Int<'a> {
        match i {
            I::Constant(value) => self.logic.int(*value),
            I::Count(e) => self.expr(e).count(),
            I::SumOf(e) => self.expr(e).sum(),
            I::Sum(domain, body) => {
                let domain = self.expr(domain);
                relational::sum([("x", domain)], |v| self.under(&v, |this| this.int(body)))
            }
            I::Negate(a) => -self.int(a),
            I::Binary(op, a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                match op {
                    '+' => a + b,
                    '-' => a - b,
                    '*' => a * b,
                    '/' => a / b,
                    _ => a % b,
                }
            }
            I::Conditional(f, a, b) => self.formula(f).choose_int(self.int(a), self.int(b)),
        }
    }
}
