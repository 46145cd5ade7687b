//! Procedures, implementations and their contracts, and what concurrency adds to them.

use super::declaration::{VariableListKind, has, text_of};
use super::{ParseResult, Parser};
use crate::diagnostics::TextRange;
use crate::syntax::{
    Attribute, BodySyntax, ClauseSyntax, ExprSyntax, ImplementationSyntax, ProcedureSyntax,
    SignatureSyntax,
};

impl<'s> Parser<'s, '_> {
    fn signature(
        &mut self,
        what: VariableListKind,
    ) -> ParseResult<(SignatureSyntax<'s>, Vec<Attribute<'s>>)> {
        let attributes = self.declared_attributes()?;
        let name = self.name()?;
        let type_parameters = self.type_parameters()?;
        let formals = |parser: &mut Self| {
            parser.expect("(")?;
            let mut formals = Vec::new();
            if parser.word() != ")" {
                formals = parser.variables(what)?;
            }
            parser.expect(")")?;
            Ok(formals)
        };
        let parameters = formals(self)?;
        let results = if self.accept("returns") { formals(self)? } else { Vec::new() };
        Ok((SignatureSyntax { name, type_parameters, parameters, results }, attributes))
    }

    /// A procedure, with what is beyond us about it if we know already.
    pub(super) fn procedure(&mut self, unsupported: Option<&'static str>) -> ParseResult<()> {
        let start = self.at();
        self.advance();
        let (signature, attributes) = self.signature(VariableListKind::Formal)?;
        let mut unsupported = unsupported;
        if has(&attributes, "selective_checking") {
            let what = "selective checking";
            self.note_unsupported(self.since(start), what);
            unsupported = Some(what);
        }
        let mut procedure = ProcedureSyntax {
            signature,
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            body: None,
            unsupported,
            at: self.since(start),
        };
        let declared_only = self.accept(";");
        while self.clause(&mut procedure)? {}
        if !declared_only {
            if self.word() != "{" {
                return self.expected("a contract or a body");
            }
            procedure.body = self.body()?;
        }
        self.module.procedures.push(procedure);
        Ok(())
    }

    /// One clause of a contract, if there is one.
    fn clause(&mut self, procedure: &mut ProcedureSyntax<'s>) -> ParseResult<bool> {
        let start = self.at();
        let free = self.word() == "free";
        match self.word_at(usize::from(free)) {
            word @ ("requires" | "ensures" | "asserts") => {
                if word == "asserts" && !self.begins_clause() {
                    return Ok(false);
                }
                self.position += usize::from(free) + 1;
                let attributes = self.attributes()?;
                if matches!(self.word(), "call" | "async" | "par") {
                    self.unsupported_clause(procedure, start)?;
                    return Ok(true);
                }
                let condition = self.expression()?;
                let at = self.since(start);
                self.expect(";")?;
                let message = text_of(&attributes, "msg").unwrap_or_default().to_owned();
                let clause = ClauseSyntax { condition, free, message, at };
                match word {
                    "requires" => procedure.requires.push(clause),
                    "ensures" => procedure.ensures.push(clause),
                    _ => {
                        self.note_unsupported(at, "the gate of an action");
                        procedure.unsupported = Some("the gate of an action");
                    }
                }
            }
            "modifies" => {
                self.advance();
                if self.word() != ";" {
                    procedure.modifies.extend(self.names()?);
                }
                self.expect(";")?;
            }
            "preserves" | "refines" | "creates" if self.begins_clause() => {
                self.advance();
                self.unsupported_clause(procedure, start)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether a word that is a name elsewhere begins a clause: more follows it.
    fn begins_clause(&self) -> bool {
        !matches!(self.word_at(1), ";" | "(" | ":=" | ":" | ",")
    }

    /// A clause that only concurrency has, up to its semicolon or the end of its body.
    fn unsupported_clause(
        &mut self,
        procedure: &mut ProcedureSyntax<'s>,
        start: TextRange,
    ) -> ParseResult<()> {
        let mut depth = 0_usize;
        loop {
            match self.word() {
                ";" if depth == 0 => {
                    self.advance();
                    break;
                }
                "{" => depth += 1,
                "}" if depth <= 1 => {
                    if depth == 1 {
                        self.advance();
                    }
                    // An attribute's brace does not end the clause, that of a body does.
                    if self.word() != ";" && !self.is_name_at(0) {
                        break;
                    }
                    depth = 0;
                    continue;
                }
                "}" => depth -= 1,
                _ if self.at_end() => return self.expected("`;`"),
                _ => {}
            }
            self.advance();
        }
        let what = "a contract between threads";
        self.note_unsupported(self.since(start), what);
        procedure.unsupported = Some(what);
        Ok(())
    }

    pub(super) fn note_unsupported(&mut self, at: TextRange, what: &str) {
        self.diagnostics.note(at, format!("{what} is not modelled"));
    }

    pub(super) fn implementation(&mut self) -> ParseResult<()> {
        let start = self.at();
        self.advance();
        let (signature, _) = self.signature(VariableListKind::ImplementationFormal)?;
        let at = self.since(start);
        if self.word() != "{" {
            return self.expected("a body");
        }
        if let Some(body) = self.body()? {
            self.module.implementations.push(ImplementationSyntax { signature, body, at });
        }
        Ok(())
    }

    /// `yield procedure`, `atomic action` and the like: procedures that other threads may watch.
    pub(super) fn qualified_procedure(&mut self) -> ParseResult<()> {
        let start = self.at();
        let mut what = "a procedure of several threads";
        loop {
            match self.word() {
                "pure" if self.word_at(1) == "procedure" => {
                    self.advance();
                    return self.procedure(None);
                }
                "procedure" => {
                    self.note_unsupported(self.since(start), what);
                    return self.procedure(Some(what));
                }
                "action" => {
                    what = "an atomic action";
                    self.note_unsupported(self.since(start).to(self.at()), what);
                    return self.procedure(Some(what));
                }
                "invariant" => return self.yield_invariant(),
                "yield" | "pure" | "async" | "left" | "right" | "both" | "atomic" | "link" => {
                    self.advance();
                }
                _ => return self.expected("`procedure` or `action`"),
            }
        }
    }

    /// `invariant name(x: T); invariant e;`, which only yields refer to.
    pub(super) fn yield_invariant(&mut self) -> ParseResult<()> {
        let start = self.at();
        self.advance();
        self.signature(VariableListKind::Formal)?;
        self.note_unsupported(self.since(start), "an invariant between threads");
        self.accept(";");
        while matches!(self.word(), "invariant" | "preserves") {
            self.advance();
            self.attributes()?;
            let _: ExprSyntax = self.expression()?;
            self.expect(";")?;
        }
        Ok(())
    }

    /// A body between braces. Nothing if it could not be read to its end.
    fn body(&mut self) -> ParseResult<Option<BodySyntax<'s>>> {
        self.expect("{")?;
        let mut body = BodySyntax::default();
        let first = self.next_node();
        while self.word() == "var" {
            let start = self.position;
            if self.local(&mut body).is_err() {
                let names: Vec<&str> =
                    (start..self.position).map(|index| self.text(self.tokens[index])).collect();
                self.module.broken.extend(names);
                self.skip_statement();
            }
        }
        let root = self.sequence(&mut body)?;
        body.root = root;
        if self.next_node() > first {
            body.nodes = Some(self.whole(first, self.next_node() - 1));
        }
        body.end = self.tokens[self.position.saturating_sub(1)].at;
        Ok(Some(body))
    }

    fn local(&mut self, body: &mut BodySyntax<'s>) -> ParseResult<()> {
        self.advance();
        let attributes = self.attributes()?;
        let mut variables = self.variables(VariableListKind::Variable)?;
        self.gather_assumptions(&attributes, &mut variables);
        body.locals.extend(variables);
        self.expect(";")
    }
}
