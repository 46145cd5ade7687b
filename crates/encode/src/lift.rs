//! From a model back to an execution: the values of all inputs, in the order in which an execution asks for them.
//!
//! A model is a value for each input of the circuit. The initial state is read off directly. The decisions on the
//! way are found by following the execution: from the entry, at each block, to the successor whose condition holds.

mod memory;

use circuit::{Array, Bits, Gate, Valuation};
use interpret::{Key, MapType, MapValue, NewObject, Pointer, Value, Word};
use ir::{BlockId, FunctionId, Module, Type, Variable};
use num_bigint::{BigInt, BigUint};
use passes::ContractCall;

use crate::context::word_width;
use crate::evaluation::{Evaluation, Event};
use crate::sym::{self, Sym};

/// An execution, as far as the program leaves it open: its initial state and its decisions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The initial values of the state variables and parameters.
    pub inputs: Vec<(Variable, Value)>,
    /// The tables of uninterpreted functions.
    pub functions: Vec<(FunctionId, Value)>,
    /// The objects of byte memory that belong to the environment.
    pub objects: Vec<NewObject>,
    /// The decisions, in order.
    pub decisions: Vec<WitnessDecision>,
    /// How many atoms each sort has besides `null`, those that the execution allocates included.
    pub atoms: Vec<u64>,
    /// The calls that contracts stand for, which [`WitnessDecision::Call`] refers to.
    pub calls: Vec<ContractCall>,
    /// The blocks that the execution passes, in order.
    pub path: Vec<BlockId>,
}

/// The decision on one request of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WitnessDecision {
    /// The value of a place that is havocked.
    Value(Value),
    /// The target of a nondeterministic `goto`, by number.
    Goto(usize),
    /// The atom that an allocation returns.
    Atom(u64),
    /// Whether an allocation fails.
    Fails(bool),
    /// The number of the object that an allocation makes.
    Object(u64),
    /// A call that is not followed: its effects come next. The call by number.
    Call(usize),
}

/// Reads the execution that an assignment of the circuit's inputs describes.
pub fn lift(module: &Module, evaluation: &Evaluation, inputs: Vec<bool>) -> Witness {
    let mut lifter = Lifter { module, evaluation, values: Valuation::new(inputs) };
    let (path, decisions) = lifter.follow();
    let initial = |lifter: &mut Lifter<'_>, variable: Variable, sym: &Sym| {
        let ty = lifter.variable_type(variable);
        (variable, lifter.value(sym, &ty))
    };
    Witness {
        inputs: evaluation.entry.iter().map(|(v, sym)| initial(&mut lifter, *v, sym)).collect(),
        functions: evaluation
            .functions
            .iter()
            .map(|(id, sym)| (*id, lifter.function(*id, sym)))
            .collect(),
        objects: lifter.objects(),
        decisions,
        atoms: evaluation.atoms.iter().map(|&count| u64::from(count)).collect(),
        calls: evaluation.calls.clone(),
        path,
    }
}

struct Lifter<'l> {
    module: &'l Module,
    evaluation: &'l Evaluation,
    values: Valuation,
}

