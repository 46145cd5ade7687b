//! The lifetime of the memory that a failure is about: where it was allocated, and where it was freed.

use interpret::{Cause, Event, EventKind, Location, Outcome, Site, Value};
use ir::{AssertKind, Storage};
use report::{Place, Related};

use crate::blocks::{Blocks, ObjectName};
use crate::writer::{Writer, is_nowhere};

/// The place of an event: the statement of the entry procedure, and the innermost one that has a text.
#[derive(Clone, Copy)]
struct Spot {
    outer: Site,
    inner: Site,
}

impl Writer<'_> {
    /// The places where the memory that a failure is about was allocated and freed.
    pub fn lifetime(&self) -> Vec<Related> {
        let Some((kind, object)) = self.failing_object() else { return Vec::new() };
        let freed = match kind {
            AssertKind::UseAfterFree | AssertKind::DoubleFree => self.freed(object),
            _ => None,
        };
        let allocated = self.allocated(object).and_then(|spot| self.label(spot, "allocated"));
        let freed = freed.and_then(|spot| self.label(spot, "freed"));
        let mut related: Vec<Related> = allocated.into_iter().chain(freed).collect();
        // A loop may allocate and free at one place.
        related.dedup_by(|a, b| a.place == b.place);
        related
    }

    /// The place that follows "was freed" in the message of a failure, as seen from a place.
    pub fn since(&self, from: &Place) -> Option<String> {
        let (AssertKind::UseAfterFree | AssertKind::DoubleFree, object) = self.failing_object()?
        else {
            return None;
        };
        let run = self.execution.run;
        if run.objects.storage(object, run.objects.now()) == Some(Storage::Stack) {
            let subject = self.module.procedure(self.procedure);
            let blocks = Blocks::new(self.module, subject, self.execution.inputs, run);
            let Some(ObjectName::Variable(name, _)) = blocks.known.get(&object) else {
                return None;
            };
            return Some(format!(" when `{name}` went out of scope"));
        }
        let spot = self.freed(object)?;
        let place = self.place(spot.outer.span(self.module)?);
        let line = place.start.line;
        Some(match place.path == from.path {
            true => format!(" at line {line}"),
            false => format!(" at {}:{line}", place.path),
        })
    }

    /// The object that an obligation about memory fails for.
    fn failing_object(&self) -> Option<(AssertKind, u64)> {
        let run = self.execution.run;
        let Outcome::Failed(failure) = &run.outcome else { return None };
        match failure.kind {
            AssertKind::UseAfterFree | AssertKind::DoubleFree | AssertKind::OutOfBounds => {}
            _ => return None,
        }
        let read = run.last.reads.iter().find_map(|read| match read {
            Location::Object(object) => Some(*object),
            _ => None,
        });
        let object = failure.pointer.map(|pointer| pointer.object).or(read)?;
        Some((failure.kind, object))
    }

    fn freed(&self, object: u64) -> Option<Spot> {
        self.spot(|event| matches!(&event.kind, EventKind::Freed(at) if at.object == object))
    }

    fn allocated(&self, object: u64) -> Option<Spot> {
        let run = self.execution.run;
        if run.objects.storage(object, run.objects.now()) != Some(Storage::Heap) {
            return None;
        }
        self.spot(|event| match &event.kind {
            EventKind::Assigned(_, Some(Value::Ptr(at)), Cause::Allocation) => at.object == object,
            _ => false,
        })
    }

    /// The place of the last event of a kind.
    fn spot(&self, selected: impl Fn(&Event) -> bool) -> Option<Spot> {
        let events: Vec<&Event> = self.execution.run.trace.events().collect();
        let at = events.iter().rposition(|event| selected(event))?;
        let mut sites = vec![events[at].site];
        let mut depth = events[at].depth;
        for event in events[..at].iter().rev() {
            if event.depth < depth && matches!(event.kind, EventKind::Called(..)) {
                sites.push(event.site);
                depth = event.depth;
            }
        }
        let has_text = |site: &&Site| {
            site.span(self.module).is_some_and(|span| !is_nowhere(span))
                && !self.is_synthetic(**site)
        };
        let inner = sites.iter().find(has_text)?;
        let outer = sites.iter().rev().find(has_text)?;
        Some(Spot { outer: *outer, inner: *inner })
    }

    fn label(&self, spot: Spot, verb: &str) -> Option<Related> {
        let place = |site: Site| Some(self.place(site.span(self.module)?));
        let (outer, inner) = (place(spot.outer)?, place(spot.inner)?);
        let message = match spot.outer == spot.inner {
            true => format!("{verb} here"),
            false => {
                let procedure = self.module.procedure(spot.inner.procedure);
                let name = procedure.display.as_ref().unwrap_or(&procedure.name);
                format!("{verb} here, in `{name}` (line {})", inner.start.line)
            }
        };
        Some(Related { place: outer, message })
    }
}
