//! Global variables, aliases and the words before a symbol.

use super::Printer;
use super::literals::escaped;
use crate::id::{ComdatId, GlobalId, MetadataId, MetadataKindId};
use crate::module::{
    Alias, DllStorage, Global, Ifunc, Linkage, ThreadLocal, UnnamedAddress, Visibility,
};
use crate::value::Value;

impl Printer<'_> {
    pub(super) fn global(&mut self, index: usize, global: &Global) {
        self.value(Value::Global(GlobalId(index as u32)), None);
        self.push(" = ");
        if global.initializer.is_none() && global.linkage == Linkage::External {
            self.push("external ");
        }
        self.linkage(global.linkage, global.visibility, global.dso_local);
        self.dll_storage(global.dll_storage);
        self.thread_local(global.thread_local);
        self.unnamed_address(global.unnamed_address);
        if global.space != 0 {
            self.display(format_args!("addrspace({}) ", global.space));
        }
        self.push(if global.externally_initialized { "externally_initialized " } else { "" });
        self.push(if global.is_constant { "constant " } else { "global " });
        self.ty(global.ty);
        if let Some(value) = global.initializer {
            self.push(" ");
            self.value(value, None);
        }
        if let Some(section) = &global.section {
            self.display(format_args!(", section \"{}\"", escaped(section.as_bytes())));
        }
        if let Some(comdat) = global.comdat {
            self.push(",");
            self.comdat(comdat, &global.name);
        }
        if let Some(align) = global.align {
            self.display(format_args!(", align {}", align.bytes()));
        }
        self.attached(", ", &global.metadata);
        if let Some(group) = global.attributes.and_then(|list| self.module[list].function) {
            self.display(format_args!(" #{group}"));
        }
        self.push("\n");
    }

    pub(super) fn alias(&mut self, alias: &Alias) {
        self.push("@");
        self.name(&alias.name);
        self.push(" = ");
        self.linkage(alias.linkage, alias.visibility, alias.dso_local);
        self.dll_storage(alias.dll_storage);
        self.thread_local(alias.thread_local);
        self.unnamed_address(alias.unnamed_address);
        self.push("alias ");
        self.ty(alias.ty);
        self.push(", ");
        self.target(alias.aliasee);
    }

    pub(super) fn ifunc(&mut self, ifunc: &Ifunc) {
        self.push("@");
        self.name(&ifunc.name);
        self.push(" = ");
        self.linkage(ifunc.linkage, ifunc.visibility, ifunc.dso_local);
        self.push("ifunc ");
        self.ty(ifunc.ty);
        self.push(", ");
        self.target(ifunc.resolver);
    }

    fn target(&mut self, value: Value) {
        self.typed_value(value, None);
        self.push("\n");
    }

    /// Linkage, locality and visibility, each followed by a space if not the default.
    pub(super) fn linkage(&mut self, linkage: Linkage, visibility: Visibility, dso_local: bool) {
        self.push(match linkage {
            Linkage::External => "",
            Linkage::AvailableExternally => "available_externally ",
            Linkage::LinkOnceAny => "linkonce ",
            Linkage::LinkOnceOdr => "linkonce_odr ",
            Linkage::WeakAny => "weak ",
            Linkage::WeakOdr => "weak_odr ",
            Linkage::Appending => "appending ",
            Linkage::Internal => "internal ",
            Linkage::Private => "private ",
            Linkage::ExternWeak => "extern_weak ",
            Linkage::Common => "common ",
        });
        let local = matches!(linkage, Linkage::Internal | Linkage::Private);
        let hidden = visibility != Visibility::Default && linkage != Linkage::ExternWeak;
        self.push(if dso_local && !local && !hidden { "dso_local " } else { "" });
        self.push(match visibility {
            Visibility::Default => "",
            Visibility::Hidden => "hidden ",
            Visibility::Protected => "protected ",
        });
    }

    pub(super) fn dll_storage(&mut self, storage: DllStorage) {
        self.push(match storage {
            DllStorage::Default => "",
            DllStorage::Import => "dllimport ",
            DllStorage::Export => "dllexport ",
        });
    }

    fn thread_local(&mut self, mode: ThreadLocal) {
        self.push(match mode {
            ThreadLocal::No => "",
            ThreadLocal::GeneralDynamic => "thread_local ",
            ThreadLocal::LocalDynamic => "thread_local(localdynamic) ",
            ThreadLocal::InitialExec => "thread_local(initialexec) ",
            ThreadLocal::LocalExec => "thread_local(localexec) ",
        });
    }

    fn unnamed_address(&mut self, unnamed: UnnamedAddress) {
        self.push(match unnamed {
            UnnamedAddress::Named => "",
            UnnamedAddress::Unnamed => "unnamed_addr ",
            UnnamedAddress::LocallyUnnamed => "local_unnamed_addr ",
        });
    }

    /// ` comdat`, and the comdat's name if it is not the symbol's.
    pub(super) fn comdat(&mut self, comdat: ComdatId, symbol: &str) {
        let name = &self.module[comdat].name;
        self.push(" comdat");
        if **name != *symbol {
            self.push("($");
            self.name(name);
            self.push(")");
        }
    }

    /// Metadata attachments, each after `separator`.
    pub(super) fn attached(&mut self, separator: &str, attached: &[(MetadataKindId, MetadataId)]) {
        for &(kind, node) in attached {
            let name = self.module.metadata_kind(kind);
            self.display(format_args!("{separator}!{name} "));
            self.metadata_operand(Some(node), None);
        }
    }
}
