//! Types, as values have them. Pointers are opaque: what they point to is not part of their type.

use crate::id::TypeId;

/// A type of LLVM's intermediate representation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// No value.
    Void,
    /// IEEE 16-bit float.
    Half,
    /// "Brain" 16-bit float.
    BFloat,
    /// IEEE 32-bit float.
    Float,
    /// IEEE 64-bit float.
    Double,
    /// The 80-bit float of the x87.
    X86Fp80,
    /// IEEE 128-bit float.
    Fp128,
    /// Two doubles, as on PowerPC.
    PpcFp128,
    /// An MMX register.
    X86Mmx,
    /// An AMX tile.
    X86Amx,
    /// The address of a basic block, as an operand.
    Label,
    /// Metadata, as an operand.
    Metadata,
    /// The link between exception-handling pads.
    Token,
    /// An integer of this width.
    Integer(u32),
    /// A pointer into the given address space.
    Pointer {
        /// The address space; 0 for ordinary C.
        space: u32,
    },
    /// So many elements in a row.
    Array {
        /// How many.
        count: u64,
        /// Of what.
        element: TypeId,
    },
    /// A SIMD vector.
    Vector {
        /// How many elements, or the least number if scalable.
        count: u64,
        /// Of what.
        element: TypeId,
        /// Whether the machine decides a multiple of `count`.
        scalable: bool,
    },
    /// A structure with a body.
    Struct(StructType),
    /// A named structure whose body is not known.
    Opaque {
        /// The name, such as `struct.file`.
        name: Box<str>,
    },
    /// A function's type.
    Function(FunctionType),
    /// A type that only a target understands.
    Target {
        /// The name, such as `spirv.Image`.
        name: Box<str>,
        /// Its type parameters.
        types: Box<[TypeId]>,
        /// Its integer parameters.
        integers: Box<[u32]>,
    },
}

/// The type of a structure.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StructType {
    /// The name, such as `struct.node`; literal structures have none.
    pub name: Option<Box<str>>,
    /// Whether fields follow each other without padding.
    pub packed: bool,
    /// The fields.
    pub fields: Box<[TypeId]>,
}

/// The type of a function.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FunctionType {
    /// The return type.
    pub result: TypeId,
    /// The parameter types.
    pub parameters: Box<[TypeId]>,
    /// Whether more arguments may follow.
    pub variadic: bool,
}

impl Type {
    /// Whether this is a floating-point type.
    pub fn is_float(&self) -> bool {
        match self {
            Type::Half
            | Type::BFloat
            | Type::Float
            | Type::Double
            | Type::X86Fp80
            | Type::Fp128
            | Type::PpcFp128 => true,
            Type::Void
            | Type::X86Mmx
            | Type::X86Amx
            | Type::Label
            | Type::Metadata
            | Type::Token
            | Type::Integer(_)
            | Type::Pointer { .. }
            | Type::Array { .. }
            | Type::Vector { .. }
            | Type::Struct(_)
            | Type::Opaque { .. }
            | Type::Function(_)
            | Type::Target { .. } => false,
        }
    }

    /// The types of which this one directly contains a value.
    pub fn contained(&self) -> &[TypeId] {
        match self {
            Type::Array { element, .. } | Type::Vector { element, .. } => {
                std::slice::from_ref(element)
            }
            Type::Struct(body) => &body.fields,
            Type::Void
            | Type::Half
            | Type::BFloat
            | Type::Float
            | Type::Double
            | Type::X86Fp80
            | Type::Fp128
            | Type::PpcFp128
            | Type::X86Mmx
            | Type::X86Amx
            | Type::Label
            | Type::Metadata
            | Type::Token
            | Type::Integer(_)
            | Type::Pointer { .. }
            | Type::Opaque { .. }
            | Type::Function(_)
            | Type::Target { .. } => &[],
        }
    }

    /// The types that this one is made from, contained or not.
    pub(crate) fn mentioned(&self) -> Vec<TypeId> {
        match self {
            Type::Function(FunctionType { result, parameters, .. }) => {
                std::iter::once(*result).chain(parameters.iter().copied()).collect()
            }
            Type::Target { types, .. } => types.to_vec(),
            _ => self.contained().to_vec(),
        }
    }

    /// The body, if this is a structure that has one.
    pub fn as_struct(&self) -> Option<&StructType> {
        if let Type::Struct(body) = self { Some(body) } else { None }
    }

    /// The signature, if this is a function's type.
    pub fn as_function(&self) -> Option<&FunctionType> {
        if let Type::Function(signature) = self { Some(signature) } else { None }
    }
}
