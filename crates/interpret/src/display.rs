//! How values, places and traces are written: as VIR text where VIR has a word for them.
//!
//! Atoms and objects of memory have no names in VIR; they are printed as sort and number, unless a caller
//! supplies [`Names`]. `?` denotes an undefined value.

use std::fmt;

use ir::{Mode, Module, Notation, ProcedureId, SortId, Variable};

use crate::memory::{Bytes, Pointer};
use crate::run::Execution;
use crate::trace::{Cause, Event, EventKind, Step, Target, Trace};
use crate::value::{MapValue, Rest, Value};

/// Names for what has none in VIR, or a better one elsewhere.
pub trait Names {
    /// An atom other than `null`.
    fn atom(&self, _sort: SortId, _id: u64) -> Option<String> {
        None
    }

    /// An object of memory.
    fn object(&self, _object: u64) -> Option<String> {
        None
    }

    /// A variable.
    fn variable(&self, _procedure: ProcedureId, _variable: Variable) -> Option<String> {
        None
    }
}

/// No names but those of VIR.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct VirNames;

impl Names for VirNames {}

/// Something to be written with the names of a module.
#[derive(Clone, Copy)]
pub struct Displayed<'a, T: ?Sized> {
    what: &'a T,
    module: &'a Module,
    names: &'a dyn Names,
    /// The procedure to which local variables of places belong.
    procedure: ProcedureId,
}

impl Value {
    /// The value, to be written.
    pub fn show<'a>(&'a self, module: &'a Module, names: &'a dyn Names) -> Displayed<'a, Value> {
        Displayed { what: self, module, names, procedure: ProcedureId(0) }
    }
}

impl Target {
    /// The place, to be written; local variables are those of the procedure.
    pub fn show<'a>(
        &'a self,
        module: &'a Module,
        procedure: ProcedureId,
        names: &'a dyn Names,
    ) -> Displayed<'a, Target> {
        Displayed { what: self, module, names, procedure }
    }
}

impl Trace {
    /// The trace, to be written for debugging, one line for each event.
    pub fn show<'a>(&'a self, module: &'a Module, names: &'a dyn Names) -> Displayed<'a, Trace> {
        Displayed { what: self, module, names, procedure: ProcedureId(0) }
    }
}

impl Execution {
    /// Displays an execution for debugging: its trace and how it ended.
    pub fn show<'a>(
        &'a self,
        module: &'a Module,
        names: &'a dyn Names,
    ) -> Displayed<'a, Execution> {
        Displayed { what: self, module, names, procedure: ProcedureId(0) }
    }
}

impl<'a, T: ?Sized> Displayed<'a, T> {
    fn part<U: ?Sized>(&self, what: &'a U) -> Displayed<'a, U> {
        Displayed { what, module: self.module, names: self.names, procedure: self.procedure }
    }

    fn list(
        &self,
        out: &mut fmt::Formatter<'_>,
        values: impl IntoIterator<Item = &'a Value>,
    ) -> fmt::Result {
        for (index, value) in values.into_iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(out, "{comma}{}", self.part(value))?;
        }
        Ok(())
    }

    fn procedure_name(&self, id: ProcedureId) -> &'a str {
        &self.module.procedure(id).name
    }
}

