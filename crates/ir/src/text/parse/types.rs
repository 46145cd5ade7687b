//! Types.

use super::{ParseError, ParseResult, Parser};
use crate::text::syntax::TypeSyntax;
use crate::types::Type;

impl<'s> Parser<'s, '_> {
    pub(super) fn ty(&mut self) -> ParseResult<TypeSyntax<'s>> {
        self.nested_type(Type::MAX_DEPTH)
    }

    fn nested_type(&mut self, deeper: usize) -> ParseResult<TypeSyntax<'s>> {
        let Some(deeper) = deeper.checked_sub(1) else {
            self.diagnostics.add(self.at(), format!("types nest at most {} deep", Type::MAX_DEPTH));
            return Err(ParseError);
        };
        let word = self.word();
        let simple = match word {
            "bool" => TypeSyntax::Bool,
            "int" => TypeSyntax::Int,
            "ptr" => TypeSyntax::Ptr,
            "bytes" => TypeSyntax::Bytes,
            "seq" => {
                self.position += 1;
                self.expect("<")?;
                let element = self.nested_type(deeper)?;
                self.expect(">")?;
                return Ok(TypeSyntax::Seq(Box::new(element)));
            }
            "[" => {
                self.position += 1;
                let keys = self.list("]", |parser| parser.nested_type(deeper))?;
                if keys.is_empty() {
                    return self.expected("the type of a key before `]`");
                }
                let value = self.nested_type(deeper)?;
                return Ok(TypeSyntax::Map(keys, Box::new(value)));
            }
            _ => match word_width(word) {
                Some(width) if (1..=Type::MAX_WIDTH).contains(&width) => TypeSyntax::Bv(width),
                Some(_) => {
                    let message = format!("a word has 1 to {} bits", Type::MAX_WIDTH);
                    self.diagnostics.add(self.at(), message);
                    return Err(ParseError);
                }
                None => return Ok(TypeSyntax::Named(self.name()?)),
            },
        };
        self.position += 1;
        Ok(simple)
    }
}

/// The width in `bvN`; zero if N is too large a number.
pub(in crate::text) fn word_width(word: &str) -> Option<u32> {
    let digits = word.strip_prefix("bv")?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(0))
}
