//! Statements. A broken one is skipped up to its semicolon.

use super::{ParseResult, Parser};
use crate::syntax::{Loop, Statement, StatementKind};

impl Parser<'_> {
    /// Statements up to one of some words, which is not read.
    pub(super) fn statements(&mut self, until: &[&str]) -> Vec<Statement> {
        let mut statements = Vec::new();
        while !self.at_end() && !until.contains(&self.word().as_str()) {
            let start = self.span();
            match self.nested(Self::statement) {
                Ok(kind) => statements.push(Statement { kind, span: self.since(start) }),
                Err(_) => {
                    self.skip_clause();
                    let what = "what could not be read".to_owned();
                    let kind = StatementKind::Skipped(what);
                    statements.push(Statement { kind, span: self.since(start) });
                }
            }
        }
        statements
    }

    fn statement(&mut self) -> ParseResult<StatementKind> {
        match self.word().as_str() {
            "if" => self.choice(),
            "while" => self.repetition(),
            "assume" => {
                self.advance();
                Ok(StatementKind::Assume(self.clause()?))
            }
            "confirm" => {
                self.advance();
                Ok(StatementKind::Confirm(self.clause()?))
            }
            "remember" | "forget" => {
                let is_now = self.is("remember");
                self.advance();
                self.expect(";")?;
                Ok(StatementKind::Remember(is_now))
            }
            "presume" | "affecting" => {
                let what = format!("`{}`", self.word());
                self.skip_clause();
                Ok(StatementKind::Skipped(what))
            }
            "call" => {
                self.advance();
                Ok(StatementKind::Call(self.clause()?))
            }
            _ => {
                let target = self.sum()?;
                if self.accept(":=:") {
                    return Ok(StatementKind::Swap(target, self.clause()?));
                }
                if self.accept(":=") {
                    return Ok(StatementKind::Assign(target, self.clause()?));
                }
                self.expect(";")?;
                Ok(StatementKind::Call(target))
            }
        }
    }

    fn choice(&mut self) -> ParseResult<StatementKind> {
        self.choice_after("if")
    }

    fn chained_choice(&mut self) -> ParseResult<StatementKind> {
        self.choice_after("elseif")
    }

    fn choice_after(&mut self, word: &str) -> ParseResult<StatementKind> {
        self.expect(word)?;
        let condition = self.exp()?;
        self.expect("then")?;
        let then = self.statements(&["end", "else", "elseif"]);
        let otherwise = if self.is("elseif") {
            let start = self.span();
            // Read as an `If` within the `else`, which ends where this one does.
            let kind = self.nested(Self::chained_choice)?;
            return Ok(StatementKind::If(
                condition,
                then,
                vec![Statement { kind, span: self.since(start) }],
            ));
        } else if self.accept("else") {
            self.statements(&["end"])
        } else {
            Vec::new()
        };
        self.end_of("if")?;
        Ok(StatementKind::If(condition, then, otherwise))
    }

    fn repetition(&mut self) -> ParseResult<StatementKind> {
        self.expect("while")?;
        let mut one = Loop {
            condition: self.exp()?,
            changing: None,
            maintaining: None,
            decreasing: None,
            body: Vec::new(),
            end: self.span(),
        };
        while !self.accept("do") {
            match self.word().as_str() {
                "changing" | "affecting" => {
                    self.advance();
                    one.changing = Some(self.names()?);
                    self.expect(";")?;
                }
                "maintaining" => {
                    self.advance();
                    one.maintaining = Some(self.clause()?);
                }
                "decreasing" => {
                    self.advance();
                    one.decreasing = Some(self.clause()?);
                }
                "elapsed_time" | "manip_disp" => self.skip_clause(),
                _ => return self.expected("`changing`, `maintaining`, `decreasing` or `do`"),
            }
        }
        one.body = self.statements(&["end"]);
        one.end = self.span();
        self.end_of("while")?;
        Ok(StatementKind::While(Box::new(one)))
    }

    /// `end;`, with or without the word that it ends.
    fn end_of(&mut self, word: &str) -> ParseResult<()> {
        self.expect("end")?;
        self.accept(word);
        self.accept("loop");
        self.expect(";")
    }
}
