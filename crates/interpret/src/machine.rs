//! The state of an execution: variables, objects, and the oracle's decisions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ir::{
    Block, BlockId, Expr, ExprId, Exprs, FunctionId, GlobalId, LocalId, Mode, Module, PointId,
    Procedure, ProcedureId, SortId, Type, Variable,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::domain::UnboundedTypes;
use crate::equal::{canonical_key, needs_canonical};
use crate::error::{EvalError, Undefined};
use crate::integer::Integer;
use crate::limits::NOTED_READS;
use crate::memory::{Bytes, NewObject, Objects, Pointer, Time};
use crate::oracle::{MapSource, OpenValue, Oracle, ValueRequest};
use crate::run::{Inputs, Options, Site, UncheckedClause};
use crate::trace::{Cause, Event, EventKind, Location, Target, Trace};
use crate::value::{Key, MapType, MapValue, Rest, Value};
use crate::world::World;

/// An execution in progress.
pub(crate) struct Machine<'m, 'r> {
    pub(crate) module: &'m Module,
    pub(crate) inputs: &'r Inputs,
    pub(crate) oracle: &'r mut dyn Oracle,
    pub(crate) options: &'r Options,
    pub(crate) entry: ProcedureId,
    pub(crate) globals: Vec<Slot>,
    pub(crate) objects: Objects,
    /// The moment at which expressions look at the objects, if it is not the present.
    pub(crate) past: Option<Time>,
    /// The open calls, the innermost last.
    pub(crate) frames: Vec<Frame<'m>>,
    /// The values of bound variables of the expressions being computed.
    pub(crate) bound: Vec<Option<Value>>,
    /// How deep the expression being computed is nested.
    pub(crate) nesting: u32,
    /// The measures of the open calls of each procedure, the innermost last.
    pub(crate) measures: FxHashMap<ProcedureId, Vec<Integer>>,
    pub(crate) steps: u64,
    pub(crate) work: u64,
    pub(crate) trace: Trace,
    /// The locations that the statement under way has read, if there is a trace.
    pub(crate) reads: Vec<Location>,
    pub(crate) passed: FxHashSet<(ProcedureId, PointId)>,
    pub(crate) taken: FxHashSet<(ProcedureId, PointId, bool)>,
    pub(crate) unchecked: Vec<UncheckedClause>,
    /// The initial values that have been read.
    initial: BTreeMap<Variable, Value>,
    unknowns: Vec<Unknown>,
    functions: FxHashMap<FunctionId, BTreeMap<Key, Value>>,
    /// The atoms that inputs and decisions mention or that were allocated.
    mentioned: BTreeSet<(SortId, u64)>,
    inputs_mentioned: bool,
    /// The atoms of the sorts that the oracle was asked about.
    atoms: FxHashMap<SortId, Option<Arc<Vec<u64>>>>,
    facts: FxHashMap<ProcedureId, Facts>,
    /// The oracle's completion of memory that the execution did not create.
    pub(crate) completed: Bytes,
    /// The objects of the execution that unknown functions have written, and the oracle's completion of them.
    pub(crate) opened: BTreeSet<u64>,
    pub(crate) answered: Bytes,
    /// The objects that it has pointed to.
    pub(crate) found: Vec<NewObject>,
}

/// The contents of a variable.
#[derive(Clone, Debug)]
pub(crate) enum Slot {
    /// Nothing.
    Undefined,
    /// Its initial value.
    Initial,
    /// This value.
    Is(Value),
}

/// An open call.
pub(crate) struct Frame<'m> {
    pub(crate) id: ProcedureId,
    pub(crate) procedure: &'m Procedure,
    pub(crate) blocks: &'m [Block],
    pub(crate) block: BlockId,
    pub(crate) statement: usize,
    pub(crate) locals: Vec<Slot>,
    /// The state at entry, if the procedure refers to it.
    pub(crate) old: Option<Box<Snapshot>>,
    /// The objects that cease to be live at exit.
    pub(crate) stack: Vec<u64>,
    /// Where the results of the current call go.
    pub(crate) pending: Option<Pending>,
    /// The last measure of each loop, by header.
    pub(crate) measures: Vec<(BlockId, Integer)>,
    /// Whether the frame's own measure is on the list.
    pub(crate) has_measure: bool,
}

