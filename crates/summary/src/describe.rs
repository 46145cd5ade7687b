//! Summaries for people: prose, and a table of transitions as in the paper's Figure 8.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::path::{Path, Root};
use crate::property::Properties;
use crate::summary::{Comparison, Condition, Logic, Machine, Summary, Transition, Word};

/// What a procedure does, in lines that begin with two spaces. Parameters have the names that are given.
pub fn describe(summary: &Summary, parameters: &[String], properties: &Properties) -> String {
    let writer = Writer { parameters, properties };
    let mut text = String::new();
    let list = |paths: &[Path]| {
        let told: Vec<String> = paths.iter().map(|path| writer.place(&path.then(0))).collect();
        told.join(", ")
    };
    let conditions = |all: &[Condition]| {
        let told: Vec<String> = all.iter().map(|condition| writer.condition(condition)).collect();
        told.join(", ")
    };
    let mut line = |label: &str, rest: String| {
        if !rest.is_empty() {
            let _ = writeln!(text, "  {label} {rest}");
        }
    };
    line("asks at entry whether", conditions(&summary.inputs));
    line("tells at exit whether", conditions(&summary.outputs));
    let modified: Vec<String> =
        summary.modifies.iter().map(|cell| writer.place(&cell.path)).collect();
    line("may write", modified.join(", "));
    line("frees", list(&summary.frees));
    line("lets others know of", list(&summary.escapes));
    let gifts: Vec<String> = summary.gives.iter().map(|gift| writer.place(&gift.place)).collect();
    line("leaves new memory in", gifts.join(", "));
    line("returns", writer.returned(summary));
    if summary.outcomes.is_empty() {
        line("never", "returns".to_owned());
    }
    if summary.is_partial {
        line("was", "followed for a few iterations of its loops only".to_owned());
    }
    for machine in &summary.machines {
        text += &writer.machine(machine, summary);
    }
    if text.is_empty() {
        text += "  does nothing that a caller has to know\n";
    }
    text
}

struct Writer<'w> {
    parameters: &'w [String],
    properties: &'w Properties,
}

impl Writer<'_> {
    fn place(&self, path: &Path) -> String {
        let root = match &path.root {
            Root::Parameter(number) => {
                let name = self.parameters.get(*number as usize);
                name.cloned().unwrap_or_else(|| format!("param{number}"))
            }
            Root::Global(name) => name.clone(),
            Root::Result => "the result".to_owned(),
        };
        let mut steps = &path.steps[..];
        let mut text = root;
        if let (Root::Global(_), [first, rest @ ..]) = (&path.root, steps) {
            if *first != 0 {
                text = format!("{text}.{first}");
            }
            steps = rest;
        }
        for step in steps {
            text = match step {
                0 => format!("*{text}"),
                _ => format!("(*{text}).{step}"),
            };
        }
        text
    }

    fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::NotNull(path) => format!("{} is not null", self.place(path)),
            Condition::NotZero(path, _) => format!("{} is not 0", self.place(path)),
            Condition::Negative(path, _) => format!("{} < 0", self.place(path)),
            Condition::Compare(comparison, a, b) => {
                let sign = match comparison {
                    Comparison::Equal => "==",
                    Comparison::Below | Comparison::Less => "<",
                    Comparison::BelowOrEqual | Comparison::LessOrEqual => "<=",
                };
                format!("{} {sign} {}", self.word(a), self.word(b))
            }
        }
    }

    fn word(&self, word: &Word) -> String {
        match word {
            Word::Constant(_, value) => value.to_string(),
            Word::Place(path, _) | Word::Address(path) => self.place(path),
            Word::Op(op, operands, _) => {
                let operands: Vec<String> = operands.iter().map(|word| self.word(word)).collect();
                format!("{}({})", op.name(), operands.join(", "))
            }
            Word::Choice(logic, then, otherwise) => {
                let condition = match &**logic {
                    Logic::If(condition, ..) => self.condition(condition),
                    Logic::Constant(value) => value.to_string(),
                };
                format!("({condition} ? {} : {})", self.word(then), self.word(otherwise))
            }
        }
    }

    fn returned(&self, summary: &Summary) -> String {
        let returned = &summary.result;
        let mut ways = Vec::new();
        if returned.new {
            ways.push("new memory".to_owned());
        }
        ways.extend(returned.known.iter().map(|path| self.place(path)));
        for (is_one, word) in [
            (returned.null, "null"),
            (returned.number, "an error code"),
            (returned.other, "another pointer"),
        ] {
            if is_one {
                ways.push(word.to_owned());
            }
        }
        ways.join(" or ")
    }

    /// The transitions of an object, those that differ only in what does not matter as one.
    fn machine(&self, machine: &Machine, summary: &Summary) -> String {
        let mut text = format!("  {} ({}):\n", machine.display, machine.property);
        let property = self.properties.machines.iter().find(|p| p.name == machine.property);
        let state = |number: u32| {
            let name = property.and_then(|property| property.states.get(number as usize));
            name.map_or("error", String::as_str)
        };
        let mut table = vec![["at entry", "from", "at exit", "to"].map(str::to_owned)];
        table.extend(rows(machine, summary).into_iter().map(|(incond, from, outcond, to)| {
            [
                valuation(incond, summary.inputs.len()),
                state(from).to_owned(),
                valuation(outcond, summary.outputs.len()),
                state(to).to_owned(),
            ]
        }));
        let width = |column: usize| table.iter().map(|row| row[column].len()).max().unwrap_or(0);
        let widths = [0, 1, 2].map(width);
        for [incond, from, outcond, to] in &table {
            let [a, b, c] = widths;
            let _ = writeln!(text, "    {incond:<a$}  {from:<b$}  {outcond:<c$}  {to}");
        }
        text
    }
}

/// Conditions as truth values; a dash where they do not matter, or where there are none.
fn valuation(bits: Option<u32>, count: usize) -> String {
    match bits {
        Some(bits) if count > 0 => {
            let values = (0..count).map(|n| if bits >> n & 1 == 1 { "true" } else { "false" });
            values.collect::<Vec<_>>().join(",")
        }
        _ => "-".to_owned(),
    }
}

type Row = (Option<u32>, u32, Option<u32>, u32);

/// The rows of the table: if a transition is possible with every outcome, the outcome does not matter.
fn rows(machine: &Machine, summary: &Summary) -> Vec<Row> {
    let mut rows = BTreeSet::new();
    for &Transition { incond, from, outcond, to } in &machine.transitions {
        let all = summary.outcomes.iter().all(|&outcond| {
            machine.transitions.contains(&Transition { incond, from, outcond, to })
        });
        rows.insert((Some(incond), from, (!all).then_some(outcond), to));
    }
    rows.into_iter().collect()
}
