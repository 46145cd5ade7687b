//! Expressions of JML: those of Java without effects, and its own.

use super::lexer::Token;
use super::reader::{ParseError, Reader};
use crate::read::{integer, unquoted};
use crate::syntax::{
    Binary, Expr, ExprKind, Ident, Literal, Quantifier, Receiver, Spec, TextRange, TypeRef,
    TypeRefKind, Unary,
};

/// How tightly operators bind, loosest first. `==>` associates to the right.
const LEVELS: [&[&str]; 12] = [
    &["<==>", "<=!=>"],
    &["==>", "<=="],
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>", ">>>"],
    &["+", "-"],
    &["*", "/", "%"],
];

const IMPLICATION: usize = 1;
const RELATIONAL: usize = 8;

impl Reader<'_> {
    pub(super) fn expression(&mut self) -> Result<Expr, ParseError> {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || {
            let condition = self.binary(0)?;
            if !self.accept("?") {
                return Ok(condition);
            }
            let then = self.expression()?;
            self.expect(":")?;
            let otherwise = self.expression()?;
            let at = condition.at.to(otherwise.at);
            let parts = (Box::new(condition), Box::new(then), Box::new(otherwise));
            Ok(Expr { kind: ExprKind::Conditional(parts.0, parts.1, parts.2), at })
        })
    }

    fn binary(&mut self, level: usize) -> Result<Expr, ParseError> {
        if level == LEVELS.len() {
            return self.unary();
        }
        let mut left = self.binary(level + 1)?;
        loop {
            if level == RELATIONAL && *self.peek() == Token::Word("instanceof".to_owned()) {
                self.next();
                let ty = self.type_ref()?;
                let at = left.at.to(self.last());
                left = Expr { kind: ExprKind::InstanceOf(Box::new(left), ty, None), at };
                continue;
            }
            let Token::Symbol(symbol) = *self.peek() else { return Ok(left) };
            if !LEVELS[level].contains(&symbol) {
                return Ok(left);
            }
            self.next();
            let right = match level == IMPLICATION && symbol == "==>" {
                true => self.binary(level)?,
                false => self.binary(level + 1)?,
            };
            left = combine(symbol, left, right);
        }
    }

    fn unary(&mut self) -> Result<Expr, ParseError> {
        let at = self.at();
        let operators =
            [("!", Unary::Not), ("-", Unary::Minus), ("~", Unary::Complement), ("+", Unary::Plus)];
        for (symbol, operator) in operators {
            if self.accept(symbol) {
                let operand = self.unary()?;
                let at = at.to(operand.at);
                return Ok(Expr { kind: ExprKind::Unary(operator, Box::new(operand)), at });
            }
        }
        if let Some(ty) = self.cast() {
            let operand = self.unary()?;
            let at = at.to(operand.at);
            return Ok(Expr { kind: ExprKind::Cast(ty, Box::new(operand)), at });
        }
        let mut whole = self.primary()?;
        loop {
            if self.accept(".") {
                let at = self.at();
                let Token::Word(name) = self.next() else {
                    return Err(self.fault(at, "expected a name"));
                };
                let name = Ident { name, at };
                let kind = match self.accept("(") {
                    true => {
                        let arguments = self.arguments()?;
                        let receiver = Receiver::Expr(Box::new(whole.clone()));
                        ExprKind::Call { receiver, name, arguments }
                    }
                    false => ExprKind::Field(Box::new(whole.clone()), name),
                };
                whole = Expr { kind, at: whole.at.to(self.last()) };
            } else if self.accept("[") {
                let index = self.expression()?;
                self.expect("]")?;
                let at = whole.at.to(self.last());
                whole = Expr { kind: ExprKind::Index(Box::new(whole), Box::new(index)), at };
            } else {
                return Ok(whole);
            }
        }
    }

    /// `(T)` before something that can be cast.
    fn cast(&mut self) -> Option<TypeRef> {
        let (Token::Symbol("("), Token::Word(word), Token::Symbol(")")) =
            (self.ahead(0), self.ahead(1), self.ahead(2))
        else {
            return None;
        };
        let is_primitive = crate::types::Ty::primitive(word).is_some();
        let is_class = word.chars().next().is_some_and(char::is_uppercase);
        let goes_on = match self.ahead(3) {
            Token::Word(_) | Token::Number(_) | Token::Quoted(_) | Token::Symbol("(") => true,
            Token::Symbol("-" | "!" | "~") => is_primitive,
            Token::Symbol(_) | Token::End => false,
        };
        if !(is_primitive || is_class) || !goes_on {
            return None;
        }
        let name = word.clone();
        self.next();
        let at = self.at();
        self.next();
        self.next();
        Some(TypeRef { kind: TypeRefKind::Named(name, Vec::new()), at })
    }

    fn arguments(&mut self) -> Result<Vec<Expr>, ParseError> {
        let mut arguments = Vec::new();
        if self.accept(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expression()?);
            if !self.accept(",") {
                self.expect(")")?;
                return Ok(arguments);
            }
        }
    }

    fn primary(&mut self) -> Result<Expr, ParseError> {
        let at = self.at();
        let kind = match self.next() {
            Token::Number(text) => match integer(&text) {
                Some(literal) => ExprKind::Literal(literal),
                None => return Err(self.fault(at, "invalid Java number")),
            },
            Token::Quoted(text) => match unquoted(&text) {
                Some(literal) => ExprKind::Literal(literal),
                None => return Err(self.fault(at, "not a literal")),
            },
            Token::Word(word) => self.word(word, at)?,
            Token::Symbol("(") => {
                if *self.peek() == Token::Symbol("*") {
                    return Err(self.lacking(at, "an informal description"));
                }
                if let Some(quantified) = self.quantified()? {
                    self.expect(")")?;
                    return Ok(Expr { kind: quantified, at: at.to(self.last()) });
                }
                let inner = self.expression()?;
                self.expect(")")?;
                return Ok(inner);
            }
            Token::Symbol(_) | Token::End => {
                return Err(self.fault(at, "expected an expression"));
            }
        };
        Ok(Expr { kind, at: at.to(self.last()) })
    }

    fn word(&mut self, word: String, at: TextRange) -> Result<ExprKind, ParseError> {
        Ok(match word.as_str() {
            "true" | "false" => ExprKind::Literal(Literal::Bool(word == "true")),
            "null" => ExprKind::Literal(Literal::Null),
            "this" => ExprKind::This,
            "\\result" => ExprKind::Spec(Spec::Result),
            "\\old" | "\\pre" => {
                self.expect("(")?;
                let inner = self.expression()?;
                self.expect(")")?;
                ExprKind::Spec(Spec::Old(Box::new(inner)))
            }
            "\\fresh" => {
                self.expect("(")?;
                ExprKind::Spec(Spec::Fresh(self.arguments()?))
            }
            "\\reach" => self.reach()?,
            "\\forall" | "\\exists" | "\\num_of" | "\\sum" => {
                return Err(self.fault(at, "a quantifier stands in parentheses"));
            }
            _ if word.starts_with('\\') => {
                return Err(self.lacking(at, &format!("`{word}`")));
            }
            _ if self.accept("(") => {
                let arguments = self.arguments()?;
                ExprKind::Call {
                    receiver: Receiver::None,
                    name: Ident { name: word, at },
                    arguments,
                }
            }
            _ => ExprKind::Name(word),
        })
    }

    /// `\reach(x, T, f + g)`: the fields may also be listed.
    fn reach(&mut self) -> Result<ExprKind, ParseError> {
        self.expect("(")?;
        let from = Box::new(self.expression()?);
        self.expect(",")?;
        let ty = self.type_ref()?;
        let mut fields = Vec::new();
        while self.accept(",") || self.accept("+") {
            let at = self.at();
            match self.next() {
                Token::Word(name) => fields.push(Ident { name, at }),
                _ => return Err(self.fault(at, "expected a field")),
            }
        }
        self.expect(")")?;
        Ok(ExprKind::Spec(Spec::Reach { from, ty, fields }))
    }

    /// `\forall T x, y; range; body` behind an opening parenthesis.
    fn quantified(&mut self) -> Result<Option<ExprKind>, ParseError> {
        let Token::Word(word) = self.peek() else { return Ok(None) };
        let quantifier = match word.as_str() {
            "\\forall" => Quantifier::All,
            "\\exists" => Quantifier::Exists,
            "\\num_of" => Quantifier::NumOf,
            "\\sum" => Quantifier::Sum,
            _ => return Ok(None),
        };
        self.next();
        if matches!(self.peek(), Token::Word(word) if word == "nullable" || word == "non_null") {
            self.next();
        }
        let ty = self.type_ref()?;
        let mut names = Vec::new();
        loop {
            let at = self.at();
            match self.next() {
                Token::Word(name) => names.push(Ident { name, at }),
                _ => return Err(self.fault(at, "expected a name")),
            }
            if !self.accept(",") {
                break;
            }
        }
        self.expect(";")?;
        let first = match self.accept(";") {
            true => None,
            false => Some(self.expression()?),
        };
        let (range, body) = match first {
            None => (None, self.expression()?),
            Some(first) if self.accept(";") => (Some(Box::new(first)), self.expression()?),
            Some(body) => (None, body),
        };
        Ok(Some(ExprKind::Spec(Spec::Quantified {
            quantifier,
            ty,
            names,
            range,
            body: Box::new(body),
        })))
    }
}

/// An operator applied to two expressions; those that Java lacks in terms of those it has.
fn combine(symbol: &str, left: Expr, right: Expr) -> Expr {
    let at = left.at.to(right.at);
    let (left, right) = if symbol == "<==" { (right, left) } else { (left, right) };
    let is_negated = symbol == "<=!=>";
    let operator = match symbol {
        "<==" => Binary::Implies,
        "<=!=>" => Binary::Iff,
        _ => Binary::of(symbol).unwrap_or(Binary::Iff),
    };
    let whole = Expr { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), at };
    match is_negated {
        true => Expr { kind: ExprKind::Unary(Unary::Not, Box::new(whole)), at },
        false => whole,
    }
}
