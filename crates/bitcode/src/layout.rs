//! Sizes, alignments and offsets on the target, from the module's data-layout string.
//!
//! The string is described in the LLVM language reference, "Data Layout". The layout of every type
//! is computed once when a module is decoded, elements before what contains them, so that looking
//! one up never recurses. Sizes in bits that do not fit 64 bits saturate.

mod parse;

use crate::id::TypeId;
use crate::module::Module;
use crate::types::{StructType, Type};

/// The order of bytes in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Endianness {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

/// How the target lays out data. Sizes and alignments are in bits as in the string, except where
/// a name says bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataLayout {
    /// The string it was read from.
    pub text: String,
    /// The order of bytes.
    pub endianness: Endianness,
    /// Address space, size, alignment and size of an index, sorted by address space; the first is
    /// address space 0.
    pub pointers: Vec<(u32, u32, u32, u32)>,
    /// Width and alignment of integers, sorted by width.
    pub integers: Vec<(u32, u32)>,
    /// Width and alignment of floating-point numbers.
    pub floats: Vec<(u32, u32)>,
    /// Width and alignment of vectors.
    pub vectors: Vec<(u32, u32)>,
    /// The least alignment of structures.
    pub aggregate_align: u32,
    /// The natural alignment of the stack; 0 if not known.
    pub stack_align: u32,
    /// The widths of integers the machine computes with.
    pub native_integers: Vec<u32>,
    /// The address space of `alloca`.
    pub alloca_space: u32,
    /// The address space of global variables.
    pub globals_space: u32,
    /// The address space of functions.
    pub program_space: u32,
}

/// Size and alignment of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypeLayout {
    /// The size in bits, without padding at the end.
    pub bits: u64,
    /// The alignment in bytes.
    pub align: u64,
}

impl TypeLayout {
    /// How many bytes a store overwrites.
    pub fn store_size(self) -> u64 {
        self.bits.div_ceil(8)
    }

    /// The distance in bytes between two such objects in an array.
    pub fn alloc_size(self) -> u64 {
        self.store_size().checked_next_multiple_of(self.align).unwrap_or(u64::MAX)
    }
}

impl DataLayout {
    /// The size in bits of a pointer into an address space.
    pub fn pointer_bits(&self, space: u32) -> u32 {
        self.pointer(space).1
    }

    fn pointer(&self, space: u32) -> (u32, u32, u32, u32) {
        let found = self.pointers.iter().find(|pointer| pointer.0 == space);
        *found.unwrap_or(&self.pointers[0])
    }

    /// The layout of one type, given that of the types it contains.
    pub(crate) fn of(&self, ty: &Type, of: impl Fn(TypeId) -> TypeLayout) -> TypeLayout {
        let bytes = |bits: u32| u64::from(bits / 8).max(1);
        let float = |bits: u32| TypeLayout {
            bits: u64::from(bits),
            align: exact(&self.floats, bits)
                .map_or(u64::from(bits.div_ceil(8)).next_power_of_two(), bytes),
        };
        match ty {
            Type::Void
            | Type::Label
            | Type::Metadata
            | Type::Token
            | Type::Opaque { .. }
            | Type::Function(_) => TypeLayout { bits: 0, align: 1 },
            Type::Half | Type::BFloat => float(16),
            Type::Float => float(32),
            Type::Double => float(64),
            Type::X86Fp80 => float(80),
            Type::Fp128 | Type::PpcFp128 => float(128),
            Type::X86Mmx => {
                TypeLayout { bits: 64, align: exact(&self.vectors, 64).map_or(8, bytes) }
            }
            Type::X86Amx => TypeLayout { bits: 8192, align: 64 },
            Type::Target { .. } => TypeLayout { bits: 0, align: 1 },
            Type::Integer(width) => {
                // The next wider integer's alignment, or the widest's.
                let wider = self.integers.iter().find(|entry| entry.0 >= *width);
                let align = wider.or(self.integers.last()).map_or(8, |entry| entry.1);
                TypeLayout { bits: u64::from(*width), align: bytes(align) }
            }
            Type::Pointer { space } => {
                let (_, size, align, _) = self.pointer(*space);
                TypeLayout { bits: u64::from(size), align: bytes(align) }
            }
            Type::Array { count, element } => {
                let element = of(*element);
                let bits = count.saturating_mul(element.alloc_size()).saturating_mul(8);
                TypeLayout { bits, align: element.align }
            }
            Type::Vector { count, element, .. } => {
                let element = of(*element);
                let bits = count.saturating_mul(element.bits);
                let listed = u32::try_from(bits).ok().and_then(|bits| exact(&self.vectors, bits));
                let natural = count.saturating_mul(element.alloc_size());
                let align =
                    listed.map_or(natural.checked_next_power_of_two().unwrap_or(1 << 32), bytes);
                TypeLayout { bits, align: align.max(1) }
            }
            Type::Struct(body) => {
                let mut end = 0u64;
                let mut align = if body.packed { 1 } else { bytes(self.aggregate_align) };
                for &field in &body.fields {
                    let field = of(field);
                    if !body.packed {
                        align = align.max(field.align);
                    }
                    end = place(end, field, body.packed).saturating_add(field.alloc_size());
                }
                let size = end.checked_next_multiple_of(align).unwrap_or(u64::MAX);
                TypeLayout { bits: size.saturating_mul(8), align }
            }
        }
    }
}

fn exact(table: &[(u32, u32)], width: u32) -> Option<u32> {
    table.iter().find(|entry| entry.0 == width).map(|entry| entry.1)
}

/// Where a field goes if the fields before it end at `end`.
fn place(end: u64, field: TypeLayout, packed: bool) -> u64 {
    if packed { end } else { end.checked_next_multiple_of(field.align).unwrap_or(u64::MAX) }
}

impl Module {
    /// Size and alignment of a type.
    pub fn layout(&self, ty: TypeId) -> TypeLayout {
        self.layouts[ty.index()]
    }

    /// The size of a type in bytes as C's `sizeof` counts it: with padding at the end.
    pub fn size_of(&self, ty: TypeId) -> u64 {
        self.layout(ty).alloc_size()
    }

    /// The alignment of a type in bytes.
    pub fn align_of(&self, ty: TypeId) -> u64 {
        self.layout(ty).align
    }

    /// The offset in bytes of each field of a structure.
    pub fn field_offsets(&self, body: &StructType) -> Vec<u64> {
        let mut end = 0u64;
        let offset = |&field: &TypeId| {
            let field = self.layout(field);
            let start = place(end, field, body.packed);
            end = start.saturating_add(field.alloc_size());
            start
        };
        body.fields.iter().map(offset).collect()
    }
}
