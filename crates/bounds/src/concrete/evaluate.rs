//! The value of an expression in a state, as far as it is known.

use ir::{Op, Quantifier, Type, Variable};
use std::rc::Rc;

use crate::concrete::apply::{apply, equal, selected};
use crate::concrete::program::{MemoSlot, NodeId, NodeKind, Program, Range};
use crate::concrete::value::{MOST, Set, Value};
use crate::limits::BOUND_VARIABLES;

/// A state, and what is remembered of it.
pub struct Machine<'p> {
    pub(crate) program: &'p Program<'p>,
    /// The atoms of each sort, `null` and those that may be allocated included, as bits.
    universe: Vec<u64>,
    /// The number of the next atom of each sort that is allocated.
    pub(crate) next: Vec<u32>,
    /// The values of variables, by slot, at the start and now.
    pub(crate) entry: Vec<Value>,
    pub(crate) state: Vec<Value>,
    bound: [u8; BOUND_VARIABLES as usize],
    /// Values of expressions now and at the start, and when they were asked for.
    remembered: [Vec<(u64, Value)>; 2],
    /// When the state, or what is known of it, has last changed; and that at the start.
    changed: [u64; 2],
    clock: u64,
}

impl<'p> Machine<'p> {
    /// A state without atoms: all maps hold defaults, and other variables are unknown. `atoms` is the number
    /// of atoms of each sort besides those that are allocated. None if there are more atoms than this
    /// representation allows.
    pub fn new(program: &'p Program<'p>, atoms: &[u32]) -> Option<Machine<'p>> {
        let all = atoms.iter().zip(&program.allocated).map(|(initial, more)| initial + more);
        let all: Vec<u32> = all.collect();
        if all.iter().any(|count| *count > MOST) {
            return None;
        }
        let row =
            |sort: usize, value: Value| Value::Row(Rc::new(vec![value; all[sort] as usize + 1]));
        let initial = |ty: &Type| match ty {
            Type::Map(from, to) => match (&from[..], &**to) {
                ([Type::Sort(_)], Type::Bool) => Value::Set(Set::default()),
                ([Type::Sort(sort)], to) => row(sort.0 as usize, default(to)),
                _ => Value::Unknown,
            },
            _ => Value::Unknown,
        };
        let globals = program.module.globals.iter().map(|global| &global.ty);
        let locals = program.procedure.locals.iter().map(|local| &local.ty);
        let entry: Vec<Value> =
            globals.map(initial).chain(locals.map(|_| Value::Unknown)).collect();
        let remembered = vec![(0, Value::Unknown); program.remembered];
        Some(Machine {
            program,
            universe: all.iter().map(|count| u64::MAX >> (MOST - count)).collect(),
            next: atoms.iter().map(|count| count + 1).collect(),
            state: entry.clone(),
            entry,
            bound: [0; BOUND_VARIABLES as usize],
            remembered: [remembered.clone(), remembered],
            changed: [1, 1],
            clock: 1,
        })
    }

    /// Lets a part of the initial state have a value: a variable, or what a map holds at an atom.
    pub fn begin_with(&mut self, variable: Variable, row: Option<u32>, value: Value) {
        let slot = self.program.slot(variable);
        match row {
            None => self.entry[slot] = value,
            Some(row) => write(&mut self.entry[slot], row as u8, value),
        }
        self.state[slot] = self.entry[slot].clone();
        self.begun();
    }

    /// Nothing that is remembered of the initial state is true any more.
    fn begun(&mut self) {
        self.clock += 1;
        self.changed = [self.clock; 2];
    }

    /// Nothing that is remembered of the state is true any more.
    pub(crate) fn change(&mut self) {
        self.clock += 1;
        self.changed[0] = self.clock;
    }

    /// The value of an expression now, or at the start.
    pub(crate) fn eval(&mut self, id: NodeId, old: bool) -> Value {
        let program = self.program;
        let node = &program.nodes[id as usize];
        let Some(memo) = node.memo else { return self.evaluated(id, old) };
        let at = match memo {
            MemoSlot::Once(at) => at,
            MemoSlot::Each(at, depth) => at + usize::from(self.bound[usize::from(depth)]),
        };
        let bank = usize::from(old);
        let (when, value) = &self.remembered[bank][at];
        if *when == self.changed[bank] {
            return value.clone();
        }
        let value = self.evaluated(id, old);
        self.remembered[bank][at] = (self.changed[bank], value.clone());
        value
    }

    fn evaluated(&mut self, id: NodeId, old: bool) -> Value {
        let program = self.program;
        let node = &program.nodes[id as usize];
        match &node.what {
            NodeKind::Opaque => Value::Unknown,
            NodeKind::Truth(truth) => Value::Truth(*truth),
            NodeKind::Number(number) => Value::Number(*number),
            NodeKind::Null => Value::Atom(0),
            NodeKind::Read(slot) => self.read(*slot, old).clone(),
            NodeKind::Bound(depth) => Value::Atom(self.bound[usize::from(*depth)]),
            NodeKind::Old(inner) => self.eval(*inner, true),
            NodeKind::Op(op, operands) => self.operator(op, operands, id, old),
            NodeKind::Quantified(quantifier, range, body) => {
                self.quantified(*quantifier, *range, *body, old).into()
            }
            NodeKind::Lambda(range, body) => {
                let mut set = Set::default();
                for atom in self.cases(*range, old) {
                    let member = self.at(*range, atom, |this| this.eval(*body, old).truth());
                    set = set.with(atom, member);
                }
                Value::Set(set)
            }
        }
    }

    fn read(&self, slot: usize, old: bool) -> &Value {
        if old { &self.entry[slot] } else { &self.state[slot] }
    }

    fn operator(&mut self, op: &Op, operands: &[NodeId], id: NodeId, old: bool) -> Value {
        let program = self.program;
        // The first operand often decides.
        let decided = match op {
            Op::And => Some(false),
            Op::Or => Some(true),
            Op::Implies => {
                let a = self.eval(operands[0], old).truth();
                if a == Some(false) {
                    return Value::Truth(true);
                }
                let b = self.eval(operands[1], old).truth();
                return match (a, b) {
                    (_, Some(true)) => Value::Truth(true),
                    (Some(true), b) => b.into(),
                    _ => Value::Unknown,
                };
            }
            Op::Ite => {
                return match self.eval(operands[0], old).truth() {
                    Some(true) => self.eval(operands[1], old),
                    Some(false) => self.eval(operands[2], old),
                    None => self.eval(operands[1], old).either(&self.eval(operands[2], old)),
                };
            }
            Op::Select => {
                // A map that is a variable is not copied.
                if let ([_, key], NodeKind::Read(slot)) =
                    (operands, &program.nodes[operands[0] as usize].what)
                {
                    return match self.eval(*key, old) {
                        Value::Atom(key) => selected(self.read(*slot, old), key),
                        _ => Value::Unknown,
                    };
                }
                None
            }
            _ => None,
        };
        if let Some(decisive) = decided {
            let a = self.eval(operands[0], old).truth();
            if a == Some(decisive) {
                return Value::Truth(decisive);
            }
            let b = self.eval(operands[1], old).truth();
            return match (a, b) {
                (_, Some(b)) if b == decisive => Value::Truth(decisive),
                (Some(_), Some(_)) => Value::Truth(!decisive),
                _ => Value::Unknown,
            };
        }
        let a = operands.first().map_or(Value::Unknown, |operand| self.eval(*operand, old));
        let b = operands.get(1).map_or(Value::Unknown, |operand| self.eval(*operand, old));
        if *op == Op::Eq {
            return equal(&a, &b).into();
        }
        if let (Op::Select, [_, _, last]) = (op, operands) {
            return match (&a, &b, self.eval(*last, old)) {
                (Value::Relation(rows), Value::Atom(from), Value::Atom(to)) => {
                    rows[usize::from(*from)].has(to).into()
                }
                _ => Value::Unknown,
            };
        }
        apply(op, &a, &b, &program.nodes[id as usize].shape, &self.universe)
    }

    /// The atoms that a bound variable has to be evaluated for.
    fn cases(&mut self, range: Range, old: bool) -> impl Iterator<Item = u8> + use<> {
        let all = self.universe[range.sort];
        let within = match range.within.map(|set| self.eval(set, old)) {
            Some(Value::Set(set)) => set.maybe,
            _ => all,
        };
        Set::members(within & all)
    }

    /// Does something with a bound variable bound.
    fn at<T>(&mut self, range: Range, atom: u8, work: impl FnOnce(&mut Self) -> T) -> T {
        let depth = usize::from(range.depth);
        let outer = std::mem::replace(&mut self.bound[depth], atom);
        let result = work(self);
        self.bound[depth] = outer;
        result
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        range: Range,
        body: NodeId,
        old: bool,
    ) -> Option<bool> {
        let decisive = quantifier == Quantifier::Some;
        let mut truth = Some(!decisive);
        for atom in self.cases(range, old) {
            let one = self.at(range, atom, |this| this.eval(body, old).truth());
            match one {
                Some(one) if one == decisive => return Some(decisive),
                Some(_) => {}
                None => truth = None,
            }
        }
        truth
    }
}

/// Changes a map at an atom.
pub(crate) fn write(map: &mut Value, key: u8, value: Value) {
    match (&mut *map, value) {
        (Value::Set(set), value) => *set = set.with(key, value.truth()),
        (Value::Row(values), value) => match Rc::make_mut(values).get_mut(usize::from(key)) {
            Some(cell) => *cell = value,
            None => *map = Value::Unknown,
        },
        (_, _) => *map = Value::Unknown,
    }
}

/// The value of maps at atoms that do not exist.
fn default(ty: &Type) -> Value {
    match ty {
        Type::Bool => Value::Truth(false),
        Type::Bv(_) | Type::Int => Value::Number(0),
        Type::Sort(_) => Value::Atom(0),
        Type::Variant(_) => Value::Constructor(0),
        Type::Ptr | Type::Map(..) | Type::Seq(_) | Type::Record(_) | Type::Bytes => Value::Unknown,
    }
}
