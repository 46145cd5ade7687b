//! The positions of the objects of an execution, the same for all steps, so that nothing moves.
//!
//! Columns are distances from the variables in the initial heap; an object that only later steps create or link
//! stands behind the object that links it. Within a column objects stand in the order of the references to them, so
//! that a list is a line and a tree keeps its sides.

use crate::State;

/// The size of a character and a line, in pixels.
pub(super) const CHARACTER: f64 = 7.3;
pub(super) const ROW: f64 = 21.0;
/// The heading of a box.
pub(super) const HEADING: f64 = 24.0;
/// The room above a box, for the names of variables.
pub(super) const TAGS: f64 = 26.0;
/// The room that a reference takes at the right end of its row.
pub(super) const PORT: f64 = 18.0;
const COLUMN_GAP: f64 = 64.0;
const ROW_GAP: f64 = 22.0;
/// The room around everything.
const MARGIN: f64 = 12.0;
/// The room left of the first column, for arrows that come back to it.
const BEFORE: f64 = 44.0;
/// The distance between two lanes.
const LANE: f64 = 8.0;

/// The places of all objects.
pub(crate) struct Layout {
    pub(super) boxes: Vec<Box>,
    pub(super) width: f64,
    pub(super) height: f64,
    /// References that ever skip a column: each has a lane above all boxes.
    above: Vec<Reference>,
    /// References that ever lead back: each has a lane below all boxes.
    below: Vec<Reference>,
}

/// An object and its field.
type Reference = (String, String);

/// The position of an object.
pub(super) struct Box {
    pub(super) name: String,
    pub(super) column: usize,
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    /// Its fields, in the order in which they are drawn.
    pub(super) fields: Vec<String>,
}

impl Box {
    /// The middle of the row of a field.
    pub(super) fn row(&self, field: &str) -> f64 {
        let number = self.fields.iter().position(|known| known == field).unwrap_or(0);
        self.top + HEADING + ROW * (number as f64 + 0.5)
    }

    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }
}

impl Layout {
    pub(crate) fn new(states: &[State]) -> Layout {
        let columns = columns(states);
        let (above, below) = (far(states, &columns, true), far(states, &columns, false));
        let roof = MARGIN + LANE * above.len() as f64;
        let mut boxes: Vec<Box> = Vec::new();
        let mut left = if below.is_empty() { MARGIN } else { BEFORE };
        let mut height = 0.0_f64;
        for (number, column) in columns.iter().enumerate() {
            let (mut top, mut widest) = (roof, 0.0_f64);
            for name in column {
                let (fields, width) = size(name, states);
                let box_height = HEADING + ROW * fields.len() as f64 + 4.0;
                boxes.push(Box {
                    name: name.clone(),
                    column: number,
                    left,
                    top: top + TAGS,
                    width,
                    height: box_height,
                    fields,
                });
                top += TAGS + box_height + ROW_GAP;
                widest = widest.max(width);
            }
            left += widest + COLUMN_GAP;
            height = height.max(top - ROW_GAP);
        }
        // The last column may lead back to itself, around its right side.
        let height = height + MARGIN + LANE * below.len() as f64;
        Layout { boxes, width: left, height, above, below }
    }

    /// The lane of a reference that skips columns, or of one that leads back: its number and height.
    pub(super) fn lane(&self, object: &str, field: &str, is_above: bool) -> (usize, f64) {
        let lanes = if is_above { &self.above } else { &self.below };
        let known = |(of, name): &Reference| of == object && name == field;
        let number = lanes.iter().position(known).unwrap_or(0);
        let offset = MARGIN + LANE * number as f64;
        (number, if is_above { offset } else { self.height - offset })
    }

    pub(super) fn get(&self, name: &str) -> Option<&Box> {
        self.boxes.iter().find(|known| known.name == name)
    }
}

/// The references that ever skip a column, or lead to an earlier one.
fn far(states: &[State], columns: &[Vec<String>], is_above: bool) -> Vec<Reference> {
    let column =
        |name: &str| columns.iter().position(|column| column.iter().any(|known| known == name));
    let mut found: Vec<Reference> = Vec::new();
    for object in states.iter().flat_map(|state| &state.objects) {
        let Some(from) = column(&object.name) else { continue };
        for field in &object.fields {
            let is_far = column(&field.value).is_some_and(|to| match is_above {
                true => to > from + 1,
                false => to < from,
            });
            let reference = (object.name.clone(), field.name.clone());
            if is_far && !found.contains(&reference) {
                found.push(reference);
            }
        }
    }
    found
}

