//! A problem in gates: what a finder asks the solver about, before there is a solver.

use circuit::{Circuit, Gate};

use crate::bounds::{Bound, Bounds};
use crate::error::Error;
use crate::face::Formula;
use crate::logic::{Arena, Connective, FormulaId, FormulaNode, RelationId};
use crate::matrix::Matrix;
use crate::options::Options;
use crate::symmetry;
use crate::translate::{Translator, Witness};

/// The translation of a set of formulas within bounds.
///
/// Invariant: `hard` and the gates of any set of conjuncts can be satisfied together exactly if
/// the bounds admit an instance of those conjuncts and of all `fixed` ones whose integers fit.
pub(crate) struct Problem {
    pub(crate) circuit: Circuit,
    /// The matrices of all bounded relations.
    pub(crate) relations: Vec<(RelationId, Matrix)>,
    pub(crate) witnesses: Vec<Witness>,
    /// Each conjunct of the caller's formulas with the gates that state it.
    pub(crate) conjuncts: Vec<(FormulaId, Vec<Gate>)>,
    /// Conjuncts that hold because the bounds were narrowed to make them hold.
    pub(crate) fixed: Vec<FormulaId>,
    /// The caller's constraints, symmetry breaking, and that no integer overflows.
    pub(crate) hard: Vec<Gate>,
    /// Holds where an integer leaves the width chosen with
    /// [`Integers::Checked`](crate::Integers::Checked).
    pub(crate) overflow: Gate,
}

impl Problem {
    pub(crate) fn new(
        mut circuit: Circuit,
        constraints: &[Gate],
        bounds: &Bounds<'_>,
        conjuncts: &[FormulaId],
        options: &Options,
    ) -> Result<Problem, Error> {
        let arena = bounds.logic().arena.borrow();
        let mut narrowed = bounds.clone();
        let fixed = match options.symmetry {
            0 => Vec::new(),
            _ => fix_orders(&arena, &mut narrowed, conjuncts),
        };
        let mut translator = Translator::new(&arena, &mut circuit, &narrowed, options.integers);
        let mut translated = Vec::with_capacity(conjuncts.len());
        for &conjunct in conjuncts {
            translator.check(conjunct)?;
            let mut gates = Vec::new();
            translator.assert(conjunct, true, &mut gates)?;
            translated.push((conjunct, gates));
        }
        let relations: Vec<(RelationId, Matrix)> = narrowed
            .iter()
            .map(|(relation, _)| (relation, translator.relation(relation).clone()))
            .collect();
        let (witnesses, overflows) = translator.finish();
        let overflow = circuit.or_all(overflows);

        let mut hard = constraints.to_vec();
        hard.push(!overflow);
        if options.symmetry > 0 {
            // Witnesses come first: fixing the one tuple of an existential prunes most.
            let order = witnesses.iter().map(|witness| &*witness.matrix).chain(
                relations
                    .iter()
                    .filter(|(id, _)| matches!(narrowed.get(*id), Some(Bound::Between { .. })))
                    .map(|(_, matrix)| matrix),
            );
            let classes = symmetry::classes(&narrowed);
            hard.extend(symmetry::lex_leader(&mut circuit, &classes, order, options.symmetry));
        }
        let conjuncts = translated;
        Ok(Problem { circuit, relations, witnesses, conjuncts, fixed, hard, overflow })
    }

    /// The inputs for the tuples that the bounds leave open, in order of their relations.
    pub(crate) fn primary(&self) -> impl Iterator<Item = Gate> + '_ {
        self.relations
            .iter()
            .flat_map(|(_, matrix)| matrix.gates())
            .filter(|&gate| gate.as_constant().is_none() && self.circuit.operands(gate).is_none())
    }
}

/// The formulas with their outermost conjunctions taken apart, each conjunct once.
pub(crate) fn conjuncts(arena: &Arena, formulas: &[Formula<'_>]) -> Vec<FormulaId> {
    let mut pending: Vec<FormulaId> = formulas.iter().rev().map(|formula| formula.id).collect();
    let mut conjuncts = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(formula) = pending.pop() {
        match *arena.formulas.node(formula.index()) {
            FormulaNode::Connective(Connective::And, f, g) => pending.extend([g, f]),
            _ if seen.insert(formula) => conjuncts.push(formula),
            _ => {}
        }
    }
    conjuncts
}

/// Fixes the total orders among the conjuncts whose atoms are interchangeable.
fn fix_orders(arena: &Arena, bounds: &mut Bounds<'_>, conjuncts: &[FormulaId]) -> Vec<FormulaId> {
    let mut fixed = Vec::new();
    for &conjunct in conjuncts {
        if let FormulaNode::TotalOrder(order) = *arena.formulas.node(conjunct.index())
            && symmetry::fix_total_order(arena, bounds, order)
        {
            fixed.push(conjunct);
        }
    }
    fixed
}
