//! In an over-approximation, no execution of the program is left out: random procedures are run on random values,
//! most of them beyond the scope, and whatever an execution passes and survives must be possible.

use std::collections::BTreeMap;
use std::sync::Arc;

use encode::{Direction, QueryAnswer, QuerySession, Scope, evaluate};
use fastrand::Rng;
use interpret::{
    CallResult, Ending, Inputs, MapType, MapValue, OpenValue, Options, Oracle, Outcome, Site,
    UnknownCall, Value, ValueRequest, run,
};
use ir::generate::{Shape, module};
use ir::{FunctionId, Module, ProcedureId, SortId, Type};
use passes::{Effects, Limits, for_over};

/// An oracle that chooses at random and knows every function and map as a whole.
struct Chance<'m> {
    module: &'m Module,
    rng: Rng,
    functions: BTreeMap<FunctionId, Arc<MapValue>>,
}

const ATOMS: u64 = 4;

impl<'m> Chance<'m> {
    fn new(module: &'m Module, seed: u64) -> Chance<'m> {
        let mut chance = Chance { module, rng: Rng::with_seed(seed), functions: BTreeMap::new() };
        for (number, function) in module.functions.iter().enumerate() {
            if function.definition.is_none() {
                let keys: Vec<Type> = function.parameters.iter().map(|p| p.1.clone()).collect();
                let map = chance.map(&keys, &function.result);
                chance.functions.insert(FunctionId(number as u32), Arc::new(map));
            }
        }
        chance
    }

    fn map(&mut self, keys: &[Type], value: &Type) -> MapValue {
        let mut map = MapValue::constant(MapType::new(keys, value), self.value(value));
        for _ in 0..self.rng.usize(..3) {
            let key: Vec<Value> = keys.iter().map(|key| self.value(key)).collect();
            map = map.with(key, self.value(value));
        }
        map
    }

    fn value(&mut self, ty: &Type) -> Value {
        match ty {
            Type::Bool => Value::Bool(self.rng.bool()),
            Type::Bv(width) => {
                let bits = if self.rng.bool() { self.rng.u64(..3) } else { self.rng.u64(..) };
                let mask = if *width < 64 { (1 << width) - 1 } else { u64::MAX };
                Value::bv(*width, bits & mask)
            }
            Type::Int => Value::int(match self.rng.u8(..3) {
                0 => self.rng.i64(-40..40),
                _ => self.rng.i64(-2..3),
            }),
            Type::Sort(sort) => Value::Atom(*sort, self.rng.u64(..=ATOMS - 2)),
            Type::Map(keys, value) => Value::from(self.map(keys, value)),
            Type::Seq(element) => {
                let length = self.rng.usize(..6);
                Value::seq((0..length).map(|_| self.value(element)).collect::<Vec<_>>())
            }
            Type::Record(id) => {
                let fields = &self.module.records[id.0 as usize].fields;
                let values: Vec<Value> = fields.iter().map(|field| self.value(&field.1)).collect();
                Value::record(*id, values)
            }
            Type::Variant(id) => {
                let constructors = &self.module.variants[id.0 as usize].constructors;
                let number = self.rng.usize(..constructors.len());
                let types = &constructors[number].1;
                let arguments = types.iter().map(|ty| self.value(ty)).collect();
                Value::variant(*id, number as u32, arguments)
            }
            Type::Ptr | Type::Bytes => Value::default_of(ty, self.module),
        }
    }
}

impl Oracle for Chance<'_> {
    fn value(&mut self, request: &ValueRequest<'_>) -> Option<Value> {
        if let OpenValue::Function(function, arguments) = request.open {
            let map = self.functions.get(&function)?;
            let interpret::Rest::Is(rest) = map.rest() else { return None };
            return Some(map.entries().get(arguments).unwrap_or(rest).clone());
        }
        Some(Chance::value(self, request.ty))
    }

