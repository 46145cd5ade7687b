//! Summaries as text: sentences, and a table of transitions (Xie & Aiken 2007, Figure 8).

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::fact::{Basis, Effect, Fact};
use crate::limits::LISTED_PATHS;
use crate::path::Path;
use crate::summary::{
    Comparison, Condition, Logic, Machine, Pointed, Shared, Summary, Transition, Word,
};
use crate::wording::Wording;
use property::Properties;

/// A summary in lines, indented by two spaces.
pub fn describe(summary: &Summary, wording: Wording<'_>, properties: &Properties) -> String {
    let writer = Writer { wording, properties };
    let mut text = String::new();
    let list = |paths: &[Path]| {
        let parts: Vec<String> =
            paths.iter().map(|path| wording.place(&path.then(0), None)).collect();
        few(parts)
    };
    let conditions = |all: &[Condition]| {
        let parts: Vec<String> =
            all.iter().map(|condition| writer.condition(condition, true)).collect();
        parts.join(", ")
    };
    let mut line = |label: &str, rest: String| {
        if !rest.is_empty() {
            let _ = writeln!(text, "  {label} {rest}");
        }
    };
    line("entry conditions:", conditions(&summary.inputs));
    line("exit conditions:", conditions(&summary.outputs));
    let modified = summary.modifies.iter().map(|cell| {
        let bits = 8 * u64::from(cell.bytes);
        wording.place(&cell.path, (bits > 0).then_some(bits))
    });
    let modified: Vec<String> = modified.collect();
    line("may write:", few(modified));
    line("may free:", list(&summary.frees));
    line("escapes:", list(&summary.escapes));
    let allocations: Vec<String> =
        summary.allocations.iter().map(|allocation| writer.pointer(&allocation.place)).collect();
    line("allocates into:", allocations.join(", "));
    line("returns:", writer.returned(summary));
    for fact in &summary.facts {
        let label = match fact.basis {
            Basis::Proved => "must",
            Basis::Assumed => "must (without aliasing)",
        };
        line(label, writer.fact(fact).unwrap_or_default());
    }
    if summary.outcomes.is_empty() {
        line("must", "not return".to_owned());
    }
    if summary.is_partial {
        line("incomplete:", "loops were unrolled twice".to_owned());
    }
    for machine in &summary.machines {
        text += &writer.machine(machine, summary);
    }
    if text.is_empty() {
        text += "  no effects visible to callers\n";
    }
    text
}

/// The first items of a list, and the number of the others.
fn few(all: Vec<String>) -> String {
    match all.len().checked_sub(LISTED_PATHS) {
        None | Some(0 | 1) => all.join(", "),
        Some(more) => format!("{} and {more} more", all[..LISTED_PATHS].join(", ")),
    }
}

/// The effects on typestates and new memory, in one line.
pub fn brief(summary: &Summary, wording: Wording<'_>, properties: &Properties) -> String {
    let writer = Writer { wording, properties };
    let mut parts = Vec::new();
    for machine in &summary.machines {
        let moves: BTreeSet<(u32, u32)> =
            machine.transitions.iter().map(|transition| (transition.from, transition.to)).collect();
        let moves = moves.into_iter().map(|(from, to)| {
            format!("{} → {}", writer.state(machine, from), writer.state(machine, to))
        });
        let moves: Vec<String> = moves.collect();
        parts.push(format!("{}: {}", writer.object(machine), moves.join(", ")));
    }
    let returned = writer.returned(summary);
    if !returned.is_empty() {
        parts.push(format!("returns {returned}"));
    }
    let allocations: Vec<String> =
        summary.allocations.iter().map(|allocation| writer.pointer(&allocation.place)).collect();
    if !allocations.is_empty() {
        parts.push(format!("allocates into {}", allocations.join(", ")));
    }
    parts.join("; ")
}

/// The must-facts of a procedure, in one line.
pub fn describe_facts(summary: &Summary, wording: Wording<'_>, properties: &Properties) -> String {
    let writer = Writer { wording, properties };
    let facts = summary
        .facts
        .iter()
        .filter_map(|fact| writer.fact(fact))
        .map(|fact| format!("must {fact}"));
    facts.collect::<Vec<_>>().join("; ")
}

struct Writer<'w> {
    wording: Wording<'w>,
    properties: &'w Properties,
}

