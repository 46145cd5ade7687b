//! Global variables, functions, aliases, indirect functions and comdats, as the module lists them.

use std::sync::Arc;

use super::{Decoder, Fields};
use crate::error::Error;
use crate::function::{Function, Parameter};
use crate::id::{AliasId, ComdatId, FunctionId, GlobalId, IfuncId, TypeId};
use crate::module::{
    Alias, Comdat, DllStorage, Global, Ifunc, Linkage, ThreadLocal, UnnamedAddress, Visibility,
};
use crate::operation::Align;
use crate::types::Type;
use crate::value::Value;

impl Decoder<'_> {
    pub(super) fn read_comdat(&mut self, fields: &mut Fields<'_>) -> Result<(), Error> {
        let name = self.symbol(fields)?;
        let selection = match fields.next()? {
            2 => "exactmatch",
            3 => "largest",
            4 => "nodeduplicate",
            5 => "samesize",
            _ => "any",
        };
        self.module.comdats.push(Comdat { name, selection });
        Ok(())
    }

    pub(super) fn read_global(&mut self, fields: &mut Fields<'_>) -> Result<(), Error> {
        let name = self.symbol(fields)?;
        let ty = self.next_type(fields)?;
        let packed = fields.next()?;
        // Bit 1 marks that the type is the variable's; without it, it would be the pointer's.
        if packed & 2 == 0 {
            return Err(fields.malformed("a global variable without an explicit type"));
        }
        let space = (packed >> 2) as u32;
        let initializer = fields.next()?;
        let linkage = decode_linkage(fields.next()?);
        let align = Align::decode(fields.next()?);
        let section = section(&self.sections, fields.next()?);
        let global = Global {
            name,
            ty,
            space,
            is_constant: packed & 1 != 0,
            initializer: None,
            linkage,
            align,
            section,
            visibility: decode_visibility(fields.or_zero()),
            thread_local: decode_thread_local(fields.or_zero()),
            unnamed_address: decode_unnamed(fields.or_zero()),
            externally_initialized: fields.or_zero() != 0,
            dll_storage: decode_dll_storage(fields.or_zero()),
            comdat: {
                let number = fields.or_zero();
                self.comdat(fields, number)?
            },
            attributes: {
                let number = fields.or_zero();
                self.attributes(fields, number)?
            },
            dso_local: fields.or_zero() != 0,
            metadata: Vec::new(),
        };
        let id = GlobalId(self.module.globals.len() as u32);
        if initializer != 0 {
            self.initializers.push((id, initializer - 1));
        }
        self.define(Value::Global(id), space);
        self.module.globals.push(global);
        Ok(())
    }

    pub(super) fn read_function_declaration(
        &mut self,
        fields: &mut Fields<'_>,
    ) -> Result<(), Error> {
        let name = self.symbol(fields)?;
        let ty = self.next_type(fields)?;
        let Some(signature) = self.module[ty].as_function() else {
            return Err(fields.malformed("a function whose type is not a function type"));
        };
        let left = self.parameters_left.checked_sub(signature.parameters.len());
        self.parameters_left =
            left.ok_or(fields.malformed("functions with too many parameters"))?;
        let parameters =
            signature.parameters.iter().map(|&ty| Parameter { ty, name: None }).collect();
        let mut function = Function {
            name,
            ty,
            parameters,
            convention: fields.u32()?,
            is_declaration: fields.bool()?,
            linkage: decode_linkage(fields.next()?),
            attributes: {
                let number = fields.next()?;
                self.attributes(fields, number)?
            },
            align: Align::decode(fields.next()?),
            section: section(&self.sections, fields.next()?),
            visibility: decode_visibility(fields.next()?),
            collector: section(&self.collectors, fields.or_zero()),
            unnamed_address: decode_unnamed(fields.or_zero()),
            space: 0,
            dll_storage: DllStorage::Default,
            dso_local: false,
            comdat: None,
            prefix: None,
            prologue: None,
            personality: None,
            blocks: Vec::new(),
            instructions: Vec::new(),
            metadata: Vec::new(),
            debug_records: Vec::new(),
            attachments: Vec::new(),
        };
        let prologue = fields.or_zero();
        function.dll_storage = decode_dll_storage(fields.or_zero());
        let comdat = fields.or_zero();
        function.comdat = self.comdat(fields, comdat)?;
        let (prefix, personality) = (fields.or_zero(), fields.or_zero());
        function.dso_local = fields.or_zero() != 0;
        function.space = fields.or_zero() as u32;

        let id = FunctionId(self.module.functions.len() as u32);
        if !function.is_declaration {
            self.bodies.push_back(id);
        }
        if prologue != 0 || prefix != 0 || personality != 0 {
            self.function_constants.push((id, [prologue, prefix, personality]));
        }
        self.define(Value::Function(id), function.space);
        self.module.functions.push(function);
        Ok(())
    }

    pub(super) fn read_alias(&mut self, fields: &mut Fields<'_>) -> Result<(), Error> {
        let name = self.symbol(fields)?;
        let ty = self.next_type(fields)?;
        let space = fields.u32()?;
        let aliasee = pending(fields)?;
        let alias = Alias {
            name,
            ty,
            space,
            aliasee,
            linkage: decode_linkage(fields.next()?),
            visibility: decode_visibility(fields.or_zero()),
            dll_storage: decode_dll_storage(fields.or_zero()),
            thread_local: decode_thread_local(fields.or_zero()),
            unnamed_address: decode_unnamed(fields.or_zero()),
            dso_local: fields.or_zero() != 0,
        };
        self.define(Value::Alias(AliasId(self.module.aliases.len() as u32)), space);
        self.module.aliases.push(alias);
        Ok(())
    }

    pub(super) fn read_ifunc(&mut self, fields: &mut Fields<'_>) -> Result<(), Error> {
        let name = self.symbol(fields)?;
        let ty = self.next_type(fields)?;
        let space = fields.u32()?;
        let resolver = pending(fields)?;
        let ifunc = Ifunc {
            name,
            ty,
            space,
            resolver,
            linkage: decode_linkage(fields.next()?),
            visibility: decode_visibility(fields.or_zero()),
            dso_local: fields.or_zero() != 0,
        };
        self.define(Value::Ifunc(IfuncId(self.module.ifuncs.len() as u32)), space);
        self.module.ifuncs.push(ifunc);
        Ok(())
    }

    /// Put the values that globals refer to in place of their numbers, now that all are known.
    pub(super) fn resolve_globals(&mut self) -> Result<(), Error> {
        let values = &self.values;
        let look_up = |number: u64| -> Result<Value, Error> {
            let found = usize::try_from(number).ok().and_then(|number| values.get(number)).copied();
            match found {
                Some(Value::InlineAsm(_)) | None => Err(Error::Malformed {
                    byte: 0,
                    what: "a global refers to a constant that does not exist",
                }),
                Some(value) => Ok(value),
            }
        };
        for &(global, number) in &self.initializers {
            self.module.globals[global.index()].initializer = Some(look_up(number)?);
        }
        for &(function, numbers) in &self.function_constants {
            let [prologue, prefix, personality] =
                numbers.map(|number| number.checked_sub(1).map(look_up).transpose());
            let function = &mut self.module.functions[function.index()];
            function.prologue = prologue?;
            function.prefix = prefix?;
            function.personality = personality?;
        }
        for alias in &mut self.module.aliases {
            alias.aliasee = look_up(pending_number(alias.aliasee))?;
        }
        for ifunc in &mut self.module.ifuncs {
            ifunc.resolver = look_up(pending_number(ifunc.resolver))?;
        }
        Ok(())
    }

    fn define(&mut self, value: Value, space: u32) {
        let ty = self.pointer(space);
        self.values.push(value);
        self.value_types.push(ty);
    }

    /// A name in the string table.
    fn symbol(&mut self, fields: &mut Fields<'_>) -> Result<Box<str>, Error> {
        let (offset, size) = (fields.next()?, fields.next()?);
        let bytes = offset.checked_add(size).and_then(|end| {
            self.strings.get(usize::try_from(offset).ok()?..usize::try_from(end).ok()?)
        });
        let bytes = bytes.ok_or(fields.malformed("a name outside the string table"))?;
        let left = self.name_bytes_left.checked_sub(bytes.len());
        self.name_bytes_left = left.ok_or(fields.malformed("names that overlap"))?;
        Ok(String::from_utf8_lossy(bytes).into())
    }

    fn next_type(&self, fields: &mut Fields<'_>) -> Result<TypeId, Error> {
        let number = fields.next()?;
        let ty = self.ty(fields, number)?;
        match self.module[ty] {
            Type::Void | Type::Label | Type::Metadata => {
                Err(fields.malformed("a global of an impossible type"))
            }
            _ => Ok(ty),
        }
    }

    fn comdat(&self, fields: &Fields<'_>, number: u64) -> Result<Option<ComdatId>, Error> {
        match number.checked_sub(1) {
            None => Ok(None),
            Some(index) if index < self.module.comdats.len() as u64 => {
                Ok(Some(ComdatId(index as u32)))
            }
            Some(_) => Err(fields.malformed("a reference to a comdat that does not exist")),
        }
    }
}

