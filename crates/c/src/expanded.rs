//! Uses of macros where the text cannot be read: all that a macro expands to has the place of its use, arguments
//! included.
//!
//! Code that is written without a macro has a column for each name and each operator: `p == q` is two loads
//! and a comparison at three places. So instructions that share a place and cannot come from one token come
//! from a macro: loads of two variables; a comparison, an operation, a member access or a call at the place
//! of its variable; two calls of functions by name; any computation after a branch at the branch's own place.
//! A macro that expands to one variable, or to the test whether it is zero, looks like the variable.

use bitcode::{Function, InstructionId, InstructionKind, IntegerPredicate, TypeId, Value};
use ir::FileId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::Context;

/// A file, a line and a column.
pub(crate) type SourcePosition = (FileId, u32, u32);

/// A variable of the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Variable {
    Local(InstructionId),
    Global(bitcode::GlobalId),
}

/// The places in a function at which macros are used, in files whose text cannot be read.
pub(crate) fn used(context: &mut Context<'_>, function: &Function) -> FxHashSet<SourcePosition> {
    let mut seen = MacroUses::new(context.source, function);
    for (number, instruction) in function.instructions.iter().enumerate() {
        let Some(location) = instruction.location else { continue };
        let (Some(scope), None) = (location.scope, location.inlined_at) else { continue };
        // Without columns, lines say nothing of macros.
        if location.line > 0 && location.column > 0 {
            let (file, _) = context.files.scope(scope);
            if !context.files.has_text(file) {
                seen.instruction(number, (file, location.line, location.column));
            }
        }
    }
    seen.macros()
}

struct MacroUses<'m> {
    source: &'m bitcode::Module,
    function: &'m Function,
    macros: FxHashSet<SourcePosition>,
    /// Results that are a variable's value, up to conversions and a comparison with zero.
    held: Vec<Option<(SourcePosition, Variable)>>,
    loaded: FxHashMap<SourcePosition, Variable>,
    called: FxHashSet<SourcePosition>,
    branched: FxHashSet<SourcePosition>,
    stored: FxHashSet<(SourcePosition, Variable)>,
    /// Operations on variables that are not of a macro if the variable is stored at the same place: `x += 1`.
    changed: Vec<(SourcePosition, Variable)>,
}

impl<'m> MacroUses<'m> {
    fn new(source: &'m bitcode::Module, function: &'m Function) -> MacroUses<'m> {
        MacroUses {
            source,
            function,
            macros: FxHashSet::default(),
            held: vec![None; function.instructions.len()],
            loaded: FxHashMap::default(),
            called: FxHashSet::default(),
            branched: FxHashSet::default(),
            stored: FxHashSet::default(),
            changed: Vec::new(),
        }
    }

    fn macros(mut self) -> FxHashSet<SourcePosition> {
        let unchanged = self.changed.iter().filter(|change| !self.stored.contains(change));
        self.macros.extend(unchanged.map(|(at, _)| *at));
        self.macros
    }

    fn instruction(&mut self, number: usize, at: SourcePosition) {
        let instruction = &self.function.instructions[number];
        match &instruction.kind {
            InstructionKind::Load { pointer, .. } => {
                if let Some(variable) = self.variable(*pointer, instruction.ty) {
                    let first = *self.loaded.entry(at).or_insert(variable);
                    self.note(first != variable || self.branched.contains(&at), at);
                    self.held[number] = Some((at, variable));
                } else {
                    self.note(self.holds(*pointer, at).is_some(), at);
                }
            }
            InstructionKind::Cast { operand, .. } | InstructionKind::Freeze(operand) => {
                self.held[number] = self.holds(*operand, at).map(|variable| (at, variable));
            }
            InstructionKind::IntegerCompare { predicate, left, right } => {
                let is_test = *predicate == IntegerPredicate::Ne && self.is_zero(*right);
                self.compared(number, at, is_test, [*left, *right]);
            }
            InstructionKind::FloatCompare { left, right, .. } => {
                self.compared(number, at, self.is_zero(*right), [*left, *right]);
            }
            InstructionKind::Unary { operand, .. } => self.operated(number, at, [*operand; 2]),
            InstructionKind::Binary { left, right, .. } => {
                self.operated(number, at, [*left, *right]);
            }
            InstructionKind::GetElementPtr { source, base, indices, .. } => {
                let is_member = matches!(self.source[*source], bitcode::Type::Struct(_));
                let is_of_variable = self.holds(*base, at).is_some();
                self.note(is_member && indices.len() > 1 && is_of_variable, at);
            }
            InstructionKind::Call(call) => {
                let name = match call.callee {
                    Value::Function(id) => Some(&*self.source[id].name),
                    _ => None,
                };
                // The stack goes back to what a made-up variable holds.
                let is_synthetic = name.is_some_and(|name| name.starts_with("llvm.stackrestore"));
                let mut arguments = call.arguments.iter();
                let is_given = arguments.any(|&argument| self.holds(argument, at).is_some());
                self.note(is_given && !is_synthetic, at);
                if name.is_some_and(|name| !name.starts_with("llvm.")) {
                    let is_second = !self.called.insert(at);
                    self.note(is_second || self.branched.contains(&at), at);
                }
            }
            InstructionKind::Store { pointer, value, .. } => {
                let from = self.holds(*value, at);
                let ty = self.source.type_of(*value, Some(self.function));
                if let Some(variable) = ty.and_then(|ty| self.variable(*pointer, ty)) {
                    self.stored.insert((at, variable));
                    self.note(from.is_some_and(|from| from != variable), at);
                }
            }
            InstructionKind::ConditionalBranch { .. } => {
                self.branched.insert(at);
            }
            _ => {}
        }
    }

    fn note(&mut self, is_macro: bool, at: SourcePosition) {
        if is_macro {
            self.macros.insert(at);
        }
    }

    fn compared(&mut self, number: usize, at: SourcePosition, is_test: bool, operands: [Value; 2]) {
        let held = operands.iter().find_map(|&operand| self.holds(operand, at));
        if let Some(variable) = held {
            self.note(!is_test || self.branched.contains(&at), at);
            self.held[number] = Some((at, variable));
        }
    }

    fn operated(&mut self, number: usize, at: SourcePosition, operands: [Value; 2]) {
        let held = operands.iter().find_map(|&operand| self.holds(operand, at));
        if let Some(variable) = held {
            self.changed.push((at, variable));
            self.held[number] = Some((at, variable));
        }
    }

    /// The variable whose value this is, if it was read at that place.
    fn holds(&self, value: Value, at: SourcePosition) -> Option<Variable> {
        let Value::Instruction(id) = value else { return None };
        let (read, variable) = (*self.held.get(id.index())?)?;
        (read == at).then_some(variable)
    }

    /// The variable that a pointer leads to, if it is accessed as a whole and not made of parts.
    fn variable(&self, pointer: Value, accessed: TypeId) -> Option<Variable> {
        let (ty, variable) = match pointer {
            Value::Instruction(id) => match self.function.instructions.get(id.index())?.kind {
                InstructionKind::Alloca { allocated, .. } => (allocated, Variable::Local(id)),
                _ => return None,
            },
            Value::Global(id) => (self.source[id].ty, Variable::Global(id)),
            _ => return None,
        };
        (ty == accessed).then_some(variable)
    }

    fn is_zero(&self, value: Value) -> bool {
        let Value::Constant(id) = value else { return false };
        match &self.source[id].kind {
            bitcode::ConstantKind::Null => true,
            bitcode::ConstantKind::Integer(number) => *number == 0,
            bitcode::ConstantKind::Float(bits) => *bits == 0,
            _ => false,
        }
    }
}
