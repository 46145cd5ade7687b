//! Claims: quantified formulas over values that cannot be listed.
//!
//! The truth of a formula with such a quantifier is a free input, a *claim*, and its consequences are constraints:
//! `(all x :: p)` implies `p` at every known term, and its negation implies that `p` is false at some value,
//! another free input (its Skolem constant). Likewise a comprehension is an unknown array that agrees with its body
//! at all terms, and the equality of two arrays is a claim about all keys.
//!
//! The terms are the arguments of functions and the keys of maps, anywhere in the procedure. So claims are only
//! recorded during the walk, and [instantiated](Context::instantiate) at its end. A bound variable takes the terms
//! of the places in which it occurs itself (E-matching: Detlefs, Nelson and Saxe, *Simplify: A Theorem Prover for
//! Program Checking*, J. ACM 2005), and the values with which its body compares it. All numbers are limited, since
//! dropping a consequence adds executions and removes none. That is sound for an over-approximation. In an
//! under-approximation, replay rejects an execution that exists only because a consequence was dropped.
//!
//! A consequence is stated only for executions that reach the formula and, where atoms are concerned, the term: in
//! other executions the term need not have a value.

mod elsewhere;
mod terms;

use std::collections::BTreeSet;
use std::rc::Rc;

use circuit::{Bits, Gate};
use ir::{Binder, Expr, ExprId, Exprs, Op, Procedure, Quantifier, Type};
use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::expr::Reader;
use crate::limits::{CLAIM_GATES, CLAIM_GATES_OVER, CLAIM_INSTANCES, MATCHING_ROUNDS};
use crate::state::State;
use crate::sym::Sym;
use elsewhere::Elsewhere;
use terms::{Place, Term, parts};

/// The claims recorded during the walk, to be instantiated at its end.
pub(crate) struct Claims<'m> {
    /// Whether claims are possible. If not, nothing is recorded.
    pub(crate) expected: bool,
    /// The condition under which an execution comes to the expression at hand.
    pub(crate) reached: Gate,
    claims: Vec<Claim<'m>>,
    /// The places in which terms stand, in order of appearance.
    places: Vec<Place>,
    terms: FxHashMap<Place, Vec<Term>>,
    /// The representatives of all keys that the procedure does not mention.
    elsewhere: Vec<Elsewhere>,
    /// The representatives, by number, on which the present expression depends.
    from: BTreeSet<usize>,
}

impl Claims<'_> {
    /// None yet.
    pub(crate) fn new() -> Self {
        Claims {
            expected: false,
            reached: Gate::TRUE,
            claims: Vec::new(),
            places: Vec::new(),
            terms: FxHashMap::default(),
            elsewhere: Vec::new(),
            from: BTreeSet::new(),
        }
    }
}

/// Something that holds of all values.
struct Claim<'m> {
    what: What<'m>,
    /// The condition under which it matters.
    reached: Gate,
    /// The values at which it has been stated.
    stated: Vec<Vec<Sym>>,
    /// Whether its Skolem values have been introduced.
    begun: bool,
    /// The representatives of unmentioned keys that it mentions.
    from: BTreeSet<usize>,
}

pub(crate) enum What<'m> {
    /// The truth of a quantified formula.
    Quantified { quantifier: Quantifier, truth: Gate, scene: Rc<Scene<'m>> },
    /// An array whose values are those of a comprehension of this type.
    Lambda { array: Sym, ty: &'m Type, scene: Rc<Scene<'m>> },
    /// Whether two maps of this type are equal.
    Equal { truth: Gate, ty: Type, maps: [Sym; 2] },
}

/// A body with bound variables, and everything that it is evaluated in.
pub(crate) struct Scene<'m> {
    exprs: &'m Exprs,
    binders: &'m [Binder],
    body: ExprId,
    state: State,
    entry: State,
    outer: FxHashMap<Binder, Sym>,
    depth: usize,
}

impl<'m> Context<'m> {
    /// Notes a claim.
    pub(crate) fn claim(&mut self, what: What<'m>) {
        debug_assert!(self.claims.expected, "whether there are claims is seen beforehand");
        let reached = self.circuit.and(self.claims.reached, self.relevant);
        let from = self.claims.from.clone();
        let claim = Claim { what, reached, stated: Vec::new(), begun: false, from };
        self.claims.claims.push(claim);
    }

    /// Whether the evaluation of a procedure may lead to claims.
    pub(crate) fn expects_claims(&self, procedure: &Procedure) -> bool {
        let module = self.module;
        let axioms = module.axioms.iter().chain(&module.invariants).map(|axiom| &axiom.exprs);
        let definitions = module.functions.iter().filter_map(|f| f.definition.as_ref());
        let mut all = axioms.chain(definitions.map(|(exprs, _)| exprs)).chain([&procedure.exprs]);
        all.any(|exprs| (0..exprs.len() as u32).any(|id| self.is_claim(exprs, ExprId(id))))
    }

