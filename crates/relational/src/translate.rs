//! From formulas to gates: every expression becomes a matrix, every formula a gate.
//!
//! Quantifiers are grounded over the cells of their domains. What a node means depends only on
//! its free variables, so a result is kept under their values whenever it can be asked for again:
//! when the node is used twice, or when some enclosing variable does not occur in it (Torlak's
//! thesis, *A Constraint Solver for Software Engineering*, 2009, §4). Equal subcircuits are shared
//! by the circuit itself.

mod assert;
mod integer;

use std::rc::Rc;

use circuit::{Circuit, Gate};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::bounds::{Bound, Bounds};
use crate::error::Error;
use crate::face::Formula;
use crate::limits::{FORMULA_DEPTH, TRANSLATION_CELLS};
use crate::logic::{
    AnyNode, Arena, BinaryOp, Comparison, Connective, Decl, ExprId, ExprNode, Facts, FormulaId,
    FormulaNode, Multiplicity, Quantifier, RelationId, TotalOrder, UnaryOp, VariableId,
};
use crate::matrix::Matrix;
use crate::options::Integers;
use crate::typing;

pub(crate) use assert::Witness;

/// Translates one formula into a gate of the given circuit. The bounds determine the relations: fresh inputs
/// where they leave freedom, and the caller's own gates for [`Bounds::gates`].
///
/// ```
/// use circuit::Circuit;
/// use relational::{Bounds, Integers, Logic, Matrix, Universe, translate};
/// let logic = Logic::new();
/// let field = logic.relation("field", 2);
/// let universe = Universe::new(["a", "b"])?;
/// let mut circuit = Circuit::new();
/// let (x, y) = (circuit.input(), circuit.input());
/// let mut gates = Matrix::new(2, 2);
/// gates.set(&[0, 1], x);
/// gates.set(&[1, 0], y);
/// let mut bounds = Bounds::new(&logic, &universe);
/// bounds.gates(field, gates)?;
/// let gate = translate(&mut circuit, &bounds, field.acyclic(), Integers::Exact)?;
/// let both = circuit.and(x, y);
/// assert_eq!(gate, !both);
/// # Ok::<(), relational::Error>(())
/// ```
///
/// # Errors
/// If the formula is ill-typed, has a free variable or a relation without bounds, or is too large.
pub fn translate(
    circuit: &mut Circuit,
    bounds: &Bounds<'_>,
    formula: Formula<'_>,
    integers: Integers,
) -> Result<Gate, Error> {
    let arena = formula.logic.arena.borrow();
    let mut translator = Translator::new(&arena, circuit, bounds, integers);
    translator.check(formula.id)?;
    let gate = translator.formula(formula.id)?;
    let fits: Vec<Gate> = translator.overflows.iter().map(|&overflow| !overflow).collect();
    let fits = circuit.and_all(fits);
    Ok(circuit.and(gate, fits))
}

/// The value of a variable while a formula below its quantifier is translated.
#[derive(Clone)]
enum Binding {
    /// A single tuple.
    Tuple(usize),
    /// A matrix, with a number that no other binding of any variable has.
    Value(Rc<Matrix>, usize),
}

type Key = (u32, SmallVec<[usize; 3]>);

/// The state of one translation into one circuit.
pub(crate) struct Translator<'t> {
    arena: &'t Arena,
    circuit: &'t mut Circuit,
    bounds: &'t Bounds<'t>,
    integers: Integers,
    atoms: usize,
    /// The matrices of the bounded relations.
    relations: FxHashMap<RelationId, Rc<Matrix>>,
    /// The values of the variables in scope, by variable, and how many there are.
    scope: Vec<Option<Binding>>,
    in_scope: usize,
    bindings: usize,
    expr_cache: FxHashMap<Key, Rc<Matrix>>,
    formula_cache: FxHashMap<Key, Gate>,
    work: usize,
    /// Gates that hold where an integer leaves its width, if that is to be noticed.
    overflows: Vec<Gate>,
    witnesses: Vec<Witness>,
}