impl Writer<'_> {
    fn pointer(&self, path: &Path) -> String {
        self.wording.place(path, Some(ir::ADDRESS_BITS.into()))
    }

    fn sized(&self, path: &Path, width: u32) -> String {
        self.wording.place(path, Some(width.into()))
    }

    /// A condition, or its negation.
    fn condition(&self, condition: &Condition, holds: bool) -> String {
        let not = if holds { "is not" } else { "is" };
        match condition {
            Condition::NotNull(path) => format!("{} {not} null", self.pointer(path)),
            Condition::NotZero(path, width) => format!("{} {not} 0", self.sized(path, *width)),
            Condition::Negative(path, width) => {
                let sign = if holds { "<" } else { ">=" };
                format!("{} {sign} 0", self.sized(path, *width))
            }
            Condition::Compare(comparison, a, b) => {
                let sign = match (comparison, holds) {
                    (Comparison::Equal, true) => "==",
                    (Comparison::Equal, false) => "!=",
                    (Comparison::Below | Comparison::Less, true) => "<",
                    (Comparison::Below | Comparison::Less, false) => ">=",
                    (Comparison::BelowOrEqual | Comparison::LessOrEqual, true) => "<=",
                    (Comparison::BelowOrEqual | Comparison::LessOrEqual, false) => ">",
                };
                format!("{} {sign} {}", self.word(a), self.word(b))
            }
        }
    }

    fn word(&self, word: &Word) -> String {
        match word {
            Word::Constant(_, value) => value.to_string(),
            Word::Place(path, width) => self.sized(path, *width),
            Word::Address(path) => self.pointer(path),
            Word::Op(op, operands, _) => {
                let operands: Vec<String> = operands.iter().map(|word| self.word(word)).collect();
                format!("{}({})", op.name(), operands.join(", "))
            }
            Word::Choice(logic, then, otherwise) => {
                let condition = match &**logic {
                    Logic::If(condition, ..) => self.condition(condition, true),
                    Logic::Constant(value) => value.to_string(),
                };
                format!("({condition} ? {} : {})", self.word(then), self.word(otherwise))
            }
        }
    }

    /// A must-fact and its condition; nothing if the line about the result has it.
    fn fact(&self, fact: &Fact) -> Option<String> {
        let what = match &fact.effect {
            Effect::Dereferences(path) => format!("dereference {}", self.pointer(path)),
            Effect::Frees(path) => format!("free *{}", self.pointer(path)),
            Effect::NeverReturns => "not return".to_owned(),
            Effect::ReturnsNull => "return null".to_owned(),
            Effect::ReturnsObject => "return a non-null pointer".to_owned(),
            Effect::Returns(shared) => format!("return {}", self.shared(shared)?),
            Effect::Writes(path, bytes, shared) => {
                format!("store {} in {}", self.shared(shared)?, self.sized(path, 8 * bytes))
            }
        };
        Some(match &fact.when {
            Logic::Constant(_) => what,
            when => format!("{what} if {}", self.logic(when)),
        })
    }

    /// A value, if it is small.
    fn shared(&self, shared: &Shared) -> Option<String> {
        match shared {
            Shared::Truth(_) => None,
            Shared::Word(word @ (Word::Constant(..) | Word::Place(..))) => Some(self.word(word)),
            Shared::Word(_) => None,
            Shared::Pointer(targets) => match &targets[..] {
                [(_, Pointed::Null)] => Some("null".to_owned()),
                [(_, Pointed::Behind(path, 0))] => Some(self.pointer(path)),
                _ => None,
            },
        }
    }

    /// A condition in disjunctive normal form.
    fn logic(&self, logic: &Logic) -> String {
        let mut disjuncts = Vec::new();
        self.disjuncts(logic, &mut Vec::new(), &mut disjuncts);
        disjuncts.join(", or ")
    }

    fn disjuncts(&self, logic: &Logic, so_far: &mut Vec<String>, disjuncts: &mut Vec<String>) {
        match logic {
            Logic::Constant(false) => {}
            Logic::Constant(true) => disjuncts.push(so_far.join(" and ")),
            Logic::If(condition, then, otherwise) => {
                so_far.push(self.condition(condition, true));
                self.disjuncts(then, so_far, disjuncts);
                so_far.pop();
                so_far.push(self.condition(condition, false));
                self.disjuncts(otherwise, so_far, disjuncts);
                so_far.pop();
            }
        }
    }

    fn returned(&self, summary: &Summary) -> String {
        let returned = &summary.result;
        let mut results = Vec::new();
        if returned.new {
            results.push("new memory".to_owned());
        }
        results.extend(returned.known.iter().map(|path| self.pointer(path)));
        for (is_one, word) in [
            (returned.null, "null"),
            (returned.number, "an error code"),
            (returned.other, "another pointer"),
        ] {
            if is_one {
                results.push(word.to_owned());
            }
        }
        results.join(" or ")
    }

    fn object(&self, machine: &Machine) -> String {
        let text = self.wording.place(&machine.object, None);
        // The first member of a record has the address of the record; the procedure's own words distinguish them.
        let own = machine.display.trim_matches('`');
        match text.strip_prefix('*') {
            Some(record) if own.starts_with(&format!("{record}->")) => machine.display.clone(),
            Some(_) | None => format!("`{text}`"),
        }
    }

    fn state(&self, machine: &Machine, number: u32) -> &str {
        let property = self.properties.machines.iter().find(|p| p.name == machine.property);
        let name = property.and_then(|property| property.states.get(number as usize));
        name.map_or("error", String::as_str)
    }

    /// The transitions of an object, with "don't care" values merged.
    fn machine(&self, machine: &Machine, summary: &Summary) -> String {
        let mut text = format!("  {} ({}):\n", self.object(machine), machine.property);
        let mut table = vec![["at entry", "from", "at exit", "to"].map(str::to_owned)];
        table.extend(rows(machine, summary).into_iter().map(|(incond, from, outcond, to)| {
            [
                valuation(incond, summary.inputs.len()),
                self.state(machine, from).to_owned(),
                valuation(outcond, summary.outputs.len()),
                self.state(machine, to).to_owned(),
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

/// Propositions as truth values; a dash for "don't care", or where there are none.
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

/// The rows of the table: if a transition is possible with every outcome, the outcome is "don't care".
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
