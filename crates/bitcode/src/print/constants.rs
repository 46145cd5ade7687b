//! Constants and other operands as text.

use super::Printer;
use super::literals::{escaped, float};
use crate::function::Function;
use crate::id::{ConstantId, TypeId};
use crate::operation::{OverflowFlags, PointerFlags};
use crate::types::{StructType, Type};
use crate::value::{ConstantKind, Value};

impl Printer<'_> {
    /// An operand after its type.
    pub(super) fn typed_value(&mut self, value: Value, function: Option<&Function>) {
        match self.module.type_of(value, function) {
            Some(ty) => self.ty(ty),
            None => self.push(match value {
                Value::Metadata(_) => "metadata",
                _ => "label",
            }),
        }
        self.push(" ");
        self.value(value, function);
    }

    /// An operand without its type.
    pub(super) fn value(&mut self, value: Value, function: Option<&Function>) {
        let module = self.module;
        match value {
            Value::Constant(id) => self.constant(id),
            Value::Global(id) => self
                .symbol(&module[id].name, || module.globals[..id.index()].iter().map(|g| &g.name)),
            Value::Function(id) => self.symbol(&module[id].name, || {
                let globals = module.globals.iter().map(|g| &g.name);
                globals.chain(module.functions[..id.index()].iter().map(|f| &f.name))
            }),
            Value::Alias(id) => self.symbol(&module[id].name, std::iter::empty),
            Value::Ifunc(id) => self.symbol(&module[id].name, std::iter::empty),
            Value::InlineAsm(id) => {
                let asm = &module[id];
                self.push("asm ");
                for (flag, word) in [
                    (asm.side_effects, "sideeffect "),
                    (asm.align_stack, "alignstack "),
                    (asm.intel, "inteldialect "),
                    (asm.unwinds, "unwind "),
                ] {
                    self.push(if flag { word } else { "" });
                }
                let (text, constraints) =
                    (escaped(asm.text.as_bytes()), escaped(asm.constraints.as_bytes()));
                self.display(format_args!("\"{text}\", \"{constraints}\""));
            }
            Value::Argument(index) => {
                let name = function.and_then(|f| f.parameters.get(index as usize)?.name.as_deref());
                self.push("%");
                match name {
                    Some(name) => self.name(name),
                    None => self.display(self.numbering.argument(index)),
                }
            }
            Value::Instruction(id) => {
                let name = function.and_then(|f| f.instructions.get(id.index())?.name.as_deref());
                self.push("%");
                match name {
                    Some(name) => self.name(name),
                    None => self.display(self.numbering.instruction(id)),
                }
            }
            Value::Block(block) => self.label(block, function),
            Value::Metadata(id) => self.metadata_operand(Some(id), function),
        }
    }

    /// A global's name; one without a name is numbered among those without.
    fn symbol<'n, I: Iterator<Item = &'n Box<str>>>(
        &mut self,
        name: &str,
        before: impl FnOnce() -> I,
    ) {
        self.push("@");
        if name.is_empty() {
            let number = before().filter(|name| name.is_empty()).count();
            self.display(number);
        } else {
            self.name(name);
        }
    }

    fn constant(&mut self, id: ConstantId) {
        if !self.may_continue() {
            return;
        }
        let module = self.module;
        let constant = &module[id];
        let ty = &module[constant.ty];
        match &constant.kind {
            ConstantKind::Null => match ty {
                Type::Integer(1) => self.push("false"),
                Type::Integer(_) => self.push("0"),
                Type::Pointer { .. } => self.push("null"),
                Type::Token => self.push("none"),
                ty if ty.is_float() => self.push(&float(ty, 0)),
                _ => self.push("zeroinitializer"),
            },
            ConstantKind::Undef => self.push("undef"),
            ConstantKind::Poison => self.push("poison"),
            ConstantKind::Integer(value) => match ty {
                Type::Integer(1) => self.push(if *value == 0 { "false" } else { "true" }),
                _ => self.display(value),
            },
            ConstantKind::WideInteger(words) => self.wide_integer(words, ty),
            ConstantKind::Float(bits) => self.push(&float(ty, *bits)),
            ConstantKind::String(bytes) => self.display(format_args!("c\"{}\"", escaped(bytes))),
            ConstantKind::Data(elements) => self.data(ty, elements),
            ConstantKind::Aggregate(values) => {
                let (open, close) = brackets(ty);
                self.push(open);
                self.list(values, |p, &value| p.typed_value(value, None));
                self.push(close);
            }
            ConstantKind::Unary { op, operand } => self.expression(op.name(), &[*operand]),
            ConstantKind::Binary { op, flags, left, right } => {
                self.push(op.name());
                self.overflow_flags(*flags);
                self.operands(&[*left, *right]);
            }
            ConstantKind::Cast { op, operand } => {
                self.push(op.name());
                self.push(" (");
                self.typed_value(*operand, None);
                self.push(" to ");
                self.ty(constant.ty);
                self.push(")");
            }
            ConstantKind::GetElementPtr { source, flags, base, indices } => {
                self.push("getelementptr");
                self.pointer_flags(*flags);
                self.push(" (");
                self.ty(*source);
                self.push(", ");
                let operands: Vec<Value> =
                    std::iter::once(*base).chain(indices.iter().copied()).collect();
                self.list(operands, |p, value| p.typed_value(value, None));
                self.push(")");
            }
            ConstantKind::Select { condition, yes, no } => {
                self.expression("select", &[*condition, *yes, *no]);
            }
            ConstantKind::ExtractElement { vector, index } => {
                self.expression("extractelement", &[*vector, *index]);
            }
            ConstantKind::InsertElement { vector, element, index } => {
                self.expression("insertelement", &[*vector, *element, *index]);
            }
            ConstantKind::ShuffleVector { left, right, mask } => {
                self.expression("shufflevector", &[*left, *right, *mask]);
            }
            ConstantKind::IntegerCompare { predicate, left, right } => {
                self.display(format_args!("icmp {}", predicate.name()));
                self.operands(&[*left, *right]);
            }
            ConstantKind::FloatCompare { predicate, left, right } => {
                self.display(format_args!("fcmp {}", predicate.name()));
                self.operands(&[*left, *right]);
            }
            ConstantKind::BlockAddress { function, block } => {
                self.push("blockaddress(");
                self.value(Value::Function(*function), None);
                self.push(", ");
                let owner = &module[*function];
                // The numbering at hand is that of the function being printed, not of the owner.
                match owner.blocks.get(block.index()).and_then(|block| block.name.as_deref()) {
                    Some(name) => {
                        self.push("%");
                        self.name(name);
                    }
                    None => {
                        let number = super::function::Numbering::of(module, owner).block(*block);
                        self.display(format_args!("%{number}"));
                    }
                }
                self.push(")");
            }
            ConstantKind::DsoLocalEquivalent(value) => {
                self.push("dso_local_equivalent ");
                self.value(*value, None);
            }
            ConstantKind::NoCfi(value) => {
                self.push("no_cfi ");
                self.value(*value, None);
            }
            ConstantKind::PtrAuth(values) => self.expression("ptrauth", values),
        }
    }

    fn expression(&mut self, name: &str, operands: &[Value]) {
        self.push(name);
        self.operands(operands);
    }

    fn operands(&mut self, operands: &[Value]) {
        self.push(" (");
        self.list(operands, |p, &value| p.typed_value(value, None));
        self.push(")");
    }

    fn data(&mut self, ty: &Type, elements: &[u64]) {
        let (open, close) = brackets(ty);
        let element = ty.contained().first().copied();
        self.push(open);
        self.list(elements, |p, &bits| {
            if let Some(element) = element
                && p.may_continue()
            {
                p.ty(element);
                p.push(" ");
                p.datum(element, bits);
            }
        });
        self.push(close);
    }

    fn datum(&mut self, ty: TypeId, bits: u64) {
        match &self.module[ty] {
            Type::Integer(width @ 1..=64) => {
                let shift = 64 - width;
                self.display((bits << shift).cast_signed() >> shift);
            }
            ty => self.push(&float(ty, u128::from(bits))),
        }
    }

    /// An integer wider than 64 bits, signed, in decimal.
    fn wide_integer(&mut self, words: &[u64], ty: &Type) {
        let Type::Integer(width) = *ty else { return self.push("0") };
        let count = width.div_ceil(64) as usize;
        // The conversion takes quadratic time; C's largest integers are not written in decimal.
        if count > 64 {
            self.push("u0x");
            return words.iter().rev().for_each(|word| self.display(format_args!("{word:016X}")));
        }
        let mut digits: Vec<u64> =
            words.iter().copied().chain(std::iter::repeat(0)).take(count).collect();
        let top = (width - 1) % 64;
        let negative = digits.last().is_some_and(|word| word >> top & 1 == 1);
        if negative {
            let mut carry = true;
            for word in &mut digits {
                (*word, carry) = (!*word).overflowing_add(u64::from(carry));
            }
            if let Some(last) = digits.last_mut() {
                *last &= u64::MAX >> (63 - top);
            }
        }
        let mut text = Vec::new();
        while digits.iter().any(|&word| word != 0) {
            let mut remainder = 0u128;
            for word in digits.iter_mut().rev() {
                let part = remainder << 64 | u128::from(*word);
                *word = (part / 10) as u64;
                remainder = part % 10;
            }
            text.push(b'0' + remainder as u8);
        }
        if text.is_empty() {
            text.push(b'0');
        }
        if negative {
            text.push(b'-');
        }
        text.reverse();
        self.push(&String::from_utf8_lossy(&text));
    }

    pub(super) fn overflow_flags(&mut self, flags: OverflowFlags) {
        for (flag, word) in [
            (flags.no_unsigned_wrap, " nuw"),
            (flags.no_signed_wrap, " nsw"),
            (flags.exact, " exact"),
            (flags.disjoint, " disjoint"),
            (flags.non_negative, " nneg"),
        ] {
            self.push(if flag { word } else { "" });
        }
    }

    pub(super) fn pointer_flags(&mut self, flags: PointerFlags) {
        // `inbounds` implies `nusw`.
        let nusw = flags.no_unsigned_signed_wrap && !flags.inbounds;
        for (flag, word) in
            [(flags.inbounds, " inbounds"), (nusw, " nusw"), (flags.no_unsigned_wrap, " nuw")]
        {
            self.push(if flag { word } else { "" });
        }
    }
}

fn brackets(ty: &Type) -> (&'static str, &'static str) {
    match ty {
        Type::Array { .. } => ("[", "]"),
        Type::Vector { .. } => ("<", ">"),
        Type::Struct(StructType { packed: true, .. }) => ("<{ ", " }>"),
        _ => ("{ ", " }"),
    }
}
