//! Files, scopes, functions, variables and macros of the source program.

use crate::id::{MetadataId, TextId};

/// A source file.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    /// Its name, relative to `directory` unless absolute.
    pub name: Option<TextId>,
    /// The directory.
    pub directory: Option<TextId>,
    /// The kind of checksum (1 MD5, 2 SHA1, 3 SHA256) and the checksum.
    pub checksum: Option<(u8, TextId)>,
    /// The content.
    pub source: Option<TextId>,
}

/// The translation unit.
#[derive(Debug, Clone, PartialEq)]
pub struct CompileUnit {
    /// DWARF's number of the source language.
    pub language: u32,
    /// The main file.
    pub file: Option<MetadataId>,
    /// The compiler.
    pub producer: Option<TextId>,
    /// Whether the code was optimised.
    pub optimized: bool,
    /// The command line, if recorded.
    pub flags: Option<TextId>,
    /// For Objective-C.
    pub runtime_version: u32,
    /// The file with the rest of the debug information.
    pub split_name: Option<TextId>,
    /// How much is recorded: 1 all, 2 lines only, 3 directives only.
    pub emission_kind: u32,
    /// Enumerations.
    pub enums: Option<MetadataId>,
    /// Types kept though unused.
    pub retained_types: Option<MetadataId>,
    /// Global variables.
    pub globals: Option<MetadataId>,
    /// Imported declarations.
    pub imports: Option<MetadataId>,
    /// Macros, with `-fdebug-macro`.
    pub macros: Option<MetadataId>,
    /// The split unit's number.
    pub dwo_id: u64,
    /// Whether inlining is recorded in the skeleton unit.
    pub split_inlining: bool,
    /// Whether it is for profiling.
    pub for_profiling: bool,
    /// Which name table is made.
    pub name_table: u32,
    /// Whether ranges use a base address.
    pub ranges_base_address: bool,
    /// The system root.
    pub sysroot: Option<TextId>,
    /// The software development kit.
    pub sdk: Option<TextId>,
}

/// A function of the source.
#[derive(Debug, Clone, PartialEq)]
pub struct Subprogram {
    /// Whether it is a definition.
    pub distinct: bool,
    /// Where it is declared.
    pub scope: Option<MetadataId>,
    /// Its name in the source.
    pub name: Option<TextId>,
    /// The symbol's name, if different.
    pub linkage_name: Option<TextId>,
    /// The file.
    pub file: Option<MetadataId>,
    /// The line of its name.
    pub line: u32,
    /// Its type.
    pub ty: Option<MetadataId>,
    /// The line where its body begins.
    pub scope_line: u32,
    /// The class, for a method.
    pub containing_type: Option<MetadataId>,
    /// Whether it is local, a definition, optimised and so on.
    pub subprogram_flags: u32,
    /// The slot, for a method.
    pub virtual_index: u32,
    /// Whether it is artificial, prototyped, does not return and so on.
    pub flags: u32,
    /// The translation unit.
    pub unit: Option<MetadataId>,
    /// For C++.
    pub template_parameters: Option<MetadataId>,
    /// The declaration, if this is a definition apart.
    pub declaration: Option<MetadataId>,
    /// Variables and labels kept though optimised away.
    pub retained_nodes: Option<MetadataId>,
    /// For C++.
    pub this_adjustment: i32,
    /// Exceptions.
    pub thrown_types: Option<MetadataId>,
    /// Annotations of the source.
    pub annotations: Option<MetadataId>,
    /// For trampolines.
    pub target: Option<TextId>,
}

/// A block of the source.
#[derive(Debug, Clone, PartialEq)]
pub struct LexicalBlock {
    /// Whether it is not the same as a node with the same content.
    pub distinct: bool,
    /// The scope around it.
    pub scope: Option<MetadataId>,
    /// The file.
    pub file: Option<MetadataId>,
    /// Line and column; none for a change of file within a scope.
    pub position: Option<(u32, u32)>,
    /// The discriminator, for a change of file.
    pub discriminator: u32,
}

/// A variable or parameter of a function.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalVariable {
    /// The scope.
    pub scope: Option<MetadataId>,
    /// The name.
    pub name: Option<TextId>,
    /// The file.
    pub file: Option<MetadataId>,
    /// The line.
    pub line: u32,
    /// The type.
    pub ty: Option<MetadataId>,
    /// The parameter's number, from 1; 0 for a variable.
    pub argument: u32,
    /// Whether it is artificial and so on.
    pub flags: u32,
    /// The alignment, if demanded.
    pub align: u32,
    /// Annotations of the source.
    pub annotations: Option<MetadataId>,
}

/// A variable at file level, or a static one of a function.
#[derive(Debug, Clone, PartialEq)]
pub struct GlobalVariable {
    /// Whether it is a definition.
    pub distinct: bool,
    /// The scope.
    pub scope: Option<MetadataId>,
    /// The name.
    pub name: Option<TextId>,
    /// The symbol's name, if different.
    pub linkage_name: Option<TextId>,
    /// The file.
    pub file: Option<MetadataId>,
    /// The line.
    pub line: u32,
    /// The type.
    pub ty: Option<MetadataId>,
    /// Whether it is `static`.
    pub local: bool,
    /// Whether it is defined here.
    pub definition: bool,
    /// For C++.
    pub declaration: Option<MetadataId>,
    /// For C++.
    pub template_parameters: Option<MetadataId>,
    /// The alignment, if demanded.
    pub align: u32,
    /// Annotations of the source.
    pub annotations: Option<MetadataId>,
}

/// A label.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// The scope.
    pub scope: Option<MetadataId>,
    /// The name.
    pub name: Option<TextId>,
    /// The file.
    pub file: Option<MetadataId>,
    /// The line.
    pub line: u32,
}

/// A macro definition.
#[derive(Debug, Clone, PartialEq)]
pub struct Macro {
    /// 1 for `#define`, 2 for `#undef`.
    pub kind: u32,
    /// The line; 0 for the command line.
    pub line: u32,
    /// The name, with its parameters.
    pub name: Option<TextId>,
    /// The replacement.
    pub value: Option<TextId>,
}

/// The macros of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct MacroFile {
    /// 3: the start of a file.
    pub kind: u32,
    /// The line of the inclusion.
    pub line: u32,
    /// The file.
    pub file: Option<MetadataId>,
    /// The macros and files in it.
    pub elements: Option<MetadataId>,
}

/// A declaration imported into a scope.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedEntity {
    /// The kind of import.
    pub tag: u16,
    /// Where to.
    pub scope: Option<MetadataId>,
    /// What.
    pub entity: Option<MetadataId>,
    /// The line.
    pub line: u32,
    /// The name it gets.
    pub name: Option<TextId>,
    /// The file.
    pub file: Option<MetadataId>,
    /// The renamed entities.
    pub elements: Option<MetadataId>,
}
