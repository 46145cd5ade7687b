//! Long traces: which events are shown, and what is said of those that are not.
//!
//! A trace of at most [`SHORT`] events is shown as it is. Of a longer one, the iterations of a loop between the first and
//! the last are elided, and so are recursive calls between the outermost and the innermost; but an event that the
//! failure depends on (`slice.rs`) stays if neither the first nor the last iteration shows one like it. If that is not
//! enough, only events that the failure depends on are shown. Each gap is one line that says what was elided.

use std::collections::BTreeSet;
use std::mem::discriminant;

use interpret::{Event, EventKind, Execution, LastStatement, Location, Site};
use ir::{BlockId, Module, ProcedureId, Variable};
use report::{Step, StepKind};

use crate::slice::{Calls, Graphs, slice};
use crate::writer::Writer;

/// A trace of so many events that are shown is not shortened.
const SHORT: usize = 28;

/// A loop of so many iterations is shown as it is, and so are so many recursive calls.
const FEW: usize = 3;

/// How many events of elided iterations stay because nothing like them is shown elsewhere.
const IRREGULAR: usize = 8;

/// What is shown at a place in a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shown {
    /// The event of this number.
    Event(usize),
    /// A gap before the event of this number.
    Gap(Gap, usize),
}

/// What was elided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Gap {
    /// So many iterations of one loop; whether the failure depends on some.
    Iterations(usize, bool),
    /// So many recursive calls of a procedure.
    Recursion(usize, ProcedureId),
    /// So many events on which the failure does not depend, and the procedure in which they happen, if it is one that
    /// was called.
    Unrelated(usize, Option<ProcedureId>),
    /// So many events that the interpreter did not keep.
    NotKept(u64),
}

/// A range of events of which most are elided, and where the iterations or calls in it begin.
struct Range {
    events: std::ops::Range<usize>,
    starts: Vec<usize>,
    gap: Gap,
}

/// The part of an execution that is to be shown.
pub(crate) struct Selection<'s> {
    pub(crate) module: &'s Module,
    pub(crate) entry: ProcedureId,
    /// The events, and how many of them are of the start, up to where the interpreter kept none.
    pub(crate) events: &'s [&'s Event],
    pub(crate) first: usize,
    pub(crate) not_kept: u64,
    /// The statement that fails, if it is the last one.
    pub(crate) last: Option<&'s LastStatement>,
    /// Events that are shown in any case.
    pub(crate) criteria: &'s [usize],
    /// Whether an event is shown at all.
    pub(crate) is_visible: &'s dyn Fn(&Event) -> bool,
}

