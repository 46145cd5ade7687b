//! Operators, calls and literals: which operator is meant follows from the operands' types.

use num_bigint::{BigInt, Sign};

use super::expression::{Expressions, Value};
use super::{NamedType, show};
use crate::expr::{Expr, ExprId};
use crate::limits::LITERAL_DIGITS;
use crate::module::FunctionId;
use crate::op::{Memory, Op};
use crate::text::diagnostics::TextRange;
use crate::text::parse::word_width;
use crate::text::syntax::{Binary, Call, Name, NodeId, TypeSyntax, Unary};
use crate::types::{RecordId, Type, VariantId};

impl<'a, 's> Expressions<'_, 'a, 's, '_> {
    pub(super) fn literal(&mut self, token: &str, negative: bool, at: TextRange) -> Option<ExprId> {
        let (digits, radix) = match token.strip_prefix("0x") {
            Some(digits) => (digits, 16),
            None => (token, 10),
        };
        let (digits, suffix) = match digits.find("bv") {
            Some(end) => digits.split_at(end),
            None => (digits, ""),
        };
        if radix == 10 && digits.len() > LITERAL_DIGITS {
            let message = format!("a decimal number has at most {LITERAL_DIGITS} digits");
            self.resolver.diagnostics.add_with(at, message, "write it in hexadecimal");
            return None;
        }
        let magnitude = BigInt::parse_bytes(digits.as_bytes(), radix);
        let Some(magnitude) = magnitude.filter(|value| value.sign() != Sign::Minus) else {
            self.fault(at, "not a number");
            return None;
        };
        let value = if negative { -magnitude } else { magnitude };
        if suffix.is_empty() {
            return Some(self.exprs.push(Expr::Int(value), Type::Int));
        }
        let Some(width) = word_width(suffix).filter(|w| (1..=Type::MAX_WIDTH).contains(w)) else {
            self.fault(at, format!("a word has 1 to {} bits", Type::MAX_WIDTH));
            return None;
        };
        // A negative number denotes the word that is congruent to it.
        let fits = value.bits() <= u64::from(width);
        let value = if negative && fits { (BigInt::from(1) << width) + value } else { value };
        if !fits || value.bits() > u64::from(width) {
            self.fault(at, format!("the number does not fit into {width} bits"));
            return None;
        }
        Some(self.exprs.push(Expr::Bv(width, value), Type::Bv(width)))
    }

    pub(super) fn unary(&mut self, op: Unary, operand: NodeId, at: TextRange) -> Option<ExprId> {
        let operand = self.known(operand)?;
        let op = match (op, self.exprs.ty(operand)) {
            (Unary::Not, _) => Op::Not,
            (Unary::Negate, Type::Bv(_)) => Op::BvNeg,
            (Unary::Negate, _) => Op::IntNeg,
        };
        self.apply(op, vec![operand], at)
    }

    pub(super) fn binary(
        &mut self,
        op: Binary,
        left: NodeId,
        right: NodeId,
        at: TextRange,
    ) -> Option<ExprId> {
        let (left, right) = match op {
            Binary::Eq | Binary::Ne | Binary::Concat => self.alike(left, right)?,
            _ => (self.known(left), self.known(right)),
        };
        let (left, right) = (left?, right?);
        let words = matches!(self.exprs.ty(left), Type::Bv(_))
            && matches!(self.exprs.ty(right), Type::Bv(_));
        let op = match op {
            Binary::Implies => Op::Implies,
            Binary::Or => Op::Or,
            Binary::And => Op::And,
            Binary::Eq => Op::Eq,
            Binary::Ne => {
                let equal = self.apply(Op::Eq, vec![left, right], at)?;
                return self.apply(Op::Not, vec![equal], at);
            }
            Binary::Iff => {
                if *self.exprs.ty(left) != Type::Bool {
                    return self.mismatch(left, "bool on both sides of `<==>`", at);
                }
                Op::Eq
            }
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge if words => {
                let message = "words are not compared by symbols, as these do not tell their sign";
                self.resolver.diagnostics.add_with(at, message, "write ult, ule, slt or sle");
                return None;
            }
            Binary::Lt => Op::IntLt,
            Binary::Le => Op::IntLe,
            Binary::Gt => return self.apply(Op::IntLt, vec![right, left], at),
            Binary::Ge => return self.apply(Op::IntLe, vec![right, left], at),
            Binary::Concat => Op::SeqConcat,
            Binary::Add if words => Op::BvAdd,
            Binary::Sub if words => Op::BvSub,
            Binary::Mul if words => Op::BvMul,
            Binary::Add => Op::IntAdd,
            Binary::Sub => Op::IntSub,
            Binary::Mul => Op::IntMul,
            Binary::Div | Binary::Mod if words => {
                let message = "`div` and `mod` are for integers";
                self.resolver.diagnostics.add_with(at, message, "write udiv, urem, sdiv or srem");
                return None;
            }
            Binary::Div => Op::IntDiv,
            Binary::Mod => Op::IntMod,
        };
        self.apply(op, vec![left, right], at)
    }

