//! An oracle that makes random decisions and records them, and one that replays them on the transformed program.
//! Values are always complete, so that the order of reads does not matter. An unset variable always has the
//! default, as passes may read it where the original did not.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use interpret::{
    CallResult, Decision, Inputs, MapType, MapValue, OpenValue, Oracle, Scope, Site, UnknownCall,
    Value, ValueRequest,
};
use ir::{HavocReason, Mode, Module, Procedure, ProcedureId, SortId, Type, Variable};
use passes::Effects;

pub fn scope() -> Scope {
    Scope { sort_size: 6, ..Scope::default() }
}

/// A random value without any unknown part.
pub fn draw(random: &mut fastrand::Rng, module: &Module, ty: &Type) -> Value {
    match ty {
        Type::Bool => Value::Bool(random.bool()),
        Type::Bv(width) => Value::bv(*width, random.u64(..) & ((1 << (*width).min(8)) - 1)),
        Type::Int => Value::int(random.i64(-2..=4)),
        Type::Sort(sort) => Value::Atom(*sort, random.u64(..4)),
        Type::Ptr | Type::Bytes => Value::default_of(ty, module),
        Type::Map(keys, value) => {
            let mut map =
                MapValue::constant(MapType::new(keys, value), draw(random, module, value));
            if keys.iter().all(is_plain) {
                for _ in 0..random.usize(..4) {
                    let key: Vec<Value> =
                        keys.iter().map(|key| draw(random, module, key)).collect();
                    map = map.with(key, draw(random, module, value));
                }
            }
            Value::from(map)
        }
        Type::Seq(element) => {
            let length = random.usize(..3);
            Value::seq((0..length).map(|_| draw(random, module, element)).collect::<Vec<_>>())
        }
        Type::Record(id) => {
            let fields = &module.records[id.0 as usize].fields;
            let fields: Vec<Value> =
                fields.iter().map(|(_, ty)| draw(random, module, ty)).collect();
            Value::record(*id, fields)
        }
        Type::Variant(id) => {
            let constructors = &module.variants[id.0 as usize].constructors;
            let constructor = random.usize(..constructors.len());
            let types = &constructors[constructor].1;
            let arguments = types.iter().map(|ty| draw(random, module, ty)).collect();
            Value::variant(*id, constructor as u32, arguments)
        }
    }
}

/// Whether values of the type have no parts, so that they may be keys as they are.
fn is_plain(ty: &Type) -> bool {
    matches!(ty, Type::Bool | Type::Bv(_) | Type::Int | Type::Sort(_) | Type::Ptr)
}

/// Random inputs, all of them.
pub fn inputs(random: &mut fastrand::Rng, module: &Module, procedure: &Procedure) -> Inputs {
    let parameters = procedure.locals_with(Mode::Parameter);
    let parameters: Vec<_> =
        parameters.map(|id| draw(random, module, &procedure.local(id).ty)).collect();
    let mut inputs = Inputs::new(parameters);
    for (id, global) in module.globals.iter().enumerate() {
        inputs = inputs.with(ir::GlobalId(id as u32), draw(random, module, &global.ty));
    }
    inputs
}

/// The value of a function is a function of its arguments.
fn function_value(request: &ValueRequest<'_>) -> Option<Value> {
    let OpenValue::Function(function, arguments) = request.open else { return None };
    let mut hasher = DefaultHasher::new();
    (function, arguments).hash(&mut hasher);
    let mut random = fastrand::Rng::with_seed(hasher.finish());
    Some(draw(&mut random, request.module, request.ty))
}

/// Draws answers and writes them down.
pub struct Drawing<'e> {
    pub random: fastrand::Rng,
    pub tape: VecDeque<Decision>,
    pub effects: &'e Effects,
    /// Whether callees with a body are run.
    pub follow: bool,
    /// Whether the effects of a callee are recorded as the requests that its contract becomes.
    pub by_contract: bool,
}

impl Drawing<'_> {
    fn havoc(&mut self, module: &Module, ty: &Type) -> Value {
        let value = draw(&mut self.random, module, ty);
        self.tape.push_back(Decision::Havoc(value.clone()));
        value
    }
}