/// A value by its number, which [`Decoder::resolve_globals`] replaces.
fn pending(fields: &mut Fields<'_>) -> Result<Value, Error> {
    Ok(Value::Argument(fields.u32()?))
}

fn pending_number(value: Value) -> u64 {
    if let Value::Argument(number) = value { u64::from(number) } else { u64::MAX }
}

/// The section or collector with that number, counted from 1.
fn section(names: &[Arc<str>], number: u64) -> Option<Arc<str>> {
    names.get(usize::try_from(number).ok()?.checked_sub(1)?).cloned()
}

fn decode_linkage(code: u64) -> Linkage {
    match code {
        1 | 16 => Linkage::WeakAny,
        2 => Linkage::Appending,
        3 => Linkage::Internal,
        4 | 18 => Linkage::LinkOnceAny,
        7 => Linkage::ExternWeak,
        8 => Linkage::Common,
        9 | 13 | 14 => Linkage::Private,
        10 | 17 => Linkage::WeakOdr,
        11 | 15 | 19 => Linkage::LinkOnceOdr,
        12 => Linkage::AvailableExternally,
        _ => Linkage::External,
    }
}

fn decode_visibility(code: u64) -> Visibility {
    match code {
        1 => Visibility::Hidden,
        2 => Visibility::Protected,
        _ => Visibility::Default,
    }
}

fn decode_thread_local(code: u64) -> ThreadLocal {
    match code {
        0 => ThreadLocal::No,
        2 => ThreadLocal::LocalDynamic,
        3 => ThreadLocal::InitialExec,
        4 => ThreadLocal::LocalExec,
        _ => ThreadLocal::GeneralDynamic,
    }
}

fn decode_unnamed(code: u64) -> UnnamedAddress {
    match code {
        1 => UnnamedAddress::Unnamed,
        2 => UnnamedAddress::LocallyUnnamed,
        _ => UnnamedAddress::Named,
    }
}

fn decode_dll_storage(code: u64) -> DllStorage {
    match code {
        1 => DllStorage::Import,
        2 => DllStorage::Export,
        _ => DllStorage::Default,
    }
}
