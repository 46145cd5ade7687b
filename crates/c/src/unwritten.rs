//! Variables with internal linkage that are never written: they keep their initialisers.
//!
//! Only this module can name such a variable. If none of its functions stores to the variable, and its
//! address flows only into loads, comparisons and the sources of copies, no execution of the program changes
//! it. An address that is stored, passed to a call, joined with another or put into an initialiser may be
//! written through, and so may one that assembly names.

use bitcode::{CastOp, ConstantKind, Function, GlobalId, InstructionKind, Linkage, Value};

use crate::operands::for_each_operand;

/// For each global variable, whether it keeps its initialiser though it is not a constant.
pub(crate) fn unwritten(source: &bitcode::Module) -> Vec<bool> {
    let mut uses = Uses { source, kept: source.globals.iter().map(may_keep).collect() };
    if !uses.kept.contains(&true) {
        return uses.kept;
    }
    uses.constants();
    source.functions.iter().for_each(|function| uses.function(function));
    let assembly = source.inline_asms.iter().map(|inline| &*inline.text);
    let assembly: Vec<&str> = assembly.chain([&*source.assembly]).collect();
    for (global, kept) in source.globals.iter().zip(&mut uses.kept) {
        *kept &= !assembly.iter().any(|text| text.contains(&*global.name));
    }
    uses.kept
}

/// Whether only the functions of this module can decide.
fn may_keep(global: &bitcode::Global) -> bool {
    // A linker or a loader may put something else into a section of its own.
    let is_own = matches!(global.linkage, Linkage::Internal | Linkage::Private);
    is_own
        && !global.is_constant
        && !global.externally_initialized
        && global.section.is_none()
        && global.initializer.is_some()
}

struct Uses<'m> {
    source: &'m bitcode::Module,
    kept: Vec<bool>,
}

impl Uses<'_> {
    /// The variable that a constant is an address in.
    fn in_constant(&self, value: Value) -> Option<GlobalId> {
        let Value::Constant(id) = value else {
            return match value {
                Value::Global(id) => Some(id),
                _ => None,
            };
        };
        match &self.source[id].kind {
            ConstantKind::GetElementPtr { base, .. } => self.in_constant(*base),
            ConstantKind::Cast { op: CastOp::BitCast | CastOp::AddrSpaceCast, operand } => {
                self.in_constant(*operand)
            }
            _ => None,
        }
    }

    fn escapes(&mut self, root: Option<GlobalId>) {
        if let Some(id) = root {
            self.kept[id.index()] = false;
        }
    }

    /// Addresses that constants, initialisers and aliases hold.
    fn constants(&mut self) {
        let source = self.source;
        for constant in &source.constants {
            let held: Vec<Value> = match &constant.kind {
                ConstantKind::Aggregate(values) => values.to_vec(),
                ConstantKind::GetElementPtr { indices, .. } => indices.to_vec(),
                ConstantKind::Cast { op: CastOp::BitCast | CastOp::AddrSpaceCast, .. } => continue,
                kind => kind.operands(),
            };
            for value in held {
                self.escapes(self.in_constant(value));
            }
        }
        let initial = source.globals.iter().filter_map(|global| global.initializer);
        let aliased = source.aliases.iter().map(|alias| alias.aliasee);
        for value in initial.chain(aliased) {
            self.escapes(self.in_constant(value));
        }
    }

    /// Addresses that instructions compute and use.
    fn function(&mut self, function: &Function) {
        let mut derived: Vec<Option<GlobalId>> = vec![None; function.instructions.len()];
        loop {
            let mut changed = false;
            for (number, instruction) in function.instructions.iter().enumerate() {
                let base = match &instruction.kind {
                    InstructionKind::GetElementPtr { base, .. } => *base,
                    InstructionKind::Cast {
                        op: CastOp::BitCast | CastOp::AddrSpaceCast,
                        operand,
                        ..
                    } => *operand,
                    _ => continue,
                };
                let root = self.root(base, &derived);
                changed |= derived[number] != root;
                derived[number] = root;
            }
            if !changed {
                break;
            }
        }
        for instruction in &function.instructions {
            let mut escaping = Vec::new();
            match &instruction.kind {
                InstructionKind::Load { volatile: false, atomic: None, .. }
                | InstructionKind::IntegerCompare { .. }
                | InstructionKind::Cast { op: CastOp::BitCast | CastOp::AddrSpaceCast, .. } => {}
                InstructionKind::GetElementPtr { indices, .. } => escaping.extend(indices),
                InstructionKind::Call(call) => {
                    let copies = self.is_copy(call.callee);
                    let read = call.arguments.get(1).copied().filter(|_| copies);
                    for_each_operand(&instruction.kind, |value| {
                        if Some(value) != read {
                            escaping.push(value);
                        }
                    });
                    // A copy onto itself writes.
                    if copies {
                        escaping.extend(call.arguments.first());
                    }
                }
                kind => for_each_operand(kind, |value| escaping.push(value)),
            }
            for value in escaping {
                let root = self.root(value, &derived);
                self.escapes(root);
            }
        }
    }

    fn root(&self, value: Value, derived: &[Option<GlobalId>]) -> Option<GlobalId> {
        match value {
            Value::Instruction(id) => derived.get(id.index()).copied().flatten(),
            _ => self.in_constant(value),
        }
    }

    /// Whether a function copies to its first argument from its second.
    fn is_copy(&self, callee: Value) -> bool {
        let Value::Function(id) = callee else { return false };
        let name = &self.source[id].name;
        name.starts_with("llvm.memcpy.") || name.starts_with("llvm.memmove.")
    }
}
