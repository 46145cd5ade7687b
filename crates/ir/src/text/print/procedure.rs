//! Procedures.

use std::fmt::Write;

use super::expression::Expressions;
use super::{Printer, display, name};
use crate::assert_kind::AssertKind;
use crate::procedure::{Block, Clause, Local, Mode, Procedure};
use crate::span::PointId;
use crate::statement::{
    Allocation, AssumeReason, Callee, CutReason, Exit, HavocReason, Place, Projection,
    StatementKind, TerminatorKind,
};
use crate::text::lexer::{is_name_byte, quote};
use crate::visit;

impl Printer<'_> {
    pub(super) fn procedure(&mut self, procedure: &Procedure) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        let roots = visit::roots(procedure);
        let mut expressions =
            Expressions::new(self.module, &procedure.locals, &procedure.exprs, roots, self.detail);
        let mut line = format!("proc {}(", name(&procedure.name));
        self.variables(&mut line, procedure, Mode::Parameter);
        line.push(')');
        if procedure.locals_with(Mode::Result).next().is_some() {
            line.push_str(" returns (");
            self.variables(&mut line, procedure, Mode::Result);
            line.push(')');
        }
        display(&mut line, procedure.display.as_deref());
        self.annotate(&mut line, procedure.span, Some(PointId(procedure.points)), None);
        let before = self.out.len();
        self.contract(procedure, &mut expressions);
        let has_contract = self.out.len() > before;
        if procedure.blocks.is_none() && !has_contract {
            line.push(';');
        }
        line.push('\n');
        self.out.insert_str(before, &line);
        let Some(blocks) = &procedure.blocks else { return };
        self.line("{");
        for local in &procedure.locals {
            self.local(local);
        }
        for block in blocks {
            self.block(block, blocks, &mut expressions);
        }
        self.line("}");
    }

    fn variables(&self, line: &mut String, procedure: &Procedure, mode: Mode) {
        for (index, id) in procedure.locals_with(mode).enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            let local = procedure.local(id);
            let _ = write!(line, "{comma}{}: {}", name(&local.name), local.ty.display(self.module));
            display(line, local.display.as_deref());
        }
    }

    fn local(&mut self, local: &Local) {
        let keyword = match local.mode {
            Mode::Parameter | Mode::Result => return,
            Mode::Local => "var",
            Mode::Ghost => "ghost var",
        };
        let ty = local.ty.display(self.module);
        let mut line = format!("  {keyword} {}: {ty}", name(&local.name));
        display(&mut line, local.display.as_deref());
        line.push(';');
        self.line(&line);
    }

    fn contract(&mut self, procedure: &Procedure, expressions: &mut Expressions<'_>) {
        let contract = &procedure.contract;
        for clause in &contract.requires {
            self.clause("  ", "requires", clause, expressions);
        }
        for ensures in &contract.ensures {
            let keyword = match (ensures.exceptional, ensures.invariant) {
                (false, false) => "ensures",
                (false, true) => "ensures invariant",
                (true, false) => "ensures exceptional",
                (true, true) => "ensures exceptional invariant",
            };
            self.clause("  ", keyword, &ensures.clause, expressions);
        }
        if let Some(places) = &contract.modifies {
            let places = if places.is_empty() {
                "nothing".to_owned()
            } else {
                self.places(places, expressions)
            };
            self.line(&format!("  modifies {places};"));
        }
        if let Some(measure) = contract.decreases {
            let mut line = "  decreases ".to_owned();
            expressions.write(&mut line, measure, true);
            line.push(';');
            self.line(&line);
        }
        if contract.external {
            self.line("  external;");
        }
    }

    fn clause(
        &mut self,
        indent: &str,
        keyword: &str,
        clause: &Clause,
        expressions: &mut Expressions<'_>,
    ) {
        let free = if clause.free { "free " } else { "" };
        let mut line = format!("{indent}{free}{keyword} ");
        expressions.write(&mut line, clause.condition, true);
        message(&mut line, &clause.message);
        self.annotate(&mut line, clause.span, None, None);
        line.push(';');
        self.line(&line);
    }

    fn block(&mut self, block: &Block, blocks: &[Block], expressions: &mut Expressions<'_>) {
        self.line(&format!("  {}:", name(&block.label)));
        if let Some(facts) = &block.facts {
            if facts.invariants.is_empty() && facts.decreases.is_none() {
                self.line("    loop;");
            }
            for invariant in &facts.invariants {
                self.clause("    ", "invariant", invariant, expressions);
            }
            if let Some(measure) = facts.decreases {
                let mut line = "    decreases ".to_owned();
                expressions.write(&mut line, measure, true);
                line.push(';');
                self.line(&line);
            }
        }
        for statement in &block.statements {
            let mut line = "    ".to_owned();
            self.statement(&mut line, &statement.kind, expressions);
            let (point, origin) = (Some(statement.point), Some(statement.origin));
            self.annotate(&mut line, statement.span, point, origin);
            line.push(';');
            self.line(&line);
        }
        let mut line = "    ".to_owned();
        terminator(&mut line, &block.terminator.kind, blocks, expressions);
        let (point, origin) = (Some(block.terminator.point), Some(block.terminator.origin));
        self.annotate(&mut line, block.terminator.span, point, origin);
        line.push(';');
        self.line(&line);
    }

    fn statement(
        &self,
        line: &mut String,
        kind: &StatementKind,
        expressions: &mut Expressions<'_>,
    ) {
        match kind {
            StatementKind::Assign(pairs) => {
                let places: Vec<String> =
                    pairs.iter().map(|(place, _)| self.place(place, expressions)).collect();
                line.push_str(&places.join(", "));
                line.push_str(" := ");
                for (index, (_, value)) in pairs.iter().enumerate() {
                    line.push_str(if index > 0 { ", " } else { "" });
                    expressions.write(line, *value, true);
                }
            }
            StatementKind::Havoc { place, condition, reason } => {
                let _ = write!(line, "havoc {}", self.place(place, expressions));
                if let Some(condition) = condition {
                    line.push_str(" where ");
                    expressions.write(line, *condition, true);
                }
                if *reason != HavocReason::Choice {
                    let _ = write!(line, " because {}", reason.name());
                }
            }
            StatementKind::Assume { condition, reason } => {
                line.push_str("assume ");
                expressions.write(line, *condition, true);
                if *reason != AssumeReason::Model {
                    let _ = write!(line, " because {}", reason.name());
                }
            }
            StatementKind::Assert { condition, kind, message: text } => {
                let mut written = String::new();
                expressions.write(&mut written, *condition, true);
                line.push_str("assert ");
                // A condition that begins with the word for a kind would be read as one.
                if *kind != AssertKind::Assertion || begins_with_kind(&written) {
                    let _ = write!(line, "{} ", kind.name());
                }
                line.push_str(&written);
                message(line, text);
            }
            StatementKind::Allocate { place, allocation } => {
                let _ = write!(line, "{} := ", self.place(place, expressions));
                match allocation {
                    Allocation::Atom(sort) => {
                        let sort = crate::Type::Sort(*sort);
                        let _ = write!(line, "new {}", sort.display(self.module));
                    }
                    Allocation::Object { size, storage, may_fail } => {
                        line.push_str("alloc ");
                        expressions.write(line, *size, true);
                        let may_fail = if *may_fail { " may fail" } else { "" };
                        let _ = write!(line, " {}{may_fail}", storage.name());
                    }
                }
            }
            StatementKind::Free(pointer) => {
                line.push_str("free ");
                expressions.write(line, *pointer, true);
            }
            StatementKind::Call { results, callee, arguments, caught } => {
                if !results.is_empty() {
                    let _ = write!(line, "{} := ", self.places(results, expressions));
                }
                line.push_str("call ");
                match callee {
                    Callee::Procedure(id) => {
                        line.push_str(&name(&self.module.procedure(*id).name));
                    }
                    Callee::Choice(chosen_by, table) => {
                        line.push('(');
                        expressions.write(line, *chosen_by, false);
                        line.push_str(") {");
                        for (index, (value, id)) in table.iter().enumerate() {
                            line.push_str(if index > 0 { ", " } else { " " });
                            expressions.write(line, *value, true);
                            let _ = write!(line, ": {}", name(&self.module.procedure(*id).name));
                        }
                        line.push_str(" } ");
                    }
                }
                line.push('(');
                for (index, argument) in arguments.iter().enumerate() {
                    line.push_str(if index > 0 { ", " } else { "" });
                    expressions.write(line, *argument, true);
                }
                line.push(')');
                if let Some((thrown, value)) = caught {
                    let _ = write!(line, " catch {}", self.place(thrown, expressions));
                    if let Some(value) = value {
                        let _ = write!(line, ", {}", self.place(value, expressions));
                    }
                }
            }
            StatementKind::Unsupported { what, writes } => {
                let _ = write!(line, "unsupported {}", quote(what, '"'));
                if !writes.is_empty() {
                    let _ = write!(line, " writes {}", self.places(writes, expressions));
                }
            }
        }
    }

    fn places(&self, places: &[Place], expressions: &mut Expressions<'_>) -> String {
        let places: Vec<String> =
            places.iter().map(|place| self.place(place, expressions)).collect();
        places.join(", ")
    }

    fn place(&self, place: &Place, expressions: &mut Expressions<'_>) -> String {
        let mut written = expressions.variable(place.variable);
        for projection in &place.path {
            match projection {
                Projection::Field(id, index) => {
                    let field = &self.module.records[id.0 as usize].fields[*index as usize].0;
                    let _ = write!(written, ".{}", name(field));
                }
                Projection::Index(keys) => {
                    written.push('[');
                    for (index, key) in keys.iter().enumerate() {
                        written.push_str(if index > 0 { ", " } else { "" });
                        expressions.write(&mut written, *key, true);
                    }
                    written.push(']');
                }
                Projection::View { pointer, ty, volatile } => {
                    written.push('{');
                    expressions.write(&mut written, *pointer, true);
                    let volatile = if *volatile { " volatile" } else { "" };
                    let _ = write!(written, " as {}{volatile}}}", ty.display(self.module));
                }
            }
        }
        written
    }
}

