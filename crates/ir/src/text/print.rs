//! Modules to text.

mod expression;
mod procedure;
mod types;

use std::borrow::Cow;
use std::fmt::Write;

use super::lexer::{is_name_byte, quote};
use super::parse::is_reserved;
use crate::module::{Axiom, Content, Function, Module, Object};
use crate::op::Op;
use crate::span::{Origin, PointId, Span};
use expression::Expressions;

/// How much is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Detail {
    /// Everything.
    Full,
    /// The brief form, for people.
    Brief,
}

pub(super) fn module(module: &Module, detail: Detail) -> String {
    let mut printer = Printer { module, detail, out: String::new() };
    printer.types();
    printer.functions();
    printer.state();
    for procedure in &module.procedures {
        printer.procedure(procedure);
    }
    printer.out
}

struct Printer<'m> {
    module: &'m Module,
    detail: Detail,
    out: String,
}

impl Printer<'_> {
    fn types(&mut self) {
        let module = self.module;
        if self.detail == Detail::Full {
            for file in &module.files {
                self.line(&format!("file {};", quote(&file.path, '"')));
            }
        }
        for sort in &module.sorts {
            self.line(&format!("sort {};", types::type_name(sort)));
        }
        for record in &module.records {
            let fields: Vec<String> = record
                .fields
                .iter()
                .map(|(field, ty)| format!("{}: {}", name(field), ty.display(module)))
                .collect();
            let declared = types::type_name(&record.name);
            self.line(&format!("record {declared} {{ {} }}", fields.join(", ")));
        }
        for variant in &module.variants {
            let mut constructors = Vec::new();
            for (constructor, types) in &variant.constructors {
                let types: Vec<String> =
                    types.iter().map(|ty| ty.display(module).to_string()).collect();
                let arguments = if types.is_empty() {
                    String::new()
                } else {
                    format!("({})", types.join(", "))
                };
                constructors.push(format!("{}{arguments}", name(constructor)));
            }
            let declared = types::type_name(&variant.name);
            self.line(&format!("variant {declared} {{ {} }}", constructors.join(", ")));
        }
    }

    fn functions(&mut self) {
        let module = self.module;
        for (number, function) in (0..).zip(&module.functions) {
            if let Some(position) = module.object_at(crate::FunctionId(number)) {
                self.object(&module.objects[position], function);
                continue;
            }
            let none = crate::expr::Exprs::default();
            let (exprs, root) = match &function.definition {
                Some((exprs, root)) => (exprs, Some(*root)),
                None => (&none, None),
            };
            let mut expressions = Expressions::new(module, &[], exprs, root, self.detail);
            let parameters: Vec<String> = match root {
                Some(_) => (0..function.parameters.len() as u32)
                    .map(|index| expressions.declare(crate::Binder(index)))
                    .collect(),
                None => function
                    .parameters
                    .iter()
                    .map(|(parameter, ty)| format!("{}: {}", name(parameter), ty.display(module)))
                    .collect(),
            };
            let declared = function_name(&function.name);
            let result = function.result.display(module);
            let mut line = if parameters.is_empty() {
                format!("const {declared}: {result}")
            } else {
                format!("function {declared}({}): {result}", parameters.join(", "))
            };
            if let Some(root) = root {
                line.push_str(" = ");
                expressions.write(&mut line, root, true);
            }
            self.annotate(&mut line, function.span, None, None);
            line.push(';');
            self.line(&line);
        }
        for axiom in &module.axioms {
            self.condition("axiom", axiom);
        }
    }

    fn object(&mut self, object: &Object, function: &Function) {
        let mut line = format!("object {}: {}", function_name(&function.name), object.size);
        if object.constant {
            line.push_str(" constant");
        }
        if let Some(contents) = &object.contents {
            let parts: Vec<String> = contents
                .iter()
                .map(|(offset, part)| match part {
                    Content::Bytes(bytes) => {
                        let digits: String =
                            bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                        format!("{offset}: \"{digits}\"")
                    }
                    Content::Address(to, distance) => {
                        let to = self.module.functions.get(to.0 as usize);
                        let to = to.map_or(Cow::Borrowed(""), |to| function_name(&to.name));
                        match distance {
                            0 => format!("{offset}: {to}"),
                            1.. => format!("{offset}: {to} + {distance}"),
                            _ => format!("{offset}: {to} - {}", distance.unsigned_abs()),
                        }
                    }
                })
                .collect();
            line.push_str(&format!(" {{ {} }}", parts.join(", ")));
        }
        self.annotate(&mut line, function.span, None, None);
        line.push(';');
        self.line(&line);
    }

    fn state(&mut self) {
        let module = self.module;
        for global in &module.globals {
            let keyword = if global.ghost { "ghost var" } else { "var" };
            let declared = name(&global.name);
            let mut line = format!("{keyword} {declared}: {}", global.ty.display(module));
            display(&mut line, global.display.as_deref());
            self.annotate(&mut line, global.span, None, None);
            line.push(';');
            self.line(&line);
        }
        for invariant in &module.invariants {
            self.condition("invariant", invariant);
        }
    }

    fn condition(&mut self, keyword: &str, axiom: &Axiom) {
        let roots = [axiom.condition];
        let mut expressions = Expressions::new(self.module, &[], &axiom.exprs, roots, self.detail);
        let mut line = format!("{keyword} ");
        expressions.write(&mut line, axiom.condition, true);
        self.annotate(&mut line, axiom.span, None, None);
        line.push(';');
        self.line(&line);
    }

    /// Appends where something comes from.
    fn annotate(
        &self,
        line: &mut String,
        span: Span,
        point: Option<PointId>,
        origin: Option<Origin>,
    ) {
        if self.detail == Detail::Brief {
            return;
        }
        let place = |span: Span| format!("{}:{}-{}", span.file.0, span.start, span.end);
        let _ = write!(line, " @{}", place(span));
        if let Some(point) = point {
            let _ = write!(line, " #{}", point.0);
        }
        let _ = match origin {
            Some(Origin::Macro(span)) => write!(line, " macro {}", place(span)),
            Some(Origin::Inlined(point)) => write!(line, " inlined #{}", point.0),
            Some(Origin::Synthetic) => write!(line, " synthetic"),
            Some(Origin::Source) | None => Ok(()),
        };
    }

    fn line(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }
}

/// Appends how the source language writes something.
fn display(line: &mut String, display: Option<&str>) {
    if let Some(display) = display {
        let _ = write!(line, " as {}", quote(display, '"'));
    }
}

/// A name, in backticks if need be.
fn name(name: &str) -> Cow<'_, str> {
    let begins = name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
    if begins && name.bytes().all(is_name_byte) && !is_reserved(name) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(quote(name, '`'))
    }
}

/// The name of a function, which is in backticks if it is also that of an operator.
fn function_name(function: &str) -> Cow<'_, str> {
    if Op::called(function).is_some() { Cow::Owned(quote(function, '`')) } else { name(function) }
}
