//! Types.

use std::borrow::Cow;
use std::fmt;

use crate::module::Module;
use crate::text::lexer::quote;
use crate::text::parse::word_width;
use crate::types::Type;

impl Type {
    /// The type as the text form writes it.
    pub fn display<'a>(&'a self, module: &'a Module) -> impl fmt::Display + 'a {
        TypeDisplay { ty: self, module }
    }
}

struct TypeDisplay<'a> {
    ty: &'a Type,
    module: &'a Module,
}

impl fmt::Display for TypeDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let module = self.module;
        match self.ty {
            Type::Bool => f.write_str("bool"),
            Type::Bv(width) => write!(f, "bv{width}"),
            Type::Int => f.write_str("int"),
            Type::Ptr => f.write_str("ptr"),
            Type::Bytes => f.write_str("bytes"),
            Type::Sort(id) => match module.sorts.get(id.0 as usize) {
                Some(name) => f.write_str(&type_name(name)),
                None => write!(f, "`sort {}`", id.0),
            },
            Type::Record(id) => match module.records.get(id.0 as usize) {
                Some(record) => f.write_str(&type_name(&record.name)),
                None => write!(f, "`record {}`", id.0),
            },
            Type::Variant(id) => match module.variants.get(id.0 as usize) {
                Some(variant) => f.write_str(&type_name(&variant.name)),
                None => write!(f, "`variant {}`", id.0),
            },
            Type::Seq(element) => write!(f, "seq<{}>", element.display(module)),
            Type::Map(keys, value) => {
                f.write_str("[")?;
                for (index, key) in keys.iter().enumerate() {
                    let comma = if index > 0 { ", " } else { "" };
                    write!(f, "{comma}{}", key.display(module))?;
                }
                write!(f, "]{}", value.display(module))
            }
        }
    }
}

/// The name of a declared type, which is in backticks if it would mean another type.
pub(super) fn type_name(name: &str) -> Cow<'_, str> {
    if matches!(name, "bool" | "int" | "ptr" | "bytes") || word_width(name).is_some() {
        Cow::Owned(quote(name, '`'))
    } else {
        super::name(name)
    }
}
