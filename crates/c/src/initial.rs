//! The contents of static objects at program start: initialisers, as bytes and addresses.

use bitcode::{CastOp, ConstantKind, TypeId, Value};
use ir::{Content, FunctionId};

use crate::context::Context;
use crate::limits::{INITIALIZER_BYTES, INITIALIZER_CONSTANTS};

/// The contents of an object under construction.
struct InitializerContents {
    parts: Vec<(u64, Content)>,
    steps: u32,
}

impl Context<'_> {
    /// The contents that an initialiser gives an object; none if they are too large.
    pub(crate) fn contents(&mut self, value: Value, size: u64) -> Option<Vec<(u64, Content)>> {
        let mut filling = InitializerContents { parts: Vec::new(), steps: INITIALIZER_CONSTANTS };
        if size > INITIALIZER_BYTES {
            return None;
        }
        self.room = self.room.checked_sub(size)?;
        self.fill(&mut filling, 0, value)?;
        // The contents of an object in a corrupt file may lie outside of it.
        let fits = |(offset, part): &(u64, Content)| {
            offset.checked_add(part.size()).is_some_and(|end| end <= size)
        };
        filling.parts.iter().all(fits).then_some(filling.parts)
    }

    fn fill(&self, filling: &mut InitializerContents, at: u64, value: Value) -> Option<()> {
        filling.steps = filling.steps.checked_sub(1)?;
        let Value::Constant(id) = value else {
            return self.fill_address(filling, at, value);
        };
        let constant = &self.source[id];
        let ty = &self.source[constant.ty];
        let size = self.source.layout(constant.ty).store_size();
        match &constant.kind {
            ConstantKind::Null => filling.bytes(at, vec![0; room(size)?]),
            ConstantKind::Integer(number) => {
                let mut bytes = number.to_le_bytes().to_vec();
                bytes.resize(room(size)?, if *number < 0 { 0xff } else { 0 });
                clear_above(&mut bytes, self.source.layout(constant.ty).bits);
                filling.bytes(at, bytes)
            }
            ConstantKind::WideInteger(words) => {
                let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                bytes.resize(room(size)?, 0);
                clear_above(&mut bytes, self.source.layout(constant.ty).bits);
                filling.bytes(at, bytes)
            }
            ConstantKind::Float(bits) => {
                let mut bytes = bits.to_le_bytes().to_vec();
                bytes.resize(room(size)?, 0);
                filling.bytes(at, bytes)
            }
            ConstantKind::String(text) => filling.bytes(at, text.to_vec()),
            ConstantKind::Data(elements) => {
                let (bitcode::Type::Array { element, .. } | bitcode::Type::Vector { element, .. }) =
                    ty
                else {
                    return None;
                };
                let width = room(self.source.size_of(*element))?.min(8);
                let bytes = elements.iter().flat_map(|e| e.to_le_bytes().into_iter().take(width));
                filling.bytes(at, bytes.collect())
            }
            ConstantKind::Aggregate(values) => {
                let offsets = match ty {
                    bitcode::Type::Struct(body) => self.source.field_offsets(body),
                    _ => (0..values.len())
                        .map(|position| self.offset_of(constant.ty, position))
                        .collect::<Option<Vec<u64>>>()?,
                };
                for (&value, offset) in values.iter().zip(offsets) {
                    let at = at.checked_add(offset)?;
                    filling.pad(at)?;
                    self.fill(filling, at, value)?;
                }
                filling.pad(at.checked_add(size)?)
            }
            // Undefined bytes are gaps.
            ConstantKind::Undef | ConstantKind::Poison => Some(()),
            // Labels have small addresses of their own; see `Body::label_address`.
            ConstantKind::BlockAddress { block, .. } => {
                let number = u64::from(block.0) + 1;
                filling.bytes(at, number.to_le_bytes()[..room(size)?.min(8)].to_vec())
            }
            ConstantKind::Unary { .. }
            | ConstantKind::Binary { .. }
            | ConstantKind::Cast { .. }
            | ConstantKind::GetElementPtr { .. }
            | ConstantKind::Select { .. }
            | ConstantKind::ExtractElement { .. }
            | ConstantKind::InsertElement { .. }
            | ConstantKind::ShuffleVector { .. }
            | ConstantKind::IntegerCompare { .. }
            | ConstantKind::FloatCompare { .. }
            | ConstantKind::DsoLocalEquivalent(_)
            | ConstantKind::NoCfi(_)
            | ConstantKind::PtrAuth(_) => self.fill_address(filling, at, value),
        }
    }

    fn fill_address(&self, filling: &mut InitializerContents, at: u64, value: Value) -> Option<()> {
        let holds_pointer = self.source.type_of(value, None).is_some_and(|ty| {
            matches!(self.source[ty], bitcode::Type::Pointer { .. })
                && self.source.layout(ty).bits == u64::from(ir::ADDRESS_BITS)
        });
        match self.static_address(value) {
            Some((to, distance)) if holds_pointer => {
                filling.push(at, Content::Address(to, distance))
            }
            // The bytes of what is computed from addresses are not known before the program is
            // linked.
            _ => Some(()),
        }
    }

    /// The symbol and the distance from it that a constant is the address of.
    pub(crate) fn static_address(&self, value: Value) -> Option<(FunctionId, i64)> {
        let id = match value {
            Value::Global(id) => return Some((self.globals[id.index()], 0)),
            Value::Function(id) => return Some((self.functions[id.index()]?, 0)),
            Value::Ifunc(id) => return Some((self.ifuncs[id.index()], 0)),
            Value::Alias(id) => return self.static_address(self.source[id].aliasee),
            Value::Constant(id) => id,
            Value::InlineAsm(_)
            | Value::Argument(_)
            | Value::Instruction(_)
            | Value::Block(_)
            | Value::Metadata(_) => return None,
        };
        match &self.source[id].kind {
            ConstantKind::GetElementPtr { source, base, indices, .. } => {
                let (symbol, distance) = self.static_address(*base)?;
                let offset = self.constant_offset(*source, indices)?;
                Some((symbol, distance.checked_add(offset)?))
            }
            ConstantKind::Cast { op: CastOp::BitCast | CastOp::AddrSpaceCast, operand }
            | ConstantKind::DsoLocalEquivalent(operand)
            | ConstantKind::NoCfi(operand) => self.static_address(*operand),
            _ => None,
        }
    }

    /// Where a part of an aggregate is.
    pub(crate) fn offset_of(&self, aggregate: TypeId, position: usize) -> Option<u64> {
        match &self.source[aggregate] {
            bitcode::Type::Struct(body) => {
                (position < body.fields.len()).then(|| self.field_offset(body, position))
            }
            bitcode::Type::Array { element, .. } => {
                self.source.size_of(*element).checked_mul(position as u64)
            }
            bitcode::Type::Vector { element, .. } => {
                self.source.layout(*element).store_size().checked_mul(position as u64)
            }
            _ => None,
        }
    }
}

