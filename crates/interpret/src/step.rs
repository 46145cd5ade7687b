//! Executing statements and ends of blocks.

use ir::{
    Allocation, AssertKind, BlockId, CutReason, Exit, Expr, ExprId, Exprs, Memory, Op, Place,
    Statement, StatementKind, Storage, TerminatorKind,
};

use crate::apply::{pointer, word};
use crate::equal::canonical_key;
use crate::error::EvalError;
use crate::machine::{Context, Machine};
use crate::memory::{NewObject, PAGE, Pointer};
use crate::oracle::{MapSource, OpenValue};
use crate::run::{
    Ending, Execution, FailedAssumption, Failure, LastStatement, Obligation, Outcome, Site,
};
use crate::trace::{Cause, EventKind, Step, Target};
use crate::value::{Key, Value};

/// Why an execution stops.
pub(crate) enum Stop {
    /// It is over.
    End(Box<Outcome>),
    /// It cannot go on.
    Fault(EvalError),
}

impl From<EvalError> for Stop {
    fn from(fault: EvalError) -> Stop {
        Stop::Fault(fault)
    }
}

impl From<Outcome> for Stop {
    fn from(outcome: Outcome) -> Stop {
        Stop::End(Box::new(outcome))
    }
}

impl<'m> Machine<'m, '_> {
    /// Executes to the end.
    pub(crate) fn run(mut self) -> Execution {
        let outcome = match self.start().and_then(|()| self.go()) {
            Ok(never) => match never {},
            Err(Stop::End(outcome)) => *outcome,
            Err(Stop::Fault(EvalError::OutOfSteps)) => Outcome::OutOfSteps,
            Err(Stop::Fault(fault)) => Outcome::Error { site: self.site(), fault },
        };
        let depth = self.frames.len().saturating_sub(1) as u32;
        let last = LastStatement { site: self.site(), depth, reads: self.reads.clone() };
        Execution {
            outcome,
            globals: self.state(),
            steps: self.steps,
            trace: self.trace,
            last,
            objects: self.objects,
            passed: self.passed.into_iter().collect(),
            taken: self.taken.into_iter().collect(),
            unchecked_clauses: self.unchecked,
            completed: self.completed,
            found: self.found,
        }
    }

    fn go(&mut self) -> Result<std::convert::Infallible, Stop> {
        loop {
            if self.steps >= self.options.steps {
                return Err(EvalError::OutOfSteps.into());
            }
            self.steps += 1;
            self.reads.clear();
            let frame = &self.frames[self.frames.len() - 1];
            let block = &frame.blocks[frame.block.0 as usize];
            let point = match block.statements.get(frame.statement) {
                Some(statement) => statement.point,
                None => block.terminator.point,
            };
            if self.options.coverage {
                self.passed.insert((frame.id, point));
            }
            let frame = &self.frames[self.frames.len() - 1];
            match block.statements.get(frame.statement) {
                Some(statement) => self.statement(statement)?,
                None => self.terminator(&block.terminator.kind)?,
            }
        }
    }

    /// Ends the execution with a failed obligation.
    pub(crate) fn fail<T>(
        &self,
        site: Site,
        kind: AssertKind,
        message: &str,
        obligation: Obligation,
    ) -> Result<T, Stop> {
        let (message, pointer) = (message.to_owned(), None);
        Err(Outcome::Failed(Failure { site, kind, message, obligation, pointer }).into())
    }

    /// Ends the execution as blocked.
    pub(crate) fn block<T>(&self, by: FailedAssumption) -> Result<T, Stop> {
        Err(Outcome::Blocked { site: self.site(), by }.into())
    }

    fn statement(&mut self, statement: &'m Statement) -> Result<(), Stop> {
        let cx = self.here();
        match &statement.kind {
            StatementKind::Assign(pairs) => self.assign(cx, pairs)?,
            StatementKind::Havoc { place, condition, reason } => {
                let target = self.locate(cx, place)?;
                let ty = self.type_of(cx.frame, place)?;
                let source = MapSource::Answer(self.site());
                let Some(value) = self.ask(OpenValue::Havoc(place, *reason), ty, source)? else {
                    return Err(
                        EvalError::NoDecision("the value of a havocked place".into()).into()
                    );
                };
                let value = self.over_memory(cx, &target, value)?;
                self.write(cx.frame, &target, value, Cause::Havoc)?;
                if let Some(condition) = condition
                    && !self.holds(cx, *condition)?
                {
                    return self.block(FailedAssumption::Where);
                }
            }
            StatementKind::Assume { condition, reason } => {
                if !self.holds(cx, *condition)? {
                    return self.block(FailedAssumption::Assume(*reason));
                }
            }
            StatementKind::Assert { condition, kind, message } => {
                if !self.holds(cx, *condition)? {
                    let asked = asked_of(cx.exprs, *condition, *kind);
                    let asked = asked.map(|asked| self.evaluate(cx, asked)).transpose()?;
                    let asked = asked.and_then(|value| pointer(&value).ok());
                    if !asked.is_some_and(|pointer| self.oracle.assumes_valid(*kind, pointer)) {
                        let (site, kind, message) = (self.site(), *kind, message.clone());
                        let (obligation, pointer) = (Obligation::Assertion, asked);
                        let failure = Failure { site, kind, message, obligation, pointer };
                        return Err(Outcome::Failed(failure).into());
                    }
                }
            }
            StatementKind::Allocate { place, allocation } => {
                let target = self.locate(cx, place)?;
                let value = self.allocate(cx, allocation)?;
                self.write(cx.frame, &target, value, Cause::Allocation)?;
            }
            StatementKind::Free(what) => {
                let freed = pointer(&self.evaluate(cx, *what)?)?;
                self.objects.free(freed.object);
                self.note(|_| EventKind::Freed(freed));
            }
            StatementKind::Call { results, callee, arguments, caught } => {
                return self.call(cx, results, callee, arguments, caught.as_ref());
            }
            StatementKind::Unsupported { what, writes: _ } => {
                let cut = Ending::Cut(CutReason::Unsupported(what.clone()));
                return Err(Outcome::Exit(cut).into());
            }
        }
        self.next();
        Ok(())
    }

    /// Goes on to the next statement of the block.
    pub(crate) fn next(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.statement += 1;
        }
    }

    fn assign(&mut self, cx: Context<'m>, pairs: &'m [(Place, ExprId)]) -> Result<(), EvalError> {
        if let [(place, expr)] = pairs {
            let (target, value) = match self.as_update(cx, place, *expr)? {
                Some(update) => update,
                None => {
                    self.steps += self.pages(cx, *expr)?;
                    (self.locate(cx, place)?, self.evaluate(cx, *expr)?)
                }
            };
            return self.write(cx.frame, &target, value, Cause::Assignment);
        }
        let mut writes = Vec::with_capacity(pairs.len());
        for (place, expr) in pairs {
            writes.push((self.locate(cx, place)?, self.evaluate(cx, *expr)?));
        }
        for (target, value) in writes {
            self.write(cx.frame, &target, value, Cause::Assignment)?;
        }
        Ok(())
    }

    /// The number of pages that an expression copies or fills; each costs one step.
    fn pages(&mut self, cx: Context<'m>, expr: ExprId) -> Result<u64, EvalError> {
        let Expr::Op(Op::Memory(Memory::Copy | Memory::Fill), operands) = cx.exprs.get(expr) else {
            return Ok(0);
        };
        let count = *operands.last().expect("it has a number of bytes");
        let count = word(&self.evaluate(cx, count)?)?.small().unwrap_or(0);
        Ok(count / PAGE)
    }

    /// `m := m[k := v]` as `m[k] := v`, which changes the map in place, and likewise for memory.
    fn as_update(
        &mut self,
        cx: Context<'m>,
        place: &'m Place,
        expr: ExprId,
    ) -> Result<Option<(Target, Value)>, EvalError> {
        let Expr::Op(op, operands) = cx.exprs.get(expr) else { return Ok(None) };
        let is_update = match op {
            Op::Store | Op::Memory(Memory::Store(_)) => place.path.is_empty(),
            _ => false,
        };
        if !is_update || *cx.exprs.get(operands[0]) != Expr::Read(place.variable) {
            return Ok(None);
        }
        let (value, keys) = operands[1..].split_last().expect("a store has a value");
        let keys: Key = keys.iter().map(|key| self.evaluate(cx, *key)).collect::<Result<_, _>>()?;
        let step = match op {
            Op::Memory(Memory::Store(ty)) => Step::View(pointer(&keys[0])?, ty.clone()),
            _ => Step::Index(canonical_key(self, keys)?),
        };
        let value = self.evaluate(cx, *value)?;
        // The whole map is read, so it must be defined, although only a part of it is written.
        self.read(cx, place.variable)?;
        Ok(Some((Target { variable: place.variable, path: vec![step] }, value)))
    }

    /// The new value of a place after a decision. For memory a decision lists the bytes that are overwritten;
    /// the others keep their values.
    pub(crate) fn over_memory(
        &mut self,
        cx: Context<'m>,
        target: &Target,
        answer: Value,
    ) -> Result<Value, EvalError> {
        let Value::Bytes(answer) = answer else { return Ok(answer) };
        Ok(match self.read(cx, target.variable)? {
            Value::Bytes(before) if target.path.is_empty() => {
                Value::Bytes(before.overwritten(&answer))
            }
            _ => Value::Bytes(answer),
        })
    }

    fn allocate(
        &mut self,
        cx: Context<'m>,
        allocation: &'m Allocation,
    ) -> Result<Value, EvalError> {
        match allocation {
            Allocation::Atom(sort) => self.allocate_atom(*sort),
            Allocation::Object { size, storage, may_fail } => {
                let size = self.evaluate(cx, *size)?;
                let Some(size) = word(&size)?.small() else {
                    return EvalError::ill_typed("the size of an object has 64 bits");
                };
                if *may_fail {
                    let site = self.site();
                    match self.oracle.fails(site, size) {
                        Some(true) => return Ok(Value::Ptr(Pointer::NULL)),
                        Some(false) => {}
                        None => {
                            return Err(EvalError::NoDecision(
                                "whether an allocation fails".into(),
                            ));
                        }
                    }
                }
                let number = self.oracle.object(self.site());
                let object = NewObject { number, ..NewObject::new(size, *storage) };
                let object = self.objects.allocate(&object)?;
                self.oracle.allocated(object, self.site(), self.frames[0].site());
                if *storage == Storage::Stack
                    && let Some(frame) = self.frames.last_mut()
                {
                    frame.stack.push(object);
                }
                Ok(Value::Ptr(Pointer::to(object)))
            }
        }
    }

    fn terminator(&mut self, terminator: &'m TerminatorKind) -> Result<(), Stop> {
        let cx = self.here();
        match terminator {
            TerminatorKind::Goto(targets) => match targets[..] {
                [target] => self.enter(target),
                _ => {
                    let site = self.site();
                    let Some(chosen) = self.oracle.choose(site, targets.len()) else {
                        return Err(EvalError::NoDecision("which target to jump to".into()).into());
                    };
                    let Some(target) = targets.get(chosen) else {
                        return Err(EvalError::BadDecision("there is no such target".into()).into());
                    };
                    self.note(|_| EventKind::Entered(*target));
                    self.enter(*target)
                }
            },
            TerminatorKind::Branch(condition, yes, no) => {
                let holds = self.holds(cx, *condition)?;
                if !self.oracle.branched(self.site(), self.frames.len() - 1, holds) {
                    return Err(EvalError::NoDecision("how the execution continues".into()).into());
                }
                if self.options.coverage {
                    let frame = &self.frames[self.frames.len() - 1];
                    let point = frame.blocks[frame.block.0 as usize].terminator.point;
                    self.taken.insert((frame.id, point, holds));
                }
                let target = if holds { *yes } else { *no };
                self.note(|_| EventKind::Entered(target));
                self.enter(target)
            }
            TerminatorKind::Exit(exit) => match exit {
                Exit::Normal => self.leave(None),
                Exit::Exceptional(value) => {
                    let value = match value {
                        Some(value) => Some(self.evaluate(cx, *value)?),
                        None => None,
                    };
                    self.leave(Some(value))
                }
                Exit::Intended(reason) => {
                    Err(Outcome::Exit(Ending::Intended(reason.clone())).into())
                }
                Exit::Cut(reason) => Err(Outcome::Exit(Ending::Cut(reason.clone())).into()),
            },
        }
    }

    /// Goes to the start of a block.
    fn enter(&mut self, target: BlockId) -> Result<(), Stop> {
        let index = self.frames.len() - 1;
        let frame = &mut self.frames[index];
        let from = (frame.block, frame.site());
        frame.block = target;
        frame.statement = 0;
        if self.options.facts && frame.blocks[target.0 as usize].facts.is_some() {
            return self.check_loop(from, target);
        }
        Ok(())
    }
}

/// The pointer of which an obligation asks whether it leads to an object, to one that is not freed, or to one that can
/// be freed.
fn asked_of(exprs: &Exprs, condition: ExprId, kind: AssertKind) -> Option<ExprId> {
    let mut pending = vec![condition];
    while let Some(id) = pending.pop() {
        match (exprs.get(id), kind) {
            (Expr::Op(Op::PtrSameObject, operands), AssertKind::NullDereference)
            | (
                Expr::Op(Op::Memory(Memory::IsLive), operands),
                AssertKind::UseAfterFree | AssertKind::DoubleFree,
            )
            | (Expr::Op(Op::Memory(Memory::IsHeap), operands), AssertKind::InvalidFree) => {
                return Some(operands[0]);
            }
            (other, _) => pending.extend(other.operands()),
        }
    }
    None
}
