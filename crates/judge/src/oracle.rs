//! The oracle of a judged run: it says what the witness says, and completes what the witness leaves open.
//!
//! A completion is a decision among a few values of the type: a pointer of the caller leads to an
//! object of its own or is null, a number is zero, one or minus one, a static variable holds what it
//! held at the start, a function whose failure nobody expects succeeds. Decisions are numbered, so
//! that a list of choices is a run; `search.rs` tries the alternatives.
//!
//! Functions that a property file declares to move states are never followed: the declaration is their
//! meaning. All others are, if they have a body.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use interpret::{
    Answers, Bytes, CallAnswer, CallQuestion, Found, Kind, MapValue, MemoryQuestion, NewObject,
    Oracle, Outcome, Pointer, Question, Said, Site, Value, Wanted,
};
use ir::address::ENVIRONMENT;
use ir::{
    AssertKind, Content, Expr, ExprId, FunctionId, HavocReason, Module, PointId, ProcedureId,
    SortId, StatementKind, Storage, Type, Variable,
};
use property::{Allocator, Declared, Index, Moved, To};

use crate::observe::{Fit, Observer, Sight, subject, target};
use crate::witness::{Answer, Scalar, Witness, word};

/// A caller's pointer points so far into its object, so that there is something before it.
pub const BEFORE: i64 = 1 << 20;

/// The size of objects of which nobody knows the size.
pub const ROOM: u64 = 1 << 24;

/// So many of the caller's objects are made up before pointers are null first: lists have an end.
const MOST_FOUND: usize = 6;

/// So many constants of a procedure are tried where it reads a number that nobody has described.
const MOST_CONSTANTS: usize = 6;

/// What functions without body allocate is numbered from here on.
const MADE: u64 = ENVIRONMENT + (1 << 21);

/// The caller's objects that are made up are numbered from here on.
const FOUND: u64 = ENVIRONMENT + (1 << 20);

/// A choice among values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// How many there are.
    pub options: usize,
    /// Which was chosen, from zero.
    pub chosen: usize,
}

/// An answer of a function without body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// The function's name.
    pub callee: String,
    /// The call of the entry procedure in which it happened.
    pub point: PointId,
    /// What it returned.
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
    answers: BTreeMap<(PointId, u32), &'o Answer>,
    opened: BTreeMap<(PointId, u32), Scalar>,
    pub(crate) observer: Observer<'o>,
    /// What is said at places of the program, if the witness says it so; and how often they were asked
    /// about.
    pub(crate) said: Option<&'o Answers>,
    times: BTreeMap<(Kind, Site), u32>,
    /// The choices made so far; those that were given come first.
    pub(crate) decisions: Vec<Decision>,
    next: usize,
    /// The answers given so far, and those that are to be others: by number.
    pub(crate) told: Vec<Told>,
    /// Whether the allocations so far failed.
    pub(crate) failed: Vec<bool>,
    pub(crate) changed: Option<(usize, Scalar)>,
    /// How often each point of the entry procedure was passed by a call or an unknown value.
    visits: BTreeMap<PointId, u32>,
    /// The call that the entry procedure is in: its point, how often it was there before, and whom it calls.
    current: Option<(PointId, u32, ProcedureId)>,
    /// How much of the path was taken.
    taken: usize,
    /// Objects of the witness that the run made under other numbers.
    renamed: BTreeMap<u64, u64>,
    /// The constants that procedures mention.
    constants: BTreeMap<ProcedureId, Vec<i64>>,
    found: u64,
    made: u64,
    /// Numbers that functions returned for open files and the like.
    numbers: u64,
}

impl<'o> Completing<'o> {
    pub(crate) fn new(
        (module, entry): (&'o Module, ProcedureId),
        index: &'o Index,
        witness: &'o Witness,
        decisions: Vec<Decision>,
    ) -> Completing<'o> {
        let statics = module.objects.len() as u64;
        Completing {
            module,
            entry,
            index,
            witness,
            answers: witness.answers.iter().map(|(key, answer)| (*key, answer)).collect(),
            opened: witness.opened.iter().copied().collect(),
            observer: Observer::new(index, statics, &witness.states),
            said: None,
            times: BTreeMap::new(),
            decisions,
            next: 0,
            told: Vec::new(),
            failed: Vec::new(),
            changed: None,
            visits: BTreeMap::new(),
            current: None,
            taken: 0,
            renamed: BTreeMap::new(),
            constants: BTreeMap::new(),
            found: 0,
            made: 0,
            numbers: 100,
        }
    }

