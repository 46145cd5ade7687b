//! Formulas and relations, by recursive descent.
//!
//! Loosest first, formulas are `<=>`, `=>` (or `->`, to the right), `||`, `&&`, `!`, comparisons;
//! relations are `+` and `-`, `&`, and `.` with the closures of what is behind it.

use super::lexer::{Token, tokens};
use super::{Comparison, Formula, Multiplicity, Relation, RelationKind, Variable};
use crate::diagnostics::Diagnostics;
use crate::syntax::TextRange;

pub(super) fn parse(text: &str, start: u32, diagnostics: &mut Diagnostics) -> Option<Formula> {
    let mut parser = Parser { tokens: tokens(text, start), position: 0 };
    let formula = parser.formula().and_then(|formula| match parser.peek() {
        Token::End => Ok(formula),
        _ => Err((parser.at(), "the formula should end here")),
    });
    match formula {
        Ok(formula) => Some(formula),
        Err((at, message)) => {
            diagnostics.error(at, format!("{message} in a specification"));
            None
        }
    }
}

struct Parser {
    tokens: Vec<(Token, TextRange)>,
    position: usize,
}

type Parsed<T> = Result<T, (TextRange, &'static str)>;

impl Parser {
    fn formula(&mut self) -> Parsed<Formula> {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || {
            let mut left = self.implication()?;
            while self.accept(&["<=>"], &["iff"]) {
                left = Formula::Iff(Box::new(left), Box::new(self.implication()?));
            }
            Ok(left)
        })
    }

    fn implication(&mut self) -> Parsed<Formula> {
        let left = self.disjunction()?;
        match self.accept(&["=>", "->"], &["implies"]) {
            true => Ok(Formula::Implies(Box::new(left), Box::new(self.implication()?))),
            false => Ok(left),
        }
    }

    fn disjunction(&mut self) -> Parsed<Formula> {
        let mut left = self.conjunction()?;
        while self.accept(&["||"], &["or"]) {
            left = Formula::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Parsed<Formula> {
        let mut left = self.negation()?;
        while self.accept(&["&&"], &["and"]) {
            left = Formula::And(Box::new(left), Box::new(self.negation()?));
        }
        Ok(left)
    }

    fn negation(&mut self) -> Parsed<Formula> {
        match self.accept(&["!"], &["not"]) {
            true => Ok(Formula::Not(Box::new(self.negation()?))),
            false => self.elementary(),
        }
    }

    fn elementary(&mut self) -> Parsed<Formula> {
        if let Some(multiplicity) = self.multiplicity() {
            return self.quantified(multiplicity);
        }
        if self.word_is("true") {
            self.next();
            return Ok(Formula::True);
        }
        // A parenthesis may enclose a formula or a set; what follows decides.
        let start = self.position;
        if self.accept(&["("], &[]) {
            let inner = self.formula();
            if let Ok(inner) = inner
                && self.accept(&[")"], &[])
                && self.comparison().is_none()
                && !matches!(self.peek(), Token::Symbol("." | "+" | "-" | "&"))
            {
                return Ok(inner);
            }
            self.position = start;
        }
        let left = self.relation()?;
        let at = self.at();
        let Some(comparison) = self.comparison() else {
            return Err((at, "expected a comparison"));
        };
        self.position += match comparison {
            Comparison::NotIn => 2,
            _ => 1,
        };
        let right = self.relation()?;
        Ok(Formula::Compare(comparison, Box::new(left), Box::new(right)))
    }

    fn comparison(&self) -> Option<Comparison> {
        Some(match self.peek() {
            Token::Symbol("=") => Comparison::Equal,
            Token::Symbol("!=") => Comparison::Unequal,
            Token::Symbol("<") => Comparison::Less,
            Token::Symbol("<=" | "=<") => Comparison::LessOrEqual,
            Token::Symbol(">") => Comparison::Greater,
            Token::Symbol(">=") => Comparison::GreaterOrEqual,
            Token::Word(word, false) if word == "in" => Comparison::In,
            Token::Word(word, false) if word == "not" || word == "!" => match self.ahead(1) {
                Token::Word(word, false) if word == "in" => Comparison::NotIn,
                _ => return None,
            },
            Token::Symbol("!") => match self.ahead(1) {
                Token::Word(word, false) if word == "in" => Comparison::NotIn,
                _ => return None,
            },
            _ => return None,
        })
    }

    fn multiplicity(&mut self) -> Option<Multiplicity> {
        let Token::Word(word, false) = self.peek() else { return None };
        let multiplicity = match word.as_str() {
            "all" => Multiplicity::All,
            "some" => Multiplicity::Some,
            "no" => Multiplicity::No,
            "one" => Multiplicity::One,
            "sole" | "lone" => Multiplicity::Sole,
            _ => return None,
        };
        self.next();
        Some(multiplicity)
    }

    /// Behind the word: variables with a bar, or a set whose size is meant.
    fn quantified(&mut self, multiplicity: Multiplicity) -> Parsed<Formula> {
        let start = self.position;
        if let Ok(variables) = self.variables()
            && self.accept(&["|"], &[])
        {
            let body = self.formula()?;
            return Ok(Formula::Quantified(multiplicity, variables, Box::new(body)));
        }
        self.position = start;
        let at = self.at();
        let relation = self.relation()?;
        match multiplicity {
            Multiplicity::All => Err((at, "`all` needs a variable and `|`")),
            _ => Ok(Formula::Count(multiplicity, Box::new(relation))),
        }
    }

    /// `x, y: e, z`.
    fn variables(&mut self) -> Parsed<Vec<Variable>> {
        let mut variables: Vec<Variable> = Vec::new();
        let mut open = 0;
        loop {
            let at = self.at();
            let Token::Word(name, false) = self.next() else {
                return Err((at, "expected a variable"));
            };
            variables.push(Variable { name, within: None, at });
            open += 1;
            if self.accept(&[":"], &[]) {
                let within = self.relation()?;
                let count = variables.len();
                for variable in &mut variables[count - open..] {
                    variable.within = Some(within.clone());
                }
                open = 0;
            }
            if !self.accept(&[","], &[]) {
                return Ok(variables);
            }
        }
    }

    fn relation(&mut self) -> Parsed<Relation> {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || {
            let mut left = self.intersection()?;
            loop {
                let is_union = match self.peek() {
                    Token::Symbol("+") => true,
                    Token::Symbol("-") => false,
                    _ => return Ok(left),
                };
                self.next();
                let right = self.intersection()?;
                let at = left.at.to(right.at);
                let (left_box, right) = (Box::new(left), Box::new(right));
                let kind = match is_union {
                    true => RelationKind::Union(left_box, right),
                    false => RelationKind::Difference(left_box, right),
                };
                left = Relation { kind, at };
            }
        })
    }

    fn intersection(&mut self) -> Parsed<Relation> {
        let mut left = self.join()?;
        while self.accept(&["&"], &[]) {
            let right = self.join()?;
            let at = left.at.to(right.at);
            left =
                Relation { kind: RelationKind::Intersection(Box::new(left), Box::new(right)), at };
        }
        Ok(left)
    }

    fn join(&mut self) -> Parsed<Relation> {
        let mut left = self.qualifier()?;
        while self.accept(&["."], &[]) {
            let right = self.qualifier()?;
            let at = left.at.to(right.at);
            left = Relation { kind: RelationKind::Join(Box::new(left), Box::new(right)), at };
        }
        Ok(left)
    }

    /// `*q`, `+q`, `^q`, `~q`, or something plain.
    fn qualifier(&mut self) -> Parsed<Relation> {
        let at = self.at();
        let wrap: fn(Box<Relation>) -> RelationKind = match self.peek() {
            Token::Symbol("*") => RelationKind::ReflexiveClosure,
            Token::Symbol("+" | "^") => RelationKind::Closure,
            Token::Symbol("~") => RelationKind::Transpose,
            Token::Symbol("#") => RelationKind::Size,
            _ => return self.plain(),
        };
        let is_size = *self.peek() == Token::Symbol("#");
        self.next();
        let inner = if is_size { self.join()? } else { self.qualifier()? };
        let at = at.to(inner.at);
        Ok(Relation { kind: wrap(Box::new(inner)), at })
    }

    fn plain(&mut self) -> Parsed<Relation> {
        let at = self.at();
        let kind = match self.next() {
            Token::Word(name, false) if name == "none" => RelationKind::Empty,
            Token::Word(name, prime) => RelationKind::Name(name, prime),
            Token::Number(number) => RelationKind::Number(number),
            Token::Symbol("(") => {
                let inner = self.relation()?;
                self.expect(")", "expected `)`")?;
                return Ok(inner);
            }
            Token::Symbol("{") => {
                if self.accept(&["}"], &[]) {
                    RelationKind::Empty
                } else {
                    let variables = self.variables()?;
                    self.expect("|", "expected `|`")?;
                    let body = self.formula()?;
                    self.expect("}", "expected `}`")?;
                    RelationKind::Comprehension(variables, Box::new(body))
                }
            }
            Token::Symbol("-") => match self.next() {
                Token::Number(number) => RelationKind::Number(-number),
                _ => return Err((at, "expected a set or relation")),
            },
            Token::Symbol(_) | Token::End => {
                return Err((at, "expected a set or relation"));
            }
        };
        Ok(Relation { kind, at })
    }

    fn peek(&self) -> &Token {
        self.ahead(0)
    }

    fn ahead(&self, by: usize) -> &Token {
        &self.tokens[(self.position + by).min(self.tokens.len() - 1)].0
    }

    fn at(&self) -> TextRange {
        self.tokens[self.position.min(self.tokens.len() - 1)].1
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.position = (self.position + 1).min(self.tokens.len() - 1);
        token
    }

    fn word_is(&self, wanted: &str) -> bool {
        matches!(self.peek(), Token::Word(word, false) if word == wanted)
    }

    fn accept(&mut self, symbols: &[&str], words: &[&str]) -> bool {
        let is_here = match self.peek() {
            Token::Symbol(symbol) => symbols.contains(symbol),
            Token::Word(word, false) => words.contains(&word.as_str()),
            Token::Word(..) | Token::Number(_) | Token::End => false,
        };
        if is_here {
            self.next();
        }
        is_here
    }

    fn expect(&mut self, symbol: &str, message: &'static str) -> Parsed<()> {
        let at = self.at();
        match self.accept(&[symbol], &[]) {
            true => Ok(()),
            false => Err((at, message)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::alloy::{Formula, Multiplicity};
    use crate::diagnostics::Diagnostics;

    fn parsed(text: &str) -> Formula {
        let mut diagnostics = Diagnostics::default();
        let formula = parse(text, 0, &mut diagnostics);
        formula.unwrap_or_else(|| panic!("{text}: {:?}", diagnostics.into_diagnostics()))
    }

    #[test]
    fn the_specifications_of_the_papers_figure_are_formulas() {
        for text in [
            "l.*next' in l.*next",
            "no c: l.*next' | c.val' = v",
            "l.*next' = l.*next - {c | c.val = v}",
            "all c | c.val = c.val'",
            "(no c: l.*next | c in c.+next) -> (no c: l.*next' | c in c.+next')",
            "all x | sole cell: l.*next | cell.val = x",
            "l.val != v",
        ] {
            parsed(text);
        }
    }

    #[test]
    fn a_quantifier_reaches_as_far_as_it_can() {
        let formula = parsed("no c: l.*next | c in c.+next -> no d: l.*next' | d in d.+next'");
        let Formula::Quantified(Multiplicity::No, _, body) = formula else { panic!("{formula:?}") };
        assert!(matches!(*body, Formula::Implies(..)));
    }

    #[test]
    fn a_fault_has_its_place_in_the_file() {
        let mut diagnostics = Diagnostics::default();
        assert_eq!(parse("l.*next in", 100, &mut diagnostics), None);
        let [fault] = &diagnostics.into_diagnostics()[..] else { panic!("one fault is expected") };
        assert_eq!(fault.span.start, 110);
    }
}
