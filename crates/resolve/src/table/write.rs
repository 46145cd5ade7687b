//! Tables in the terminal, in Markdown and in HTML.

use super::{Row, Table};
use crate::print::Conjunct;
use crate::term::Term;

/// The titles of the columns.
const TITLES: [&str; 4] = ["State", "Path Condition", "Assume", "Confirm"];

/// The cells of a row, each a list of conditions that hold together.
fn cells(row: &Row) -> [Vec<String>; 4] {
    let written = |terms: Vec<&Term>| match terms.as_slice() {
        [only] => vec![only.to_string()],
        all => all.iter().map(|term| Conjunct(term).to_string()).collect(),
    };
    [
        vec![row.state.to_string()],
        written(row.path.iter().collect()),
        written(row.assumptions()),
        written(row.confirm.iter().map(|owed| &owed.term).collect()),
    ]
}

/// The lines of a cell: one for each condition, joined by the sign for *and*.
fn lines(cell: &[String]) -> Vec<String> {
    let last = cell.len().saturating_sub(1);
    let line = |(number, text): (usize, &String)| match number == last {
        true => text.clone(),
        false => format!("{text} ∧"),
    };
    cell.iter().enumerate().map(line).collect()
}

/// A table for the terminal.
pub fn text(table: &Table) -> String {
    let mut widths = TITLES.map(|title| title.chars().count());
    for row in &table.rows {
        for (width, cell) in widths.iter_mut().zip(cells(row)) {
            let longest = lines(&cell).iter().map(|line| line.chars().count()).max();
            *width = (*width).max(longest.unwrap_or(0));
        }
    }
    let bar = |left: &str, cross: &str, right: &str| {
        let parts: Vec<String> = widths.iter().map(|width| "─".repeat(width + 2)).collect();
        format!("{left}{}{right}\n", parts.join(cross))
    };
    let line = |parts: [&str; 4]| {
        let padded: Vec<String> = parts
            .iter()
            .zip(widths)
            .map(|(part, width)| format!(" {part}{} ", " ".repeat(width - part.chars().count())))
            .collect();
        format!("│{}│\n", padded.join("│"))
    };
    let whole: usize = widths.iter().map(|width| width + 3).sum::<usize>() - 1;
    let mut out = bar("┌", "┬", "┐");
    out.push_str(&line(TITLES));
    for row in &table.rows {
        if let Some(statement) = &row.statement {
            let shown: String = statement.chars().take(whole.saturating_sub(8)).collect();
            let gap = whole.saturating_sub(8 + shown.chars().count());
            out.push_str(&bar("├", "┴", "┤"));
            out.push_str(&format!("│        {shown}{}│\n", " ".repeat(gap)));
            out.push_str(&bar("├", "┬", "┤"));
        } else {
            out.push_str(&bar("├", "┼", "┤"));
        }
        let cells = cells(row).map(|cell| lines(&cell));
        let height = cells.iter().map(Vec::len).max().unwrap_or(1);
        for number in 0..height {
            let part = |column: usize| cells[column].get(number).map_or("", String::as_str);
            out.push_str(&line([part(0), part(1), part(2), part(3)]));
        }
    }
    out.push_str(&bar("└", "┴", "┘"));
    out
}

/// A table in Markdown.
pub fn markdown(table: &Table) -> String {
    let escaped = |line: &String| {
        line.replace('|', "\\|").replace('<', "&lt;").replace('*', "\\*").replace('_', "\\_")
    };
    let mut out = format!("| {} |\n|{}\n", TITLES.join(" | "), " --- |".repeat(4));
    for row in &table.rows {
        if let Some(statement) = &row.statement {
            out.push_str(&format!("| | `{}` | | |\n", statement.replace('|', "\\|")));
        }
        let written = cells(row)
            .map(|cell| lines(&cell).iter().map(escaped).collect::<Vec<_>>().join("<br>"));
        out.push_str(&format!("| {} |\n", written.join(" | ")));
    }
    out
}

/// A text within HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A table in HTML, to be put into a page.
pub fn html(table: &Table) -> String {
    let heads: String = TITLES.iter().map(|title| format!("<th>{title}</th>")).collect();
    let mut out =
        format!("<table class=\"reasoning\">\n<thead><tr>{heads}</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        if let Some(statement) = &row.statement {
            let statement = escape(statement);
            out.push_str(&format!("<tr class=\"statement\"><td></td><td colspan=\"3\"><code>{statement}</code></td></tr>\n"));
        }
        let written = cells(row).map(|cell| {
            let lines: Vec<String> = lines(&cell).iter().map(|line| escape(line)).collect();
            format!("<td>{}</td>", lines.join("<br>"))
        });
        out.push_str(&format!("<tr id=\"state-{}\">{}</tr>\n", row.state, written.concat()));
    }
    out.push_str("</tbody>\n</table>\n");
    out
}
