//! Long traces: which events are shown, and what is said of those that are not.
//!
//! A trace of at most [`SHORT_TRACE`] events is shown as it is. Of a longer one, the iterations of a loop between the first and
//! the last are elided, and so are recursive calls between the outermost and the innermost; but an event that the
//! failure depends on (`slice.rs`) stays if neither the first nor the last iteration shows one like it. If that is not
//! enough, only events that the failure depends on are shown, and of more than [`LONG_TRACE`] of them the first and the last of
//! each statement. Each gap is one line that says what was elided, with the last values of what changed there.

use std::collections::BTreeSet;
use std::mem::discriminant;
use std::ops::Range;

use interpret::{Event, EventKind, Execution, LastStatement, Site};
use ir::{BlockId, Module, ProcedureId};

use crate::limits::{FEW_ITERATIONS, IRREGULAR_EVENTS, LONG_TRACE, SHORT_TRACE, SMALL_GAP};
use crate::slice::{Calls, Graphs, slice};
use crate::writer::Writer;

/// A shown event or gap in a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Shown {
    /// The event of this number.
    Event(usize),
    /// A gap, and the events from the first to the last that it stands for.
    Gap(Gap, Range<usize>),
}

/// The kind of elided steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Gap {
    /// So many iterations of one loop; whether the failure depends on some.
    Iterations(usize, bool),
    /// So many recursive calls of a procedure.
    Recursion(usize, ProcedureId),
    /// So many events on which the failure does not depend, and the procedure in which they happen, if it is one that
    /// was called.
    Unrelated(usize, Option<ProcedureId>),
    /// So many events, of which the failure depends on some.
    Related(usize),
    /// So many events that the interpreter did not keep.
    NotKept(u64),
}

/// A range of events of which most are elided, and where the iterations or calls in it begin.
struct Stretch {
    events: Range<usize>,
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
    /// The shown events and gaps, in order.
    pub(crate) fn shown(&self) -> Vec<Shown> {
        let visible: Vec<bool> = self.events.iter().map(|event| (self.is_visible)(event)).collect();
        let count = |kept: &[bool]| kept.iter().filter(|kept| **kept).count();
        if count(&visible) <= SHORT_TRACE {
            return self.with_gaps(&visible, &visible, &[], &[]);
        }
        let calls = Calls::new(self.entry, self.events);
        let mut graphs = Graphs::new(self.module);
        let matters =
            slice(self.module, self.events, &calls, &mut graphs, self.last, self.criteria);
        let mut kept = visible.clone();
        let mut stretches = self.elide_iterations(&calls, &mut graphs, &matters, &mut kept);
        stretches.extend(self.elide_recursion(&calls, &matters, &mut kept));
        if count(&kept) > SHORT_TRACE && matters.iter().any(|matters| *matters) {
            for (at, kept) in kept.iter_mut().enumerate() {
                *kept &= matters[at];
            }
            let last = visible.iter().rposition(|visible| *visible);
            if let Some(last) = last {
                kept[last] = true;
            }
        }
        fill_small_gaps(&visible, &mut kept);
        if count(&kept) > LONG_TRACE {
            self.thin_out(&mut kept);
        }
        self.with_gaps(&visible, &kept, &stretches, &matters)
    }

    /// Keeps the first and the last event of each statement and side of a branch, and of those as many of the last as
    /// are shown.
    fn thin_out(&self, kept: &mut [bool]) {
        let all: Vec<usize> = (0..kept.len()).filter(|at| kept[*at]).collect();
        let (mut first, mut last) = (BTreeSet::new(), BTreeSet::new());
        let mut stays: BTreeSet<usize> = self.criteria.iter().copied().collect();
        stays.extend(all.iter().filter(|at| first.insert(self.likeness(**at))));
        stays.extend(all.iter().rev().filter(|at| last.insert(self.likeness(**at))));
        let mut left = LONG_TRACE;
        for at in all.into_iter().rev() {
            kept[at] = stays.contains(&at) && (left > 0 || self.criteria.contains(&at));
            left -= usize::from(kept[at] && left > 0);
        }
    }

