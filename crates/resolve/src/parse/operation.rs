//! Operations and procedures.

use super::{ParseResult, Parser};
use crate::lexer::TokenKind;
use crate::syntax::{Mode, Name, Operation, OperationParameter, Procedure};

impl Parser<'_> {
    /// An operation behind its keyword, up to the end of its specification.
    pub(super) fn operation(&mut self) -> ParseResult<Operation> {
        let mut operation = self.operation_head()?;
        self.specification(&mut operation)?;
        Ok(operation)
    }

    /// The name, parameters and result of an operation.
    fn operation_head(&mut self) -> ParseResult<Operation> {
        let name = self.operation_name()?;
        let mut parameters = Vec::new();
        if self.accept("(") {
            while !self.accept(")") {
                self.operation_parameters(&mut parameters)?;
            }
        }
        let result = if self.accept(":") { Some(self.ty()?) } else { None };
        self.expect(";")?;
        Ok(Operation {
            name,
            parameters,
            result,
            affects: Vec::new(),
            requires: None,
            ensures: None,
        })
    }

    /// Operations may be called `And`, `Or` and `Not`.
    fn operation_name(&mut self) -> ParseResult<Name> {
        let token = self.token(0).clone();
        match token.kind {
            TokenKind::Word(text) if matches!(text.as_str(), "And" | "Or" | "Not") => {
                self.advance();
                Ok(Name { text, span: token.span })
            }
            _ => self.name(),
        }
    }

    fn operation_parameters(
        &mut self,
        parameters: &mut Vec<OperationParameter>,
    ) -> ParseResult<()> {
        let word = self.word();
        if word == "operation" || word == "oper" {
            return self.expected("a parameter; operations as parameters belong to modules");
        }
        let mode = match Mode::named(&word) {
            Some(mode) if self.is_name_at(1) => {
                self.advance();
                mode
            }
            _ => return self.expected("a parameter mode, such as `updates`"),
        };
        let names = self.names()?;
        self.expect(":")?;
        let ty = self.ty()?;
        let one = |name: Name| OperationParameter { mode, name, ty: ty.clone() };
        parameters.extend(names.into_iter().map(one));
        if !self.accept(";") && !self.accept(",") && !self.is(")") {
            return self.expected("`;` or `)`");
        }
        Ok(())
    }

    /// The clauses of a specification, in any order.
    fn specification(&mut self, operation: &mut Operation) -> ParseResult<()> {
        loop {
            match self.word().as_str() {
                "requires" => {
                    self.advance();
                    operation.requires = Some(self.clause()?);
                }
                "ensures" => {
                    self.advance();
                    operation.ensures = Some(self.clause()?);
                }
                "affects" | "updates" | "alters" | "replaces" | "restores" | "preserves"
                | "clears"
                    if self.is_name_at(1)
                        && matches!(self.word_at(2).as_str(), ";" | "," | "::" | ".") =>
                {
                    self.advance();
                    self.affected(&mut operation.affects)?;
                }
                "duration" | "manip_disp" | "mainp_disp" | "time" | "space" => self.skip_clause(),
                _ => return Ok(()),
            }
        }
    }

    fn affected(&mut self, affects: &mut Vec<Name>) -> ParseResult<()> {
        loop {
            let mut name = self.name()?;
            while self.accept("::") || self.accept(".") {
                name = self.name()?;
            }
            affects.push(name);
            if !self.accept(",") {
                return self.expect(";");
            }
        }
    }

    /// Whether the word `Procedure`, perhaps some steps ahead, is followed by a head of its own.
    pub(super) fn has_head(&self, ahead: usize) -> bool {
        self.is_name_at(ahead + 1)
            && match self.word_at(ahead + 2).as_str() {
                "(" => {
                    self.word_at(ahead + 3) == ")"
                        || Mode::named(&self.word_at(ahead + 3)).is_some()
                            && self.is_name_at(ahead + 4)
                }
                ";" => true,
                _ => false,
            }
    }

    /// A procedure at its first word, for an operation whose name is given unless it has a head.
    pub(super) fn procedure(
        &mut self,
        of: Option<&Name>,
    ) -> ParseResult<(Option<Operation>, Procedure)> {
        let start = self.span();
        let mut recursive = self.accept("recursive");
        self.expect("procedure")?;
        let head = match of {
            Some(_) => None,
            None => {
                let mut head = self.operation_head()?;
                self.specification(&mut head)?;
                Some(head)
            }
        };
        let name = match (of, &head) {
            (Some(name), _) => name.clone(),
            (None, Some(head)) => head.name.clone(),
            (None, None) => Name { text: String::new(), span: start },
        };
        let mut procedure = self.procedure_body(&name)?;
        recursive |= procedure.recursive;
        procedure.recursive = recursive;
        procedure.span = self.since(start);
        Ok((head, procedure))
    }

    /// Declarations and statements up to the end of a procedure.
    pub(super) fn procedure_body(&mut self, name: &Name) -> ParseResult<Procedure> {
        let start = self.span();
        let mut procedure = Procedure {
            recursive: false,
            decreasing: None,
            variables: Vec::new(),
            body: Vec::new(),
            span: start,
        };
        loop {
            match self.word().as_str() {
                "decreasing" => {
                    self.advance();
                    procedure.decreasing = Some(self.clause()?);
                }
                "affects" | "ensures" | "requires" | "duration" | "manip_disp" => {
                    self.skip_clause();
                }
                "var" | "variable" | "variables" => {
                    self.advance();
                    let names = self.names()?;
                    self.expect(":")?;
                    let ty = self.ty()?;
                    self.expect(";")?;
                    procedure.variables.push((names, ty));
                }
                _ => break,
            }
        }
        procedure.body = self.statements(&["end"]);
        self.expect("end")?;
        self.end_name(name);
        self.expect(";")?;
        procedure.span = self.since(start);
        Ok(procedure)
    }
}
