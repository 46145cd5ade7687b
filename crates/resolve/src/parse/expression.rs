//! Expressions of mathematics and of programs, by precedence.
//!
//! `<` begins a string where an operand is expected and compares where an operator is; `|` likewise
//! begins a length or ends one.

use super::{ParseResult, Parser};
use crate::lexer::TokenKind;
use crate::syntax::{Exp, ExpKind, Name, Quantifier, TypeExp};

/// Operators between operands by level, loosest first. Comparisons are a level of their own.
const LEVELS: [&[&str]; 2] =
    [&["+", "-", "~", "o", "union", "without"], &["*", "/", "mod", "div", "rem", "intersect"]];

const COMPARISONS: [&str; 12] = [
    "=",
    "/=",
    "<",
    "<=",
    ">",
    ">=",
    "is_in",
    "is_not_in",
    "is_subset_of",
    "is_not_subset_of",
    "is_substring_of",
    "is_not_substring_of",
];

/// Binary predicates on strings in infix form.
const QUESTIONS: [&str; 4] = ["is_permutation", "is_prefix", "is_suffix", "is_substring"];

/// Words that begin a term over all values of a variable.
const ITERATED: [&str; 3] = ["sum", "concatenation", "product"];

impl Parser<'_> {
    /// An expression and the semicolon that ends its clause.
    pub(super) fn clause(&mut self) -> ParseResult<Exp> {
        let exp = self.exp()?;
        self.expect(";")?;
        Ok(exp)
    }

    pub(super) fn exp(&mut self) -> ParseResult<Exp> {
        self.nested(|parser| {
            let start = parser.span();
            let mut left = parser.disjunction()?;
            while ["implies", "iff", "which_entails"].contains(&parser.word().as_str()) {
                let operator = parser.word();
                parser.advance();
                let right = parser.disjunction()?;
                // A stated consequence adds nothing.
                if operator == "which_entails" {
                    if parser.accept(":") {
                        parser.ty()?;
                    }
                    continue;
                }
                left = parser.binary(start, operator, left, right);
            }
            Ok(left)
        })
    }

    fn binary(&self, start: ir::Span, operator: String, left: Exp, right: Exp) -> Exp {
        let kind = ExpKind::Binary(operator, Box::new(left), Box::new(right));
        Exp { kind, span: self.since(start) }
    }

    fn disjunction(&mut self) -> ParseResult<Exp> {
        let start = self.span();
        let mut left = self.conjunction()?;
        while self.accept("or") {
            let right = self.conjunction()?;
            left = self.binary(start, "or".to_owned(), left, right);
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> ParseResult<Exp> {
        let start = self.span();
        let mut left = self.negation()?;
        while self.accept("and") {
            let right = self.negation()?;
            left = self.binary(start, "and".to_owned(), left, right);
        }
        Ok(left)
    }

    fn negation(&mut self) -> ParseResult<Exp> {
        let start = self.span();
        if !self.is_result() && self.accept("not") {
            let inner = self.negation()?;
            return Ok(Exp {
                kind: ExpKind::Unary("not", Box::new(inner)),
                span: self.since(start),
            });
        }
        self.comparison()
    }

    /// Whether `Not` is the result of the operation of that name.
    fn is_result(&self) -> bool {
        self.is("not") && self.word_at(1) == "="
    }

    /// `a <= b <= c` is a conjunction.
    fn comparison(&mut self) -> ParseResult<Exp> {
        let start = self.span();
        let mut left = self.sum()?;
        let mut whole: Option<Exp> = None;
        loop {
            let operator = self.word();
            let is_question = QUESTIONS.contains(&operator.as_str());
            if !is_question && !COMPARISONS.contains(&operator.as_str()) {
                break;
            }
            let asked = self.token(0).clone();
            self.advance();
            let right = self.sum()?;
            let one = match asked.kind {
                TokenKind::Word(name) if is_question => {
                    let question = Exp { kind: ExpKind::Name(name), span: asked.span };
                    let between = vec![left.clone(), right.clone()];
                    let kind = ExpKind::Call(Box::new(question), between);
                    Exp { kind, span: self.since(left.span) }
                }
                _ => self.binary(left.span, operator, left, right.clone()),
            };
            left = right;
            whole = Some(match whole {
                None => one,
                Some(before) => self.binary(start, "and".to_owned(), before, one),
            });
        }
        Ok(whole.unwrap_or(left))
    }

    pub(super) fn sum(&mut self) -> ParseResult<Exp> {
        self.level(0)
    }

    fn level(&mut self, level: usize) -> ParseResult<Exp> {
        let Some(operators) = LEVELS.get(level) else { return self.power() };
        let start = self.span();
        let mut left = self.level(level + 1)?;
        while operators.contains(&self.word().as_str()) {
            let operator = self.word();
            self.advance();
            let right = self.level(level + 1)?;
            left = self.binary(start, operator, left, right);
        }
        Ok(left)
    }

    fn power(&mut self) -> ParseResult<Exp> {
        let start = self.span();
        let base = self.unary()?;
        if self.accept("**") {
            let exponent = self.unary()?;
            return Ok(self.binary(start, "**".to_owned(), base, exponent));
        }
        Ok(base)
    }

    fn unary(&mut self) -> ParseResult<Exp> {
        let start = self.span();
        for operator in ["-", "not", "~"] {
            if !self.is_result() && self.accept(operator) {
                let inner = self.nested(Self::unary)?;
                let kind = ExpKind::Unary(operator, Box::new(inner));
                return Ok(Exp { kind, span: self.since(start) });
            }
        }
        self.postfix()
    }

    fn postfix(&mut self) -> ParseResult<Exp> {
        let start = self.span();
        let mut exp = self.primary()?;
        loop {
            let kind = if self.accept("(") {
                ExpKind::Call(Box::new(exp), self.list(")")?)
            } else if self.accept("[") {
                let index = self.exp()?;
                self.expect("]")?;
                ExpKind::Index(Box::new(exp), Box::new(index))
            } else if self.is(".") && self.is_field_at(1) {
                self.advance();
                ExpKind::Field(Box::new(exp), self.field()?)
            } else {
                return Ok(exp);
            };
            exp = Exp { kind, span: self.since(start) };
        }
    }

    /// A name, or the number of a part of an unnamed product.
    fn is_field_at(&self, ahead: usize) -> bool {
        matches!(self.token(ahead).kind, TokenKind::Number(_) | TokenKind::Word(_))
    }

    fn field(&mut self) -> ParseResult<Name> {
        let token = self.token(0).clone();
        match token.kind {
            TokenKind::Number(text) | TokenKind::Word(text) => {
                self.advance();
                Ok(Name { text, span: token.span })
            }
            TokenKind::Text(_) | TokenKind::Symbol(_) | TokenKind::End => self.expected("a field"),
        }
    }

    /// Expressions between commas up to a closing symbol.
    fn list(&mut self, close: &str) -> ParseResult<Vec<Exp>> {
        let mut items = Vec::new();
        while !self.accept(close) {
            // Within `<…>` a comparison would end the string.
            items.push(if close == ">" { self.sum()? } else { self.exp()? });
            if !self.accept(",") && !self.is(close) {
                return self.expected(&format!("`,` or `{close}`"));
            }
        }
        Ok(items)
    }

    fn primary(&mut self) -> ParseResult<Exp> {
        let start = self.span();
        let token = self.token(0).clone();
        let kind = match &token.kind {
            TokenKind::Number(text) => {
                self.advance();
                ExpKind::Number(text.clone())
            }
            TokenKind::Text(text) => {
                self.advance();
                ExpKind::Text(text.clone())
            }
            TokenKind::Symbol(symbol) => self.bracketed(symbol)?,
            TokenKind::Word(_) => self.worded()?,
            TokenKind::End => return self.expected("an expression"),
        };
        Ok(Exp { kind, span: self.since(start) })
    }

    fn bracketed(&mut self, symbol: &str) -> ParseResult<ExpKind> {
        match symbol {
            "(" => {
                self.advance();
                let mut items = self.list(")")?;
                match items.len() {
                    0 => self.expected("an expression"),
                    // Parentheses leave no trace but their place.
                    1 => Ok(items.remove(0).kind),
                    _ => Ok(ExpKind::Tuple(items)),
                }
            }
            "<" => {
                self.advance();
                Ok(ExpKind::Sequence(self.list(">")?))
            }
            "{" if self.is_name_at(1) && self.word_at(2) == ":" => {
                self.advance();
                let binders = self.binders()?;
                if !self.accept("|") {
                    self.expect(",")?;
                }
                let condition = self.exp()?;
                self.expect("}")?;
                Ok(ExpKind::Comprehension(binders, Box::new(condition)))
            }
            "{" => {
                self.advance();
                Ok(ExpKind::Set(self.list("}")?))
            }
            "{{" => {
                self.advance();
                self.cases()
            }
            "|" => {
                self.advance();
                let inner = self.exp()?;
                self.expect("|")?;
                Ok(ExpKind::Length(Box::new(inner)))
            }
            "||" => {
                self.advance();
                let inner = self.exp()?;
                self.expect("||")?;
                Ok(ExpKind::Norm(Box::new(inner)))
            }
            "#" => {
                self.advance();
                let start = self.span();
                let name = self.qualified()?;
                Ok(ExpKind::Old(Box::new(Exp { kind: name, span: self.since(start) })))
            }
            "@" => {
                self.advance();
                self.qualified()
            }
            _ => self.expected("an expression"),
        }
    }

    fn cases(&mut self) -> ParseResult<ExpKind> {
        let mut cases = Vec::new();
        let mut otherwise = None;
        while !self.accept("}}") {
            let value = self.exp()?;
            if self.accept("otherwise") {
                otherwise = Some(Box::new(value));
            } else {
                self.expect("if")?;
                let condition = self.exp()?;
                cases.push((value, condition));
            }
            if !self.accept(";") && !self.is("}}") {
                return self.expected("`;` or `}}`");
            }
        }
        Ok(ExpKind::Cases(cases, otherwise))
    }

    fn qualified(&mut self) -> ParseResult<ExpKind> {
        let name = self.name()?;
        if self.accept("::") {
            return Ok(ExpKind::Qualified(name, self.name()?));
        }
        Ok(ExpKind::Name(name.text))
    }

    fn worded(&mut self) -> ParseResult<ExpKind> {
        let word = self.word();
        if word == "if" {
            self.advance();
            let condition = self.exp()?;
            self.expect("then")?;
            let then = self.exp()?;
            let otherwise = if self.accept("else") { Some(Box::new(self.exp()?)) } else { None };
            return Ok(ExpKind::If(Box::new(condition), Box::new(then), otherwise));
        }
        if self.accept_all(&["for", "all"])
            || self.accept_all(&["for", "each"])
            || self.accept("forall")
        {
            return self.quantified(Quantifier::All);
        }
        if self.accept_all(&["there", "exists"]) || self.accept("exists") {
            let is_unique = self.accept("unique");
            let some = self.quantified(Quantifier::Some)?;
            return Ok(match some {
                ExpKind::Quantified(_, binders, body) if is_unique => {
                    ExpKind::Unique(binders, body)
                }
                some => some,
            });
        }
        if word == "lambda" || (word == "λ" && self.word_at(1) == "(") {
            self.advance();
            let enclosed = self.accept("(");
            let binders = self.binders()?;
            if enclosed {
                self.expect(")")?;
            }
            // `lambda (x: T).(e)` ends with its parenthesis.
            let body = if self.accept(".") && self.is("(") {
                self.primary()?
            } else {
                self.accept(",");
                self.exp()?
            };
            return Ok(ExpKind::Lambda(binders, Box::new(body)));
        }
        if ITERATED.contains(&word.as_str()) && self.is_name_at(1) && self.word_at(2) == ":" {
            self.advance();
            let name = self.name()?;
            self.expect(":")?;
            let ty = self.ty()?;
            let condition = if self.accept("where") { Some(Box::new(self.exp()?)) } else { None };
            self.expect(",")?;
            let body = Box::new(self.exp()?);
            return Ok(ExpKind::Iterated(word, (name, ty), condition, body));
        }
        // Where an operand is expected these are names of operations.
        if let Some(name) = match word.as_str() {
            "and" => Some("And"),
            "or" => Some("Or"),
            "not" => Some("Not"),
            _ => None,
        } {
            self.advance();
            return Ok(ExpKind::Name(name.to_owned()));
        }
        self.qualified()
    }

    /// Variables, a condition on them, and the body.
    fn quantified(&mut self, quantifier: Quantifier) -> ParseResult<ExpKind> {
        let binders = self.binders()?;
        let start = self.span();
        let condition = if self.accept("where") { Some(self.exp()?) } else { None };
        if !self.accept_all(&["such", "that"]) && !self.accept("such_that") {
            self.expect(",")?;
        }
        let body = self.exp()?;
        let body = match (condition, quantifier) {
            (None, _) => body,
            (Some(condition), Quantifier::All) => {
                self.binary(start, "implies".to_owned(), condition, body)
            }
            (Some(condition), Quantifier::Some) => {
                self.binary(start, "and".to_owned(), condition, body)
            }
        };
        Ok(ExpKind::Quantified(quantifier, binders, Box::new(body)))
    }

    /// `x, y: T, z: U`. A comma behind a type goes on only if another declaration follows.
    fn binders(&mut self) -> ParseResult<Vec<(Name, TypeExp)>> {
        let mut binders = Vec::new();
        loop {
            let names = self.names()?;
            self.expect(":")?;
            let ty = self.ty()?;
            binders.extend(names.into_iter().map(|name| (name, ty.clone())));
            let goes_on = self.is(",") && self.is_name_at(1) && {
                let mut ahead = 2;
                while self.word_at(ahead) == "," && self.is_name_at(ahead + 1) {
                    ahead += 2;
                }
                self.word_at(ahead) == ":"
            };
            if !goes_on {
                return Ok(binders);
            }
            self.advance();
        }
    }
}
