//! Which pointers may meet: those whose addresses a procedure looks at.
//!
//! Where the environment's pointers may not alias in general (Xie & Aiken 2007, §3.2), each leads to an object of its
//! own. But whoever compares two pointers, or computes with their numbers, is
//! prepared for pointers into one object, as the two ends of a buffer are, or the links of a list that leads
//! back to its head. Whoever frees what is some bytes before a pointer knows that it does not point to the
//! start of its object. Values of pointers flow through variables; those that flow into such uses are found by
//! going back from there, and through structures that are passed by value: from a load to what is stored at the
//! same place. What is loaded from the same place of the same variable's object is taken for the same, also by way
//! of variables that only hold that place. A pointer that is compared with the address of a static object or of a
//! function may be that address.

use ir::{
    Expr, ExprId, Exprs, FunctionId, Memory, Module, Op, Procedure, Projection, StatementKind,
    Type, Variable,
};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

/// Places are followed through so many variables and sums.
const FARTHEST: usize = 64;

/// A pointer may be one of so many static objects that it is compared with.
const MOST_STATICS: usize = 4;

/// The pointers that may be into the same object, by where they come from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meeting {
    variables: FxHashSet<Variable>,
    loads: FxHashSet<ExprId>,
    /// Variables with pointers that are freed.
    freed: FxHashSet<Variable>,
    /// The static objects and functions that pointers are compared with.
    statics: Vec<FunctionId>,
}

impl Meeting {
    /// Whether the value of a variable may meet others.
    pub(crate) fn has_variable(&self, variable: Variable) -> bool {
        self.variables.contains(&variable)
    }

    /// Whether what this expression of the procedure loads may meet others.
    pub(crate) fn has_load(&self, load: ExprId) -> bool {
        self.loads.contains(&load)
    }

    /// The static objects and functions, by their addresses, that a pointer that may meet others may be.
    pub(crate) fn statics(&self) -> &[FunctionId] {
        &self.statics
    }

    /// How much is known; it only grows.
    fn size(&self) -> usize {
        self.variables.len() + self.loads.len() + self.freed.len()
    }

    /// Adds what a pointer that is looked at comes from.
    fn add(&mut self, exprs: &Exprs, pointer: ExprId) {
        match exprs.get(pointer) {
            Expr::Read(variable) => {
                self.variables.insert(*variable);
            }
            Expr::Op(Op::PtrAdd | Op::BvToPtr | Op::PtrToBv, operands) => {
                self.add(exprs, operands[0]);
            }
            Expr::Op(Op::Ite, operands) => {
                self.add(exprs, operands[1]);
                self.add(exprs, operands[2]);
            }
            Expr::Op(Op::Memory(Memory::Load(_)), _) => {
                self.loads.insert(pointer);
            }
            _ => {}
        }
    }

    /// Adds what a pointer that is freed comes from, if that is another address.
    fn add_freed(&mut self, exprs: &Exprs, pointer: ExprId) {
        match exprs.get(pointer) {
            Expr::Read(variable) => {
                self.freed.insert(*variable);
            }
            Expr::Op(Op::PtrAdd, operands) => self.add(exprs, operands[0]),
            _ => {}
        }
    }
}

