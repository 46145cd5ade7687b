//! Functions as text: the header, the labels and the numbers of what has no name.

use super::Printer;
use super::literals::escaped;
use crate::function::{DebugRecord, DebugRecordKind, Function};
use crate::id::{BlockId, InstructionId, MetadataId};
use crate::module::{Module, UnnamedAddress};
use crate::types::Type;

/// The numbers of a function's parameters, blocks and instructions without a name. LLVM counts
/// them together in program order; what has a name, or no value, gets no number.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    arguments: Vec<u32>,
    blocks: Vec<u32>,
    instructions: Vec<u32>,
}

impl Numbering {
    pub fn of(module: &Module, function: &Function) -> Numbering {
        let mut next = 0;
        let mut number = |is_unnamed: bool| {
            let number = next;
            next += u32::from(is_unnamed);
            number
        };
        let arguments = function.parameters.iter().map(|p| number(p.name.is_none())).collect();
        let mut numbering = Numbering { arguments, ..Numbering::default() };
        for (index, block) in (0..).zip(&function.blocks) {
            numbering.blocks.push(number(block.name.is_none()));
            for instruction in function.block(BlockId(index)) {
                let unnamed = instruction.name.is_none() && module[instruction.ty] != Type::Void;
                numbering.instructions.push(number(unnamed));
            }
        }
        numbering
    }

    pub fn argument(&self, index: u32) -> u32 {
        self.arguments.get(index as usize).copied().unwrap_or(index)
    }

    pub fn block(&self, block: BlockId) -> u32 {
        self.blocks.get(block.index()).copied().unwrap_or(block.0)
    }

    pub fn instruction(&self, id: InstructionId) -> u32 {
        self.instructions.get(id.index()).copied().unwrap_or(id.0)
    }
}

impl Printer<'_> {
    pub(super) fn function(&mut self, function: &Function) {
        self.numbering = Numbering::of(self.module, function);
        if function.is_declaration {
            self.push("declare");
            self.attached(" ", &function.metadata);
            self.push(" ");
        } else {
            self.push("define ");
        }
        self.header(function);
        if function.is_declaration {
            self.push("\n");
            return;
        }
        self.attached(" ", &function.metadata);
        self.push(" {\n");
        for index in 0..function.blocks.len() {
            self.block(BlockId(index as u32), function);
        }
        self.push("}\n");
    }

    fn header(&mut self, function: &Function) {
        let module = self.module;
        let Some(signature) = module[function.ty].as_function() else { return };
        let attributes = function.attributes.map(|id| &module[id]);
        self.linkage(function.linkage, function.visibility, function.dso_local);
        self.dll_storage(function.dll_storage);
        self.convention(function.convention);
        self.attributes(attributes.and_then(|list| list.result(module)));
        self.ty(signature.result);
        self.push(" @");
        self.name(&function.name);
        self.push("(");
        self.list((0..).zip(&function.parameters), |p, (index, parameter)| {
            p.ty(parameter.ty);
            if let Some(group) = attributes.and_then(|list| list.parameter(module, index)) {
                for attribute in &group.attributes {
                    p.push(" ");
                    p.attribute(attribute, false);
                }
            }
            if !function.is_declaration {
                p.push(" ");
                p.value(crate::Value::Argument(index), Some(function));
            }
        });
        if signature.variadic {
            self.push(if function.parameters.is_empty() { "..." } else { ", ..." });
        }
        self.push(")");
        self.push(match function.unnamed_address {
            UnnamedAddress::Named => "",
            UnnamedAddress::Unnamed => " unnamed_addr",
            UnnamedAddress::LocallyUnnamed => " local_unnamed_addr",
        });
        if function.space != 0 {
            self.display(format_args!(" addrspace({})", function.space));
        }
        if let Some(group) = attributes.and_then(|list| list.function) {
            self.display(format_args!(" #{group}"));
        }
        if let Some(section) = &function.section {
            self.display(format_args!(" section \"{}\"", escaped(section.as_bytes())));
        }
        if let Some(comdat) = function.comdat {
            self.comdat(comdat, &function.name);
        }
        if let Some(align) = function.align {
            self.display(format_args!(" align {}", align.bytes()));
        }
        if let Some(collector) = &function.collector {
            self.display(format_args!(" gc \"{}\"", escaped(collector.as_bytes())));
        }
        for (word, value) in [
            (" prefix ", function.prefix),
            (" prologue ", function.prologue),
            (" personality ", function.personality),
        ] {
            if let Some(value) = value {
                self.push(word);
                self.typed_value(value, None);
            }
        }
    }

    /// A calling convention other than C's, followed by a space.
    pub(super) fn convention(&mut self, convention: u32) {
        let name = match convention {
            0 => return,
            8 => "fastcc",
            9 => "coldcc",
            10 => "ghccc",
            13 => "anyregcc",
            14 => "preserve_mostcc",
            15 => "preserve_allcc",
            16 => "swiftcc",
            64 => "x86_stdcallcc",
            65 => "x86_fastcallcc",
            70 => "x86_thiscallcc",
            78 => "x86_64_sysvcc",
            79 => "win64cc",
            80 => "x86_vectorcallcc",
            83 => "x86_intrcc",
            92 => "x86_regcallcc",
            _ => return self.display(format_args!("cc {convention} ")),
        };
        self.push(name);
        self.push(" ");
    }

    fn block(&mut self, block: BlockId, function: &Function) {
        match &function.blocks[block.index()].name {
            Some(name) => {
                self.push(if block.0 == 0 { "" } else { "\n" });
                self.name(name);
                self.push(":\n");
            }
            // The entry has no label if it has no name.
            None if block.0 == 0 => {}
            None => {
                let number = self.numbering.block(block);
                self.display(format_args!("\n{number}:\n"));
            }
        }
        for (id, instruction) in function.block_with_ids(block) {
            for record in function.debug_records(id) {
                self.debug_record(record, function);
            }
            self.instruction(id, instruction, function);
        }
    }

    /// A block as an operand: `%name` or `%number`.
    pub(super) fn label(&mut self, block: BlockId, function: Option<&Function>) {
        self.push("%");
        match function.and_then(|f| f.blocks.get(block.index())?.name.as_deref()) {
            Some(name) => self.name(name),
            None => self.display(self.numbering.block(block)),
        }
    }

    fn debug_record(&mut self, record: &DebugRecord, function: &Function) {
        let variable = record.variable;
        let nodes: Vec<MetadataId> = match record.kind {
            DebugRecordKind::Declare { address, expression } => {
                self.push("    #dbg_declare(");
                vec![address, variable, expression]
            }
            DebugRecordKind::Value { value, expression } => {
                self.push("    #dbg_value(");
                vec![value, variable, expression]
            }
            DebugRecordKind::SimpleValue { value, expression } => {
                self.push("    #dbg_value(");
                self.typed_value(value, Some(function));
                self.push(", ");
                vec![variable, expression]
            }
            DebugRecordKind::Assign { value, expression, id, address, address_expression } => {
                self.push("    #dbg_assign(");
                vec![value, variable, expression, id, address, address_expression]
            }
            DebugRecordKind::Label => {
                self.push("    #dbg_label(");
                vec![variable]
            }
        };
        let nodes = nodes.into_iter().map(Some).chain([record.location]);
        self.list(nodes, |p, node| p.metadata_operand(node, Some(function)));
        self.push(")\n");
    }
}
