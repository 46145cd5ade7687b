//! Calls: the application of declared operations and of summaries (Xie & Aiken 2007, Figure 9 and §6.5.3).

use ir::{Callee, ExprId, Mode, Place, ProcedureId, Statement, Type, Variable};

use crate::access::size_of;
use crate::fact::Effect;
use crate::space::{Atom, Input, Region, RegionId};
use crate::state::{State, mark, pointed_to, type_of};
use crate::stateful::Object;
use crate::summary::{Cell, Summary};
use crate::transition::Change;
use crate::value::{Location, Value, pointer};
use crate::walk::{CallEffects, Walk};
use circuit::Guard;
use property::{FunctionDeclaration, ResultTest};

/// The call that is applied.
pub(crate) struct Call<'c> {
    pub(crate) statement: &'c Statement,
    pub(crate) name: &'c str,
    pub(crate) arguments: Vec<Value>,
    pub(crate) result: Option<Value>,
    /// Whether the procedure ignores the result.
    pub(crate) is_ignored: bool,
    /// Its writes: the place, the size in bytes, and the value.
    writes: Vec<(Value, u32, Value)>,
}

impl Walk<'_> {
    pub(crate) fn call(
        &mut self,
        state: &mut State,
        statement: &Statement,
        results: &[Place],
        callee: &Callee,
        arguments: &[ExprId],
    ) {
        let arguments: Vec<Value> = arguments.iter().map(|id| self.value(state, *id)).collect();
        let module = self.module;
        let (name, id) = match callee {
            Callee::Procedure(id) => (name_of(module, *id), *id),
            Callee::Choice(_, candidates) => match candidates.first() {
                Some((_, id)) => ("", *id),
                None => return,
            },
        };
        let procedure = module.procedure(id);
        let ty =
            procedure.locals_with(Mode::Result).next().map(|id| procedure.local(id).ty.clone());
        let is_ignored = results.iter().all(|place| match place.variable {
            Variable::Local(id) => place.path.is_empty() && !self.looked_at.contains(&id),
            Variable::Global(_) => false,
        });
        let writes = Vec::new();
        let mut call = Call { statement, name, arguments, result: None, is_ignored, writes };
        let (epoch, made) = (self.space.last_epoch() + 1, self.fresh.len());
        let is_stale = state.is_stale;
        if let Some(declared) = self.index.declared(name) {
            self.declared_call(state, &mut call, declared, ty.as_ref());
        } else if let Some(summary) = self.callees.summary(name) {
            match self.space.is_must {
                true => self.must_call(state, &mut call, summary, ty.as_ref()),
                false => self.summarised_call(state, &mut call, summary, ty.as_ref()),
            }
        } else {
            call.result = ty.as_ref().map(|ty| self.open(ty));
            let only_looks = procedure.contract.modifies.as_ref().is_some_and(Vec::is_empty);
            if !only_looks {
                self.unknown_call(state, &call);
            }
        }
        let effects = CallEffects {
            result: call.result.clone(),
            writes: call.writes,
            epochs: epoch..self.space.last_epoch() + 1,
            new: self.fresh[made..].iter().map(|fresh| fresh.region).collect(),
        };
        self.effects.insert(self.site, effects);
        let only_looks = self.index.declared(name).is_some_and(|declared| declared.borrows);
        state.is_stale = is_stale || !only_looks;
        self.forget_memo();
        if let (Some(value), [place, ..]) = (call.result, results) {
            self.assign(state, place, value);
        }
    }

    fn forget_memo(&mut self) {
        for id in self.known.drain(..) {
            self.memo[id.0 as usize] = None;
        }
    }

    /// The arguments of an unknown callee escape, and it may write them.
    fn unknown_call(&mut self, state: &mut State, call: &Call<'_>) {
        self.may_report_change(state, call);
        for argument in &call.arguments {
            let targets = pointed_to(argument);
            self.escape(state, &targets);
            for (region, _) in self.reachable(state, &targets) {
                self.overwrite(state, region);
            }
        }
    }

    /// Havocs the typestates of objects that were reached through memory which was written since, at an unknown
    /// offset: the pointers may point to other objects now.
    fn havoc_states(&mut self, state: &mut State, holder: RegionId) {
        for (number, typestate) in &mut state.typestates {
            let found_in = match self.space.get(self.space.object(*number).region) {
                Region::Pointee(Input::Cell { region, .. }) => Some(self.space.whole(region)),
                Region::Pointee(_)
                | Region::Static(_)
                | Region::External(_)
                | Region::Stack(_)
                | Region::New(..)
                | Region::Element(..) => None,
            };
            if found_in == Some(self.space.whole(holder)) {
                typestate.vague = Guard::ALWAYS;
            }
        }
    }

    /// Havocs an object that unknown code may have written.
    fn overwrite(&mut self, state: &mut State, region: RegionId) {
        match self.space.get(region) {
            Region::Stack(_) | Region::New(..) => {
                // Of a structure the pointers are likely to be left that lead somewhere.
                let kept = match self.space.is_must {
                    true => Vec::new(),
                    false => state.pointers_of_structure(region, self.structures.contains(&region)),
                };
                if !kept.is_empty() {
                    self.structures.insert(region);
                }
                let epoch = self.space.new_epoch();
                state.forget(region, epoch);
                state.cells.extend(kept);
            }
            // The caller's objects are likely to be left; objects written here may be the wanted ones.
            Region::Pointee(_) | Region::Static(_) | Region::External(_) | Region::Element(..) => {
                state.forget_written(&mut self.space, region);
                state.overwritten.insert(region);
            }
        }
    }

    fn declared_call(
        &mut self,
        state: &mut State,
        call: &mut Call<'_>,
        declared: &FunctionDeclaration,
        ty: Option<&Type>,
    ) {
        for argument in &declared.releases {
            if let Some(value) = call.arguments.get(*argument as usize) {
                self.release(state, &value.clone());
            }
        }
        for argument in &declared.frees {
            if let Some(value) = call.arguments.get(*argument as usize) {
                mark(&mut self.space, &mut state.must_freed, value, Guard::ALWAYS);
            }
        }
        call.result = match (declared.allocator, declared.identity) {
            (Some(number), _) => self.allocation(state, call, number, ty),
            (None, Some(argument)) => self.identity(call, argument, ty),
            (None, None) => ty.map(|ty| self.open(ty)),
        };
        if !declared.operations.is_empty() || declared.borrows || declared.allocator.is_some() {
            for &(property, operation) in &declared.operations {
                self.operation(state, call, property, operation);
            }
            return;
        }
        if declared.releases.is_empty() && declared.identity.is_none() {
            self.unknown_call(state, call);
        }
    }

    fn identity(&mut self, call: &Call<'_>, argument: u32, ty: Option<&Type>) -> Option<Value> {
        let given = call.arguments.get(argument as usize)?;
        Some(match (given, ty?) {
            (Value::Pointer(locations), Type::Bv(width)) if *width == ir::ADDRESS_BITS => {
                Value::Word(self.space.addressed(locations))
            }
            (Value::Word(term), Type::Ptr) => Value::Pointer(self.space.located(*term)),
            (value, _) => value.clone(),
        })
    }

    fn allocation(
        &mut self,
        state: &mut State,
        call: &mut Call<'_>,
        number: usize,
        ty: Option<&Type>,
    ) -> Option<Value> {
        let index = self.index;
        let allocator = &index.properties().allocators[number];
        // A request of zero bytes leaks nothing.
        let sizes = allocator.sizes.iter().filter(|_| !self.space.is_must);
        for size in sizes.collect::<Vec<_>>() {
            if let Some(Value::Word(size)) = call.arguments.get(*size as usize) {
                let zero = self.space.word(self.space.width(*size), 0);
                let is_none = self.space.compare(&ir::Op::Eq, *size, zero);
                state.guard = self.space.diagrams.and_not(state.guard, is_none);
            }
        }
        let new = self.new_memory(state, call.statement, call.name, allocator.never_fails, 0);
        let new = match allocator.replaces.and_then(|n| call.arguments.get(n as usize)) {
            None => new,
            // The replaced object is gone where there is a new one.
            Some(old) => {
                let mut targets = pointed_to(old);
                let got = self.is_not_null(&new);
                for (guard, _) in &mut targets {
                    *guard = self.space.diagrams.and(*guard, got);
                }
                for (guard, region) in targets {
                    let region = self.space.whole(region);
                    self.escape(state, &[(guard, region)]);
                }
                new
            }
        };
        if let Some(owner) = allocator.owner.and_then(|n| call.arguments.get(n as usize)) {
            // A null owner is passed only as a literal.
            let mut is_owned = Guard::NEVER;
            if let Value::Pointer(locations) = owner {
                for (guard, _) in locations.iter().filter(|(_, at)| *at != Location::Null) {
                    is_owned = self.space.diagrams.or(is_owned, *guard);
                }
            }
            let mut targets = pointed_to(&new);
            for (guard, _) in &mut targets {
                *guard = self.space.diagrams.and(*guard, is_owned);
            }
            self.escape(state, &targets);
        }
        match allocator.through {
            None => Some(new),
            Some(argument) => {
                let place = call.arguments.get(argument as usize)?.clone();
                let result = ty.map(|ty| self.open(ty));
                // Such functions return zero where they have succeeded.
                if let Some(value) = &result {
                    let succeeds = self.outcome(value, ResultTest::Zero);
                    let got = self.is_not_null(&new);
                    let agree = self.space.diagrams.iff(succeeds, got);
                    state.guard = self.space.diagrams.and(state.guard, agree);
                }
                self.give(state, call, place, &Type::Ptr, new);
                result
            }
        }
    }

    /// Applies a write of the callee.
    fn give(
        &mut self,
        state: &mut State,
        call: &mut Call<'_>,
        place: Value,
        ty: &Type,
        value: Value,
    ) {
        self.store(state, &place, ty, &value);
        call.writes.push((place, size_of(ty).unwrap_or(0), value));
    }

    fn is_not_null(&mut self, value: &Value) -> Guard {
        let Value::Pointer(locations) = value else { return Guard::ALWAYS };
        let null =
            self.space.same_pointer(&locations.clone(), &[(Guard::ALWAYS, Location::Null)].into());
        self.space.diagrams.not(null)
    }

    /// The guard under which a result has this relation to zero.
    pub(crate) fn outcome(&mut self, value: &Value, outcome: ResultTest) -> Guard {
        match value {
            Value::Truth(guard) => match outcome {
                ResultTest::Zero => self.space.diagrams.not(*guard),
                ResultTest::NonZero => *guard,
                ResultTest::Negative => Guard::NEVER,
                ResultTest::NotNegative => Guard::ALWAYS,
            },
            Value::Word(term) => {
                let zero = self.space.word(self.space.width(*term), 0);
                let holds = match outcome {
                    ResultTest::Zero | ResultTest::NonZero => {
                        self.space.compare(&ir::Op::Eq, *term, zero)
                    }
                    ResultTest::Negative | ResultTest::NotNegative => {
                        self.space.compare(&ir::Op::BvSlt, *term, zero)
                    }
                };
                match outcome {
                    ResultTest::Zero | ResultTest::Negative => holds,
                    ResultTest::NonZero | ResultTest::NotNegative => self.space.diagrams.not(holds),
                }
            }
            Value::Pointer(_) => {
                let given = self.is_not_null(value);
                match outcome {
                    ResultTest::NonZero => given,
                    ResultTest::Zero => self.space.diagrams.not(given),
                    ResultTest::Negative => Guard::NEVER,
                    ResultTest::NotNegative => Guard::ALWAYS,
                }
            }
            Value::Opaque => Guard::ALWAYS,
        }
    }

    /// A callee in the must-analysis: only its facts are applied.
    fn must_call(
        &mut self,
        state: &mut State,
        call: &mut Call<'_>,
        summary: &Summary,
        ty: Option<&Type>,
    ) {
        let nullness = self.apply_facts(state, call, summary);
        let returned = summary.facts.iter().find_map(|fact| match &fact.effect {
            Effect::Returns(shared) => self.shared(state, call, shared),
            _ => None,
        });
        let returned = returned.filter(|value| Some(&type_of(&self.space, value)) == ty);
        call.result = returned.or_else(|| ty.map(|ty| self.open(ty)));
        self.unknown_call(state, call);
        if let Some(result) = call.result.clone() {
            self.settle(state, &result, &nullness);
        }
    }

    fn summarised_call(
        &mut self,
        state: &mut State,
        call: &mut Call<'_>,
        summary: &Summary,
        ty: Option<&Type>,
    ) {
        let nullness = self.apply_facts(state, call, summary);
        let inputs = self.conditions(state, call, &summary.inputs);
        let objects: Vec<Option<Value>> =
            summary.machines.iter().map(|m| self.resolve(state, call, &m.object)).collect();
        let known: Vec<Option<Value>> =
            summary.result.known.iter().map(|path| self.resolve_value(state, call, path)).collect();
        for path in &summary.escapes {
            if let Some(value) = self.resolve_value(state, call, path) {
                self.escape(state, &pointed_to(&value));
            }
        }
        let freed: Vec<Value> =
            summary.frees.iter().filter_map(|path| self.resolve_value(state, call, path)).collect();
        for value in freed {
            self.release(state, &value);
        }
        let exact = summary.value.as_ref().and_then(|value| self.shared(state, call, value));
        let cells: Vec<(Option<Value>, Type, Option<Value>)> = summary
            .modifies
            .iter()
            .map(|cell| {
                let ty = ty_of(cell);
                let place = self.resolve(state, call, &cell.path);
                let value = cell.value.as_ref().and_then(|value| self.shared(state, call, value));
                (place, ty, value.filter(|value| type_of(&self.space, value) == ty_of(cell)))
            })
            .collect();
        for (target, ty, value) in cells {
            match (target, ty) {
                (Some(target), Type::Bv(0)) => {
                    for (_, region) in pointed_to(&target) {
                        // Pointers stored there may now be stored elsewhere.
                        self.escape(state, &state.targets(region));
                        self.overwrite(state, region);
                        self.havoc_states(state, region);
                    }
                }
                (Some(target), ty) => {
                    if ty == Type::Ptr {
                        let before = self.load(state, &target, &ty);
                        self.escape(state, &pointed_to(&before));
                    }
                    let value = value.unwrap_or_else(|| self.open(&ty));
                    self.give(state, call, target, &ty, value);
                }
                (None, _) => {}
            }
        }
        call.result = match (exact, ty) {
            (Some(value), Some(ty)) if type_of(&self.space, &value) == *ty => Some(value),
            (_, ty) => ty.map(|ty| self.given_back(state, call, summary, known, ty)),
        };
        if let Some(result) = call.result.clone() {
            self.settle(state, &result, &nullness);
        }
        let mut allocations = Vec::new();
        for (number, allocation) in (1..).zip(&summary.allocations) {
            if let Some(place) = self.resolve(state, call, &allocation.place) {
                let new = self.new_memory(state, call.statement, call.name, false, number);
                allocations.push((allocation, self.is_not_null(&new)));
                self.give(state, call, place, &Type::Ptr, new);
            }
        }
        let outputs = self.conditions(state, call, &summary.outputs);
        let mut possible = Guard::NEVER;
        for outcome in &summary.outcomes {
            let here = self.valuation(&outputs, *outcome);
            possible = self.space.diagrams.or(possible, here);
        }
        state.guard = self.space.diagrams.and(state.guard, possible);
        for (allocation, given) in allocations {
            for outcome in &summary.outcomes {
                let mut here = self.valuation(&outputs, *outcome);
                match (allocation.outcomes.contains(outcome), allocation.lacks.contains(outcome)) {
                    (true, true) => continue,
                    (true, false) => here = self.space.diagrams.and_not(here, given),
                    (false, _) => here = self.space.diagrams.and(here, given),
                }
                state.guard = self.space.diagrams.and_not(state.guard, here);
            }
        }
        let index = self.index;
        for (machine, target) in summary.machines.iter().zip(objects) {
            let Some(locations) = target.and_then(|target| self.named_by(&target)) else {
                continue;
            };
            let machines = &index.properties().machines;
            let Some(property) = machines.iter().position(|p| p.name == machine.property) else {
                continue;
            };
            let states = machines[property].states.len() as u32;
            let mut changes = Vec::new();
            for transition in &machine.transitions {
                let before = self.valuation(&inputs, transition.incond);
                let after = self.valuation(&outputs, transition.outcond);
                let when = self.space.diagrams.and(before, after);
                let rule = (transition.to == states)
                    .then(|| machines[property].error_from(transition.from))
                    .flatten();
                changes.push(Change { from: transition.from, to: Some(transition.to), rule, when });
            }
            for &(under, location) in locations.iter() {
                if let Location::At(region, offset) = location {
                    let object = Object { property, region, offset };
                    let number = self.space.stateful(object, &machines[property]);
                    self.change(state, call, number, under, &changes, true);
                    if machine.is_reported
                        && let Some(typestate) = state.typestates.get_mut(&number)
                    {
                        typestate.vague = self.space.diagrams.or(typestate.vague, under);
                    }
                }
            }
        }
    }

    /// The result of a callee with a summary.
    fn given_back(
        &mut self,
        state: &mut State,
        call: &Call<'_>,
        summary: &Summary,
        known: Vec<Option<Value>>,
        ty: &Type,
    ) -> Value {
        let returned = &summary.result;
        if *ty != Type::Ptr {
            return self.open(ty);
        }
        let mut values: Vec<Value> = known.into_iter().flatten().collect();
        if returned.new {
            let new = self.new_memory(state, call.statement, call.name, !returned.null, 0);
            values.push(new);
        } else if returned.null {
            values.push(pointer(Location::Null));
        }
        if returned.number {
            values.push(self.error_code());
        }
        if returned.other || values.is_empty() {
            values.push(self.open(ty));
        }
        let mut result = values.pop().expect("there is a value");
        for value in values {
            self.made += 1;
            let taken = self.space.atom(Atom::Made(self.site, 3000 + self.made));
            result = self.space.select(taken, &value, &result);
        }
        // Memory is new only where it is what is returned.
        if returned.new
            && let Some(fresh) = self.fresh.last_mut()
        {
            let here = pointed_to(&result).into_iter().find(|(_, region)| *region == fresh.region);
            fresh.valid = here.map_or(Guard::NEVER, |(guard, _)| guard);
        }
        result
    }

    /// A pointer that is an error code and not an address.
    fn error_code(&mut self) -> Value {
        self.made += 1;
        let input = Input::Made { site: self.site, number: self.made };
        let low = self.space.input(input, 12);
        let ones = self.space.word(ir::ADDRESS_BITS - 12, u128::MAX);
        let code = self.space.compute(&ir::Op::BvConcat, &[ones, low], ir::ADDRESS_BITS);
        pointer(Location::Number(code))
    }
}

/// The type of a part of memory; of width zero if it may be a whole object.
fn ty_of(cell: &Cell) -> Type {
    if cell.is_pointer { Type::Ptr } else { Type::Bv(8 * cell.bytes) }
}

/// The name of a procedure in the whole program.
pub(crate) fn name_of(module: &ir::Module, id: ProcedureId) -> &str {
    let procedure = module.procedure(id);
    procedure.display.as_deref().unwrap_or(&procedure.name)
}