    /// The identity of an event: its place, and the side of a branch.
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
        range: Range<usize>,
        (before, behind): (Range<usize>, Range<usize>),
        matters: &[bool],
        kept: &mut [bool],
    ) {
        let outside = before.chain(behind);
        let mut like: BTreeSet<_> = outside.map(|at| self.likeness(at)).collect();
        let mut left = IRREGULAR_EVENTS;
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
    ) -> Vec<Stretch> {
        let mut stretches = Vec::new();
        for turns in self.turns(calls, graphs) {
            // The last start is often only the test that leaves the loop.
            let is_test = |at: usize| matches!(self.events[at].kind, EventKind::Entered(_));
            let is_left = turns.starts.last().is_some_and(|last| (*last..turns.end).all(is_test));
            let count = turns.starts.len() - usize::from(is_left);
            if count <= FEW_ITERATIONS {
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
            stretches.push(Stretch { events: second..last, starts: turns.starts, gap });
        }
        stretches
    }

    /// Elides recursive calls between the outermost and the innermost.
    fn elide_recursion(&self, calls: &Calls, matters: &[bool], kept: &mut [bool]) -> Vec<Stretch> {
        let depths: Vec<usize> = (0..calls.begun.len()).map(|call| calls.recursion(call)).collect();
        let mut stretches = Vec::new();
        let mut done = BTreeSet::new();
        for (call, &depth) in depths.iter().enumerate().rev() {
            // The innermost call of a chain; the others follow from it.
            if depth < FEW_ITERATIONS || !done.insert(call) {
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
            stretches.push(Stretch { events: from..to, starts, gap });
        }
        stretches
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
    fn with_gaps(
        &self,
        visible: &[bool],
        kept: &[bool],
        stretches: &[Stretch],
        matters: &[bool],
    ) -> Vec<Shown> {
        let mut shown = Vec::new();
        let mut elided: Option<Range<usize>> = None;
        let close = |elided: Option<Range<usize>>, shown: &mut Vec<Shown>| {
            let Some(elided) = elided else { return };
            let gap = self.gap(&elided, visible, stretches, matters);
            shown.push(Shown::Gap(gap, elided));
        };
        for at in 0..=self.events.len() {
            let is_end = at == self.events.len();
            // Unrecorded events between two elided ones are part of the same gap.
            let is_inside = elided.is_some() && !is_end && !kept[at] && visible[at];
            if self.not_kept > 0 && at == self.first && !is_end && !is_inside {
                close(elided.take(), &mut shown);
                shown.push(Shown::Gap(Gap::NotKept(self.not_kept), at..at));
            }
            if is_end || kept[at] {
                close(elided.take(), &mut shown);
                if !is_end {
                    shown.push(Shown::Event(at));
                }
            } else if visible[at] {
                elided = Some(elided.map_or(at, |range| range.start)..at + 1);
            }
        }
        shown
    }

    /// The kind of a range of events none of which is kept.
    fn gap(
        &self,
        elided: &Range<usize>,
        visible: &[bool],
        stretches: &[Stretch],
        matters: &[bool],
    ) -> Gap {
        // The largest loop or recursion that most of the gap belongs to.
        let inside =
            |range: &Range<usize>| range.start.max(elided.start)..range.end.min(elided.end);
        let found = stretches
            .iter()
            .filter(|stretch| inside(&stretch.events).len() * 2 > elided.len())
            .max_by_key(|stretch| stretch.events.len());
        let begun = |stretch: &Stretch| {
            let inside = inside(&stretch.events);
            stretch.starts.iter().filter(|start| inside.contains(start)).count().max(1)
        };
        match found.map(|stretch| (stretch.gap, begun(stretch))) {
            Some((Gap::Iterations(_, is_related), count)) => Gap::Iterations(count, is_related),
            Some((Gap::Recursion(_, procedure), count)) => Gap::Recursion(count, procedure),
            Some((Gap::Unrelated(..) | Gap::Related(_) | Gap::NotKept(_), _)) | None => {
                let count = elided.clone().filter(|at| visible[*at]).count();
                if elided.clone().any(|at| visible[at] && matters.get(at) == Some(&true)) {
                    return Gap::Related(count);
                }
                let first = self.events[elided.start];
                let is_call = elided.clone().all(|at| {
                    self.events[at].depth >= first.depth
                        && self.events[at].site.procedure == first.site.procedure
                });
                let called = is_call && first.depth > 0;
                Gap::Unrelated(count, called.then_some(first.site.procedure))
            }
        }
    }
}

impl Writer<'_> {
    /// The steps of an execution that are shown.
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
}

/// Keeps what lies between two events that are kept if a line for the gap would save nothing.
fn fill_small_gaps(visible: &[bool], kept: &mut [bool]) {
    let mut gap = Vec::new();
    for at in (0..kept.len()).filter(|at| visible[*at]) {
        if !kept[at] {
            gap.push(at);
            continue;
        }
        if gap.len() <= SMALL_GAP {
            gap.iter().for_each(|at| kept[*at] = true);
        }
        gap.clear();
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
