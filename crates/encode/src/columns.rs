//! Columns: the elements of arrays, listed.
//!
//! An array of the heap is a row of a map from atoms and words. Without bounds little can be said about all its
//! elements at once (`claims.rs`), and atoms that only an array leads to cannot be numbered. So, in an
//! under-approximation, the first few columns of such maps can become a table: a common property of all elements is
//! then a conjunction, and numbering follows elements as it follows fields. Executions that use an element behind
//! these columns, or a contract that mentions one, leave the scope.

use circuit::{Bits, Gate};
use ir::{Binder, Expr, ExprId, Exprs, Limit, Module, Op, Order, Procedure, Type, Variable};

use crate::context::Context;
use crate::escape::Escape;
use crate::expr::Reader;
use crate::heap::holds_any;
use crate::limits::KEY_BITS;
use crate::scope::Scope;
use crate::sym::Sym;

/// How maps with other keys than one atom lead to atoms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Arrays {
    /// They do not.
    None,
    /// As rows of elements.
    Rows,
    /// Otherwise, so that atoms cannot be numbered in the order in which they are reached.
    Others,
}

/// How the maps that a procedure reads lead to atoms, other than fields do.
pub fn arrays(module: &Module, procedure: &Procedure) -> Arrays {
    let exprs = &procedure.exprs;
    let all = (0..exprs.len() as u32).map(|id| match exprs.get(ExprId(id)) {
        Expr::Read(Variable::Global(id)) => leads(module, &module.global(*id).ty),
        Expr::Read(Variable::Local(id)) => leads(module, &procedure.local(*id).ty),
        _ => Arrays::None,
    });
    all.max().unwrap_or(Arrays::None)
}

fn leads(module: &Module, ty: &Type) -> Arrays {
    match ty {
        Type::Map(keys, value) if holds_any(module, value) => match &keys[..] {
            [Type::Sort(_)] if has_map(value) => Arrays::Others,
            [Type::Sort(_)] => Arrays::None,
            keys if is_row(keys) && !has_map(value) => Arrays::Rows,
            _ => Arrays::Others,
        },
        _ => Arrays::None,
    }
}

fn has_map(ty: &Type) -> bool {
    matches!(ty, Type::Map(..) | Type::Record(_) | Type::Variant(_))
}

/// Whether keys are an array and an index.
fn is_row(keys: &[Type]) -> bool {
    matches!(keys, [Type::Sort(_), Type::Bv(width)] if *width > KEY_BITS)
}

impl Scope {
    /// Whether the maps with these keys are tables with a fixed number of columns.
    pub(crate) fn has_columns(&self, keys: &[Type]) -> bool {
        self.is_under() && self.columns.is_some() && is_row(keys)
    }

    /// How many values are listed of one of the keys of a map, if it is an index.
    pub(crate) fn columns_of(&self, keys: &[Type], key: &Type) -> Option<usize> {
        let columns = self.columns.filter(|_| self.has_columns(keys))?;
        matches!(key, Type::Bv(_)).then_some(columns as usize)
    }
}

impl<'m> Context<'m> {
    /// The values of a bound variable that is an index, if the elements are listed. Where its guards allow
    /// for others, the scope is left.
    pub(crate) fn indexed(
        &mut self,
        reader: &mut Reader<'_, 'm>,
        guards: &[ExprId],
        binders: &[Binder],
        binder: Binder,
        body: ExprId,
    ) -> Option<Vec<Sym>> {
        let columns = u128::from(self.scope.columns.filter(|_| self.under())?);
        let Type::Bv(width) = *reader.exprs.binder(binder).1 else { return None };
        if width <= KEY_BITS || !self.is_index(reader.exprs, binder, body) {
            return None;
        }
        let width = width as usize;
        let end = Bits::constant(width, columns);
        let mut beyond: Vec<Gate> = Vec::new();
        for &guard in guards {
            let (order, strict, by) = match reader.exprs.limit(guard, binder) {
                Some((Limit::Equal, _)) => return None,
                Some((Limit::Below { order, strict }, by)) => (order, strict, by),
                Some((Limit::Above { .. } | Limit::Member, _)) | None => continue,
            };
            if reader.exprs.mentions(by, binders) {
                continue;
            }
            let Sym::Bits(by) = self.aside(reader, by) else { continue };
            let circuit = &mut self.circuit;
            beyond.push(match (order, strict) {
                (Order::Signed, true) => circuit.slt(&end, &by),
                (Order::Signed, false) => !circuit.slt(&by, &end),
                (_, true) => circuit.ult(&end, &by),
                (_, false) => !circuit.ult(&by, &end),
            });
        }
        if !beyond.is_empty() {
            let beyond = self.circuit.and_all(beyond);
            self.escape(beyond, Escape::Column);
        }
        Some((0..columns).map(|index| Sym::Bits(Bits::constant(width, index))).collect())
    }

    /// Whether a body uses a bound variable as the index of an array, by itself or in what it applies.
    fn is_index(&self, exprs: &Exprs, binder: Binder, body: ExprId) -> bool {
        let mut open = vec![body];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(id) = open.pop() {
            let expr = exprs.get(id);
            let used = match expr {
                Expr::Op(Op::Select | Op::Store, operands) => match exprs.ty(operands[0]) {
                    Type::Map(keys, _) if self.scope.has_columns(keys) => &operands[1..=keys.len()],
                    _ => &[],
                },
                Expr::Apply(_, arguments) => &arguments[..],
                _ => &[],
            };
            if used.iter().any(|&id| exprs.mentions(id, &[binder])) {
                return true;
            }
            open.extend(expr.operands().iter().filter(|id| seen.insert(**id)));
        }
        false
    }
}