impl<'t> Translator<'t> {
    /// Prepares a translation: every tuple that the bounds leave open becomes an input.
    pub(crate) fn new(
        arena: &'t Arena,
        circuit: &'t mut Circuit,
        bounds: &'t Bounds<'t>,
        integers: Integers,
    ) -> Translator<'t> {
        let atoms = bounds.universe().size();
        let mut relations = FxHashMap::default();
        for (relation, bound) in bounds.iter() {
            let matrix = match bound {
                Bound::Gates(matrix) => matrix.clone(),
                Bound::Between { lower, upper } => {
                    let cells = upper.numbers().iter().map(|&tuple| {
                        let fixed = lower.has_number(tuple);
                        (tuple, if fixed { Gate::TRUE } else { circuit.input() })
                    });
                    Matrix::from_sorted(atoms, upper.arity(), cells)
                }
            };
            relations.insert(relation, Rc::new(matrix));
        }
        Translator {
            arena,
            circuit,
            bounds,
            integers,
            atoms,
            relations,
            scope: vec![None; arena.variables.len()],
            in_scope: 0,
            bindings: 0,
            expr_cache: FxHashMap::default(),
            formula_cache: FxHashMap::default(),
            work: 0,
            overflows: Vec::new(),
            witnesses: Vec::new(),
        }
    }

    /// Further results of the translation: witnesses, and gates of integers that overflow.
    pub(crate) fn finish(self) -> (Vec<Witness>, Vec<Gate>) {
        (self.witnesses, self.overflows)
    }

    /// The matrix of a bounded relation.
    pub(crate) fn relation(&self, relation: RelationId) -> &Matrix {
        &self.relations[&relation]
    }

    /// Whether a formula has a meaning under the bounds.
    pub(crate) fn check(&self, formula: FormulaId) -> Result<(), Error> {
        typing::check(self.arena, AnyNode::Formula(formula))?;
        match self.arena.formulas.facts(formula.index()).depth {
            depth if depth > FORMULA_DEPTH => Err(Error::TooDeep { depth, limit: FORMULA_DEPTH }),
            _ => Ok(()),
        }
    }

    fn too_large(&self, node: AnyNode) -> Error {
        let what = format!("`{}`", crate::print::text(self.arena, node));
        Error::TooLarge { what, atoms: self.atoms }
    }

    /// Counts work, and refuses when there is too much of it.
    fn spend(&mut self, work: usize, node: AnyNode) -> Result<(), Error> {
        self.work = self.work.saturating_add(work);
        if self.work > TRANSLATION_CELLS { Err(self.too_large(node)) } else { Ok(()) }
    }

    /// The key under which a node's translation is worth keeping, if it is.
    fn key(&self, index: usize, facts: &Facts) -> Option<Key> {
        if facts.uses <= 1 && facts.free.len() >= self.in_scope {
            return None;
        }
        let value = |variable: &VariableId| match &self.scope[variable.index()] {
            Some(Binding::Tuple(tuple)) => *tuple,
            Some(Binding::Value(_, number)) => usize::MAX - number,
            None => unreachable!("`check` refuses formulas with free variables"),
        };
        Some((index as u32, facts.free.iter().map(value).collect()))
    }

    pub(crate) fn expr(&mut self, id: ExprId) -> Result<Rc<Matrix>, Error> {
        let arena = self.arena;
        match arena.exprs.node(id.index()) {
            ExprNode::Relation(relation) => {
                return self
                    .relations
                    .get(relation)
                    .cloned()
                    .ok_or_else(|| Error::Unbound(arena.relations[relation.index()].name.clone()));
            }
            ExprNode::Variable(variable) => {
                return Ok(match &self.scope[variable.index()] {
                    Some(Binding::Value(matrix, _)) => matrix.clone(),
                    Some(Binding::Tuple(tuple)) => {
                        let arity = arena.variables[variable.index()].arity;
                        Rc::new(Matrix::singleton(self.atoms, arity, *tuple))
                    }
                    None => unreachable!("`check` refuses formulas with free variables"),
                });
            }
            _ => {}
        }
        let facts = arena.exprs.facts(id.index());
        let key = self.key(id.index(), facts);
        if let Some(found) = key.as_ref().and_then(|key| self.expr_cache.get(key)) {
            return Ok(found.clone());
        }
        if self.bounds.universe().capacity(facts.arity).is_none() {
            return Err(self.too_large(AnyNode::Expr(id)));
        }
        let matrix = Rc::new(grow(|| self.compute(id))?);
        if let Some(key) = key {
            self.expr_cache.insert(key, matrix.clone());
        }
        Ok(matrix)
    }

    fn compute(&mut self, id: ExprId) -> Result<Matrix, Error> {
        let arena = self.arena;
        let arity = arena.exprs.facts(id.index()).arity;
        Ok(match *arena.exprs.node(id.index()) {
            ExprNode::Relation(_) | ExprNode::Variable(_) => unreachable!("leaves have values"),
            ExprNode::Univ => Matrix::constant(&self.bounds.universe().all()),
            ExprNode::Iden => Matrix::identity(self.atoms),
            ExprNode::Nothing(arity) => Matrix::new(self.atoms, arity),
            ExprNode::Unary(op, a) => {
                let a = self.expr(a)?;
                match op {
                    UnaryOp::Transpose => a.transpose(),
                    UnaryOp::Closure => a.closure(self.circuit),
                    UnaryOp::ReflexiveClosure => a.reflexive_closure(self.circuit),
                }
            }
            ExprNode::Binary(op, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                let circuit = &mut *self.circuit;
                match op {
                    BinaryOp::Union => a.union(&b, circuit),
                    BinaryOp::Intersection => a.intersection(&b, circuit),
                    BinaryOp::Difference => a.difference(&b, circuit),
                    BinaryOp::Override => a.override_with(&b, circuit),
                    BinaryOp::RestrictDomain => b.restrict_domain(&a, circuit),
                    BinaryOp::RestrictRange => a.restrict_range(&b, circuit),
                    BinaryOp::Product => {
                        self.spend(a.len().saturating_mul(b.len()), AnyNode::Expr(id))?;
                        a.product(&b, self.circuit)
                    }
                    BinaryOp::Join => {
                        self.spend(a.join_size(&b), AnyNode::Expr(id))?;
                        a.join(&b, self.circuit)
                    }
                }
            }
            ExprNode::Project(a, ref columns) => self.expr(a)?.project(columns, self.circuit),
            ExprNode::Comprehension(ref decls, body) => {
                let mut cells = Vec::new();
                self.ground(decls, 0, Gate::TRUE, 0, &mut |this, guard, tuple| {
                    this.spend(1, AnyNode::Expr(id))?;
                    let body = this.formula(body)?;
                    cells.push((tuple, this.circuit.and(guard, body)));
                    Ok(true)
                })?;
                Matrix::from_sorted(self.atoms, arity, cells)
            }
            ExprNode::Conditional(f, a, b) => match self.formula(f)?.as_constant() {
                Some(true) => (*self.expr(a)?).clone(),
                Some(false) => (*self.expr(b)?).clone(),
                None => {
                    let (a, b) = (self.expr(a)?, self.expr(b)?);
                    let f = self.formula(f)?;
                    a.ite(&b, f, self.circuit)
                }
            },
            ExprNode::Let(variable, value, body) => {
                let value = self.expr(value)?;
                let binding = self.value(value);
                (*self.bound(variable, binding, |this| this.expr(body))?).clone()
            }
            ExprNode::OfInt(int) => self.atom_of(int)?,
        })
    }

    pub(crate) fn formula(&mut self, id: FormulaId) -> Result<Gate, Error> {
        let facts = self.arena.formulas.facts(id.index());
        let key = self.key(id.index(), facts);
        if let Some(&found) = key.as_ref().and_then(|key| self.formula_cache.get(key)) {
            return Ok(found);
        }
        let gate = grow(|| self.decide(id))?;
        if let Some(key) = key {
            self.formula_cache.insert(key, gate);
        }
        Ok(gate)
    }

    fn decide(&mut self, id: FormulaId) -> Result<Gate, Error> {
        let arena = self.arena;
        Ok(match *arena.formulas.node(id.index()) {
            FormulaNode::Constant(value) => Gate::constant(value),
            FormulaNode::Compare(comparison, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                match comparison {
                    Comparison::In => a.subset(&b, self.circuit),
                    Comparison::Equal => a.equal(&b, self.circuit),
                }
            }
            FormulaNode::Multiplicity(multiplicity, a) => {
                let a = self.expr(a)?;
                self.multiplicity(multiplicity, &a)
            }
            FormulaNode::Quantified(quantifier, ref decls, body) => {
                self.quantified(quantifier, decls, body, AnyNode::Formula(id))?
            }
            FormulaNode::Not(f) => !self.formula(f)?,
            FormulaNode::Connective(connective, f, g) => {
                let f = self.formula(f)?;
                match (connective, f) {
                    (Connective::And, Gate::FALSE) => return Ok(Gate::FALSE),
                    (Connective::Or, Gate::TRUE) | (Connective::Implies, Gate::FALSE) => {
                        return Ok(Gate::TRUE);
                    }
                    _ => {}
                }
                let g = self.formula(g)?;
                match connective {
                    Connective::And => self.circuit.and(f, g),
                    Connective::Or => self.circuit.or(f, g),
                    Connective::Implies => self.circuit.implies(f, g),
                    Connective::Iff => self.circuit.iff(f, g),
                }
            }
            FormulaNode::Let(variable, value, body) => {
                let value = self.expr(value)?;
                let binding = self.value(value);
                self.bound(variable, binding, |this| this.formula(body))?
            }
            FormulaNode::CompareInt(comparison, a, b) => self.compare(comparison, a, b)?,
            FormulaNode::TotalOrder(order) => self.total_order(order)?,
        })
    }

    fn multiplicity(&mut self, multiplicity: Multiplicity, matrix: &Matrix) -> Gate {
        match multiplicity {
            Multiplicity::No => !matrix.some(self.circuit),
            Multiplicity::Some => matrix.some(self.circuit),
            Multiplicity::Lone => matrix.lone(self.circuit),
            Multiplicity::One => {
                let (some, lone) = (matrix.some(self.circuit), matrix.lone(self.circuit));
                self.circuit.and(some, lone)
            }
        }
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        decls: &[Decl],
        body: FormulaId,
        node: AnyNode,
    ) -> Result<Gate, Error> {
        // `all` is the absence of a counterexample, `no` that of an example.
        let counterexample = quantifier == Quantifier::All;
        let decisive = matches!(quantifier, Quantifier::All | Quantifier::Some | Quantifier::No);
        let mut examples = Vec::new();
        self.ground(decls, 0, Gate::TRUE, 0, &mut |this, guard, _| {
            this.spend(1, node)?;
            let body = this.formula(body)?.negate_if(counterexample);
            let example = this.circuit.and(guard, body);
            examples.push(example);
            Ok(!(decisive && example == Gate::TRUE))
        })?;
        Ok(match quantifier {
            Quantifier::All | Quantifier::No => !self.circuit.or_all(examples),
            Quantifier::Some => self.circuit.or_all(examples),
            Quantifier::Lone => self.circuit.at_most_one(&examples),
            Quantifier::One => {
                let lone = self.circuit.at_most_one(&examples);
                let some = self.circuit.or_all(examples);
                self.circuit.and(some, lone)
            }
        })
    }

    /// Visits every choice of values for the declared variables, with the gate under which the choice lies in
    /// the domains and the number of the concatenated tuple. The visitor returns whether to continue; so does
    /// this function.
    fn ground(
        &mut self,
        decls: &[Decl],
        depth: usize,
        guard: Gate,
        prefix: usize,
        visit: &mut dyn FnMut(&mut Self, Gate, usize) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        let Some(decl) = decls.get(depth) else { return visit(self, guard, prefix) };
        let domain = self.expr(decl.domain)?;
        let stride = self.atoms.pow(domain.arity() as u32);
        let earlier: SmallVec<[usize; 3]> = decl
            .distinct_from
            .iter()
            .filter(|variable| self.arena.variables[variable.index()].arity == domain.arity())
            .filter_map(|variable| match &self.scope[variable.index()] {
                Some(Binding::Tuple(tuple)) => Some(*tuple),
                Some(Binding::Value(..)) | None => None,
            })
            .collect();
        for &(tuple, gate) in domain.cells() {
            let guard = self.circuit.and(guard, gate);
            if guard == Gate::FALSE || earlier.contains(&tuple) {
                continue;
            }
            let go_on = self.bound(decl.variable, Binding::Tuple(tuple), |this| {
                this.ground(decls, depth + 1, guard, prefix * stride + tuple, visit)
            })?;
            if !go_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A binding to a matrix, distinct from all others.
    fn value(&mut self, matrix: Rc<Matrix>) -> Binding {
        self.bindings += 1;
        Binding::Value(matrix, self.bindings)
    }

    /// Does something while a variable has a value.
    fn bound<T>(
        &mut self,
        variable: VariableId,
        binding: Binding,
        work: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let outer = self.scope[variable.index()].replace(binding);
        self.in_scope += 1;
        let result = work(self);
        self.in_scope -= 1;
        self.scope[variable.index()] = outer;
        result
    }

    /// The literal meaning of a total order: `next` stays within `ordered`, every atom is reached
    /// from `first`, nothing leads to `first` or from `last`, everything else leads to one atom.
    fn total_order(&mut self, order: TotalOrder) -> Result<Gate, Error> {
        let next = self.expr(order.next)?;
        let ordered = self.expr(order.ordered)?;
        let (first, last) = (self.expr(order.first)?, self.expr(order.last)?);
        let c = &mut *self.circuit;
        let square = ordered.product(&ordered, c);
        let reached = first.join(&next.closure(c), c).union(&first, c);
        let mut parts = vec![
            next.subset(&square, c),
            first.subset(&ordered, c),
            last.subset(&ordered, c),
            first.some(c),
            first.lone(c),
            last.some(c),
            last.lone(c),
            ordered.subset(&reached, c),
            !next.join(&first, c).some(c),
            !last.join(&next, c).some(c),
        ];
        for &(atom, member) in ordered.difference(&last, c).cells() {
            let successors = Matrix::singleton(self.atoms, 1, atom).join(&next, c);
            let (some, lone) = (successors.some(c), successors.lone(c));
            let one = c.and(some, lone);
            parts.push(c.implies(member, one));
        }
        Ok(c.and_all(parts))
    }
}

/// Executes a step of a recursion that follows the nesting of formulas, on more stack if necessary.
pub(crate) fn grow<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, step)
}