    fn is_claim(&self, exprs: &Exprs, id: ExprId) -> bool {
        match exprs.get(id) {
            Expr::Quantified(_, binders, _) | Expr::Lambda(binders, _) => {
                binders.iter().any(|&binder| self.values(exprs.binder(binder).1).is_none())
                    || binders.len() > 1
            }
            Expr::Op(Op::Eq, operands) => self.has_arrays(exprs.ty(operands[0])),
            Expr::Bool(_)
            | Expr::Bv(..)
            | Expr::Int(_)
            | Expr::Null(_)
            | Expr::Read(_)
            | Expr::Bound(_)
            | Expr::Op(..)
            | Expr::Apply(..)
            | Expr::Old(_) => false,
        }
    }

    fn has_arrays(&self, ty: &Type) -> bool {
        match ty {
            Type::Map(keys, value) => self.keys(keys).is_none() || self.has_arrays(value),
            Type::Seq(element) => self.has_arrays(element),
            Type::Record(_) | Type::Variant(_) => {
                self.parts(ty).iter().any(|part| self.has_arrays(part))
            }
            Type::Bool | Type::Bv(_) | Type::Int | Type::Sort(_) | Type::Ptr | Type::Bytes => false,
        }
    }

    /// States what follows from the claims, and gives for each type the value that no term has.
    pub(crate) fn instantiate(&mut self) -> Vec<(Type, Bits)> {
        let gates = if self.under() { CLAIM_GATES } else { CLAIM_GATES_OVER };
        let limit = self.circuit.len() + gates;
        for _ in 0..MATCHING_ROUNDS {
            let count = self.claims.claims.len();
            for number in 0..count {
                if !std::mem::replace(&mut self.claims.claims[number].begun, true) {
                    self.begin(number);
                }
            }
            for number in 0..count {
                for case in self.new_cases(number) {
                    if self.circuit.len() > limit {
                        break;
                    }
                    self.state(number, case);
                }
            }
        }
        self.settle_elsewhere()
    }

    /// Says of a claim that does not hold that there is a reason for it.
    fn begin(&mut self, number: usize) {
        let Claim { what, reached, .. } = &self.claims.claims[number];
        let reached = *reached;
        let (types, truth, outcome) = match what {
            What::Quantified { quantifier, truth, scene } => {
                (scene.types(), *truth, *quantifier == Quantifier::Some)
            }
            What::Equal { truth, ty: Type::Map(keys, _), .. } => (keys.clone(), *truth, false),
            What::Equal { .. } | What::Lambda { .. } => return,
        };
        let case: Vec<Sym> = types.iter().map(|ty| self.some_value(ty)).collect();
        let (holds, left) = self.instance(number, &case, reached, &[]);
        // In an under-approximation, there is no use in a reason beyond the scope.
        let (when, left) = match self.under() {
            true => (reached, left),
            false => (self.circuit.and(reached, !left), Gate::FALSE),
        };
        let when = self.circuit.and(when, truth.negate_if(!outcome));
        let shown = self.circuit.and(holds.negate_if(!outcome), !left);
        let follows = self.circuit.implies(when, shown);
        self.constrain(follows);
    }

    /// Any value of a type that has terms.
    fn some_value(&mut self, ty: &Type) -> Sym {
        match self.under() {
            true => self.fresh(ty),
            false => self.anything(ty).expect("what has terms can be anything"),
        }
    }

    /// States what a claim says at some values.
    fn state(&mut self, number: usize, case: Vec<Term>) {
        let claim = &mut self.claims.claims[number];
        let values: Vec<Sym> = case.iter().map(|term| term.value.clone()).collect();
        let reached = claim.reached;
        claim.stated.push(values.clone());
        let computed = case.iter().map(|term| term.reached);
        let reached = self.circuit.and_all(computed.chain([reached]));
        let (holds, left) = self.instance(number, &values, reached, &case);
        let said = match &self.claims.claims[number].what {
            What::Quantified { quantifier: Quantifier::All, truth, .. }
            | What::Equal { truth, .. } => self.circuit.implies(*truth, holds),
            What::Quantified { quantifier: Quantifier::Some, truth, .. } => {
                self.circuit.implies(holds, *truth)
            }
            What::Lambda { .. } => holds,
        };
        let when = self.circuit.and(reached, !left);
        let follows = self.circuit.implies(when, said);
        self.constrain(follows);
    }

