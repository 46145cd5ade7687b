//! How the source writes what an instruction reads or writes: `d->inner.next`, `buf[i]`, `*p`.
//!
//! The path from a variable to a part of it is that of LLVM's address computations; the names come from the
//! debug types of the variable's declaration.

use bitcode::{BinaryOp, CastOp, DebugNode, InstructionKind, MetadataId, TypeId, Value};

use crate::body::Body;
use crate::context::Context;
use crate::debug_types::{dimensions, element, member, pointee};
use crate::limits::{EXPRESSION_CHARACTERS, EXPRESSION_DEPTH, OPERAND_DEPTH};

/// A part of memory as the source writes it.
struct Lvalue {
    /// The text of what it is a part of, or of the pointer if it is what that points to.
    text: String,
    is_pointee: bool,
    /// Its type in the source, if known, and how many indices of that have been used up.
    ty: Option<MetadataId>,
    indexed: usize,
}

impl Lvalue {
    fn written(&self) -> String {
        if self.is_pointee { format!("*{}", self.text) } else { self.text.clone() }
    }

    fn field(self, name: &str, ty: Option<MetadataId>) -> Lvalue {
        let arrow = if self.is_pointee { "->" } else { "." };
        let text = format!("{}{arrow}{name}", self.text);
        Lvalue { text, is_pointee: false, ty, indexed: 0 }
    }
}

impl Context<'_> {
    /// Notes which variables of the source the globals are.
    pub(crate) fn note_variables(&mut self) {
        let source = self.source;
        for (global, id) in source.globals.iter().zip(0..) {
            let node = global.metadata.iter().find_map(|&(kind, node)| {
                let expression =
                    source.metadata.get(node).filter(|_| source.metadata_kind(kind) == "dbg")?;
                match expression {
                    DebugNode::GlobalVariableExpression(variable, _) => *variable,
                    DebugNode::GlobalVariable(_) => Some(node),
                    _ => None,
                }
            });
            if let Some(node) = node {
                self.variables.insert(bitcode::GlobalId(id), node);
            }
        }
    }
}

impl Body<'_, '_> {
    /// How the source writes a value.
    pub(crate) fn text(&self, value: Value) -> Option<String> {
        self.value_text(value, EXPRESSION_DEPTH)
            .map(|(text, _)| text)
            .filter(|text| text.len() <= EXPRESSION_CHARACTERS)
    }

    /// How the source writes what a pointer points to.
    pub(crate) fn lvalue_text(&self, pointer: Value) -> Option<String> {
        let lvalue = self.lvalue(pointer, EXPRESSION_DEPTH)?;
        Some(lvalue.written()).filter(|text| text.len() <= EXPRESSION_CHARACTERS)
    }

    /// Remembers how the source writes what is accessed here.
    pub(crate) fn note_place(&mut self, pointer: Value) {
        let point = self.here.point;
        if matches!(self.here.origin, ir::Origin::Source | ir::Origin::Macro(_))
            && self.places.last().is_none_or(|(last, _)| *last != point)
            && let Some(lvalue) = self.lvalue(pointer, EXPRESSION_DEPTH)
        {
            let text = lvalue.written();
            if text.len() <= EXPRESSION_CHARACTERS {
                let is_whole = lvalue.indexed == 0 && !self.is_bit_field();
                let ty = lvalue.ty.filter(|_| is_whole);
                let form = ty.and_then(|ty| self.context.form(ty));
                self.places.push((point, ir::PlaceText { text, form }));
            }
        }
    }

    /// Whether the instruction at hand reads or writes the word that holds a bit-field.
    pub(crate) fn is_bit_field(&self) -> bool {
        let named = |id: usize| {
            let name = self.function.instructions.get(id).and_then(|found| found.name.as_deref());
            name.is_some_and(|name| name.starts_with("bf."))
        };
        let at = self.at as usize;
        let is_stored = match self.function.instructions.get(at).map(|found| &found.kind) {
            Some(InstructionKind::Store { value: Value::Instruction(id), .. }) => named(id.index()),
            _ => false,
        };
        named(at) || is_stored
    }

