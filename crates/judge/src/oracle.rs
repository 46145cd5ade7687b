//! The oracle of a judged execution: it follows the witness, and completes what the witness leaves open.
//!
//! A completion is a choice among a few values of the type: a pointer of the caller leads to an object of its own
//! or is null, a number is zero, one or minus one, a static variable holds its initial value, a function whose
//! failure is not expected succeeds. Choices are numbered, so that a list of choices determines an execution;
//! `search.rs` tries the alternatives.
//!
//! The body of a function that a property file declares to move states is never run: the declaration is its
//! meaning. The bodies of all others are, if they have one.
//!
//! `oracle/values.rs` completes values, `oracle/calls.rs` decides on calls of functions without a body.

mod calls;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use interpret::{
    CallResult, Completion, DecisionKind, MapValue, MemoryRequest, OpenValue, Oracle, Outcome,
    Pointer, Site, SiteDecision, SiteDecisions, UnknownCall, Value, ValueRequest,
};
use ir::address::ENVIRONMENT;
use ir::{
    AssertKind, FunctionId, HavocReason, Module, Op, PointId, ProcedureId, SortId, StatementKind,
    Type,
};
use property::{Index, NextState};

use crate::course::Course;
use crate::observe::{Observer, Sight};
use crate::record::Notes;
use crate::witness::{Scalar, Witness, WitnessCall};

/// A caller's pointer points so far into its object, so that there is something before it.
pub const BEFORE: i64 = 1 << 20;

/// The size of objects of unknown size.
pub const ROOM: u64 = 1 << 24;

/// Objects that functions without body allocate are numbered from here on.
const MADE: u64 = ENVIRONMENT + (1 << 21);

/// Objects of the caller that the completion creates are numbered from here on.
pub(crate) const FOUND: u64 = ENVIRONMENT + (1 << 20);

/// A choice among values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// How many there are.
    pub options: usize,
    /// The option that was chosen, from zero.
    pub chosen: usize,
    /// A value that is set instead of those.
    pub instead: Option<Scalar>,
}

impl Choice {
    /// One of several options.
    pub fn among(options: usize, chosen: usize) -> Choice {
        Choice { options, chosen, instead: None }
    }
}

/// An answer of a function without body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObservedCall {
    /// The function's name.
    pub callee: String,
    /// The call of the entry procedure in which it happened.
    pub point: PointId,
    /// The result.
    pub result: Option<Scalar>,
    /// Whether a property file declares what it does.
    pub is_declared: bool,
}

pub(crate) struct Completing<'o> {
    module: &'o Module,
    /// The entry procedure.
    entry: ProcedureId,
    index: &'o Index,
    witness: &'o Witness,
    calls: BTreeMap<(PointId, u32), &'o WitnessCall>,
    opened: BTreeMap<(PointId, u32), Scalar>,
    pub(crate) observer: Observer<'o>,
    /// The decisions at places of the program, if the witness has them in this form; and how often each place was
    /// requested.
    pub(crate) said: Option<&'o SiteDecisions>,
    times: BTreeMap<(DecisionKind, Site), u32>,
    /// The choices made so far; those that were given come first.
    pub(crate) decisions: Vec<Choice>,
    next: usize,
    /// The answers given so far, and those that are to be others: by number.
    pub(crate) observed: Vec<ObservedCall>,
    /// The caller's objects that hold a text, where it starts, and which: a literal of the program, or a long one.
    texts: BTreeMap<u64, (i64, Option<&'o [u8]>)>,
    /// The words among the literals of the program, computed on demand.
    words: Option<Vec<&'o [u8]>>,
    /// Whether the allocations so far failed.
    pub(crate) failed: Vec<bool>,
    pub(crate) changed: Option<(usize, Scalar)>,
    /// How often each point of the entry procedure was passed by a call or an unknown value.
    visits: BTreeMap<PointId, u32>,
    /// The call that the entry procedure is in: its point, how often it was there before, and whom it calls.
    current: Option<(PointId, u32, ProcedureId)>,
    /// How much of the path was taken.
    taken: usize,
    /// Objects of the witness that the execution made under other numbers.
    renamed: BTreeMap<u64, u64>,
    /// The constants that procedures mention.
    constants: BTreeMap<ProcedureId, Vec<i64>>,
    found: u64,
    made: u64,
    /// The execution's own objects that functions without body have set.
    opens: BTreeSet<u64>,
    /// Numbers that functions returned for open files and the like.
    numbers: u64,
    /// The notes for a record of the execution, if there is to be one.
    pub(crate) notes: Option<Notes>,
    /// The notes for a directed search, if this is one.
    pub(crate) course: Option<Course>,
}

