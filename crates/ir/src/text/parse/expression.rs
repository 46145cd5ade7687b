//! Expressions, by precedence climbing.

use super::{ParseError, ParseResult, Parser};
use crate::expr::Quantifier;
use crate::limits::PARSE_DEPTH;
use crate::op::Op;
use crate::text::diagnostics::TextRange;
use crate::text::lexer::TokenKind;
use crate::text::syntax::{Binary, Call, ExprSyntax, Name, NodeId, NodeKind, Unary};

/// Whether a brace behind an operand may begin a record or must leave it alone, as it may begin
/// the table of an indirect call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Braces {
    Free,
    Table,
}

impl<'s> Parser<'s, '_> {
    pub(super) fn expression(&mut self) -> ParseResult<ExprSyntax> {
        let first = self.module.nodes.len() as u32;
        let root = self.binary(0)?;
        Ok(self.whole(first, root))
    }

    /// An operand with its projections; the syntax of places.
    pub(super) fn place(&mut self) -> ParseResult<ExprSyntax> {
        let first = self.module.nodes.len() as u32;
        let root = self.postfix(Braces::Free)?;
        Ok(self.whole(first, root))
    }

    /// An operand with what is attached to it but for the table of an indirect call.
    pub(super) fn callee(&mut self) -> ParseResult<ExprSyntax> {
        let first = self.module.nodes.len() as u32;
        let root = self.postfix(Braces::Table)?;
        Ok(self.whole(first, root))
    }

    /// An expression whose operators bind at least as tightly as this.
    fn binary(&mut self, least: u8) -> ParseResult<NodeId> {
        if self.depth >= PARSE_DEPTH {
            self.diagnostics.add(self.at(), format!("expressions nest at most {PARSE_DEPTH} deep"));
            return Err(ParseError);
        }
        self.depth += 1;
        let result = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.climb(least));
        self.depth -= 1;
        result
    }

    fn climb(&mut self, least: u8) -> ParseResult<NodeId> {
        let start = self.at();
        let mut left = self.unary()?;
        while let Some((op, level)) = operator(self.word()) {
            if level < least {
                break;
            }
            self.position += 1;
            // Implication alone groups to the right.
            let right = self.binary(if op == Binary::Implies { level } else { level + 1 })?;
            left = self.push(NodeKind::Binary(op, left, right), self.since(start));
        }
        Ok(left)
    }

    fn unary(&mut self) -> ParseResult<NodeId> {
        let mut prefixes: Vec<(Unary, TextRange)> = Vec::new();
        loop {
            match self.word() {
                "!" => prefixes.push((Unary::Not, self.at())),
                "-" => prefixes.push((Unary::Negate, self.at())),
                _ => break,
            }
            self.position += 1;
        }
        let mut operand = if self.kind() == TokenKind::Number {
            let negative = prefixes.last().is_some_and(|(prefix, _)| *prefix == Unary::Negate);
            let at = self.at();
            let at =
                if negative { prefixes.pop().map_or(at, |(_, minus)| minus.to(at)) } else { at };
            let node = self.push(NodeKind::Number(self.token_text(), negative), at);
            self.position += 1;
            self.attachments(node, at, Braces::Free)?
        } else if self.word() == "if" {
            self.conditional()?
        } else {
            self.postfix(Braces::Free)?
        };
        while let Some((prefix, at)) = prefixes.pop() {
            operand = self.push(NodeKind::Unary(prefix, operand), self.since(at));
        }
        Ok(operand)
    }

    fn conditional(&mut self) -> ParseResult<NodeId> {
        let start = self.at();
        self.position += 1;
        let condition = self.binary(0)?;
        self.expect("then")?;
        let yes = self.binary(0)?;
        self.expect("else")?;
        let no = self.binary(0)?;
        Ok(self.push(NodeKind::If(condition, yes, no), self.since(start)))
    }

    fn postfix(&mut self, braces: Braces) -> ParseResult<NodeId> {
        let start = self.at();
        let operand = self.primary(braces)?;
        self.attachments(operand, start, braces)
    }

    fn attachments(
        &mut self,
        mut operand: NodeId,
        start: TextRange,
        braces: Braces,
    ) -> ParseResult<NodeId> {
        loop {
            let kind = match self.word() {
                "[" => self.index(operand)?,
                "." => {
                    self.position += 1;
                    NodeKind::Field(operand, self.name()?)
                }
                "is" => {
                    self.position += 1;
                    NodeKind::Is(operand, self.name()?)
                }
                "!" => {
                    self.position += 1;
                    let constructor = self.name()?;
                    self.expect(".")?;
                    NodeKind::Argument(operand, constructor, self.number()?)
                }
                "with" => {
                    self.position += 1;
                    self.expect("{")?;
                    NodeKind::With(operand, self.fields()?.into())
                }
                // A brace that begins a line begins a body: a semicolon has been forgotten.
                "{" if !self.begins_line() => match self.view(operand, braces)? {
                    Some(kind) => kind,
                    None => return Ok(operand),
                },
                _ => return Ok(operand),
            };
            operand = self.push(kind, self.since(start));
        }
    }

    /// `[k, …]` or `[k, … := v]`.
    fn index(&mut self, map: NodeId) -> ParseResult<NodeKind<'s>> {
        self.position += 1;
        let mut keys = Vec::new();
        loop {
            keys.push(self.binary(0)?);
            if self.accept(",") {
                continue;
            }
            if self.accept(":=") {
                let value = self.binary(0)?;
                self.expect("]")?;
                return Ok(NodeKind::Update(map, keys.into(), value));
            }
            self.expect("]")?;
            return Ok(NodeKind::Index(map, keys.into()));
        }
    }

    /// `{p as T}` or `{p as T := v}`. Nothing if the brace turns out to begin a table.
    fn view(&mut self, memory: NodeId, braces: Braces) -> ParseResult<Option<NodeKind<'s>>> {
        let before = (self.position, self.module.nodes.len(), self.diagnostics.mark());
        self.position += 1;
        let pointer = self.binary(0);
        if braces == Braces::Table && (pointer.is_err() || self.word() != "as") {
            self.position = before.0;
            self.module.nodes.truncate(before.1);
            self.diagnostics.forget(before.2);
            return Ok(None);
        }
        let pointer = pointer?;
        self.expect("as")?;
        let ty = Box::new(self.ty()?);
        let volatile = self.accept("volatile");
        if self.accept(":=") {
            let value = self.binary(0)?;
            self.expect("}")?;
            return Ok(Some(NodeKind::StoreBytes(memory, pointer, ty, value)));
        }
        self.expect("}")?;
        Ok(Some(NodeKind::Load(memory, pointer, ty, volatile)))
    }

    /// `f: e, … }`.
    fn fields(&mut self) -> ParseResult<Vec<(Name<'s>, NodeId)>> {
        self.list("}", |parser| {
            let name = parser.name()?;
            parser.expect(":")?;
            Ok((name, parser.binary(0)?))
        })
    }

    fn arguments(&mut self) -> ParseResult<Vec<NodeId>> {
        self.list(")", |parser| parser.binary(0))
    }

    fn primary(&mut self, braces: Braces) -> ParseResult<NodeId> {
        let start = self.at();
        let token = self.token_text();
        let kind = match self.kind() {
            TokenKind::Label => {
                self.position += 1;
                NodeKind::Label(token)
            }
            TokenKind::Number => {
                self.position += 1;
                NodeKind::Number(token, false)
            }
            TokenKind::Quoted => self.named(braces)?,
            TokenKind::Text | TokenKind::End => return self.expected("an expression"),
            TokenKind::Word | TokenKind::Symbol => match token {
                "true" | "false" => {
                    self.position += 1;
                    NodeKind::Bool(token == "true")
                }
                "null" => self.null()?,
                "(" => return self.parenthesis(),
                "{" => {
                    self.position += 1;
                    let enter = self.binders(start)?;
                    self.expect("|")?;
                    let body = self.binary(0)?;
                    self.expect("}")?;
                    NodeKind::Lambda(enter, body)
                }
                "::" => {
                    self.position += 1;
                    NodeKind::Global(self.name()?)
                }
                "old" => {
                    self.position += 1;
                    self.expect("(")?;
                    let operand = self.binary(0)?;
                    self.expect(")")?;
                    NodeKind::Old(operand)
                }
                "const" => {
                    self.position += 1;
                    self.expect("<")?;
                    let ty = Box::new(self.ty()?);
                    self.expect(">")?;
                    self.expect("(")?;
                    let value = self.binary(0)?;
                    self.expect(")")?;
                    NodeKind::ConstMap(ty, value)
                }
                "seq" => {
                    self.position += 1;
                    let mut ty = None;
                    if self.accept("<") {
                        ty = Some(Box::new(self.ty()?));
                        self.expect(">")?;
                    }
                    self.expect("[")?;
                    let elements = self.list("]", |parser| parser.binary(0))?;
                    NodeKind::Seq(ty, elements.into())
                }
                _ if self.kind() == TokenKind::Word => self.named(braces)?,
                _ => return self.expected("an expression"),
            },
        };
        Ok(self.push(kind, self.since(start)))
    }

    /// `null`, or `null:T` without blanks, as a colon may also follow a value in a table.
    fn null(&mut self) -> ParseResult<NodeKind<'s>> {
        let end = self.at().end;
        self.position += 1;
        let mut ty = None;
        if self.word() == ":" && self.at().start == end {
            self.position += 1;
            ty = Some(Box::new(self.ty()?));
        }
        Ok(NodeKind::Null(ty))
    }

    /// An expression that begins with a name: a variable, a call, a constructor or a record.
    fn named(&mut self, braces: Braces) -> ParseResult<NodeKind<'s>> {
        let quoted = self.kind() == TokenKind::Quoted;
        let name = self.marked_name()?;
        match self.word() {
            "(" => {
                self.position += 1;
                let (operands, count) = match Op::called(&name.text) {
                    Some(op) if !quoted => (op.numbered_operands(), op.numbers().len()),
                    _ => (0, 0),
                };
                let call = if count > 0 {
                    let mut arguments = vec![self.binary(0)?];
                    while arguments.len() < operands {
                        self.expect(",")?;
                        arguments.push(self.binary(0)?);
                    }
                    let mut numbers = Vec::new();
                    for _ in 0..count {
                        self.expect(",")?;
                        numbers.push(self.number()?);
                    }
                    self.expect(")")?;
                    Call { name, quoted, arguments, numbers }
                } else {
                    Call { name, quoted, arguments: self.arguments()?, numbers: Vec::new() }
                };
                Ok(NodeKind::Call(Box::new(call)))
            }
            "::" => {
                self.position += 1;
                let constructor = self.name()?;
                let arguments = if self.accept("(") { self.arguments()? } else { Vec::new() };
                Ok(NodeKind::Construct(Box::new((name, constructor, arguments))))
            }
            "{" if braces == Braces::Free && self.begins_fields() => {
                self.position += 1;
                let fields = self.fields()?;
                Ok(NodeKind::Record(Box::new((name, fields))))
            }
            _ => Ok(NodeKind::Name(name)),
        }
    }

    /// Whether `{}` or `{ name :` stands here.
    fn begins_fields(&self) -> bool {
        let next = self.text(self.position + 1);
        let is_name = self.tokens.get(self.position + 1).is_some_and(|token| {
            token.kind == TokenKind::Quoted || token.kind == TokenKind::Word && next != "null"
        });
        next == "}" || is_name && self.text(self.position + 2) == ":"
    }

    /// `(e)`, `(%n := e)`, or a binder.
    fn parenthesis(&mut self) -> ParseResult<NodeId> {
        let start = self.at();
        self.position += 1;
        let quantifier = match self.word() {
            "all" => Some(Quantifier::All),
            "some" => Some(Quantifier::Some),
            "lambda" => None,
            _ => {
                let label = self.token_text();
                let defines =
                    self.kind() == TokenKind::Label && self.text(self.position + 1) == ":=";
                self.position += if defines { 2 } else { 0 };
                let mut inner = self.binary(0)?;
                self.expect(")")?;
                if defines {
                    inner = self.push(NodeKind::Define(label, inner), self.since(start));
                }
                return Ok(inner);
            }
        };
        self.position += 1;
        let enter = self.binders(start)?;
        self.expect("::")?;
        let body = self.binary(0)?;
        self.expect(")")?;
        let kind = match quantifier {
            Some(quantifier) => NodeKind::Quantified(quantifier, enter, body),
            None => NodeKind::Lambda(enter, body),
        };
        Ok(self.push(kind, self.since(start)))
    }

    /// `x: T, …`, at least one.
    fn binders(&mut self, start: TextRange) -> ParseResult<NodeId> {
        let mut binders = vec![self.binder()?];
        while self.accept(",") {
            binders.push(self.binder()?);
        }
        Ok(self.push(NodeKind::Enter(binders.into()), self.since(start)))
    }
}

/// The operator that a symbol or word between operands means, and how tightly it binds.
fn operator(word: &str) -> Option<(Binary, u8)> {
    Some(match word {
        "<==>" => (Binary::Iff, 1),
        "==>" => (Binary::Implies, 2),
        "||" => (Binary::Or, 3),
        "&&" => (Binary::And, 4),
        "==" => (Binary::Eq, 5),
        "!=" => (Binary::Ne, 5),
        "<" => (Binary::Lt, 6),
        "<=" => (Binary::Le, 6),
        ">" => (Binary::Gt, 6),
        ">=" => (Binary::Ge, 6),
        "++" => (Binary::Concat, 7),
        "+" => (Binary::Add, 8),
        "-" => (Binary::Sub, 8),
        "*" => (Binary::Mul, 9),
        "div" => (Binary::Div, 9),
        "mod" => (Binary::Mod, 9),
        _ => return None,
    })
}
