//! Which pointers may meet: those whose addresses a procedure looks at.
//!
//! Callers are trusted not to hand over one object twice, so a pointer into a roomy environment leads to an
//! object of its own (paper 2, §3.2). But whoever compares two pointers, or computes with their numbers, is
//! prepared for pointers into one object, as the two ends of a buffer are, or the links of a list that leads
//! back to its head. Whoever frees what is some bytes before a pointer knows that it does not point to the
//! start of its object. Values of pointers flow through variables; those that flow into such uses are found by
//! going back from there. What is loaded from the same place of the same variable's object is taken for the same, also by way of
//! variables that only hold that place.

use ir::{Expr, ExprId, Exprs, Memory, Op, Procedure, StatementKind, Type, Variable};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

/// Places are followed through so many variables and sums.
const FARTHEST: usize = 64;

/// The pointers that may be into the same object, by where they come from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meeting {
    variables: FxHashSet<Variable>,
    loads: FxHashSet<ExprId>,
    /// Variables with pointers that are freed.
    freed: FxHashSet<Variable>,
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
pub(crate) fn meeting(procedure: &Procedure) -> Meeting {
    let exprs = &procedure.exprs;
    let mut meeting = Meeting::default();
    let is_null = |id: ExprId| matches!(exprs.get(id), Expr::Null(_));
    for id in (0..exprs.len() as u32).map(ExprId) {
        match exprs.get(id) {
            Expr::Op(Op::PtrToBv, operands) => meeting.add(exprs, operands[0]),
            Expr::Op(Op::Eq | Op::PtrSameObject, operands)
                if *exprs.ty(operands[0]) == Type::Ptr
                    && !operands.iter().any(|&operand| is_null(operand)) =>
            {
                operands.iter().for_each(|&operand| meeting.add(exprs, operand));
            }
            _ => {}
        }
    }
    let mut assigned = Vec::new();
    for statement in procedure.blocks.iter().flatten().flat_map(|block| &block.statements) {
        match &statement.kind {
            StatementKind::Assign(pairs) => {
                let whole = pairs.iter().filter(|(place, _)| place.path.is_empty());
                assigned.extend(whole.map(|(place, value)| (place.variable, *value)));
            }
            StatementKind::Free(pointer) => meeting.add_freed(exprs, *pointer),
            _ => {}
        }
    }
    let mut known = usize::MAX;
    while known != meeting.variables.len() + meeting.freed.len() {
        known = meeting.variables.len() + meeting.freed.len();
        // Backwards, for most values flow forwards.
        for &(variable, value) in assigned.iter().rev() {
            if meeting.has_variable(variable) {
                meeting.add(exprs, value);
            }
            if meeting.freed.contains(&variable) {
                meeting.add_freed(exprs, value);
            }
        }
    }
    let settled = settled(&assigned);
    let loaded_from = |exprs, load| loaded_from(exprs, &settled, load);
    let places: FxHashSet<_> =
        meeting.loads.iter().filter_map(|&load| loaded_from(exprs, load)).collect();
    if !places.is_empty() {
        let all = (0..exprs.len() as u32).map(ExprId);
        let from = |load: ExprId| loaded_from(exprs, load).is_some_and(|at| places.contains(&at));
        meeting.loads.extend(all.filter(|&id| from(id)));
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

/// The place that a pointer is loaded from: a variable, and how far behind what it points to.
fn loaded_from(
    exprs: &Exprs,
    settled: &FxHashMap<Variable, ExprId>,
    load: ExprId,
) -> Option<(Variable, BigInt)> {
    let Expr::Op(Op::Memory(Memory::Load(Type::Ptr)), operands) = exprs.get(load) else {
        return None;
    };
    let (mut pointer, mut distance) = (operands[1], BigInt::ZERO);
    for _ in 0..FARTHEST {
        match exprs.get(pointer) {
            Expr::Read(variable) => match settled.get(variable).map(|value| exprs.get(*value)) {
                Some(Expr::Read(_) | Expr::Op(Op::PtrAdd, _)) => pointer = settled[variable],
                Some(_) | None => return Some((*variable, distance)),
            },
            Expr::Op(Op::PtrAdd, operands) => match exprs.get(operands[1]) {
                Expr::Bv(_, by) => {
                    distance += by;
                    pointer = operands[0];
                }
                _ => return None,
            },
            _ => return None,
        }
    }
    None
}