impl<'o> Completing<'o> {
    pub(crate) fn new(
        (module, entry): (&'o Module, ProcedureId),
        index: &'o Index,
        witness: &'o Witness,
        decisions: Vec<Choice>,
    ) -> Completing<'o> {
        let statics = module.objects.len() as u64;
        Completing {
            module,
            entry,
            index,
            witness,
            calls: witness.calls.iter().map(|(key, call)| (*key, call)).collect(),
            opened: witness.opened.iter().copied().collect(),
            observer: Observer::new(index, statics, &witness.states),
            said: None,
            times: BTreeMap::new(),
            decisions,
            next: 0,
            observed: Vec::new(),
            texts: BTreeMap::new(),
            words: None,
            failed: Vec::new(),
            changed: None,
            visits: BTreeMap::new(),
            current: None,
            taken: 0,
            renamed: BTreeMap::new(),
            constants: BTreeMap::new(),
            found: 0,
            made: 0,
            opens: BTreeSet::new(),
            numbers: 100,
            notes: None,
            course: None,
        }
    }

    /// Chooses among a number of options: the given choice, else the first option.
    fn decide(&mut self, options: usize) -> usize {
        let number = self.next;
        self.next += 1;
        if number == self.decisions.len() {
            self.decisions.push(Choice::among(options, 0));
        }
        self.decisions[number].chosen.min(options - 1)
    }

    /// The value that is set instead of the options of the next decision, if it has the type.
    fn set_instead(&mut self, ty: &Type) -> Option<Value> {
        let value = self.decisions.get(self.next)?.instead?.value(ty)?;
        self.next += 1;
        self.chose(&value);
        Some(value)
    }

    /// Notes the value that the last decision led to.
    fn chose(&mut self, value: &Value) {
        let number = self.next - 1;
        if let (Some(course), Some(value)) = (&mut self.course, Scalar::of(value)) {
            course.chose(number, value);
        }
    }

    fn note(&mut self, note: impl FnOnce(&mut Notes)) {
        if let Some(notes) = &mut self.notes {
            note(notes);
        }
    }

    fn allocation_fails(&mut self, site: Site) -> bool {
        if let Some(SiteDecision::Fails(fails)) = self.said(DecisionKind::Fails, site) {
            return *fails;
        }
        // The entry procedure may have called the allocator itself; then the witness says what came of it.
        if let Some((point, occurrence, _)) = self.current
            && let Some(known) = self.calls.get(&(point, occurrence))
            && let Some(Scalar::Pointer(object, _)) = known.result
        {
            return object == 0;
        }
        self.decide(2) == 1
    }