    /// Two operands of the same type; one determines the type of a pending other.
    fn alike(&mut self, left: NodeId, right: NodeId) -> Option<(Option<ExprId>, Option<ExprId>)> {
        let values = &self.resolver.values;
        Some(match (values[left as usize], values[right as usize]) {
            (Value::Known(known), Value::Pending(_)) => {
                let ty = self.exprs.ty(known).clone();
                (Some(known), self.typed(right, &ty))
            }
            (Value::Pending(_), Value::Known(known)) => {
                let ty = self.exprs.ty(known).clone();
                (self.typed(left, &ty), Some(known))
            }
            (Value::Broken, _) | (_, Value::Broken) => return None,
            _ => (self.known(left), self.known(right)),
        })
    }

    pub(super) fn conditional(
        &mut self,
        condition: NodeId,
        yes: NodeId,
        no: NodeId,
        at: TextRange,
    ) -> Option<Value> {
        let condition = self.typed(condition, &Type::Bool);
        let values = &self.resolver.values;
        if let (Value::Pending(yes), Value::Pending(no)) =
            (values[yes as usize], values[no as usize])
        {
            let choice = Expr::Op(Op::Ite, vec![condition?, yes, no]);
            return Some(Value::Pending(self.exprs.push(choice, Type::Ptr)));
        }
        let (yes, no) = self.alike(yes, no)?;
        Some(Value::Known(self.apply(Op::Ite, vec![condition?, yes?, no?], at)?))
    }

    /// A name with arguments: an operator, a function or a constructor.
    pub(super) fn call(&mut self, call: &'a Call<'s>, at: TextRange) -> Option<ExprId> {
        let name = &call.name;
        let operator = if call.quoted { None } else { Op::called(&name.text) };
        if let Some(op) = operator.and_then(|op| op.with_numbers(&call.numbers)) {
            return self.operator(op, &call.arguments, at);
        }
        if let Some(function) = self.resolver.functions.get(&*name.text).copied() {
            return self.application(function, &call.arguments, at);
        }
        if self.resolver.constructors.contains_key(&*name.text) {
            let id = self.lone_constructor(name)?;
            return self.construct(id, &call.arguments, at);
        }
        self.resolver.unknown("function or operator", name);
        None
    }

    fn operator(&mut self, op: Op, arguments: &[NodeId], at: TextRange) -> Option<ExprId> {
        // Where only a pointer can stand, `null` is one.
        let pointers = matches!(
            op,
            Op::PtrAdd
                | Op::PtrOffset
                | Op::PtrSameObject
                | Op::PtrToBv
                | Op::Memory(
                    Memory::Peek
                        | Memory::IsWritten(_)
                        | Memory::Copy
                        | Memory::Fill
                        | Memory::ObjectSize
                        | Memory::IsLive
                        | Memory::IsHeap,
                )
        );
        let mut operands = Vec::with_capacity(arguments.len());
        let mut is_broken = false;
        for &argument in arguments {
            let is_pending = matches!(self.resolver.values[argument as usize], Value::Pending(_));
            let operand = if pointers && is_pending {
                self.typed(argument, &Type::Ptr)
            } else {
                self.known(argument)
            };
            is_broken |= operand.is_none();
            operands.extend(operand);
        }
        if is_broken { None } else { self.apply(op, operands, at) }
    }

