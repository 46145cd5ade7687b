//! A module as text, close to what `llvm-dis` prints.
//!
//! Close enough to compare line by line: the same order, spelling and defaults. What differs is
//! the numbering of metadata and of attribute groups, which here is the file's, and that `llvm-dis`
//! adds comments.

mod attributes;
mod calls;
mod constants;
mod debug_nodes;
mod function;
mod globals;
mod instructions;
mod literals;
mod memory;
mod node_fields;
mod types;

use std::fmt::{self, Display, Write};

use crate::function::Function;
use crate::metadata::node::DebugNode;
use crate::module::Module;
use crate::types::Type;
use crate::value::{Constant, ConstantKind};
use literals::escaped;

/// The module as text.
pub fn module(module: &Module) -> String {
    let mut printer = Printer::new(module);
    printer.module();
    printer.out
}

/// One function as text.
pub fn function(module: &Module, function: &Function) -> String {
    let mut printer = Printer::new(module);
    printer.function(function);
    printer.out
}

impl Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&module(self))
    }
}

/// A bound on how many types and constants are spelled out. Shared parts could make the text of a
/// malicious module exponentially longer than the module; an honest one's is a few times as long.
fn most_parts(module: &Module) -> usize {
    let constant = |constant: &Constant| match &constant.kind {
        ConstantKind::Data(elements) => elements.len(),
        kind => kind.operands().len() + 1,
    };
    let constants: usize = module.constants.iter().map(constant).sum();
    let functions = module.functions.iter().map(|f| f.instructions.len() + f.parameters.len());
    let rest = module.types.len() + module.metadata.len() + functions.sum::<usize>();
    1_000_000 + 64 * (constants + rest)
}

/// The text so far, and what is needed to continue it.
struct Printer<'m> {
    module: &'m Module,
    out: String,
    parts_left: usize,
    numbering: function::Numbering,
}

impl<'m> Printer<'m> {
    fn new(module: &'m Module) -> Printer<'m> {
        Printer::with_parts(module, most_parts(module))
    }

    fn with_parts(module: &'m Module, parts_left: usize) -> Printer<'m> {
        Printer {
            module,
            out: String::new(),
            parts_left,
            numbering: function::Numbering::default(),
        }
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn display(&mut self, value: impl Display) {
        write!(self.out, "{value}").expect("writing to a string cannot fail");
    }

    /// Whether another part may be written; otherwise an ellipsis replaces it.
    fn may_continue(&mut self) -> bool {
        if let Some(left) = self.parts_left.checked_sub(1) {
            self.parts_left = left;
            return true;
        }
        self.push("...");
        false
    }

    /// Print `items` with commas between them.
    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut print: impl FnMut(&mut Self, T)) {
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.push(", ");
            }
            print(self, item);
        }
    }

    fn module(&mut self) {
        let module = self.module;
        for (key, value) in [
            ("source_filename", &module.source_file),
            ("target datalayout", &module.data_layout.text),
            ("target triple", &module.triple),
        ] {
            if !value.is_empty() {
                self.display(format_args!("{key} = \"{}\"\n", escaped(value.as_bytes())));
            }
        }
        for line in module.assembly.lines() {
            self.display(format_args!("module asm \"{}\"\n", escaped(line.as_bytes())));
        }
        for ty in &module.types {
            self.named_type(ty);
        }
        for comdat in &module.comdats {
            self.push("$");
            self.name(&comdat.name);
            self.display(format_args!(" = comdat {}\n", comdat.selection));
        }
        for (index, global) in module.globals.iter().enumerate() {
            self.global(index, global);
        }
        for alias in &module.aliases {
            self.alias(alias);
        }
        for ifunc in &module.ifuncs {
            self.ifunc(ifunc);
        }
        for function in &module.functions {
            self.push("\n");
            self.function(function);
        }
        self.push("\n");
        self.attribute_groups();
        for named in &module.named_metadata {
            self.push("!");
            self.push(&named.name);
            self.push(" = !{");
            self.list(&named.nodes, |p, id| p.metadata_operand(Some(*id), None));
            self.push("}\n");
        }
        for (id, node) in module.metadata.iter() {
            // These are spelled out where they are used.
            if !matches!(
                node,
                DebugNode::String(_)
                    | DebugNode::Value(_)
                    | DebugNode::Expression(_)
                    | DebugNode::ArgList(_)
            ) {
                self.display(format_args!("!{id} = "));
                self.metadata_node(node);
                self.push("\n");
            }
        }
    }

    fn named_type(&mut self, ty: &Type) {
        match ty {
            Type::Struct(body) => {
                if let Some(name) = &body.name {
                    self.push("%");
                    self.name(name);
                    self.push(" = type ");
                    self.struct_body(body);
                    self.push("\n");
                }
            }
            Type::Opaque { name } => {
                self.push("%");
                self.name(name);
                self.push(" = type opaque\n");
            }
            _ => {}
        }
    }
}
