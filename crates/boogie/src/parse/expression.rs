//! Expressions, by precedence climbing. Boogie does not mix `&&` with `||`, nor `==>` with `<==`,
//! and compares only once.

use ir::Quantifier;

use super::declaration::VariableListKind;
use super::{ParseError, ParseResult, Parser};
use crate::diagnostics::TextRange;
use crate::lexer::TokenKind;
use crate::syntax::{
    Attribute, Binary, ExprSyntax, Name, NodeId, NodeKind, Scope, Triggers, Unary,
};

/// How tightly `==>` and `<==` bind, which group in different directions.
const IMPLIES: u8 = 2;
const LOGICAL: u8 = 3;
const RELATIONAL: u8 = 4;
const POWER: u8 = 8;

impl<'s> Parser<'s, '_> {
    pub(super) fn expression(&mut self) -> ParseResult<ExprSyntax> {
        let first = self.next_node();
        let root = self.binary(0)?;
        Ok(self.whole(first, root))
    }

    /// An expression whose operators bind at least as tightly as this.
    fn binary(&mut self, least: u8) -> ParseResult<NodeId> {
        self.nested(|parser| parser.climb(least, None))
    }

    /// The same, with the operator of the same level that stands before it, if there is one.
    fn climb(&mut self, least: u8, mut last: Option<(Binary, u8)>) -> ParseResult<NodeId> {
        let start = self.at();
        let mut left = self.unary()?;
        if self.word() == "is" {
            self.advance();
            let constructor = self.name()?;
            left = self.push(NodeKind::Is(left, constructor), self.since(start));
        }
        while let Some((op, level)) = operator(self.word()) {
            if level < least {
                break;
            }
            self.check_mixture(last, op, level);
            self.advance();
            // Implication and power alone group to the right.
            let right = match op {
                Binary::Implies => self.nested(|parser| parser.climb(level, Some((op, level))))?,
                Binary::Power => self.binary(level)?,
                _ => self.binary(level + 1)?,
            };
            left = self.push(NodeKind::Binary(op, left, right), self.since(start));
            last = Some((op, level));
        }
        Ok(left)
    }

    /// Reports operators that may not follow each other without parentheses.
    fn check_mixture(&mut self, last: Option<(Binary, u8)>, op: Binary, level: u8) {
        let Some((before, before_level)) = last else { return };
        if before_level != level {
            return;
        }
        let message = match level {
            IMPLIES if before != op => "`==>` and `<==` are mixed",
            LOGICAL if before != op => "`&&` and `||` are mixed",
            RELATIONAL => "comparisons do not follow each other",
            _ => return,
        };
        self.diagnostics.add_with(self.at(), message, "use parentheses");
    }

    fn unary(&mut self) -> ParseResult<NodeId> {
        let mut prefixes: Vec<(Unary, TextRange)> = Vec::new();
        loop {
            match self.word() {
                "!" => prefixes.push((Unary::Not, self.at())),
                "-" => prefixes.push((Unary::Negate, self.at())),
                _ => break,
            }
            self.advance();
        }
        let mut operand = self.coerced()?;
        while let Some((prefix, at)) = prefixes.pop() {
            operand = self.push(NodeKind::Unary(prefix, operand), self.since(at));
        }
        Ok(operand)
    }

    fn coerced(&mut self) -> ParseResult<NodeId> {
        let start = self.at();
        let mut operand = self.postfix()?;
        while self.accept(":") {
            if self.kind() == TokenKind::Number {
                self.diagnostics
                    .add(self.since(start), "the bounds of a word's bits stand in brackets");
                return Err(ParseError);
            }
            let ty = self.ty()?;
            operand = self.push(NodeKind::Coerce(operand, Box::new(ty)), self.since(start));
        }
        Ok(operand)
    }

    fn postfix(&mut self) -> ParseResult<NodeId> {
        let start = self.at();
        let mut operand = self.atom()?;
        loop {
            let kind = match self.word() {
                "[" => self.index(operand)?,
                "->" => {
                    self.advance();
                    if self.accept("(") {
                        let field = self.name()?;
                        self.expect(":=")?;
                        let value = self.binary(0)?;
                        self.expect(")")?;
                        NodeKind::FieldUpdate(operand, field, value)
                    } else {
                        NodeKind::Field(operand, self.name()?)
                    }
                }
                _ => return Ok(operand),
            };
            operand = self.push(kind, self.since(start));
        }
    }

    /// `[k, …]`, `[k, … := v]` or `[8:0]`.
    fn index(&mut self, map: NodeId) -> ParseResult<NodeKind<'s>> {
        self.advance();
        let number = |parser: &Self, ahead| parser.token(ahead).kind == TokenKind::Number;
        if number(self, 0) && self.word_at(1) == ":" && number(self, 2) {
            let (end, start) = (self.text(self.token(0)), self.text(self.token(2)));
            self.position += 3;
            self.expect("]")?;
            return Ok(NodeKind::Extract(map, end, start));
        }
        let mut keys = Vec::new();
        if self.word() != "]" && self.word() != ":=" {
            keys.push(self.binary(0)?);
            while self.accept(",") {
                keys.push(self.binary(0)?);
            }
        }
        if self.accept(":=") {
            let value = self.binary(0)?;
            self.expect("]")?;
            return Ok(NodeKind::Update(map, keys.into(), value));
        }
        if !self.accept("]") {
            return self.expected("`,`, `:=` or `]`");
        }
        Ok(NodeKind::Index(map, keys.into()))
    }

    fn atom(&mut self) -> ParseResult<NodeId> {
        let start = self.at();
        let text = self.text(self.token(0));
        let literal = match self.kind() {
            TokenKind::Number => NodeKind::Int(text),
            TokenKind::BitVector => {
                let (value, width) = text.split_once("bv").unwrap_or((text, "0"));
                NodeKind::Bv(value, width)
            }
            TokenKind::Real => NodeKind::Real(text),
            TokenKind::Float => NodeKind::Float(text),
            TokenKind::Text => NodeKind::Text,
            TokenKind::Quoted => return self.named(),
            TokenKind::End => return self.expected("an expression"),
            TokenKind::Word | TokenKind::Symbol(_) => return self.word_atom(),
        };
        self.advance();
        Ok(self.push(literal, start))
    }

    fn word_atom(&mut self) -> ParseResult<NodeId> {
        let start = self.at();
        let kind = match self.word() {
            word @ ("true" | "false") => {
                self.advance();
                NodeKind::Bool(word == "true")
            }
            "old" => {
                self.advance();
                self.expect("(")?;
                self.push(NodeKind::EnterOld, start);
                let operand = self.binary(0)?;
                self.expect(")")?;
                NodeKind::Old(operand)
            }
            word @ ("int" | "real") => {
                self.advance();
                self.expect("(")?;
                let operand = self.binary(0)?;
                self.expect(")")?;
                if word == "int" { NodeKind::ToInt(operand) } else { NodeKind::ToReal(operand) }
            }
            "if" => {
                self.advance();
                let condition = self.binary(0)?;
                self.expect("then")?;
                let yes = self.binary(0)?;
                self.expect("else")?;
                let no = self.binary(0)?;
                NodeKind::If(condition, yes, no)
            }
            "(" => {
                self.advance();
                return self.parenthesis(start);
            }
            "|{" => {
                self.code()?;
                NodeKind::Code
            }
            _ if self.is_name_at(0) => return self.named(),
            _ => return self.expected("an expression"),
        };
        Ok(self.push(kind, self.since(start)))
    }

    /// A variable, or a function with its arguments.
    fn named(&mut self) -> ParseResult<NodeId> {
        let start = self.at();
        let name = self.name()?;
        let kind = if self.accept("(") {
            let arguments = self.list(")", |parser| parser.binary(0))?;
            NodeKind::Call(name, arguments.into())
        } else {
            NodeKind::Name(name)
        };
        Ok(self.push(kind, self.since(start)))
    }

    fn parenthesis(&mut self, start: TextRange) -> ParseResult<NodeId> {
        let inner = match self.word() {
            "forall" => self.binding(start, Some(Quantifier::All))?,
            "exists" => self.binding(start, Some(Quantifier::Some))?,
            "lambda" => self.binding(start, None)?,
            "var" => self.let_expression(start)?,
            _ => self.binary(0)?,
        };
        self.expect(")")?;
        Ok(inner)
    }

    fn binding(&mut self, start: TextRange, quantifier: Option<Quantifier>) -> ParseResult<NodeId> {
        self.advance();
        let parameters = self.type_parameters()?;
        let mut binders = Vec::new();
        if self.word() != "::" {
            for variable in self.variables(VariableListKind::Bound)? {
                binders.push((variable.name, variable.ty));
            }
        }
        let scope = Scope { parameters, binders, end: 0 };
        let is_empty = scope.binders.is_empty();
        let at = self.since(start);
        let enter = self.push(NodeKind::Enter(Box::new(scope)), at);
        self.expect("::")?;
        let place = self.push(NodeKind::Triggers(Box::default()), at);
        let mut triggers = Triggers::default();
        while self.word() == "{" {
            let at = self.at();
            if self.word_at(1) == ":" {
                let is_exclusion = self.word_at(2) == "nopats";
                let attribute = self.attribute(is_exclusion)?;
                if is_exclusion && attribute.arguments.len() != 1 {
                    self.diagnostics.add(self.since(at), "`nopats` takes one term");
                }
                triggers.excluded.extend(attribute.arguments);
                continue;
            }
            self.advance();
            let terms = self.list("}", |parser| parser.expression())?;
            triggers.list.push((terms, self.since(at)));
            if quantifier.is_none() {
                self.diagnostics.add(self.since(at), "a lambda has no triggers");
            }
        }
        triggers.after = self.next_node();
        self.module.nodes[place as usize].kind = NodeKind::Triggers(Box::new(triggers));
        let body = self.binary(0)?;
        if quantifier.is_none() && is_empty {
            self.diagnostics.add(at, "a lambda binds a variable at least");
            return Err(ParseError);
        }
        let kind = match quantifier {
            Some(quantifier) => NodeKind::Quantified(quantifier, enter, body),
            None => NodeKind::Lambda(enter, body),
        };
        let end = self.push(kind, self.since(start));
        if let NodeKind::Enter(scope) = &mut self.module.nodes[enter as usize].kind {
            scope.end = end;
        }
        Ok(end)
    }

    /// `var x, y := e, f; body`.
    fn let_expression(&mut self, start: TextRange) -> ParseResult<NodeId> {
        self.advance();
        let mut names: Vec<Name<'s>> = Vec::new();
        loop {
            self.attributes()?;
            names.push(self.name()?);
            if !self.accept(",") {
                break;
            }
        }
        self.expect(":=")?;
        let mut values = vec![self.binary(0)?];
        while self.accept(",") {
            values.push(self.binary(0)?);
        }
        let at = self.since(start);
        self.expect(";")?;
        if names.len() != values.len() {
            let message = format!("{} names for {} values", names.len(), values.len());
            self.diagnostics.add(at, message);
            return Err(ParseError);
        }
        let pairs: Vec<_> = names.into_iter().zip(values).collect();
        let enter = self.push(NodeKind::EnterLet(pairs.into()), at);
        self.attributes()?;
        let body = self.binary(0)?;
        Ok(self.push(NodeKind::Let(enter, body), self.since(start)))
    }

    /// Skips a code expression, which is not modelled.
    fn code(&mut self) -> ParseResult<()> {
        let mut depth = 0_usize;
        loop {
            match self.word() {
                "|{" => depth += 1,
                "}|" => depth -= 1,
                _ if self.at_end() => return self.expected("`}|`"),
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// All attributes that stand here.
    pub(super) fn attributes(&mut self) -> ParseResult<Vec<Attribute<'s>>> {
        let mut attributes = Vec::new();
        while self.word() == "{" && self.word_at(1) == ":" {
            attributes.push(self.attribute(false)?);
        }
        Ok(attributes)
    }

    /// All attributes that stand here, with what they say.
    pub(super) fn kept_attributes(&mut self) -> ParseResult<Vec<Attribute<'s>>> {
        let mut attributes = Vec::new();
        while self.word() == "{" && self.word_at(1) == ":" {
            attributes.push(self.attribute(true)?);
        }
        Ok(attributes)
    }

    /// All attributes of a declaration, whose expressions must mean something.
    pub(super) fn declared_attributes(&mut self) -> ParseResult<Vec<Attribute<'s>>> {
        let attributes = self.kept_attributes()?;
        let arguments = attributes.iter().flat_map(|attribute| attribute.arguments.iter().copied());
        self.module.attributes.extend(arguments);
        Ok(attributes)
    }

    /// `{:name e, …}`. The expressions are only kept if `keeps` is set.
    fn attribute(&mut self, keeps: bool) -> ParseResult<Attribute<'s>> {
        self.position += 2;
        let token = self.token(0);
        if !matches!(token.kind, TokenKind::Word | TokenKind::Quoted) {
            return self.expected("the name of an attribute");
        }
        let name = self.text(token);
        self.advance();
        let (off, arguments) = (self.word() == "false", Vec::new());
        let mut attribute = Attribute { name, text: None, off, arguments };
        let nodes = self.module.nodes.len();
        if self.accept("}") {
            return Ok(attribute);
        }
        loop {
            let token = self.token(0);
            if token.kind == TokenKind::Text && attribute.text.is_none() {
                attribute.text = Some(self.text(token).trim_matches('"'));
            }
            let argument = self.expression()?;
            if keeps {
                attribute.arguments.push(argument);
            } else {
                self.module.nodes.truncate(nodes);
            }
            if self.accept("}") {
                return Ok(attribute);
            }
            self.expect(",")?;
        }
    }
}

/// The operator that a symbol or word between operands means, and how tightly it binds.
fn operator(word: &str) -> Option<(Binary, u8)> {
    Some(match word {
        "<==>" => (Binary::Iff, 1),
        "==>" => (Binary::Implies, IMPLIES),
        "<==" => (Binary::Explies, IMPLIES),
        "||" => (Binary::Or, LOGICAL),
        "&&" => (Binary::And, LOGICAL),
        "==" => (Binary::Eq, RELATIONAL),
        "!=" => (Binary::Ne, RELATIONAL),
        "<" => (Binary::Lt, RELATIONAL),
        "<=" => (Binary::Le, RELATIONAL),
        ">" => (Binary::Gt, RELATIONAL),
        ">=" => (Binary::Ge, RELATIONAL),
        "<:" => (Binary::Subtype, RELATIONAL),
        "++" => (Binary::Concat, 5),
        "+" => (Binary::Add, 6),
        "-" => (Binary::Sub, 6),
        "*" => (Binary::Mul, 7),
        "div" => (Binary::Div, 7),
        "mod" => (Binary::Mod, 7),
        "/" => (Binary::Divide, 7),
        "**" => (Binary::Power, POWER),
        _ => return None,
    })
}
