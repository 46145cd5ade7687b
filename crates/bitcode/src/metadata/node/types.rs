//! The types of the source program.

use crate::id::{MetadataId, TextId};

/// `DW_TAG_typedef`
pub(crate) const TYPEDEF: u16 = 0x16;
/// `DW_TAG_const_type`
pub(crate) const CONST: u16 = 0x26;
/// `DW_TAG_volatile_type`
pub(crate) const VOLATILE: u16 = 0x35;
/// `DW_TAG_restrict_type`
pub(crate) const RESTRICT: u16 = 0x37;
/// `DW_TAG_atomic_type`
pub(crate) const ATOMIC: u16 = 0x47;

/// A type with a name and an encoding, such as `int`.
#[derive(Debug, Clone, PartialEq)]
pub struct BasicType {
    /// `DW_TAG_base_type`, or `DW_TAG_unspecified_type`.
    pub tag: u16,
    /// The name.
    pub name: Option<TextId>,
    /// The size.
    pub size: u64,
    /// The alignment, if demanded.
    pub align: u32,
    /// `DW_ATE_signed` (5), `DW_ATE_unsigned` (7) and so on.
    pub encoding: u32,
    /// Endianness and so on.
    pub flags: u32,
}

/// A type made from another: pointer, typedef, qualifier; or a member, with its offset.
#[derive(Debug, Clone, PartialEq)]
pub struct DerivedType {
    /// The kind of derived type.
    pub tag: u16,
    /// The name.
    pub name: Option<TextId>,
    /// The file.
    pub file: Option<MetadataId>,
    /// The line.
    pub line: u32,
    /// The scope: a member's structure.
    pub scope: Option<MetadataId>,
    /// The type it is made from; none for `void`.
    pub base: Option<MetadataId>,
    /// The size; of a bit-field, its width.
    pub size: u64,
    /// The alignment, if demanded.
    pub align: u32,
    /// A member's offset in its structure.
    pub offset: u64,
    /// Whether it is a bit-field ([`DerivedType::is_bit_field`]) and so on.
    pub flags: u32,
    /// A bit-field's storage offset.
    pub extra: Option<MetadataId>,
    /// DWARF's address space.
    pub address_space: Option<u32>,
    /// Annotations of the source.
    pub annotations: Option<MetadataId>,
    /// Pointer authentication, as stored.
    pub pointer_authentication: Option<u64>,
    /// Whether it is not the same as a node with the same content.
    pub distinct: bool,
}

impl DerivedType {
    /// Whether this is a bit-field.
    pub fn is_bit_field(&self) -> bool {
        self.flags & 1 << 19 != 0
    }
}

/// A structure, union, array or enumeration.
#[derive(Debug, Clone, PartialEq)]
pub struct CompositeType {
    /// Whether it is not the same as a node with the same content.
    pub distinct: bool,
    /// Which of them.
    pub tag: u16,
    /// The name.
    pub name: Option<TextId>,
    /// The file.
    pub file: Option<MetadataId>,
    /// The line.
    pub line: u32,
    /// The scope.
    pub scope: Option<MetadataId>,
    /// An array's element type, an enumeration's integer type.
    pub base: Option<MetadataId>,
    /// The size.
    pub size: u64,
    /// The alignment, if demanded.
    pub align: u32,
    /// The offset.
    pub offset: u64,
    /// Whether it is a declaration only, a vector and so on.
    pub flags: u32,
    /// Members, subranges or enumerators.
    pub elements: Option<MetadataId>,
    /// For Objective-C.
    pub runtime_language: u32,
    /// For C++.
    pub vtable_holder: Option<MetadataId>,
    /// For C++.
    pub template_parameters: Option<MetadataId>,
    /// A name unique in the program.
    pub identifier: Option<TextId>,
    /// For variants.
    pub discriminator: Option<MetadataId>,
    /// For Fortran: data location, associated, allocated, rank.
    pub dynamic: [Option<MetadataId>; 4],
    /// Annotations of the source.
    pub annotations: Option<MetadataId>,
}

/// The type of a function.
#[derive(Debug, Clone, PartialEq)]
pub struct SubroutineType {
    /// Whether it is prototyped and so on.
    pub flags: u32,
    /// The result's type (none for `void`), then the parameters'; a final none means variadic.
    pub types: Option<MetadataId>,
    /// DWARF's calling convention.
    pub convention: u32,
}

/// The bounds of one dimension of an array; each is a constant, a variable or an expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Subrange {
    /// How many elements.
    pub count: Option<MetadataId>,
    /// The lowest index.
    pub lower: Option<MetadataId>,
    /// The highest index.
    pub upper: Option<MetadataId>,
    /// The distance between elements.
    pub stride: Option<MetadataId>,
}

/// A constant of an enumeration.
#[derive(Debug, Clone, PartialEq)]
pub struct Enumerator {
    /// The name.
    pub name: Option<TextId>,
    /// The value, of those wider than 64 bits the lowest 64.
    pub value: i64,
    /// Whether the value is unsigned.
    pub unsigned: bool,
}
