//! Error hypotheses: what would have to hold for a confirm cell of the table to fail (the paper's §4.2 and
//! Figure 6).
//!
//! There is one for each confirm cell that is not empty. It joins the condition under which the state is
//! reached, what is assumed in the states before and in this one, and that what is to be confirmed does
//! not hold. A state that some paths do not pass is assumed under its own path condition.

use crate::print::Conjunct;
use crate::table::{Flow, Row, State, Table};
use crate::term::Term;
use crate::theory::Theory;
use crate::types::Type;

/// One error hypothesis.
#[derive(Clone, PartialEq, Debug)]
pub struct Hypothesis {
    /// The state whose confirm cell would fail.
    pub state: State,
    /// The sources of the obligations, each once.
    pub sources: Vec<String>,
    /// The conjuncts in groups: the path condition, the assumptions of each state.
    pub groups: Vec<Vec<Term>>,
    /// The condition to confirm, whose negation is assumed.
    pub confirm: Vec<Term>,
}

/// The error hypotheses of a table, in the order of its states.
pub fn hypotheses(table: &Table) -> Vec<Hypothesis> {
    let with_duties =
        (0..table.rows.len()).filter(|&number| !table.rows[number].confirm.is_empty());
    with_duties.map(|number| hypothesis(table, number)).collect()
}

fn hypothesis(table: &Table, number: usize) -> Hypothesis {
    let row = &table.rows[number];
    let mut groups: Vec<Vec<Term>> = Vec::new();
    if !row.path.is_empty() {
        groups.push(row.path.clone());
    }
    for before in passed(&table.flow, number) {
        let assumed = assumed(&table.rows[before], row);
        if !assumed.is_empty() {
            groups.push(assumed);
        }
    }
    let mut sources: Vec<String> = Vec::new();
    for owed in &row.confirm {
        if !sources.contains(&owed.source) {
            sources.push(owed.source.clone());
        }
    }
    let confirm = row.confirm.iter().map(|owed| owed.term.clone()).collect();
    Hypothesis { state: row.state, sources, groups, confirm }
}

/// The assumptions of one row, as seen from another: under its own path condition unless that holds anyway.
fn assumed(before: &Row, row: &Row) -> Vec<Term> {
    let open: Vec<Term> =
        before.path.iter().filter(|condition| !row.path.contains(condition)).cloned().collect();
    let assumed = before.assumptions().into_iter().cloned();
    if open.is_empty() {
        return assumed.collect();
    }
    let condition = Term::theory(Theory::And, "and", open, Type::Bool);
    assumed
        .map(|term| {
            Term::theory(Theory::Implies, "implies", vec![condition.clone(), term], Type::Bool)
        })
        .collect()
}

/// The rows on paths to a row, and itself.
fn passed(flow: &[Flow], target: usize) -> Vec<usize> {
    let mut rows = Vec::new();
    walk(flow, target, &mut rows);
    rows
}

/// Adds the rows on the path; returns whether the target was reached.
fn walk(flow: &[Flow], target: usize, rows: &mut Vec<usize>) -> bool {
    for one in flow {
        match one {
            Flow::Row(number) => {
                rows.push(*number);
                if *number == target {
                    return true;
                }
            }
            Flow::Branch(_, then, otherwise, _) => {
                let before = rows.len();
                for side in [then, otherwise] {
                    let mut alone = rows[..before].to_vec();
                    if walk(side, target, &mut alone) {
                        *rows = alone;
                        return true;
                    }
                    rows.extend(alone.split_off(before));
                }
                rows[before..].sort_unstable();
            }
            Flow::Loop(inner) => {
                // The effects of an iteration are unknown after the loop.
                let before = rows.len();
                if walk(inner, target, rows) {
                    return true;
                }
                rows.truncate(before);
            }
        }
    }
    false
}

/// The numbers of conjuncts, as the paper writes them.
pub(crate) fn numeral(number: usize) -> String {
    const PARTS: [(usize, &str); 9] = [
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut left = number;
    let mut text = String::new();
    for (value, part) in PARTS {
        while left >= value {
            text.push_str(part);
            left -= value;
        }
    }
    text
}

/// Terms that hold together, in parentheses.
pub(crate) fn joined(terms: &[Term]) -> String {
    let all: Vec<String> = match terms {
        [only] => vec![only.to_string()],
        _ => terms.iter().map(|term| Conjunct(term).to_string()).collect(),
    };
    all.join(" ∧ ")
}

impl Hypothesis {
    /// The lines of the hypothesis, each with its number.
    pub fn lines(&self) -> Vec<(String, String)> {
        let mut lines: Vec<(String, String)> = Vec::new();
        for (number, group) in (1..).zip(&self.groups) {
            lines.push((format!("({}) ∧", joined(group)), numeral(number)));
        }
        let last = format!("(¬ ({}))", joined(&self.confirm));
        lines.push((last, numeral(self.groups.len() + 1)));
        lines
    }

    /// The hypothesis for the terminal.
    pub fn text(&self) -> String {
        let lines = self.lines();
        let width = lines.iter().map(|(line, _)| line.chars().count()).max().unwrap_or(0);
        let mut out =
            format!("state {}: {} does not hold if\n", self.state, self.sources.join(", or "));
        for (line, number) in lines {
            let gap = " ".repeat(width - line.chars().count());
            out.push_str(&format!("  {line}{gap}  {number}\n"));
        }
        out
    }
}
