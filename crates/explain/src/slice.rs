//! Dynamic slicing: the executed steps on which a failure depends (Agrawal & Horgan 1990).
//!
//! The trace is followed backwards. A step matters if it writes a location that a later step which matters has read,
//! or if it is the branch or call that a later step which matters is controlled by. Locations are local variables of
//! a call, bytes of memory, entries of maps, and the lifetime of objects; what the interpreter reads is part of the
//! trace. A step that changes memory as a whole, such as a copy, matters if any memory does.

use std::collections::{BTreeMap, BTreeSet};

use interpret::{Cause, Event, EventKind, LastStatement, Location, Site, Step, Value};
use ir::{BlockId, GlobalId, LocalId, Mode, Module, ProcedureId, Variable};

use crate::graph::Graph;

/// A location within the whole execution: local variables belong to a call, which has a number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Cell {
    Local(usize, LocalId),
    Global(GlobalId),
    Entry(GlobalId, Vec<Value>),
    Byte(u64, i64),
    Object(u64),
}

/// The calls of an execution: which event belongs to which.
pub(crate) struct Calls {
    /// The number of the call that each event is in.
    pub(crate) of_event: Vec<usize>,
    /// The calls that are open around each event, its own last.
    open: Vec<Vec<usize>>,
    /// The calls that are open after the last event.
    open_at_end: Vec<usize>,
    /// The event that begins each call; none for the entry procedure.
    pub(crate) begun: Vec<Option<usize>>,
    /// The call that each event begins which does begin one.
    begins: BTreeMap<usize, usize>,
    /// The procedure of each call.
    pub(crate) procedures: Vec<ProcedureId>,
}

impl Calls {
    pub(crate) fn new(entry: ProcedureId, events: &[&Event]) -> Calls {
        let mut calls = Calls {
            of_event: Vec::new(),
            open: Vec::new(),
            open_at_end: Vec::new(),
            begun: vec![None],
            begins: BTreeMap::new(),
            procedures: vec![entry],
        };
        let mut stack = vec![0];
        for (number, event) in events.iter().enumerate() {
            let depth = event.depth as usize;
            stack.truncate(depth + 1);
            while stack.len() <= depth {
                // The call itself is in a part of the trace that was not kept.
                calls.begun.push(None);
                calls.procedures.push(event.site.procedure);
                stack.push(calls.begun.len() - 1);
            }
            calls.of_event.push(stack[depth]);
            calls.open.push(stack.clone());
            if let EventKind::Called(callee, _) | EventKind::UnknownCall(callee, _) = event.kind {
                calls.begins.insert(number, calls.begun.len());
                calls.begun.push(Some(number));
                calls.procedures.push(callee);
                stack.push(calls.begun.len() - 1);
            }
        }
        calls.open_at_end = stack;
        calls
    }

    /// How many calls of the same procedure are open around a call, one within the other.
    pub(crate) fn recursion(&self, call: usize) -> usize {
        let (mut count, mut at) = (0, call);
        while let Some(begun) = self.begun[at] {
            let outer = self.of_event[begun];
            if self.procedures[outer] != self.procedures[call] {
                break;
            }
            (count, at) = (count + 1, outer);
        }
        count
    }
}

/// The graphs of the procedures that an execution passes, computed when they are needed.
pub(crate) struct Graphs<'g> {
    module: &'g Module,
    known: BTreeMap<ProcedureId, Graph>,
}

impl<'g> Graphs<'g> {
    pub(crate) fn new(module: &'g Module) -> Graphs<'g> {
        Graphs { module, known: BTreeMap::new() }
    }

    pub(crate) fn of(&mut self, procedure: ProcedureId) -> &Graph {
        let module = self.module;
        self.known.entry(procedure).or_insert_with(|| Graph::new(module.procedure(procedure)))
    }
}

/// For each event, whether the failure depends on it. The criteria of the slice are the statement that fails, if it is
/// the last one, and the events that are given.
pub(crate) fn slice(
    module: &Module,
    events: &[&Event],
    calls: &Calls,
    graphs: &mut Graphs<'_>,
    last: Option<&LastStatement>,
    criteria: &[usize],
) -> Vec<bool> {
    let mut search = Search {
        module,
        events,
        calls,
        needed: BTreeSet::new(),
        branches: BTreeSet::new(),
        callers: BTreeSet::new(),
        matters: vec![false; events.len()],
    };
    if let Some(last) = last {
        let depth = (last.depth as usize).min(calls.open_at_end.len() - 1);
        let open = &calls.open_at_end[..=depth];
        search.need(&last.reads, open);
        search.control(graphs, open[depth], last.site);
    }
    for at in (0..events.len()).rev() {
        if criteria.contains(&at) || search.is_needed(at) {
            search.matters[at] = true;
            search.need(&events[at].reads, &calls.open[at]);
            search.control(graphs, calls.of_event[at], events[at].site);
        }
    }
    search.matters
}

struct Search<'s> {
    module: &'s Module,
    events: &'s [&'s Event],
    calls: &'s Calls,
    needed: BTreeSet<Cell>,
    /// Branches of calls that decide about something that matters.
    branches: BTreeSet<(usize, BlockId)>,
    /// Calls in which something matters.
    callers: BTreeSet<usize>,
    matters: Vec<bool>,
}