    /// The decision at a place.
    fn said(&mut self, kind: DecisionKind, site: Site) -> Option<&'o SiteDecision> {
        let said = self.said?;
        let time = self.times.entry((kind, site)).or_insert(0);
        let number = std::mem::replace(time, *time + 1);
        said.get(kind, site, number)
    }

    /// The present or last call of the entry procedure.
    pub(crate) fn current_point(&self) -> Option<PointId> {
        self.current.map(|(point, ..)| point)
    }

    /// A value of the witness, in terms of the execution: objects that the execution makes have other numbers.
    fn in_run(&self, value: &Value) -> Value {
        let moved = |pointer: Pointer| {
            let object = self.renamed.get(&pointer.object).copied().unwrap_or(pointer.object);
            Pointer { object, ..pointer }
        };
        match value {
            Value::Ptr(pointer) => Value::Ptr(moved(*pointer)),
            Value::Bytes(bytes) if !self.renamed.is_empty() => {
                let mut result = bytes.clone();
                for (object, offset, pointer) in bytes.pointers() {
                    if offset % 8 == 0 && self.renamed.contains_key(&pointer.object) {
                        result.write(object, offset, &moved(pointer).address().to_le_bytes());
                    }
                }
                Value::Bytes(result)
            }
            other => other.clone(),
        }
    }

    /// Notes that a library model refused an object that is closed already: its obligation says what
    /// the observer would have seen in the function that it is the model of.
    pub(crate) fn refused(&mut self, outcome: &Outcome) {
        let Outcome::Failed(failure) = outcome else { return };
        let is_gone = matches!(failure.kind, AssertKind::UseAfterFree | AssertKind::DoubleFree);
        let callee = self.name(failure.site.procedure);
        let Some(declared) = self.index.declared(callee).filter(|_| is_gone) else { return };
        let Some((point, ..)) = self.current else { return };
        let index = self.index;
        for &(property, number) in &declared.operations {
            let machine = &index.properties().machines[property];
            let error = machine.operations[number].moves.iter().find_map(|step| match &step.to {
                NextState::Error(rule) => Some((step.from, rule.clone())),
                NextState::State(_) | NextState::Impossible => None,
            });
            let last = self.observer.seen.iter().rev().find_map(|seen| match seen.sight {
                Sight::Moved { property: of, subject, to, .. } if of == property => {
                    Some((subject, to))
                }
                _ => None,
            });
            if let (Some((from, rule)), Some((subject, state))) = (error, last)
                && from == state
            {
                let callee = callee.to_owned();
                self.observer.see(point, Sight::Error { callee, property, subject, from, rule });
            }
        }
    }

    fn name(&self, id: ProcedureId) -> &'o str {
        let procedure = self.module.procedure(id);
        procedure.display.as_deref().unwrap_or(&procedure.name)
    }

    /// The point of the entry procedure at which the execution is.
    fn point(&self, root: Site) -> PointId {
        root.point(self.module).unwrap_or(PointId(0))
    }

    /// The effects in the witness of the present call of the entry procedure, if that is a call of this function.
    fn witness_call(&self, callee: &str) -> Option<&'o WitnessCall> {
        let (point, occurrence, called) = self.current?;
        let call = self.calls.get(&(point, occurrence)).copied()?;
        (self.name(called) == callee).then_some(call)
    }

    /// A value of the witness, in terms of the execution.
    fn renamed(&self, scalar: Scalar) -> Scalar {
        match scalar {
            Scalar::Pointer(object, offset) => {
                Scalar::Pointer(self.renamed.get(&object).copied().unwrap_or(object), offset)
            }
            Scalar::Bool(_) | Scalar::Word(..) => scalar,
        }
    }
}

