//! Formulas in conjunctive normal form.

use crate::{Lit, Var};

/// A list of clauses over variables numbered from zero.
///
/// The literals of all clauses lie one after another in one array, and a second array holds the end of each
/// clause: a formula of a million clauses is two allocations, and reading it is a walk forward through
/// memory.
///
/// Invariants: `ends` does not decrease and ends with `lits.len()`; every literal's variable has an
/// index below `num_vars`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    num_vars: usize,
    lits: Vec<Lit>,
    ends: Vec<u32>,
}

impl Cnf {
    /// The formula without variables and clauses.
    #[must_use]
    pub fn new() -> Cnf {
        Cnf::default()
    }

    /// Creates the next variable.
    pub fn new_var(&mut self) -> Var {
        let var = Var::new(self.num_vars);
        self.num_vars += 1;
        var
    }

    /// Adds a clause as it is given: nothing is sorted, merged or left out.
    ///
    /// # Panics
    ///
    /// If a literal's variable does not exist.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        for &lit in clause {
            assert!(
                lit.var().index() < self.num_vars,
                "a clause mentions variable {}, but only {} exist",
                lit.var(),
                self.num_vars
            );
        }
        self.lits.extend_from_slice(clause);
        let end = u32::try_from(self.lits.len());
        self.ends.push(end.expect("a formula holds fewer than 2^32 literals"));
    }

    /// The number of variables.
    #[must_use]
    pub fn num_vars(&self) -> usize {
        self.num_vars
    }

    /// The number of clauses.
    #[must_use]
    pub fn num_clauses(&self) -> usize {
        self.ends.len()
    }

    /// The number of literals in all clauses together.
    #[must_use]
    pub fn num_literals(&self) -> usize {
        self.lits.len()
    }

    /// The clause with this index, counted from zero in the order of addition.
    ///
    /// # Panics
    ///
    /// If there is no such clause.
    #[must_use]
    pub fn clause(&self, index: usize) -> &[Lit] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.lits[start..self.ends[index] as usize]
    }

    /// The clauses in the order of addition.
    pub fn clauses(&self) -> impl Iterator<Item = &[Lit]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let clause = &self.lits[start..end as usize];
            start = end as usize;
            clause
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_kept_as_given() {
        let mut cnf = Cnf::new();
        let (a, b) = (cnf.new_var().positive(), cnf.new_var().positive());
        let clauses: [&[Lit]; 4] = [&[b, a, b], &[], &[a, !a], &[!b]];
        for clause in clauses {
            cnf.add_clause(clause);
        }
        assert_eq!(cnf.clauses().collect::<Vec<_>>(), clauses);
        assert_eq!((0..4).map(|index| cnf.clause(index)).collect::<Vec<_>>(), clauses);
        assert_eq!((cnf.num_vars(), cnf.num_clauses(), cnf.num_literals()), (2, 4, 6));
    }

    #[test]
    #[should_panic(expected = "a clause mentions variable 1, but only 0 exist")]
    fn a_clause_over_a_missing_variable_is_refused() {
        Cnf::new().add_clause(&[Var::new(0).positive()]);
    }
}
