//! Memory in terms of the source: objects with names, and their parts.
//!
//! An object of byte memory is a variable of the program, the text of a literal, a block of the heap, or the target
//! of a pointer. The first pointer to an object of the environment names it: if that is `list`, its parts are
//! `list->next` and so on, and these in turn name the objects that they point to. The forms that the source has for
//! places say which bytes are a number, a character or a pointer.

use std::collections::BTreeMap;

use interpret::{Bytes, Cause, EventKind, Execution, Objects, Pointer, Value};
use ir::address::{ENVIRONMENT, NO_OBJECT};
use ir::{Content, FormId, FormKind, LocalId, Module, Procedure, Storage, Variable};

use crate::limits::{INDEXED_ELEMENTS, LITERAL_BYTES, NAMED_OBJECTS, OBJECT_NAME};
use crate::literal::{quoted, word};

/// The objects of an execution, with names.
pub(crate) struct Blocks<'b> {
    pub(crate) module: &'b Module,
    objects: &'b Objects,
    pub(crate) known: BTreeMap<u64, ObjectName>,
    /// The objects of the environment in the order in which they were named.
    pub(crate) given: Vec<u64>,
    /// The contents of memory at entry, where the execution reads them.
    pub(crate) entry: BTreeMap<(u64, i64), u8>,
    /// How many blocks of the heap the execution makes.
    heap: usize,
}

/// How an object is called.
#[derive(Clone, Debug)]
pub(crate) enum ObjectName {
    /// A variable.
    Variable(String, Option<FormId>),
    /// The target of the pointer with this text, at this offset and of this form.
    Pointee(String, i64, Option<FormId>),
    /// A literal.
    Literal(String),
    /// A function.
    Code(String),
    /// A block of the heap, by number.
    Heap(usize),
}

/// A part of an object: how it is written, of which form it is, and how many bytes behind its start.
pub(crate) struct Part {
    pub(crate) text: String,
    pub(crate) form: Option<FormId>,
    pub(crate) rest: i64,
    /// Whether it is a bit-field, whose value its bytes do not show.
    pub(crate) is_bits: bool,
}

/// Which of the parts that begin at an offset is selected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Depth {
    /// The one that has the others in it.
    Outermost,
    /// The outermost of a form.
    Of(FormId),
    /// The one that has no parts.
    Innermost,
}

