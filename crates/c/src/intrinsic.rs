//! Calls of LLVM's intrinsics.

mod bits;
mod bytes;
mod variadic;

use bitcode::{Call, CastOp, Value};
use ir::{AssumeReason, Exit, ExprId, Float, HavocReason, Memory, Op, StatementKind, Type};

use crate::body::Body;
use crate::module::attributes;

impl Body<'_, '_> {
    /// Lowers a call of an intrinsic, named without `llvm.`, and returns whether the block ends there.
    pub(crate) fn intrinsic(&mut self, name: &str, call: &Call) -> bool {
        let mut parts = name.split('.');
        let first = parts.next().unwrap_or("");
        let second = parts.next().unwrap_or("");
        match (first, second) {
            (
                "dbg" | "prefetch" | "donothing" | "sideeffect" | "var" | "stackrestore"
                | "codeview" | "pseudoprobe" | "va_end" | "write_register",
                _,
            )
            | ("invariant", "end")
            | ("experimental", "noalias") => {}
            ("lifetime", _) => self.lifetime(call),
            ("va_start", _) => self.start_arguments(call),
            ("va_copy", _) => self.copy_arguments(call),
            ("trap" | "debugtrap" | "ubsantrap", _) => {
                self.exit(Exit::Intended("__builtin_trap()".to_owned()));
                return true;
            }
            ("assume", _) => self.assume(call),
            ("expect", _)
            | ("launder" | "strip", "invariant")
            | ("ssa", "copy")
            | ("threadlocal", "address")
            | ("ptr" | "annotation", _)
            | ("arithmetic", "fence") => {
                self.identity(call);
            }
            ("ptrmask", _) => self.pointer_mask(call),
            ("memcpy" | "memmove", _) => self.move_bytes(call),
            ("memset", _) => self.fill_bytes(call),
            ("objectsize", _) => self.object_size(call),
            ("is", "constant") => {
                let never = self.bool(false);
                self.set_if(never);
            }
            // Objects on the stack live until the function returns, so nothing needs to be restored.
            ("stacksave", _) => {
                let null = self.null();
                self.set_if(null);
            }
            ("is", "fpclass") => self.class(call),
            (
                "frameaddress"
                | "returnaddress"
                | "addressofreturnaddress"
                | "read_register"
                | "readcyclecounter"
                | "thread"
                | "sponentry",
                _,
            ) => {
                self.something(HavocReason::Environment);
            }
            _ => {
                if !self.bit_intrinsic(first, second, call) && !self.math_intrinsic(first, call) {
                    self.give_up(&format!("llvm.{first}"), true);
                }
            }
        }
        false
    }

    /// The operand of an intrinsic, if it has one of this type.
    pub(crate) fn operand(&mut self, call: &Call, number: usize, ty: &Type) -> Option<ExprId> {
        let value = *call.arguments.get(number)?;
        let found = self.type_of(value)?;
        (self.context.ty(found) == *ty).then(|| self.value_as(value, ty))
    }

    /// Sets the result, if it is of the type that the instruction has.
    pub(crate) fn set_if(&mut self, value: ExprId) {
        let ty = self.result_type();
        if *self.exprs.ty(value) == ty {
            self.set(value);
        } else {
            self.give_up("an intrinsic at an unusual type", false);
        }
    }

    fn identity(&mut self, call: &Call) {
        let ty = self.result_type();
        match self.operand(call, 0, &ty) {
            Some(value) => self.set(value),
            None => self.give_up("an intrinsic at an unusual type", false),
        }
    }

    /// A result that depends on the machine.
    fn something(&mut self, reason: HavocReason) {
        let local = self.own_variable();
        let place = self.place(local);
        self.emit(StatementKind::Havoc { place, condition: None, reason });
    }

    fn assume(&mut self, call: &Call) {
        // Operand bundles (alignment and so on) change nothing here.
        if let Some(condition) = self.operand(call, 0, &Type::Bool) {
            let reason = AssumeReason::Model;
            self.emit(StatementKind::Assume { condition, reason });
        }
    }

    fn object_size(&mut self, call: &Call) {
        let ty = self.result_type();
        let Some(pointer) = self.operand(call, 0, &Type::Ptr) else {
            return self.give_up("an intrinsic at an unusual type", false);
        };
        let wants_least =
            call.arguments.get(1).and_then(|least| self.source.integer(*least)).unwrap_or(0) != 0;
        let root = self.root(call.arguments[0]);
        let Type::Bv(width) = ty else {
            return self.give_up("an intrinsic at an unusual type", false);
        };
        // The result of `objectsize` where the compiler does not know the size.
        let is_known = matches!(root.base, Value::Global(_)) || self.is_own(call.arguments[0]);
        let value = if is_known {
            let word = Type::Bv(ir::ADDRESS_BITS);
            let size = self.op(Op::Memory(Memory::ObjectSize), &[pointer], word.clone());
            let offset = self.op(Op::PtrOffset, &[pointer], word.clone());
            let rest = self.op(Op::BvSub, &[size, offset], word);
            self.fit(rest, &ty)
        } else {
            Some(self.word(width, if wants_least { 0 } else { -1 }))
        };
        match value {
            Some(value) => self.set(value),
            None => self.give_up("an intrinsic at an unusual type", false),
        }
    }

