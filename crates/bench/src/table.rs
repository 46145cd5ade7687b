//! The table of our figures against Kodkod's, and the same as lines of JSON.

use std::fmt::Write;

use crate::kodkod::Figures;
use crate::measure::Measurement;

/// One problem measured by us, and what Kodkod needs for it.
#[derive(Clone, Debug)]
pub struct Row {
    /// Our figures.
    pub ours: Measurement,
    /// Kodkod's figures.
    pub kodkod: Figures,
}

/// Kodkod's figures divided by ours: above one we are better.
#[derive(Clone, Copy, Debug)]
struct Ratios {
    time: f64,
    variables: f64,
    clauses: f64,
}

impl Row {
    fn ratios(&self) -> Ratios {
        let ratio = |theirs: usize, ours: usize| theirs as f64 / ours.max(1) as f64;
        Ratios {
            time: self.kodkod.total().as_secs_f64() / self.ours.total.as_secs_f64().max(1e-9),
            variables: ratio(self.kodkod.variables, self.ours.statistics.variables),
            clauses: ratio(self.kodkod.clauses, self.ours.statistics.clauses),
        }
    }
}

/// The heading of the table.
pub fn heading() -> String {
    let groups = format!(
        "{:49} {:^57} {:^23}  {:^20}",
        "", "------- Indict -------", "------ Kodkod ------", "-- Kodkod / Indict --"
    );
    let columns = format!(
        "{:49} {:>7} {:>8} {:>8} {:>7} {:>7} {:>7} {:>7} {:>8} {:>8} {:>6}  {:>6} {:>6} {:>7}",
        "problem",
        "primary",
        "vars",
        "clauses",
        "transl.",
        "solve",
        "total",
        "answer",
        "vars",
        "clauses",
        "total",
        "time",
        "vars",
        "clauses"
    );
    format!("{groups}\n{columns}")
}

/// One line of the table; times are in seconds.
pub fn line(row: &Row) -> String {
    let (ours, size, theirs, ratios) = (&row.ours, row.ours.statistics, row.kodkod, row.ratios());
    let answer = ours.verdict.to_string();
    let answer = answer.split(':').next().unwrap_or_default().replace("trivially unsat", "trivial");
    format!(
        "{:49} {:7} {:8} {:8} {:7.3} {:7.3} {:7.3} {answer:>7} {:8} {:8} {:6.2}  {:6.2} {:6.2} {:7.2}",
        ours.problem,
        size.primary,
        size.variables,
        size.clauses,
        size.translate.as_secs_f64(),
        size.solve.as_secs_f64(),
        ours.total.as_secs_f64(),
        theirs.variables,
        theirs.clauses,
        theirs.total().as_secs_f64(),
        ratios.time,
        ratios.variables,
        ratios.clauses
    )
}

/// The geometric means of the ratios, and every figure in which we are worse.
pub fn summary(rows: &[Row]) -> String {
    let mean = |of: fn(Ratios) -> f64| {
        let logs: f64 = rows.iter().map(|row| of(row.ratios()).ln()).sum();
        (logs / rows.len().max(1) as f64).exp()
    };
    let mut text = format!(
        "geometric mean of Kodkod / Indict: time {:.2}, variables {:.2}, clauses {:.2}\n",
        mean(|ratios| ratios.time),
        mean(|ratios| ratios.variables),
        mean(|ratios| ratios.clauses)
    );
    let worse: Vec<String> = rows.iter().flat_map(worse).collect();
    if worse.is_empty() {
        text.push_str("No figure is worse than Kodkod's.\n");
    }
    for sentence in worse {
        text.push_str(&sentence);
        text.push('\n');
    }
    text
}

/// A sentence for each figure of this row that is worse than Kodkod's.
fn worse(row: &Row) -> Vec<String> {
    let (ours, theirs, ratios) = (&row.ours, row.kodkod, row.ratios());
    let mut sentences = Vec::new();
    if ratios.time < 1.0 {
        sentences.push(format!(
            "WORSE: {} takes {:.3} s, Kodkod {:.3} s.",
            ours.problem,
            ours.total.as_secs_f64(),
            theirs.total().as_secs_f64()
        ));
    }
    let sizes = [
        ("variables", ratios.variables, ours.statistics.variables, theirs.variables),
        ("clauses", ratios.clauses, ours.statistics.clauses, theirs.clauses),
    ];
    for (what, ratio, we, they) in sizes {
        if ratio < 1.0 {
            let problem = &ours.problem;
            sentences.push(format!("WORSE: {problem} has {we} {what}, Kodkod's has {they}."));
        }
    }
    sentences
}

/// One row as an object of JSON, on one line.
pub fn json(row: &Row) -> String {
    let (ours, size) = (&row.ours, row.ours.statistics);
    let mut object = String::from("{");
    let texts = [("problem", ours.problem.as_str()), ("answer", &ours.verdict.to_string())];
    let numbers = [
        ("primary", size.primary as f64),
        ("variables", size.variables as f64),
        ("clauses", size.clauses as f64),
        ("translate_s", size.translate.as_secs_f64()),
        ("solve_s", size.solve.as_secs_f64()),
        ("total_s", ours.total.as_secs_f64()),
        ("kodkod_variables", row.kodkod.variables as f64),
        ("kodkod_clauses", row.kodkod.clauses as f64),
        ("kodkod_translate_s", row.kodkod.translate.as_secs_f64()),
        ("kodkod_solve_s", row.kodkod.solve.as_secs_f64()),
    ];
    for (key, value) in texts {
        let _ = write!(object, "\"{key}\":{},", quoted(value));
    }
    for (key, value) in numbers {
        let _ = write!(object, "\"{key}\":{value},");
    }
    object.pop();
    object.push('}');
    object
}

/// A string of JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            control if control < ' ' => {
                let _ = write!(quoted, "\\u{:04x}", control as u32);
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