impl Oracle for Drawing<'_> {
    fn value(&mut self, request: &ValueRequest<'_>) -> Option<Value> {
        match request.open {
            OpenValue::Havoc(_, HavocReason::Uninitialized) => {
                Some(Value::default_of(request.ty, request.module))
            }
            OpenValue::Havoc(..) => Some(self.havoc(request.module, request.ty)),
            OpenValue::Function(..) => function_value(request),
            OpenValue::Input(_) | OpenValue::Entry(..) => None,
        }
    }

    fn choose(&mut self, _: Site, targets: usize) -> Option<usize> {
        let target = self.random.usize(..targets);
        self.tape.push_back(Decision::Goto(target));
        Some(target)
    }

    fn atom(&mut self, _: Site, sort: SortId, is_fresh: &dyn Fn(u64) -> bool) -> Option<u64> {
        let atoms = scope().atoms(sort);
        let fresh: Vec<u64> = atoms.iter().copied().filter(|&id| is_fresh(id)).collect();
        let atom = self.random.choice(fresh)?;
        self.tape.push_back(Decision::Atom(atom));
        Some(atom)
    }

    fn fails(&mut self, _: Site, _: u64) -> Option<bool> {
        let fails = self.random.u8(..4) == 0;
        self.tape.push_back(Decision::Fails(fails));
        Some(fails)
    }

    fn call(&mut self, call: &UnknownCall<'_>) -> Option<CallResult> {
        let start = self.tape.len();
        let module = call.module;
        let callee = module.procedure(call.callee);
        let effect = self.effects.get(call.callee);
        let places: Vec<usize> = match call.has_modifies {
            true => (0..call.places.len()).collect(),
            false => effect.modifies().map(|id| id.0 as usize).collect(),
        };
        let mut answer = CallResult::default();
        for place in places {
            answer.writes.push((place, self.havoc(module, &call.places[place])));
        }
        for ty in assigned_parameters(callee) {
            self.tape.push_back(Decision::Havoc(Value::default_of(&ty, module)));
        }
        let raises = match callee.blocks {
            Some(_) => effect.raises,
            None => call.may_throw,
        };
        let throws = raises && self.random.bool();
        for ty in call.results {
            // Results that are not used must not make the executions differ.
            if throws {
                self.tape.push_back(Decision::Havoc(Value::default_of(ty, module)));
            } else {
                let value = self.havoc(module, ty);
                answer.results.push(value);
            }
        }
        if raises || effect.stops {
            self.tape.push_back(Decision::Goto(usize::from(throws)));
        }
        if throws {
            answer.throws = Some(call.exception.map(|ty| self.havoc(module, ty)));
        }
        if !self.by_contract {
            self.tape.truncate(start);
            self.tape.push_back(Decision::Call(answer.clone()));
        }
        Some(answer)
    }

    fn atoms(&self, sort: SortId) -> Option<Arc<Vec<u64>>> {
        Some(scope().atoms(sort))
    }

    fn executes_body(&self, _: Site, _: usize, _: ProcedureId) -> bool {
        self.follow
    }
}

/// The types of the parameters that a body assigns.
pub fn assigned_parameters(callee: &Procedure) -> Vec<Type> {
    let mut assigned = vec![false; callee.locals.len()];
    for statement in callee.blocks.iter().flatten().flat_map(|block| &block.statements) {
        let places: Vec<&ir::Place> = match &statement.kind {
            ir::StatementKind::Assign(pairs) => pairs.iter().map(|(place, _)| place).collect(),
            ir::StatementKind::Havoc { place, .. } | ir::StatementKind::Allocate { place, .. } => {
                vec![place]
            }
            ir::StatementKind::Call { results, caught, .. } => {
                let caught =
                    caught.iter().flat_map(|(flag, value)| std::iter::once(flag).chain(value));
                results.iter().chain(caught).collect()
            }
            ir::StatementKind::Unsupported { writes, .. } => writes.iter().collect(),
            ir::StatementKind::Assume { .. }
            | ir::StatementKind::Assert { .. }
            | ir::StatementKind::Free(_) => Vec::new(),
        };
        for place in places {
            if let Variable::Local(local) = place.variable {
                assigned[local.0 as usize] = true;
            }
        }
    }
    let parameters = callee.locals_with(Mode::Parameter);
    let parameters = parameters.filter(|id| assigned[id.0 as usize]);
    parameters.map(|id| callee.local(id).ty.clone()).collect()
}

/// Gives the answers of a tape again.
pub struct Playing {
    pub tape: VecDeque<Decision>,
}

impl Oracle for Playing {
    fn value(&mut self, request: &ValueRequest<'_>) -> Option<Value> {
        match request.open {
            OpenValue::Havoc(_, HavocReason::Uninitialized) => {
                Some(Value::default_of(request.ty, request.module))
            }
            OpenValue::Havoc(..) => match self.tape.pop_front()? {
                Decision::Havoc(value) => Some(value),
                _ => None,
            },
            OpenValue::Function(..) => function_value(request),
            OpenValue::Input(_) | OpenValue::Entry(..) => None,
        }
    }

    fn choose(&mut self, _: Site, _: usize) -> Option<usize> {
        match self.tape.pop_front()? {
            Decision::Goto(target) => Some(target),
            _ => None,
        }
    }

    fn atom(&mut self, _: Site, _: SortId, _: &dyn Fn(u64) -> bool) -> Option<u64> {
        match self.tape.pop_front()? {
            Decision::Atom(atom) => Some(atom),
            _ => None,
        }
    }

    fn fails(&mut self, _: Site, _: u64) -> Option<bool> {
        match self.tape.pop_front()? {
            Decision::Fails(fails) => Some(fails),
            _ => None,
        }
    }

    fn call(&mut self, _: &UnknownCall<'_>) -> Option<CallResult> {
        match self.tape.pop_front()? {
            Decision::Call(answer) => Some(answer),
            _ => None,
        }
    }

    fn atoms(&self, sort: SortId) -> Option<Arc<Vec<u64>>> {
        Some(scope().atoms(sort))
    }
}
