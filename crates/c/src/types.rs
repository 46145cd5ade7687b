//! Types: what a value of LLVM is in VIR.
//!
//! An `i1` is a Boolean, other integers and all floating-point numbers are words, structures, arrays and
//! vectors in registers are records. Every type has a counterpart: one that VIR cannot express, or whose
//! record would be too large, is *opaque*, an empty record, and every computation with it is unsupported.

use bitcode::TypeId;
use ir::{RecordId, RecordType, Type};

use crate::context::Context;
use crate::limits::{VALUE_DEPTH, VALUE_PARTS};

/// A type of the module and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct MappedType {
    pub(crate) ty: Type,
    /// How many scalars it holds; zero if it is opaque.
    pub(crate) parts: u32,
    /// How deep it nests; zero if it is a scalar.
    depth: u32,
}

impl Context<'_> {
    /// The VIR type of a type.
    pub(crate) fn ty(&mut self, id: TypeId) -> Type {
        self.mapped(id).ty
    }

    /// Whether values of the type cannot be computed with.
    pub(crate) fn is_opaque(&mut self, id: TypeId) -> bool {
        self.mapped(id).parts == 0
    }

    fn mapped(&mut self, id: TypeId) -> MappedType {
        if let Some(mapped) = &self.types[id.index()] {
            return mapped.clone();
        }
        let mapped = self.map(id);
        self.types[id.index()] = Some(mapped.clone());
        mapped
    }

    fn map(&mut self, id: TypeId) -> MappedType {
        let source = self.source;
        let word = |bits: u32| MappedType { ty: Type::Bv(bits), parts: 1, depth: 0 };
        match &source[id] {
            bitcode::Type::Integer(1) => MappedType { ty: Type::Bool, parts: 1, depth: 0 },
            bitcode::Type::Integer(bits) if (1..=Type::MAX_WIDTH).contains(bits) => word(*bits),
            bitcode::Type::Half | bitcode::Type::BFloat => word(16),
            bitcode::Type::Float => word(32),
            bitcode::Type::Double | bitcode::Type::X86Mmx => word(64),
            bitcode::Type::X86Fp80 => word(80),
            bitcode::Type::Fp128 | bitcode::Type::PpcFp128 => word(128),
            bitcode::Type::Pointer { .. } => MappedType { ty: Type::Ptr, parts: 1, depth: 0 },
            bitcode::Type::Struct(body) => {
                let name = body.name.as_deref().unwrap_or("tuple");
                self.record(name.trim_start_matches("struct."), &body.fields)
            }
            bitcode::Type::Array { count, element } => self.repeated("array", *count, *element),
            bitcode::Type::Vector { count, element, scalable: false } => {
                self.repeated("vector", *count, *element)
            }
            bitcode::Type::Void
            | bitcode::Type::X86Amx
            | bitcode::Type::Label
            | bitcode::Type::Metadata
            | bitcode::Type::Token
            | bitcode::Type::Integer(_)
            | bitcode::Type::Vector { .. }
            | bitcode::Type::Opaque { .. }
            | bitcode::Type::Function(_)
            | bitcode::Type::Target { .. } => self.opaque(),
        }
    }

    fn repeated(&mut self, name: &str, count: u64, element: TypeId) -> MappedType {
        if count > u64::from(VALUE_PARTS) {
            return self.opaque();
        }
        self.record(name, &vec![element; count as usize])
    }

    fn record(&mut self, name: &str, fields: &[TypeId]) -> MappedType {
        if fields.is_empty() || fields.len() > VALUE_PARTS as usize {
            return self.opaque();
        }
        let (mut parts, mut depth) = (0, 0);
        let mut types = Vec::new();
        for (position, field) in fields.iter().enumerate() {
            let field = self.mapped(*field);
            parts += field.parts;
            depth = depth.max(field.depth + 1);
            if field.parts == 0 || parts > VALUE_PARTS || depth > VALUE_DEPTH {
                return self.opaque();
            }
            types.push((format!("f{position}"), field.ty));
        }
        let name = self.record_names.plain(name);
        self.module.records.push(RecordType { name, fields: types });
        let id = RecordId(self.module.records.len() as u32 - 1);
        MappedType { ty: Type::Record(id), parts, depth }
    }

    fn opaque(&mut self) -> MappedType {
        let id = *self.opaque.get_or_insert_with(|| {
            let fields = vec![("unknown".to_owned(), Type::Bool)];
            let name = self.record_names.plain("opaque");
            self.module.records.push(RecordType { name, fields });
            RecordId(self.module.records.len() as u32 - 1)
        });
        MappedType { ty: Type::Record(id), parts: 0, depth: 1 }
    }
}
