//! Symbols: every global variable, and every function whose address is taken, is a static object
//! whose address is a constant of the module.

use bitcode::{ConstantKind, InstructionKind, Linkage, Value};
use ir::{FunctionId, Object, Type};

use crate::context::Context;
use crate::operands::for_each_operand;
use crate::unwritten::unwritten;

/// The size given to a variable that is declared without one, as `extern char text[]`.
const UNKNOWN_SIZE: u64 = 1 << 20;

impl Context<'_> {
    /// Declares the address of every symbol.
    pub(crate) fn declare_symbols(&mut self) {
        let source = self.source;
        let taken = taken_addresses(source);
        for global in &source.globals {
            let address = self.declare_address(&global.name);
            self.globals.push(address);
        }
        for ((function, taken), id) in source.functions.iter().zip(taken).zip(0..) {
            let address = taken.then(|| self.declare_address(&function.name));
            self.functions.push(address);
            if taken {
                let taker = bitcode::FunctionId(id);
                self.takers.entry(function.ty).or_default().push(taker);
            }
        }
        for ifunc in &source.ifuncs {
            let address = self.declare_address(&ifunc.name);
            self.ifuncs.push(address);
        }
    }

    fn declare_address(&mut self, symbol: &str) -> FunctionId {
        let name = self.names.distinct(symbol);
        let function = ir::Function {
            name,
            parameters: Vec::new(),
            result: Type::Ptr,
            definition: None,
            span: self.nowhere(),
        };
        self.module.functions.push(function);
        FunctionId(self.module.functions.len() as u32 - 1)
    }

    /// Makes the object of every symbol, in the order of their addresses.
    pub(crate) fn make_objects(&mut self) {
        let source = self.source;
        let unwritten = unwritten(source);
        for (index, global) in source.globals.iter().enumerate() {
            let size = match source.size_of(global.ty) {
                0 if global.initializer.is_none() => UNKNOWN_SIZE,
                size => size,
            };
            // The contents of a symbol that another definition may replace are unknown.
            let initializer = global.initializer.filter(|_| !may_be_replaced(global));
            let contents = initializer.and_then(|value| self.contents(value, size));
            let is_constant = global.is_constant && initializer.is_some();
            let is_unwritten = unwritten[index] && contents.is_some();
            let (address, constant) = (self.globals[index], is_constant || is_unwritten);
            self.module.objects.push(Object { address, size, constant, contents });
        }
        let code = self.functions.iter().flatten().chain(&self.ifuncs);
        self.module.objects.extend(code.map(|&address| Object {
            address,
            size: 1,
            constant: true,
            contents: Some(Vec::new()),
        }));
    }
}

fn may_be_replaced(global: &bitcode::Global) -> bool {
    match global.linkage {
        Linkage::WeakAny | Linkage::LinkOnceAny | Linkage::ExternWeak => true,
        Linkage::External
        | Linkage::AvailableExternally
        | Linkage::LinkOnceOdr
        | Linkage::WeakOdr
        | Linkage::Appending
        | Linkage::Internal
        | Linkage::Private
        | Linkage::Common => global.externally_initialized,
    }
}

/// Which functions are used otherwise than by calling them.
fn taken_addresses(source: &bitcode::Module) -> Vec<bool> {
    let mut taken = vec![false; source.functions.len()];
    let mut take = |value: Value| {
        if let Value::Function(id) = value {
            taken[id.index()] = true;
        }
    };
    for constant in &source.constants {
        if let ConstantKind::Aggregate(values) = &constant.kind {
            values.iter().copied().for_each(&mut take);
        } else {
            constant.kind.operands().into_iter().for_each(&mut take);
        }
    }
    source.globals.iter().filter_map(|global| global.initializer).for_each(&mut take);
    source.aliases.iter().for_each(|alias| take(alias.aliasee));
    for function in &source.functions {
        for instruction in &function.instructions {
            if let InstructionKind::Call(call) = &instruction.kind {
                call.arguments.iter().copied().for_each(&mut take);
                for bundle in &call.bundles {
                    bundle.operands.iter().copied().for_each(&mut take);
                }
            } else {
                for_each_operand(&instruction.kind, &mut take);
            }
        }
    }
    taken
}