    pub(super) fn application(
        &mut self,
        function: FunctionId,
        arguments: &[NodeId],
        at: TextRange,
    ) -> Option<ExprId> {
        let declared = self.resolver.module.function(function);
        let types: Vec<Type> = declared.parameters.iter().map(|(_, ty)| ty.clone()).collect();
        let (name, result) = (declared.name.clone(), declared.result.clone());
        let arguments = self.arguments(&name, &types, arguments, at)?;
        Some(self.exprs.push(Expr::Apply(function, arguments), result))
    }

    /// Arguments of these types.
    fn arguments(
        &mut self,
        name: &str,
        types: &[Type],
        arguments: &[NodeId],
        at: TextRange,
    ) -> Option<Vec<ExprId>> {
        if types.len() != arguments.len() {
            let message = format!("`{name}` takes {} arguments", types.len());
            self.fault(at, format!("{message}, not {}", arguments.len()));
            return None;
        }
        let pairs = arguments.iter().zip(types);
        let typed: Vec<_> = pairs.map(|(argument, ty)| self.typed(*argument, ty)).collect();
        typed.into_iter().collect()
    }

    /// `V::C`.
    pub(super) fn constructor_of(
        &mut self,
        variant: &Name<'_>,
        constructor: &Name<'_>,
    ) -> Option<(VariantId, u32)> {
        let Some(NamedType::Variant(id)) = self.resolver.types.get(&*variant.text).copied() else {
            self.resolver.unknown("variant", variant);
            return None;
        };
        self.constructor_in(id, constructor)
    }

    fn constructor_in(&mut self, id: VariantId, name: &Name<'_>) -> Option<(VariantId, u32)> {
        let variant = &self.resolver.module.variants[id.0 as usize];
        let index = variant.constructors.iter().position(|(known, _)| *known == name.text);
        if index.is_none() {
            let what = format!("constructor of {}", variant.name);
            self.resolver.unknown(&what, name);
        }
        Some((id, index? as u32))
    }

    /// The constructor with this name of the variant that an expression belongs to.
    pub(super) fn constructor(
        &mut self,
        operand: ExprId,
        name: &Name<'_>,
    ) -> Option<(VariantId, u32)> {
        let Type::Variant(id) = *self.exprs.ty(operand) else {
            return self.mismatch(operand, "a variant", name.at);
        };
        self.constructor_in(id, name)
    }

    pub(super) fn construct(
        &mut self,
        (variant, index): (VariantId, u32),
        arguments: &[NodeId],
        at: TextRange,
    ) -> Option<ExprId> {
        let declared = &self.resolver.module.variants[variant.0 as usize];
        let (name, types) = declared.constructors[index as usize].clone();
        let arguments = self.arguments(&name, &types, arguments, at)?;
        self.apply(Op::Construct(variant, index), arguments, at)
    }

    pub(super) fn index(&mut self, map: NodeId, keys: &[NodeId], at: TextRange) -> Option<ExprId> {
        let map = self.known(map)?;
        let (op, types) = match self.exprs.ty(map) {
            Type::Map(types, _) => (Op::Select, types.clone()),
            Type::Seq(_) => (Op::SeqAt, vec![Type::Int]),
            Type::Bool
            | Type::Bv(_)
            | Type::Int
            | Type::Sort(_)
            | Type::Ptr
            | Type::Record(_)
            | Type::Variant(_)
            | Type::Bytes => return self.mismatch(map, "a map or a sequence", at),
        };
        let mut operands = vec![map];
        operands.extend(self.keys(keys, &types, at)?);
        self.apply(op, operands, at)
    }

    pub(super) fn keys(
        &mut self,
        keys: &[NodeId],
        types: &[Type],
        at: TextRange,
    ) -> Option<Vec<ExprId>> {
        if keys.len() != types.len() {
            let message = format!("the map takes {} keys, not {}", types.len(), keys.len());
            self.fault(at, message);
            return None;
        }
        let typed: Vec<_> = keys.iter().zip(types).map(|(key, ty)| self.typed(*key, ty)).collect();
        typed.into_iter().collect()
    }