    /// Chooses among so many options: as was decided, else the first.
    fn decide(&mut self, options: usize) -> usize {
        let number = self.next;
        self.next += 1;
        if number == self.decisions.len() {
            self.decisions.push(Decision { options, chosen: 0 });
        }
        self.decisions[number].chosen.min(options - 1)
    }

    /// What is said at a place.
    fn said(&mut self, kind: Kind, site: Site) -> Option<&'o Said> {
        let said = self.said?;
        let time = self.times.entry((kind, site)).or_insert(0);
        let number = std::mem::replace(time, *time + 1);
        said.get(kind, site, number)
    }

    /// The call of the entry procedure that is under way, or was last.
    pub(crate) fn current_point(&self) -> Option<PointId> {
        self.current.map(|(point, ..)| point)
    }

    /// A value of the witness, in terms of the run: objects that the run makes have other numbers.
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
                To::Error(rule) => Some((step.from, rule.clone())),
                To::State(_) | To::Nowhere => None,
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

    /// The point of the entry procedure at which the run is.
    fn point(&self, root: Site) -> PointId {
        root.point(self.module).unwrap_or(PointId(0))
    }

    /// What the witness says of the call that the entry procedure is in, if that is a call of this function.
    fn answer(&self, callee: &str) -> Option<&'o Answer> {
        let (point, occurrence, called) = self.current?;
        let answer = self.answers.get(&(point, occurrence)).copied()?;
        (self.name(called) == callee).then_some(answer)
    }

    /// A value of the witness, in terms of the run.
    fn renamed(&self, scalar: Scalar) -> Scalar {
        match scalar {
            Scalar::Pointer(object, offset) => {
                Scalar::Pointer(self.renamed.get(&object).copied().unwrap_or(object), offset)
            }
            Scalar::Bool(_) | Scalar::Word(..) => scalar,
        }
    }

    /// A new object of the caller.
    fn new_object(&mut self) -> NewObject {
        self.found += 1;
        NewObject::new(ROOM, Storage::Heap).numbered(FOUND + self.found)
    }

    /// A value of a type that nobody has said anything about; `None` if the type has no such values.
    fn complete(&mut self, ty: &Type, site: Site) -> Option<Found> {
        let only = |value: Value| Some(Found { value, object: None });
        match ty {
            Type::Bool => {
                let chosen = self.decide(2);
                only(Value::Bool(chosen == 1))
            }
            Type::Bv(width) => {
                let mut values = vec![0, 1, u128::MAX];
                values.extend(self.compared(site.procedure, *width));
                let chosen = self.decide(values.len());
                only(Value::Bv(word(*width, values[chosen])))
            }
            Type::Ptr => {
                let is_late = self.found as usize >= MOST_FOUND;
                let chosen = self.decide(2);
                if (chosen == 0) == is_late {
                    return only(Value::Ptr(Pointer::NULL));
                }
                let object = self.new_object();
                let number = object.number.unwrap_or(0);
                let value = Value::Ptr(Pointer { object: number, offset: BEFORE });
                Some(Found { value, object: Some(object) })
            }
            Type::Int
            | Type::Sort(_)
            | Type::Map(..)
            | Type::Seq(_)
            | Type::Record(_)
            | Type::Variant(_)
            | Type::Bytes => only(Value::default_of(ty, self.module)),
        }
    }

    /// The constants that a procedure mentions and that a word of some width can be: what it is likely to
    /// be compared with.
    fn compared(&mut self, id: ProcedureId, width: u32) -> Vec<u128> {
        let exprs = &self.module.procedure(id).exprs;
        let known = self.constants.entry(id).or_insert_with(|| {
            let mut values = BTreeSet::new();
            for number in 0..exprs.len() as u32 {
                if let Expr::Bv(of, value) = exprs.get(ExprId(number))
                    && (8..=64).contains(of)
                    && let Ok(value) = i64::try_from(value)
                {
                    values.insert(value);
                }
            }
            values.into_iter().filter(|value| !(-1..=1).contains(value)).collect()
        });
        let fits = |value: &i64| width >= 64 || value.unsigned_abs() < 1 << width;
        known.iter().filter(|value| fits(value)).take(MOST_CONSTANTS).map(|v| *v as u128).collect()
    }

    /// What a static variable holds when the program starts, if that is known.
    fn initial(&self, at: Pointer, ty: &Type) -> Option<Value> {
        let position = usize::try_from(at.object).ok()?.checked_sub(1)?;
        let contents = self.module.objects.get(position)?.contents.as_ref()?;
        let start = u64::try_from(at.offset).ok()?;
        let size = interpret::view_size(ty)?;
        let mut bytes = vec![0; size as usize];
        for (offset, part) in contents {
            let address;
            let part: &[u8] = match part {
                Content::Bytes(bytes) => bytes,
                Content::Address(to, distance) => {
                    let object = self.module.object_at(*to)? as u64 + 1;
                    address = Pointer { object, offset: *distance }.address().to_le_bytes();
                    &address
                }
            };
            for (place, byte) in (*offset..).zip(part) {
                if let Some(place) = place.checked_sub(start).filter(|place| *place < size) {
                    bytes[place as usize] = *byte;
                }
            }
        }
        Some(match ty {
            Type::Ptr => Value::Ptr(Pointer::at(u64::from_le_bytes(bytes.try_into().ok()?))),
            _ => Value::Bv(interpret::Word::from_bytes(8 * size as u32, &bytes)),
        })
    }

    fn memory_of(question: &CallQuestion<'_>) -> Option<Bytes> {
        match question.globals.first() {
            Some(Some(Value::Bytes(memory))) => Some(memory.clone()),
            _ => None,
        }
    }

    /// What a call without a body writes, allocates and returns, as the witness has it.
    fn apply(&mut self, answer: &Answer, said: &mut CallAnswer) -> Bytes {
        let mut written = Bytes::default();
        for number in &answer.allocates {
            self.make(Some(*number), ROOM, said);
        }
        for (object, offset, bytes) in &answer.writes {
            let object = self.renamed.get(object).copied().unwrap_or(*object);
            let moved: Option<[u8; 8]> = bytes.as_slice().try_into().ok();
            let moved = moved.map(|word| {
                let Pointer { object, offset } = Pointer::at(u64::from_le_bytes(word));
                let object = self.renamed.get(&object).copied().unwrap_or(object);
                Pointer { object, offset }.address().to_le_bytes()
            });
            match moved {
                Some(word) => written.write(object, *offset, &word),
                None => written.write(object, *offset, bytes),
            }
        }
        written
    }

    /// Makes an object on behalf of a function without body.
    fn make(&mut self, known: Option<u64>, size: u64, said: &mut CallAnswer) -> u64 {
        self.made += 1;
        let number = MADE + self.made;
        if let Some(known) = known {
            self.renamed.insert(known, number);
        }
        self.observer.made.insert(number);
        said.allocates.push(NewObject::new(size, Storage::Heap).numbered(number));
        number
    }

    /// The size that an allocator is asked for.
    fn size(allocator: &Allocator, question: &CallQuestion<'_>) -> u64 {
        let sizes = allocator.sizes.iter().filter_map(|n| question.arguments.get(*n as usize));
        let mut sizes = sizes.filter_map(|value| match value {
            Value::Bv(word) => word.small(),
            _ => None,
        });
        let first = sizes.next();
        let size = first.map(|first| sizes.fold(first, u64::saturating_mul));
        size.unwrap_or(ROOM).min(ROOM)
    }

    /// An allocator that has no body allocates, or fails.
    fn allocate(
        &mut self,
        allocator: &Allocator,
        question: &CallQuestion<'_>,
        answer: Option<&Answer>,
        said: &mut CallAnswer,
        written: &mut Bytes,
    ) -> Option<Value> {
        let ty = question.results.first();
        let known = answer.and_then(|answer| answer.allocates.first().copied());
        let fails = match answer.and_then(|answer| answer.result) {
            _ if allocator.never_fails => false,
            Some(Scalar::Pointer(object, _)) => object == 0,
            Some(Scalar::Word(_, bits)) => bits != 0,
            Some(Scalar::Bool(_)) => false,
            None => self.decide(2) == 1,
        };
        if fails {
            return match ty {
                Some(Type::Ptr) => Some(Value::Ptr(Pointer::NULL)),
                Some(Type::Bv(width)) => Some(Value::Bv(word(*width, u128::MAX))),
                Some(_) | None => None,
            };
        }
        // An answer of the witness has made its objects already.
        let number = match known.and_then(|known| self.renamed.get(&known).copied()) {
            Some(number) => number,
            None => self.make(None, Self::size(allocator, question), said),
        };
        let new = Pointer::to(number);
        if let Some(replaced) = allocator.replaces
            && let Some(old) = question.arguments.get(replaced as usize).and_then(target)
        {
            said.frees.push(old);
            self.observer.release(old);
        }
        if let Some(owner) = allocator.owner
            && question.arguments.get(owner as usize).and_then(target).is_some()
        {
            self.observer.release(number);
        }
        match (allocator.through, ty) {
            (Some(through), ty) => {
                if let Some(Value::Ptr(to)) = question.arguments.get(through as usize)
                    && let (1.., Ok(offset)) = (to.object, u64::try_from(to.offset))
                {
                    written.write(to.object, offset, &new.address().to_le_bytes());
                }
                match ty {
                    Some(Type::Bv(width)) => Some(Value::Bv(word(*width, 0))),
                    Some(_) | None => None,
                }
            }
            (None, Some(Type::Ptr)) => Some(Value::Ptr(new)),
            (None, Some(Type::Bv(width))) => Some(Value::Bv(word(*width, new.address().into()))),
            (None, Some(_) | None) => None,
        }
    }

    /// Whether nobody looks at what a call returns.
    fn is_ignored(&self, site: Site) -> bool {
        let call = site.block(self.module).and_then(|block| {
            let statement = block.statements.get(site.statement as usize)?;
            match &statement.kind {
                StatementKind::Call { results, .. } => Some(results),
                StatementKind::Assign(_)
                | StatementKind::Havoc { .. }
                | StatementKind::Assume { .. }
                | StatementKind::Assert { .. }
                | StatementKind::Allocate { .. }
                | StatementKind::Free(_)
                | StatementKind::Unsupported { .. } => None,
            }
        });
        let Some(results) = call else { return false };
        let exprs = &self.module.procedure(site.procedure).exprs;
        results.iter().all(|place| match place.variable {
            Variable::Local(_) => {
                let is_read = |id| matches!(exprs.get(id), Expr::Read(of) if *of == place.variable);
                place.path.is_empty() && !(0..exprs.len() as u32).map(ExprId).any(is_read)
            }
            Variable::Global(_) => false,
        })
    }

    /// What an operation on states returns: what the witness says, else a result that moves the object.
    fn operated(
        &mut self,
        declared: &Declared,
        question: &CallQuestion<'_>,
        said: &mut CallAnswer,
    ) -> Option<Value> {
        let ty = question.results.first()?;
        let operations = declared.operations.clone();
        let machines = &self.index.properties().machines;
        let first =
            operations.first().map(|&(property, number)| &machines[property].operations[number]);
        if let (Some(operation), Type::Ptr) = (first, ty)
            && operation.object == Moved::Result
        {
            // A stream that nobody described is a new one.
            if self.decide(2) == 1 {
                return Some(Value::Ptr(Pointer::NULL));
            }
            return Some(Value::Ptr(Pointer::to(self.make(None, ROOM, said))));
        }
        let Type::Bv(width) = ty else {
            return self.complete(ty, question.site).map(|found| {
                said.allocates.extend(found.object);
                found.value
            });
        };
        if first.is_some_and(|operation| operation.object == Moved::Result) {
            if self.decide(2) == 1 {
                return Some(Value::Bv(word(*width, u128::MAX)));
            }
            self.numbers += 1;
            return Some(Value::Bv(word(*width, self.numbers.into())));
        }
        let results = first.map_or(&[][..], |operation| &operation.results);
        let given: Vec<u128> = match results {
            [] => vec![0, 1, u128::MAX],
            results => results.iter().map(|result| *result as u128).collect(),
        };
        let mut values: Vec<(Fit, usize, Value)> = Vec::new();
        for (place, bits) in given.into_iter().enumerate() {
            let value = Value::Bv(word(*width, bits));
            let fit = operations.iter().map(|&(property, number)| {
                let moved = match machines[property].operations[number].object {
                    Moved::Argument(argument) => question.arguments.get(argument as usize),
                    Moved::Result => None,
                };
                let of = moved.and_then(subject);
                self.observer.fits((property, number), of, Some(&value))
            });
            let fit = fit.max().unwrap_or(Fit::Stays);
            values.push((fit, place, value));
        }
        values.retain(|(fit, ..)| *fit != Fit::Never);
        // Whoever does not look whether an operation has failed expects it to succeed.
        if values.iter().any(|(fit, ..)| *fit == Fit::Moves) && self.is_ignored(question.site) {
            values.retain(|(fit, ..)| *fit == Fit::Moves);
        }
        values.sort_by_key(|(fit, place, _)| (*fit, *place));
        if values.is_empty() {
            return Some(Value::Bv(word(*width, 0)));
        }
        let chosen = self.decide(values.len());
        Some(values.swap_remove(chosen).2)
    }
}