/// The fields that an object ever has, and how wide its box has to be.
fn size(name: &str, states: &[State]) -> (Vec<String>, f64) {
    let mut fields: Vec<String> = Vec::new();
    let mut widest = name.chars().count() as f64 * CHARACTER + 20.0;
    for state in states {
        let Some(object) = state.object(name) else { continue };
        for field in &object.fields {
            if !fields.contains(&field.name) {
                fields.push(field.name.clone());
            }
            let value = match state.object(&field.value) {
                Some(_) => PORT,
                None => shown(&field.value).chars().count() as f64 * CHARACTER,
            };
            let label = field.name.chars().count() as f64 * CHARACTER;
            widest = widest.max(label + value.max(PORT) + 30.0);
        }
    }
    (fields, widest)
}

/// A value, cut where it is too long for a box.
pub(super) fn shown(value: &str) -> String {
    const MOST: usize = 24;
    match value.chars().count() > MOST {
        true => value.chars().take(MOST - 1).chain(['…']).collect(),
        false => value.to_owned(),
    }
}

/// The names of the objects in each column.
fn columns(states: &[State]) -> Vec<Vec<String>> {
    let mut placed: Vec<(String, usize)> = Vec::new();
    for state in states {
        let is_placed = |name: &str| placed.iter().any(|(known, _)| known == name);
        if state.objects.iter().all(|object| is_placed(&object.name)) {
            continue;
        }
        // Roots from which another root is reached come first; the other is then no root.
        let mut roots: Vec<&str> = Vec::new();
        for variable in &state.variables {
            if state.object(&variable.value).is_some() && !roots.contains(&variable.value.as_str())
            {
                roots.push(&variable.value);
            }
        }
        let is_below = |root: &str, other: &str| {
            let below = reached(state, other);
            root != other && below.contains(&root) && !reached(state, root).contains(&other)
        };
        let tops: Vec<&str> = roots
            .iter()
            .copied()
            .filter(|root| !roots.iter().any(|other| is_below(root, other)))
            .collect();
        for root in tops {
            place(state, root, 0, &mut placed);
        }
        for object in &state.objects {
            let links = |(name, _): &(String, usize)| {
                let of = state.object(name);
                of.is_some_and(|of| of.fields.iter().any(|field| field.value == object.name))
            };
            let before = placed.iter().find(|known| links(known)).map(|(_, column)| column + 1);
            place(state, &object.name, before.unwrap_or(0), &mut placed);
        }
    }
    let count = placed.iter().map(|(_, column)| column + 1).max().unwrap_or(0);
    let mut columns = vec![Vec::new(); count];
    for (name, column) in placed {
        columns[column].push(name);
    }
    columns
}

/// The objects that one leads to, itself among them.
fn reached<'s>(state: &'s State, from: &'s str) -> Vec<&'s str> {
    let mut reached = vec![from];
    let mut next = 0;
    while next < reached.len() {
        let fields = state.object(reached[next]).map_or(&[][..], |object| &object.fields);
        next += 1;
        for field in fields {
            if state.object(&field.value).is_some() && !reached.contains(&field.value.as_str()) {
                reached.push(&field.value);
            }
        }
    }
    reached
}

/// Places an object and what it leads to, level by level, unless they have a place.
fn place(state: &State, root: &str, column: usize, placed: &mut Vec<(String, usize)>) {
    let mut level: Vec<String> = vec![root.to_owned()];
    let mut column = column;
    while !level.is_empty() {
        let mut next = Vec::new();
        for name in level {
            if placed.iter().any(|(known, _)| *known == name) {
                continue;
            }
            let fields = state.object(&name).map_or(&[][..], |object| &object.fields);
            let linked = fields.iter().map(|field| &field.value);
            next.extend(linked.filter(|value| state.object(value).is_some()).cloned());
            placed.push((name, column));
        }
        level = next;
        column += 1;
    }
}
