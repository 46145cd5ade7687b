//! The values that a procedure tests: those that it compares to see which is less, and those that it masks.
//!
//! For each side of a branch that compares two values: the values, the terms of those that are sums, and the condition
//! under which the comparison is at its boundary, so that the next value would be on the other side. For each value
//! that is masked with low ones, or that is the remainder of an unsigned division by a constant: the value, and
//! whether the procedure computes it or extracts it from something stored or passed.
//!
//! These are facts about the text. The caller decides which of them matter.

use circuit::{Bits, Gate};
use ir::{Expr, ExprId, Float, LocalId, Op, Origin, Procedure, StatementKind, Type, Variable};
use rustc_hash::FxHashSet;

use super::Walk;
use crate::evaluation::{Comparison, Masked};
use crate::limits::{SIZE_BITS, TESTED_SUMS};
use crate::scope::Scope;
use crate::sym::Sym;

/// The expressions that mask something, and those that contain one, by number.
#[derive(Default)]
pub(super) struct Masks {
    is_mask: Vec<bool>,
    contains: Vec<bool>,
    computed: Computed,
}

impl Masks {
    /// The masks of a procedure; none if tests are not recorded.
    pub(super) fn of(procedure: &Procedure, scope: &Scope) -> Masks {
        let mut masks = Masks::default();
        if !scope.records_tests {
            return masks;
        }
        for id in (0..procedure.exprs.len() as u32).map(ExprId) {
            let is_mask = is_mask(procedure, id);
            let expr = procedure.exprs.get(id);
            let contained = expr.operands().iter().any(|part| masks.contains[part.0 as usize]);
            // Conditions on bound variables, or on an earlier state, are no tests.
            let is_specification = !expr.binders().is_empty() || matches!(expr, Expr::Old(_));
            masks.is_mask.push(is_mask);
            masks.contains.push(is_mask || contained && !is_specification);
        }
        masks
    }
}

fn is_mask(procedure: &Procedure, id: ExprId) -> bool {
    let exprs = &procedure.exprs;
    let Expr::Op(op @ (Op::BvAnd | Op::BvUrem), operands) = exprs.get(id) else { return false };
    let mut constants = operands.iter().filter_map(|&operand| match exprs.get(operand) {
        Expr::Bv(_, value) => Some((operand, value)),
        _ => None,
    });
    match (op, constants.next(), constants.next()) {
        (Op::BvUrem, Some((divisor, _)), None) => divisor == operands[1],
        (Op::BvAnd, Some((_, mask)), None) => {
            is_low_ones(mask) && !operands.iter().any(|&operand| fits(procedure, operand, mask))
        }
        _ => false,
    }
}

/// The variables that hold numbers which the procedure computes itself, computed on demand: from more than one
/// value, or by multiplication or division. A value that is stored or passed in and only taken apart, moved or put
/// together again is a tag, which other code keeps valid.
#[derive(Default)]
struct Computed(Option<FxHashSet<Variable>>);

impl Computed {
    /// Whether what is masked is not computed.
    fn is_tag(&mut self, procedure: &Procedure, mask: ExprId) -> bool {
        match procedure.exprs.get(mask) {
            Expr::Op(Op::BvAnd, operands) => {
                let variables = self.0.get_or_insert_with(|| computed(procedure));
                !operands.iter().any(|&operand| is_computed(procedure, variables, operand))
            }
            _ => false,
        }
    }
}

fn computed(procedure: &Procedure) -> FxHashSet<Variable> {
    let mut computed = FxHashSet::default();
    let statements = procedure.blocks.iter().flatten().flat_map(|block| &block.statements);
    let assigned: Vec<(Variable, ExprId)> = statements
        .filter_map(|statement| match &statement.kind {
            StatementKind::Assign(pairs) => Some(pairs),
            _ => None,
        })
        .flatten()
        .filter(|(place, value)| {
            place.path.is_empty() && matches!(procedure.exprs.ty(*value), Type::Bv(_))
        })
        .map(|(place, value)| (place.variable, *value))
        .collect();
    loop {
        let known = computed.len();
        for (variable, value) in &assigned {
            if !computed.contains(variable) && is_computed(procedure, &computed, *value) {
                computed.insert(*variable);
            }
        }
        if computed.len() == known {
            return computed;
        }
    }
}

fn is_computed(procedure: &Procedure, variables: &FxHashSet<Variable>, value: ExprId) -> bool {
    let is_open = |id: &&ExprId| !matches!(procedure.exprs.get(**id), Expr::Bv(..));
    match procedure.exprs.get(value) {
        Expr::Read(variable) => variables.contains(variable),
        Expr::Op(op, operands) => {
            let open = operands.iter().filter(is_open).count();
            let computes = match op {
                Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem => open > 0,
                Op::BvAdd | Op::BvSub | Op::BvXor => open > 1 && !is_distance(procedure, value),
                _ => false,
            };
            let passes_on = !matches!(op, Op::Memory(_));
            computes
                || passes_on && operands.iter().any(|&part| is_computed(procedure, variables, part))
        }
        _ => false,
    }
}