impl Oracle for Completing<'_> {
    fn value(&mut self, question: &Question<'_>) -> Option<Value> {
        match question.wanted {
            Wanted::Havoc(_, reason) => {
                if let Some(Said::Havoc(value)) = self.said(Kind::Havoc, question.site) {
                    return Some(self.in_run(value));
                }
                let own = question.site.point(self.module);
                let own = own.filter(|_| question.site.procedure == self.entry);
                let known = own.and_then(|point| {
                    let visit = self.visits.entry(point).or_insert(0);
                    let occurrence = std::mem::replace(visit, *visit + 1);
                    self.opened.get(&(point, occurrence)).copied()
                });
                let known = known.and_then(|known| self.renamed(known).value(question.ty));
                // A value that nobody has modelled is not made up.
                known.or_else(|| match question.ty {
                    _ if reason == HavocReason::Unmodelled => None,
                    // A new object cannot be made here.
                    Type::Ptr => Some(Value::Ptr(Pointer::NULL)),
                    ty => self.complete(ty, question.site).map(|found| found.value),
                })
            }
            Wanted::Function(..) | Wanted::Entry(..) => {
                Some(Value::default_of(question.ty, question.module))
            }
            Wanted::Input(_) => None,
        }
    }

    fn choose(&mut self, _: Site, ways: usize) -> Option<usize> {
        Some(self.decide(ways))
    }

    fn individual(&mut self, _: Site, _: SortId, is_fresh: &dyn Fn(u64) -> bool) -> Option<u64> {
        (1..).find(|number| is_fresh(*number))
    }

    fn fails(&mut self, site: Site, _: u64) -> Option<bool> {
        let said = match self.said(Kind::Fails, site) {
            Some(Said::Fails(fails)) => Some(*fails),
            Some(Said::Havoc(_) | Said::Call(_) | Said::Object(_)) | None => None,
        };
        // The entry procedure may have called the allocator itself; then the witness says what came of it.
        let witnessed = self.current.and_then(|(point, occurrence, _)| {
            match self.answers.get(&(point, occurrence))?.result? {
                Scalar::Pointer(object, _) => Some(object == 0),
                Scalar::Bool(_) | Scalar::Word(..) => None,
            }
        });
        let fails = said.or(witnessed).unwrap_or_else(|| self.decide(2) == 1);
        self.failed.push(fails);
        Some(fails)
    }

    fn called(&mut self, site: Site, depth: usize, callee: ProcedureId) {
        if depth == 0 {
            let point = self.point(site);
            let visit = self.visits.entry(point).or_insert(0);
            let occurrence = std::mem::replace(visit, *visit + 1);
            self.current = Some((point, occurrence, callee));
        }
    }

    fn branched(&mut self, site: Site, depth: usize, taken: bool) -> bool {
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

    fn allocated(&mut self, object: u64, site: Site, root: Site) {
        if let Some(Said::Object(known)) = self.said(Kind::Object, site) {
            self.renamed.insert(*known, object);
        }
        let is_call = site != root || self.observer.made.contains(&object);
        if !is_call {
            return;
        }
        let point = self.point(root);
        let Some((_, occurrence, called)) = self.current else { return };
        if let Some(answer) = self.answers.get(&(point, occurrence))
            && let [known] = answer.allocates[..]
        {
            self.renamed.entry(known).or_insert(object);
        }
        let callee = self.name(called).to_owned();
        self.observer.allocated(point, &callee, object);
    }

    fn completes(&self) -> bool {
        true
    }

    fn memory(&mut self, question: &MemoryQuestion<'_>) -> Option<Found> {
        if self.observer.made.contains(&question.at.object) {
            return None;
        }
        if question.at.object < ENVIRONMENT
            && let Some(initial) = self.initial(question.at, question.ty)
        {
            return match self.decide(2) {
                0 => Some(Found { value: initial, object: None }),
                _ => self.complete(question.ty, question.site),
            };
        }
        self.complete(question.ty, question.site)
    }

    fn call(&mut self, question: &CallQuestion<'_>) -> Option<CallAnswer> {
        let name = self.name(question.callee).to_owned();
        let point = self.point(question.root);
        let memory = Self::memory_of(question);
        let mut said = CallAnswer::default();
        let mut written = Bytes::default();
        let answer = self.answer(&name);
        if let Some(answer) = answer {
            written = self.apply(answer, &mut said);
        }
        let given = answer.and_then(|answer| answer.result);
        let ty = question.results.first();
        let given = ty.and_then(|ty| self.renamed(given?).value(ty));
        let fixed = match self.said(Kind::Call, question.site) {
            Some(Said::Call(answer)) => Some(answer),
            Some(Said::Havoc(_) | Said::Fails(_) | Said::Object(_)) | None => None,
        };
        let fixed_result = fixed.and_then(|answer| answer.results.first());
        let given = fixed_result.map(|value| self.in_run(value)).or(given);
        if let Some(fixed) = fixed {
            said.allocates.extend(fixed.allocates.iter().cloned());
            said.frees.extend(&fixed.frees);
        }
        let index = self.index;
        let declared = index.declared(&name);
        let mut result = given;
        // What the proposal says of a function may be more than the function can do.
        if result.is_some() && fixed.is_none() && self.decide(2) == 1 {
            result = None;
        }
        if let Some(declared) = declared {
            let allocator = declared.allocator.map(|n| &index.properties().allocators[n]);
            if let (Some(allocator), true) =
                (allocator, declared.operations.is_empty() && fixed.is_none())
            {
                result = self.allocate(allocator, question, answer, &mut said, &mut written);
            } else if let Some(argument) = declared.identity {
                let passed = question.arguments.get(argument as usize);
                result = passed.zip(ty).and_then(|(value, ty)| same_address(value, ty)).or(result);
            } else if result.is_none() && !declared.operations.is_empty() {
                result = self.operated(declared, question, &mut said);
            }
            for argument in &declared.releases {
                if let Some(object) = question.arguments.get(*argument as usize).and_then(target) {
                    self.observer.release(object);
                }
            }
            for argument in &declared.frees {
                let freed = question.arguments.get(*argument as usize).and_then(target);
                said.frees.extend(freed);
            }
        }
        if let (None, Some(ty)) = (&result, ty) {
            let found = self.complete(ty, question.site)?;
            said.allocates.extend(found.object);
            result = Some(found.value);
        }
        let number = self.told.len();
        if let (Some((changed, scalar)), Some(ty)) = (self.changed, ty)
            && changed == number
        {
            result = scalar.value(ty).or(result);
        }
        if let Some(declared) = declared {
            for operation in &declared.operations {
                let result = result.as_ref();
                self.observer.operate(point, &name, *operation, question.arguments, result);
            }
        }
        let contract = &question.module.procedure(question.callee).contract;
        let only_looks = contract.modifies.as_ref().is_some_and(Vec::is_empty);
        if declared.is_none() && !only_looks {
            self.observer.escape(question.arguments, memory.as_ref(), question.objects);
        }
        self.told.push(Told {
            callee: name,
            point,
            result: result.as_ref().and_then(Scalar::of),
            is_declared: declared.is_some(),
        });
        if self.observer.is_infeasible {
            return None;
        }
        let position = question.places.iter().position(|place| *place == Type::Bytes);
        if let Some(position) = position {
            said.writes.push((position, Value::Bytes(written)));
        }
        said.writes.extend(fixed.into_iter().flat_map(|fixed| {
            fixed.writes.iter().map(|(place, value)| (*place, self.in_run(value)))
        }));
        said.results.extend(result);
        Some(said)
    }

    fn individuals(&self, _: SortId) -> Option<Arc<Vec<u64>>> {
        None
    }

    fn table(&self, _: &Module, _: FunctionId) -> Option<Arc<MapValue>> {
        None
    }

    /// What is declared to move states is not followed, unless it is a model that leads there.
    fn follows(&self, _: Site, _: usize, callee: ProcedureId) -> bool {
        let procedure = self.module.procedure(callee);
        let is_model = procedure.span.start == procedure.span.end;
        let declared = self.index.declared(self.name(callee));
        is_model || declared.is_none_or(|declared| declared.operations.is_empty())
    }
}

/// A pointer or number as another type, if it has the same address.
fn same_address(value: &Value, ty: &Type) -> Option<Value> {
    match (value, ty) {
        (Value::Ptr(_), Type::Ptr) => Some(value.clone()),
        (Value::Ptr(pointer), Type::Bv(width)) => {
            Some(Value::Bv(word(*width, pointer.address().into())))
        }
        (Value::Bv(word), Type::Ptr) => Some(Value::Ptr(Pointer::at(word.small()?))),
        (Value::Bv(word), Type::Bv(width)) if word.width() == *width => Some(value.clone()),
        _ => None,
    }
}