impl Lifter<'_> {
    fn gate(&mut self, gate: Gate) -> bool {
        self.values.value(&self.evaluation.circuit, gate)
    }

    fn nat(&mut self, bits: &Bits) -> BigUint {
        let mut value = BigUint::default();
        for (position, gate) in bits.iter().enumerate() {
            if self.gate(gate) {
                value.set_bit(position as u64, true);
            }
        }
        value
    }

    fn small(&mut self, bits: &Bits) -> u64 {
        self.nat(bits).iter_u64_digits().next().unwrap_or(0)
    }

    fn signed(&mut self, bits: &Bits) -> BigInt {
        let value = BigInt::from(self.nat(bits));
        if self.gate(bits.msb()) { value - (BigInt::from(1) << bits.width()) } else { value }
    }

    fn variable_type(&self, variable: Variable) -> Type {
        match variable {
            Variable::Global(id) => self.module.global(id).ty.clone(),
            Variable::Local(id) => self.evaluation.parameter_types[&id].clone(),
        }
    }

    fn follow(&mut self) -> (Vec<BlockId>, Vec<WitnessDecision>) {
        let evaluation = self.evaluation;
        let (mut path, mut decisions) = (Vec::new(), Vec::new());
        let mut here = (!evaluation.blocks.is_empty()).then_some(BlockId(0));
        while let Some(block) = here {
            path.push(block);
            let record = &evaluation.blocks[block.0 as usize];
            let next = record.successors.iter().position(|&(_, gate)| self.gate(gate));
            for event in &record.events {
                self.decide(event, &mut decisions);
            }
            here = next.map(|position| record.successors[position].0);
        }
        (path, decisions)
    }

    fn decide(&mut self, event: &Event, decisions: &mut Vec<WitnessDecision>) {
        let decision = match event {
            Event::Havoc { value, ty } => WitnessDecision::Value(self.value(value, ty)),
            Event::Atom(value) => WitnessDecision::Atom(self.small(value.bits())),
            Event::Object(number, succeeds) => {
                let fails = succeeds.map(|succeeds| !self.gate(succeeds));
                decisions.extend(fails.map(WitnessDecision::Fails));
                if fails == Some(true) {
                    return;
                }
                WitnessDecision::Object(u64::from(*number))
            }
            Event::Call(number) => WitnessDecision::Call(*number),
            Event::Goto(choice) => WitnessDecision::Goto(self.small(choice) as usize),
        };
        decisions.push(decision);
    }

    fn value(&mut self, sym: &Sym, ty: &Type) -> Value {
        match (ty, sym) {
            (Type::Bool, Sym::Bool(gate)) => Value::Bool(self.gate(*gate)),
            (Type::Bv(width), Sym::Bits(bits)) => {
                let value = self.nat(bits);
                Value::Bv(Word::from_nat(*width, value))
            }
            (Type::Int, Sym::Int(integer)) => {
                let value = self.signed(&integer.word);
                Value::Int(value.into())
            }
            (Type::Sort(sort), Sym::Bits(bits)) => Value::Atom(*sort, self.small(bits)),
            (Type::Ptr, Sym::Bits(bits)) => Value::Ptr(self.pointer(bits)),
            (ty, Sym::Nothing) => Value::default_of(ty, self.module),
            (Type::Map(keys, value), sym) => Value::from(self.map(keys, value, sym)),
            (Type::Seq(element), Sym::Seq(sequence)) => {
                let length = self.small(&sequence.length) as usize;
                Value::seq(
                    sequence.slots[..length]
                        .iter()
                        .map(|slot| self.value(slot, element))
                        .collect::<Vec<_>>(),
                )
            }
            (Type::Record(id), Sym::Tuple(parts)) => {
                let fields = &self.module.records[id.0 as usize].fields;
                let values: Vec<Value> =
                    fields.iter().zip(&**parts).map(|(f, part)| self.value(part, &f.1)).collect();
                Value::record(*id, values)
            }
            (Type::Variant(id), Sym::Tuple(parts)) => {
                let constructors = &self.module.variants[id.0 as usize].constructors;
                let tag = self.small(parts[0].bits()) as usize;
                let from: usize = 1 + constructors[..tag].iter().map(|c| c.1.len()).sum::<usize>();
                let types = &constructors[tag].1;
                let arguments = types
                    .iter()
                    .zip(&parts[from..])
                    .map(|(ty, part)| self.value(part, ty))
                    .collect();
                Value::variant(*id, tag as u32, arguments)
            }
            (Type::Bytes, Sym::Bytes(contents)) => Value::Bytes(self.memory(*contents)),
            (ty, sym) => unreachable!("{sym:?} is no value of type {ty:?}"),
        }
    }

    fn pointer(&mut self, bits: &Bits) -> Pointer {
        Pointer::at(self.small(bits))
    }

    fn map(&mut self, keys: &[Type], value: &Type, sym: &Sym) -> MapValue {
        let rest = match sym {
            Sym::Array(array) => self.rest(keys, value, *array),
            _ => None,
        };
        let rest = rest.unwrap_or_else(|| Value::default_of(value, self.module));
        let mut map = MapValue::constant(MapType::new(keys, value), rest);
        match sym {
            Sym::Table(cells) => {
                let listed = self.listed(keys);
                for (key, cell) in listed.into_iter().zip(&**cells) {
                    let cell = self.value(cell, value);
                    map.insert(key, cell);
                }
            }
            Sym::Array(array) => {
                let evaluation = self.evaluation;
                let cells: Vec<(&Bits, &Bits)> = evaluation.arrays.cells(*array).collect();
                // Of several cells with the same index the first holds the value.
                for (index, cell) in cells.into_iter().rev() {
                    let key = self.split(keys, index);
                    let cell = self.word(value, cell);
                    map.insert(key, cell);
                }
            }
            other => unreachable!("{other:?} is no map"),
        }
        map
    }

    /// The default of an array at unmentioned keys, if anything depends on it: the value at the representative of
    /// these keys.
    fn rest(&mut self, keys: &[Type], value: &Type, array: Array) -> Option<Value> {
        let evaluation = self.evaluation;
        let mut index: Vec<Gate> = Vec::new();
        for key in keys {
            let (_, other) = evaluation.elsewhere.iter().find(|(ty, _)| ty == key)?;
            index.extend(other.iter());
        }
        let index = Bits::from(index);
        let (_, cell) = evaluation.arrays.cells(array).find(|(known, _)| **known == index)?;
        Some(self.word(value, cell))
    }

    /// The keys of a table, in its order.
    fn listed(&self, keys: &[Type]) -> Vec<Key> {
        let mut listed: Vec<Key> = vec![Key::new()];
        for key in keys {
            let values = match (self.evaluation.scope.columns_of(keys, key), key) {
                (Some(count), Type::Bv(width)) => {
                    (0..count as u64).map(|index| Value::bv(*width, index)).collect()
                }
                _ => self.values(key),
            };
            listed = listed
                .iter()
                .flat_map(|prefix| {
                    values
                        .iter()
                        .map(move |value| prefix.iter().cloned().chain([value.clone()]).collect())
                })
                .collect();
        }
        listed
    }

    /// All values of a type that can be listed, in order.
    fn values(&self, ty: &Type) -> Vec<Value> {
        match ty {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Bv(width) => (0..1_u64 << width).map(|bits| Value::bv(*width, bits)).collect(),
            Type::Sort(sort) => {
                let count = u64::from(self.evaluation.atoms[sort.0 as usize]);
                (0..=count).map(|number| Value::Atom(*sort, number)).collect()
            }
            Type::Record(id) => {
                let fields = &self.module.records[id.0 as usize].fields;
                let types: Vec<Type> = fields.iter().map(|field| field.1.clone()).collect();
                self.listed(&types).into_iter().map(|key| Value::record(*id, key)).collect()
            }
            other => unreachable!("the values of {other:?} cannot be listed"),
        }
    }

    /// The keys that an index of an array stands for.
    fn split(&mut self, types: &[Type], index: &Bits) -> Key {
        let mut from = 0;
        let mut key = Key::new();
        for ty in types {
            let width = self.width(ty);
            key.push(self.word(ty, &index.extract(from..from + width)));
            from += width;
        }
        key
    }

    fn width(&self, ty: &Type) -> usize {
        let Evaluation { scope, atoms, .. } = self.evaluation;
        word_width(self.module, scope, atoms, ty).expect("keys and parts of words are words")
    }

    /// The value that a word stands for.
    fn word(&mut self, ty: &Type, word: &Bits) -> Value {
        match ty {
            Type::Bool => Value::Bool(self.gate(word.gates()[0])),
            Type::Int => {
                let value = self.signed(word);
                Value::Int(value.into())
            }
            Type::Bv(_) | Type::Sort(_) | Type::Ptr => self.value(&Sym::Bits(word.clone()), ty),
            Type::Record(_) | Type::Variant(_) => {
                let mut from = 0;
                let mut parts = Vec::new();
                for part in sym::parts(self.module, ty) {
                    let width = self.width(&part);
                    parts.push((self.word(&part, &word.extract(from..from + width)), part));
                    from += width;
                }
                self.assemble(ty, parts)
            }
            Type::Map(..) | Type::Seq(_) | Type::Bytes => unreachable!("{ty:?} is no word"),
        }
    }

    /// A record or a value of a tagged union from the values of its parts.
    fn assemble(&self, ty: &Type, parts: Vec<(Value, Type)>) -> Value {
        let mut parts = parts.into_iter().map(|part| part.0);
        match ty {
            Type::Record(id) => Value::record(*id, parts),
            Type::Variant(id) => {
                let constructors = &self.module.variants[id.0 as usize].constructors;
                let tag = match parts.next() {
                    Some(Value::Bv(tag)) => tag.small().unwrap_or(0) as usize,
                    other => unreachable!("{other:?} is no tag"),
                };
                let from = constructors[..tag].iter().map(|c| c.1.len()).sum();
                let arguments = parts.skip(from).take(constructors[tag].1.len()).collect();
                Value::variant(*id, tag as u32, arguments)
            }
            other => unreachable!("{other:?} has no parts"),
        }
    }

    fn function(&mut self, id: FunctionId, sym: &Sym) -> Value {
        let function = self.module.function(id);
        let keys: Vec<Type> = function.parameters.iter().map(|p| p.1.clone()).collect();
        if keys.is_empty() || *sym == Sym::Nothing {
            return self.value(sym, &function.result);
        }
        Value::from(self.map(&keys, &function.result, sym))
    }
}
