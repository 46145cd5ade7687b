//! Declarations of types, constants, functions, axioms and variables.

use super::{ParseError, ParseResult, Parser};
use crate::lexer::TokenKind;
use crate::syntax::{
    Attribute, ClauseSyntax, ConstantSyntax, FunctionSyntax, Name, TypeDeclaration,
    TypeDeclarationKind, TypeSyntax, VariableSyntax,
};

impl<'s> Parser<'s, '_> {
    pub(super) fn declaration(&mut self) {
        let start = self.position;
        let done = match self.word() {
            "type" => self.types(),
            "datatype" => self.datatype(),
            "const" => self.constants(),
            "function" => self.function(),
            "revealed" if self.word_at(1) == "function" => {
                self.advance();
                self.function()
            }
            "axiom" => self.axiom(),
            "hideable" if self.word_at(1) == "axiom" => {
                self.advance();
                self.axiom()
            }
            "var" => self.global(),
            "procedure" => self.procedure(None),
            "implementation" => self.implementation(),
            "invariant" => self.yield_invariant(),
            "yield" | "pure" | "async" | "left" | "right" | "both" | "atomic" | "action"
            | "link" => self.qualified_procedure(),
            _ => self.expected("a declaration"),
        };
        if done.is_err() {
            self.note_broken_name(start);
            if self.position == start {
                self.advance();
            }
            self.skip_declaration();
        }
    }

    /// Remembers what a broken declaration would have declared, so that uses are not reported.
    fn note_broken_name(&mut self, start: usize) {
        let end = self.position.min(start + 40);
        for index in start + 1..=end.min(self.tokens.len() - 1) {
            let token = self.tokens[index];
            if token.kind == TokenKind::Word && !super::is_reserved(self.text(token)) {
                let name = self.text(token);
                self.module.broken.push(name);
                if matches!(self.text(self.tokens[start]), "procedure" | "function") {
                    return;
                }
            }
        }
    }

    fn skip_declaration(&mut self) {
        while !self.at_end() {
            match self.word() {
                "type" | "const" | "function" | "axiom" | "procedure" | "implementation" => return,
                "var" | "datatype" if self.begins_line() => return,
                _ => self.advance(),
            }
        }
    }

    /// Whether the next token is the first character of its line.
    fn begins_line(&self) -> bool {
        let start = self.at().start as usize;
        start == 0 || self.source.as_bytes()[start - 1] == b'\n'
    }

    fn types(&mut self) -> ParseResult<()> {
        self.advance();
        let attributes = self.declared_attributes()?;
        if self.word() == "finite" && self.is_name_at(1) {
            self.advance();
        }
        loop {
            let name = self.name()?;
            let mut parameters = Vec::new();
            while self.is_name_at(0) {
                parameters.push(self.name()?);
            }
            let kind = if self.accept("=") {
                TypeDeclarationKind::Synonym(self.ty()?)
            } else {
                let sequence = text_of(&attributes, "builtin") == Some("Seq");
                TypeDeclarationKind::Opaque { datatype: has(&attributes, "datatype"), sequence }
            };
            self.module.types.push(TypeDeclaration { name, parameters, kind });
            if !self.accept(",") {
                return self.expect(";");
            }
        }
    }

    fn datatype(&mut self) -> ParseResult<()> {
        self.advance();
        self.declared_attributes()?;
        let name = self.name()?;
        let parameters = self.type_parameters()?;
        self.expect("{")?;
        let constructors = self.list("}", |parser| {
            let name = parser.name()?;
            parser.expect("(")?;
            let mut fields = Vec::new();
            if parser.word() != ")" {
                fields = parser.variables(VariableListKind::Field)?;
            }
            parser.expect(")")?;
            Ok((name, fields))
        })?;
        // The grammar has no semicolon after a datatype, but programs do.
        self.accept(";");
        let kind = TypeDeclarationKind::Datatype(constructors);
        self.module.types.push(TypeDeclaration { name, parameters, kind });
        Ok(())
    }

    fn constants(&mut self) -> ParseResult<()> {
        let start = self.at();
        self.advance();
        let attributes = self.declared_attributes()?;
        let unique = self.accept("unique");
        let names = self.names()?;
        self.expect(":")?;
        let ty = self.ty()?;
        let mut constant = ConstantSyntax { unique, is_ordered: false, parents: Vec::new() };
        if self.accept("extends") {
            constant.is_ordered = true;
            while self.word() != ";" && self.word() != "complete" && self.word() != "uses" {
                self.accept("unique");
                constant.parents.push(self.name()?);
                if !self.accept(",") {
                    break;
                }
            }
        }
        if self.word() == "complete" {
            self.advance();
            constant.is_ordered = true;
        }
        let at = self.since(start);
        for name in names {
            self.module.functions.push(FunctionSyntax {
                name,
                attributes: attributes.clone(),
                type_parameters: Vec::new(),
                parameters: Vec::new(),
                result: ty.clone(),
                body: None,
                constant: Some(constant.clone()),
                at,
            });
        }
        if self.word() == "uses" { self.uses() } else { self.expect(";") }
    }

    /// `uses { axiom …; }`.
    fn uses(&mut self) -> ParseResult<()> {
        self.advance();
        self.expect("{")?;
        while !self.accept("}") {
            if self.word() == "hideable" {
                self.advance();
            }
            if self.word() != "axiom" {
                return self.expected("`axiom` or `}`");
            }
            self.axiom()?;
        }
        Ok(())
    }

    fn function(&mut self) -> ParseResult<()> {
        let start = self.at();
        self.advance();
        let attributes = self.declared_attributes()?;
        let name = self.name()?;
        let type_parameters = self.type_parameters()?;
        self.expect("(")?;
        let mut parameters = self.list(")", Self::name_or_type)?;
        self.name_parameters(&mut parameters)?;
        let result = if self.accept("returns") {
            self.expect("(")?;
            let (_, ty) = self.name_or_type()?;
            self.expect(")")?;
            ty
        } else if self.accept(":") {
            self.ty()?
        } else {
            return self.expected("`returns` or `:`");
        };
        let mut body = None;
        let mut at = self.since(start);
        let mut closed = false;
        if self.accept("{") {
            body = Some(self.expression()?);
            self.expect("}")?;
            at = self.since(start);
            closed = true;
            self.check_definition(&attributes, &type_parameters);
        }
        let constant = None;
        self.module.functions.push(FunctionSyntax {
            name,
            attributes,
            type_parameters,
            parameters,
            result,
            body,
            constant,
            at,
        });
        if self.word() == "uses" {
            self.uses()
        } else if closed {
            Ok(())
        } else {
            self.expect(";")
        }
    }

    /// A body that a prover takes as a definition is neither expanded nor polymorphic. What is wrong is
    /// reported behind the body.
    fn check_definition(&mut self, attributes: &[Attribute<'s>], type_parameters: &[Name<'s>]) {
        if !has(attributes, "define") {
            return;
        }
        let at = self.tokens[self.position.saturating_sub(1)].at;
        if has(attributes, "inline") {
            self.diagnostics.add(at, "a function has either `:inline` or `:define`");
        }
        if !type_parameters.is_empty() {
            self.diagnostics.add(at, "a function with `:define` has no type parameters");
        }
    }

    /// `x: T` or `T`.
    fn name_or_type(&mut self) -> ParseResult<(Option<Name<'s>>, TypeSyntax<'s>)> {
        self.attributes()?;
        let first = self.at();
        let ty = self.ty()?;
        if !self.accept(":") {
            return Ok((None, ty));
        }
        match ty {
            TypeSyntax::Named(name, arguments) if arguments.is_empty() => {
                Ok((Some(name), self.ty()?))
            }
            TypeSyntax::Bool
            | TypeSyntax::Int
            | TypeSyntax::Real
            | TypeSyntax::Named(..)
            | TypeSyntax::Map(..) => {
                self.diagnostics.add(self.since(first), "expected a name before `:`");
                Err(ParseError)
            }
        }
    }

    /// In `(x, y: T)` what looked like the type `x` is a name, whose type comes later.
    fn name_parameters(
        &mut self,
        parameters: &mut [(Option<Name<'s>>, TypeSyntax<'s>)],
    ) -> ParseResult<()> {
        if parameters.iter().all(|(name, _)| name.is_none()) {
            return Ok(());
        }
        let mut next: Option<TypeSyntax<'s>> = None;
        for (name, ty) in parameters.iter_mut().rev() {
            if name.is_some() {
                next = Some(ty.clone());
                continue;
            }
            let Some(known) = &next else {
                self.diagnostics.add(self.at(), "the type of the last parameter is not given");
                return Err(ParseError);
            };
            match ty {
                TypeSyntax::Named(written, arguments) if arguments.is_empty() => {
                    *name = Some(*written);
                    *ty = known.clone();
                }
                TypeSyntax::Bool
                | TypeSyntax::Int
                | TypeSyntax::Real
                | TypeSyntax::Named(..)
                | TypeSyntax::Map(..) => {
                    self.diagnostics
                        .add(self.at(), "either all parameters have a name or none has");
                    return Err(ParseError);
                }
            }
        }
        Ok(())
    }

    pub(super) fn axiom(&mut self) -> ParseResult<()> {
        let start = self.at();
        self.advance();
        self.declared_attributes()?;
        let condition = self.expression()?;
        let at = self.since(start);
        self.expect(";")?;
        let (free, message) = (false, String::new());
        self.module.axioms.push(ClauseSyntax { condition, free, message, at });
        Ok(())
    }

    fn global(&mut self) -> ParseResult<()> {
        self.advance();
        let attributes = self.declared_attributes()?;
        let mut variables = self.variables(VariableListKind::Variable)?;
        self.expect(";")?;
        self.gather_assumptions(&attributes, &mut variables);
        self.module.globals.extend(variables);
        Ok(())
    }

    /// Marks variables that gather assumptions.
    pub(super) fn gather_assumptions(
        &mut self,
        attributes: &[Attribute<'s>],
        variables: &mut [VariableSyntax<'s>],
    ) {
        if !has(attributes, "assumption") {
            return;
        }
        for variable in variables {
            variable.is_assumption = true;
            if variable.condition.take().is_some() {
                let message = "a variable that gathers assumptions has no `where`";
                self.diagnostics.add(variable.name.at, message);
            }
        }
    }

    /// `x, y: T where e, z: U`.
    pub(super) fn variables(
        &mut self,
        what: VariableListKind,
    ) -> ParseResult<Vec<VariableSyntax<'s>>> {
        let mut variables = Vec::new();
        loop {
            let at = self.at();
            if !self.attributes()?.is_empty() && what == VariableListKind::ImplementationFormal {
                let message = format!("{} have no attributes", what.words());
                self.diagnostics.add(self.since(at), message);
            }
            let names = self.names()?;
            self.expect(":")?;
            let ty = self.ty()?;
            let mut condition = None;
            let at = self.at();
            if self.accept("where") {
                condition = Some(self.expression()?);
                if !matches!(what, VariableListKind::Variable | VariableListKind::Formal) {
                    self.diagnostics
                        .add(self.since(at), format!("{} have no `where`", what.words()));
                    condition = None;
                }
            }
            for name in names {
                variables.push(VariableSyntax {
                    name,
                    ty: ty.clone(),
                    condition,
                    is_assumption: false,
                });
            }
            if !self.accept(",") {
                return Ok(variables);
            }
        }
    }
}

/// The kinds of variable lists.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum VariableListKind {
    /// Of the program, or of a body.
    Variable,
    /// Of a procedure.
    Formal,
    /// Of an implementation, which repeats those of its procedure.
    ImplementationFormal,
    Bound,
    Field,
}

impl VariableListKind {
    fn words(self) -> &'static str {
        match self {
            VariableListKind::Variable => "variables",
            VariableListKind::Formal => "parameters",
            VariableListKind::ImplementationFormal => "the parameters of implementations",
            VariableListKind::Bound => "bound variables",
            VariableListKind::Field => "constructors",
        }
    }
}

/// Whether there is an attribute of this name that does not say `false`.
pub(crate) fn has(attributes: &[Attribute<'_>], name: &str) -> bool {
    attributes.iter().any(|attribute| attribute.name == name && !attribute.off)
}

/// The text of an attribute.
pub(crate) fn text_of<'s>(attributes: &[Attribute<'s>], name: &str) -> Option<&'s str> {
    attributes.iter().find(|attribute| attribute.name == name)?.text
}
