//! The records that describe the source program, field by field.

use llvm_bitcode::schema::blocks::MetadataCode as Code;

use super::fields::signed;
use super::{Decoder, Fields};
use crate::error::Error;
use crate::id::{MetadataId, TextId};
use crate::metadata::node::{
    BasicType, CompileUnit, CompositeType, DebugNode, DerivedType, Enumerator, File,
    GlobalVariable, ImportedEntity, Label, LexicalBlock, LocalVariable, Location, Macro, MacroFile,
    OtherNode, Subprogram, Subrange, SubroutineType, Tuple,
};

impl Decoder<'_> {
    pub(super) fn read_node(
        &self,
        code: Code,
        number: u32,
        fields: &mut Fields<'_>,
    ) -> Result<DebugNode, Error> {
        Ok(match code {
            Code::Node | Code::DistinctNode => DebugNode::Tuple(Tuple {
                distinct: code == Code::DistinctNode,
                operands: fields.rest().iter().map(|&stored| self.node_or_null(stored)).collect(),
            }),
            Code::Location => DebugNode::Location(Location {
                distinct: fields.bool()?,
                line: fields.u32()?,
                column: fields.u32()?,
                scope: Some(self.node(fields)?),
                inlined_at: self.reference(fields),
                implicit: fields.or_zero() != 0,
            }),
            Code::File => self.read_file(fields)?,
            Code::CompileUnit => self.read_compile_unit(fields)?,
            Code::Subprogram => self.read_subprogram(number, fields)?,
            Code::LexicalBlock => DebugNode::LexicalBlock(LexicalBlock {
                distinct: fields.bool()?,
                scope: self.reference(fields),
                file: self.reference(fields),
                position: Some((fields.u32()?, fields.u32()?)),
                discriminator: 0,
            }),
            Code::LexicalBlockFile => DebugNode::LexicalBlock(LexicalBlock {
                distinct: fields.bool()?,
                scope: self.reference(fields),
                file: self.reference(fields),
                position: None,
                discriminator: fields.u32()?,
            }),
            Code::LocalVar => self.read_local_variable(number, fields)?,
            Code::GlobalVar => self.read_global_variable(number, fields)?,
            Code::GlobalVarExpr => {
                let _distinct = fields.next()?;
                DebugNode::GlobalVariableExpression(self.reference(fields), self.reference(fields))
            }
            Code::Expression => {
                let _version = fields.next()?;
                DebugNode::Expression(fields.rest().into())
            }
            Code::Label => {
                let _distinct = fields.next()?;
                DebugNode::Label(Label {
                    scope: self.reference(fields),
                    name: self.text(fields),
                    file: self.reference(fields),
                    line: fields.u32()?,
                })
            }
            Code::BasicType => {
                let _distinct = fields.next()?;
                DebugNode::BasicType(BasicType {
                    tag: fields.u32()? as u16,
                    name: self.text(fields),
                    size: fields.next()?,
                    align: fields.u32()?,
                    encoding: fields.u32()?,
                    flags: fields.or_zero() as u32,
                })
            }
            Code::DerivedType => self.read_derived_type(fields)?,
            Code::CompositeType => self.read_composite_type(fields)?,
            Code::SubroutineType => {
                let _distinct = fields.next()?;
                DebugNode::SubroutineType(SubroutineType {
                    flags: fields.u32()?,
                    types: self.reference(fields),
                    convention: fields.or_zero() as u32,
                })
            }
            Code::Subrange => {
                // Versions 0 and 1, before LLVM 11, stored numbers in place of nodes.
                if fields.next()? >> 1 != 2 {
                    return Ok(other(number, fields));
                }
                DebugNode::Subrange(Subrange {
                    count: self.reference(fields),
                    lower: self.reference(fields),
                    upper: self.reference(fields),
                    stride: self.reference(fields),
                })
            }
            Code::Enumerator => self.read_enumerator(fields)?,
            Code::Macro => {
                let _distinct = fields.next()?;
                DebugNode::Macro(Macro {
                    kind: fields.u32()?,
                    line: fields.u32()?,
                    name: self.text(fields),
                    value: self.text(fields),
                })
            }
            Code::MacroFile => {
                let _distinct = fields.next()?;
                DebugNode::MacroFile(MacroFile {
                    kind: fields.u32()?,
                    line: fields.u32()?,
                    file: self.reference(fields),
                    elements: self.reference(fields),
                })
            }
            Code::ImportedEntity => {
                let _distinct = fields.next()?;
                DebugNode::ImportedEntity(ImportedEntity {
                    tag: fields.u32()? as u16,
                    scope: self.reference(fields),
                    entity: self.reference(fields),
                    line: fields.u32()?,
                    name: self.text(fields),
                    file: self.reference(fields),
                    elements: self.reference(fields),
                })
            }
            Code::ArgList => {
                let nodes = fields.rest().iter().filter_map(|&number| self.node_numbered(number));
                DebugNode::ArgList(nodes.collect())
            }
            Code::AssignId => DebugNode::AssignId,
            _ => other(number, fields),
        })
    }

    fn read_file(&self, fields: &mut Fields<'_>) -> Result<DebugNode, Error> {
        let _distinct = fields.next()?;
        let (name, directory) = (self.text(fields), self.text(fields));
        let kind = fields.or_zero() as u8;
        let checksum = self.text(fields).map(|text| (kind, text)).filter(|_| kind != 0);
        Ok(DebugNode::File(File { name, directory, checksum, source: self.text(fields) }))
    }

    fn read_compile_unit(&self, fields: &mut Fields<'_>) -> Result<DebugNode, Error> {
        let _distinct = fields.next()?;
        let language = fields.u32()?;
        let (file, producer) = (self.reference(fields), self.text(fields));
        let optimized = fields.bool()?;
        let flags = self.text(fields);
        let runtime_version = fields.u32()?;
        let split_name = self.text(fields);
        let emission_kind = fields.u32()?;
        let (enums, retained_types) = (self.reference(fields), self.reference(fields));
        let _subprograms = fields.next()?;
        let (globals, imports) = (self.reference(fields), self.reference(fields));
        let dwo_id = fields.or_zero();
        let macros = self.reference(fields);
        Ok(DebugNode::CompileUnit(Box::new(CompileUnit {
            language,
            file,
            producer,
            optimized,
            flags,
            runtime_version,
            split_name,
            emission_kind,
            enums,
            retained_types,
            globals,
            imports,
            macros,
            dwo_id,
            split_inlining: fields.optional() != Some(0),
            for_profiling: fields.or_zero() != 0,
            name_table: fields.or_zero() as u32,
            ranges_base_address: fields.or_zero() != 0,
            sysroot: self.text(fields),
            sdk: self.text(fields),
        })))
    }

    fn read_subprogram(&self, number: u32, fields: &mut Fields<'_>) -> Result<DebugNode, Error> {
        let version = fields.next()?;
        // Before LLVM 8 the flags were spread over several fields.
        if version & 4 == 0 {
            return Ok(other(number, fields));
        }
        Ok(DebugNode::Subprogram(Box::new(Subprogram {
            distinct: version & 1 != 0,
            scope: self.reference(fields),
            name: self.text(fields),
            linkage_name: self.text(fields),
            file: self.reference(fields),
            line: fields.u32()?,
            ty: self.reference(fields),
            scope_line: fields.u32()?,
            containing_type: self.reference(fields),
            subprogram_flags: fields.u32()?,
            virtual_index: fields.u32()?,
            flags: fields.u32()?,
            unit: self.reference(fields),
            template_parameters: self.reference(fields),
            declaration: self.reference(fields),
            retained_nodes: self.reference(fields),
            this_adjustment: fields.or_zero() as i32,
            thrown_types: self.reference(fields),
            annotations: self.reference(fields),
            target: self.text(fields),
        })))
    }

    fn read_local_variable(
        &self,
        number: u32,
        fields: &mut Fields<'_>,
    ) -> Result<DebugNode, Error> {
        // Without this flag the record begins with a tag, as before LLVM 4.
        if fields.next()? & 2 == 0 {
            return Ok(other(number, fields));
        }
        Ok(DebugNode::LocalVariable(LocalVariable {
            scope: self.reference(fields),
            name: self.text(fields),
            file: self.reference(fields),
            line: fields.u32()?,
            ty: self.reference(fields),
            argument: fields.u32()?,
            flags: fields.u32()?,
            align: fields.u32()?,
            annotations: self.reference(fields),
        }))
    }

    fn read_global_variable(
        &self,
        number: u32,
        fields: &mut Fields<'_>,
    ) -> Result<DebugNode, Error> {
        let version = fields.next()?;
        if version >> 1 != 2 {
            return Ok(other(number, fields));
        }
        Ok(DebugNode::GlobalVariable(Box::new(GlobalVariable {
            distinct: version & 1 != 0,
            scope: self.reference(fields),
            name: self.text(fields),
            linkage_name: self.text(fields),
            file: self.reference(fields),
            line: fields.u32()?,
            ty: self.reference(fields),
            local: fields.bool()?,
            definition: fields.bool()?,
            declaration: self.reference(fields),
            template_parameters: self.reference(fields),
            align: fields.u32()?,
            annotations: self.reference(fields),
        })))
    }

    fn read_derived_type(&self, fields: &mut Fields<'_>) -> Result<DebugNode, Error> {
        Ok(DebugNode::DerivedType(DerivedType {
            distinct: fields.next()? & 1 != 0,
            tag: fields.u32()? as u16,
            name: self.text(fields),
            file: self.reference(fields),
            line: fields.u32()?,
            scope: self.reference(fields),
            base: self.reference(fields),
            size: fields.next()?,
            align: fields.u32()?,
            offset: fields.next()?,
            flags: fields.u32()?,
            extra: self.reference(fields),
            address_space: (fields.or_zero() as u32).checked_sub(1),
            annotations: self.reference(fields),
            pointer_authentication: fields.optional().filter(|&stored| stored != 0),
        }))
    }

    fn read_composite_type(&self, fields: &mut Fields<'_>) -> Result<DebugNode, Error> {
        Ok(DebugNode::CompositeType(Box::new(CompositeType {
            distinct: fields.next()? & 1 != 0,
            tag: fields.u32()? as u16,
            name: self.text(fields),
            file: self.reference(fields),
            line: fields.u32()?,
            scope: self.reference(fields),
            base: self.reference(fields),
            size: fields.next()?,
            align: fields.u32()?,
            offset: fields.next()?,
            flags: fields.u32()?,
            elements: self.reference(fields),
            runtime_language: fields.u32()?,
            vtable_holder: self.reference(fields),
            template_parameters: self.reference(fields),
            identifier: self.text(fields),
            discriminator: self.reference(fields),
            dynamic: std::array::from_fn(|_| self.reference(fields)),
            annotations: self.reference(fields),
        })))
    }

    fn read_enumerator(&self, fields: &mut Fields<'_>) -> Result<DebugNode, Error> {
        let flags = fields.next()?;
        let unsigned = flags & 2 != 0;
        let (name, value) = if flags & 4 != 0 {
            let bits = fields.next()?;
            let name = self.text(fields);
            // No words at all mean zero; narrower numbers are stored without their sign.
            let value = fields.optional().map_or(0, signed);
            let shift = if unsigned { 0 } else { 64u64.saturating_sub(bits.max(1)) };
            (name, value << shift >> shift)
        } else {
            let value = signed(fields.next()?);
            (self.text(fields), value)
        };
        Ok(DebugNode::Enumerator(Enumerator { name, value, unsigned }))
    }

    /// A node or none; records written before the field existed have none.
    fn reference(&self, fields: &mut Fields<'_>) -> Option<MetadataId> {
        self.node_or_null(fields.or_zero())
    }

    fn text(&self, fields: &mut Fields<'_>) -> Option<TextId> {
        self.reference(fields).map(TextId)
    }
}

fn other(code: u32, fields: &mut Fields<'_>) -> DebugNode {
    DebugNode::Other(OtherNode { code, operands: fields.rest().into() })
}