    /// Whether a claim about all values holds at some, which may be terms, and where that leaves the scope.
    fn instance(
        &mut self,
        number: usize,
        values: &[Sym],
        reached: Gate,
        terms: &[Term],
    ) -> (Gate, Gate) {
        let own = self.claims.claims[number].from.iter();
        let from = own.chain(terms.iter().flat_map(|term| &term.from)).copied().collect();
        self.claims.from = from;
        let escapes = std::mem::take(&mut self.escapes);
        let relevant = std::mem::replace(&mut self.relevant, Gate::TRUE);
        self.claims.reached = reached;
        let holds = match &self.claims.claims[number].what {
            What::Quantified { scene, .. } => {
                let scene = scene.clone();
                self.eval_scene(&scene, values).gate()
            }
            What::Lambda { array, ty, scene } => {
                let (array, ty, scene) = (array.clone(), *ty, scene.clone());
                let value = self.eval_scene(&scene, values);
                let there = self.read(ty, &array, values);
                self.equal(scene.exprs.ty(scene.body), &value, &there)
            }
            What::Equal { ty, maps, .. } => {
                let (ty, [a, b]) = (ty.clone(), maps.clone());
                let Type::Map(_, value) = &ty else { unreachable!("{ty:?} is no map type") };
                let (a, b) = (self.read(&ty, &a, values), self.read(&ty, &b, values));
                self.equal(value, &a, &b)
            }
        };
        self.claims.from.clear();
        self.relevant = relevant;
        let left = std::mem::replace(&mut self.escapes, escapes);
        let left = self.circuit.or_all(left.into_iter().map(|(gate, _)| gate));
        (holds, left)
    }

    fn eval_scene(&mut self, scene: &Scene<'m>, values: &[Sym]) -> Sym {
        let mut reader = Reader::inside(scene.exprs, &scene.state, &scene.entry, scene.depth);
        reader.binders.clone_from(&scene.outer);
        reader.binders.extend(scene.binders.iter().copied().zip(values.iter().cloned()));
        self.eval(&mut reader, scene.body)
    }

    /// The values at which a claim is to be stated next.
    fn new_cases(&mut self, number: usize) -> Vec<Vec<Term>> {
        let lists: Vec<Vec<Term>> = match &self.claims.claims[number].what {
            What::Quantified { scene, .. } => {
                let (scene, from) = (scene.clone(), self.claims.claims[number].from.clone());
                let binders = scene.binders.iter().zip(scene.types());
                binders.map(|(&binder, ty)| self.terms_for(&scene, binder, &ty, &from)).collect()
            }
            What::Equal { ty: Type::Map(keys, _), .. }
            | What::Lambda { ty: Type::Map(keys, _), .. } => {
                let keys = keys.clone();
                let positions = keys.iter().enumerate();
                positions
                    .map(|(position, ty)| {
                        let place = Place::Key(keys.clone(), position);
                        self.candidates(ty, Vec::new(), &[place])
                    })
                    .collect()
            }
            What::Equal { .. } | What::Lambda { .. } => unreachable!("only maps are claimed of"),
        };
        let stated = &self.claims.claims[number].stated;
        // As many terms for each variable as give no more instances than there may be.
        let few = |each: &usize| {
            each.checked_pow(lists.len() as u32).is_some_and(|cases| cases <= CLAIM_INSTANCES)
        };
        let each = (1..=CLAIM_INSTANCES).rfind(few);
        let each = each.unwrap_or(1);
        let mut cases: Vec<Vec<Term>> = vec![Vec::new()];
        for list in &lists {
            cases = cases
                .iter()
                .flat_map(|case| {
                    let with = |term: &Term| case.iter().cloned().chain([term.clone()]).collect();
                    list.iter().take(each).map(with).collect::<Vec<Vec<Term>>>()
                })
                .collect();
        }
        cases.retain(|case| {
            let same = |known: &Vec<Sym>| case.iter().map(|term| &term.value).eq(known);
            !stated.iter().any(same)
        });
        cases.truncate(CLAIM_INSTANCES.saturating_sub(stated.len()));
        cases
    }
}

impl<'m> Reader<'_, 'm> {
    /// A body, and everything that it is evaluated in here.
    pub(crate) fn scene(&self, binders: &'m [Binder], body: ExprId) -> Rc<Scene<'m>> {
        Rc::new(Scene {
            exprs: self.exprs,
            binders,
            body,
            state: self.state.clone(),
            entry: self.entry.clone(),
            outer: self.binders.clone(),
            depth: self.depth,
        })
    }
}

impl Scene<'_> {
    fn types(&self) -> Vec<Type> {
        self.binders.iter().map(|&binder| self.exprs.binder(binder).1.clone()).collect()
    }

    /// Whether an expression mentions no bound variables but those around the body.
    fn is_closed(&self, id: ExprId) -> bool {
        parts(self.exprs, id).into_iter().all(|id| match self.exprs.get(id) {
            Expr::Bound(binder) => self.outer.contains_key(binder),
            _ => true,
        })
    }
}
