//! A state as a drawing: objects are boxes with a row for each field, a reference is a dot with an arrow, null a
//! stroke through the cell. Variables that refer to an object are tags above it; other values stand in a line above
//! the heap. The changes of the last step are coloured, and the old target of a changed reference is dashed.

use std::fmt::Write;

use super::escape;
use super::layout::{Box, CHARACTER, HEADING, Layout, PORT, ROW, TAGS, shown};
use crate::State;

/// The variables, each with its value.
pub(super) fn variables(state: &State, before: Option<&State>, out: &mut String) {
    out.push_str("<p class=\"variables\">");
    for variable in &state.variables {
        let is_changed = before.is_some_and(|before| !before.variables.contains(variable));
        let class = if is_changed { " class=\"changed\"" } else { "" };
        let _ = write!(out, "<code{class}>{}</code> ", escape(&variable.to_string()));
    }
    out.push_str("</p>\n");
}

/// The objects and their references.
pub(crate) fn heap(state: &State, before: Option<&State>, layout: &Layout, out: &mut String) {
    if layout.boxes.is_empty() {
        return;
    }
    let (width, height) = (layout.width, layout.height);
    let _ = writeln!(
        out,
        "<svg viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" \
         role=\"img\" aria-label=\"the heap after this step\">"
    );
    for place in &layout.boxes {
        if state.object(&place.name).is_some() {
            object(place, state, before, out);
        }
    }
    // Arrows are above all boxes.
    for place in &layout.boxes {
        arrows(place, state, before, layout, out);
    }
    out.push_str("</svg>\n");
}

/// The value of a field in a state, if there is one.
fn value<'s>(state: Option<&'s State>, object: &str, field: &str) -> Option<&'s str> {
    let object = state?.object(object)?;
    let found = object.fields.iter().find(|known| known.name == field);
    found.map(|field| field.value.as_str())
}

/// Whether a step has changed a field; what is new has not been changed.
fn is_changed(state: &State, before: Option<&State>, object: &str, field: &str) -> bool {
    let old = value(before, object, field);
    old.is_some() && old != value(Some(state), object, field)
}

fn object(place: &Box, state: &State, before: Option<&State>, out: &mut String) {
    let Box { name, left, top, width, height, .. } = place;
    let is_new = before.is_some_and(|before| before.object(name).is_none());
    let class = if is_new { "object new" } else { "object" };
    let _ = writeln!(out, "<g class=\"{class}\">");
    let _ = writeln!(
        out,
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"6\"/>"
    );
    let line = top + HEADING;
    let right = place.right();
    let _ = writeln!(
        out,
        "<path class=\"rule\" d=\"M{left:.1} {line:.1}H{right:.1}\"/>\
         <text class=\"name\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
        left + width / 2.0,
        top + 16.5,
        escape(name)
    );
    for field in &place.fields {
        row(place, field, state, before, out);
    }
    tags(place, state, before, out);
    out.push_str("</g>\n");
}

fn row(place: &Box, field: &str, state: &State, before: Option<&State>, out: &mut String) {
    let Some(held) = value(Some(state), &place.name, field) else { return };
    let (middle, right) = (place.row(field), place.right());
    if is_changed(state, before, &place.name, field) {
        let _ = writeln!(
            out,
            "<rect class=\"changed\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{ROW:.1}\"/>",
            place.left + 1.0,
            middle - ROW / 2.0,
            place.width - 2.0
        );
    }
    let base = middle + 4.0;
    let _ = writeln!(
        out,
        "<text class=\"field\" x=\"{:.1}\" y=\"{base:.1}\">{}</text>",
        place.left + 9.0,
        escape(field)
    );
    let port = right - PORT / 2.0 - 2.0;
    let _ = if state.object(held).is_some() {
        writeln!(out, "<circle class=\"port\" cx=\"{port:.1}\" cy=\"{middle:.1}\" r=\"3.2\"/>")
    } else if held == "null" {
        // The stroke of those who draw lists by hand.
        writeln!(
            out,
            "<path class=\"null\" d=\"M{:.1} {:.1}l9 -11\"><title>null</title></path>",
            port - 4.5,
            middle + 5.5
        )
    } else {
        let end = right - 9.0;
        let held = escape(&shown(held));
        writeln!(out, "<text class=\"value\" x=\"{end:.1}\" y=\"{base:.1}\">{held}</text>")
    };
}

