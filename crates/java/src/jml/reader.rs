//! The clauses of a comment.

use super::keywords::{MODIFIERS, OF_CASES, is_of_method, is_statement, role};
use super::lexer::{Token, tokens};
use super::one_line;
use crate::diagnostics::Diagnostics;
use crate::spec::{
    Behavior, Condition, Formula, MissingClause, MissingClauseRole, Represents, SpecCase,
    SpecField, SpecStatement,
};
use crate::syntax::{Comment, Expr, ExprKind, Ident, Literal, TextRange, TypeRef, TypeRefKind};

/// The specification in a comment.
#[derive(Default)]
pub(super) struct ParsedSpec {
    pub(super) words: Vec<String>,
    pub(super) cases: Vec<SpecCase>,
    pub(super) invariants: Vec<Condition>,
    pub(super) fields: Vec<SpecField>,
    pub(super) represents: Vec<(String, Represents)>,
    pub(super) static_invariants: Vec<Condition>,
    pub(super) model_methods: Vec<String>,
    pub(super) groups: Vec<(TextRange, Vec<String>)>,
    pub(super) statements: Vec<SpecStatement>,
    /// Clauses that are not modelled, by their first words.
    pub(super) unsupported: Vec<(String, TextRange)>,
    /// Clauses that are missing.
    pub(super) missing: Vec<MissingClause>,
    /// The common prefixes of the cases between `{|` and `|}`, innermost last.
    prefixes: Vec<SpecCase>,
    /// Whether what follows is implied by what came before.
    is_redundant: bool,
}

pub(super) struct Reader<'r> {
    text: &'r str,
    start: u32,
    pub(super) tokens: Vec<(Token, TextRange)>,
    pub(super) position: usize,
    /// How many modifiers have just been read.
    run: usize,
    pub(super) diagnostics: &'r mut Diagnostics,
}

/// The text has an error, which has been reported.
pub(super) struct ParseError;