/// The pointers that a procedure looks at. That one is `null` is no question about its address.
pub(crate) fn meeting(module: &Module, procedure: &Procedure) -> Meeting {
    let exprs = &procedure.exprs;
    let all = || (0..exprs.len() as u32).map(ExprId);
    let mut meeting = Meeting::default();
    let is_null = |id: ExprId| matches!(exprs.get(id), Expr::Null(_));
    for id in all() {
        match exprs.get(id) {
            Expr::Op(Op::PtrToBv, operands) => meeting.add(exprs, operands[0]),
            Expr::Op(Op::Eq | Op::PtrSameObject, operands)
                if *exprs.ty(operands[0]) == Type::Ptr
                    && !operands.iter().any(|&operand| is_null(operand)) =>
            {
                operands.iter().for_each(|&operand| meeting.add(exprs, operand));
                meeting.statics.extend(operands.iter().filter_map(|&operand| {
                    let Expr::Apply(address, _) = exprs.get(operand) else { return None };
                    module.object_at(*address).map(|_| *address)
                }));
            }
            _ => {}
        }
    }
    meeting.statics.sort_unstable();
    meeting.statics.dedup();
    meeting.statics.truncate(MOST_STATICS);
    let (mut assigned, mut stored) = (Vec::new(), Vec::new());
    for statement in procedure.blocks.iter().flatten().flat_map(|block| &block.statements) {
        match &statement.kind {
            StatementKind::Assign(pairs) => {
                for (place, value) in pairs {
                    match &place.path[..] {
                        [] => assigned.push((place.variable, *value)),
                        [Projection::View { pointer, ty: Type::Ptr, .. }] => {
                            stored.push((*pointer, *value));
                        }
                        _ => {}
                    }
                }
            }
            StatementKind::Free(pointer) => meeting.add_freed(exprs, *pointer),
            _ => {}
        }
    }
    let settled = settled(&assigned);
    let loaded = all().filter_map(|id| match exprs.get(id) {
        Expr::Op(Op::Memory(Memory::Load(Type::Ptr)), operands) => {
            Some((id, at(exprs, &settled, operands[1])?))
        }
        _ => None,
    });
    let loaded: Vec<(ExprId, Way)> = loaded.collect();
    let stored = stored.into_iter();
    let stored = stored.filter_map(|(to, value)| Some((at(exprs, &settled, to)?, value)));
    let stored: Vec<(Way, ExprId)> = stored.collect();
    let mut known = usize::MAX;
    while known != meeting.size() {
        known = meeting.size();
        // Backwards, for most values flow forwards.
        for &(variable, value) in assigned.iter().rev() {
            if meeting.has_variable(variable) {
                meeting.add(exprs, value);
            }
            if meeting.freed.contains(&variable) {
                meeting.add_freed(exprs, value);
            }
        }
        let met = loaded.iter().filter(|(load, _)| meeting.has_load(*load));
        let places: FxHashSet<&Way> = met.map(|(_, place)| place).collect();
        let same = loaded.iter().filter(|(_, place)| places.contains(place));
        let same: Vec<ExprId> = same.map(|(load, _)| *load).collect();
        let held = stored.iter().filter(|(place, _)| places.contains(place));
        held.for_each(|(_, value)| meeting.add(exprs, *value));
        meeting.loads.extend(same);
    }
    meeting
}

/// The variables that are assigned once, such as the parameters of callees that were inlined, and what.
fn settled(assigned: &[(Variable, ExprId)]) -> FxHashMap<Variable, ExprId> {
    let mut settled: FxHashMap<Variable, Option<ExprId>> = FxHashMap::default();
    for &(variable, value) in assigned {
        settled.entry(variable).and_modify(|known| *known = None).or_insert(Some(value));
    }
    settled.into_iter().filter_map(|(variable, value)| Some((variable, value?))).collect()
}

/// A place: a variable, and how far behind what it points to, and so on from the pointer that is held there.
type Way = (Variable, Vec<BigInt>);

/// The place that a pointer leads to.
fn at(exprs: &Exprs, settled: &FxHashMap<Variable, ExprId>, mut pointer: ExprId) -> Option<Way> {
    let mut distances = vec![BigInt::ZERO];
    for _ in 0..FARTHEST {
        match exprs.get(pointer) {
            Expr::Read(variable) => match settled.get(variable) {
                Some(value) if is_followed(exprs, *value) => pointer = *value,
                Some(_) | None => return Some((*variable, distances)),
            },
            Expr::Op(Op::PtrAdd, operands) => match exprs.get(operands[1]) {
                Expr::Bv(_, by) => {
                    *distances.last_mut()? += by;
                    pointer = operands[0];
                }
                _ => return None,
            },
            Expr::Op(Op::Memory(Memory::Load(Type::Ptr)), operands) => {
                distances.push(BigInt::ZERO);
                pointer = operands[1];
            }
            _ => return None,
        }
    }
    None
}

/// Whether a value is where another is, or somewhere behind it.
fn is_followed(exprs: &Exprs, value: ExprId) -> bool {
    let value = exprs.get(value);
    matches!(value, Expr::Read(_) | Expr::Op(Op::PtrAdd | Op::Memory(Memory::Load(Type::Ptr)), _))
}