    /// The text of a value and its type in the source.
    fn value_text(&self, value: Value, deeper: u32) -> Option<(String, Option<MetadataId>)> {
        let deeper = deeper.checked_sub(1)?;
        let id = match value {
            Value::Instruction(id) => id,
            Value::Argument(number) => {
                let name = self.function.parameters.get(number as usize)?.name.as_deref()?;
                let ty = self.variables.get(&value).and_then(|id| self.variable_type(*id));
                return Some((name.to_owned(), ty));
            }
            Value::Function(id) => return Some((self.source[id].name.to_string(), None)),
            Value::Global(_) => {
                let lvalue = self.lvalue(value, deeper)?;
                return Some(self.address_of(lvalue));
            }
            _ => return self.constant_text(value).map(|text| (text, None)),
        };
        match &self.function.instructions[id.index()].kind {
            InstructionKind::Load { pointer, .. } => {
                let lvalue = self.lvalue(*pointer, deeper)?;
                let ty = lvalue.ty.filter(|_| lvalue.indexed == 0);
                Some((lvalue.written(), ty))
            }
            InstructionKind::Alloca { .. } | InstructionKind::GetElementPtr { .. } => {
                let lvalue = self.lvalue(value, deeper)?;
                Some(self.address_of(lvalue))
            }
            InstructionKind::Cast { op, operand, .. } => match op {
                CastOp::Trunc
                | CastOp::ZExt
                | CastOp::SExt
                | CastOp::BitCast
                | CastOp::AddrSpaceCast
                | CastOp::PtrToInt => self.value_text(*operand, deeper),
                CastOp::FpToUi
                | CastOp::FpToSi
                | CastOp::UiToFp
                | CastOp::SiToFp
                | CastOp::FpTrunc
                | CastOp::FpExt
                | CastOp::IntToPtr => None,
            },
            InstructionKind::Binary { op, left, right, .. } => {
                let sign = match op {
                    BinaryOp::Add => "+",
                    BinaryOp::Sub => "-",
                    BinaryOp::Mul => "*",
                    BinaryOp::SDiv | BinaryOp::UDiv => "/",
                    BinaryOp::SRem | BinaryOp::URem => "%",
                    BinaryOp::Shl => "<<",
                    BinaryOp::LShr | BinaryOp::AShr => ">>",
                    BinaryOp::And => "&",
                    BinaryOp::Or => "|",
                    BinaryOp::Xor => "^",
                    BinaryOp::FAdd
                    | BinaryOp::FSub
                    | BinaryOp::FMul
                    | BinaryOp::FDiv
                    | BinaryOp::FRem => return None,
                };
                // The operations that extract a bit-field from its word are not in the source.
                let name = self.function.instructions[id.index()].name.as_deref();
                if name.is_some_and(|name| name.starts_with("bf.")) {
                    return self.value_text(*left, deeper);
                }
                let deeper = deeper.min(OPERAND_DEPTH);
                let left = bracketed(self.value_text(*left, deeper)?.0);
                let right = bracketed(self.value_text(*right, deeper)?.0);
                match right.strip_prefix('-') {
                    Some(number) if sign == "+" => Some((format!("{left} - {number}"), None)),
                    _ => Some((format!("{left} {sign} {right}"), None)),
                }
            }
            InstructionKind::Call(call) => match call.callee {
                Value::Function(id)
                    if call.arguments.len() <= 8 && !self.source[id].name.starts_with("llvm.") =>
                {
                    let mut arguments = Vec::new();
                    for argument in &call.arguments {
                        arguments.push(self.value_text(*argument, deeper.min(2))?.0);
                    }
                    let text = format!("{}({})", self.source[id].name, arguments.join(", "));
                    (text.len() < EXPRESSION_CHARACTERS).then_some((text, None))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn address_of(&self, lvalue: Lvalue) -> (String, Option<MetadataId>) {
        let is_array = lvalue.ty.is_some_and(|ty| element(&self.source.metadata, ty).is_some());
        match lvalue {
            // An array, or the target of a pointer, decays to its own address.
            Lvalue { text, is_pointee: true, .. } => (text, None),
            Lvalue { text, ty, .. } if is_array => (text, ty),
            Lvalue { text, .. } => match text.strip_suffix("[0]") {
                Some(array) => (array.to_owned(), None),
                None => (format!("&{text}"), None),
            },
        }
    }

    pub(crate) fn variable_type(&self, id: MetadataId) -> Option<MetadataId> {
        match self.source.metadata.get(id)? {
            DebugNode::LocalVariable(node) => node.ty,
            DebugNode::GlobalVariable(node) => node.ty,
            _ => None,
        }
    }

    fn lvalue(&self, pointer: Value, deeper: u32) -> Option<Lvalue> {
        let deeper = deeper.checked_sub(1)?;
        let metadata = &self.source.metadata;
        if let Value::Global(id) = pointer {
            let variable = *self.context.variables.get(&id)?;
            let text = metadata.text(metadata.get(variable)?.name()).to_owned();
            let ty = self.variable_type(variable);
            return (!text.is_empty()).then_some(Lvalue {
                text,
                is_pointee: false,
                ty,
                indexed: 0,
            });
        }
        if let Value::Argument(_) = pointer
            && let Some(variable) = self.variables.get(&pointer)
        {
            // A structure that is passed in memory.
            let text = self.variable_name(pointer)?.to_owned();
            let ty = self.variable_type(*variable);
            return Some(Lvalue { text, is_pointee: false, ty, indexed: 0 });
        }
        if let Value::Instruction(id) = pointer {
            match &self.function.instructions[id.index()].kind {
                InstructionKind::Alloca { .. } => {
                    let text = self.variable_name(pointer)?.to_owned();
                    let ty = self.variables.get(&pointer).and_then(|id| self.variable_type(*id));
                    return Some(Lvalue { text, is_pointee: false, ty, indexed: 0 });
                }
                InstructionKind::GetElementPtr { source, base, indices, .. } => {
                    return self.part_of(*source, *base, indices, deeper);
                }
                InstructionKind::Cast {
                    op: CastOp::BitCast | CastOp::AddrSpaceCast,
                    operand,
                    ..
                } => return self.lvalue(*operand, deeper),
                _ => {}
            }
        }
        if let Value::Constant(id) = pointer
            && let bitcode::ConstantKind::GetElementPtr { source, base, indices, .. } =
                &self.source[id].kind
        {
            return self.part_of(*source, *base, indices, deeper);
        }
        let (text, ty) = self.value_text(pointer, deeper)?;
        let text = bracketed(text);
        let ty = ty.and_then(|ty| pointee(metadata, ty));
        Some(Lvalue { text, is_pointee: true, ty, indexed: 0 })
    }

    /// The part of what a pointer points to that indices lead to.
    fn part_of(
        &self,
        source: TypeId,
        base: Value,
        indices: &[Value],
        deeper: u32,
    ) -> Option<Lvalue> {
        let mut lvalue = self.lvalue(base, deeper)?;
        let (first, rest) = indices.split_first()?;
        if self.source.integer(*first) != Some(0) {
            lvalue = self.moved_lvalue(lvalue, *first, deeper)?;
        }
        let mut ty = source;
        for index in rest {
            match &self.source[ty] {
                bitcode::Type::Struct(body) => {
                    let field = usize::try_from(self.source.integer(*index)?).ok()?;
                    let offset = self.context.offset_of(ty, field)?;
                    let (name, of) = match lvalue.ty {
                        Some(of) => member(&self.source.metadata, of, offset)?,
                        None => return None,
                    };
                    lvalue = lvalue.field(&name, of);
                    ty = *body.fields.get(field)?;
                }
                bitcode::Type::Array { element, .. } => {
                    lvalue = self.indexed(lvalue, *index, deeper)?;
                    ty = *element;
                }
                _ => return None,
            }
        }
        Some(lvalue)
    }

    /// An element of an array.
    fn indexed(&self, lvalue: Lvalue, index: Value, deeper: u32) -> Option<Lvalue> {
        let metadata = &self.source.metadata;
        let (index, _) = self.value_text(index, deeper)?;
        let base = if lvalue.is_pointee { format!("(*{})", lvalue.text) } else { lvalue.text };
        let text = format!("{base}[{index}]");
        let indexed = lvalue.indexed + 1;
        let (ty, indexed) = match lvalue.ty {
            // One debug type describes all dimensions of an array.
            Some(ty) if indexed < dimensions(metadata, ty) => (Some(ty), indexed),
            Some(ty) => (element(metadata, ty), 0),
            None => (None, 0),
        };
        Some(Lvalue { text, is_pointee: false, ty, indexed })
    }

    /// The lvalue a number of elements further.
    fn moved_lvalue(&self, lvalue: Lvalue, index: Value, deeper: u32) -> Option<Lvalue> {
        let (index, _) = self.value_text(index, deeper)?;
        let Lvalue { text, is_pointee, ty, indexed } = lvalue;
        let text = match (is_pointee, text.strip_suffix("[0]")) {
            (true, _) => format!("{text}[{index}]"),
            (false, Some(array)) => format!("{array}[{index}]"),
            (false, None) => return None,
        };
        Some(Lvalue { text, is_pointee: false, ty, indexed })
    }
}

/// A text as an operand: in brackets if it is made by an operator.
fn bracketed(text: String) -> String {
    let mut depth = 0;
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b' ' if depth == 0 => return format!("({text})"),
            _ => {}
        }
    }
    text
}
