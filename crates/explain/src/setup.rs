//! The setup of an execution over memory: what a witness says, in terms of a machine.
//!
//! Addresses of the model mean nothing on a machine, so every word that is the address of an object becomes a
//! reference to it. Of objects that have more room than anybody needs, the machine gets the part that pointers lead
//! to and the execution looks at.
//!
//! An execution comes from a model of a formula ([`setup_of_replay`]), or from a judge that has recorded one ([`setup()`]).

use std::collections::{BTreeMap, BTreeSet};

use interpret::{Bytes, Cause, Event, EventKind, Execution, NewObject, Pointer, Step, Value};
use ir::address::{ENVIRONMENT, NO_OBJECT};
use ir::{FormKind, LocalId, Mode, Module, ProcedureId, Type, Variable};
use report::Setup;
use report::setup::{
    Address, Argument, Block, Content, Datum, Passing, Piece, State, StubCall, Target,
};

use crate::blocks::{Blocks, ObjectName};
use crate::limits::{BYTES_AFTER, BYTES_BEFORE, PARTIAL_OBJECT, WHOLE_OBJECT};
use crate::writer::Replay;

/// An execution that was recorded, and all that it was given.
pub struct Recorded<'r> {
    /// The program that was run.
    pub module: &'r Module,
    /// The file that the procedure is in. The program's procedures and static objects begin with those of the file.
    pub file: &'r Module,
    /// The procedure.
    pub procedure: ProcedureId,
    /// The parameters and state variables at the start.
    pub inputs: &'r [(Variable, Value)],
    /// The objects of the environment.
    pub objects: &'r [NewObject],
    /// The states of objects at the start, by property.
    pub states: Vec<(String, Value, u32)>,
    /// The effects of callees whose bodies were not run, in order.
    pub replies: Vec<Reply<'r>>,
    /// Whether each of the allocations that could fail did, in order.
    pub fails: &'r [bool],
    /// The execution, with a trace.
    pub run: &'r Execution,
}

/// The effects of a callee whose body was not run.
pub struct Reply<'r> {
    /// The callee.
    pub callee: ProcedureId,
    /// The arguments.
    pub arguments: &'r [Value],
    /// The result, if any.
    pub result: Option<&'r Value>,
    /// The memory that it wrote.
    pub writes: Option<&'r Bytes>,
}

/// The setup of an execution that was recorded.
pub fn setup(recorded: &Recorded<'_>) -> Setup {
    let &Recorded { module, file, procedure, inputs, objects, fails, run, .. } = recorded;
    let blocks = Blocks::new(module, module.procedure(procedure), inputs, run);
    let mut maker = Maker::new(&blocks, file, objects);
    let calls = recorded.replies.iter().map(|reply| maker.call(reply)).collect();
    let states = recorded.states.iter().filter_map(|(property, object, state)| {
        let object = maker.datum_at_start(object)?;
        Some(State { property: property.clone(), object, state: *state })
    });
    let states = states.collect();
    let start = Setup { calls, states, ..Setup::default() };
    maker.setup(procedure, inputs, objects, fails.iter().copied(), start)
}

/// The decisions of a replayed execution, besides its inputs.
pub struct Given<'g> {
    /// The objects of the environment.
    pub objects: &'g [NewObject],
    /// Whether each of the allocations that could fail did, in order.
    pub fails: Vec<bool>,
    /// The memory that each call without a body wrote, in order.
    pub effects: Vec<Option<Bytes>>,
}

/// The setup of an execution that was replayed with a trace.
pub fn setup_of_replay(replay: &Replay<'_>, given: &Given<'_>) -> Setup {
    let &Replay { module, procedure, inputs, run, .. } = replay;
    let blocks = Blocks::new(module, module.procedure(procedure), inputs, run);
    let mut maker = Maker::new(&blocks, module, given.objects);
    let calls = maker.calls(&given.effects, run);
    let chosen = run.trace.events().any(is_chosen);
    let start = Setup { calls, chosen, ..Setup::default() };
    maker.setup(procedure, inputs, given.objects, given.fails.iter().copied(), start)
}

