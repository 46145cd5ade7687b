//! Batsat as a back end: MiniSat, rewritten in Rust.
//!
//! Batsat has no limits that could be set from outside, but calls back before each decision to ask whether to
//! stop, and after every learnt clause, that is, after every conflict. So a conflict limit may be overrun by
//! consecutive conflicts without a decision between.

use std::cell::Cell;

use batsat::{Callbacks, ClauseKind, SolverInterface, SolverOpts, lbool};

use crate::interrupt::StopCheck;
use crate::{Answer, Interrupt, Limits, Lit, Reason, Solver, Statistics, Var};

/// The solver, and what it does not keep for us.
pub(crate) struct Batsat {
    solver: batsat::Solver<Guard>,
    vars: Vec<batsat::Var>,
    queries: u64,
}

impl Batsat {
    pub(crate) fn new() -> Batsat {
        let solver = batsat::Solver::new(SolverOpts::default(), Guard::default());
        Batsat { solver, vars: Vec::new(), queries: 0 }
    }

    fn lit(&self, lit: Lit) -> batsat::Lit {
        batsat::Lit::new(self.vars[lit.var().index()], lit.is_positive())
    }
}

impl Solver for Batsat {
    fn new_var(&mut self) -> Var {
        let var = Var::new(self.vars.len());
        self.vars.push(self.solver.new_var_default());
        var
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        let mut clause: Vec<_> = clause.iter().map(|&lit| self.lit(lit)).collect();
        self.solver.add_clause_reuse(&mut clause);
    }

    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Answer {
        self.queries += 1;
        let assumptions: Vec<_> = assumptions.iter().map(|&lit| self.lit(lit)).collect();
        self.solver.cb_mut().begin(limits);
        let answer = self.solver.solve_limited(&assumptions);
        if answer == lbool::TRUE {
            Answer::Sat
        } else if answer == lbool::FALSE {
            Answer::Unsat
        } else {
            Answer::Unknown(self.solver.cb().watch.reason().unwrap_or(Reason::ConflictLimit))
        }
    }

    fn value(&mut self, var: Var) -> bool {
        self.solver.value_var(self.vars[var.index()]) == lbool::TRUE
    }

    fn failed(&mut self, assumption: Lit) -> bool {
        // Batsat's core is the clause over the negated assumptions.
        self.solver.unsat_core_contains_lit(!self.lit(assumption))
    }

    fn interrupt(&self) -> Interrupt {
        self.solver.cb().watch.interrupt()
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            queries: self.queries,
            conflicts: self.solver.num_conflicts(),
            decisions: self.solver.num_decisions(),
            propagations: self.solver.num_propagations(),
            proof_steps: 0,
        }
    }
}

/// Counts conflicts and decides when to stop.
#[derive(Default)]
struct Guard {
    watch: StopCheck,
    /// Conflicts left in the current call, if they are limited.
    left: Cell<Option<u64>>,
}

impl Guard {
    fn begin(&mut self, limits: &Limits) {
        self.watch.begin(limits);
        self.left.set(limits.conflicts);
    }
}

impl Callbacks for Guard {
    fn on_new_clause(&mut self, _clause: &[batsat::Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.left.set(self.left.get().map(|left| left.saturating_sub(1)));
        }
    }

    fn stop(&self) -> bool {
        self.left.get() == Some(0) || self.watch.stop()
    }
}
