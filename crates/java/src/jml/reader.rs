//! Clauses.

use super::lexer::{Token, tokens};
use super::one_line;
use crate::faults::Faults;
use crate::spec::{Behavior, Case, Condition, Formula, Location, Remark, Represents, SpecField};
use crate::syntax::{At, Comment, Expr, ExprKind, Ident, Literal, TypeRef, TypeRefKind};

/// What a comment says.
#[derive(Default)]
pub(super) struct Found {
    pub(super) words: Vec<String>,
    pub(super) cases: Vec<Case>,
    pub(super) invariants: Vec<Condition>,
    pub(super) fields: Vec<SpecField>,
    pub(super) represents: Vec<(String, Represents)>,
    pub(super) remarks: Vec<Remark>,
    pub(super) unsupported: Option<(String, At)>,
}

/// The clauses that are parts of cases.
const OF_CASES: [&str; 11] = [
    "requires",
    "pre",
    "ensures",
    "post",
    "signals",
    "exsures",
    "signals_only",
    "assignable",
    "modifies",
    "modifiable",
    "assigns",
];

pub(super) struct Reader<'r> {
    text: &'r str,
    start: u32,
    tokens: Vec<(Token, At)>,
    position: usize,
    faults: &'r mut Faults,
}

/// Something is wrong and has been told.
pub(super) struct Faulty;