/// Whether an execution gets a value that neither memory nor a callee has.
fn is_chosen(event: &Event) -> bool {
    matches!(event.kind, EventKind::Assigned(_, Some(_), Cause::Havoc))
}

/// The effects of a stub after those of the unknown function.
#[derive(Default)]
struct Further {
    writes: Vec<(Address, Content)>,
    frees: Vec<Address>,
}

struct Maker<'m> {
    blocks: &'m Blocks<'m>,
    module: &'m Module,
    /// The file that is compiled.
    file: &'m Module,
    /// The objects of the environment.
    given: BTreeSet<u64>,
    /// The first and the last offset that anything leads to, by object of the environment.
    needed: BTreeMap<u64, (i64, i64)>,
    missing: Option<String>,
}

impl<'m> Maker<'m> {
    fn new(blocks: &'m Blocks<'m>, file: &'m Module, objects: &[NewObject]) -> Maker<'m> {
        let given = objects.iter().filter_map(|object| object.number).collect();
        let (module, needed) = (blocks.module, BTreeMap::new());
        Maker { blocks, module, file, given, needed, missing: None }
    }

    /// The setup: one that has answers and states, and what they need, with all the rest.
    fn setup(
        mut self,
        procedure: ProcedureId,
        inputs: &[(Variable, Value)],
        objects: &[NewObject],
        fails: impl Iterator<Item = bool>,
        start: Setup,
    ) -> Setup {
        let arguments = inputs.iter().filter_map(|(variable, value)| match variable {
            Variable::Local(id) => Some((*id, value)),
            Variable::Global(_) => None,
        });
        let arguments = arguments.map(|(id, value)| self.argument(procedure, id, value)).collect();
        let memory = inputs.iter().find_map(|(_, value)| match value {
            Value::Bytes(bytes) => Some(bytes.clone()),
            _ => None,
        });
        let mut content = self.contents(&memory.unwrap_or_default(), false);
        let variables = self.variables(&mut content);
        let failing = fails.enumerate().filter(|(_, fails)| *fails);
        let file = self.file.files.first().map(|file| file.path.clone());
        Setup {
            file: file.unwrap_or_default(),
            function: self.module.procedure(procedure).name.clone(),
            arguments,
            blocks: self.made(objects, content),
            variables,
            failing: failing.map(|(number, _)| number).collect(),
            missing: self.missing,
            ..start
        }
    }

    fn miss(&mut self, what: impl Into<String>) {
        self.missing.get_or_insert(what.into());
    }

    fn need(&mut self, object: u64, offset: i64) {
        let (first, last) = self.needed.entry(object).or_insert((offset, offset));
        (*first, *last) = ((*first).min(offset), (*last).max(offset));
    }

    fn argument(&mut self, procedure: ProcedureId, id: LocalId, value: &Value) -> Argument {
        let subject = self.module.procedure(procedure);
        let form = subject.form(id).map(|form| self.module.form(form));
        let kind = form.map(|form| &form.kind);
        let passing = match (&subject.local(id).ty, kind) {
            (Type::Ptr, Some(FormKind::Record(_))) => {
                let name = form.map(|form| form.name.clone()).unwrap_or_default();
                if name.is_empty() {
                    self.miss("a parameter is of a type without a name");
                }
                Passing::Record(name)
            }
            (Type::Ptr, _) => Passing::Pointer,
            (Type::Bv(width), Some(FormKind::Floating)) => Passing::Floating(*width),
            (Type::Bv(width), _) => Passing::Word(*width),
            (Type::Bool, _) => Passing::Word(1),
            _ => {
                self.miss("a parameter is neither a word nor a pointer");
                Passing::Word(64)
            }
        };
        Argument { datum: self.datum(value), passing }
    }

    fn datum(&mut self, value: &Value) -> Datum {
        match value {
            Value::Ptr(pointer) => match self.address(*pointer) {
                Some(address) => Datum::Address(address),
                None => Datum::Word(pointer.address()),
            },
            Value::Bv(word) => match word.small() {
                Some(bits) => self.word(bits, word.width()),
                None => {
                    self.miss("a value has more than 64 bits");
                    Datum::Word(0)
                }
            },
            Value::Bool(truth) => Datum::Word(u64::from(*truth)),
            _ => {
                self.miss("a value is neither a word nor a pointer");
                Datum::Word(0)
            }
        }
    }

    /// A pointer or number that is known at the start; none for a pointer to something that the execution makes itself.
    fn datum_at_start(&mut self, value: &Value) -> Option<Datum> {
        let statics = self.file.objects.len() as u64;
        match value {
            Value::Ptr(Pointer { object, .. })
                if (1..ENVIRONMENT).contains(object) && *object > statics =>
            {
                None
            }
            _ => Some(self.datum(value)),
        }
    }

    /// A word, which may be the address of something that was given.
    fn word(&mut self, bits: u64, width: u32) -> Datum {
        let pointer = Pointer::at(bits);
        let is_given = width == 64 && self.given.contains(&pointer.object);
        match is_given.then(|| self.address(pointer)).flatten() {
            Some(address) => Datum::Address(address),
            None => Datum::Word(bits),
        }
    }

    /// The target of a pointer; none if it is a number.
    fn address(&mut self, pointer: Pointer) -> Option<Address> {
        let Pointer { object, offset } = pointer;
        let of = match self.blocks.known.get(&object) {
            _ if object == 0 || object == NO_OBJECT => return None,
            Some(ObjectName::Pointee(_, _, Some(form)))
                if self.module.form(*form).kind == FormKind::Code =>
            {
                return Some(Address { of: Target::Code, offset: 0 });
            }
            _ if object >= ENVIRONMENT => {
                self.need(object, offset);
                Target::Block(object)
            }
            _ if object <= self.module.objects.len() as u64 => {
                let address = self.module.objects[object as usize - 1].address;
                let name = &self.module.function(address).name;
                if object > self.file.objects.len() as u64 {
                    self.miss(format!("`{name}` is a variable of another file"));
                } else if !is_symbol(name) {
                    self.miss(format!("`{name}` cannot be named from outside"));
                }
                Target::Symbol(name.clone())
            }
            _ => {
                self.miss("an input points to an object that the execution allocates later");
                Target::Block(object)
            }
        };
        Some(Address { of, offset })
    }

    /// The contents of memory, by object: the addresses in it and the bytes between them. Zeros are left out where
    /// memory is zero by default.
    fn contents(&mut self, memory: &Bytes, with_zeros: bool) -> BTreeMap<u64, Vec<Piece>> {
        let mut all: BTreeMap<u64, BTreeMap<i64, u8>> = BTreeMap::new();
        for (object, offset, byte) in memory.written() {
            let offset = offset as i64;
            if object >= ENVIRONMENT {
                self.need(object, offset);
            }
            let bytes = all.entry(object).or_default();
            if byte != 0 || with_zeros {
                bytes.insert(offset, byte);
            }
        }
        for (object, number) in self.module.objects.iter().zip(1..) {
            if let Some(bytes) = all.get_mut(&number) {
                // Bytes behind a variable are not set up on the machine.
                bytes.retain(|offset, _| u64::try_from(*offset).is_ok_and(|at| at < object.size));
            }
        }
        all.iter().map(|(object, bytes)| (*object, self.pieces(bytes))).collect()
    }

    fn pieces(&mut self, bytes: &BTreeMap<i64, u8>) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut addresses: BTreeMap<i64, Address> = BTreeMap::new();
        // The highest bit of the address of something that was given is set.
        for (&last, _) in bytes.iter().filter(|(_, byte)| **byte >= 0x80) {
            let start = last - 7;
            let eight: [u8; 8] = std::array::from_fn(|index| {
                bytes.get(&(start + index as i64)).copied().unwrap_or(0)
            });
            let is_free = addresses.range(start - 7..=last).next().is_none();
            if let (Datum::Address(address), true) =
                (self.word(u64::from_le_bytes(eight), 64), is_free)
            {
                addresses.insert(start, address);
            }
        }
        for (&offset, &byte) in bytes {
            if addresses.range(offset - 7..=offset).next().is_some() {
                continue;
            }
            match pieces.last_mut() {
                Some(Piece { offset: start, content: Content::Bytes(last) })
                    if *start + last.len() as i64 == offset =>
                {
                    last.push(byte);
                }
                _ => pieces.push(Piece { offset, content: Content::Bytes(vec![byte]) }),
            }
        }
        let addresses = addresses.into_iter();
        pieces
            .extend(addresses.map(|(offset, to)| Piece { offset, content: Content::Address(to) }));
        pieces
    }

