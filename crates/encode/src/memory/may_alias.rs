//! Pointers of the environment that may alias: those whose addresses a procedure uses.
//!
//! Where the environment's pointers may not alias in general (Xie & Aiken 2007, §3.2), each points to an object of its
//! own. But a procedure that compares two pointers, or computes with their addresses, expects pointers into one object:
//! the two ends of a buffer, or the links of a list that lead back to its head. And a procedure that frees the address
//! some bytes before a pointer expects that the pointer does not point to the start of its object.
//!
//! The analysis is flow-insensitive and goes backwards from such uses: from a variable to the values assigned to it, and
//! from a load to the values stored at the same access path. Two loads through equal access paths are taken for the
//! same value; a variable that is assigned once is replaced by its value in access paths. A pointer that is compared
//! with the address of a static object or of a function may be that address.

use ir::{
    Expr, ExprId, Exprs, FunctionId, Memory, Module, Op, Procedure, Projection, StatementKind,
    Type, Variable,
};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::limits::{ACCESS_PATH_STEPS, ALIASED_STATICS};

/// The pointers that may point into the same object, by the variables and loads that they come from.
#[derive(Clone, Debug, Default)]
pub(crate) struct MayAlias {
    variables: FxHashSet<Variable>,
    loads: FxHashSet<ExprId>,
    /// Variables with pointers that are freed.
    freed: FxHashSet<Variable>,
    /// The static objects and functions that pointers are compared with.
    statics: Vec<FunctionId>,
}

impl MayAlias {
    /// Whether the value of a variable may alias others.
    pub(crate) fn has_variable(&self, variable: Variable) -> bool {
        self.variables.contains(&variable)
    }

    /// Whether the pointer that this expression loads may alias others.
    pub(crate) fn has_load(&self, load: ExprId) -> bool {
        self.loads.contains(&load)
    }

    /// The addresses of static objects and functions that a pointer that may alias others may be.
    pub(crate) fn statics(&self) -> &[FunctionId] {
        &self.statics
    }

    /// The size of the sets, which only grow.
    fn size(&self) -> usize {
        self.variables.len() + self.loads.len() + self.freed.len()
    }

    /// Adds the sources of a pointer whose address is used.
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

    /// Adds the sources of a pointer that is freed, if they have another address.
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

/// The pointers whose addresses a procedure uses. A comparison with `null` is no such use.
pub(crate) fn may_alias(module: &Module, procedure: &Procedure) -> MayAlias {
    let exprs = &procedure.exprs;
    let all = || (0..exprs.len() as u32).map(ExprId);
    let mut found = MayAlias::default();
    let is_null = |id: ExprId| matches!(exprs.get(id), Expr::Null(_));
    for id in all() {
        match exprs.get(id) {
            Expr::Op(Op::PtrToBv, operands) => found.add(exprs, operands[0]),
            Expr::Op(Op::Eq | Op::PtrSameObject, operands)
                if *exprs.ty(operands[0]) == Type::Ptr
                    && !operands.iter().any(|&operand| is_null(operand)) =>
            {
                operands.iter().for_each(|&operand| found.add(exprs, operand));
                found.statics.extend(operands.iter().filter_map(|&operand| {
                    let Expr::Apply(address, _) = exprs.get(operand) else { return None };
                    module.object_at(*address).map(|_| *address)
                }));
            }
            _ => {}
        }
    }
    found.statics.sort_unstable();
    found.statics.dedup();
    found.statics.truncate(ALIASED_STATICS);
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
            StatementKind::Free(pointer) => found.add_freed(exprs, *pointer),
            _ => {}
        }
    }
    let once = assigned_once(&assigned);
    let loaded = all().filter_map(|id| match exprs.get(id) {
        Expr::Op(Op::Memory(Memory::Load(Type::Ptr)), operands) => {
            Some((id, access_path(exprs, &once, operands[1])?))
        }
        _ => None,
    });
    let loaded: Vec<(ExprId, AccessPath)> = loaded.collect();
    let stored = stored.into_iter();
    let stored = stored.filter_map(|(to, value)| Some((access_path(exprs, &once, to)?, value)));
    let stored: Vec<(AccessPath, ExprId)> = stored.collect();
    let mut size = usize::MAX;
    while size != found.size() {
        size = found.size();
        // Backwards, for most values flow forwards.
        for &(variable, value) in assigned.iter().rev() {
            if found.has_variable(variable) {
                found.add(exprs, value);
            }
            if found.freed.contains(&variable) {
                found.add_freed(exprs, value);
            }
        }
        let aliasing = loaded.iter().filter(|(load, _)| found.has_load(*load));
        let paths: FxHashSet<&AccessPath> = aliasing.map(|(_, path)| path).collect();
        let same = loaded.iter().filter(|(_, path)| paths.contains(path));
        let same: Vec<ExprId> = same.map(|(load, _)| *load).collect();
        let held = stored.iter().filter(|(path, _)| paths.contains(path));
        held.for_each(|(_, value)| found.add(exprs, *value));
        found.loads.extend(same);
    }
    found
}

/// The variables that are assigned once, such as parameters of inlined callees, with their values.
fn assigned_once(assigned: &[(Variable, ExprId)]) -> FxHashMap<Variable, ExprId> {
    let mut values: FxHashMap<Variable, Option<ExprId>> = FxHashMap::default();
    for &(variable, value) in assigned {
        values.entry(variable).and_modify(|known| *known = None).or_insert(Some(value));
    }
    values.into_iter().filter_map(|(variable, value)| Some((variable, value?))).collect()
}

/// An access path: a variable, and the offsets of its dereferences, the last one first.
type AccessPath = (Variable, Vec<BigInt>);

/// The access path of the place that a pointer points to.
fn access_path(
    exprs: &Exprs,
    once: &FxHashMap<Variable, ExprId>,
    mut pointer: ExprId,
) -> Option<AccessPath> {
    let mut offsets = vec![BigInt::ZERO];
    for _ in 0..ACCESS_PATH_STEPS {
        match exprs.get(pointer) {
            Expr::Read(variable) => match once.get(variable) {
                Some(value) if is_followed(exprs, *value) => pointer = *value,
                Some(_) | None => return Some((*variable, offsets)),
            },
            Expr::Op(Op::PtrAdd, operands) => match exprs.get(operands[1]) {
                Expr::Bv(_, by) => {
                    *offsets.last_mut()? += by;
                    pointer = operands[0];
                }
                _ => return None,
            },
            Expr::Op(Op::Memory(Memory::Load(Type::Ptr)), operands) => {
                offsets.push(BigInt::ZERO);
                pointer = operands[1];
            }
            _ => return None,
        }
    }
    None
}

/// Whether a value extends an access path.
fn is_followed(exprs: &Exprs, value: ExprId) -> bool {
    let value = exprs.get(value);
    matches!(value, Expr::Read(_) | Expr::Op(Op::PtrAdd | Op::Memory(Memory::Load(Type::Ptr)), _))
}