impl Search<'_> {
    /// Adds the locations that a statement reads, with the calls that are open around it.
    fn need(&mut self, reads: &[Location], open: &[usize]) {
        for read in reads {
            match read {
                Location::Local(depth, id) => {
                    let call = open.get(*depth as usize).or(open.last());
                    self.needed.extend(call.map(|call| Cell::Local(*call, *id)));
                }
                Location::Global(id) => {
                    self.needed.insert(Cell::Global(*id));
                }
                Location::Entry(id, key) => {
                    self.needed.insert(Cell::Entry(*id, key.iter().cloned().collect()));
                }
                Location::Memory(pointer, bytes) => {
                    let offsets = pointer.offset..pointer.offset.saturating_add(*bytes as i64);
                    self.needed.extend(offsets.map(|offset| Cell::Byte(pointer.object, offset)));
                }
                Location::Object(object) => {
                    self.needed.insert(Cell::Object(*object));
                }
            }
        }
    }

    /// Adds what decides whether a statement of a call is executed.
    fn control(&mut self, graphs: &mut Graphs<'_>, call: usize, site: Site) {
        let controllers = graphs.of(site.procedure).controllers(site.block);
        self.branches.extend(controllers.iter().map(|block| (call, *block)));
        self.callers.insert(call);
    }

    /// Whether an event writes a needed value, or decides about a needed event. The value is not needed before it.
    fn is_needed(&mut self, at: usize) -> bool {
        let event = self.events[at];
        let call = self.calls.of_event[at];
        match &event.kind {
            EventKind::Assigned(target, value, cause) => {
                let mut is_needed = false;
                if let (Some(Value::Ptr(pointer)), Cause::Allocation) = (value, cause) {
                    is_needed |= self.needed.remove(&Cell::Object(pointer.object));
                }
                is_needed |= self.writes(call, target, value.as_ref());
                if is_needed && *cause == Cause::Result {
                    self.need_results(at);
                }
                is_needed
            }
            EventKind::Freed(pointer) => self.needed.contains(&Cell::Object(pointer.object)),
            EventKind::Entered(_) => self.branches.remove(&(call, event.site.block)),
            EventKind::Called(callee, _) | EventKind::UnknownCall(callee, _) => {
                let Some(&inner) = self.calls.begins.get(&at) else { return false };
                let parameters = self.module.procedure(*callee).locals_with(Mode::Parameter);
                let passed: Vec<Cell> = parameters.map(|id| Cell::Local(inner, id)).collect();
                let mut is_needed = self.callers.remove(&inner);
                for cell in &passed {
                    is_needed |= self.needed.remove(cell);
                }
                is_needed
            }
            EventKind::Returned(_) | EventKind::Threw(..) => false,
        }
    }

    fn writes(&mut self, call: usize, target: &interpret::Target, value: Option<&Value>) -> bool {
        match (target.variable, &target.path[..]) {
            (Variable::Local(id), []) => self.needed.remove(&Cell::Local(call, id)),
            (Variable::Local(id), _) => self.needed.contains(&Cell::Local(call, id)),
            (Variable::Global(_), [Step::View(pointer, _)]) => {
                let mut is_needed = false;
                for offset in pointer.offset..pointer.offset.saturating_add(bytes_of(value)) {
                    is_needed |= self.needed.remove(&Cell::Byte(pointer.object, offset));
                }
                is_needed
            }
            (Variable::Global(id), [Step::Index(key)]) => {
                self.needed.remove(&Cell::Entry(id, key.iter().cloned().collect()))
            }
            (Variable::Global(id), _) => match self.module.global(id).ty {
                ir::Type::Bytes => self.needed.iter().any(|cell| matches!(cell, Cell::Byte(..))),
                ir::Type::Map(..) => self
                    .needed
                    .iter()
                    .any(|cell| matches!(cell, Cell::Entry(other, _) if *other == id)),
                _ => self.needed.remove(&Cell::Global(id)),
            },
        }
    }

    /// A variable that gets the result of a call depends on the result variables of the callee.
    fn need_results(&mut self, at: usize) {
        let (call, site) = (self.calls.of_event[at], self.events[at].site);
        let begun = self.calls.begins.range(..at).rev().find(|(event, _)| {
            self.calls.of_event[**event] == call && self.events[**event].site == site
        });
        let Some((_, &inner)) = begun else { return };
        let callee = self.module.procedure(self.calls.procedures[inner]);
        let results = callee.locals_with(Mode::Result);
        self.needed.extend(results.map(|id| Cell::Local(inner, id)));
    }
}

/// The number of bytes that a value takes in memory.
pub(crate) fn bytes_of(value: Option<&Value>) -> i64 {
    match value {
        Some(Value::Bv(word)) => i64::from(word.width().div_ceil(8)),
        _ => i64::from(ir::ADDRESS_BITS / 8),
    }
}
