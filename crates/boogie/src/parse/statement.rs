//! Statements. A sequence is put into the body when it has been read to its closing brace.

use super::declaration::{has, text_of};
use super::{ParseError, ParseResult, Parser};
use crate::diagnostics::TextRange;
use crate::syntax::{
    BodySyntax, CallSyntax, ClauseSyntax, GuardSyntax, Name, SequenceId, StatementKindSyntax,
    StatementSyntax, StepSyntax, TargetSyntax,
};

impl<'s> Parser<'s, '_> {
    /// Statements up to and with the closing brace.
    pub(super) fn sequence(&mut self, body: &mut BodySyntax<'s>) -> ParseResult<SequenceId> {
        self.nested(|parser| parser.statements(body))
    }

    fn statements(&mut self, body: &mut BodySyntax<'s>) -> ParseResult<SequenceId> {
        let mut statements = Vec::new();
        while !self.accept("}") {
            if self.at_end() || self.begins_declaration() {
                return self.expected("a statement or `}`");
            }
            let start = self.position;
            match self.statement(body) {
                Ok(kind) => {
                    let at = self.since(self.tokens[start].at);
                    statements.push(StatementSyntax { kind, at });
                }
                Err(ParseError) => {
                    if self.position == start && self.word() != "}" {
                        self.advance();
                    }
                    self.skip_statement();
                }
            }
        }
        body.sequences.push(statements);
        Ok(body.sequences.len() as SequenceId - 1)
    }

    /// Whether a word stands here that no body has.
    fn begins_declaration(&self) -> bool {
        matches!(
            self.word(),
            "type" | "const" | "function" | "axiom" | "procedure" | "implementation"
        )
    }

    /// Goes behind the next semicolon or block, or to what surely begins or ends something.
    pub(super) fn skip_statement(&mut self) {
        let mut depth = 0_usize;
        while !self.at_end() && !self.begins_declaration() {
            match (self.word(), depth) {
                ("{", _) => depth += 1,
                ("}", 0) => return,
                ("}", 1) => {
                    self.advance();
                    return;
                }
                ("}", _) => depth -= 1,
                (
                    "assert" | "assume" | "havoc" | "call" | "if" | "while" | "goto" | "return"
                    | "break",
                    0,
                ) => return,
                (";", 0) => {
                    self.advance();
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    fn statement(&mut self, body: &mut BodySyntax<'s>) -> ParseResult<StatementKindSyntax<'s>> {
        if self.is_name_at(0) && self.word_at(1) == ":" {
            let name = self.name()?;
            self.advance();
            return Ok(StatementKindSyntax::Label(name));
        }
        let kind = match self.word() {
            "assert" => {
                self.advance();
                let attributes = self.kept_attributes()?;
                let message = text_of(&attributes, "msg").unwrap_or_default().to_owned();
                let known = attributes
                    .iter()
                    .filter(|attribute| attribute.name == "verified_under")
                    .filter_map(|attribute| attribute.arguments.first().copied())
                    .collect();
                StatementKindSyntax::Assert(self.expression()?, message, known)
            }
            "assume" => {
                self.advance();
                self.attributes()?;
                StatementKindSyntax::Assume(self.expression()?)
            }
            "havoc" => {
                self.advance();
                self.attributes()?;
                StatementKindSyntax::Havoc(self.names()?)
            }
            "goto" => {
                self.advance();
                self.attributes()?;
                StatementKindSyntax::Goto(self.names()?)
            }
            "return" => {
                self.advance();
                self.attributes()?;
                StatementKindSyntax::Return
            }
            "break" => {
                self.advance();
                let label = if self.word() == ";" { None } else { Some(self.name()?) };
                StatementKindSyntax::Break(label)
            }
            "if" => return self.conditional(body),
            "while" => return self.repetition(body),
            "call" | "free" => {
                let is_free = self.accept("free");
                if self.word() != "call" {
                    return self.expected("`call`");
                }
                self.advance();
                self.call(is_free)?
            }
            "yield" if self.word_at(1) == ";" => {
                let at = self.at();
                self.advance();
                self.unsupported(at, "a yield to other threads", Vec::new())
            }
            "async" if self.word_at(1) == "call" => {
                let at = self.at();
                self.position += 2;
                let results = self.parallel_calls()?;
                self.unsupported(at, "an asynchronous call", results)
            }
            "par" if self.is_name_at(1) || self.word_at(1) == "{" => {
                let at = self.at();
                self.advance();
                let results = self.parallel_calls()?;
                self.unsupported(at, "a parallel call", results)
            }
            "hide" | "reveal" if self.is_name_at(1) || self.word_at(1) == "*" => {
                return self.no_effect(2);
            }
            "push" | "pop" if self.word_at(1) == ";" => return self.no_effect(1),
            _ if self.is_name_at(0) && self.word_at(1) == "(" => self.unpack()?,
            _ if self.is_name_at(0) => self.assignment()?,
            _ => return self.expected("a statement"),
        };
        self.expect(";")?;
        Ok(kind)
    }

    /// A statement that only guides a prover, lowered as an empty assignment.
    fn no_effect(&mut self, length: usize) -> ParseResult<StatementKindSyntax<'s>> {
        self.position += length;
        self.expect(";")?;
        Ok(StatementKindSyntax::Assign(Vec::new(), Vec::new()))
    }

    fn unsupported(
        &mut self,
        start: TextRange,
        what: &'static str,
        results: Vec<Name<'s>>,
    ) -> StatementKindSyntax<'s> {
        self.note_unsupported(self.since(start), what);
        StatementKindSyntax::Unsupported(what, results)
    }

    fn guard(&mut self) -> ParseResult<GuardSyntax> {
        self.attributes()?;
        self.expect("(")?;
        let start = self.at();
        let mut condition = None;
        if !self.accept("*") {
            condition = Some(self.expression()?);
        }
        let at = self.since(start);
        self.expect(")")?;
        Ok(GuardSyntax { condition, at })
    }

    fn conditional(&mut self, body: &mut BodySyntax<'s>) -> ParseResult<StatementKindSyntax<'s>> {
        self.advance();
        let guard = self.guard()?;
        self.expect("{")?;
        let yes = self.sequence(body)?;
        let no = if !self.accept("else") {
            None
        } else if self.word() == "if" {
            let start = self.at();
            let kind = self.nested(|parser| parser.conditional(body))?;
            let at = self.since(start);
            body.sequences.push(vec![StatementSyntax { kind, at }]);
            Some(body.sequences.len() as SequenceId - 1)
        } else {
            self.expect("{")?;
            Some(self.sequence(body)?)
        };
        Ok(StatementKindSyntax::If(guard, yes, no))
    }

    fn repetition(&mut self, body: &mut BodySyntax<'s>) -> ParseResult<StatementKindSyntax<'s>> {
        self.advance();
        let guard = self.guard()?;
        let mut invariants = Vec::new();
        while matches!(self.word(), "invariant" | "free") {
            let start = self.at();
            let free = self.accept("free");
            self.expect("invariant")?;
            let attributes = self.attributes()?;
            if self.word() == "call" {
                self.advance();
                self.parallel_calls()?;
                self.note_unsupported(self.since(start), "an invariant between threads");
                self.expect(";")?;
                continue;
            }
            let condition = self.expression()?;
            let at = self.since(start);
            self.expect(";")?;
            // One that is known to hold under assumptions only is not checked.
            let free = free || has(&attributes, "verified_under");
            let message = text_of(&attributes, "msg").unwrap_or_default().to_owned();
            invariants.push(ClauseSyntax { condition, free, message, at });
        }
        self.expect("{")?;
        let inner = self.sequence(body)?;
        Ok(StatementKindSyntax::While(guard, invariants, inner))
    }

    /// The rest of a `call`.
    fn call(&mut self, is_free: bool) -> ParseResult<StatementKindSyntax<'s>> {
        let start = self.at();
        let attributes = self.attributes()?;
        if self.word() == "forall" {
            self.advance();
            self.name()?;
            self.expect("(")?;
            self.list(")", |parser| {
                if parser.accept("*") { Ok(()) } else { parser.expression().map(|_| ()) }
            })?;
            return Ok(self.unsupported(start, "`call forall`", Vec::new()));
        }
        let mut call = self.plain_call()?;
        call.is_free = is_free;
        let beyond = [
            ("async", "an asynchronous call"),
            ("verified_under", "a call that is verified under assumptions"),
        ];
        for (attribute, what) in beyond {
            if has(&attributes, attribute) {
                call.unsupported = Some(what);
                self.note_unsupported(self.since(start), what);
            }
        }
        if self.word() == "|" {
            let mut results = call.results;
            while self.accept("|") {
                results.extend(self.plain_call()?.results);
            }
            return Ok(self.unsupported(start, "a parallel call", results));
        }
        Ok(StatementKindSyntax::Call(call))
    }

    fn plain_call(&mut self) -> ParseResult<CallSyntax<'s>> {
        let mut results = Vec::new();
        let mut callee = self.name()?;
        if self.word() != "(" {
            results.push(callee);
            while self.accept(",") {
                results.push(self.name()?);
            }
            self.expect(":=")?;
            callee = self.name()?;
        }
        self.expect("(")?;
        let arguments = self.list(")", |parser| parser.expression())?;
        Ok(CallSyntax { results, callee, arguments, is_free: false, unsupported: None })
    }

    /// Calls between bars; their results.
    fn parallel_calls(&mut self) -> ParseResult<Vec<Name<'s>>> {
        let mut results = Vec::new();
        loop {
            self.attributes()?;
            results.extend(self.plain_call()?.results);
            if !self.accept("|") {
                return Ok(results);
            }
        }
    }

    /// `C(x, y) := e`.
    fn unpack(&mut self) -> ParseResult<StatementKindSyntax<'s>> {
        let constructor = self.name()?;
        self.advance();
        let names = self.list(")", |parser| parser.name())?;
        self.expect(":=")?;
        self.attributes()?;
        Ok(StatementKindSyntax::Unpack(constructor, names, self.expression()?))
    }

    fn assignment(&mut self) -> ParseResult<StatementKindSyntax<'s>> {
        let mut targets = vec![self.target()?];
        while self.accept(",") {
            targets.push(self.target()?);
        }
        self.expect(":=")?;
        self.attributes()?;
        let mut values = vec![self.expression()?];
        while self.accept(",") {
            values.push(self.expression()?);
        }
        Ok(StatementKindSyntax::Assign(targets, values))
    }

    fn target(&mut self) -> ParseResult<TargetSyntax<'s>> {
        let variable = self.name()?;
        let mut path = Vec::new();
        loop {
            let at = self.at();
            if self.accept("[") {
                let keys = self.list("]", |parser| parser.expression())?;
                path.push(StepSyntax::Index(keys, at));
            } else if self.accept("->") {
                path.push(StepSyntax::Field(self.name()?));
            } else {
                return Ok(TargetSyntax { variable, path });
            }
        }
    }
}
