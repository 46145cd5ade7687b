//! Modules: their heads, and what they declare.

use super::{ParseResult, Parser};
use crate::syntax::{Item, Name, Parameter, Unit, UnitKind};

impl Parser<'_> {
    pub(super) fn unit(&mut self) -> ParseResult<Unit> {
        let start = self.span();
        self.accept("shared");
        let kind = match self.word().as_str() {
            "concept" => UnitKind::Concept,
            "enhancement" => UnitKind::Enhancement,
            "realization" => UnitKind::Realization,
            "facility" => UnitKind::Facility,
            "client" => UnitKind::Code,
            "precis" | "categorical" => UnitKind::Theory,
            _ => {
                return self.expected(
                    "`Concept`, `Enhancement`, `Realization`, `Facility`, `Precis` or `Client`",
                );
            }
        };
        self.advance();
        if kind == UnitKind::Theory {
            return self.theory();
        }
        if kind == UnitKind::Code {
            self.accept("code");
        }
        let name = self.name()?;
        let parameters = if self.accept("(") { self.parameters()? } else { Vec::new() };
        let mut unit = Unit {
            kind,
            name,
            parameters,
            of: Vec::new(),
            uses: Vec::new(),
            requires: None,
            items: Vec::new(),
        };
        // A facility module may be nothing but an instance of a concept.
        if kind == UnitKind::Facility && self.is("is") {
            let name = unit.name.clone();
            let instance = self.facility_instance(name)?;
            unit.items.push(Item::Facility(instance));
            return Ok(unit);
        }
        while self.accept("for") || self.accept("of") || self.accept("with_profile") {
            unit.of.push(self.name()?);
            if self.accept("(") {
                self.skip_parentheses();
            }
        }
        self.expect(";")?;
        self.unit_items(&mut unit);
        let whole = self.since(start);
        if unit.items.is_empty() && unit.kind != UnitKind::Realization {
            self.diagnostics.note(whole, "empty module");
        }
        Ok(unit)
    }

    /// A theory is read for its name only: what is known of mathematics is built in.
    fn theory(&mut self) -> ParseResult<Unit> {
        self.accept("precis");
        let name = self.name()?;
        while !self.at_end() {
            self.advance();
        }
        Ok(Unit {
            kind: UnitKind::Theory,
            name,
            parameters: Vec::new(),
            of: Vec::new(),
            uses: Vec::new(),
            requires: None,
            items: Vec::new(),
        })
    }

    /// Skips to behind the parenthesis that closes the one just read.
    fn skip_parentheses(&mut self) {
        let mut open = 1;
        while open > 0 && !self.at_end() {
            match self.word().as_str() {
                "(" => open += 1,
                ")" => open -= 1,
                _ => {}
            }
            self.advance();
        }
    }

    fn unit_items(&mut self, unit: &mut Unit) {
        loop {
            if self.at_end() {
                self.diagnostics.error(self.span(), format!("expected `end {}`", unit.name.text));
                return;
            }
            if self.is("end") {
                self.advance();
                self.end_name(&unit.name);
                self.accept(";");
                if !self.at_end() {
                    self.diagnostics
                        .error(self.span(), "there is something behind the end of the module");
                }
                return;
            }
            let before = self.position;
            if self.unit_item(unit).is_err() {
                self.recover(before);
            }
        }
    }

    /// The name behind `end`, which is that of what ends or missing.
    pub(super) fn end_name(&mut self, name: &Name) {
        if self.is_name_at(0) && !self.is(";") {
            let found = self.span();
            if let Ok(end) = self.name()
                && !end.text.eq_ignore_ascii_case(&name.text)
            {
                // An `end` that is missing shows up as an error of its own.
                let message = format!("this ends `{}`, not `{}`", name.text, end.text);
                self.diagnostics.note(found, message);
            }
        }
    }

    /// Goes on behind a broken declaration, at the next word that begins one.
    fn recover(&mut self, before: usize) {
        if self.position == before {
            self.advance();
        }
        while !self.at_end() {
            let behind = self.position.checked_sub(1).map(|last| &self.tokens[last].kind);
            let follows = behind == Some(&crate::lexer::TokenKind::Symbol(";"));
            let word = self.word();
            let begins = matches!(
                word.as_str(),
                "operation"
                    | "oper"
                    | "procedure"
                    | "recursive"
                    | "type"
                    | "definition"
                    | "facility"
                    | "inductive"
                    | "implicit"
            );
            let ends = word == "end" && self.word_at(1) != ";" && self.word_at(2) == ";" && {
                let name = self.position + 3;
                self.tokens.get(name).is_none_or(|token| token.kind == crate::lexer::TokenKind::End)
            };
            if follows && (begins || ends) {
                return;
            }
            self.advance();
        }
    }

    fn unit_item(&mut self, unit: &mut Unit) -> ParseResult<()> {
        match self.word().as_str() {
            "uses" => {
                self.advance();
                unit.uses.extend(self.names()?);
                self.expect(";")
            }
            "requires" => {
                self.advance();
                let condition = self.clause()?;
                unit.requires = Some(condition);
                Ok(())
            }
            _ => {
                self.items(unit.kind, &mut unit.items)?;
                Ok(())
            }
        }
    }

    /// The parameters of a module, up to the closing parenthesis.
    fn parameters(&mut self) -> ParseResult<Vec<Parameter>> {
        let mut parameters = Vec::new();
        while !self.accept(")") {
            match self.word().as_str() {
                "type" => {
                    self.advance();
                    parameters.extend(self.names()?.into_iter().map(Parameter::Type));
                }
                "definition" | "def" => {
                    self.advance();
                    let definition = self.definition_head()?;
                    parameters.push(Parameter::Definition(Box::new(definition)));
                }
                "operation" | "oper" => {
                    self.advance();
                    let operation = self.operation()?;
                    parameters.push(Parameter::Operation(Box::new(operation)));
                    continue;
                }
                "realization" | "concept" => {
                    self.advance();
                    parameters.push(Parameter::Module(self.name()?));
                    while !self.is(";") && !self.is(")") && !self.at_end() {
                        self.advance();
                    }
                }
                _ => {
                    // `evaluates n: Integer`; other modes are read alike.
                    if crate::syntax::Mode::named(&self.word()).is_some() || self.is("constant") {
                        self.advance();
                    }
                    let names = self.names()?;
                    self.expect(":")?;
                    let ty = self.ty()?;
                    parameters.push(Parameter::Constant(names, ty));
                }
            }
            if !self.accept(";") && !self.is(")") {
                return self.expected("`;` or `)`");
            }
        }
        Ok(parameters)
    }
}
