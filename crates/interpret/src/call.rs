//! Start and end of an execution, calls, and the contracts that are checked there.

use ir::{
    AssertKind, BlockId, Callee, Contract, CutReason, ExprId, Mode, Place, Procedure, ProcedureId,
    StatementKind, Type, Variable,
};

use crate::apply::integer;
use crate::equal::equal;
use crate::error::EvalError;
use crate::machine::{Context, Frame, Machine, Pending, Slot, Snapshot};
use crate::oracle::{CallResult, MapSource, UnknownCall};
use crate::run::{Ending, FailedAssumption, Obligation, Outcome, Site, UncheckedClause};
use crate::step::Stop;
use crate::trace::{Cause, EventKind, Target};
use crate::value::Value;

impl<'m> Machine<'m, '_> {
    /// Starts the execution: objects, axioms, the entry procedure and the assumptions about its inputs.
    pub(crate) fn start(&mut self) -> Result<(), Stop> {
        let (module, inputs) = (self.module, self.inputs);
        self.make_statics()?;
        for object in &inputs.objects {
            let number = object.number.unwrap_or(self.objects.next_given());
            self.objects.allocate(&object.clone().numbered(number))?;
        }
        if self.options.axioms {
            for (index, axiom) in module.axioms.iter().enumerate() {
                let cx = Context { exprs: &axiom.exprs, frame: 0, old: false, base: 0 };
                if !self.holds(cx, axiom.condition)? {
                    return self.block(FailedAssumption::Axiom(index));
                }
            }
        }
        let procedure = module.procedure(self.entry);
        if procedure.blocks.is_none() {
            return Err(EvalError::NoDecision("the entry procedure has no body".into()).into());
        }
        let parameters = procedure.locals_with(Mode::Parameter).map(|_| Slot::Initial).collect();
        self.open(self.entry, parameters);
        if self.options.invariants {
            for (index, invariant) in module.invariants.iter().enumerate() {
                let cx = Context { exprs: &invariant.exprs, ..self.here() };
                if !self.holds(cx, invariant.condition)? {
                    return self.block(FailedAssumption::Invariant(index));
                }
            }
        }
        for (index, clause) in procedure.contract.requires.iter().enumerate() {
            if !self.holds(self.here(), clause.condition)? {
                return self.block(FailedAssumption::Requires(self.entry, index));
            }
        }
        if self.options.facts {
            self.check_measure(self.site(), &procedure.contract)?;
        }
        Ok(())
    }

    /// Opens a frame.
    fn open(&mut self, id: ProcedureId, parameters: Vec<Slot>) {
        let procedure = self.module.procedure(id);
        let old = self.facts(id).uses_old.then(|| {
            Box::new(Snapshot {
                globals: self.globals.clone(),
                parameters: parameters.clone(),
                time: self.objects.now(),
            })
        });
        let mut locals = parameters;
        locals.resize_with(procedure.locals.len(), || Slot::Undefined);
        self.frames.push(Frame {
            id,
            procedure,
            blocks: procedure.blocks.as_deref().unwrap_or_default(),
            block: BlockId(0),
            statement: 0,
            locals,
            old,
            stack: Vec::new(),
            pending: None,
            measures: Vec::new(),
            has_measure: false,
        });
    }

    /// Executes a call.
    pub(crate) fn call(
        &mut self,
        cx: Context<'m>,
        results: &'m [Place],
        callee: &'m Callee,
        arguments: &'m [ExprId],
        caught: Option<&'m (Place, Option<Place>)>,
    ) -> Result<(), Stop> {
        let Some(callee) = self.callee(cx, callee)? else {
            let what = "a call of a procedure that is not among the candidates".to_owned();
            let cut = Ending::Cut(CutReason::Unsupported(what));
            return Err(Outcome::Exit(cut).into());
        };
        if self.frames.len() >= self.options.depth {
            return Err(EvalError::OutOfSteps.into());
        }
        let arguments: Vec<Value> = arguments
            .iter()
            .map(|argument| self.evaluate(cx, *argument))
            .collect::<Result<_, _>>()?;
        let pending = Pending {
            results: results
                .iter()
                .map(|place| self.locate(cx, place))
                .collect::<Result<_, _>>()?,
            caught: match caught {
                None => None,
                Some((flag, value)) => {
                    let flag = self.locate(cx, flag)?;
                    let value = value.as_ref().map(|value| self.locate(cx, value)).transpose()?;
                    Some((flag, value))
                }
            },
        };
        let exception = self.caught_type()?;
        let site = self.site();
        self.frames[cx.frame].pending = Some(pending);
        let depth = self.frames.len() - 1;
        self.oracle.called(site, depth, callee);
        let stands_in = self.oracle.stub(depth, callee);
        let called = stands_in.unwrap_or(callee);
        let procedure = self.module.procedure(called);
        let follows = stands_in.is_some()
            || procedure.blocks.is_some() && self.oracle.executes_body(site, depth, callee);
        self.note(|_| {
            let arguments = arguments.clone();
            if follows {
                EventKind::Called(callee, arguments)
            } else {
                EventKind::UnknownCall(callee, arguments)
            }
        });
        self.open(called, arguments.iter().cloned().map(Slot::Is).collect());
        self.check_requires(site, called, &procedure.contract)?;
        if self.options.facts {
            self.check_measure(site, &procedure.contract)?;
        }
        if follows {
            return Ok(());
        }
        let may_throw =
            caught.is_some() || procedure.contract.ensures.iter().any(|clause| clause.exceptional);
        let throws = self.call_unknown(site, callee, &arguments, may_throw, exception)?;
        match self.close(throws)? {
            None => Ok(()),
            Some(exception) => self.leave(Some(exception)),
        }
    }

    /// The type of the place that receives an exception of the current call: that call or an enclosing one
    /// catches it.
    fn caught_type(&self) -> Result<Option<&'m Type>, EvalError> {
        for (index, frame) in self.frames.iter().enumerate().rev() {
            let statement = frame.blocks[frame.block.0 as usize].statements.get(frame.statement);
            if let Some(StatementKind::Call { caught: Some((_, place)), .. }) =
                statement.map(|statement| &statement.kind)
            {
                return place.as_ref().map(|place| self.type_of(index, place)).transpose();
            }
        }
        Ok(None)
    }

    fn callee(
        &mut self,
        cx: Context<'m>,
        callee: &Callee,
    ) -> Result<Option<ProcedureId>, EvalError> {
        match callee {
            Callee::Procedure(id) => Ok(Some(*id)),
            Callee::Choice(chosen, candidates) => {
                let chosen = self.evaluate(cx, *chosen)?;
                for (value, id) in candidates {
                    let value = self.evaluate(cx, *value)?;
                    if equal(self, &chosen, &value)? {
                        return Ok(Some(*id));
                    }
                }
                Ok(None)
            }
        }
    }

    fn check_requires(
        &mut self,
        site: Site,
        callee: ProcedureId,
        contract: &'m Contract,
    ) -> Result<(), Stop> {
        let cx = self.here();
        for (index, clause) in contract.requires.iter().enumerate() {
            if self.holds(cx, clause.condition)? {
                continue;
            }
            if clause.free {
                return self.block(FailedAssumption::Requires(callee, index));
            }
            let obligation = Obligation::Requires(callee, index);
            return self.fail(site, AssertKind::Precondition, &clause.message, obligation);
        }
        Ok(())
    }

    /// Checks that the measure of a procedure that is called again is smaller than that of its open
    /// call, which must not be negative.
    fn check_measure(&mut self, site: Site, contract: &'m Contract) -> Result<(), Stop> {
        let Some(measure) = contract.decreases else { return Ok(()) };
        let cx = self.here();
        let id = self.frames[cx.frame].id;
        let value = integer(&self.evaluate(cx, measure)?)?.clone();
        let measures = self.measures.entry(id).or_default();
        let before = measures.last().cloned();
        measures.push(value.clone());
        self.frames[cx.frame].has_measure = true;
        match before {
            Some(before) if before.is_negative() || value >= before => {
                let message = "the procedure's measure does not decrease in a recursive call";
                self.fail(site, AssertKind::Progress, message, Obligation::Measure(id))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Lets the oracle say what the callee of the innermost frame does. Gives the exception that it
    /// exits with, if it does.
    fn call_unknown(
        &mut self,
        site: Site,
        callee: ProcedureId,
        arguments: &[Value],
        may_throw: bool,
        exception: Option<&'m Type>,
    ) -> Result<Option<Option<Value>>, Stop> {
        let cx = self.here();
        let procedure = self.module.procedure(callee);
        let (targets, types) = self.writable(cx, procedure)?;
        let results = procedure.locals_with(Mode::Result);
        let results: Vec<_> = results.map(|id| (id, procedure.local(id).ty.clone())).collect();
        let result_types: Vec<Type> = results.iter().map(|(_, ty)| ty.clone()).collect();
        let mut globals = self.state();
        // Memory of the environment exists from the start, whether or not the execution has read it.
        for (id, known) in (0..).map(ir::GlobalId).zip(&mut globals) {
            if let (None, Some(Value::Bytes(given))) = (&known, self.inputs.globals.get(&id)) {
                *known = Some(Value::Bytes(self.with_statics(given.clone())?));
            }
        }
        let call = UnknownCall {
            module: self.module,
            site,
            root: self.frames[0].site(),
            callee,
            arguments,
            results: &result_types,
            places: &types,
            has_modifies: procedure.contract.modifies.is_some(),
            may_throw,
            exception,
            globals: &globals,
            objects: (&self.objects, self.objects.now()),
            next_object: self.objects.next(),
        };
        let Some(result) = self.oracle.call(&call) else {
            return Err(EvalError::NoDecision(format!("what `{}` does", procedure.name)).into());
        };
        let CallResult { allocates, frees, writes, opens, resets, results: values, throws } =
            result;
        let root = self.frames[0].site();
        for object in &allocates {
            let number = self.objects.allocate(object)?;
            self.oracle.allocated(number, site, root);
        }
        for object in frees {
            self.objects.free(object);
        }
        let source = MapSource::Answer(site);
        for (index, value) in writes {
            let Some((target, ty)) = targets.get(index).zip(types.get(index)) else {
                return Err(EvalError::BadDecision("there is no such place to write".into()).into());
            };
            let value = self.adopt(value, ty, source)?;
            let value = self.over_memory(cx, target, value)?;
            self.write(cx.frame, target, value, Cause::Effect)?;
        }
        self.reset(&resets);
        self.opened.extend(opens);
        let throws = match throws {
            None => {
                if values.len() != results.len() {
                    return Err(EvalError::BadDecision("a result is missing".into()).into());
                }
                for (value, (id, ty)) in values.into_iter().zip(results) {
                    let value = self.adopt(value, &ty, source)?;
                    *self.slot(cx.frame, Variable::Local(id)) = Slot::Is(value);
                }
                None
            }
            Some(Some(value)) => match exception {
                Some(ty) => Some(Some(self.adopt(value, ty, source)?)),
                None => Some(Some(value)),
            },
            Some(None) => Some(None),
        };
        self.check_answer(site, callee, &procedure.contract, throws.is_some())?;
        Ok(throws)
    }

    /// The places that a callee may write, and their types.
    fn writable(
        &mut self,
        cx: Context<'m>,
        procedure: &'m Procedure,
    ) -> Result<(Vec<Target>, Vec<Type>), EvalError> {
        let mut targets = Vec::new();
        let mut types = Vec::new();
        match &procedure.contract.modifies {
            Some(places) => {
                for place in places {
                    targets.push(self.locate(cx, place)?);
                    types.push(self.type_of(cx.frame, place)?.clone());
                }
            }
            None => {
                for (index, global) in (0..).zip(&self.module.globals) {
                    let variable = Variable::Global(ir::GlobalId(index));
                    targets.push(Target { variable, path: Vec::new() });
                    types.push(global.ty.clone());
                }
            }
        }
        Ok((targets, types))
    }

    /// Checks the oracle's result against the callee's postconditions, as far as they can be evaluated.
    fn check_answer(
        &mut self,
        site: Site,
        callee: ProcedureId,
        contract: &'m Contract,
        exceptional: bool,
    ) -> Result<(), Stop> {
        let cx = self.here();
        for (index, clause) in contract.ensures.iter().enumerate() {
            if clause.exceptional != exceptional {
                continue;
            }
            match self.holds(cx, clause.clause.condition) {
                Ok(true) => {}
                Ok(false) => return Err(EvalError::Contract(callee, index).into()),
                Err(fault) if fault.is_unknown() => {
                    self.unchecked.push(UncheckedClause { site, callee, clause: index, fault });
                }
                Err(fault) => return Err(fault.into()),
            }
        }
        Ok(())
    }

    /// Leaves the innermost procedure, by an exception if one is given, and with it those of its
    /// callers that do not catch the exception.
    pub(crate) fn leave(&mut self, throws: Option<Option<Value>>) -> Result<(), Stop> {
        let mut throws = throws;
        loop {
            let index = self.frames.len() - 1;
            for object in std::mem::take(&mut self.frames[index].stack) {
                self.objects.free(object);
            }
            if index == 0 {
                return self.finish(throws);
            }
            match self.close(throws)? {
                None => return Ok(()),
                Some(exception) => throws = Some(exception),
            }
        }
    }

    /// Gives what the innermost frame's procedure leaves behind to its caller, which goes on. Gives
    /// back the exception if the caller does not catch it.
    fn close(&mut self, throws: Option<Option<Value>>) -> Result<Option<Option<Value>>, Stop> {
        let Some(frame) = self.frames.pop() else { return Ok(throws) };
        if frame.has_measure
            && let Some(measures) = self.measures.get_mut(&frame.id)
        {
            measures.pop();
        }
        let index = self.frames.len() - 1;
        let caller = &mut self.frames[index];
        let Pending { results, caught } = caller.pending.take().unwrap_or_default();
        if let Some(exception) = throws {
            self.note(|_| EventKind::Threw(frame.id, exception.clone()));
            let Some((flag, place)) = caught else { return Ok(Some(exception)) };
            self.write(index, &flag, Value::Bool(true), Cause::Result)?;
            if let (Some(place), Some(value)) = (place, exception) {
                self.write(index, &place, value, Cause::Result)?;
            }
        } else {
            self.note(|_| EventKind::Returned(frame.id));
            if let Some((flag, _)) = caught {
                self.write(index, &flag, Value::Bool(false), Cause::Result)?;
            }
            let mut locals = frame.locals;
            let values = frame.procedure.locals_with(Mode::Result);
            for (target, id) in results.iter().zip(values) {
                match std::mem::replace(&mut locals[id.0 as usize], Slot::Undefined) {
                    Slot::Is(value) => self.write(index, target, value, Cause::Result)?,
                    Slot::Undefined | Slot::Initial => self.forget(index, target)?,
                }
            }
        }
        self.next();
        Ok(None)
    }

    /// Ends the execution at the exit of the entry procedure, where its postconditions are checked. A
    /// parameter in a postcondition has the value that the caller passed, whatever the body has assigned to
    /// it.
    fn finish(&mut self, throws: Option<Option<Value>>) -> Result<(), Stop> {
        let (cx, site) = (self.here(), self.site());
        let procedure = self.frames[cx.frame].procedure;
        for id in procedure.locals_with(Mode::Parameter) {
            self.frames[cx.frame].locals[id.0 as usize] = Slot::Initial;
        }
        for (index, clause) in procedure.contract.ensures.iter().enumerate() {
            let applies = clause.exceptional == throws.is_some() && !clause.clause.free;
            if applies && !self.holds(cx, clause.clause.condition)? {
                let message = &clause.clause.message;
                let obligation = Obligation::Ensures(index);
                return self.fail(site, clause.kind(), message, obligation);
            }
        }
        if self.options.invariants {
            for (index, invariant) in self.module.invariants.iter().enumerate() {
                let cx = Context { exprs: &invariant.exprs, ..cx };
                if !self.holds(cx, invariant.condition)? {
                    let message = "an invariant does not hold at exit";
                    let obligation = Obligation::Invariant(index);
                    return self.fail(site, AssertKind::Invariant, message, obligation);
                }
            }
        }
        let ending = match throws {
            Some(value) => Ending::Exceptional(value),
            None => {
                let results: Vec<_> = procedure.locals_with(Mode::Result).collect();
                let locals = &self.frames[cx.frame].locals;
                let value = |id: ir::LocalId| match &locals[id.0 as usize] {
                    Slot::Is(value) => Some(value.clone()),
                    Slot::Undefined | Slot::Initial => None,
                };
                Ending::Normal(results.into_iter().map(value).collect())
            }
        };
        Err(Outcome::Exit(ending).into())
    }
}
