//! The names of DWARF's numbers and of LLVM's debug-information flags.

/// The name of a tag after `DW_TAG_`.
pub(crate) fn tag_name(tag: u16) -> Option<&'static str> {
    Some(match tag {
        0x01 => "array_type",
        0x02 => "class_type",
        0x04 => "enumeration_type",
        0x05 => "formal_parameter",
        0x08 => "imported_declaration",
        0x0d => "member",
        0x0f => "pointer_type",
        0x10 => "reference_type",
        0x13 => "structure_type",
        0x15 => "subroutine_type",
        0x16 => "typedef",
        0x17 => "union_type",
        0x1c => "inheritance",
        0x1f => "ptr_to_member_type",
        0x20 => "set_type",
        0x24 => "base_type",
        0x26 => "const_type",
        0x2a => "friend",
        0x33 => "variant_part",
        0x34 => "variable",
        0x35 => "volatile_type",
        0x37 => "restrict_type",
        0x3a => "imported_module",
        0x3b => "unspecified_type",
        0x42 => "rvalue_reference_type",
        0x43 => "template_alias",
        0x47 => "atomic_type",
        0x4b => "immutable_type",
        _ => return None,
    })
}

/// The name of a base type's encoding after `DW_ATE_`.
pub(crate) fn encoding_name(encoding: u32) -> Option<&'static str> {
    const NAMES: [&str; 18] = [
        "address",
        "boolean",
        "complex_float",
        "float",
        "signed",
        "signed_char",
        "unsigned",
        "unsigned_char",
        "imaginary_float",
        "packed_decimal",
        "numeric_string",
        "edited",
        "signed_fixed",
        "unsigned_fixed",
        "decimal_float",
        "UTF",
        "UCS",
        "ASCII",
    ];
    NAMES.get((encoding as usize).checked_sub(1)?).copied()
}

/// The name of a source language after `DW_LANG_`.
pub(crate) fn language_name(language: u32) -> Option<&'static str> {
    Some(match language {
        0x01 => "C89",
        0x02 => "C",
        0x04 => "C_plus_plus",
        0x0c => "C99",
        0x10 => "ObjC",
        0x11 => "ObjC_plus_plus",
        0x1a => "C_plus_plus_11",
        0x1c => "Rust",
        0x1d => "C11",
        0x1e => "Swift",
        0x21 => "C_plus_plus_14",
        0x2a => "C_plus_plus_17",
        0x2b => "C_plus_plus_20",
        0x2c => "C17",
        _ => return None,
    })
}

/// The set flags by name, and the bits that have none.
pub(crate) fn flag_names(flags: u32) -> (Vec<&'static str>, u32) {
    let access = [None, Some("DIFlagPrivate"), Some("DIFlagProtected"), Some("DIFlagPublic")];
    let inheritance = [
        None,
        Some("DIFlagSingleInheritance"),
        Some("DIFlagMultipleInheritance"),
        Some("DIFlagVirtualInheritance"),
    ];
    let (first, later) = ((flags & 3) as usize, (flags >> 16 & 3) as usize);
    let mut names: Vec<_> = access[first].into_iter().chain(inheritance[later]).collect();
    let rest = set_bits(
        flags & !3 & !(3 << 16),
        &[
            (2, "DIFlagFwdDecl"),
            (3, "DIFlagAppleBlock"),
            (4, "DIFlagReservedBit4"),
            (5, "DIFlagVirtual"),
            (6, "DIFlagArtificial"),
            (7, "DIFlagExplicit"),
            (8, "DIFlagPrototyped"),
            (9, "DIFlagObjcClassComplete"),
            (10, "DIFlagObjectPointer"),
            (11, "DIFlagVector"),
            (12, "DIFlagStaticMember"),
            (13, "DIFlagLValueReference"),
            (14, "DIFlagRValueReference"),
            (15, "DIFlagExportSymbols"),
            (18, "DIFlagIntroducedVirtual"),
            (19, "DIFlagBitField"),
            (20, "DIFlagNoReturn"),
            (22, "DIFlagTypePassByValue"),
            (23, "DIFlagTypePassByReference"),
            (24, "DIFlagEnumClass"),
            (25, "DIFlagThunk"),
            (26, "DIFlagNonTrivial"),
            (27, "DIFlagBigEndian"),
            (28, "DIFlagLittleEndian"),
            (29, "DIFlagAllCallsDescribed"),
        ],
        &mut names,
    );
    (names, rest)
}

/// The set flags of a subprogram by name, and the bits that have none.
pub(crate) fn subprogram_flag_names(flags: u32) -> (Vec<&'static str>, u32) {
    let virtuality = [None, Some("DISPFlagVirtual"), Some("DISPFlagPureVirtual"), None];
    let mut names: Vec<_> = virtuality[(flags & 3) as usize].into_iter().collect();
    let rest = set_bits(
        flags & !3,
        &[
            (2, "DISPFlagLocalToUnit"),
            (3, "DISPFlagDefinition"),
            (4, "DISPFlagOptimized"),
            (5, "DISPFlagPure"),
            (6, "DISPFlagElemental"),
            (7, "DISPFlagRecursive"),
            (8, "DISPFlagMainSubprogram"),
            (9, "DISPFlagDeleted"),
            (11, "DISPFlagObjCDirect"),
        ],
        &mut names,
    );
    (names, rest)
}

fn set_bits(mut flags: u32, table: &[(u32, &'static str)], names: &mut Vec<&'static str>) -> u32 {
    for &(bit, name) in table {
        if flags >> bit & 1 == 1 {
            names.push(name);
            flags &= !(1 << bit);
        }
    }
    flags
}

/// The name of an operation of an expression after `DW_OP_`, and how many operands follow it.
pub(crate) fn expression_operation(code: u64) -> Option<(&'static str, usize)> {
    Some(match code {
        0x06 => ("deref", 0),
        0x10 => ("constu", 1),
        0x11 => ("consts", 1),
        0x12 => ("dup", 0),
        0x14 => ("over", 0),
        0x16 => ("swap", 0),
        0x18 => ("xderef", 0),
        0x1a => ("and", 0),
        0x1b => ("div", 0),
        0x1c => ("minus", 0),
        0x1d => ("mod", 0),
        0x1e => ("mul", 0),
        0x20 => ("not", 0),
        0x21 => ("or", 0),
        0x22 => ("plus", 0),
        0x23 => ("plus_uconst", 1),
        0x24 => ("shl", 0),
        0x25 => ("shr", 0),
        0x26 => ("shra", 0),
        0x27 => ("xor", 0),
        0x9f => ("stack_value", 0),
        0x1000 => ("LLVM_fragment", 2),
        0x1001 => ("LLVM_convert", 2),
        0x1002 => ("LLVM_tag_offset", 1),
        0x1003 => ("LLVM_entry_value", 1),
        0x1004 => ("LLVM_implicit_pointer", 0),
        0x1005 => ("LLVM_arg", 1),
        _ => return None,
    })
}
