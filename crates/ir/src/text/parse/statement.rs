//! Statements and the ends of blocks.

use super::{ParseResult, Parser};
use crate::assert_kind::AssertKind;
use crate::statement::{AssumeReason, HavocReason, Storage};
use crate::text::lexer::TokenKind;
use crate::text::syntax::{
    CallSyntax, CalleeSyntax, ExprSyntax, StatementKindSyntax, StatementSyntax,
    TerminatorKindSyntax, TerminatorSyntax,
};

impl<'s> Parser<'s, '_> {
    /// A statement; one that cannot be read is skipped and leaves a broken one behind.
    pub(super) fn statement(&mut self) -> StatementSyntax<'s> {
        let start = self.at();
        let before = self.position;
        match self.whole_statement() {
            Ok(statement) => statement,
            Err(_) => {
                self.skip_statement();
                if self.position == before {
                    self.position += 1;
                }
                let kind = StatementKindSyntax::Broken;
                StatementSyntax { kind, annotation: Default::default(), at: self.since(start) }
            }
        }
    }

    fn whole_statement(&mut self) -> ParseResult<StatementSyntax<'s>> {
        let start = self.at();
        let kind = self.statement_kind()?;
        let annotation = self.annotation()?;
        self.expect(";")?;
        Ok(StatementSyntax { kind, annotation, at: self.since(start) })
    }

    fn statement_kind(&mut self) -> ParseResult<StatementKindSyntax<'s>> {
        match self.word() {
            "havoc" => {
                self.position += 1;
                let place = self.place()?;
                let condition = if self.accept("where") { Some(self.expression()?) } else { None };
                let what = "why: parameter, environment, volatile, unknown-callee, uninitialized, \
                            loop or choice";
                let reason = self.because(what, HavocReason::named)?.unwrap_or(HavocReason::Choice);
                Ok(StatementKindSyntax::Havoc(place, condition, reason))
            }
            "assume" => {
                self.position += 1;
                let condition = self.expression()?;
                let reason = self
                    .because("why: branch, contract, axiom or model", AssumeReason::named)?
                    .unwrap_or(AssumeReason::Model);
                Ok(StatementKindSyntax::Assume(condition, reason))
            }
            "assert" => {
                self.position += 1;
                let (word, tokens) = self.hyphenated();
                let mut kind = AssertKind::Assertion;
                if let Some(named) = AssertKind::named(word) {
                    kind = named;
                    self.position += tokens;
                }
                let condition = self.expression()?;
                Ok(StatementKindSyntax::Assert(condition, kind, self.message()?))
            }
            "free" => {
                self.position += 1;
                Ok(StatementKindSyntax::Free(self.expression()?))
            }
            "call" => self.call(Vec::new()),
            "unsupported" => {
                self.position += 1;
                let what = self.string()?;
                let writes = if self.accept("writes") { self.places()? } else { Vec::new() };
                Ok(StatementKindSyntax::Unsupported(what, writes))
            }
            _ => self.assignment(),
        }
    }

    fn because<T>(
        &mut self,
        what: &str,
        named: impl Fn(&str) -> Option<T>,
    ) -> ParseResult<Option<T>> {
        if self.accept("because") { Ok(Some(self.choice(what, named)?)) } else { Ok(None) }
    }

    fn places(&mut self) -> ParseResult<Vec<ExprSyntax>> {
        let mut places = vec![self.place()?];
        while self.accept(",") {
            places.push(self.place()?);
        }
        Ok(places)
    }

    /// A statement that begins with places: an assignment, an allocation or a call with results.
    fn assignment(&mut self) -> ParseResult<StatementKindSyntax<'s>> {
        let is_name = match self.kind() {
            TokenKind::Word => !super::is_reserved(self.token_text()),
            TokenKind::Quoted => true,
            TokenKind::Symbol => self.word() == "::",
            TokenKind::Number | TokenKind::Text | TokenKind::Label | TokenKind::End => false,
        };
        if !is_name {
            return self.expected("a statement");
        }
        let mut places = self.places()?;
        self.expect(":=")?;
        match self.word() {
            "call" => return self.call(places),
            "new" | "alloc" if places.len() > 1 => {
                return self.expected("as many values as places");
            }
            _ => {}
        }
        if self.accept("new") {
            return Ok(StatementKindSyntax::New(places.remove(0), self.name()?));
        }
        if self.accept("alloc") {
            let size = self.expression()?;
            let storage = self.choice("heap, stack, global or environment", Storage::named)?;
            let mut may_fail = false;
            if self.accept("may") {
                self.expect("fail")?;
                may_fail = true;
            }
            return Ok(StatementKindSyntax::Allocate(places.remove(0), size, storage, may_fail));
        }
        let mut values = vec![self.expression()?];
        while self.accept(",") {
            values.push(self.expression()?);
        }
        if values.len() != places.len() {
            let message = format!("{} places cannot get {} values", places.len(), values.len());
            self.diagnostics.add(self.at(), message);
            return Err(super::ParseError);
        }
        Ok(StatementKindSyntax::Assign(places, values))
    }

    fn call(&mut self, results: Vec<ExprSyntax>) -> ParseResult<StatementKindSyntax<'s>> {
        self.expect("call")?;
        let is_direct = self.word() != "(" && self.text(self.position + 1) == "(";
        let callee = if is_direct {
            CalleeSyntax::Procedure(self.name()?)
        } else {
            let chosen_by = self.callee()?;
            self.expect("{")?;
            let table = self.list("}", |parser| {
                let value = parser.expression()?;
                parser.expect(":")?;
                Ok((value, parser.name()?))
            })?;
            CalleeSyntax::Choice(chosen_by, table)
        };
        self.expect("(")?;
        let arguments = self.list(")", |parser| parser.expression())?;
        let mut caught = None;
        if self.accept("catch") {
            let thrown = self.place()?;
            let value = if self.accept(",") { Some(self.place()?) } else { None };
            caught = Some((thrown, value));
        }
        let call = CallSyntax { results, callee, arguments, caught };
        Ok(StatementKindSyntax::Call(Box::new(call)))
    }

    pub(super) fn terminator(&mut self) -> ParseResult<TerminatorSyntax<'s>> {
        let start = self.at();
        let kind = self.terminator_kind()?;
        let annotation = self.annotation()?;
        self.expect(";")?;
        Ok(TerminatorSyntax { kind, annotation, at: self.since(start) })
    }

    fn terminator_kind(&mut self) -> ParseResult<TerminatorKindSyntax<'s>> {
        if self.accept("goto") {
            let mut labels = vec![self.name()?];
            while self.accept(",") {
                labels.push(self.name()?);
            }
            return Ok(TerminatorKindSyntax::Goto(labels));
        }
        if self.accept("branch") {
            let condition = self.expression()?;
            self.expect("?")?;
            let yes = self.name()?;
            self.expect(":")?;
            let no = self.name()?;
            return Ok(TerminatorKindSyntax::Branch(condition, yes, no));
        }
        if self.accept("exit") {
            return match self.word() {
                "exceptional" => {
                    self.position += 1;
                    let has_value =
                        !matches!(self.word(), ";" | "@" | "#" | "synthetic" | "macro" | "inlined");
                    let value = if has_value { Some(self.expression()?) } else { None };
                    Ok(TerminatorKindSyntax::Exceptional(value))
                }
                "intended" => {
                    self.position += 1;
                    Ok(TerminatorKindSyntax::Intended(self.string()?))
                }
                _ => Ok(TerminatorKindSyntax::Exit),
            };
        }
        self.expect("cut")?;
        match self.word() {
            "unrolling" => {
                self.position += 1;
                Ok(TerminatorKindSyntax::CutUnrolling(self.number()?))
            }
            "inlining" => {
                self.position += 1;
                Ok(TerminatorKindSyntax::CutInlining(self.number()?))
            }
            "unsupported" => {
                self.position += 1;
                Ok(TerminatorKindSyntax::CutUnsupported(self.string()?))
            }
            _ => self.expected("why: unrolling, inlining or unsupported"),
        }
    }
}
