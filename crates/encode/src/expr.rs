//! Expressions in a state: reads, operators, functions, and what only specifications say.

use circuit::{Bits, Gate};
use ir::{Binder, Expr, ExprId, Exprs, FunctionId, Memory, Op, Type, Variable};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::cache::Cached;
use crate::context::Context;
use crate::escape::Escape;
use crate::limits::DEFINITION_DEPTH;
use crate::state::State;
use crate::sym::Sym;

/// The context in which an expression is evaluated.
pub(crate) struct Reader<'r, 'm> {
    pub(crate) exprs: &'m Exprs,
    pub(crate) state: &'r State,
    /// The state at entry, which `old` refers to.
    pub(crate) entry: &'r State,
    pub(crate) binders: FxHashMap<Binder, Sym>,
    /// How many definitions of functions it is inside of.
    pub(crate) depth: usize,
    /// The expressions that are evaluated already.
    pub(crate) cached: Cached,
}

impl<'r, 'm> Reader<'r, 'm> {
    pub(crate) fn new(exprs: &'m Exprs, state: &'r State, entry: &'r State) -> Reader<'r, 'm> {
        Reader::inside(exprs, state, entry, 0)
    }

    /// A reader at a nesting depth of function definitions.
    pub(crate) fn inside(
        exprs: &'m Exprs,
        state: &'r State,
        entry: &'r State,
        depth: usize,
    ) -> Reader<'r, 'm> {
        let (binders, cached) = (FxHashMap::default(), Cached::default());
        Reader { exprs, state, entry, binders, depth, cached }
    }
}

