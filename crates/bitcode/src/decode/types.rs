//! The table of types, and finding types by content.
// Typed pointers are obsolete, but files of clang 14 are full of them and reading them is one line.
#![allow(deprecated)]

use llvm_bitcode::schema::blocks::TypeCode;

use super::{Decoder, Fields};
use crate::bitstream::{Block, Record};
use crate::container::text;
use crate::error::Error;
use crate::id::TypeId;
use crate::types::{FunctionType, StructType, Type};

impl<'a> Decoder<'a> {
    pub(super) fn read_types(
        &mut self,
        mut block: Block<'a>,
        record: &mut Record<'a>,
    ) -> Result<(), Error> {
        let mut name: Box<str> = Box::default();
        while self.next_record(&mut block, record)? {
            let mut fields = Fields::new(record);
            let code =
                u8::try_from(record.code).ok().and_then(|code| TypeCode::try_from(code).ok());
            let ty = match code {
                Some(TypeCode::NumEntry) => continue,
                Some(TypeCode::StructName) => {
                    name = text(fields.rest()).into();
                    continue;
                }
                Some(code) => match read_type(code, &mut fields, &mut name)? {
                    Some(ty) => ty,
                    None => return Err(fields.unsupported("type", record.code)),
                },
                None => return Err(fields.unsupported("type", record.code)),
            };
            self.module.types.push(ty);
        }
        self.check_type_references(&block)?;
        self.void = self.intern(Type::Void);
        Ok(())
    }

    fn check_type_references(&self, block: &Block<'_>) -> Result<(), Error> {
        let count = self.module.types.len();
        if self.module.types.iter().all(|ty| ty.mentioned().iter().all(|id| id.index() < count)) {
            Ok(())
        } else {
            Err(Error::Malformed {
                byte: block.byte(),
                what: "a type refers to a type that does not exist",
            })
        }
    }

    /// The type with that number in the file.
    pub(super) fn ty(&self, fields: &Fields<'_>, number: u64) -> Result<TypeId, Error> {
        if number < self.module.types.len() as u64 {
            Ok(TypeId(number as u32))
        } else {
            Err(fields.malformed("a reference to a type that does not exist"))
        }
    }

    /// The type with that content, added to the table if the file has none.
    pub(super) fn intern(&mut self, ty: Type) -> TypeId {
        if self.interned.is_empty() {
            for (index, ty) in (0..).zip(&self.module.types) {
                self.interned.entry(ty.clone()).or_insert(TypeId(index));
            }
        }
        let next = TypeId(self.module.types.len() as u32);
        let id = *self.interned.entry(ty.clone()).or_insert(next);
        if id == next {
            self.module.types.push(ty);
        }
        id
    }

    /// The type of pointers into an address space.
    pub(super) fn pointer(&mut self, space: u32) -> TypeId {
        if let Some(id) = self.module.pointer_type(space) {
            return id;
        }
        let id = self.intern(Type::Pointer { space });
        self.module.pointer_types.push((space, id));
        id
    }

    /// `scalar`, or a vector of it as long as `like` if that is a vector.
    pub(super) fn shaped(&mut self, scalar: Type, like: TypeId) -> TypeId {
        let scalar = self.intern(scalar);
        match self.module[like] {
            Type::Vector { count, scalable, .. } => {
                self.intern(Type::Vector { count, element: scalar, scalable })
            }
            _ => scalar,
        }
    }

    /// Whether a type is a floating-point type or a vector of one.
    pub(super) fn is_float(&self, ty: TypeId) -> bool {
        match &self.module[ty] {
            Type::Vector { element, .. } => self.module[*element].is_float(),
            ty => ty.is_float(),
        }
    }
}

/// One type; `None` for records that no supported compiler writes.
fn read_type(
    code: TypeCode,
    fields: &mut Fields<'_>,
    name: &mut Box<str>,
) -> Result<Option<Type>, Error> {
    // Whether the numbers exist is checked when the table is complete: they may point forward.
    let id = |number: u64| TypeId(u32::try_from(number).unwrap_or(u32::MAX));
    let ids = |numbers: &[u64]| numbers.iter().map(|&number| id(number)).collect::<Box<[TypeId]>>();
    Ok(Some(match code {
        TypeCode::Void => Type::Void,
        TypeCode::Half => Type::Half,
        TypeCode::BFloat => Type::BFloat,
        TypeCode::Float => Type::Float,
        TypeCode::Double => Type::Double,
        TypeCode::X86Fp80 => Type::X86Fp80,
        TypeCode::Fp128 => Type::Fp128,
        TypeCode::PpcFp128 => Type::PpcFp128,
        TypeCode::X86Mmx => Type::X86Mmx,
        TypeCode::X86Amx => Type::X86Amx,
        TypeCode::Label => Type::Label,
        TypeCode::Metadata => Type::Metadata,
        TypeCode::Token => Type::Token,
        TypeCode::Integer => match fields.next()? {
            // The bounds of LLVM's own reader.
            width @ 1..=0x80_0000 => Type::Integer(width as u32),
            _ => return Err(fields.malformed("an integer type of impossible width")),
        },
        TypeCode::OpaquePointer => Type::Pointer { space: fields.u32()? },
        TypeCode::Pointer => {
            let _pointee = fields.next()?;
            Type::Pointer { space: fields.or_zero() as u32 }
        }
        TypeCode::Array => Type::Array { count: fields.next()?, element: id(fields.next()?) },
        TypeCode::Vector => Type::Vector {
            count: fields.next()?,
            element: id(fields.next()?),
            scalable: fields.or_zero() != 0,
        },
        TypeCode::Opaque => Type::Opaque { name: std::mem::take(name) },
        TypeCode::StructAnon => Type::Struct(StructType {
            name: None,
            packed: fields.bool()?,
            fields: ids(fields.rest()),
        }),
        TypeCode::StructNamed => Type::Struct(StructType {
            name: Some(std::mem::take(name)),
            packed: fields.bool()?,
            fields: ids(fields.rest()),
        }),
        TypeCode::Function => Type::Function(FunctionType {
            variadic: fields.bool()?,
            result: id(fields.next()?),
            parameters: ids(fields.rest()),
        }),
        TypeCode::TargetType => {
            let count = fields.next()?;
            Type::Target {
                name: std::mem::take(name),
                types: ids(fields.take(count)?),
                integers: fields.rest().iter().map(|&value| value as u32).collect(),
            }
        }
        _ => return Ok(None),
    }))
}
