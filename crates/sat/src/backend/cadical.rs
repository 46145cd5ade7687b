//! CaDiCaL as a back end.

use std::rc::Rc;

use cadical::{Configuration, Outcome, Tracer};

use crate::interrupt::StopCheck;
use crate::{Answer, Interrupt, Limits, Lit, Profile, Reason, Solver, Statistics, Var};

/// The solver, and what it does not keep for us.
pub(crate) struct Cadical {
    solver: cadical::Solver,
    watch: Rc<StopCheck>,
    num_vars: usize,
    queries: u64,
    /// The literals of the call at hand.
    numbers: Vec<i32>,
}

impl Cadical {
    pub(crate) fn new(profile: Profile) -> Result<Cadical, cadical::Error> {
        let mut solver = match profile {
            // Trying lucky phases took half of the time of 20,000 queries.
            Profile::Incremental => configured(Configuration::Default, "lucky")?,
            // Probing between searches and stable phases cost more than they gain on formulas of
            // some 100,000 clauses, as model finding produces them.
            Profile::OneShot => configured(Configuration::Unsat, "inprobing")?,
        };
        let watch = Rc::new(StopCheck::default());
        let asked = Rc::clone(&watch);
        solver.terminate_when(move || asked.stop());
        Ok(Cadical { solver, watch, num_vars: 0, queries: 0, numbers: Vec::new() })
    }

    /// The same, with the proof reported to a tracer.
    pub(crate) fn traced(
        profile: Profile,
        tracer: impl Tracer + 'static,
    ) -> Result<Cadical, cadical::Error> {
        let mut this = Cadical::new(profile)?;
        this.solver.connect_tracer(tracer)?;
        Ok(this)
    }
}

/// A solver with a configuration less one technique.
fn configured(
    configuration: Configuration,
    without: &str,
) -> Result<cadical::Solver, cadical::Error> {
    let mut solver = cadical::Solver::new(configuration)?;
    solver.set_option(without, 0)?;
    Ok(solver)
}

impl Solver for Cadical {
    fn new_var(&mut self) -> Var {
        // CaDiCaL learns of a variable from the first clause or assumption that mentions it.
        let var = Var::new(self.num_vars);
        self.num_vars += 1;
        var
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        translate(clause, &mut self.numbers);
        self.solver.add_clause(&self.numbers);
    }

    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Answer {
        self.queries += 1;
        self.watch.begin(limits);
        if let Some(conflicts) = limits.conflicts {
            self.solver.limit_conflicts(u32::try_from(conflicts).unwrap_or(u32::MAX));
        }
        translate(assumptions, &mut self.numbers);
        match self.solver.solve(&self.numbers) {
            Outcome::Satisfiable => Answer::Sat,
            Outcome::Unsatisfiable => Answer::Unsat,
            Outcome::Unknown => {
                Answer::Unknown(self.watch.reason().unwrap_or(Reason::ConflictLimit))
            }
        }
    }

    fn value(&mut self, var: Var) -> bool {
        self.solver.value(var.positive().to_dimacs())
    }

    fn failed(&mut self, assumption: Lit) -> bool {
        self.solver.failed(assumption.to_dimacs())
    }

    fn prefer(&mut self, literal: Lit) {
        self.solver.phase(literal.to_dimacs());
    }

    fn interrupt(&self) -> Interrupt {
        self.watch.interrupt()
    }

    fn statistics(&self) -> Statistics {
        let cadical::Statistics { conflicts, decisions, propagations, ticks: _ } =
            self.solver.statistics();
        Statistics { queries: self.queries, conflicts, decisions, propagations, proof_steps: 0 }
    }
}

fn translate(lits: &[Lit], numbers: &mut Vec<i32>) {
    numbers.clear();
    numbers.extend(lits.iter().map(|lit| lit.to_dimacs()));
}