impl<T: ?Sized> fmt::Debug for Displayed<'_, T>
where
    Self: fmt::Display,
{
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl<'a> Displayed<'a, Value> {
    /// Writes values whose mathematical notation differs from VIR's; returns whether this was one.
    fn mathematics(&self, out: &mut fmt::Formatter<'_>) -> Result<bool, fmt::Error> {
        if self.module.notation == Notation::Vir {
            return Ok(false);
        }
        match self.what {
            Value::Atom(sort, id) => match self.names.atom(*sort, *id) {
                Some(name) => out.write_str(&name)?,
                None => write!(out, "Z{id}")?,
            },
            Value::Seq(elements) if elements.is_empty() => write!(out, "< >")?,
            Value::Seq(elements) => {
                write!(out, "<")?;
                self.list(out, elements.iter())?;
                write!(out, ">")?;
            }
            Value::Record(_, fields) if fields.iter().all(Option::is_some) => {
                write!(out, "(")?;
                self.list(out, fields.iter().flatten())?;
                write!(out, ")")?;
            }
            Value::Map(map) => self.function(map, out)?,
            Value::Bool(_)
            | Value::Bv(_)
            | Value::Int(_)
            | Value::Ptr(_)
            | Value::Record(..)
            | Value::Variant(..)
            | Value::Bytes(_) => return Ok(false),
        }
        Ok(true)
    }

    /// Writes a set by its members, and any other map by what it is at some keys and elsewhere.
    fn function(&self, map: &'a MapValue, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.set(map, out)? {
            return Ok(());
        }
        write!(out, "[")?;
        for (key, value) in map.entries() {
            self.list(out, key.iter())?;
            write!(out, ": {}, ", self.part(value))?;
        }
        match map.rest() {
            Rest::Is(rest) => write!(out, "else {}]", self.part(rest)),
            Rest::Unknown(_) => write!(out, "else ?]"),
        }
    }

    /// Writes a set by its members. Whether it was one.
    fn set(&self, map: &'a MapValue, out: &mut fmt::Formatter<'_>) -> Result<bool, fmt::Error> {
        let is_finite = matches!(map.rest(), Rest::Is(Value::Bool(false)));
        if map.ty().value != ir::Type::Bool || map.ty().keys.len() != 1 || !is_finite {
            return Ok(false);
        }
        let members = map.entries().iter().filter(|(_, value)| **value == Value::Bool(true));
        write!(out, "{{")?;
        self.list(out, members.flat_map(|(key, _)| key.iter()))?;
        write!(out, "}}")?;
        Ok(true)
    }
}

impl fmt::Display for Displayed<'_, Value> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.mathematics(out)? {
            return Ok(());
        }
        match self.what {
            Value::Bool(truth) => write!(out, "{truth}"),
            Value::Bv(word) => write!(out, "{word:?}"),
            Value::Int(integer) => write!(out, "{integer}"),
            Value::Atom(_, 0) => write!(out, "null"),
            Value::Atom(sort, id) => match self.names.atom(*sort, *id) {
                Some(name) => out.write_str(&name),
                None => write!(out, "{}#{id}", self.module.sorts[sort.0 as usize]),
            },
            Value::Ptr(pointer) => write!(out, "{}", self.part(pointer)),
            Value::Map(map) => write!(out, "{}", self.part(&**map)),
            Value::Seq(elements) => {
                write!(out, "seq[")?;
                self.list(out, elements.iter())?;
                write!(out, "]")
            }
            Value::Record(id, values) => {
                let record = &self.module.records[id.0 as usize];
                write!(out, "{} {{", record.name)?;
                for (index, ((name, _), value)) in record.fields.iter().zip(&**values).enumerate() {
                    write!(out, "{} {name}: ", if index == 0 { "" } else { "," })?;
                    match value {
                        Some(value) => write!(out, "{}", self.part(value))?,
                        None => write!(out, "?")?,
                    }
                }
                write!(out, " }}")
            }
            Value::Variant(id, constructor, arguments) => {
                let variant = &self.module.variants[id.0 as usize];
                let (name, _) = &variant.constructors[*constructor as usize];
                write!(out, "{}::{name}", variant.name)?;
                if arguments.is_empty() {
                    return Ok(());
                }
                write!(out, "(")?;
                self.list(out, arguments.iter())?;
                write!(out, ")")
            }
            Value::Bytes(bytes) => write!(out, "{}", self.part(bytes)),
        }
    }
}

impl fmt::Display for Displayed<'_, Pointer> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.names.object(self.what.object), self.what.offset) {
            (Some(name), 0) => write!(out, "&{name}"),
            (Some(name), offset) => write!(out, "&{name}{offset:+}"),
            (None, _) => write!(out, "{}", self.what),
        }
    }
}

impl fmt::Display for Displayed<'_, MapValue> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.what.rest() {
            Rest::Is(value) => {
                let ty = self.what.ty();
                let ty = ir::Type::Map(ty.keys.clone(), Box::new(ty.value.clone()));
                write!(out, "const<{}>({})", ty.display(self.module), self.part(value))?;
            }
            Rest::Unknown(_) => write!(out, "?")?,
        }
        for (key, value) in self.what.entries() {
            write!(out, "[")?;
            self.list(out, key.iter())?;
            write!(out, " := {}]", self.part(value))?;
        }
        Ok(())
    }
}

