//! Types.

use super::{ParseError, ParseResult, Parser};
use crate::limits::TYPE_DEPTH;
use crate::syntax::{Name, TypeSyntax};

impl<'s> Parser<'s, '_> {
    pub(super) fn ty(&mut self) -> ParseResult<TypeSyntax<'s>> {
        self.ty_at(TYPE_DEPTH)
    }

    fn ty_at(&mut self, deeper: usize) -> ParseResult<TypeSyntax<'s>> {
        let Some(deeper) = deeper.checked_sub(1) else {
            self.diagnostics.add(self.at(), format!("types nest at most {TYPE_DEPTH} deep"));
            return Err(ParseError);
        };
        match self.word() {
            "<" | "[" => self.map_type(deeper),
            "int" | "real" | "bool" | "(" => self.type_atom(deeper),
            _ if self.is_name_at(0) => {
                let name = self.name()?;
                let mut arguments = Vec::new();
                loop {
                    match self.word() {
                        "<" | "[" => {
                            arguments.push(self.map_type(deeper)?);
                            break;
                        }
                        "int" | "real" | "bool" | "(" => arguments.push(self.type_atom(deeper)?),
                        _ if self.begins_type_argument() => {
                            arguments.push(TypeSyntax::Named(self.name()?, Vec::new()));
                        }
                        _ => break,
                    }
                }
                Ok(TypeSyntax::Named(name, arguments))
            }
            _ => self.expected("a type"),
        }
    }

    /// Whether a name goes on the type before it. The words that may follow a type are names
    /// elsewhere.
    fn begins_type_argument(&self) -> bool {
        self.is_name_at(0)
            && !matches!(self.word(), "extends" | "complete" | "uses" | "is" | "refines")
    }

    fn type_atom(&mut self, deeper: usize) -> ParseResult<TypeSyntax<'s>> {
        let ty = match self.word() {
            "int" => TypeSyntax::Int,
            "real" => TypeSyntax::Real,
            "bool" => TypeSyntax::Bool,
            _ => {
                self.expect("(")?;
                let inner = self.ty_at(deeper)?;
                self.expect(")")?;
                return Ok(inner);
            }
        };
        self.advance();
        Ok(ty)
    }

    fn map_type(&mut self, deeper: usize) -> ParseResult<TypeSyntax<'s>> {
        let start = self.at();
        let parameters = self.type_parameters()?;
        self.expect("[")?;
        let keys = self.list("]", |parser| parser.ty_at(deeper))?;
        let at = self.since(start);
        let value = self.ty_at(deeper)?;
        Ok(TypeSyntax::Map(parameters, keys, Box::new(value), at))
    }

    /// `<a, b>`, or nothing.
    pub(super) fn type_parameters(&mut self) -> ParseResult<Vec<Name<'s>>> {
        if !self.accept("<") {
            return Ok(Vec::new());
        }
        let names = self.names()?;
        self.expect(">")?;
        Ok(names)
    }
}
