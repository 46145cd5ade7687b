//! Functions whose meaning an attribute states in the solver's language: `{:bvbuiltin "bvadd"}`, `{:builtin
//! "MapConst"}`. They become definitions.

use ir::{Binder, Expr, ExprId, FunctionId, Op, Type};

use super::Lowering;
use super::frame::Frame;

impl Lowering<'_, '_, '_> {
    /// Gives a function its definition, or else notes that its meaning is not known.
    pub(super) fn define_builtin(&mut self, id: FunctionId, text: &str) {
        let function = self.module.function(id).clone();
        let mut frame = Frame::default();
        let operands: Vec<ExprId> = function
            .parameters
            .iter()
            .map(|(name, ty)| {
                let binder = frame.exprs.bind(name.clone(), ty.clone());
                frame.push(Expr::Bound(binder), ty.clone(), false)
            })
            .collect();
        let words: Vec<&str> = text
            .split(|c: char| c == '(' || c == ')' || c.is_whitespace())
            .filter(|word| !word.is_empty() && *word != "_")
            .collect();
        let value = match words.split_first() {
            Some((name, numbers)) => {
                let numbers: Vec<u32> =
                    numbers.iter().filter_map(|number| number.parse().ok()).collect();
                let mut builder = Builder { lowering: self, frame: &mut frame };
                builder.value(name, &numbers, &operands, &function.result)
            }
            None => None,
        };
        match value {
            Some(value) if *frame.exprs.ty(value) == function.result => {
                self.module.functions[id.0 as usize].definition = Some((frame.exprs, value));
            }
            _ => {
                let trouble = format!("the builtin function `{text}`");
                self.function_trouble.insert(id, trouble);
            }
        }
    }
}

struct Builder<'l, 'f, 'p, 'a, 's> {
    lowering: &'l Lowering<'p, 'a, 's>,
    frame: &'f mut Frame,
}