impl<'b> Blocks<'b> {
    /// Names the objects of an execution of a procedure from its inputs.
    pub(crate) fn new(
        module: &'b Module,
        subject: &Procedure,
        inputs: &[(Variable, Value)],
        run: &'b Execution,
    ) -> Blocks<'b> {
        let memory = inputs.iter().find_map(|(_, value)| match value {
            Value::Bytes(bytes) => Some(bytes),
            _ => None,
        });
        let mut blocks = Blocks {
            module,
            objects: &run.objects,
            known: BTreeMap::new(),
            given: Vec::new(),
            entry: memory.map(looked_at).unwrap_or_default(),
            heap: 0,
        };
        blocks.name_statics();
        for (variable, value) in inputs {
            if let (Variable::Local(id), Value::Ptr(pointer)) = (variable, value) {
                let pointee = blocks.pointee(subject, *id);
                blocks.name_given(subject.display(*id), *pointer, pointee);
            }
        }
        blocks.follow(run);
        blocks
    }

    /// The form of the target of a pointer variable: from its own form, or that of a record which is passed in
    /// memory.
    fn pointee(&self, subject: &Procedure, id: LocalId) -> Option<FormId> {
        let form = subject.form(id)?;
        match self.module.form(form).kind {
            FormKind::Record(_) => Some(form),
            _ => self.module.pointee(form),
        }
    }

    fn name_statics(&mut self) {
        for (object, number) in self.module.objects.iter().zip(1..) {
            let name = &self.module.function(object.address).name;
            let described = &self.module.described;
            let found = described.binary_search_by_key(&object.address, |(address, _)| *address);
            let form = found.ok().map(|at| described[at].1);
            let is_text = form.is_none_or(|form| match self.module.pointee(form) {
                Some(element) => self.module.form(element).kind == FormKind::Character,
                None => false,
            });
            let known = match &object.contents {
                Some(parts) if object.constant && is_text => match &parts[..] {
                    [] if object.size == 1 => ObjectName::Code(name.clone()),
                    parts => match text_of(parts, object.size) {
                        Some(bytes) => ObjectName::Literal(quoted(&bytes)),
                        None => ObjectName::Variable(name.clone(), None),
                    },
                },
                _ => ObjectName::Variable(name.clone(), form),
            };
            self.known.insert(number, known);
        }
    }

    /// Names an object of the environment after a pointer to it, and then what that leads to.
    fn name_given(&mut self, text: &str, pointer: Pointer, form: Option<FormId>) {
        let mut open = vec![(text.to_owned(), pointer, form)];
        let mut next = 0;
        while let Some((text, pointer, form)) = open.get(next).cloned() {
            next += 1;
            let is_new = (ENVIRONMENT..NO_OBJECT).contains(&pointer.object)
                && !self.known.contains_key(&pointer.object);
            if !is_new || self.given.len() == NAMED_OBJECTS || text.len() > OBJECT_NAME {
                continue;
            }
            let known = ObjectName::Pointee(text.clone(), pointer.offset, form);
            self.known.insert(pointer.object, known);
            self.given.push(pointer.object);
            for (part, value) in self.parts_at_entry(pointer.object) {
                let to = part.form.and_then(|form| self.module.pointee(form));
                if let (Value::Ptr(found), Some(_)) = (&value, part.form) {
                    open.push((part.text, *found, to));
                }
            }
        }
    }

    /// Names what the execution allocates, and what callees hand over.
    fn follow(&mut self, run: &Execution) {
        for event in run.trace.events() {
            let EventKind::Assigned(target, Some(Value::Ptr(pointer)), cause) = &event.kind else {
                continue;
            };
            let procedure = self.module.procedure(event.site.procedure);
            let local = match (target.variable, target.path.is_empty()) {
                (Variable::Local(id), true) => Some(id),
                (Variable::Local(_) | Variable::Global(_), _) => None,
            };
            let display = local.and_then(|id| procedure.local(id).display.as_deref());
            if *cause == Cause::Allocation {
                if pointer.object == 0 || self.known.contains_key(&pointer.object) {
                    continue;
                }
                let time = self.objects.now();
                let variable = display.and_then(|text| text.strip_prefix('&'));
                let known = match (variable, self.objects.storage(pointer.object, time)) {
                    (Some(name), _) => {
                        let form = local.and_then(|id| procedure.form(id));
                        ObjectName::Variable(name.to_owned(), form)
                    }
                    (None, Some(Storage::Heap)) => {
                        self.heap += 1;
                        ObjectName::Heap(self.heap)
                    }
                    (None, _) => continue,
                };
                self.known.insert(pointer.object, known);
            } else if let (Some(id), Some(text)) = (local, display) {
                let form = procedure.form(id).and_then(|form| self.module.pointee(form));
                self.name_given(text, *pointer, form);
            }
        }
    }

    /// A value in the syntax of the source.
    pub(crate) fn show(&self, value: &Value, form: Option<FormId>) -> String {
        match value {
            Value::Ptr(pointer) => self.pointer(*pointer, form),
            Value::Bv(bits) => {
                let kind = form.map(|form| &self.module.form(form).kind);
                match (kind, bits.small()) {
                    (Some(FormKind::Pointer(_)), Some(address)) if bits.width() == 64 => {
                        self.pointer(Pointer::at(address), form)
                    }
                    // Characters and truth values are computed with as wider words.
                    _ => word(bits, kind),
                }
            }
            Value::Bool(truth) => u8::from(*truth).to_string(),
            other => other.show(self.module, &interpret::VirNames).to_string(),
        }
    }

    /// A pointer in the syntax of the source.
    fn pointer(&self, pointer: Pointer, form: Option<FormId>) -> String {
        let Pointer { object, offset } = pointer;
        if object == 0 || object == NO_OBJECT {
            return match pointer.address() as i64 {
                0 => "NULL".to_owned(),
                number => format!("(void *){number}"),
            };
        }
        let to = form.and_then(|form| self.module.pointee(form));
        match self.known.get(&object) {
            Some(ObjectName::Code(name)) => name.clone(),
            Some(ObjectName::Literal(text)) if offset == 0 => text.clone(),
            Some(ObjectName::Literal(text)) => format!("{text} + {offset}"),
            Some(ObjectName::Heap(number)) => {
                let size = self.objects.size(object, self.objects.now());
                let number = if self.heap > 1 { format!(" {number}") } else { String::new() };
                let bytes = if size == 1 { "byte" } else { "bytes" };
                let inside =
                    if offset == 0 { String::new() } else { format!(", at byte {offset}") };
                format!("→ heap block{number} of {size} {bytes}{inside}")
            }
            Some(known @ (ObjectName::Variable(..) | ObjectName::Pointee(..))) => {
                self.address(known, offset, to)
            }
            None => "→ memory without a name".to_owned(),
        }
    }

    /// How the address of a part of a named object is written.
    fn address(&self, known: &ObjectName, offset: i64, to: Option<FormId>) -> String {
        let depth = to.map_or(Depth::Outermost, Depth::Of);
        let Part { text, rest, .. } = self.part(known, offset, depth);
        let address = match (text.strip_prefix('*'), text.strip_suffix("[0]")) {
            (Some(pointer), _) => pointer.to_owned(),
            (None, Some(array)) => array.to_owned(),
            (None, None) => format!("&{text}"),
        };
        match rest {
            0 => address,
            rest if rest < 0 => format!("(char *){address} - {}", rest.unsigned_abs()),
            rest => format!("(char *){address} + {rest}"),
        }
    }

    /// How the part of a named object at an offset is written.
    pub(crate) fn part(&self, known: &ObjectName, offset: i64, depth: Depth) -> Part {
        match known {
            ObjectName::Variable(name, form) => {
                self.descend(name.clone(), "", *form, offset, depth)
            }
            ObjectName::Pointee(name, base, form) => {
                let moved = offset - base;
                let size = form.map_or(0, |form| self.bytes(form));
                let index = if size > 0 { moved.div_euclid(size) } else { 0 };
                match index {
                    // A place that far away is not part of the same array.
                    index if index.unsigned_abs() > INDEXED_ELEMENTS => {
                        Part { text: format!("*{name}"), form: None, rest: moved, is_bits: false }
                    }
                    0 => {
                        let star = format!("*{name}");
                        self.descend(star, name, *form, moved, depth)
                    }
                    index => {
                        let text = format!("{name}[{index}]");
                        self.descend(text, "", *form, moved - index * size, depth)
                    }
                }
            }
            ObjectName::Literal(text) | ObjectName::Code(text) => {
                Part { text: text.clone(), form: None, rest: offset, is_bits: false }
            }
            ObjectName::Heap(_) => {
                Part { text: String::new(), form: None, rest: offset, is_bits: false }
            }
        }
    }

    /// Goes into records and arrays as far as an offset leads. `pointer` is the text of the pointer if the
    /// whole is what it points to.
    fn descend(
        &self,
        whole: String,
        pointer: &str,
        form: Option<FormId>,
        offset: i64,
        depth: Depth,
    ) -> Part {
        let (mut text, mut pointer) = (whole, pointer);
        let (mut form, mut rest, mut is_bits) = (form, offset, false);
        while let Some(id) = form {
            let is_enough = match depth {
                Depth::Outermost => true,
                Depth::Of(wanted) => self.is_alike(wanted, id),
                Depth::Innermost => false,
            };
            if rest == 0 && is_enough {
                break;
            }
            match &self.module.form(id).kind {
                FormKind::Array(element, _) => {
                    let size = self.bytes(*element);
                    if size == 0 {
                        break;
                    }
                    text = format!("{text}[{}]", rest.div_euclid(size));
                    (form, rest) = (Some(*element), rest.rem_euclid(size));
                }
                FormKind::Record(parts) => {
                    let found = parts.iter().find(|part| {
                        let start = (part.offset / 8) as i64;
                        (start..start + self.bytes(part.form).max(1)).contains(&rest)
                    });
                    let Some(part) = found else { break };
                    if !part.name.is_empty() {
                        text = match pointer {
                            "" => format!("{text}.{}", part.name),
                            pointer => format!("{pointer}->{}", part.name),
                        };
                        pointer = "";
                    }
                    is_bits = part.width.is_some();
                    (form, rest) = (Some(part.form), rest - (part.offset / 8) as i64);
                }
                FormKind::Signed
                | FormKind::Unsigned
                | FormKind::Character
                | FormKind::Truth
                | FormKind::Floating
                | FormKind::Enumeration(_)
                | FormKind::Pointer(_)
                | FormKind::Code
                | FormKind::Opaque => break,
            }
        }
        Part { text, form, rest, is_bits }
    }

    /// Whether two forms are of one type, whatever names and qualifiers it has.
    fn is_alike(&self, one: FormId, other: FormId) -> bool {
        let (one, other) = (self.module.form(one), self.module.form(other));
        one.bits == other.bits && one.kind == other.kind
    }

    pub(crate) fn bytes(&self, form: FormId) -> i64 {
        i64::try_from(self.module.form(form).bits.div_ceil(8)).unwrap_or(0)
    }

    /// How a place in memory is written.
    pub(crate) fn place(&self, pointer: Pointer) -> Option<Part> {
        let known = self.known.get(&pointer.object)?;
        match known {
            ObjectName::Variable(..) | ObjectName::Pointee(..) => {}
            ObjectName::Literal(_) | ObjectName::Code(_) | ObjectName::Heap(_) => return None,
        }
        let part = self.part(known, pointer.offset, Depth::Innermost);
        (part.rest == 0).then_some(part)
    }
}

/// The bytes of memory that the execution reads: of static objects those that are not zero.
fn looked_at(memory: &Bytes) -> BTreeMap<(u64, i64), u8> {
    let written = memory
        .written()
        .filter(|(object, _, byte)| *object >= ENVIRONMENT || (*object > 0 && *byte != 0));
    written.map(|(object, offset, byte)| ((object, offset as i64), byte)).collect()
}

/// The bytes of a literal.
fn text_of(parts: &[(u64, Content)], size: u64) -> Option<Vec<u8>> {
    let mut text = vec![0; usize::try_from(size).ok().filter(|size| *size <= LITERAL_BYTES)?];
    for (offset, part) in parts {
        let Content::Bytes(bytes) = part else { return None };
        let start = usize::try_from(*offset).ok()?;
        text.get_mut(start..start + bytes.len())?.copy_from_slice(bytes);
    }
    Some(text)
}
