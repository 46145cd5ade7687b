//! The line that stands for elided steps: what they are, whether the failure depends on them, and the last values of what
//! they change.

use std::ops::Range;

use interpret::{Event, EventKind, LastStatement, Location, Step as PathStep, Target};
use ir::{Mode, ProcedureId, Type, Variable};
use report::{Binding, Step, StepKind};

use crate::elide::{Gap, Selection};
use crate::objects::Presentation;
use crate::slice::bytes_of;
use crate::writer::Writer;

impl Writer<'_> {
    /// The step that stands for what was elided. `bind` shows what an event changes.
    pub(crate) fn gap(
        &self,
        gap: Gap,
        elided: Range<usize>,
        selection: &Selection<'_>,
        bind: &dyn Fn(&Event) -> Option<Binding>,
    ) -> Step {
        let events = &selection.events[elided.clone()];
        let name = |id: ProcedureId| {
            let procedure = self.module.procedure(id);
            procedure.display.as_ref().unwrap_or(&procedure.name)
        };
        let plural = |count: usize, noun: &str| match count {
            1 => format!("1 {noun}"),
            _ => format!("{count} {noun}s"),
        };
        let unrelated = || match self.subject(selection, events) {
            Some(subject) => format!(", none of which changes `{subject}`"),
            None => ", on which the failure does not depend".to_owned(),
        };
        let unrecorded = match selection.not_kept {
            count
                if count > 0 && elided.start < selection.first && selection.first < elided.end =>
            {
                Some(count)
            }
            _ => None,
        };
        let mut text = match gap {
            Gap::Iterations(..) if unrecorded.is_some() => {
                "more iterations of this loop".to_owned()
            }
            Gap::Iterations(count, true) => {
                format!("{} of this loop", plural(count, "more iteration"))
            }
            Gap::Iterations(count, false) => {
                format!("{} of this loop{}", plural(count, "more iteration"), unrelated())
            }
            Gap::Recursion(count, id) => {
                format!("{} of `{}`", plural(count, "more recursive call"), name(id))
            }
            Gap::Unrelated(count, None) => format!("{}{}", plural(count, "step"), unrelated()),
            Gap::Unrelated(count, Some(id)) => {
                format!("{} in `{}`{}", plural(count, "step"), name(id), unrelated())
            }
            Gap::Related(count) => {
                format!("{} on which the failure depends", plural(count, "more step"))
            }
            Gap::NotKept(count) => format!("{count} steps were not recorded"),
        };
        if let Some(count) = unrecorded {
            text.push_str(&format!(" ({count} steps were not recorded)"));
        }
        let depth = events.iter().map(|event| event.depth).min();
        let depth = depth.or(selection.events.get(elided.start).map(|event| event.depth));
        let mut step =
            Step::new(StepKind::Elided, format!("… {text}")).deep(depth.unwrap_or_default());
        for event in events {
            if !(selection.is_visible)(event) || !self.outlives(event, step.depth) {
                continue;
            }
            if let Some(binding) = bind(event) {
                step.values.retain(|known| known.name != binding.name);
                step.values.push(binding);
            }
        }
        step
    }

    /// Whether what an event assigns exists, under the same name, in the procedure with this many open calls around it.
    fn outlives(&self, event: &Event, depth: u32) -> bool {
        let Some(target) = assigned(event) else { return false };
        match target.variable {
            Variable::Local(_) => event.depth == depth,
            // Places of memory are named by the variables that lead to them.
            Variable::Global(_) => {
                event.depth == depth || self.presentation != Presentation::Memory
            }
        }
    }

    /// How the source writes the first thing that the failing statement reads, if none of these events changes it.
    fn subject(&self, selection: &Selection<'_>, events: &[&Event]) -> Option<String> {
        let last = selection.last?;
        let mut names = last.reads.iter().filter_map(|read| self.name_of(read, last, selection));
        let (name, location) = names.next()?;
        let is_changed = events.iter().any(|event| self.changes(event, &location));
        (!is_changed).then_some(name)
    }

    /// The name of a location that the failing statement reads, and the location that has it.
    fn name_of(
        &self,
        read: &Location,
        last: &LastStatement,
        selection: &Selection<'_>,
    ) -> Option<(String, Location)> {
        let Location::Local(depth, id) = *read else { return None };
        if depth != last.depth {
            return None;
        }
        let procedure = self.module.procedure(last.site.procedure);
        if self.presentation != Presentation::Memory {
            // Parameters do not change, and the result is set last.
            let is_variable = procedure.local(id).mode == Mode::Local;
            return is_variable.then(|| (procedure.display(id).to_owned(), read.clone()));
        }
        match &procedure.local(id).display {
            // The address of a variable does not change; its content is something else.
            Some(name) if name.starts_with('&') => None,
            Some(name) => Some((name.clone(), read.clone())),
            // A variable without a name holds what was read from a place.
            None => {
                let written = selection.events.iter().rev().find(|event| {
                    event.depth == depth
                        && assigned(event)
                            .is_some_and(|target| target.variable == Variable::Local(id))
                })?;
                let place = procedure.place_at(written.site.point(self.module)?)?;
                let is_memory = |location: &&Location| matches!(location, Location::Memory(..));
                let location = written.reads.iter().rev().find(is_memory)?;
                Some((place.text.clone(), location.clone()))
            }
        }
    }

    /// Whether an event may change a location.
    fn changes(&self, event: &Event, location: &Location) -> bool {
        let EventKind::Assigned(target, value, _) = &event.kind else { return false };
        match (target.variable, location) {
            (Variable::Local(assigned), Location::Local(depth, id)) => {
                event.depth == *depth && assigned == *id
            }
            (Variable::Global(assigned), Location::Global(id) | Location::Entry(id, _)) => {
                assigned == *id
            }
            (Variable::Global(id), Location::Memory(pointer, size)) => match &target.path[..] {
                [PathStep::View(at, _)] => {
                    let end = |from: i64, bytes: i64| from.saturating_add(bytes);
                    at.object == pointer.object
                        && at.offset < end(pointer.offset, *size as i64)
                        && pointer.offset < end(at.offset, bytes_of(value.as_ref()))
                }
                _ => self.module.global(id).ty == Type::Bytes,
            },
            (Variable::Local(_) | Variable::Global(_), _) => false,
        }
    }
}

/// The target of an assignment.
fn assigned(event: &Event) -> Option<&Target> {
    match &event.kind {
        EventKind::Assigned(target, ..) => Some(target),
        EventKind::Entered(_)
        | EventKind::Freed(_)
        | EventKind::Called(..)
        | EventKind::UnknownCall(..)
        | EventKind::Returned(_)
        | EventKind::Threw(..) => None,
    }
}
