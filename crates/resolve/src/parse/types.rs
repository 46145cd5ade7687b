//! Types as they are written.

use super::{ParseResult, Parser};
use crate::syntax::{Name, TypeExp, TypeKind};

impl Parser<'_> {
    pub(super) fn ty(&mut self) -> ParseResult<TypeExp> {
        self.nested(|parser| {
            let start = parser.span();
            let first = parser.factor_type()?;
            let mut factors = vec![first];
            while parser.accept("*") {
                factors.push(parser.factor_type()?);
            }
            if parser.accept("->") {
                let to = parser.ty()?;
                let kind = TypeKind::Function(factors, Box::new(to));
                return Ok(TypeExp { kind, span: parser.since(start) });
            }
            if let [_] = factors.as_slice() {
                return Ok(factors.remove(0));
            }
            // An unnamed product: its parts are called by their numbers.
            let named = factors.into_iter().enumerate().map(|(number, ty)| {
                let name = Name { text: (number + 1).to_string(), span: ty.span };
                (name, ty)
            });
            let kind = TypeKind::Product(named.collect());
            Ok(TypeExp { kind, span: parser.since(start) })
        })
    }

    fn factor_type(&mut self) -> ParseResult<TypeExp> {
        let start = self.span();
        let kind = match self.word().as_str() {
            "cart_prod" | "record" => {
                self.advance();
                let fields = self.fields("end")?;
                TypeKind::Product(fields)
            }
            "array" => {
                self.advance();
                let low = self.sum()?;
                self.expect("..")?;
                let high = self.sum()?;
                self.expect("of")?;
                let entry = self.ty()?;
                TypeKind::Array(Box::new(low), Box::new(high), Box::new(entry))
            }
            "(" => {
                self.advance();
                // `(Left: Str(Entry); Right: Str(Entry))` is a product, `(Z -> Entry)` is grouped.
                if self.is_name_at(0) && matches!(self.word_at(1).as_str(), ":" | ",") {
                    TypeKind::Product(self.fields(")")?)
                } else {
                    let inner = self.ty()?;
                    self.expect(")")?;
                    return Ok(inner);
                }
            }
            _ => {
                let name = self.name()?;
                if self.accept("(") {
                    let mut arguments = vec![self.ty()?];
                    while self.accept(",") {
                        arguments.push(self.ty()?);
                    }
                    self.expect(")")?;
                    TypeKind::Apply(name, arguments)
                } else if self.accept("::") || (self.is(".") && self.is_name_at(1)) {
                    self.accept(".");
                    TypeKind::Name(Some(name), self.name()?)
                } else {
                    TypeKind::Name(None, name)
                }
            }
        };
        Ok(TypeExp { kind, span: self.since(start) })
    }

    /// Fields up to a closing word.
    fn fields(&mut self, close: &str) -> ParseResult<Vec<(Name, TypeExp)>> {
        let mut fields = Vec::new();
        while !self.accept(close) {
            let names = self.names()?;
            self.expect(":")?;
            let ty = self.ty()?;
            fields.extend(names.into_iter().map(|name| (name, ty.clone())));
            if !self.accept(";") && !self.accept(",") && !self.is(close) {
                return self.expected(&format!("`;` or `{close}`"));
            }
        }
        Ok(fields)
    }
}
