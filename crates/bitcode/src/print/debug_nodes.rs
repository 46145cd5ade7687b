//! Metadata as text.

use super::Printer;
use super::literals::escaped;
use crate::function::Function;
use crate::id::MetadataId;
use crate::limits::PRINTED_LISTS;
use crate::metadata::node::{
    CompileUnit, CompositeType, DebugNode, DerivedType, File, GlobalVariable, Subprogram, Subrange,
    encoding_name, expression_operation, flag_names, language_name, subprogram_flag_names,
};
use crate::value::{ConstantKind, Value};

impl Printer<'_> {
    /// A node where it is used: `!5`, or the node itself if it has no number.
    pub(super) fn metadata_operand(&mut self, id: Option<MetadataId>, function: Option<&Function>) {
        self.nested_operand(id, function, PRINTED_LISTS);
    }

    fn nested_operand(&mut self, id: Option<MetadataId>, function: Option<&Function>, depth: u32) {
        let Some(id) = id else { return self.push("null") };
        let module = self.module;
        match module.metadata.get(id) {
            Some(DebugNode::String(text)) => {
                self.display(format_args!("!\"{}\"", escaped(text.as_bytes())));
            }
            Some(DebugNode::Value(value)) => self.typed_value(*value, function),
            Some(DebugNode::Expression(elements)) => self.expression_node(elements),
            Some(DebugNode::ArgList(nodes)) if depth > 0 => {
                self.push("!DIArgList(");
                self.list(nodes, |p, &node| p.nested_operand(Some(node), function, depth - 1));
                self.push(")");
            }
            _ => self.display(format_args!("!{id}")),
        }
    }

    /// A node where it is defined.
    pub(super) fn metadata_node(&mut self, node: &DebugNode) {
        match node {
            DebugNode::String(_)
            | DebugNode::Value(_)
            | DebugNode::Expression(_)
            | DebugNode::ArgList(_) => {}
            DebugNode::Tuple(tuple) => {
                self.push(if tuple.distinct { "distinct !{" } else { "!{" });
                self.list(&tuple.operands, |p, &id| p.metadata_operand(id, None));
                self.push("}");
            }
            DebugNode::Location(n) => self
                .node("DILocation", n.distinct)
                .number("line", n.line)
                .nonzero("column", n.column)
                .reference("scope", n.scope)
                .optional("inlinedAt", n.inlined_at)
                .flag("isImplicitCode", n.implicit)
                .end(),
            DebugNode::File(n) => self.file_node(n),
            DebugNode::CompileUnit(n) => self.compile_unit_node(n),
            DebugNode::Subprogram(n) => self.subprogram_node(n),
            DebugNode::LexicalBlock(n) => match n.position {
                Some((line, column)) => self
                    .node("DILexicalBlock", n.distinct)
                    .reference("scope", n.scope)
                    .optional("file", n.file)
                    .nonzero("line", line)
                    .nonzero("column", column)
                    .end(),
                None => self
                    .node("DILexicalBlockFile", n.distinct)
                    .reference("scope", n.scope)
                    .optional("file", n.file)
                    .number("discriminator", n.discriminator)
                    .end(),
            },
            DebugNode::LocalVariable(n) => self
                .node("DILocalVariable", false)
                .text("name", n.name)
                .nonzero("arg", n.argument)
                .reference("scope", n.scope)
                .optional("file", n.file)
                .nonzero("line", n.line)
                .optional("type", n.ty)
                .flags("flags", flag_names(n.flags))
                .nonzero("align", n.align)
                .optional("annotations", n.annotations)
                .end(),
            DebugNode::GlobalVariable(n) => self.global_variable_node(n),
            DebugNode::GlobalVariableExpression(variable, expression) => self
                .node("DIGlobalVariableExpression", false)
                .optional("var", *variable)
                .optional("expr", *expression)
                .end(),
            DebugNode::Label(n) => self
                .node("DILabel", false)
                .reference("scope", n.scope)
                .text("name", n.name)
                .optional("file", n.file)
                .nonzero("line", n.line)
                .end(),
            DebugNode::BasicType(n) => {
                let mut fields = self.node("DIBasicType", false);
                if n.tag != 0x24 {
                    fields = fields.tag(n.tag);
                }
                fields
                    .text("name", n.name)
                    .nonzero("size", n.size)
                    .nonzero("align", n.align)
                    .word("encoding", "DW_ATE_", encoding_name(n.encoding), n.encoding)
                    .flags("flags", flag_names(n.flags))
                    .end();
            }
            DebugNode::DerivedType(n) => self.derived_type_node(n),
            DebugNode::CompositeType(n) => self.composite_type_node(n),
            DebugNode::SubroutineType(n) => self
                .node("DISubroutineType", false)
                .flags("flags", flag_names(n.flags))
                .word("cc", "DW_CC_", None, n.convention)
                .reference("types", n.types)
                .end(),
            DebugNode::Subrange(n) => self.subrange_node(n),
            DebugNode::Enumerator(n) => {
                let mut fields = self.node("DIEnumerator", false).text_always("name", n.name);
                fields = if n.unsigned {
                    fields.number("value", n.value.cast_unsigned()).flag("isUnsigned", true)
                } else {
                    fields.number("value", n.value)
                };
                fields.end();
            }
            DebugNode::Macro(n) => {
                let kind = match n.kind {
                    1 => Some("define"),
                    2 => Some("undef"),
                    _ => None,
                };
                self.node("DIMacro", false)
                    .word("type", "DW_MACINFO_", kind, n.kind)
                    .nonzero("line", n.line)
                    .text("name", n.name)
                    .text("value", n.value)
                    .end();
            }
            DebugNode::MacroFile(n) => self
                .node("DIMacroFile", false)
                .nonzero("line", n.line)
                .reference("file", n.file)
                .optional("nodes", n.elements)
                .end(),
            DebugNode::ImportedEntity(n) => self
                .node("DIImportedEntity", false)
                .tag(n.tag)
                .text("name", n.name)
                .reference("scope", n.scope)
                .optional("entity", n.entity)
                .optional("file", n.file)
                .nonzero("line", n.line)
                .optional("elements", n.elements)
                .end(),
            DebugNode::AssignId => self.push("distinct !DIAssignID()"),
            DebugNode::Other(n) => {
                self.display(format_args!("!Record{}(", n.code));
                self.list(&n.operands, |p, operand| p.display(operand));
                self.push(")");
            }
        }
    }

    fn expression_node(&mut self, elements: &[u64]) {
        self.push("!DIExpression(");
        let mut rest = elements;
        let mut parts = Vec::new();
        while let Some((&code, after)) = rest.split_first() {
            rest = after;
            let Some((name, operands)) = expression_operation(code) else {
                parts.push(code.to_string());
                continue;
            };
            parts.push(format!("DW_OP_{name}"));
            let (taken, after) = rest.split_at(operands.min(rest.len()));
            rest = after;
            for (index, &operand) in taken.iter().enumerate() {
                // The last operand of a conversion is an encoding.
                match encoding_name(operand as u32) {
                    Some(encoding) if code == 0x1001 && index == 1 => {
                        parts.push(format!("DW_ATE_{encoding}"));
                    }
                    _ => parts.push(operand.to_string()),
                }
            }
        }
        self.push(&parts.join(", "));
        self.push(")");
    }

    fn file_node(&mut self, n: &File) {
        let mut fields = self
            .node("DIFile", false)
            .text_always("filename", n.name)
            .text_always("directory", n.directory);
        if let Some((kind, checksum)) = n.checksum {
            let name = ["CSK_MD5", "CSK_SHA1", "CSK_SHA256"].get(usize::from(kind).wrapping_sub(1));
            fields = fields.number("checksumkind", name.unwrap_or(&"CSK_unknown"));
            fields = fields.text_always("checksum", Some(checksum));
        }
        fields.text("source", n.source).end();
    }

    fn compile_unit_node(&mut self, n: &CompileUnit) {
        let emission = ["NoDebug", "FullDebug", "LineTablesOnly", "DebugDirectivesOnly"];
        let tables = ["Default", "GNU", "None", "Apple"];
        let mut fields = self
            .node("DICompileUnit", true)
            .word("language", "DW_LANG_", language_name(n.language), n.language)
            .reference("file", n.file)
            .text("producer", n.producer)
            .number("isOptimized", n.optimized)
            .text("flags", n.flags)
            .number("runtimeVersion", n.runtime_version)
            .text("splitDebugFilename", n.split_name)
            .number("emissionKind", emission.get(n.emission_kind as usize).unwrap_or(&"unknown"))
            .optional("enums", n.enums)
            .optional("retainedTypes", n.retained_types)
            .optional("globals", n.globals)
            .optional("imports", n.imports)
            .optional("macros", n.macros)
            .nonzero("dwoId", n.dwo_id);
        if !n.split_inlining {
            fields = fields.number("splitDebugInlining", false);
        }
        fields = fields.flag("debugInfoForProfiling", n.for_profiling);
        if n.name_table != 0 {
            fields = fields
                .number("nameTableKind", tables.get(n.name_table as usize).unwrap_or(&"unknown"));
        }
        fields
            .flag("rangesBaseAddress", n.ranges_base_address)
            .text("sysroot", n.sysroot)
            .text("sdk", n.sdk)
            .end();
    }

    fn subprogram_node(&mut self, n: &Subprogram) {
        let mut fields = self
            .node("DISubprogram", n.distinct)
            .text("name", n.name)
            .text("linkageName", n.linkage_name)
            .reference("scope", n.scope)
            .optional("file", n.file)
            .nonzero("line", n.line)
            .optional("type", n.ty)
            .nonzero("scopeLine", n.scope_line)
            .optional("containingType", n.containing_type);
        if n.subprogram_flags & 3 != 0 || n.virtual_index != 0 {
            fields = fields.number("virtualIndex", n.virtual_index);
        }
        if n.this_adjustment != 0 {
            fields = fields.number("thisAdjustment", n.this_adjustment);
        }
        fields
            .flags("flags", flag_names(n.flags))
            .flags("spFlags", subprogram_flag_names(n.subprogram_flags))
            .optional("unit", n.unit)
            .optional("templateParams", n.template_parameters)
            .optional("declaration", n.declaration)
            .optional("retainedNodes", n.retained_nodes)
            .optional("thrownTypes", n.thrown_types)
            .optional("annotations", n.annotations)
            .text("targetFuncName", n.target)
            .end();
    }

    fn global_variable_node(&mut self, n: &GlobalVariable) {
        self.node("DIGlobalVariable", n.distinct)
            .text("name", n.name)
            .text("linkageName", n.linkage_name)
            .reference("scope", n.scope)
            .optional("file", n.file)
            .nonzero("line", n.line)
            .optional("type", n.ty)
            .number("isLocal", n.local)
            .number("isDefinition", n.definition)
            .optional("declaration", n.declaration)
            .optional("templateParams", n.template_parameters)
            .nonzero("align", n.align)
            .optional("annotations", n.annotations)
            .end();
    }

    fn derived_type_node(&mut self, n: &DerivedType) {
        let mut fields = self
            .node("DIDerivedType", n.distinct)
            .tag(n.tag)
            .text("name", n.name)
            .optional("scope", n.scope)
            .optional("file", n.file)
            .nonzero("line", n.line)
            .reference("baseType", n.base)
            .nonzero("size", n.size)
            .nonzero("align", n.align)
            .nonzero("offset", n.offset)
            .flags("flags", flag_names(n.flags))
            .optional("extraData", n.extra);
        if let Some(space) = n.address_space {
            fields = fields.number("dwarfAddressSpace", space);
        }
        fields.optional("annotations", n.annotations).end();
    }

    fn composite_type_node(&mut self, n: &CompositeType) {
        let [data_location, associated, allocated, rank] = n.dynamic;
        self.node("DICompositeType", n.distinct)
            .tag(n.tag)
            .text("name", n.name)
            .optional("scope", n.scope)
            .optional("file", n.file)
            .nonzero("line", n.line)
            .optional("baseType", n.base)
            .nonzero("size", n.size)
            .nonzero("align", n.align)
            .nonzero("offset", n.offset)
            .flags("flags", flag_names(n.flags))
            .optional("elements", n.elements)
            .word("runtimeLang", "DW_LANG_", language_name(n.runtime_language), n.runtime_language)
            .optional("vtableHolder", n.vtable_holder)
            .optional("templateParams", n.template_parameters)
            .text("identifier", n.identifier)
            .optional("discriminator", n.discriminator)
            .optional("dataLocation", data_location)
            .optional("associated", associated)
            .optional("allocated", allocated)
            .optional("rank", rank)
            .optional("annotations", n.annotations)
            .end();
    }

    fn subrange_node(&mut self, n: &Subrange) {
        let module = self.module;
        let constant = |id: Option<MetadataId>| match module.metadata.get(id?) {
            Some(DebugNode::Value(Value::Constant(id))) => match module[*id].kind {
                ConstantKind::Integer(value) => Some(value),
                ConstantKind::Null => Some(0),
                _ => None,
            },
            _ => None,
        };
        let mut fields = self.node("DISubrange", false);
        for (name, id) in [
            ("count", n.count),
            ("lowerBound", n.lower),
            ("upperBound", n.upper),
            ("stride", n.stride),
        ] {
            fields = match constant(id) {
                Some(value) => fields.number(name, value),
                None => fields.optional(name, id),
            };
        }
        fields.end();
    }
}