/// The state at some moment.
pub(crate) struct Snapshot {
    pub(crate) globals: Vec<Slot>,
    /// As many of the locals as are parameters.
    pub(crate) parameters: Vec<Slot>,
    pub(crate) time: Time,
}

/// Where the results of a call go.
#[derive(Default)]
pub(crate) struct Pending {
    pub(crate) results: Vec<Target>,
    pub(crate) caught: Option<(Target, Option<Target>)>,
}

/// A map that is not known everywhere.
struct Unknown {
    source: MapSource,
    entries: BTreeMap<Key, Value>,
}

/// Facts about a procedure that are computed once.
#[derive(Clone)]
pub(crate) struct Facts {
    pub(crate) uses_old: bool,
    /// The edges that lead back to the header of a loop.
    pub(crate) back_edges: Option<Arc<BTreeSet<(BlockId, BlockId)>>>,
}

/// In which state and with which bound variables an expression is computed.
#[derive(Clone, Copy)]
pub(crate) struct Context<'m> {
    pub(crate) exprs: &'m Exprs,
    /// The frame whose variables are read, by position.
    pub(crate) frame: usize,
    /// Whether the state is that of the frame's entry.
    pub(crate) old: bool,
    /// Where the values of the bound variables begin.
    pub(crate) base: usize,
}

impl<'m, 'r> Machine<'m, 'r> {
    pub(crate) fn new(
        module: &'m Module,
        entry: ProcedureId,
        inputs: &'r Inputs,
        oracle: &'r mut dyn Oracle,
        options: &'r Options,
    ) -> Machine<'m, 'r> {
        Machine {
            module,
            inputs,
            oracle,
            options,
            entry,
            globals: vec![Slot::Initial; module.globals.len()],
            objects: Objects::default(),
            past: None,
            frames: Vec::new(),
            bound: Vec::new(),
            nesting: 0,
            measures: FxHashMap::default(),
            steps: 0,
            work: 0,
            trace: Trace::new(options.trace),
            reads: Vec::new(),
            passed: FxHashSet::default(),
            taken: FxHashSet::default(),
            unchecked: Vec::new(),
            initial: BTreeMap::new(),
            unknowns: Vec::new(),
            functions: FxHashMap::default(),
            mentioned: BTreeSet::new(),
            inputs_mentioned: false,
            atoms: FxHashMap::default(),
            facts: FxHashMap::default(),
            completed: Bytes::default(),
            opened: BTreeSet::new(),
            answered: Bytes::default(),
            found: Vec::new(),
        }
    }

    /// The current site.
    pub(crate) fn site(&self) -> Site {
        match self.frames.last() {
            Some(frame) => frame.site(),
            None => Site { procedure: self.entry, block: BlockId(0), statement: 0 },
        }
    }