impl<'r> Reader<'r> {
    pub(super) fn new(comment: &'r Comment, diagnostics: &'r mut Diagnostics) -> Reader<'r> {
        let tokens = tokens(&comment.text, comment.start);
        let (text, start) = (&comment.text, comment.start);
        Reader { text, start, tokens, position: 0, run: 0, diagnostics }
    }

    /// Reads all clauses; those of a case may go on where another comment ended.
    pub(super) fn all(mut self, found: &mut ParsedSpec) {
        while *self.peek() != Token::End {
            let (start, word, position) = (self.at(), self.peek().clone(), self.position);
            let redundant = found.is_redundant.then(|| found.cases.clone());
            if self.clause(found).is_err() {
                self.position = (position + 1).min(self.tokens.len() - 1);
                self.skip();
                let word = match &word {
                    Token::Word(word) => word.strip_suffix("_redundantly").unwrap_or(word),
                    _ => "",
                };
                self.leave_out(found, word, start);
            }
            if let Some(cases) = redundant {
                found.cases = cases;
            }
        }
    }

    /// Notes that the clause which begins with a word, and has just been passed, is missing.
    fn leave_out(&mut self, found: &mut ParsedSpec, word: &str, start: TextRange) {
        let at = start.to(self.last());
        let text = self.slice(at);
        let text = text.trim_end_matches(';').to_owned();
        match word {
            "assume" | "set" => {
                let what = format!("`{text}`");
                found.statements.push(SpecStatement::Unsupported(what, at));
            }
            word if is_statement(word) => {
                let gap = MissingClause { role: MissingClauseRole::Ensures, text, at };
                found.statements.push(SpecStatement::Obligation(gap));
            }
            word => {
                let gap = role(word).map(|role| MissingClause { role, text, at });
                found.missing.extend(gap.filter(|_| !found.is_redundant));
            }
        }
    }

    fn clause(&mut self, found: &mut ParsedSpec) -> Result<(), ParseError> {
        let at = self.at();
        let token = self.next();
        let Token::Word(word) = token else {
            return match token {
                Token::Symbol(";" | "@") => Ok(()),
                Token::Symbol("{|") => {
                    let prefix = self.case(found).clone();
                    found.prefixes.push(prefix);
                    Ok(())
                }
                Token::Symbol("|}") => {
                    found.prefixes.pop();
                    Ok(())
                }
                _ => Err(self.fault(at, "expected a clause")),
            };
        };
        let word = word.strip_suffix("_redundantly").unwrap_or(&word).to_owned();
        if OF_CASES.contains(&&*word) {
            // Even a faulty clause is one of the method that it stands before.
            self.case(found);
        }
        // The modifiers before a declaration or clause of its own are not those of what comes behind it.
        let run = std::mem::take(&mut self.run);
        let modifiers = match word.as_str() {
            "invariant" | "constraint" | "initially" | "axiom" | "represents" | "model"
            | "ghost" => found.words.split_off(found.words.len().saturating_sub(run)),
            _ => Vec::new(),
        };
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
            "also" => {
                let common = found.prefixes.last().cloned().unwrap_or_default();
                found.cases.push(common);
            }
            "implies_that" | "for_example" => found.is_redundant = true,
            "behavior" | "behaviour" => self.begin(found, Behavior::Any),
            "normal_behavior" | "normal_behaviour" => self.begin(found, Behavior::Normal),
            "exceptional_behavior" | "exceptional_behaviour" => {
                self.begin(found, Behavior::Exceptional);
            }
            "invariant" => {
                let condition = self.condition()?;
                match modifiers.iter().any(|word| word == "static") {
                    true => found.static_invariants.push(condition),
                    false => found.invariants.push(condition),
                }
            }
            "loop_invariant" | "maintaining" => {
                let condition = self.condition()?;
                found.statements.push(SpecStatement::LoopInvariant(condition));
            }
            "decreases" | "decreasing" | "loop_variant" => {
                let measure = self.expression()?;
                self.expect(";")?;
                found.statements.push(SpecStatement::Decreases(measure));
            }
            "assert" => {
                let condition = self.condition()?;
                found.statements.push(SpecStatement::Assert(condition));
            }
            "assume" => {
                let condition = self.condition()?;
                found.statements.push(SpecStatement::Assume(condition));
            }
            "diverges" | "measured_by" | "accessible" | "working_space" | "duration"
            | "captures" | "callable" | "monitors_for" | "hence_by" => self.skip(),
            "model" | "ghost" if *self.peek() == Token::Word("import".to_owned()) => self.skip(),
            "ghost" | "model" if !self.is_method() => {
                let field = self.spec_field(word == "model", &modifiers)?;
                found.statements.push(SpecStatement::Ghost(field.clone()));
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
                found.statements.push(SpecStatement::Set(target, value));
            }
            "ghost" | "model" => {
                // The clauses before a model method are its own.
                found.cases.clear();
                found.missing.retain(|gap| !is_of_method(gap.role));
                found.words.retain(|word| word == "nullable_by_default");
                found.is_redundant = false;
                found.model_methods.extend(self.method_name());
                found.unsupported.push((format!("`{word}`"), at));
                self.skip_declaration();
            }
            "in" => {
                let names = self.groups()?;
                found.groups.push((at, names));
            }
            "unreachable" => {
                self.accept(";");
                let never = Expr { kind: ExprKind::Literal(Literal::Bool(false)), at };
                let text = "unreachable".to_owned();
                let formula = Formula::Jml(never);
                found.statements.push(SpecStatement::Assert(Condition { formula, at, text }));
            }
            "constraint" | "initially" | "axiom" | "maps" | "when" | "forall" | "old"
            | "model_program" | "loop_modifies" | "loop_writes" | "loop_assignable" => {
                found.unsupported.push((format!("`{word}`"), at));
                match word.as_str() {
                    "model_program" => self.skip_declaration(),
                    _ => self.skip(),
                }
                self.leave_out(found, &word, at);
            }
            word if MODIFIERS.contains(&word) => {
                found.words.push(word.to_owned());
                self.run = run + 1;
            }
            _ => return Err(self.fault(at, &format!("`{word}` is not known"))),
        }
        Ok(())
    }

    /// The case that clauses belong to.
    fn case<'f>(&self, found: &'f mut ParsedSpec) -> &'f mut SpecCase {
        if found.cases.is_empty() {
            found.cases.push(SpecCase::default());
        }
        found.cases.last_mut().expect("there is one")
    }

    /// A heading begins a case unless the case has nothing yet.
    fn begin(&mut self, found: &mut ParsedSpec, behavior: Behavior) {
        let case = self.case(found);
        if *case != SpecCase::default() {
            found.cases.push(SpecCase::default());
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

    /// The name of the method that is declared here.
    fn method_name(&self) -> Option<String> {
        let rest = &self.tokens[self.position..];
        let open = rest.iter().position(|(token, _)| *token == Token::Symbol("("))?;
        match &rest.get(open.checked_sub(1)?)?.0 {
            Token::Word(name) => Some(name.clone()),
            _ => None,
        }
    }

    /// `m, super.n;` behind `in`.
    fn groups(&mut self) -> Result<Vec<String>, ParseError> {
        let mut names = Vec::new();
        loop {
            let at = self.at();
            let Token::Word(mut name) = self.next() else {
                return Err(self.fault(at, "expected the name of a group"));
            };
            while self.accept(".") {
                if let Token::Word(part) = self.next() {
                    name = part;
                }
            }
            names.push(name);
            if !self.accept(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(names)
    }

    /// `instance T x = e;` behind `ghost` or `model`.
    fn spec_field(
        &mut self,
        is_model: bool,
        modifiers: &[String],
    ) -> Result<SpecField, ParseError> {
        let mut is_static = modifiers.iter().any(|word| word == "static");
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
            return Err(self.fault(at, "expected a name"));
        };
        let value = match self.accept("=") {
            true => Some(self.expression()?),
            false => None,
        };
        self.expect(";")?;
        Ok(SpecField { ty, name: Ident { name, at }, is_model, is_static, value })
    }

    /// `x = e`, `x <- e` or `x \such_that P`.
    fn represents(&mut self) -> Result<(String, Represents), ParseError> {
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
            return Err(self.fault(at, "expected the name of a field"));
        };
        if *self.peek() == Token::Word("\\such_that".to_owned()) {
            self.next();
            return Ok((name, Represents::SuchThat(self.condition()?)));
        }
        if !self.accept("=") && !self.accept("<-") {
            return Err(self.fault(at, "expected `=`, `<-` or `\\such_that`"));
        }
        let value = self.expression()?;
        self.expect(";")?;
        Ok((name, Represents::Value(value)))
    }

    fn condition(&mut self) -> Result<Condition, ParseError> {
        let start = self.at();
        let formula = self.expression()?;
        let end = self.tokens[self.position - 1].1;
        self.expect(";")?;
        let at = start.to(end);
        Ok(Condition { formula: Formula::Jml(formula), at, text: self.slice(at) })
    }

    fn slice(&self, at: TextRange) -> String {
        let (from, to) = ((at.start - self.start) as usize, (at.end - self.start) as usize);
        one_line(self.text.get(from..to).unwrap_or(""))
    }

    /// `(E e) P`, where the name and the condition may be missing.
    fn signals(&mut self) -> Result<(TypeRef, Option<String>, Condition), ParseError> {
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

    fn thrown(&mut self) -> Result<Vec<TypeRef>, ParseError> {
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

    pub(super) fn type_ref(&mut self) -> Result<TypeRef, ParseError> {
        let at = self.at();
        let Token::Word(mut name) = self.next() else {
            return Err(self.fault(at, "expected a type"));
        };
        while *self.peek() == Token::Symbol(".") {
            self.next();
            if let Token::Word(part) = self.next() {
                name = format!("{name}.{part}");
            }
        }
        if name == "\\bigint" || name == "\\TYPE" {
            return Err(self.lacking(at, "this type"));
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
}
