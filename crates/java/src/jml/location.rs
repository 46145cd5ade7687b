//! The locations of a frame condition: `assignable x, o.f, o.*, a[i], a[*]`.

use super::lexer::Token;
use super::reader::{ParseError, Reader};
use crate::spec::Location;
use crate::syntax::{Expr, ExprKind, Ident, TextRange};

impl Reader<'_> {
    pub(super) fn locations(&mut self) -> Result<Vec<(Location, TextRange)>, ParseError> {
        let mut locations = Vec::new();
        loop {
            let at = self.at();
            let location = match self.peek().clone() {
                Token::Word(word) if word == "\\nothing" => {
                    self.next();
                    Location::Nothing
                }
                Token::Word(word) if word == "\\everything" || word == "\\not_specified" => {
                    self.next();
                    Location::Everything
                }
                _ => self.location()?,
            };
            let end = self.tokens[self.position - 1].1;
            locations.push((location, at.to(end)));
            if !self.accept(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(locations)
    }

    /// `x`, `o.f`, `o.*`, `a[i]` or `a[*]`.
    fn location(&mut self) -> Result<Location, ParseError> {
        let at = self.at();
        let mut whole = match self.next() {
            Token::Word(word) if word == "this" => Expr { kind: ExprKind::This, at },
            Token::Word(word) => Expr { kind: ExprKind::Name(word), at },
            _ => return Err(self.fault(at, "expected a variable, field or `\\nothing`")),
        };
        loop {
            let here = self.at();
            if self.accept(".") {
                if self.accept("*") {
                    return Ok(Location::Fields(whole));
                }
                let Token::Word(name) = self.next() else {
                    return Err(self.fault(here, "expected a field"));
                };
                let at = whole.at.to(self.tokens[self.position - 1].1);
                let field = Ident { name, at: self.tokens[self.position - 1].1 };
                whole = Expr { kind: ExprKind::Field(Box::new(whole), field), at };
            } else if self.accept("[") {
                if self.accept("*") {
                    self.expect("]")?;
                    return Ok(Location::Elements(whole, None));
                }
                let index = self.expression()?;
                if self.accept("..") {
                    let last = self.expression()?;
                    self.expect("]")?;
                    return Ok(Location::Elements(whole, Some(Box::new((index, last)))));
                }
                self.expect("]")?;
                let at = whole.at.to(self.tokens[self.position - 1].1);
                whole = Expr { kind: ExprKind::Index(Box::new(whole), Box::new(index)), at };
            } else {
                return Ok(Location::One(whole));
            }
        }
    }
}