    /// The static variables in the witness.
    fn variables(
        &mut self,
        content: &mut BTreeMap<u64, Vec<Piece>>,
    ) -> Vec<report::setup::Variable> {
        let mut variables = Vec::new();
        for (object, number) in self.file.objects.iter().zip(1..) {
            let Some(pieces) = content.remove(&number) else { continue };
            let name = &self.file.function(object.address).name;
            // A static variable of a function cannot be set from outside.
            if object.constant || !is_symbol(name) {
                continue;
            }
            let is_extern = object.contents.is_none();
            let name = name.clone();
            variables.push(report::setup::Variable { name, is_extern, content: pieces });
        }
        variables
    }

    /// The calls of functions whose bodies were not run.
    fn calls(&mut self, effects: &[Option<Bytes>], run: &Execution) -> Vec<StubCall> {
        let mut effects = effects.iter();
        let mut calls = Vec::new();
        let events: Vec<&Event> = run.trace.events().collect();
        for (number, event) in events.iter().enumerate() {
            let EventKind::UnknownCall(callee, arguments) = &event.kind else { continue };
            if run.trace.left_out() > 0 && number >= run.trace.first().len() {
                self.miss("the trace of the execution is incomplete");
                break;
            }
            let mut stubs = self.module.stubs.values();
            let is_stubbed = stubs.any(|stub| stub.outside == *callee);
            // The stub of a callee continues after the effects of the unknown function.
            let further = match is_stubbed {
                true => self.stubbed(&events[number + 1..], event.depth, arguments),
                false => Further::default(),
            };
            let depth = event.depth - u32::from(is_stubbed);
            let result = events[number + 1..].iter().take(32).find_map(|next| match &next.kind {
                EventKind::Assigned(_, Some(value), Cause::Result) if next.depth == depth => {
                    Some(value.clone())
                }
                _ => None,
            });
            let written = effects.next().and_then(Option::as_ref);
            let mut call = self.call(&Reply {
                callee: *callee,
                arguments,
                result: result.as_ref(),
                writes: written,
            });
            call.writes.extend(further.writes);
            call.frees = further.frees;
            calls.push(call);
        }
        calls.extend(self.unfollowed(&events));
        calls
    }

