//! Charts: what the fields of a class can hold, by its invariant.
//!
//! A field that holds references has a matrix with a row for each object and a column for each that it can lead
//! to; others have a line for each object. As text, as a page of HTML, and for programs.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::page::{STYLE, escape};

/// The possible contents of the fields of a class, and of those that it leads to, within a scope.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Chart {
    /// The class.
    pub class: String,
    /// The scope in words.
    pub scope: String,
    /// Whether any object meets the invariant.
    pub is_satisfiable: bool,
    /// How many edges there are by types alone.
    pub loose: usize,
    /// How many of them some heap has.
    pub tight: usize,
    /// How many could not be decided; they count as possible.
    pub open: usize,
    /// The fields, in the order of their declaration.
    pub fields: Vec<Field>,
}

/// The possible contents of a field.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Field {
    /// `Class.field`.
    pub name: String,
    /// The possible targets by its type: `null` and objects; none if it holds no references.
    pub columns: Vec<String>,
    /// The objects that have the field.
    pub rows: Vec<Row>,
}

/// The possible contents of a field of one object.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The object.
    pub object: String,
    /// Whether it can lead to what each column stands for.
    pub leads: Vec<bool>,
    /// The other possible contents, in words.
    pub holds: Option<String>,
}

impl Chart {
    /// The chart for a terminal.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "{}", self.headline());
        for field in &self.fields {
            let _ = writeln!(out, "\n{}", field.name);
            let left = field.rows.iter().map(|row| row.object.chars().count()).max().unwrap_or(0);
            if !field.columns.is_empty() {
                let labels: Vec<&str> = field.columns.iter().map(|name| short(name)).collect();
                let _ = writeln!(out, "  {:left$}  {}", "", labels.join(" "));
            }
            for row in &field.rows {
                let mut line = format!("  {:left$} ", row.object);
                for (column, can) in field.columns.iter().zip(&row.leads) {
                    let mark = if *can { "■" } else { "·" };
                    let _ = write!(line, " {mark:>0$}", short(column).chars().count());
                }
                if let Some(holds) = &row.holds {
                    let _ = write!(line, " {holds}");
                }
                let _ = writeln!(out, "{}", line.trim_end());
            }
        }
        out
    }

    /// The chart as a page that needs nothing else.
    pub fn html(&self) -> String {
        let mut out = String::new();
        let title = format!("What {} can hold", self.class);
        let _ = write!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n\
             <style>\n{STYLE}{CHART_STYLE}</style>\n</head>\n<body>\n<header>\n<h1>What \
             <code>{}</code> can hold</h1>\n<p>{}</p>\n</header>\n<main>\n",
            escape(&title),
            escape(&self.class),
            escape(&self.headline())
        );
        for field in &self.fields {
            let _ = writeln!(out, "<section>\n<h2>{}</h2>\n<table>", escape(&field.name));
            if !field.columns.is_empty() {
                out.push_str("<tr><th></th>");
                for column in &field.columns {
                    let _ = write!(out, "<th>{}</th>", escape(short(column)));
                }
                out.push_str("</tr>\n");
            }
            for row in &field.rows {
                let _ = write!(out, "<tr><th>{}</th>", escape(&row.object));
                for (column, can) in field.columns.iter().zip(&row.leads) {
                    let (class, word) = if *can { ("can", "can be") } else { ("", "is never") };
                    let tooltip = format!("{} {word} {column}", row.object);
                    let _ =
                        write!(out, "<td class=\"{class}\" title=\"{}\"></td>", escape(&tooltip));
                }
                if let Some(holds) = &row.holds {
                    let _ = write!(out, "<td class=\"held\">{}</td>", escape(holds));
                }
                out.push_str("</tr>\n");
            }
            out.push_str("</table>\n</section>\n");
        }
        out.push_str("</main>\n</body>\n</html>\n");
        out
    }

    /// The summary, in a line.
    fn headline(&self) -> String {
        let Chart { class, scope, loose, tight, .. } = self;
        if !self.is_satisfiable {
            return format!("{class}: no object meets the invariant within {scope}");
        }
        let open = match self.open {
            0 => String::new(),
            1 => "; 1 could not be decided and counts as possible".to_owned(),
            count => format!("; {count} could not be decided and count as possible"),
        };
        format!("{class}, {scope}: {tight} of {loose} edges are in some heap{open}")
    }
}

const CHART_STYLE: &str = "\
main { align-items: stretch; } table { border-collapse: collapse; font-size: 12.5px; }
th { font-weight: 500; color: var(--soft); padding: .1rem .35rem; text-align: right; }
td { width: 1.35rem; height: 1.35rem; border: 1px solid var(--line); }
td.can { background: var(--path); } td.held { width: auto; padding: 0 .5rem; border: none; }
";

/// The number of an object, which is enough where the field says the class.
fn short(name: &str) -> &str {
    name.rsplit('#').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::{Chart, Field, Row};

    fn chart() -> Chart {
        let row = |object: &str, leads: Vec<bool>, holds: Option<&str>| Row {
            object: object.to_owned(),
            leads,
            holds: holds.map(str::to_owned),
        };
        Chart {
            class: "List".to_owned(),
            scope: "scope 2".to_owned(),
            is_satisfiable: true,
            loose: 6,
            tight: 3,
            open: 0,
            fields: vec![
                Field {
                    name: "Node.next".to_owned(),
                    columns: ["null", "Node#1", "Node#2"].map(str::to_owned).to_vec(),
                    rows: vec![
                        row("Node#1", vec![true, false, true], None),
                        row("Node#2", vec![true, false, false], None),
                    ],
                },
                Field {
                    name: "List.size".to_owned(),
                    columns: Vec::new(),
                    rows: vec![row("List#1", Vec::new(), Some("-4 to 3"))],
                },
            ],
        }
    }

    #[test]
    fn a_chart_reads_like_a_matrix() {
        let expected = "List, scope 2: 3 of 6 edges are in some heap\n\nNode.next\n          null 1 2\n  \
                        Node#1     ■ · ■\n  Node#2     ■ · ·\n\nList.size\n  List#1  -4 to 3\n";
        assert_eq!(chart().text(), expected);
    }

    #[test]
    fn a_page_has_a_cell_for_each_edge() {
        let page = chart().html();
        assert_eq!(page.matches("<td class=\"can\"").count(), 3, "{page}");
        assert!(page.contains("title=\"Node#2 is never Node#1\""), "{page}");
    }

    #[test]
    fn an_invariant_that_nothing_meets_is_reported() {
        let chart = Chart { is_satisfiable: false, fields: Vec::new(), ..chart() };
        assert_eq!(chart.text(), "List: no object meets the invariant within scope 2\n");
    }
}