impl<'m> Context<'m> {
    /// The value of an expression. Where it leaves the scope is noted in [`Context::escapes`].
    pub(crate) fn eval(&mut self, reader: &mut Reader<'_, 'm>, id: ExprId) -> Sym {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || {
            self.cached(reader, id, |this, reader| this.eval_node(reader, id))
        })
    }

    fn eval_node(&mut self, reader: &mut Reader<'_, 'm>, id: ExprId) -> Sym {
        let exprs = reader.exprs;
        let ty = exprs.ty(id);
        match exprs.get(id) {
            Expr::Bool(value) => Sym::Bool(Gate::constant(*value)),
            Expr::Bv(width, value) => Sym::Bits(constant(*width as usize, value)),
            Expr::Int(value) => self.int_constant(value),
            Expr::Null(ty) => self.default(ty),
            Expr::Read(variable) => self.read_variable(reader.state, *variable, ty),
            Expr::Bound(binder) => {
                reader.binders.get(binder).cloned().expect("a bound variable is below its binder")
            }
            Expr::Op(op, operands) => self.eval_op(reader, id, op, operands, ty),
            Expr::Apply(function, arguments) => {
                let arguments: Vec<Sym> =
                    arguments.iter().map(|&argument| self.eval(reader, argument)).collect();
                self.call_function(reader, *function, arguments)
            }
            Expr::Old(inner) => {
                let now = std::mem::replace(&mut reader.state, reader.entry);
                let value = self.eval(reader, *inner);
                reader.state = now;
                value
            }
            Expr::Quantified(quantifier, binders, body) => {
                Sym::Bool(self.quantified(reader, *quantifier, binders, *body))
            }
            Expr::Lambda(binders, body) => self.lambda(reader, binders, *body, ty),
        }
    }

    /// Operands that matter only where another has a certain value are evaluated as such.
    fn eval_op(
        &mut self,
        reader: &mut Reader<'_, 'm>,
        id: ExprId,
        op: &Op,
        operands: &[ExprId],
        ty: &Type,
    ) -> Sym {
        match (op, operands) {
            (Op::And, &[a, b]) => {
                let a = self.eval(reader, a).gate();
                let b = self.eval_where(reader, a, b).map_or(Gate::FALSE, |b| b.gate());
                Sym::Bool(self.circuit.and(a, b))
            }
            (Op::Or, &[a, b]) => {
                let a = self.eval(reader, a).gate();
                let b = self.eval_where(reader, !a, b).map_or(Gate::TRUE, |b| b.gate());
                Sym::Bool(self.circuit.or(a, b))
            }
            (Op::Implies, &[a, b]) => {
                let a = self.eval(reader, a).gate();
                let b = self.eval_where(reader, a, b).map_or(Gate::TRUE, |b| b.gate());
                Sym::Bool(self.circuit.implies(a, b))
            }
            (Op::Ite, &[condition, then, otherwise]) => {
                let condition = self.eval(reader, condition).gate();
                let then = self.eval_where(reader, condition, then);
                let otherwise = self.eval_where(reader, !condition, otherwise);
                match (then, otherwise) {
                    (Some(then), Some(otherwise)) => self.select(condition, &then, &otherwise),
                    (Some(only), None) | (None, Some(only)) => only,
                    (None, None) => unreachable!("a condition or its negation can hold"),
                }
            }
            _ => {
                let values: Vec<Sym> =
                    operands.iter().map(|&operand| self.eval(reader, operand)).collect();
                if let Op::Memory(fact @ (Memory::ObjectSize | Memory::IsLive | Memory::IsHeap)) =
                    op
                {
                    return self.object_fact(reader.state, fact, &values[0]);
                }
                let types: Vec<&Type> =
                    operands.iter().map(|&operand| reader.exprs.ty(operand)).collect();
                self.may_alias = self.aliasing.has_load(id);
                self.apply(op, &types, &values, ty)
            }
        }
    }

    /// The value of an expression that matters only where a gate is true; none if that is nowhere.
    fn eval_where(&mut self, reader: &mut Reader<'_, 'm>, gate: Gate, id: ExprId) -> Option<Sym> {
        (gate != Gate::FALSE).then(|| self.where_(gate, |this| this.eval(reader, id)))
    }

    fn int_constant(&mut self, value: &BigInt) -> Sym {
        let bits = value.bits() as usize + 1;
        let exact = constant(bits.max(2), value);
        self.int_of(&exact)
    }

    pub(crate) fn read_variable(&mut self, state: &State, variable: Variable, ty: &Type) -> Sym {
        match state.get(variable) {
            Some(value) => value.clone(),
            // A variable that was never set may not be read; a read has an arbitrary value.
            None => self.fresh(ty),
        }
    }

    fn call_function(
        &mut self,
        reader: &mut Reader<'_, 'm>,
        function: FunctionId,
        arguments: Vec<Sym>,
    ) -> Sym {
        let module = self.module;
        let declared = module.function(function);
        let Some((exprs, body)) = &declared.definition else {
            return self.uninterpreted(function, &arguments);
        };
        if reader.depth == DEFINITION_DEPTH {
            return self.out_of_scope(Escape::Recursion, &declared.result);
        }
        let mut inner = Reader::inside(exprs, reader.state, reader.entry, reader.depth + 1);
        inner.binders.extend((0..).map(Binder).zip(arguments));
        self.eval(&mut inner, *body)
    }

    /// An uninterpreted function is a map that nothing changes.
    fn uninterpreted(&mut self, function: FunctionId, arguments: &[Sym]) -> Sym {
        if let Some(address) = self.static_address(function) {
            return address;
        }
        let declared = self.module.function(function);
        let keys: Vec<Type> = declared.parameters.iter().map(|p| p.1.clone()).collect();
        let is_constant = keys.is_empty();
        let ty = match is_constant {
            true => declared.result.clone(),
            false => Type::Map(keys, Box::new(declared.result.clone())),
        };
        let table = match self.functions.get(&function) {
            Some(table) => table.clone(),
            None => {
                // A function may also have to do with what is allocated later.
                let any = if self.under() { None } else { self.anything(&ty) };
                let table = any.unwrap_or_else(|| self.fresh(&ty));
                self.functions.insert(function, table.clone());
                table
            }
        };
        match (table, &ty) {
            (table, _) if is_constant => table,
            (Sym::Nothing, _) => self.beyond(&declared.result),
            (table, Type::Map(keys, _)) => {
                if let Sym::Array(_) = table {
                    self.note_arguments(function, keys, arguments);
                }
                self.read_quietly(&ty, &table, arguments)
            }
            (_, ty) => unreachable!("{ty:?} is no map type"),
        }
    }
}

/// An integer of any size as a word, modulo two to the width.
fn constant(width: usize, value: &BigInt) -> Bits {
    (0..width).map(|bit| Gate::constant(value.bit(bit as u64))).collect()
}
