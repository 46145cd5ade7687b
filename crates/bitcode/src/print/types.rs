//! Types as text.

use super::Printer;
use crate::id::TypeId;
use crate::types::{FunctionType, StructType, Type};

impl Printer<'_> {
    pub(super) fn ty(&mut self, id: TypeId) {
        if !self.may_continue() {
            return;
        }
        let module = self.module;
        match &module[id] {
            Type::Void => self.push("void"),
            Type::Half => self.push("half"),
            Type::BFloat => self.push("bfloat"),
            Type::Float => self.push("float"),
            Type::Double => self.push("double"),
            Type::X86Fp80 => self.push("x86_fp80"),
            Type::Fp128 => self.push("fp128"),
            Type::PpcFp128 => self.push("ppc_fp128"),
            Type::X86Mmx => self.push("x86_mmx"),
            Type::X86Amx => self.push("x86_amx"),
            Type::Label => self.push("label"),
            Type::Metadata => self.push("metadata"),
            Type::Token => self.push("token"),
            Type::Integer(width) => self.display(format_args!("i{width}")),
            Type::Pointer { space: 0 } => self.push("ptr"),
            Type::Pointer { space } => self.display(format_args!("ptr addrspace({space})")),
            Type::Array { count, element } => {
                self.display(format_args!("[{count} x "));
                self.ty(*element);
                self.push("]");
            }
            Type::Vector { count, element, scalable } => {
                self.push(if *scalable { "<vscale x " } else { "<" });
                self.display(format_args!("{count} x "));
                self.ty(*element);
                self.push(">");
            }
            Type::Struct(StructType { name: Some(name), .. }) | Type::Opaque { name } => {
                self.push("%");
                self.name(name);
            }
            Type::Struct(body) => self.struct_body(body),
            Type::Function(signature) => self.signature(signature),
            Type::Target { name, types, integers } => {
                self.display(format_args!("target(\"{name}\""));
                for &ty in types {
                    self.push(", ");
                    self.ty(ty);
                }
                for integer in integers {
                    self.display(format_args!(", {integer}"));
                }
                self.push(")");
            }
        }
    }

    pub(super) fn struct_body(&mut self, body: &StructType) {
        let (open, close) = match (body.packed, body.fields.is_empty()) {
            (false, false) => ("{ ", " }"),
            (false, true) => ("{", "}"),
            (true, false) => ("<{ ", " }>"),
            (true, true) => ("<{", "}>"),
        };
        self.push(open);
        self.list(&body.fields, |p, &field| p.ty(field));
        self.push(close);
    }

    pub(super) fn signature(&mut self, signature: &FunctionType) {
        self.ty(signature.result);
        self.push(" (");
        self.list(&signature.parameters, |p, &parameter| p.ty(parameter));
        if signature.variadic {
            self.push(if signature.parameters.is_empty() { "..." } else { ", ..." });
        }
        self.push(")");
    }
}
