//! A finding as a page of HTML that needs nothing else: the code with the path marked, a slider over the
//! steps, and the heap as a graph whose nodes keep their places.
//!
//! Everything is drawn here; the script of the page only shows one step and hides the others. Without heaps there
//! is the code and the execution.

mod code;
pub(crate) mod drawing;
mod layout;

use std::fmt::Write;

use crate::limits::DRAWN_OBJECTS;
use crate::{Execution, Finding, Sources, Step, StepKind, states};
pub(crate) use layout::Layout;

pub(crate) const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/script.js");

/// The page of a finding.
pub fn render(finding: &Finding, sources: &dyn Sources) -> String {
    let mut out = String::new();
    let title = format!("{}: {}", finding.rule, finding.message);
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n",
        escape(&title)
    );
    head(finding, &mut out);
    out.push_str("<main>\n<section class=\"code\">\n");
    code::render(finding, sources, &mut out);
    out.push_str("</section>\n<section class=\"run\">\n");
    run(finding, &mut out);
    let _ = write!(out, "</section>\n</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n");
    out
}

fn head(finding: &Finding, out: &mut String) {
    let rule = match &finding.detail {
        Some(detail) => format!("{}/{detail}", finding.rule),
        None => finding.rule.to_string(),
    };
    let _ = writeln!(
        out,
        "<header>\n<p class=\"rule\">{}</p>\n<h1>{}</h1>",
        escape(&rule),
        code_words(&finding.message)
    );
    let within = finding
        .function
        .as_ref()
        .map_or(String::new(), |function| format!(" in <code>{}</code>", escape(function)));
    let bounds = finding.bounds.to_string();
    let bounds = match bounds.is_empty() {
        true => String::new(),
        false => format!(", within {}", escape(&bounds)),
    };
    let mut confirmed = escape(&finding.confirmation.to_string());
    if let Some(execution) = finding
        .execution
        .as_ref()
        .filter(|execution| !matches!(execution, Execution::Confirmed { .. }))
    {
        let _ = write!(confirmed, ", {}", escape(&execution.to_string()));
    }
    let place = escape(&finding.place.to_string());
    let _ = writeln!(out, "<p>{place}{within}; {confirmed}{bounds}.</p>");
    if let Some(remark) = finding.extent.remark() {
        let _ = writeln!(out, "<p>{}</p>", escape(remark));
    }
    for assumption in &finding.assumptions {
        let _ = writeln!(out, "<p>assumes that {}</p>", code_words(assumption));
    }
    for related in &finding.related {
        let (place, message) = (related.place.to_string(), &related.message);
        let _ = writeln!(out, "<p>{}: {}</p>", escape(&place), code_words(message));
    }
    out.push_str("</header>\n");
}

/// The slider, what each step does, and the state after it.
fn run(finding: &Finding, out: &mut String) {
    let steps = &finding.trace;
    if steps.is_empty() {
        out.push_str("<p>There is no execution to show; the finding is proved.</p>\n");
        return;
    }
    let last = steps.len() - 1;
    let _ = writeln!(
        out,
        "<div class=\"controls\"><button id=\"back\" title=\"one step back\">◀</button>\
         <input id=\"slider\" type=\"range\" min=\"0\" max=\"{last}\" value=\"0\" aria-label=\"step\">\
         <button id=\"on\" title=\"one step on\">▶</button></div>"
    );
    let states = states(finding);
    let layout = Layout::new(&states);
    // The middle of a long execution with many objects is not drawn.
    let most = DRAWN_OBJECTS / layout.boxes.len().max(1);
    let is_drawn = |number: usize| number < most / 2 || number + most / 2 >= steps.len();
    for (number, step) in steps.iter().enumerate() {
        let hidden = if number == 0 { "" } else { " hidden" };
        let _ = writeln!(out, "<div class=\"step\"{hidden}>");
        let class = if step.kind.is_failure() { " class=\"failure\"" } else { "" };
        let _ = writeln!(
            out,
            "<p{class}><span class=\"count\">{} of {}</span> {}</p>",
            number + 1,
            steps.len(),
            step_html(step)
        );
        if let Some(state) = states.get(number) {
            let before = number.checked_sub(1).and_then(|before| states.get(before));
            drawing::variables(state, before, out);
            match is_drawn(number) {
                true => drawing::heap(state, before, &layout, out),
                false => out.push_str(
                    "<p>The heap is not drawn here, in the middle of a long execution.</p>\n",
                ),
            }
        }
        out.push_str("</div>\n");
    }
    counterpart(finding, out);
}

/// The execution that the first is compared with, as a list.
fn counterpart(finding: &Finding, out: &mut String) {
    if finding.counterpart.is_empty() {
        return;
    }
    out.push_str("<h2>Another execution that looks the same to the caller</h2>\n<ol>\n");
    for step in &finding.counterpart {
        let line = step
            .place
            .as_ref()
            .map_or(String::new(), |place| format!("line {}: ", place.start.line));
        let _ = writeln!(out, "<li>{line}{}</li>", step_html(step));
    }
    out.push_str("</ol>\n");
}

/// A step, in HTML.
fn step_html(step: &Step) -> String {
    let values: Vec<String> = step
        .values
        .iter()
        .map(|binding| format!("<code>{}</code>", escape(&binding.to_string())))
        .collect();
    let text = match (step.kind, step.text.as_str()) {
        (StepKind::Entry, "") => "begins with".to_owned(),
        (StepKind::Branch, text) => format!("the condition is {}", escape(text)),
        (_, text) => code_words(text),
    };
    match (text.is_empty(), values.is_empty()) {
        (true, _) => values.join(", "),
        (false, true) => text,
        (false, false) => format!("{text} {}", values.join(", ")),
    }
}

/// Escapes the characters that HTML reserves.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

/// A sentence in which what stands between backticks is code.
fn code_words(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // An odd backtick is just one.
    if parts.len().is_multiple_of(2) {
        return escape(text);
    }
    let word = |(number, part): (usize, &&str)| match number % 2 {
        0 => escape(part),
        _ => format!("<code>{}</code>", escape(part)),
    };
    parts.iter().enumerate().map(word).collect()
}
