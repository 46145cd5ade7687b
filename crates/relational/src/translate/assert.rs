//! Asserting a formula: conjunctions fall apart, outermost existentials become witnesses.
//!
//! A formula that is to hold outright needs less than its gate. `some x: a | f` holds if some
//! tuple of `a`, named by fresh inputs, satisfies `f` (Skolem's constant); nothing is grounded.
//! The gates of an asserted formula can be satisfied together exactly if the formula can.

use std::rc::Rc;

use circuit::Gate;

use super::{Binding, Translator, grow};
use crate::error::Error;
use crate::logic::{Connective, Decl, FormulaId, FormulaNode, Quantifier, VariableId};
use crate::matrix::Matrix;

/// The value of an outermost existential variable, to be read from a model.
pub(crate) struct Witness {
    pub(crate) name: String,
    pub(crate) matrix: Rc<Matrix>,
}

impl Translator<'_> {
    /// Collects gates that together state that the formula has the given truth value.
    pub(crate) fn assert(
        &mut self,
        formula: FormulaId,
        truth: bool,
        gates: &mut Vec<Gate>,
    ) -> Result<(), Error> {
        grow(|| self.assert_node(formula, truth, gates))
    }

    fn assert_node(
        &mut self,
        formula: FormulaId,
        truth: bool,
        gates: &mut Vec<Gate>,
    ) -> Result<(), Error> {
        let arena = self.arena;
        match (arena.formulas.node(formula.index()), truth) {
            (&FormulaNode::Not(f), _) => self.assert(f, !truth, gates),
            (&FormulaNode::Connective(Connective::And, f, g), true)
            | (&FormulaNode::Connective(Connective::Or, f, g), false) => {
                self.assert(f, truth, gates)?;
                self.assert(g, truth, gates)
            }
            (&FormulaNode::Connective(Connective::Implies, f, g), false) => {
                self.assert(f, true, gates)?;
                self.assert(g, false, gates)
            }
            (FormulaNode::Quantified(Quantifier::Some, decls, body), true)
            | (FormulaNode::Quantified(Quantifier::No, decls, body), false) => {
                self.witness(decls, gates)?;
                self.assert(*body, true, gates)
            }
            (FormulaNode::Quantified(Quantifier::All, decls, body), false) => {
                self.witness(decls, gates)?;
                self.assert(*body, false, gates)
            }
            (&FormulaNode::Let(variable, value, body), _) => {
                let value = self.expr(value)?;
                self.bind(variable, value);
                self.assert(body, truth, gates)
            }
            _ => {
                let gate = self.formula(formula)?;
                gates.push(gate.negate_if(!truth));
                Ok(())
            }
        }
    }

    /// Binds the declared variables to witnesses for the rest of the translation.
    fn witness(&mut self, decls: &[Decl], gates: &mut Vec<Gate>) -> Result<(), Error> {
        for decl in decls {
            let domain = self.expr(decl.domain)?;
            let cells: Vec<(usize, Gate)> =
                domain.cells().iter().map(|&(tuple, _)| (tuple, self.circuit.input())).collect();
            let matrix = Matrix::from_sorted(self.atoms, domain.arity(), cells);
            gates.push(matrix.subset(&domain, self.circuit));
            gates.push(matrix.some(self.circuit));
            gates.push(matrix.lone(self.circuit));
            for variable in &decl.distinct_from {
                if let Some(Binding::Value(earlier, _)) = self.scope[variable.index()].clone()
                    && earlier.arity() == matrix.arity()
                {
                    let common = matrix.intersection(&earlier, self.circuit);
                    gates.push(!common.some(self.circuit));
                }
            }
            let matrix = Rc::new(matrix);
            let name = self.arena.variables[decl.variable.index()].name.clone();
            self.witnesses.push(Witness { name, matrix: matrix.clone() });
            self.bind(decl.variable, matrix);
        }
        Ok(())
    }

    /// Gives a variable a value for the rest of the translation.
    fn bind(&mut self, variable: VariableId, matrix: Rc<Matrix>) {
        self.scope[variable.index()] = Some(self.value(matrix));
        self.in_scope += 1;
    }
}