impl Oracle for Completing<'_> {
    fn value(&mut self, request: &ValueRequest<'_>) -> Option<Value> {
        match request.open {
            OpenValue::Havoc(_, reason) => {
                self.note(Notes::chosen);
                if let Some(SiteDecision::Havoc(value)) =
                    self.said(DecisionKind::Havoc, request.site)
                {
                    return Some(self.in_run(value));
                }
                let own = request.site.point(self.module);
                let own = own.filter(|_| request.site.procedure == self.entry);
                let known = own.and_then(|point| {
                    let visit = self.visits.entry(point).or_insert(0);
                    let occurrence = std::mem::replace(visit, *visit + 1);
                    self.opened.get(&(point, occurrence)).copied()
                });
                let known = known.and_then(|known| self.renamed(known).value(request.ty));
                // An unmodelled value is not completed.
                known.or_else(|| match request.ty {
                    _ if reason == HavocReason::Unmodelled => None,
                    // A new object cannot be made here.
                    Type::Ptr => Some(Value::Ptr(Pointer::NULL)),
                    ty => self.complete(ty, request.site).map(|found| found.value),
                })
            }
            OpenValue::Function(..) | OpenValue::Entry(..) => {
                Some(Value::default_of(request.ty, request.module))
            }
            OpenValue::Input(_) => None,
        }
    }

    fn choose(&mut self, _: Site, targets: usize) -> Option<usize> {
        self.note(Notes::chosen);
        Some(self.decide(targets))
    }

    fn atom(&mut self, _: Site, _: SortId, is_fresh: &dyn Fn(u64) -> bool) -> Option<u64> {
        (1..).find(|number| is_fresh(*number))
    }

    fn fails(&mut self, site: Site, _: u64) -> Option<bool> {
        let fails = self.allocation_fails(site);
        self.failed.push(fails);
        self.note(|notes| notes.failed(fails));
        Some(fails)
    }

    fn called(&mut self, site: Site, depth: usize, callee: ProcedureId) {
        self.observer.calls += 1;
        if self.module.procedure(callee).blocks.is_some() && self.executes_body(site, depth, callee)
        {
            self.note(|notes| notes.entered(callee));
        }
        if depth == 0 {
            let point = self.point(site);
            let visit = self.visits.entry(point).or_insert(0);
            let occurrence = std::mem::replace(visit, *visit + 1);
            self.current = Some((point, occurrence, callee));
        }
    }

    fn branched(&mut self, site: Site, depth: usize, taken: bool) -> bool {
        if let Some(course) = &mut self.course {
            course.branched(site, taken);
        }
        if depth > 0 {
            return true;
        }
        let point = self.point(site);
        self.observer.see(point, Sight::Branch(taken));
        let expected = self.witness.path.as_ref().and_then(|path| path.get(self.taken));
        match expected {
            Some((expected, side)) if *expected == point => {
                self.taken += 1;
                *side == taken
            }
            Some(_) | None => true,
        }
    }

    fn wants_comparisons(&self) -> bool {
        self.course.is_some()
    }

    fn compared(&mut self, site: Site, op: &Op, left: &Value, right: &Value) {
        if let (Some(course), Some(left), Some(right)) =
            (&mut self.course, Scalar::of(left), Scalar::of(right))
        {
            let is_obligation = is_obligation(self.module, site);
            course.compared(self.next, op, (left, right), is_obligation);
        }
    }

    fn allocated(&mut self, object: u64, site: Site, root: Site) {
        if let Some(SiteDecision::Object(known)) = self.said(DecisionKind::Object, site) {
            self.renamed.insert(*known, object);
        }
        let is_call = site != root || self.observer.made.contains(&object);
        if !is_call {
            return;
        }
        let point = self.point(root);
        let Some((_, occurrence, called)) = self.current else { return };
        if let Some(known) = self.calls.get(&(point, occurrence))
            && let [known] = known.allocates[..]
        {
            self.renamed.entry(known).or_insert(object);
        }
        let callee = self.name(called).to_owned();
        self.observer.allocated(point, &callee, object);
    }

    /// The caller's pointers lead into the middle of objects, so that there is something before them; they can be freed
    /// all the same.
    fn assumes_valid(&self, kind: AssertKind, pointer: Pointer) -> bool {
        let is_callers =
            pointer.object >= ENVIRONMENT && !self.observer.made.contains(&pointer.object);
        kind == AssertKind::InvalidFree && is_callers && pointer.offset == BEFORE
    }

    fn completes(&self) -> bool {
        true
    }

    fn memory(&mut self, request: &MemoryRequest<'_>) -> Option<Completion> {
        if self.opens.contains(&request.at.object) {
            // No stub on a machine knows that it has to set this.
            self.note(Notes::chosen);
        } else if self.observer.made.contains(&request.at.object) {
            return None;
        }
        let described = self.described(request.at, request.ty);
        let is_static = request.at.object < ENVIRONMENT;
        let initial = || self.initial(request.at, request.ty).filter(|_| is_static);
        if let Some(value) = described.or_else(initial) {
            if let Some(value) = self.set_instead(request.ty) {
                return Some(Completion { value, object: None });
            }
            if self.decide(2) == 1 {
                return self.complete(request.ty, request.site);
            }
            self.chose(&value);
            return Some(Completion { value, object: None });
        }
        match request.ty {
            Type::Bv(8) => self.complete_byte(request.at, request.site),
            ty => self.complete(ty, request.site),
        }
    }

    fn call(&mut self, request: &UnknownCall<'_>) -> Option<CallResult> {
        self.answer_call(request)
    }

    fn atoms(&self, _: SortId) -> Option<Arc<Vec<u64>>> {
        None
    }

    fn table(&self, _: &Module, _: FunctionId) -> Option<Arc<MapValue>> {
        None
    }

    /// A function that is declared to move states is not followed, unless it is a model that leads there.
    fn executes_body(&self, _: Site, _: usize, callee: ProcedureId) -> bool {
        let procedure = self.module.procedure(callee);
        let is_model = procedure.span.start == procedure.span.end;
        let declared = self.index.declared(self.name(callee));
        is_model || declared.is_none_or(|declared| declared.operations.is_empty())
    }
}

/// Whether what is executed at a place is an obligation or a promise: neither decides where the execution goes.
fn is_obligation(module: &Module, site: Site) -> bool {
    let statement =
        site.block(module).and_then(|block| block.statements.get(site.statement as usize));
    statement.is_some_and(|statement| match statement.kind {
        StatementKind::Assert { .. } | StatementKind::Assume { .. } => true,
        StatementKind::Assign(_)
        | StatementKind::Havoc { .. }
        | StatementKind::Allocate { .. }
        | StatementKind::Free(_)
        | StatementKind::Call { .. }
        | StatementKind::Unsupported { .. } => false,
    })
}