impl InitializerContents {
    fn bytes(&mut self, at: u64, mut bytes: Vec<u8>) -> Option<()> {
        if bytes.is_empty() {
            return Some(());
        }
        if let Some((start, Content::Bytes(before))) = self.parts.last_mut()
            && *start + before.len() as u64 == at
        {
            before.append(&mut bytes);
            return Some(());
        }
        self.push(at, Content::Bytes(bytes))
    }

    /// Fills a gap between fields, which is zero in a static object. A gap that is as long as a
    /// field was left on purpose.
    fn pad(&mut self, upto: u64) -> Option<()> {
        let end = self.parts.last().map_or(0, |(offset, part)| offset + part.size());
        match upto.checked_sub(end) {
            Some(gap @ 1..4) => self.bytes(end, vec![0; gap as usize]),
            _ => Some(()),
        }
    }

    fn push(&mut self, at: u64, part: Content) -> Option<()> {
        let end = self.parts.last().map_or(0, |(offset, part)| offset + part.size());
        // Parts that overlap come from a corrupt file only.
        if at < end {
            return None;
        }
        self.parts.push((at, part));
        Some(())
    }
}

fn room(size: u64) -> Option<usize> {
    (size <= INITIALIZER_BYTES).then_some(size as usize)
}

/// Sets the bits above the given number to zero, as a store of an odd width does.
fn clear_above(bytes: &mut [u8], bits: u64) {
    if let Some(last) = bytes.last_mut()
        && !bits.is_multiple_of(8)
    {
        *last &= (1u8 << (bits % 8)) - 1;
    }
}