impl fmt::Display for Displayed<'_, Bytes> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "bytes {{")?;
        let mut next = None;
        for (object, offset, byte) in self.what.written() {
            if next != Some((object, offset)) {
                write!(out, " {}:", self.part(&Pointer { object, offset: offset as i64 }))?;
            }
            write!(out, " {byte:02x}")?;
            next = Some((object, offset + 1));
        }
        write!(out, " }}")
    }
}

impl fmt::Display for Displayed<'_, Target> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variable = self.what.variable;
        let name = self.names.variable(self.procedure, variable);
        let name = name.unwrap_or_else(|| match variable {
            Variable::Global(id) => self.module.global(id).name.clone(),
            Variable::Local(id) => self.module.procedure(self.procedure).local(id).name.clone(),
        });
        out.write_str(&name)?;
        for step in &self.what.path {
            match step {
                Step::Field(id, field) => {
                    let fields = &self.module.records[id.0 as usize].fields;
                    write!(out, ".{}", fields[*field as usize].0)?;
                }
                Step::Index(keys) => {
                    write!(out, "[")?;
                    self.list(out, keys.iter())?;
                    write!(out, "]")?;
                }
                Step::View(pointer, ty) => {
                    write!(out, "{{{} as {}}}", self.part(pointer), ty.display(self.module))?;
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for Displayed<'_, Event> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Event { step, depth, site, kind: what, reads: _ } = self.what;
        let procedure = self.module.procedure(site.procedure);
        let blocks = procedure.blocks.as_deref().unwrap_or_default();
        let label = |index: ir::BlockId| {
            blocks.get(index.0 as usize).map_or("", |block| block.label.as_str())
        };
        let (name, at) = (&procedure.name, site.statement);
        write!(out, "{step:>5} {:1$}", "", 2 * *depth as usize)?;
        write!(out, "{name}.{}.{at}: ", label(site.block))?;
        let here = Displayed { procedure: site.procedure, ..self.part(self.what) };
        match what {
            EventKind::Assigned(target, value, cause) => {
                write!(out, "{} := ", here.part(target))?;
                match value {
                    Some(value) => write!(out, "{}", here.part(value))?,
                    None => write!(out, "?")?,
                }
                write!(
                    out,
                    "{}",
                    match cause {
                        Cause::Assignment => "",
                        Cause::Havoc => " (havoc)",
                        Cause::Allocation => " (new)",
                        Cause::Result => " (result)",
                        Cause::Effect => " (effect)",
                    }
                )
            }
            EventKind::Freed(pointer) => write!(out, "free {}", here.part(pointer)),
            EventKind::Entered(block) => write!(out, "goto {}", label(*block)),
            EventKind::Called(callee, arguments) | EventKind::UnknownCall(callee, arguments) => {
                let callee_name = self.procedure_name(*callee);
                write!(out, "call {callee_name}(")?;
                let parameters = self.module.procedure(*callee).locals_with(Mode::Parameter);
                for (index, (value, _)) in arguments.iter().zip(parameters).enumerate() {
                    write!(out, "{}{}", if index == 0 { "" } else { ", " }, here.part(value))?;
                }
                let oracle = matches!(what, EventKind::UnknownCall(..));
                write!(out, "){}", if oracle { " (by the oracle)" } else { "" })
            }
            EventKind::Returned(callee) => write!(out, "{} returns", self.procedure_name(*callee)),
            EventKind::Threw(callee, value) => {
                write!(out, "{} throws", self.procedure_name(*callee))?;
                value.as_ref().map_or(Ok(()), |value| write!(out, " {}", here.part(value)))
            }
        }
    }
}

impl fmt::Display for Displayed<'_, Trace> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for event in self.what.first() {
            writeln!(out, "{}", self.part(event))?;
        }
        if self.what.left_out() > 0 {
            writeln!(out, "      … {} more …", self.what.left_out())?;
        }
        for event in self.what.last() {
            writeln!(out, "{}", self.part(event))?;
        }
        Ok(())
    }
}

impl fmt::Display for Displayed<'_, Execution> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.part(&self.what.trace))?;
        writeln!(out, "the execution {}", self.what.outcome)
    }
}