fn message(line: &mut String, message: &str) {
    if !message.is_empty() {
        let _ = write!(line, " {}", quote(message, '"'));
    }
}

/// Whether words joined by hyphens at the start of a text name a kind of assertion.
fn begins_with_kind(text: &str) -> bool {
    let end = text.bytes().position(|byte| byte != b'-' && !is_name_byte(byte));
    let words = &text[..end.unwrap_or(text.len())];
    AssertKind::named(words).is_some()
}

fn terminator(
    line: &mut String,
    kind: &TerminatorKind,
    blocks: &[Block],
    expressions: &mut Expressions<'_>,
) {
    let label = |block: &crate::BlockId| name(&blocks[block.0 as usize].label);
    let _ = match kind {
        TerminatorKind::Goto(targets) => {
            let targets: Vec<_> = targets.iter().map(label).collect();
            write!(line, "goto {}", targets.join(", "))
        }
        TerminatorKind::Branch(condition, yes, no) => {
            line.push_str("branch ");
            expressions.write(line, *condition, true);
            write!(line, " ? {} : {}", label(yes), label(no))
        }
        TerminatorKind::Exit(exit) => match exit {
            Exit::Normal => write!(line, "exit"),
            Exit::Exceptional(None) => write!(line, "exit exceptional"),
            Exit::Exceptional(Some(value)) => {
                line.push_str("exit exceptional ");
                expressions.write(line, *value, false);
                Ok(())
            }
            Exit::Intended(reason) => write!(line, "exit intended {}", quote(reason, '"')),
            Exit::Cut(CutReason::Unrolling(times)) => write!(line, "cut unrolling {times}"),
            Exit::Cut(CutReason::Inlining(depth)) => write!(line, "cut inlining {depth}"),
            Exit::Cut(CutReason::Unsupported(what)) => {
                write!(line, "cut unsupported {}", quote(what, '"'))
            }
        },
    };
}