    /// The call of a function whose body was not run.
    fn call(&mut self, reply: &Reply<'_>) -> StubCall {
        let procedure = self.module.procedure(reply.callee);
        let has_result = procedure.locals_with(Mode::Result).next().is_some();
        let result = reply.result.filter(|_| has_result).map(|value| self.datum(value));
        let writes = reply.writes.map(|bytes| self.writes(bytes, reply.arguments));
        let name = procedure.display.as_ref().unwrap_or(&procedure.name);
        StubCall {
            callee: is_symbol(name).then(|| name.clone()),
            result,
            follows: Vec::new(),
            writes: writes.unwrap_or_default(),
            frees: Vec::new(),
        }
    }

    /// The effects of a stub after those of the unknown function, until it returns.
    fn stubbed(&mut self, events: &[&Event], depth: u32, arguments: &[Value]) -> Further {
        let mut further = Further::default();
        for event in events.iter().take_while(|event| event.depth >= depth) {
            match &event.kind {
                EventKind::Freed(pointer) => {
                    let at = self.passed(*pointer, arguments);
                    further.frees.extend(at.or_else(|| self.address(*pointer)));
                }
                EventKind::Assigned(target, Some(value), Cause::Assignment) => {
                    if let [Step::View(pointer, _)] = &target.path[..] {
                        let at = self.passed(*pointer, arguments);
                        let at = at.or_else(|| self.address(*pointer));
                        let content = self.content(value);
                        further.writes.extend(at.map(|at| (at, content)));
                    }
                }
                _ => {}
            }
        }
        further
    }

