//! Models, and the check that they are models.

use crate::{Cnf, Lit, Var};

/// A value for every variable of a formula.
///
/// Values are stored per literal, one byte each, so that reading a literal's value takes no branch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    truth: Vec<bool>,
}

impl Model {
    /// The model that assigns each variable, by index, the value of a function.
    pub fn from_fn(num_vars: usize, mut value: impl FnMut(Var) -> bool) -> Model {
        let mut model = Model::default();
        model.assign(num_vars, &mut value);
        model
    }

    /// Replaces all values.
    pub(crate) fn assign(&mut self, num_vars: usize, value: &mut impl FnMut(Var) -> bool) {
        self.truth.clear();
        self.truth.reserve(2 * num_vars);
        for index in 0..num_vars {
            let value = value(Var::new(index));
            self.truth.extend([value, !value]);
        }
    }

    /// The number of variables that have a value.
    #[must_use]
    pub fn num_vars(&self) -> usize {
        self.truth.len() / 2
    }

    /// Whether a literal is true.
    ///
    /// # Panics
    ///
    /// If its variable has no value.
    #[must_use]
    pub fn value(&self, lit: Lit) -> bool {
        self.truth[lit.code()]
    }

    /// The index of the first clause in which no literal is true, if there is one.
    #[must_use]
    pub fn first_falsified(&self, cnf: &Cnf) -> Option<usize> {
        cnf.clauses().position(|clause| !clause.iter().any(|&lit| self.value(lit)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_falsified_clause_is_found() {
        let mut cnf = Cnf::new();
        let (a, b) = (cnf.new_var().positive(), cnf.new_var().positive());
        cnf.add_clause(&[a, b]);
        cnf.add_clause(&[!a, b, b]);
        cnf.add_clause(&[a, !a]);
        let model = |a, b| Model::from_fn(2, |var| [a, b][var.index()]);
        assert_eq!(model(true, true).first_falsified(&cnf), None);
        assert_eq!(model(false, true).first_falsified(&cnf), None);
        assert_eq!(model(false, false).first_falsified(&cnf), Some(0));
        assert_eq!(model(true, false).first_falsified(&cnf), Some(1));
        cnf.add_clause(&[]);
        assert_eq!(model(true, true).first_falsified(&cnf), Some(3));
    }
}
