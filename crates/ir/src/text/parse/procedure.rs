//! Procedures: header, contract, variables, blocks.

use std::borrow::Cow;

use super::{ParseResult, Parser};
use crate::text::lexer::TokenKind;
use crate::text::syntax::{
    BlockSyntax, BodySyntax, ContractSyntax, FactsSyntax, Name, ProcedureSyntax,
};

impl<'s> Parser<'s, '_> {
    pub(super) fn procedure(&mut self) -> ParseResult<ProcedureSyntax<'s>> {
        let start = self.at();
        self.position += 1;
        let name = self.name()?;
        self.expect("(")?;
        let parameters = self.list(")", |parser| parser.declared(parser.at()))?;
        let mut results = Vec::new();
        if self.accept("returns") {
            self.expect("(")?;
            results = self.list(")", |parser| parser.declared(parser.at()))?;
        }
        let display = self.display()?;
        let annotation = self.annotation()?;
        let at = self.since(start);
        let mut contract = ContractSyntax::default();
        while matches!(
            self.word(),
            "requires" | "ensures" | "modifies" | "decreases" | "external" | "free"
        ) {
            if self.contract_clause(&mut contract).is_err() {
                self.skip_clause();
            }
        }
        let body = if self.accept("{") {
            Some(self.body())
        } else {
            // A semicolon is needed only where no clause has closed the declaration already.
            let closed = self.text(self.position.saturating_sub(1)) == ";";
            if !self.accept(";") && !closed {
                return self.expected("`{`, `;` or a clause of the contract");
            }
            None
        };
        Ok(ProcedureSyntax { name, display, parameters, results, annotation, contract, body, at })
    }

    fn contract_clause(&mut self, contract: &mut ContractSyntax) -> ParseResult<()> {
        let start = self.at();
        let free = self.accept("free");
        if self.accept("requires") {
            let clause = self.clause(start, free)?;
            contract.requires.push(clause);
        } else if self.accept("ensures") {
            let exceptional = self.accept("exceptional");
            let invariant = self.accept("invariant");
            let clause = self.clause(start, free)?;
            contract.ensures.push((exceptional, invariant, clause));
        } else if free {
            return self.expected("`requires` or `ensures`");
        } else if self.accept("modifies") {
            let places = contract.modifies.get_or_insert_default();
            if !self.accept("nothing") {
                loop {
                    places.push(self.place()?);
                    if !self.accept(",") {
                        break;
                    }
                }
            }
            self.expect(";")?;
        } else if self.accept("external") {
            contract.external = true;
            self.expect(";")?;
        } else {
            self.expect("decreases")?;
            contract.decreases = Some(self.expression()?);
            self.expect(";")?;
        }
        Ok(())
    }

    /// A body, from behind its opening to behind its closing brace.
    fn body(&mut self) -> BodySyntax<'s> {
        let mut variables = Vec::new();
        while matches!(self.word(), "var" | "ghost") {
            match self.variable() {
                Ok(variable) => variables.push(variable),
                Err(_) => self.skip_statement(),
            }
        }
        let mut blocks = Vec::new();
        while !self.body_ends() {
            blocks.push(self.block(blocks.is_empty()));
        }
        if blocks.is_empty() {
            self.diagnostics.add_with(self.at(), "this body is empty", "expected a block");
        }
        if !self.accept("}") {
            let note = "expected `}` at the end of the body".to_owned();
            let message = format!("{} is out of place", self.describe());
            self.diagnostics.add_with(self.at(), message, note);
        }
        BodySyntax { variables, blocks }
    }

    /// Whether the body is over, be it because a closing brace was forgotten.
    pub(super) fn body_ends(&self) -> bool {
        let word = self.word();
        let may_be_inside = matches!(word, "invariant" | "var" | "ghost");
        self.at_end() || word == "}" || !may_be_inside && self.begins_declaration()
    }

    fn block(&mut self, is_first: bool) -> BlockSyntax<'s> {
        let label = self.label(is_first);
        let facts = self.facts();
        let mut statements = Vec::new();
        let mut terminator = None;
        let mut ended = false;
        while !self.body_ends() && !self.at_label() {
            if ended {
                let message = "this cannot be reached: the block has already said where it leads";
                self.diagnostics.add_with(self.at(), message, "expected a label or `}`");
                while !self.body_ends() && !self.at_label() {
                    self.skip_statement();
                }
                break;
            }
            if matches!(self.word(), "goto" | "branch" | "exit" | "cut") {
                ended = true;
                match self.terminator() {
                    Ok(read) => terminator = Some(read),
                    Err(_) => self.skip_statement(),
                }
            } else {
                statements.push(self.statement());
            }
        }
        if !ended {
            let message = format!("the block {} does not say where it leads", label.text);
            self.diagnostics.add_with(
                label.at,
                message,
                "expected goto, branch, exit or cut at its end",
            );
        }
        BlockSyntax { label, facts, statements, terminator }
    }

    /// The label of a block; the first one need not have any.
    fn label(&mut self, is_first: bool) -> Name<'s> {
        if self.at_label()
            && let Ok(name) = self.name()
        {
            self.position += 1;
            return name;
        }
        if !is_first {
            self.diagnostics.add_with(self.at(), "a block begins here", "expected its label");
        }
        Name { text: Cow::Borrowed("entry"), mark: 0, at: self.at() }
    }

    /// Whether a name and a colon stand here.
    pub(super) fn at_label(&self) -> bool {
        let is_name = match self.kind() {
            TokenKind::Word => !super::is_reserved(self.token_text()),
            TokenKind::Quoted => true,
            TokenKind::Number
            | TokenKind::Text
            | TokenKind::Label
            | TokenKind::Symbol
            | TokenKind::End => false,
        };
        is_name && self.text(self.position + 1) == ":"
    }

    /// The specification of the loop whose header is this block.
    fn facts(&mut self) -> Option<FactsSyntax> {
        let mut facts: Option<FactsSyntax> = None;
        loop {
            let start = self.at();
            let free = self.word() == "free" && self.text(self.position + 1) == "invariant";
            let read = match self.word() {
                "loop" if self.text(self.position + 1) == ";" => {
                    self.position += 1;
                    facts.get_or_insert_default();
                    self.expect(";")
                }
                "decreases" => {
                    self.position += 1;
                    self.expression().and_then(|measure| {
                        facts.get_or_insert_default().decreases = Some(measure);
                        self.expect(";")
                    })
                }
                word if word == "invariant" || free => {
                    self.position += if free { 2 } else { 1 };
                    self.clause(start, free)
                        .map(|clause| facts.get_or_insert_default().invariants.push(clause))
                }
                _ => return facts,
            };
            if read.is_err() {
                self.skip_statement();
            }
        }
    }

    /// Goes behind the next semicolon, or to where the body seems to begin.
    fn skip_clause(&mut self) {
        while !(self.body_ends() || self.begins_line() && self.word() == "{") {
            self.position += 1;
            if self.text(self.position - 1) == ";" {
                return;
            }
        }
    }

    /// Goes behind the next semicolon, or to where the block or body seems to end.
    pub(super) fn skip_statement(&mut self) {
        while !self.body_ends() {
            if self.begins_line() && self.at_label() {
                return;
            }
            self.position += 1;
            if self.text(self.position - 1) == ";" {
                return;
            }
        }
    }
}