impl Selection<'_> {
    /// What is shown, in order.
    pub(crate) fn shown(&self) -> Vec<Shown> {
        let visible: Vec<bool> = self.events.iter().map(|event| (self.is_visible)(event)).collect();
        let count = |kept: &[bool]| kept.iter().filter(|kept| **kept).count();
        if count(&visible) <= SHORT {
            return self.with_gaps(&visible, &visible, &[]);
        }
        let calls = Calls::new(self.entry, self.events);
        let mut graphs = Graphs::new(self.module);
        let matters =
            slice(self.module, self.events, &calls, &mut graphs, self.last, self.criteria);
        let mut kept = visible.clone();
        let mut ranges = self.elide_iterations(&calls, &mut graphs, &matters, &mut kept);
        ranges.extend(self.elide_recursion(&calls, &matters, &mut kept));
        if count(&kept) > SHORT && matters.iter().any(|matters| *matters) {
            for (at, kept) in kept.iter_mut().enumerate() {
                *kept &= matters[at];
            }
            let last = visible.iter().rposition(|visible| *visible);
            if let Some(last) = last {
                kept[last] = true;
            }
        }
        self.with_gaps(&visible, &kept, &ranges)
    }

    /// What an event does: where, and which side of a branch is taken.
    fn likeness(&self, at: usize) -> (Site, Option<BlockId>) {
        let event = self.events[at];
        let side = match &event.kind {
            EventKind::Entered(block) => Some(*block),
            EventKind::Assigned(..)
            | EventKind::Freed(_)
            | EventKind::Called(..)
            | EventKind::UnknownCall(..)
            | EventKind::Returned(_)
            | EventKind::Threw(..) => None,
        };
        (event.site, side)
    }

    /// Elides what lies in a range, but for a few events that matter and are not like those outside.
    fn elide(
        &self,
        range: std::ops::Range<usize>,
        (before, behind): (std::ops::Range<usize>, std::ops::Range<usize>),
        matters: &[bool],
        kept: &mut [bool],
    ) {
        let outside = before.chain(behind);
        let mut like: BTreeSet<_> = outside.map(|at| self.likeness(at)).collect();
        let mut left = IRREGULAR;
        for at in range {
            let is_irregular = matters[at] && left > 0 && like.insert(self.likeness(at));
            if is_irregular && kept[at] {
                left -= 1;
            } else if !self.criteria.contains(&at) {
                kept[at] = false;
            }
        }
    }

    /// Elides iterations between the first and the last of a loop.
    fn elide_iterations(
        &self,
        calls: &Calls,
        graphs: &mut Graphs<'_>,
        matters: &[bool],
        kept: &mut [bool],
    ) -> Vec<Range> {
        let mut ranges = Vec::new();
        for turns in self.turns(calls, graphs) {
            let count = turns.starts.len();
            if count <= FEW {
                continue;
            }
            let (second, last) = (turns.starts[1], turns.starts[count - 1]);
            // A loop within an elided iteration is gone already.
            if (second..last).all(|at| !kept[at]) {
                continue;
            }
            let outside = (turns.starts[0]..second, last..turns.end);
            self.elide(second..last, outside, matters, kept);
            let is_related = (second..last).any(|at| matters[at]);
            let gap = Gap::Iterations(count - 2, is_related);
            ranges.push(Range { events: second..last, starts: turns.starts, gap });
        }
        ranges
    }

    /// Elides recursive calls between the outermost and the innermost.
    fn elide_recursion(&self, calls: &Calls, matters: &[bool], kept: &mut [bool]) -> Vec<Range> {
        let depths: Vec<usize> = (0..calls.begun.len()).map(|call| calls.recursion(call)).collect();
        let mut ranges = Vec::new();
        let mut done = BTreeSet::new();
        for (call, &depth) in depths.iter().enumerate().rev() {
            // The innermost call of a chain; the others follow from it.
            if depth < FEW || !done.insert(call) {
                continue;
            }
            let mut chain = vec![call];
            while let Some(outer) = chain.last().and_then(|at| calls.begun[*at])
                && calls.procedures[calls.of_event[outer]] == calls.procedures[call]
            {
                chain.push(calls.of_event[outer]);
            }
            done.extend(&chain);
            let (outermost, innermost) = (chain[chain.len() - 1], chain[0]);
            let second = chain[chain.len() - 2];
            let (Some(from), Some(to)) = (calls.begun[second], calls.begun[innermost]) else {
                continue;
            };
            let own = |call: usize| calls.begun[call].map_or(0, |at| at + 1);
            let outside = (own(outermost)..from, to..self.events.len());
            self.elide(from..to, outside, matters, kept);
            let count = chain.len() - 2;
            let gap = Gap::Recursion(count, calls.procedures[call]);
            let starts = chain.iter().filter_map(|call| calls.begun[*call]).collect();
            ranges.push(Range { events: from..to, starts, gap });
        }
        ranges
    }

    /// The loops that the execution passes, each with where its iterations begin.
    fn turns(&self, calls: &Calls, graphs: &mut Graphs<'_>) -> Vec<Turns> {
        let mut over = Vec::new();
        let mut open: Vec<Turns> = Vec::new();
        for (at, event) in self.events.iter().enumerate() {
            let (call, site) = (calls.of_event[at], event.site);
            let graph = graphs.of(site.procedure);
            // An inner call does not leave the loop that it is made from.
            let around: Vec<BlockId> = graph.around(site.block).map(|one| one.header).collect();
            let is_left = |turns: &Turns| {
                turns.call > call || (turns.call == call && !around.contains(&turns.header))
            };
            while let Some(turns) = open.pop_if(|turns| is_left(turns)) {
                over.push(Turns { end: at, ..turns });
            }
            for header in around {
                let known =
                    open.iter_mut().find(|turns| turns.call == call && turns.header == header);
                match known {
                    Some(turns) => {
                        let first = self.events[turns.starts[0]];
                        let last = self.events[turns.starts[turns.starts.len() - 1]];
                        let is_same = first.site == site
                            && discriminant(&first.kind) == discriminant(&event.kind);
                        // One statement may be several events.
                        if is_same && event.step > last.step {
                            turns.starts.push(at);
                        }
                    }
                    None => {
                        open.push(Turns { call, header, starts: vec![at], end: self.events.len() });
                    }
                }
            }
        }
        over.extend(open);
        // Outer loops come first.
        over.sort_by_key(|turns| (turns.starts[0], std::cmp::Reverse(turns.end)));
        over
    }

    /// The events that are kept, and a line for each gap between them.
    fn with_gaps(&self, visible: &[bool], kept: &[bool], ranges: &[Range]) -> Vec<Shown> {
        let mut shown = Vec::new();
        let mut elided: Option<std::ops::Range<usize>> = None;
        for at in 0..=self.events.len() {
            let is_end = at == self.events.len();
            if self.not_kept > 0 && at == self.first && !is_end {
                self.close(elided.take(), visible, ranges, &mut shown);
                shown.push(Shown::Gap(Gap::NotKept(self.not_kept), at));
            }
            if is_end || kept[at] {
                self.close(elided.take(), visible, ranges, &mut shown);
                if !is_end {
                    shown.push(Shown::Event(at));
                }
            } else if visible[at] {
                elided = Some(elided.map_or(at, |range| range.start)..at + 1);
            }
        }
        shown
    }

    fn close(
        &self,
        elided: Option<std::ops::Range<usize>>,
        visible: &[bool],
        ranges: &[Range],
        shown: &mut Vec<Shown>,
    ) {
        let Some(elided) = elided else { return };
        // The largest loop or recursion that most of the gap belongs to.
        let inside = |range: &std::ops::Range<usize>| {
            range.start.max(elided.start)..range.end.min(elided.end)
        };
        let found = ranges
            .iter()
            .filter(|range| inside(&range.events).len() * 2 > elided.len())
            .max_by_key(|range| range.events.len());
        let begun = |range: &Range| {
            let inside = inside(&range.events);
            range.starts.iter().filter(|start| inside.contains(start)).count().max(1)
        };
        let gap = match found.map(|range| (range.gap, begun(range))) {
            Some((Gap::Iterations(_, is_related), count)) => Gap::Iterations(count, is_related),
            Some((Gap::Recursion(_, procedure), count)) => Gap::Recursion(count, procedure),
            Some((Gap::Unrelated(..) | Gap::NotKept(_), _)) | None => {
                let count = elided.clone().filter(|at| visible[*at]).count();
                let first = self.events[elided.start];
                let is_call = elided.clone().all(|at| {
                    self.events[at].depth >= first.depth
                        && self.events[at].site.procedure == first.site.procedure
                });
                let called = is_call && first.depth > 0;
                Gap::Unrelated(count, called.then_some(first.site.procedure))
            }
        };
        shown.push(Shown::Gap(gap, elided.start));
    }
}

