//! An evaluation and its queries in the formats of solvers, for inspection.
//!
//! Each query is self-contained: a formula with all constraints on the inputs, and for an UNSAT answer a proof that
//! refers to the formula, line by line.

use circuit::{Encoding, Gate, aiger};

use crate::escape::Escape;
use crate::evaluation::Evaluation;
use crate::query_session::{Query, QuerySession};

impl Evaluation {
    /// All gates that can be asked about, by name. The constraints on the inputs are called `assume`.
    pub fn outputs(&self) -> Vec<(String, Gate)> {
        let mut outputs: Vec<(String, Gate)> = Vec::new();
        outputs.extend(self.constraints.iter().map(|&gate| ("assume".to_owned(), gate)));
        outputs
            .extend(self.points.iter().map(|point| (format!("point #{}", point.id.0), point.gate)));
        outputs.extend(
            self.edges
                .iter()
                .map(|edge| (format!("point #{} is {}", edge.point.0, edge.taken), edge.gate)),
        );
        outputs.extend(self.obligations.iter().map(|obligation| {
            let (kind, point) = (obligation.kind.name(), obligation.point.0);
            (format!("{kind} fails at #{point}"), obligation.fails)
        }));
        outputs
            .extend(self.cuts.iter().map(|cut| (format!("cut: {}", one_line(&cut.why)), cut.gate)));
        for (name, gate) in [
            ("exit", self.normal),
            ("exit exceptional", self.exceptional),
            ("exit intended", self.intended),
        ] {
            outputs.push((name.to_owned(), gate));
        }
        outputs
    }
}

/// Names in files end with their line.
fn one_line(why: &Escape) -> String {
    why.to_string().replace(['\n', '\r'], " ")
}

impl QuerySession<'_> {
    /// The circuit with all its outputs, in AIGER's ASCII format.
    pub fn aiger(&self) -> Vec<u8> {
        let outputs = self.evaluation().outputs();
        let outputs: Vec<(&str, Gate)> =
            outputs.iter().map(|(name, gate)| (name.as_str(), *gate)).collect();
        let mut bytes = Vec::new();
        let written = aiger::write_ascii(&self.evaluation().circuit, &outputs, &mut bytes);
        written.expect("memory takes whatever is written");
        bytes
    }

    /// A query as a formula in DIMACS format, satisfiable if its answer is that there is an execution.
    pub fn dimacs(&self, query: &Query) -> Vec<u8> {
        let mut bytes = Vec::new();
        sat::dimacs::write(&self.clauses(query), &mut bytes)
            .expect("memory takes whatever is written");
        bytes
    }

    /// A proof in LRAT format that the formula of a query has no model, if the solver finds one again.
    ///
    /// # Errors
    /// If the solver cannot be had.
    pub fn proof(&self, query: &Query) -> Result<Option<String>, sat::Error> {
        let (answer, text) = sat::proof::refute(&self.clauses(query), self.limits())?;
        Ok(answer.is_unsat().then_some(text))
    }

    fn clauses(&self, query: &Query) -> sat::Cnf {
        let mut gates = self.evaluation().constraints.clone();
        gates.extend(&query.gates);
        let mut circuit = self.evaluation().circuit.clone();
        gates.push(circuit.or_all(query.others.iter().copied()));
        aiger::clauses(&circuit, &gates, Encoding::Polarity)
    }
}