    fn class(&mut self, call: &Call) {
        let (Some(&number), Some(&mask)) = (call.arguments.first(), call.arguments.get(1)) else {
            return self.give_up("llvm.is.fpclass", false);
        };
        let a = self.value(number);
        let format = self.type_of(number).map(|ty| &self.source[ty]);
        let known = format.zip(self.source.integer(mask));
        match known.and_then(|(format, mask)| self.is_of_class(a, mask, format)) {
            Some(value) => self.set_if(value),
            None => self.give_up("llvm.is.fpclass", false),
        }
    }

    fn pointer_mask(&mut self, call: &Call) {
        let word = Type::Bv(ir::ADDRESS_BITS);
        let operands = (self.operand(call, 0, &Type::Ptr), self.operand(call, 1, &word));
        let (Some(pointer), Some(mask)) = operands else {
            return self.give_up("llvm.ptrmask", false);
        };
        let address = self.op(Op::PtrToBv, &[pointer], word.clone());
        let masked = self.op(Op::BvAnd, &[address, mask], word.clone());
        let back = self.op(Op::BvSub, &[masked, address], word);
        let value = self.op(Op::PtrAdd, &[pointer, back], Type::Ptr);
        self.set_if(value);
    }

    /// Functions on floating-point numbers; returns whether this is one.
    fn math_intrinsic(&mut self, name: &str, call: &Call) -> bool {
        const UNMODELLED: [&str; 29] = [
            "sqrt",
            "powi",
            "sin",
            "cos",
            "tan",
            "pow",
            "exp",
            "exp2",
            "exp10",
            "log",
            "log10",
            "log2",
            "fma",
            "minnum",
            "maxnum",
            "minimum",
            "maximum",
            "floor",
            "ceil",
            "trunc",
            "rint",
            "nearbyint",
            "round",
            "roundeven",
            "lround",
            "llround",
            "lrint",
            "llrint",
            "ldexp",
        ];
        let ty = self.result_type();
        if !matches!(ty, Type::Bv(_)) {
            return false;
        }
        let known = match name {
            "fabs" => self.operand(call, 0, &ty).map(|a| self.magnitude(a, &ty)),
            "copysign" => match (self.operand(call, 0, &ty), self.operand(call, 1, &ty)) {
                (Some(a), Some(b)) => Some(self.with_sign(a, b, &ty)),
                _ => None,
            },
            "fmuladd" => self.multiply_add(call, &ty),
            "fptosi" => self.saturated(CastOp::FpToSi, call, &ty),
            "fptoui" => self.saturated(CastOp::FpToUi, call, &ty),
            name if UNMODELLED.contains(&name) => Some(self.unmodelled(&ty)),
            _ => None,
        };
        if let Some(value) = known {
            self.set(value);
        }
        known.is_some()
    }

    /// `llvm.fmuladd`: two operations or one that rounds once, as the processor likes. One that has no such
    /// instruction has no choice.
    fn multiply_add(&mut self, call: &Call, ty: &Type) -> Option<ExprId> {
        let [a, b, c] = [0, 1, 2].map(|number| self.operand(call, number, ty));
        let (a, b, c) = (a?, b?, c?);
        let features = attributes(self.source, self.function)
            .and_then(|group| group.text("target-features"))
            .unwrap_or_default();
        let fuses = |feature: &str| matches!(feature, "+fma" | "+fma4" | "+avx512f");
        if !self.source.triple.starts_with("x86_64") || features.split(',').any(fuses) {
            return Some(self.unmodelled(ty));
        }
        let product = self.float_arithmetic(Float::Mul, a, b, ty);
        Some(self.float_arithmetic(Float::Add, product, c, ty))
    }

    /// A saturating conversion.
    fn saturated(&mut self, op: CastOp, call: &Call, ty: &Type) -> Option<ExprId> {
        let a = self.value(*call.arguments.first()?);
        match (self.exprs.ty(a), ty) {
            (Type::Bv(from), Type::Bv(to)) => {
                let (from, to) = (*from, *to);
                Some(self.float_converted(op, a, from, to))
            }
            _ => None,
        }
    }
}