    fn choose(&mut self, _: Site, targets: usize) -> Option<usize> {
        Some(self.rng.usize(..targets))
    }

    fn atom(&mut self, _: Site, _: SortId, is_fresh: &dyn Fn(u64) -> bool) -> Option<u64> {
        (1..=ATOMS).find(|&id| is_fresh(id))
    }

    fn fails(&mut self, _: Site, _: u64) -> Option<bool> {
        Some(self.rng.bool())
    }

    fn call(&mut self, _: &UnknownCall<'_>) -> Option<CallResult> {
        None
    }

    fn atoms(&self, _: SortId) -> Option<Arc<Vec<u64>>> {
        Some(Arc::new((1..=ATOMS).collect()))
    }

    fn table(&self, _: &Module, function: FunctionId) -> Option<Arc<MapValue>> {
        self.functions.get(&function).cloned()
    }
}

/// How many executions of random procedures were looked for, and how many claims are made of no execution.
fn compare(seeds: std::ops::Range<u64>, shape: &Shape) -> (usize, usize) {
    let scope = Scope {
        direction: Direction::Over,
        atoms: 1 << 8,
        int_width: 4,
        sequence: 2,
        ..Scope::default()
    };
    let options = Options { coverage: true, trace: 0, work: 20_000, ..Options::default() };
    let limits = Limits { facts: false, ..Limits::default() };
    let (mut looked_for, mut claims) = (0, 0);
    for seed in seeds {
        let mut module = module(seed, shape);
        for block in module.procedures[0].blocks.iter_mut().flatten() {
            block.facts = None;
        }
        let procedure = ProcedureId(0);
        let prepared = for_over(&module, &Effects::of(&module), procedure, &limits);
        let evaluation = evaluate(&module, &prepared.procedure, &prepared.calls, &scope);
        let mut session =
            QuerySession::new(&module, &evaluation, sat::Options::default(), sat::Limits::none())
                .expect("the solver is built in");
        let mut possible = BTreeMap::new();
        for point in &evaluation.points {
            let never = session.ask(&[point.gate, evaluation.survives]) == QueryAnswer::Unsat;
            claims += usize::from(never);
            possible.insert(point.id, !never);
        }
        for number in 0..12 {
            let mut chance = Chance::new(&module, 100 * seed + number);
            let mut inputs = Inputs::default();
            for (number, global) in module.globals.iter().enumerate() {
                let value = Chance::value(&mut chance, &global.ty);
                inputs.globals.insert(ir::GlobalId(number as u32), value);
            }
            for id in module.procedure(procedure).locals_with(ir::Mode::Parameter) {
                let ty = &module.procedure(procedure).local(id).ty;
                inputs.parameters.push(Some(Chance::value(&mut chance, ty)));
            }
            let run = run(&module, procedure, &inputs, &mut chance, &options);
            match &run.outcome {
                Outcome::Exit(Ending::Cut(_)) => continue,
                Outcome::Exit(_) => {}
                _ => continue,
            }
            looked_for += 1;
            for (of, point) in &run.passed {
                assert!(
                    *of != procedure || possible.get(point) != Some(&false),
                    "seed {seed}: {point:?} is survived\n{}\n{inputs:?}",
                    ir::print_brief(&module)
                );
            }
        }
    }
    (looked_for, claims)
}

#[test]
fn no_run_is_left_out() {
    let programs = Shape {
        procedures: 1,
        calls: false,
        sequences: true,
        exceptions: true,
        widths: vec![1, 3, 12],
        ..Shape::runnable()
    };
    let specified = Shape { specifications: true, relations: true, ..programs.clone() };
    let with_functions = Shape { functions: true, ..specified.clone() };
    for (seeds, shape) in
        [(0..600, programs), (1_000..2_000, specified), (2_000..3_000, with_functions)]
    {
        let (looked_for, claims) = compare(seeds, &shape);
        assert!(looked_for > 300 && claims > 100, "{looked_for} runs, {claims} claims");
    }
}