impl Builder<'_, '_, '_, '_, '_> {
    fn value(
        &mut self,
        name: &str,
        numbers: &[u32],
        operands: &[ExprId],
        result: &Type,
    ) -> Option<ExprId> {
        if let Some(operator) = name.strip_prefix("Map") {
            return self.map(operator, operands, result);
        }
        if let Some(operator) = name.strip_prefix("seq.") {
            return self.sequence(operator, operands, result);
        }
        match operands {
            [a] => self.unary(name, numbers, *a, result),
            [a, b] => self.binary(name, *a, *b),
            [a, b, c] if name == "ite" => self.op(Op::Ite, &[*a, *b, *c]),
            _ => None,
        }
    }

    /// An operator applied to operands, if it applies to them.
    fn op(&mut self, op: Op, operands: &[ExprId]) -> Option<ExprId> {
        let types: Vec<&Type> = operands.iter().map(|id| self.frame.exprs.ty(*id)).collect();
        let ty = ir::result_type(&op, &types, &self.lowering.module).ok()?;
        Some(self.frame.op(op, operands.to_vec(), ty))
    }

    fn width(&self, id: ExprId) -> Option<u32> {
        match self.frame.exprs.ty(id) {
            Type::Bv(width) => Some(*width),
            _ => None,
        }
    }

    fn unary(&mut self, name: &str, numbers: &[u32], a: ExprId, result: &Type) -> Option<ExprId> {
        let op = match (name, numbers) {
            ("bvneg", _) => Op::BvNeg,
            ("bvnot", _) => Op::BvNot,
            ("not", _) => Op::Not,
            ("-", _) => Op::IntNeg,
            ("bv2nat" | "bv2int" | "ubv_to_int", _) => Op::BvToNat,
            ("sbv_to_int", _) => Op::BvToInt,
            ("int2bv" | "nat2bv" | "int_to_bv", _) => match result {
                Type::Bv(width) => Op::IntToBv(*width),
                _ => return None,
            },
            ("zero_extend" | "sign_extend", [more]) => {
                let width = self.width(a)?.checked_add(*more)?;
                if name == "zero_extend" {
                    Op::BvZeroExtend(width)
                } else {
                    Op::BvSignExtend(width)
                }
            }
            ("extract", [high, low]) => {
                let width = high.checked_sub(*low)?.checked_add(1)?;
                Op::BvExtract { low: *low, width }
            }
            ("rotate_left", [by]) => return self.rotate(a, *by),
            ("rotate_right", [by]) => {
                let width = self.width(a)?;
                return self.rotate(a, width - by % width);
            }
            ("repeat", [times]) => {
                // The result could not be wider than it is declared.
                let Type::Bv(width) = result else { return None };
                if *times == 0 || self.width(a)?.checked_mul(*times)? != *width || *times > 4096 {
                    return None;
                }
                let mut whole = a;
                for _ in 1..*times {
                    whole = self.op(Op::BvConcat, &[whole, a])?;
                }
                return Some(whole);
            }
            _ => return None,
        };
        self.op(op, &[a])
    }

    /// An operator on sequences.
    fn sequence(&mut self, operator: &str, operands: &[ExprId], result: &Type) -> Option<ExprId> {
        let op = match (operator, operands, result) {
            ("empty", [], Type::Seq(element)) => Op::SeqEmpty((**element).clone()),
            ("unit", [_], _) => Op::SeqUnit,
            ("len", [_], _) => Op::SeqLength,
            ("++", [_, _], _) => Op::SeqConcat,
            ("nth", [_, _], _) => Op::SeqAt,
            ("extract", [_, from, _], Type::Seq(element)) => {
                // Solvers take nothing from before the start.
                let zero = self.frame.push(Expr::Int(0.into()), Type::Int, false);
                let is_before = self.op(Op::IntLt, &[*from, zero])?;
                let nothing = self.op(Op::SeqEmpty((**element).clone()), &[])?;
                let taken = self.op(Op::SeqSlice, operands)?;
                return self.op(Op::Ite, &[is_before, nothing, taken]);
            }
            _ => return None,
        };
        self.op(op, operands)
    }

    /// The bits moved to the left, those that leave entering on the right.
    fn rotate(&mut self, a: ExprId, by: u32) -> Option<ExprId> {
        let width = self.width(a)?;
        let by = by % width;
        if by == 0 {
            return Some(a);
        }
        let low = self.op(Op::BvExtract { low: 0, width: width - by }, &[a])?;
        let high = self.op(Op::BvExtract { low: width - by, width: by }, &[a])?;
        self.op(Op::BvConcat, &[low, high])
    }

    fn binary(&mut self, name: &str, a: ExprId, b: ExprId) -> Option<ExprId> {
        let (op, operands) = match name {
            "bvadd" => (Op::BvAdd, [a, b]),
            "bvsub" => (Op::BvSub, [a, b]),
            "bvmul" => (Op::BvMul, [a, b]),
            "bvudiv" => (Op::BvUdiv, [a, b]),
            "bvurem" => (Op::BvUrem, [a, b]),
            "bvsdiv" => (Op::BvSdiv, [a, b]),
            "bvsrem" => (Op::BvSrem, [a, b]),
            "bvsmod" => return self.signed_modulo(a, b),
            "bvand" => (Op::BvAnd, [a, b]),
            "bvor" => (Op::BvOr, [a, b]),
            "bvxor" => (Op::BvXor, [a, b]),
            "bvshl" => (Op::BvShl, [a, b]),
            "bvlshr" => (Op::BvLshr, [a, b]),
            "bvashr" => (Op::BvAshr, [a, b]),
            "concat" => (Op::BvConcat, [a, b]),
            "bvult" => (Op::BvUlt, [a, b]),
            "bvule" => (Op::BvUle, [a, b]),
            "bvugt" => (Op::BvUlt, [b, a]),
            "bvuge" => (Op::BvUle, [b, a]),
            "bvslt" => (Op::BvSlt, [a, b]),
            "bvsle" => (Op::BvSle, [a, b]),
            "bvsgt" => (Op::BvSlt, [b, a]),
            "bvsge" => (Op::BvSle, [b, a]),
            "bvnand" | "bvnor" | "bvxnor" => {
                let op = match name {
                    "bvnand" => Op::BvAnd,
                    "bvnor" => Op::BvOr,
                    _ => Op::BvXor,
                };
                let inner = self.op(op, &[a, b])?;
                return self.op(Op::BvNot, &[inner]);
            }
            "bvcomp" => {
                let equal = self.op(Op::Eq, &[a, b])?;
                let [one, zero] = [1, 0]
                    .map(|bit: u8| self.frame.push(Expr::Bv(1, bit.into()), Type::Bv(1), false));
                return self.op(Op::Ite, &[equal, one, zero]);
            }
            "and" => (Op::And, [a, b]),
            "or" => (Op::Or, [a, b]),
            "=>" => (Op::Implies, [a, b]),
            "=" => (Op::Eq, [a, b]),
            "distinct" | "xor" => {
                let equal = self.op(Op::Eq, &[a, b])?;
                return self.op(Op::Not, &[equal]);
            }
            "+" => (Op::IntAdd, [a, b]),
            "-" => (Op::IntSub, [a, b]),
            "*" => (Op::IntMul, [a, b]),
            "div" => (Op::IntDiv, [a, b]),
            "mod" => (Op::IntMod, [a, b]),
            "<" => (Op::IntLt, [a, b]),
            "<=" => (Op::IntLe, [a, b]),
            ">" => (Op::IntLt, [b, a]),
            ">=" => (Op::IntLe, [b, a]),
            _ => return None,
        };
        self.op(op, &operands)
    }

    /// The remainder with the sign of `b`.
    fn signed_modulo(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let width = self.width(a)?;
        let zero = self.frame.push(Expr::Bv(width, 0.into()), Type::Bv(width), false);
        let remainder = self.op(Op::BvSrem, &[a, b])?;
        let is_zero = self.op(Op::Eq, &[remainder, zero])?;
        let negative = self.op(Op::BvSlt, &[remainder, zero])?;
        let wanted = self.op(Op::BvSlt, &[b, zero])?;
        let same = self.op(Op::Eq, &[negative, wanted])?;
        let keep = self.op(Op::Or, &[is_zero, same])?;
        let moved = self.op(Op::BvAdd, &[remainder, b])?;
        self.op(Op::Ite, &[keep, remainder, moved])
    }

    /// An operator on the values of maps, key by key.
    fn map(&mut self, operator: &str, operands: &[ExprId], result: &Type) -> Option<ExprId> {
        match (operator, operands) {
            ("Const", [value]) => return self.op(Op::ConstMap(result.clone()), &[*value]),
            ("Eq", [a, b]) if *result == Type::Bool => return self.op(Op::Eq, &[*a, *b]),
            _ => {}
        }
        let Type::Map(keys, _) = result else { return None };
        let binders: Vec<Binder> = keys
            .iter()
            .enumerate()
            .map(|(index, ty)| self.frame.exprs.bind(format!("k{index}"), ty.clone()))
            .collect();
        let keys: Vec<ExprId> = binders
            .iter()
            .zip(keys)
            .map(|(binder, ty)| self.frame.push(Expr::Bound(*binder), ty.clone(), false))
            .collect();
        let mut values = Vec::new();
        for operand in operands {
            let mut selection = vec![*operand];
            selection.extend(&keys);
            values.push(self.op(Op::Select, &selection)?);
        }
        let value = match (operator, values.as_slice()) {
            ("Not", [a]) => self.op(Op::Not, &[*a]),
            ("Ite", [c, a, b]) => self.op(Op::Ite, &[*c, *a, *b]),
            ("And", [a, b]) => self.op(Op::And, &[*a, *b]),
            ("Or", [a, b]) => self.op(Op::Or, &[*a, *b]),
            ("Imp", [a, b]) => self.op(Op::Implies, &[*a, *b]),
            ("Iff" | "Eq", [a, b]) => self.op(Op::Eq, &[*a, *b]),
            ("Neq", [a, b]) => {
                let equal = self.op(Op::Eq, &[*a, *b])?;
                self.op(Op::Not, &[equal])
            }
            ("Add", [a, b]) => self.op(Op::IntAdd, &[*a, *b]),
            ("Sub", [a, b]) => self.op(Op::IntSub, &[*a, *b]),
            ("Mul", [a, b]) => self.op(Op::IntMul, &[*a, *b]),
            ("Div", [a, b]) => self.op(Op::IntDiv, &[*a, *b]),
            ("Mod", [a, b]) => self.op(Op::IntMod, &[*a, *b]),
            ("Lt", [a, b]) => self.op(Op::IntLt, &[*a, *b]),
            ("Le", [a, b]) => self.op(Op::IntLe, &[*a, *b]),
            ("Gt", [a, b]) => self.op(Op::IntLt, &[*b, *a]),
            ("Ge", [a, b]) => self.op(Op::IntLe, &[*b, *a]),
            _ => None,
        }?;
        if result.as_set().is_none() && !matches!(result, Type::Map(..)) {
            return None;
        }
        let lambda = Expr::Lambda(binders, value);
        let ty = match result {
            Type::Map(keys, _) => Type::Map(keys.clone(), Box::new(self.frame.ty(value))),
            _ => return None,
        };
        Some(self.frame.push(lambda, ty, true))
    }
}