impl Writer<'_> {
    /// What of an execution is to be shown.
    pub(crate) fn selection<'s>(
        &'s self,
        events: &'s [&'s Event],
        run: &'s Execution,
        criteria: &'s [usize],
        is_visible: &'s dyn Fn(&Event) -> bool,
    ) -> Selection<'s> {
        Selection {
            module: self.module,
            entry: self.procedure,
            events,
            first: run.trace.first().len(),
            not_kept: run.trace.left_out(),
            // An execution that an observer stopped does not fail at its last statement.
            last: criteria.is_empty().then_some(&run.last),
            criteria,
            is_visible,
        }
    }

    /// The step that stands for what was elided.
    pub(crate) fn gap(&self, gap: Gap, depth: u32, selection: &Selection<'_>) -> Step {
        let name = |id: ProcedureId| {
            let procedure = self.module.procedure(id);
            procedure.display.as_ref().unwrap_or(&procedure.name)
        };
        let plural = |count: usize, noun: &str| match count {
            1 => format!("1 {noun}"),
            _ => format!("{count} {noun}s"),
        };
        let unrelated = || match self.subject(selection) {
            Some(subject) => format!(", none of which changes `{subject}`"),
            None => ", on which the failure does not depend".to_owned(),
        };
        let text = match gap {
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
            Gap::NotKept(count) => format!("{count} steps were not recorded"),
        };
        Step::new(StepKind::Elided, format!("… {text}")).deep(depth)
    }

    /// How the source writes what the failing statement reads first.
    fn subject(&self, selection: &Selection<'_>) -> Option<String> {
        let last = selection.last?;
        let procedure = self.module.procedure(last.site.procedure);
        last.reads.iter().find_map(|read| {
            let Location::Local(depth, id) = *read else { return None };
            if depth != last.depth {
                return None;
            }
            if let Some(name) = &procedure.local(id).display {
                return Some(name.trim_start_matches('&').to_owned());
            }
            // A variable without a name holds what was read from a place.
            let written = selection.events.iter().rev().find(|event| match &event.kind {
                EventKind::Assigned(target, ..) => {
                    event.depth == depth && target.variable == Variable::Local(id)
                }
                _ => false,
            })?;
            let place = procedure.place_at(written.site.point(self.module)?)?;
            Some(place.text.clone())
        })
    }
}

/// The iterations of one loop.
struct Turns {
    call: usize,
    header: BlockId,
    /// The event that begins each iteration: the first event within the loop, and those like it.
    starts: Vec<usize>,
    end: usize,
}
