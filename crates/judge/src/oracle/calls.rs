//! Functions without a body: what they return, write, allocate and free, as the witness or a property
//! file has it, else as completed.

use interpret::{
    Bytes, CallResult, DecisionKind, NewObject, Pointer, Site, SiteDecision, UnknownCall, Value,
};
use ir::address::ENVIRONMENT;
use ir::{Expr, ExprId, StatementKind, Storage, Type, Variable};
use property::{Allocator, FunctionDeclaration, OperationTarget};

use super::{Completing, MADE, ObservedCall, ROOM};
use crate::observe::{Fit, subject, target};
use crate::record::Answered;
use crate::witness::{Scalar, WitnessCall, word};

/// The maximum size of a result that is returned through a pointer, in bytes.
const RESULT: u64 = 8;

impl Completing<'_> {
    /// The effects of a function without a body.
    pub(super) fn answer_call(&mut self, request: &UnknownCall<'_>) -> Option<CallResult> {
        let name = self.name(request.callee).to_owned();
        let point = self.point(request.root);
        let memory = Self::memory_of(request);
        let mut said = CallResult::default();
        let mut written = Bytes::default();
        let ty = request.results.first();
        let fixed = match self.said(DecisionKind::Call, request.site) {
            Some(SiteDecision::Call(answer)) => Some(answer),
            Some(SiteDecision::Havoc(_) | SiteDecision::Fails(_) | SiteDecision::Object(_))
            | None => None,
        };
        let mut answer = self.witness_call(&name);
        let returned = answer.and_then(|answer| answer.result).zip(ty);
        // The proposal may give a function a result that it cannot return.
        let is_returned = returned.is_some_and(|(result, ty)| result.value(ty).is_some());
        if is_returned && fixed.is_none() && self.decide(2) == 1 {
            answer = None;
        }
        if let Some(answer) = answer {
            written = self.apply(answer, &mut said);
        }
        let given = answer.and_then(|answer| answer.result);
        let given = ty.and_then(|ty| self.renamed(given?).value(ty));
        let fixed_result = fixed.and_then(|answer| answer.results.first());
        let given = fixed_result.map(|value| self.in_run(value)).or(given);
        if let Some(fixed) = fixed {
            said.allocates.extend(fixed.allocates.iter().cloned());
            said.frees.extend(&fixed.frees);
        }
        let index = self.index;
        let declared = index.declared(&name);
        let mut result = given;
        if let Some(declared) = declared {
            let allocator = declared.allocator.map(|n| &index.properties().allocators[n]);
            if let (Some(allocator), true) =
                (allocator, declared.operations.is_empty() && fixed.is_none())
            {
                result = self.allocate(allocator, request, answer, &mut said, &mut written);
            } else if let Some(argument) = declared.identity {
                let passed = request.arguments.get(argument as usize);
                result = passed.zip(ty).and_then(|(value, ty)| same_address(value, ty)).or(result);
            } else if result.is_none() && !declared.operations.is_empty() {
                result = self.operated(declared, request, &mut said);
            }
            for argument in &declared.releases {
                if let Some(object) = request.arguments.get(*argument as usize).and_then(target) {
                    self.observer.release(object);
                }
            }
            for argument in &declared.frees {
                let freed = request.arguments.get(*argument as usize).and_then(target);
                said.frees.extend(freed);
            }
        }
        if let (None, Some(ty)) = (&result, ty) {
            let found = self.complete(ty, request.site)?;
            said.allocates.extend(found.object);
            result = Some(found.value);
        }
        let number = self.observed.len();
        if let (Some((changed, scalar)), Some(ty)) = (self.changed, ty)
            && changed == number
        {
            result = scalar.value(ty).or(result);
        }
        if let Some(declared) = declared {
            for operation in &declared.operations {
                let result = result.as_ref();
                self.observer.operate(point, &name, *operation, request.arguments, result);
            }
        }
        let contract = &request.module.procedure(request.callee).contract;
        let only_looks = contract.modifies.as_ref().is_some_and(Vec::is_empty);
        if declared.is_none() && !only_looks {
            self.observer.escape(request.arguments, memory.as_ref(), request.objects);
            if fixed.is_none() {
                self.set_parameters(request, memory.as_ref(), &written, &mut said);
            }
        }
        self.observed.push(ObservedCall {
            callee: name,
            point,
            result: result.as_ref().and_then(Scalar::of),
            is_declared: declared.is_some(),
        });
        if self.observer.is_infeasible {
            return None;
        }
        if let Some(notes) = &mut self.notes {
            notes.answered(Answered {
                callee: request.callee,
                arguments: request.arguments.to_vec(),
                result: result.clone(),
                writes: written.clone(),
                allocates: said.allocates.clone(),
            });
            notes.saw(&self.observer.seen);
        }
        let position = request.places.iter().position(|place| *place == Type::Bytes);
        if let Some(position) = position {
            said.writes.push((position, Value::Bytes(written)));
        }
        said.writes.extend(fixed.into_iter().flat_map(|fixed| {
            fixed.writes.iter().map(|(place, value)| (*place, self.in_run(value)))
        }));
        said.results.extend(result);
        Some(said)
    }

    /// Sets what arguments point to, as far as it is the execution's own: what is unset, and a small object that
    /// holds zero, which is likely a result.
    fn set_parameters(
        &mut self,
        request: &UnknownCall<'_>,
        memory: Option<&Bytes>,
        written: &Bytes,
        said: &mut CallResult,
    ) {
        let (objects, now) = request.objects;
        for argument in request.arguments {
            let Value::Ptr(at) = argument else { continue };
            let is_own = (self.module.objects.len() as u64 + 1..ENVIRONMENT).contains(&at.object);
            let is_live = objects.is_live(at.object, now);
            if !is_own || !is_live || said.opens.contains(&at.object) {
                continue;
            }
            let size = objects.size(at.object, now);
            let byte = |n| memory.and_then(|memory| memory.written_at(at.object, n));
            let is_set = (0..size.min(RESULT)).any(|n| byte(n).is_some());
            let is_zero = size <= RESULT && (0..size).all(|n| byte(n) == Some(0));
            let is_said = (0..size.min(RESULT)).any(|n| written.written_at(at.object, n).is_some());
            if is_said {
                continue;
            }
            self.opens.insert(at.object);
            said.opens.push(at.object);
            if size <= RESULT && (!is_set || is_zero && self.decide(2) == 0) {
                said.resets.push(at.object);
            }
        }
    }

    fn memory_of(request: &UnknownCall<'_>) -> Option<Bytes> {
        match request.globals.first() {
            Some(Some(Value::Bytes(memory))) => Some(memory.clone()),
            _ => None,
        }
    }

    /// The writes, allocations and result of a call without a body, as the witness has them.
    fn apply(&mut self, answer: &WitnessCall, said: &mut CallResult) -> Bytes {
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
    fn make(&mut self, known: Option<u64>, size: u64, said: &mut CallResult) -> u64 {
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
    fn size(allocator: &Allocator, request: &UnknownCall<'_>) -> u64 {
        let sizes = allocator.sizes.iter().filter_map(|n| request.arguments.get(*n as usize));
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
        request: &UnknownCall<'_>,
        answer: Option<&WitnessCall>,
        said: &mut CallResult,
        written: &mut Bytes,
    ) -> Option<Value> {
        let ty = request.results.first();
        let known = answer.and_then(|answer| answer.allocates.first().copied());
        let fails = match answer.and_then(|answer| answer.result) {
            _ if allocator.never_fails => false,
            Some(Scalar::Pointer(object, _)) => object == 0,
            // A number above zero is a count, as of `asprintf`, or an error, as of `posix_memalign`.
            Some(Scalar::Word(width, bits)) => {
                let is_negative = width > 0 && bits >> (width - 1) & 1 == 1;
                is_negative || bits != 0 && self.decide(2) == 1
            }
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
            None => self.make(None, Self::size(allocator, request), said),
        };
        let new = Pointer::to(number);
        if let Some(replaced) = allocator.replaces
            && let Some(old) = request.arguments.get(replaced as usize).and_then(target)
        {
            said.frees.push(old);
            self.observer.release(old);
        }
        if let Some(owner) = allocator.owner
            && request.arguments.get(owner as usize).and_then(target).is_some()
        {
            self.observer.release(number);
        }
        match (allocator.through, ty) {
            (Some(through), ty) => {
                if let Some(Value::Ptr(to)) = request.arguments.get(through as usize)
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

    /// Whether the result of a call is ignored.
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

    /// The result of an operation on states: that of the witness, else one that moves the object.
    fn operated(
        &mut self,
        declared: &FunctionDeclaration,
        request: &UnknownCall<'_>,
        said: &mut CallResult,
    ) -> Option<Value> {
        let ty = request.results.first()?;
        let operations = declared.operations.clone();
        let machines = &self.index.properties().machines;
        let first =
            operations.first().map(|&(property, number)| &machines[property].operations[number]);
        if let (Some(operation), Type::Ptr) = (first, ty)
            && operation.object == OperationTarget::Result
        {
            // A stream that the witness does not describe is a new one.
            if self.decide(2) == 1 {
                return Some(Value::Ptr(Pointer::NULL));
            }
            return Some(Value::Ptr(Pointer::to(self.make(None, ROOM, said))));
        }
        let Type::Bv(width) = ty else {
            return self.complete(ty, request.site).map(|found| {
                said.allocates.extend(found.object);
                found.value
            });
        };
        if first.is_some_and(|operation| operation.object == OperationTarget::Result) {
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
                    OperationTarget::Argument(argument) => request.arguments.get(argument as usize),
                    OperationTarget::Result => None,
                };
                let of = moved.and_then(subject);
                self.observer.fits((property, number), of, Some(&value))
            });
            let fit = fit.max().unwrap_or(Fit::Stays);
            values.push((fit, place, value));
        }
        values.retain(|(fit, ..)| *fit != Fit::Never);
        // A caller that does not check whether an operation has failed expects it to succeed.
        if values.iter().any(|(fit, ..)| *fit == Fit::Moves) && self.is_ignored(request.site) {
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