/// Whether a value is the distance of two pointers.
fn is_distance(procedure: &Procedure, value: ExprId) -> bool {
    match procedure.exprs.get(value) {
        Expr::Op(Op::BvSub, operands) => operands
            .iter()
            .all(|&operand| matches!(procedure.exprs.get(operand), Expr::Op(Op::PtrToBv, _))),
        Expr::Op(
            Op::BvZeroExtend(_) | Op::BvSignExtend(_) | Op::BvExtract { .. } | Op::BvSdiv,
            operands,
        ) => is_distance(procedure, operands[0]),
        _ => false,
    }
}

/// Whether a mask leaves a value as it is, because it was no wider before.
fn fits(procedure: &Procedure, value: ExprId, mask: &num_bigint::BigInt) -> bool {
    let Expr::Op(Op::BvZeroExtend(_), operands) = procedure.exprs.get(value) else { return false };
    matches!(procedure.exprs.ty(operands[0]), Type::Bv(width) if u64::from(*width) <= mask.bits())
}

/// Whether a word is ones below zeros.
fn is_low_ones(mask: &num_bigint::BigInt) -> bool {
    let next = mask + 1u32;
    mask.bits() > 0 && next.trailing_zeros() == Some(mask.bits())
}

impl Walk<'_> {
    /// Records what an expression masks.
    pub(super) fn record_masks(&mut self, id: ExprId, origin: Origin) {
        if !self.masks.contains.get(id.0 as usize).copied().unwrap_or(false) {
            return;
        }
        if self.masks.is_mask[id.0 as usize] {
            let value = self.eval(id).bits().clone();
            let reached = self.guards.gate(&mut self.cx.circuit, &self.here.guard);
            if value.as_constant().is_none() {
                let is_tag = self.masks.computed.is_tag(self.procedure, id);
                self.masked.push(Masked { origin, reached, value, is_tag });
            }
        }
        let procedure = self.procedure;
        for &operand in procedure.exprs.get(id).operands() {
            self.record_masks(operand, origin);
        }
    }

    /// The condition under which a comparison is at its boundary, and what it compares.
    pub(super) fn boundary(&mut self, condition: ExprId, holds: bool) -> (Gate, Comparison) {
        if !self.cx.scope.records_tests {
            return (Gate::FALSE, Comparison::default());
        }
        let (op, operands) = match self.procedure.exprs.get(condition) {
            Expr::Op(Op::Not, inner) => return self.boundary(inner[0], !holds),
            Expr::Op(op @ (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle), operands) => {
                (op.clone(), operands.clone())
            }
            Expr::Op(Op::Float(Float::Less | Float::LessEqual), operands) => {
                let operands = [operands[0], operands[1]];
                let [a, b] = operands.map(|operand| self.eval(operand).bits().clone());
                let both = [&a, &b].into_iter().filter(|word| word.as_constant().is_none());
                let words: Vec<Bits> = both.cloned().collect();
                // The boundary of floating-point numbers is equality, not the next number.
                let is_equal = self.cx.circuit.equal(&a, &b);
                let with = (words.len() == 2).then_some([a, b]);
                return (is_equal, Comparison { words, with, ..Comparison::default() });
            }
            Expr::Op(Op::Eq, operands) if !holds => {
                // A counter that is about to get where its loop ends.
                let known = [operands[0], operands[1]].map(|operand| match self.eval(operand) {
                    Sym::Bits(bits) => bits.as_constant(),
                    _ => None,
                });
                let is_next = matches!(known, [Some(a), Some(b)] if a.abs_diff(b) == 1);
                let nonzero = match known {
                    [Some(0), None] => Some(operands[1]),
                    [None, Some(0)] => Some(operands[0]),
                    _ => None,
                };
                let nonzero = nonzero.map(|word| self.eval(word).bits().clone());
                return (Gate::constant(is_next), Comparison { nonzero, ..Comparison::default() });
            }
            _ if holds => {
                let listed = self.one_of(condition).map(|value| self.eval(value).bits().clone());
                let is_listed = Gate::constant(listed.is_some());
                let words = listed.into_iter().collect();
                return (is_listed, Comparison { words, ..Comparison::default() });
            }
            _ => return (Gate::FALSE, Comparison::default()),
        };
        let [a, b] = [operands[0], operands[1]].map(|operand| self.eval(operand).bits().clone());
        // How far apart two pointers are says nothing of where they are.
        let words = operands.iter().zip([&a, &b]).filter(|(operand, bits)| {
            bits.as_constant().is_none() && !is_distance(self.procedure, **operand)
        });
        let mut words: Vec<Bits> = words.map(|(_, bits)| bits.clone()).collect();
        let with = (words.len() == 2).then(|| [a.clone(), b.clone()]);
        for &operand in &operands {
            self.terms(operand, TESTED_SUMS, &mut words);
        }
        let is_signed = matches!(op, Op::BvSlt | Op::BvSle);
        let bounds_sign = |bits: &Bits| {
            let value = bits.as_constant();
            value == Some(0) || value == Bits::ones(bits.width()).as_constant()
        };
        let is_sign_test = is_signed && [&a, &b].into_iter().any(bounds_sign);
        // `a < b` leaves the values above if `a` is known, and those below otherwise; and vice versa.
        let floor = if holds { &a } else { &b };
        let has_floor = !is_sign_test && floor.as_constant().is_some_and(|floor| floor > 0);
        let apart = operands.iter().zip([&a, &b]).filter(|(operand, _)| {
            is_signed && !is_sign_test && is_distance(self.procedure, **operand)
        });
        let distances = apart.map(|(_, bits)| bits.clone()).collect();
        let (nonzero, unsigned) = (None, !is_signed);
        let compared =
            Comparison { words, with, is_sign_test, distances, nonzero, has_floor, unsigned };
        let one = Bits::constant(a.width(), 1);
        let strict = matches!(op, Op::BvUlt | Op::BvSlt);
        let c = &mut self.cx.circuit;
        let (a, b) = match (strict, holds) {
            (true, true) => (c.add(&a, &one), b),
            (false, false) => (a, c.add(&b, &one)),
            (true, false) | (false, true) => (a, b),
        };
        (c.equal(&a, &b), compared)
    }

    /// Records under which condition a compared value with the width of sizes is larger than any object, and under
    /// which a distance of pointers is negative.
    pub(super) fn record_sizes(&mut self, reached: Gate, compared: &Comparison) {
        let sizes = compared.words.iter().filter(|word| compared.unsigned && word.width() == 64);
        let high: Vec<Gate> = sizes.flat_map(|word| word.iter().skip(SIZE_BITS)).collect();
        let signs: Vec<Gate> = compared.distances.iter().map(Bits::msb).collect();
        let c = &mut self.cx.circuit;
        for (bits, unusual) in
            [(high, &mut self.unusual.sizes), (signs, &mut self.unusual.distances)]
        {
            let is_set = c.or_all(bits);
            let is_met = c.and(reached, is_set);
            if is_met != Gate::FALSE {
                unusual.push(is_met);
            }
        }
    }

    /// Records under which condition an unknown function that gets a buffer and its size, as `read` does, returns more
    /// than that size, or the size is larger than any object.
    pub(super) fn record_count(&mut self, ty: &Type, count: &Bits) {
        let call = self.calling.and_then(|call| self.calls.get(call));
        let (Some(call), Type::Bv(_), true) = (call, ty, self.cx.scope.records_tests) else {
            return;
        };
        let is_pointer = |id: LocalId| self.procedure.local(id).ty == Type::Ptr;
        let mut pairs = call.arguments.windows(2);
        let size = pairs.find(|pair| is_pointer(pair[0]) && !is_pointer(pair[1]));
        let size = size.and_then(|pair| self.here.state.get(Variable::Local(pair[1])));
        if let Some(Sym::Bits(size)) = size {
            let width = count.width().max(size.width()) + 1;
            let high: Vec<Gate> = size.iter().skip(SIZE_BITS).collect();
            let (size, count) = (size.zero_extend(width), count.sign_extend(width));
            let c = &mut self.cx.circuit;
            let exceeds = c.slt(&size, &count);
            let is_large = c.or_all(high);
            let is_unexpected = c.or(exceeds, is_large);
            let reached = self.guards.gate(c, &self.here.guard);
            self.unusual.counts.push(c.and(reached, is_unexpected));
        }
    }

    /// The expression that a condition compares with several words, if it does.
    fn one_of(&self, condition: ExprId) -> Option<ExprId> {
        let exprs = &self.procedure.exprs;
        match exprs.get(condition) {
            Expr::Op(Op::Or, sides) => {
                let leaf = |side| match exprs.get(side) {
                    Expr::Op(Op::Eq, operands) => Some(operands[0]),
                    _ => self.one_of(side),
                };
                let value = leaf(sides[0]).filter(|value| Some(*value) == leaf(sides[1]))?;
                matches!(exprs.ty(value), Type::Bv(_)).then_some(value)
            }
            _ => None,
        }
    }

    /// The terms of a sum.
    fn terms(&mut self, sum: ExprId, deeper: u32, terms: &mut Vec<Bits>) {
        let (Some(deeper), Expr::Op(op, operands)) =
            (deeper.checked_sub(1), self.procedure.exprs.get(sum))
        else {
            return;
        };
        match op {
            Op::BvZeroExtend(_) | Op::BvSignExtend(_) => self.terms(operands[0], deeper, terms),
            Op::BvAdd | Op::BvSub if !is_distance(self.procedure, sum) => {
                for &operand in operands {
                    let term = self.eval(operand).bits().clone();
                    if term.as_constant().is_none() {
                        terms.push(term);
                    }
                    self.terms(operand, deeper, terms);
                }
            }
            _ => {}
        }
    }
}