    fn content(&mut self, value: &Value) -> Content {
        let bytes = match value {
            Value::Bv(word) => word.width().div_ceil(8) as usize,
            _ => 8,
        };
        match self.datum(value) {
            Datum::Address(address) => Content::Address(address),
            Datum::Word(word) => Content::Bytes(word.to_le_bytes()[..bytes.min(8)].to_vec()),
        }
    }

    /// The callee that follows what it must not, if the execution ends with that.
    fn unfollowed(&mut self, events: &[&Event]) -> Option<StubCall> {
        let called =
            events.iter().rposition(|event| matches!(event.kind, EventKind::Called(..)))?;
        let EventKind::Called(callee, arguments) = &events[called].kind else { return None };
        self.module.stubs.get(callee)?;
        let is_over = |event: &&Event| {
            matches!(event.kind, EventKind::UnknownCall(..) | EventKind::Returned(_))
        };
        if events[called + 1..].iter().any(is_over) {
            return None;
        }
        let pointers = arguments.iter().enumerate().filter_map(|(position, value)| match value {
            Value::Ptr(pointer) => Some((position, pointer)),
            _ => None,
        });
        let all: Vec<(usize, &Pointer)> = pointers.collect();
        let null: Vec<(usize, &Pointer)> =
            all.iter().copied().filter(|(_, pointer)| pointer.object == 0).collect();
        let followed = if null.is_empty() { all } else { null };
        let follows = followed
            .into_iter()
            .map(|(position, _)| Address { of: Target::Argument(position), offset: 0 });
        let procedure = self.module.procedure(*callee);
        let name = procedure.display.as_ref().unwrap_or(&procedure.name);
        Some(StubCall {
            callee: is_symbol(name).then(|| name.clone()),
            result: None,
            follows: follows.collect(),
            writes: Vec::new(),
            frees: Vec::new(),
        })
    }

    /// A pointer as an argument and an offset, if it leads to where one does.
    fn passed(&self, to: Pointer, arguments: &[Value]) -> Option<Address> {
        arguments.iter().enumerate().find_map(|(position, value)| match value {
            Value::Ptr(pointer) if pointer.object == to.object => {
                Some(Address { of: Target::Argument(position), offset: to.offset - pointer.offset })
            }
            _ => None,
        })
    }

    fn writes(&mut self, bytes: &Bytes, arguments: &[Value]) -> Vec<(Address, Content)> {
        let mut writes = Vec::new();
        for (object, pieces) in self.contents(bytes, true) {
            let is_static = self
                .module
                .objects
                .get((object as usize).wrapping_sub(1))
                .is_some_and(|object| !object.constant);
            for Piece { offset, content } in pieces {
                let at = Pointer { object, offset };
                let to = match self.passed(at, arguments) {
                    None if object >= ENVIRONMENT || is_static => self.address(at),
                    passed => passed,
                };
                writes.extend(to.map(|to| (to, content)));
            }
        }
        writes
    }

    /// The objects of the environment as the machine gets them.
    fn made(&self, objects: &[NewObject], mut content: BTreeMap<u64, Vec<Piece>>) -> Vec<Block> {
        let mut made = Vec::new();
        for (&number, &(first, last)) in &self.needed {
            let given = objects.iter().find(|object| object.number == Some(number));
            let size = given.map_or(WHOLE_OBJECT + 1, |object| object.size);
            let (start, size) = if size <= WHOLE_OBJECT {
                (0, size)
            } else {
                let first = u64::try_from(first).unwrap_or(0);
                let last = u64::try_from(last).unwrap_or(0);
                // A pointer to the start of a block can be freed.
                let start = if first == 0 { 0 } else { first.saturating_sub(BYTES_BEFORE) };
                (start, (last - start + BYTES_AFTER).min(PARTIAL_OBJECT))
            };
            let mut content = content.remove(&number).unwrap_or_default();
            // Places beyond the end of any block are not set up on the machine.
            let room = start as i64..(start + size) as i64;
            content.retain(|Piece { offset, .. }| room.contains(offset));
            made.push(Block { number, start, size, content });
        }
        made
    }
}

/// Whether a name can be written in a program.
fn is_symbol(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