    /// A field of the record that an expression is, as an operator, and its type.
    pub(super) fn field(
        &mut self,
        record: ExprId,
        name: &Name<'_>,
        op: fn(RecordId, u32) -> Op,
    ) -> Option<(Op, Type)> {
        let Type::Record(id) = *self.exprs.ty(record) else {
            return self.mismatch(record, "a record", name.at);
        };
        let (index, ty) = self.field_in(id, name)?;
        Some((op(id, index), ty))
    }

    pub(super) fn field_in(&mut self, id: RecordId, name: &Name<'_>) -> Option<(u32, Type)> {
        let record = &self.resolver.module.records[id.0 as usize];
        let position = record.fields.iter().position(|(known, _)| *known == name.text);
        match position {
            Some(index) => Some((index as u32, record.fields[index].1.clone())),
            None => {
                let what = format!("field of {}", record.name);
                self.resolver.unknown(&what, name);
                None
            }
        }
    }

    pub(super) fn record(
        &mut self,
        name: &Name<'_>,
        fields: &[(Name<'s>, NodeId)],
        at: TextRange,
    ) -> Option<ExprId> {
        let Some(NamedType::Record(id)) = self.resolver.types.get(&*name.text).copied() else {
            self.resolver.unknown("record", name);
            return None;
        };
        let count = self.resolver.module.records[id.0 as usize].fields.len();
        let mut operands: Vec<Option<ExprId>> = vec![None; count];
        let mut is_broken = false;
        for (field, value) in fields {
            let Some((index, ty)) = self.field_in(id, field) else {
                is_broken = true;
                continue;
            };
            if operands[index as usize].is_some() {
                self.fault(field.at, format!("the field `{}` is given twice", field.text));
            }
            operands[index as usize] = self.typed(*value, &ty);
            is_broken |= operands[index as usize].is_none();
        }
        if is_broken {
            return None;
        }
        if let Some(missing) = operands.iter().position(Option::is_none) {
            let record = &self.resolver.module.records[id.0 as usize];
            let message = format!("the field `{}` is missing", record.fields[missing].0);
            self.fault(at, message);
            return None;
        }
        self.apply(Op::Record(id), operands.into_iter().flatten().collect(), at)
    }

    /// `seq[a, …]`: the elements, each a sequence, one behind the other.
    pub(super) fn sequence(
        &mut self,
        ty: Option<&TypeSyntax<'_>>,
        elements: &[NodeId],
        at: TextRange,
    ) -> Option<Value> {
        let mut element_type = match ty {
            Some(ty) => Some(self.resolver.ty(ty)?),
            None => None,
        };
        let values = &self.resolver.values;
        for element in elements {
            if let (None, Value::Known(id)) = (&element_type, values[*element as usize]) {
                element_type = Some(self.exprs.ty(id).clone());
            }
        }
        let Some((first, rest)) = elements.split_first() else {
            let is_known = element_type.is_some();
            let element = element_type.unwrap_or(Type::Bool);
            let empty = Expr::Op(Op::SeqEmpty(element.clone()), Vec::new());
            let id = self.exprs.push(empty, Type::Seq(Box::new(element)));
            return Some(if is_known { Value::Known(id) } else { Value::Pending(id) });
        };
        let mut units = Vec::new();
        for element in [first].into_iter().chain(rest) {
            let element = match &element_type {
                Some(ty) => self.typed(*element, ty),
                None => self.known(*element),
            };
            units.push(element);
        }
        let mut sequence = None;
        for element in units {
            let unit = self.apply(Op::SeqUnit, vec![element?], at)?;
            sequence = Some(match sequence {
                None => unit,
                Some(before) => self.apply(Op::SeqConcat, vec![before, unit], at)?,
            });
        }
        sequence.map(Value::Known)
    }

    /// A type, for messages.
    pub(super) fn shown(&self, ty: &Type) -> String {
        show(ty, &self.resolver.module)
    }
}