    /// The context of a frame's expressions in its present state.
    pub(crate) fn context(&self, frame: usize) -> Context<'m> {
        let exprs = &self.frames[frame].procedure.exprs;
        Context { exprs, frame, old: false, base: 0 }
    }

    /// The context of the innermost frame.
    pub(crate) fn here(&self) -> Context<'m> {
        self.context(self.frames.len() - 1)
    }

    /// Notes that something happened.
    pub(crate) fn note(&mut self, what: impl FnOnce(&Self) -> EventKind) {
        if self.trace.is_on() {
            let depth = self.frames.len().saturating_sub(1) as u32;
            let (site, kind, reads) = (self.site(), what(self), self.reads.clone());
            let event = Event { step: self.steps, depth, site, kind, reads };
            self.trace.push(event);
        }
    }

    /// Notes that a place got a value. Memory as a whole is not kept: the next write would have to copy it.
    pub(crate) fn note_assigned(&mut self, target: &Target, value: &Value, cause: Cause) {
        let kept = (!matches!(value, Value::Bytes(_))).then(|| value.clone());
        self.note(|_| EventKind::Assigned(target.clone(), kept, cause));
    }

    /// Notes that a location is read.
    pub(crate) fn note_read(&mut self, location: impl FnOnce() -> Location) {
        if self.trace.is_on() && self.reads.len() < NOTED_READS {
            self.reads.push(location());
        }
    }

    /// The value of a variable.
    pub(crate) fn read(&mut self, cx: Context<'m>, variable: Variable) -> Result<Value, EvalError> {
        match variable {
            Variable::Local(id) => self.note_read(|| Location::Local(cx.frame as u32, id)),
            Variable::Global(id) => {
                // Of maps and memory the entries and bytes count that are looked at.
                if !matches!(self.module.global(id).ty, Type::Map(..) | Type::Bytes) {
                    self.note_read(|| Location::Global(id));
                }
            }
        }
        let slot = match (variable, cx.old) {
            (Variable::Global(id), false) => self.globals.get(id.0 as usize),
            (Variable::Local(id), false) => {
                self.frames.get(cx.frame).and_then(|frame| frame.locals.get(id.0 as usize))
            }
            (Variable::Global(id), true) => {
                self.snapshot(cx).and_then(|old| old.globals.get(id.0 as usize))
            }
            (Variable::Local(id), true) => {
                self.snapshot(cx).and_then(|old| old.parameters.get(id.0 as usize))
            }
        };
        match slot {
            Some(Slot::Is(value)) => Ok(value.clone()),
            Some(Slot::Initial) => self.initial(variable),
            Some(Slot::Undefined) | None => Err(self.undefined(cx, variable)),
        }
    }

    /// The state at entry; none if the expression belongs to no procedure.
    fn snapshot(&self, cx: Context<'m>) -> Option<&Snapshot> {
        self.frames.get(cx.frame)?.old.as_deref()
    }

    fn undefined(&self, cx: Context<'m>, variable: Variable) -> EvalError {
        let name = match variable {
            Variable::Global(id) => self.module.global(id).name.clone(),
            Variable::Local(LocalId(id)) => {
                let frame = self.frames.get(cx.frame);
                let local = frame.and_then(|frame| frame.procedure.locals.get(id as usize));
                local.map_or_else(String::new, |local| local.name.clone())
            }
        };
        Undefined::Variable(name).into()
    }

    /// The value that a parameter of the entry procedure or a state variable had at the start.
    pub(crate) fn initial(&mut self, variable: Variable) -> Result<Value, EvalError> {
        if let Some(value) = self.initial.get(&variable) {
            return Ok(value.clone());
        }
        let module = self.module;
        let (given, ty) = match variable {
            Variable::Global(id) => (self.inputs.globals.get(&id), &module.global(id).ty),
            Variable::Local(id) => {
                let given = self.inputs.parameters.get(id.0 as usize);
                (given.and_then(Option::as_ref), &module.procedure(self.entry).local(id).ty)
            }
        };
        let value = match (given, Value::unknown_map(ty)) {
            (Some(value), _) => value.clone(),
            (None, Some(unknown)) => unknown,
            (None, None) if *ty == Type::Bytes => Value::Bytes(Bytes::default()),
            (None, None) => {
                let request = ValueRequest {
                    module,
                    site: self.site(),
                    open: OpenValue::Input(variable),
                    ty,
                };
                match self.oracle.value(&request) {
                    Some(value) => value,
                    None => {
                        let frame = 0;
                        let exprs = &module.procedure(self.entry).exprs;
                        let cx = Context { exprs, frame, old: false, base: 0 };
                        return Err(self.undefined(cx, variable));
                    }
                }
            }
        };
        let value = match value {
            Value::Bytes(memory) => Value::Bytes(self.with_statics(memory)?),
            value => value,
        };
        let value = self.adopt(value, ty, MapSource::Input(variable))?;
        self.initial.insert(variable, value.clone());
        Ok(value)
    }

    /// The initial value of a variable, if it was read.
    pub(crate) fn seen_initial(&self, variable: Variable) -> Option<Value> {
        self.initial.get(&variable).cloned()
    }

    /// The current state variables; none for one that is undefined or was never read.
    pub(crate) fn state(&self) -> Vec<Option<Value>> {
        let value = |(index, slot): (u32, &Slot)| match slot {
            Slot::Is(value) => Some(value.clone()),
            Slot::Initial => self.seen_initial(Variable::Global(GlobalId(index))),
            Slot::Undefined => None,
        };
        (0..).zip(&self.globals).map(value).collect()
    }

    /// Asks the oracle for a value.
    pub(crate) fn ask(
        &mut self,
        wanted: OpenValue<'_>,
        ty: &Type,
        source: MapSource,
    ) -> Result<Option<Value>, EvalError> {
        let request = ValueRequest { module: self.module, site: self.site(), open: wanted, ty };
        match self.oracle.value(&request) {
            Some(value) => self.adopt(value, ty, source).map(Some),
            None => Ok(None),
        }
    }

    /// Adopts a value from outside: checks its type, numbers its unknowns, and records which atoms it
    /// mentions.
    pub(crate) fn adopt(
        &mut self,
        mut value: Value,
        ty: &Type,
        source: MapSource,
    ) -> Result<Value, EvalError> {
        if !value.has_type(ty, self.module) {
            return Err(EvalError::BadDecision(format!("{value:?} is not of type {ty:?}")));
        }
        self.settle(&mut value, source)?;
        Ok(value)
    }

    fn settle(&mut self, value: &mut Value, source: MapSource) -> Result<(), EvalError> {
        match value {
            Value::Bool(_) | Value::Bv(_) | Value::Int(_) | Value::Ptr(_) | Value::Bytes(_) => {}
            Value::Atom(sort, id) => {
                self.check_atom(*sort, *id)?;
                self.mentioned.insert((*sort, *id));
            }
            Value::Map(map) => self.settle_map(map, source)?,
            Value::Seq(elements) => {
                for element in Arc::make_mut(elements) {
                    self.settle(element, source)?;
                }
            }
            Value::Record(_, fields) => {
                for field in Arc::make_mut(fields).iter_mut().flatten() {
                    self.settle(field, source)?;
                }
            }
            Value::Variant(_, _, arguments) => {
                for argument in Arc::make_mut(arguments) {
                    self.settle(argument, source)?;
                }
            }
        }
        Ok(())
    }

    fn settle_map(&mut self, map: &mut Arc<MapValue>, source: MapSource) -> Result<(), EvalError> {
        let ty = map.ty().clone();
        let canonical = !ty.keys.iter().any(|ty| needs_canonical(&UnboundedTypes(self), ty));
        let is_plain = |value: &Value| value.is_plain() && !matches!(value, Value::Atom(..));
        let rest_settled = match map.rest() {
            Rest::Is(value) => is_plain(value),
            Rest::Unknown(_) => false,
        };
        let keys_settled = !ty.keys.iter().any(|ty| matches!(ty, Type::Sort(_)));
        if canonical && rest_settled && keys_settled && map.entries().values().all(is_plain) {
            return Ok(());
        }
        let rest = match map.rest() {
            Rest::Is(value) => {
                let mut value = value.clone();
                self.settle(&mut value, source)?;
                Rest::Is(value)
            }
            Rest::Unknown(_) => Rest::Unknown(self.new_unknown(source)),
        };
        let mut entries = Vec::with_capacity(map.entries().len());
        for (key, value) in map.entries() {
            for value in key {
                if let Value::Atom(sort, id) = value {
                    self.check_atom(*sort, *id)?;
                }
            }
            let mut value = value.clone();
            self.settle(&mut value, source)?;
            entries.push((canonical_key(self, key.clone())?, value));
        }
        *map = Arc::new(MapValue::from_parts(ty, rest, entries));
        Ok(())
    }

    fn new_unknown(&mut self, source: MapSource) -> u32 {
        self.unknowns.push(Unknown { source, entries: BTreeMap::new() });
        self.unknowns.len() as u32
    }

    /// Whether an atom is one of those that there are.
    fn check_atom(&mut self, sort: SortId, id: u64) -> Result<(), EvalError> {
        match self.atoms(sort) {
            Some(known) if id != 0 && known.binary_search(&id).is_err() => {
                let name = &self.module.sorts[sort.0 as usize];
                Err(EvalError::BadDecision(format!("{id} is not one of the atoms of {name}")))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// An atom that nothing known to the execution refers to.
    pub(crate) fn allocate_atom(&mut self, sort: SortId) -> Result<Value, EvalError> {
        if !self.inputs_mentioned {
            self.inputs_mentioned = true;
            let parameters = self.module.procedure(self.entry).locals_with(Mode::Parameter);
            let given = parameters.zip(&self.inputs.parameters);
            let given = given.filter(|(_, value)| value.is_some());
            let parameters: Vec<_> = given.map(|(id, _)| Variable::Local(id)).collect();
            let globals: Vec<_> =
                self.inputs.globals.keys().map(|id| Variable::Global(*id)).collect();
            for variable in parameters.into_iter().chain(globals) {
                self.initial(variable)?;
            }
        }
        let site = self.site();
        let mentioned = &self.mentioned;
        let is_fresh = |id| id != 0 && !mentioned.contains(&(sort, id));
        let Some(id) = self.oracle.atom(site, sort, &is_fresh) else {
            let name = &self.module.sorts[sort.0 as usize];
            return Err(EvalError::NoDecision(format!("which atom of {name} is allocated")));
        };
        if !is_fresh(id) {
            return Err(EvalError::BadDecision(format!("atom {id} is not fresh")));
        }
        self.check_atom(sort, id)?;
        self.mentioned.insert((sort, id));
        Ok(Value::Atom(sort, id))
    }

    /// The value of a function without definition.
    pub(crate) fn uninterpreted(
        &mut self,
        function: FunctionId,
        arguments: Key,
    ) -> Result<Value, EvalError> {
        if let Some(address) = self.static_address(function) {
            return Ok(Value::Ptr(address));
        }
        let arguments = canonical_key(self, arguments)?;
        if let Some(value) = self.functions.get(&function).and_then(|table| table.get(&arguments)) {
            return Ok(value.clone());
        }
        let declared = self.module.function(function);
        let wanted = OpenValue::Function(function, &arguments);
        let Some(value) = self.ask(wanted, &declared.result, MapSource::Function(function))? else {
            return Err(EvalError::NoDecision(format!("the value of `{}`", declared.name)));
        };
        self.functions.entry(function).or_default().insert(arguments, value.clone());
        Ok(value)
    }

    /// The facts about a procedure.
    pub(crate) fn facts(&mut self, id: ProcedureId) -> &mut Facts {
        let module = self.module;
        self.facts.entry(id).or_insert_with(|| {
            let exprs = &module.procedure(id).exprs;
            let uses_old = (0..exprs.len() as u32)
                .any(|index| matches!(exprs.get(ExprId(index)), Expr::Old(_)));
            Facts { uses_old, back_edges: None }
        })
    }
}

impl Frame<'_> {
    pub(crate) fn site(&self) -> Site {
        Site { procedure: self.id, block: self.block, statement: self.statement as u32 }
    }
}

impl World for Machine<'_, '_> {
    fn module(&self) -> &Module {
        self.module
    }

    fn atoms(&mut self, sort: SortId) -> Option<Arc<Vec<u64>>> {
        let Machine { atoms, oracle, .. } = self;
        atoms.entry(sort).or_insert_with(|| oracle.atoms(sort)).clone()
    }

    fn unknown(&mut self, id: u32, ty: &MapType, keys: &[Value]) -> Result<Value, EvalError> {
        let index = id as usize - 1;
        if let Some(value) = self.unknowns[index].entries.get(keys) {
            return Ok(value.clone());
        }
        let source = self.unknowns[index].source;
        let value = match Value::unknown_map(&ty.value) {
            Some(unknown) => self.adopt(unknown, &ty.value, source)?,
            None => match self.ask(OpenValue::Entry(source, keys), &ty.value, source)? {
                Some(value) => value,
                None => return Err(Undefined::Entry(format!("{keys:?}")).into()),
            },
        };
        self.unknowns[index].entries.insert(keys.iter().cloned().collect(), value.clone());
        Ok(value)
    }

    fn objects(&self) -> (&Objects, Time) {
        (&self.objects, self.past.unwrap_or(self.objects.now()))
    }

    fn found(
        &mut self,
        memory: &Bytes,
        at: Pointer,
        ty: &Type,
    ) -> Result<Option<Value>, EvalError> {
        self.complete(memory, at, ty)
    }

    fn settle(&mut self, memory: &mut Bytes, at: Pointer, count: u64) {
        self.settle_bytes(memory, at, count);
    }

    fn is_open(&self, at: Pointer) -> bool {
        self.is_left_open(at.object)
    }

    fn work(&mut self, cases: u64) -> Result<(), EvalError> {
        self.work = self.work.saturating_add(cases);
        if self.work > self.options.work { Err(EvalError::OutOfSteps) } else { Ok(()) }
    }
}