/// The variables that lead to an object.
fn tags(place: &Box, state: &State, before: Option<&State>, out: &mut String) {
    let mut left = place.left;
    for variable in state.variables.iter().filter(|variable| variable.value == place.name) {
        let is_changed = before.is_some_and(|before| !before.variables.contains(variable));
        let class = if is_changed { "tag changed" } else { "tag" };
        let width = variable.name.chars().count() as f64 * CHARACTER + 12.0;
        let (top, middle) = (place.top - TAGS + 3.0, left + width / 2.0);
        let _ = writeln!(
            out,
            "<g class=\"{class}\"><rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" \
             height=\"17\" rx=\"8.5\"/><path d=\"M{:.1} {:.1}h8l-4 5z\"/>\
             <text x=\"{middle:.1}\" y=\"{:.1}\">{}</text></g>",
            middle - 4.0,
            top + 17.0,
            top + 12.5,
            escape(&variable.name)
        );
        left += width + 5.0;
    }
}

fn arrows(place: &Box, state: &State, before: Option<&State>, layout: &Layout, out: &mut String) {
    for field in &place.fields {
        let now = value(Some(state), &place.name, field);
        let changed = is_changed(state, before, &place.name, field);
        let old = value(before, &place.name, field).filter(|_| changed);
        for (held, class) in
            [(old, "arrow was"), (now, if changed { "arrow changed" } else { "arrow" })]
        {
            let Some(target) = held.and_then(|held| layout.get(held)) else { continue };
            if state.object(&target.name).is_some() {
                arrow(place, field, target, layout, class, out);
            }
        }
    }
}

/// An arrow: straight on to the next column, around the right side within one, along a lane elsewhere. All
/// but those within a column end at the left of the heading.
fn arrow(from: &Box, field: &str, to: &Box, layout: &Layout, class: &str, out: &mut String) {
    let (x, y) = (from.right() - PORT / 2.0 - 2.0, from.row(field));
    let heading = to.top + HEADING / 2.0;
    let end = to.left - 7.0;
    let (curve, head) = if to.column == from.column + 1 {
        let bend = ((end - x) / 2.0).max(24.0);
        let (leave, arrive) = (x + bend, end - bend);
        let curve = format!("C{leave:.1} {y:.1} {arrive:.1} {heading:.1} {end:.1} {heading:.1}");
        (curve, format!("M{:.1} {heading:.1}l-8 -4.5v9z", to.left))
    } else if to.column == from.column {
        let (end, bulge) = (to.right() + 7.0, x.max(to.right()) + 40.0);
        let curve = format!("C{bulge:.1} {y:.1} {bulge:.1} {heading:.1} {end:.1} {heading:.1}");
        (curve, format!("M{:.1} {heading:.1}l8 -4.5v9z", to.right()))
    } else {
        let (number, lane) = layout.lane(&from.name, field, to.column > from.column);
        // Curves beside each other are kept apart.
        let step = (number % 6) as f64 * 4.0;
        let (leave, arrive) = (from.right() + 9.0 + step, to.left - 14.0 - step);
        let corners =
            [(leave, y), (leave, lane), (arrive, lane), (arrive, heading), (end, heading)];
        (rounded((x, y), &corners), format!("M{:.1} {heading:.1}l-8 -4.5v9z", to.left))
    };
    let _ = writeln!(
        out,
        "<g class=\"{class}\"><path d=\"M{x:.1} {y:.1}{curve}\"/><path class=\"head\" d=\"{head}\"/></g>"
    );
}

/// A path along corners, which are rounded.
fn rounded(start: (f64, f64), corners: &[(f64, f64)]) -> String {
    const RADIUS: f64 = 6.0;
    let mut curve = String::new();
    let mut before = start;
    for (number, &corner) in corners.iter().enumerate() {
        let Some(&after) = corners.get(number + 1) else {
            let _ = write!(curve, "L{:.1} {:.1}", corner.0, corner.1);
            break;
        };
        let near = |other: (f64, f64)| {
            let (dx, dy) = (other.0 - corner.0, other.1 - corner.1);
            let length = dx.hypot(dy).max(0.1);
            let part = RADIUS.min(length / 2.0) / length;
            (corner.0 + dx * part, corner.1 + dy * part)
        };
        let (enter, leave) = (near(before), near(after));
        let _ = write!(
            curve,
            "L{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}",
            enter.0, enter.1, corner.0, corner.1, leave.0, leave.1
        );
        before = corner;
    }
    curve
}
