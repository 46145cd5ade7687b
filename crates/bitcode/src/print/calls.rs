//! Calls and exception pads as text.

use super::Printer;
use crate::function::Function;
use crate::id::BlockId;
use crate::instruction::{Call, CallKind, TailCall};
use crate::value::Value;

impl Printer<'_> {
    pub(super) fn call(&mut self, call: &Call, f: &Function) {
        let module = self.module;
        match &call.kind {
            CallKind::Call { tail, fast_math } => {
                self.push(match tail {
                    TailCall::None => "call",
                    TailCall::Tail => "tail call",
                    TailCall::Must => "musttail call",
                    TailCall::Never => "notail call",
                });
                self.fast_math(*fast_math);
            }
            CallKind::Invoke { .. } => self.push("invoke"),
            CallKind::Branch { .. } => self.push("callbr"),
        }
        self.push(" ");
        self.convention(call.convention);
        let attributes = call.attributes.map(|id| &module[id]);
        self.attributes(attributes.and_then(|list| list.result(module)));
        if let Some(signature) = module[call.signature].as_function() {
            if signature.variadic {
                self.signature(signature);
            } else {
                self.ty(signature.result);
            }
        }
        self.push(" ");
        self.value(call.callee, Some(f));
        self.push("(");
        self.list((0..).zip(&call.arguments), |p, (index, &argument)| {
            let ty = module.type_of(argument, Some(f));
            match (ty, argument) {
                (Some(ty), _) => p.ty(ty),
                (None, Value::Metadata(_)) => p.push("metadata"),
                (None, _) => p.push("label"),
            }
            p.push(" ");
            p.attributes(attributes.and_then(|list| list.parameter(module, index)));
            p.value(argument, Some(f));
        });
        self.push(")");
        if let Some(group) = attributes.and_then(|list| list.function) {
            self.display(format_args!(" #{group}"));
        }
        if !call.bundles.is_empty() {
            self.push(" [ ");
            self.list(&call.bundles, |p, bundle| {
                p.display(format_args!("\"{}\"(", module.bundle_tag(bundle.tag)));
                p.list(&bundle.operands, |p, &value| p.typed_value(value, Some(f)));
                p.push(")");
            });
            self.push(" ]");
        }
        match &call.kind {
            CallKind::Call { .. } => {}
            CallKind::Invoke { normal, unwind } => {
                self.push("\n          to ");
                self.labelled(*normal, f);
                self.push(" unwind ");
                self.labelled(*unwind, f);
            }
            CallKind::Branch { fallthrough, targets } => {
                self.push("\n          to ");
                self.labelled(*fallthrough, f);
                self.push(" ");
                self.label_list(targets, f);
            }
        }
    }

    pub(super) fn pad(&mut self, word: &str, parent: Value, arguments: &[Value], f: &Function) {
        self.push(word);
        self.push(" within ");
        self.value(parent, Some(f));
        self.push(" [");
        self.list(arguments, |p, &value| p.typed_value(value, Some(f)));
        self.push("]");
    }

    pub(super) fn unwind(&mut self, target: Option<BlockId>, f: &Function) {
        self.push(" unwind ");
        match target {
            Some(target) => self.labelled(target, f),
            None => self.push("to caller"),
        }
    }
}