impl<'r> Reader<'r> {
    pub(super) fn new(comment: &'r Comment, faults: &'r mut Faults) -> Reader<'r> {
        let tokens = tokens(&comment.text, comment.start);
        Reader { text: &comment.text, start: comment.start, tokens, position: 0, faults }
    }

    /// Reads all clauses; those of a case may go on where another comment ended.
    pub(super) fn all(mut self, found: &mut Found) {
        while *self.peek() != Token::End {
            if self.clause(found).is_err() {
                self.skip();
            }
        }
    }

    fn clause(&mut self, found: &mut Found) -> Result<(), Faulty> {
        let at = self.at();
        let Token::Word(word) = self.next() else {
            return match self.tokens[self.position - 1].0 {
                Token::Symbol(";" | "{|" | "|}" | "@") => Ok(()),
                _ => Err(self.fault(at, "a clause is expected here")),
            };
        };
        let word = word.strip_suffix("_redundantly").unwrap_or(&word).to_owned();
        if OF_CASES.contains(&&*word) {
            // Even a faulty clause is one of the method that it stands before.
            self.case(found);
        }
        match word.as_str() {
            "requires" | "pre" => {
                let condition = self.condition()?;
                self.case(found).requires.push(condition);
            }
            "ensures" | "post" => {
                let condition = self.condition()?;
                self.case(found).ensures.push(condition);
            }
            "signals" | "exsures" => {
                let (ty, name, condition) = self.signals()?;
                self.case(found).signals.push((ty, name, condition));
            }
            "signals_only" => {
                let types = self.thrown()?;
                self.case(found).signals_only.get_or_insert_default().extend(types);
            }
            "assignable" | "modifies" | "modifiable" | "assigns" => {
                let locations = self.locations()?;
                self.case(found).assignable.get_or_insert_default().extend(locations);
            }
            "also" => found.cases.push(Case::default()),
            "behavior" | "behaviour" => self.begin(found, Behavior::Any),
            "normal_behavior" | "normal_behaviour" => self.begin(found, Behavior::Normal),
            "exceptional_behavior" | "exceptional_behaviour" => {
                self.begin(found, Behavior::Exceptional);
            }
            "invariant" => {
                let condition = self.condition()?;
                found.invariants.push(condition);
            }
            "loop_invariant" | "maintaining" => {
                let condition = self.condition()?;
                found.remarks.push(Remark::LoopInvariant(condition));
            }
            "decreases" | "decreasing" | "loop_variant" => {
                let measure = self.expression()?;
                self.expect(";")?;
                found.remarks.push(Remark::Decreases(measure));
            }
            "assert" => {
                let condition = self.condition()?;
                found.remarks.push(Remark::Assert(condition));
            }
            "assume" => {
                let condition = self.condition()?;
                found.remarks.push(Remark::Assume(condition));
            }
            "diverges" | "measured_by" | "accessible" | "working_space" | "duration"
            | "captures" | "callable" | "when" => self.skip(),
            "ghost" | "model" if !self.is_method() => {
                let field = self.spec_field(word == "model", found)?;
                found.remarks.push(Remark::Ghost(field.clone()));
                found.fields.push(field);
            }
            "represents" => {
                let represents = self.represents()?;
                found.represents.push(represents);
            }
            "set" => {
                let target = self.expression()?;
                self.expect("=")?;
                let value = self.expression()?;
                self.expect(";")?;
                found.remarks.push(Remark::Set(target, value));
            }
            "ghost" | "model" | "constraint" | "initially" | "axiom" | "unreachable"
            | "loop_modifies" | "loop_assignable" | "in" | "maps" | "monitors_for" | "forall"
            | "old" | "model_program" | "hence_by" => {
                let what = format!("`{word}`");
                found.remarks.push(Remark::Unsupported(what.clone(), at));
                found.unsupported.get_or_insert((what, at));
                self.skip();
            }
            _ => found.words.push(word),
        }
        Ok(())
    }

    /// The case that clauses belong to.
    fn case<'f>(&self, found: &'f mut Found) -> &'f mut Case {
        if found.cases.is_empty() {
            found.cases.push(Case::default());
        }
        found.cases.last_mut().expect("there is one")
    }

    /// A heading begins a case unless the case has nothing yet.
    fn begin(&mut self, found: &mut Found, behavior: Behavior) {
        let case = self.case(found);
        if *case != Case::default() {
            found.cases.push(Case::default());
        }
        self.case(found).behavior = behavior;
    }

    /// Whether what is declared here has parameters, or is a type.
    fn is_method(&self) -> bool {
        let rest = &self.tokens[self.position..];
        let end = rest.iter().position(|(token, _)| {
            matches!(token, Token::Symbol("(" | ";" | "=" | "{") | Token::End)
        });
        end.is_some_and(|end| matches!(rest[end].0, Token::Symbol("(" | "{")))
    }

    /// `instance T x = e;` behind `ghost` or `model`.
    fn spec_field(&mut self, is_model: bool, found: &Found) -> Result<SpecField, Faulty> {
        let mut is_static = found.words.iter().any(|word| word == "static");
        while let Token::Word(word) = self.peek() {
            match word.as_str() {
                "instance" | "nullable" | "non_null" | "public" | "protected" | "private"
                | "final" => {}
                "static" => is_static = true,
                _ => break,
            }
            self.next();
        }
        let ty = self.type_ref()?;
        let at = self.at();
        let Token::Word(name) = self.next() else {
            return Err(self.fault(at, "a name is expected here"));
        };
        let value = match self.accept("=") {
            true => Some(self.expression()?),
            false => None,
        };
        self.expect(";")?;
        Ok(SpecField { ty, name: Ident { name, at }, is_model, is_static, value })
    }

    /// `x = e`, `x <- e` or `x \such_that P`.
    fn represents(&mut self) -> Result<(String, Represents), Faulty> {
        let mut at = self.at();
        let mut name = None;
        while let Token::Word(word) = self.peek().clone() {
            if word == "\\such_that" {
                break;
            }
            self.next();
            self.accept(".");
            name = Some(word).filter(|word| word != "this").or(name);
            at = self.at();
        }
        let Some(name) = name else {
            return Err(self.fault(at, "the name of a field is expected here"));
        };
        if *self.peek() == Token::Word("\\such_that".to_owned()) {
            self.next();
            return Ok((name, Represents::SuchThat(self.condition()?)));
        }
        if !self.accept("=") && !self.accept("<-") {
            return Err(self.fault(at, "`=`, `<-` or `\\such_that` is expected here"));
        }
        let value = self.expression()?;
        self.expect(";")?;
        Ok((name, Represents::Value(value)))
    }

    fn condition(&mut self) -> Result<Condition, Faulty> {
        let start = self.at();
        let formula = self.expression()?;
        let end = self.tokens[self.position - 1].1;
        self.expect(";")?;
        let at = start.to(end);
        Ok(Condition { formula: Formula::Jml(formula), at, text: self.slice(at) })
    }

    fn slice(&self, at: At) -> String {
        let (from, to) = ((at.start - self.start) as usize, (at.end - self.start) as usize);
        one_line(self.text.get(from..to).unwrap_or(""))
    }

    /// `(E e) P`, where the name and the condition may be missing.
    fn signals(&mut self) -> Result<(TypeRef, Option<String>, Condition), Faulty> {
        let start = self.at();
        self.expect("(")?;
        let ty = self.type_ref()?;
        let name = match self.peek().clone() {
            Token::Word(name) => {
                self.next();
                Some(name)
            }
            _ => None,
        };
        self.expect(")")?;
        if self.accept(";") {
            let formula = Expr { kind: ExprKind::Literal(Literal::Bool(true)), at: start };
            let text = "true".to_owned();
            return Ok((ty, name, Condition { formula: Formula::Jml(formula), at: start, text }));
        }
        let condition = self.condition()?;
        Ok((ty, name, condition))
    }

    fn thrown(&mut self) -> Result<Vec<TypeRef>, Faulty> {
        let mut types = Vec::new();
        if *self.peek() == Token::Word("\\nothing".to_owned()) {
            self.next();
        } else {
            types.push(self.type_ref()?);
            while self.accept(",") {
                types.push(self.type_ref()?);
            }
        }
        self.expect(";")?;
        Ok(types)
    }

    fn locations(&mut self) -> Result<Vec<(Location, At)>, Faulty> {
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
    fn location(&mut self) -> Result<Location, Faulty> {
        let at = self.at();
        let mut whole = match self.next() {
            Token::Word(word) if word == "this" => Expr { kind: ExprKind::This, at },
            Token::Word(word) => Expr { kind: ExprKind::Name(word), at },
            _ => return Err(self.fault(at, "a variable, field or `\\nothing` is expected here")),
        };
        loop {
            let here = self.at();
            if self.accept(".") {
                if self.accept("*") {
                    return Ok(Location::Fields(whole));
                }
                let Token::Word(name) = self.next() else {
                    return Err(self.fault(here, "a field is expected here"));
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

    pub(super) fn type_ref(&mut self) -> Result<TypeRef, Faulty> {
        let at = self.at();
        let Token::Word(mut name) = self.next() else {
            return Err(self.fault(at, "a type is expected here"));
        };
        while *self.peek() == Token::Symbol(".") {
            self.next();
            if let Token::Word(part) = self.next() {
                name = format!("{name}.{part}");
            }
        }
        if name == "\\bigint" || name == "\\TYPE" {
            return Err(self.fault(at, "this type is not modelled"));
        }
        let mut arguments = Vec::new();
        if self.accept("<") {
            while !self.accept(">") {
                arguments.push(self.type_ref()?);
                self.accept(",");
            }
        }
        let mut ty = TypeRef { kind: TypeRefKind::Named(name, arguments), at };
        while *self.peek() == Token::Symbol("[") && self.ahead(1) == &Token::Symbol("]") {
            self.next();
            self.next();
            ty = TypeRef { kind: TypeRefKind::Array(Box::new(ty)), at };
        }
        Ok(ty)
    }

    /// Goes on behind the next semicolon.
    fn skip(&mut self) {
        loop {
            match self.next() {
                Token::Symbol(";") | Token::End => return,
                _ => {}
            }
        }
    }

    pub(super) fn peek(&self) -> &Token {
        self.ahead(0)
    }

    pub(super) fn ahead(&self, by: usize) -> &Token {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.position + by).min(last)].0
    }

    pub(super) fn at(&self) -> At {
        self.tokens[self.position.min(self.tokens.len() - 1)].1
    }

    /// The place of the last token that was taken.
    pub(super) fn last(&self) -> At {
        self.tokens[self.position.saturating_sub(1)].1
    }

    pub(super) fn next(&mut self) -> Token {
        let token = self.peek().clone();
        if self.position < self.tokens.len() - 1 {
            self.position += 1;
        }
        token
    }

    pub(super) fn accept(&mut self, symbol: &str) -> bool {
        let is_here = matches!(self.peek(), Token::Symbol(here) if *here == symbol);
        if is_here {
            self.next();
        }
        is_here
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Result<(), Faulty> {
        match self.accept(symbol) {
            true => Ok(()),
            // A clause at the end of a comment may lack its semicolon.
            false if symbol == ";" && *self.peek() == Token::End => Ok(()),
            false => {
                let at = self.at();
                Err(self.fault(at, &format!("`{symbol}` is expected here")))
            }
        }
    }

    pub(super) fn fault(&mut self, at: At, message: &str) -> Faulty {
        self.faults.error(at, format!("in a specification, {message}"));
        Faulty
    }
}
