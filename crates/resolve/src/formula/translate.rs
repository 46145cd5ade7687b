//! From terms to Boolean formulas.

use std::collections::BTreeSet;

use super::{BooleanHypothesis, Formula, Scope};
use crate::hypothesis::Hypothesis;
use crate::print::in_state;
use crate::term::{Term, TermKind, TimePoint};
use crate::theory::Theory;
use crate::types::Type;

/// A string of entries, by their numbers.
type EntryString = Vec<usize>;

/// Translates a hypothesis.
///
/// # Errors
/// If the hypothesis cannot be expressed by these formulas: a sentence with the reason.
pub fn formula(hypothesis: &Hypothesis, scope: Scope) -> Result<BooleanHypothesis, String> {
    let mut translator =
        Translator { scope, seen: BTreeSet::new(), parts: SideConditions::default() };
    let mut groups: Vec<Vec<Formula>> = Vec::new();
    for group in &hypothesis.groups {
        let mut conjuncts = Vec::new();
        for term in group {
            conjuncts.extend(translator.conjuncts(term)?);
        }
        groups.push(conjuncts);
    }
    let mut confirmed = Vec::new();
    for term in &hypothesis.confirm {
        confirmed.extend(translator.conjuncts(term)?);
    }
    groups.push(vec![not(and(confirmed))]);
    let SideConditions { mut unique, length, reverse, concatenate } = translator.parts;
    let sorted = |mut all: Vec<(String, Formula)>| -> Vec<Formula> {
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all.into_iter().map(|(_, formula)| formula).collect()
    };
    // The parts of products one after the other, and each in the order of the states.
    unique.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
    let unique = unique.into_iter().flat_map(|(_, _, formulas)| formulas).collect();
    let additional = [
        ("Unique Values", unique),
        ("String Length", sorted(length)),
        ("String Reverse", sorted(reverse)),
        ("String Concatenate", sorted(concatenate)),
    ];
    let additional = additional.into_iter().filter(|(_, all)| !all.is_empty()).collect();
    Ok(BooleanHypothesis { state: hypothesis.state, groups, additional })
}

/// The side conditions of the variables.
#[derive(Default)]
struct SideConditions {
    unique: Vec<(String, u32, Vec<Formula>)>,
    length: Vec<(String, Formula)>,
    reverse: Vec<(String, Formula)>,
    concatenate: Vec<(String, Formula)>,
}

struct Translator {
    scope: Scope,
    /// The terms and values that occur.
    seen: BTreeSet<String>,
    parts: SideConditions,
}

fn and(mut parts: Vec<Formula>) -> Formula {
    if parts.len() == 1 { parts.remove(0) } else { Formula::And(parts) }
}

fn or(mut parts: Vec<Formula>) -> Formula {
    if parts.len() == 1 { parts.remove(0) } else { Formula::Or(parts) }
}

fn not(formula: Formula) -> Formula {
    match formula {
        Formula::Not(inner) => *inner,
        other => Formula::Not(Box::new(other)),
    }
}

fn unsayable<T>(term: &Term) -> Result<T, String> {
    Err(format!("the readable formula has no word for {term}"))
}

impl Translator {
    /// The conjuncts of a condition: one for each part of products that are equal.
    fn conjuncts(&mut self, term: &Term) -> Result<Vec<Formula>, String> {
        if let TermKind::Theory(Theory::Equal, _, sides) = &term.kind
            && let Type::Product(fields) = sides[0].ty.meet(&sides[1].ty)
        {
            let mut all = Vec::new();
            for (number, (_, ty)) in fields.iter().enumerate() {
                let [left, right] = [0, 1].map(|side| part(&sides[side], number, ty));
                all.push(self.equal(&left, &right)?);
            }
            return Ok(all);
        }
        Ok(vec![self.truth(term)?])
    }

    fn truth(&mut self, term: &Term) -> Result<Formula, String> {
        let TermKind::Theory(function, _, parts) = &term.kind else {
            return match &term.kind {
                TermKind::Truth(true) => Ok(Formula::And(Vec::new())),
                TermKind::Truth(false) => Ok(Formula::Or(Vec::new())),
                _ if term.ty == Type::Bool => Ok(Formula::Variable(self.name(term)?)),
                _ => unsayable(term),
            };
        };
        match function {
            Theory::And => Ok(and(self.truths(parts)?)),
            Theory::Or => Ok(or(self.truths(parts)?)),
            Theory::Not => Ok(not(self.truth(&parts[0])?)),
            Theory::Implies => {
                let condition = not(self.truth(&parts[0])?);
                Ok(or(vec![condition, self.truth(&parts[1])?]))
            }
            Theory::Iff => {
                let (left, right) = (self.truth(&parts[0])?, self.truth(&parts[1])?);
                Ok(Formula::Iff(Box::new(left), Box::new(right)))
            }
            Theory::Equal => self.equal(&parts[0], &parts[1]),
            Theory::NotEqual => Ok(not(self.equal(&parts[0], &parts[1])?)),
            Theory::Less => self.compared(&parts[0], &parts[1], |a, b| a < b),
            Theory::LessOrEqual => self.compared(&parts[0], &parts[1], |a, b| a <= b),
            Theory::Greater
                if parts[1].kind == TermKind::Number(0.into()) && parts[0].ty == Type::Nat =>
            {
                Ok(not(self.equal(&parts[0], &parts[1])?))
            }
            Theory::Greater => self.compared(&parts[0], &parts[1], |a, b| a > b),
            Theory::GreaterOrEqual => self.compared(&parts[0], &parts[1], |a, b| a >= b),
            _ => unsayable(term),
        }
    }

    fn truths(&mut self, terms: &[Term]) -> Result<Vec<Formula>, String> {
        terms.iter().map(|term| self.truth(term)).collect()
    }

    fn equal(&mut self, left: &Term, right: &Term) -> Result<Formula, String> {
        match left.ty.meet(&right.ty) {
            Type::Product(fields) => {
                let mut all = Vec::new();
                for (number, (_, ty)) in fields.iter().enumerate() {
                    all.push(self.equal(&part(left, number, ty), &part(right, number, ty))?);
                }
                Ok(and(all))
            }
            Type::Atom(_) => {
                let mut cases = Vec::new();
                for entry in 0..self.scope.entries {
                    let left = self.entry_is(left, entry)?;
                    cases.push(Formula::And(vec![left, self.entry_is(right, entry)?]));
                }
                Ok(or(cases))
            }
            Type::Str(_) => {
                let mut cases = Vec::new();
                for word in self.words() {
                    let (left, right) =
                        (self.string_is(left, &word)?, self.string_is(right, &word)?);
                    cases.push(match (left, right) {
                        // A literal denotes itself.
                        (Formula::And(none), other) | (other, Formula::And(none))
                            if none.is_empty() =>
                        {
                            other
                        }
                        (left, right) => Formula::And(vec![left, right]),
                    });
                }
                cases.retain(|case| *case != Formula::Or(Vec::new()));
                Ok(or(cases))
            }
            Type::Int | Type::Nat => self.compared(left, right, |a, b| a == b),
            Type::Bool => {
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                Ok(Formula::Iff(Box::new(left), Box::new(right)))
            }
            Type::Set(_) | Type::Function(..) | Type::Unknown => unsayable(left),
        }
    }

    /// A comparison of numbers, case by case.
    fn compared(
        &mut self,
        left: &Term,
        right: &Term,
        holds: impl Fn(i64, i64) -> bool,
    ) -> Result<Formula, String> {
        let is_constant = |term: &Term| matches!(term.kind, TermKind::Number(_));
        // For a comparison with a constant only the cases that hold are listed.
        let mut cases = Vec::new();
        for (a, left_value) in self.number_values(left)? {
            for (b, right_value) in self.number_values(right)? {
                if !holds(a, b) {
                    continue;
                }
                let mut both = Vec::new();
                for (term, value) in [(left, &left_value), (right, &right_value)] {
                    if !is_constant(term) {
                        both.push(self.number_is(term, value)?);
                    }
                }
                cases.push(and(both));
            }
        }
        Ok(or(cases))
    }

    /// The numbers that a term may be, each with the lengths that make it so.
    fn number_values(&mut self, term: &Term) -> Result<Vec<(i64, Vec<i64>)>, String> {
        match &term.kind {
            TermKind::Number(number) => {
                let number = i64::try_from(number).map_err(|_| format!("{number} is too large"))?;
                Ok(vec![(number, Vec::new())])
            }
            TermKind::Theory(Theory::Length, _, _) => {
                let most = i64::try_from(self.scope.length).unwrap_or(i64::MAX);
                Ok((0..=most).map(|length| (length, vec![length])).collect())
            }
            TermKind::Theory(function @ (Theory::Add | Theory::Subtract), _, parts) => {
                let sign = if *function == Theory::Add { 1 } else { -1 };
                let mut values = Vec::new();
                for (a, of_a) in self.number_values(&parts[0])? {
                    for (b, of_b) in self.number_values(&parts[1])? {
                        let lengths = of_a.iter().chain(&of_b).copied().collect();
                        values.push((a + sign * b, lengths));
                    }
                }
                Ok(values)
            }
            _ => unsayable(term),
        }
    }

    /// That the lengths within a number are these.
    fn number_is(&mut self, term: &Term, lengths: &[i64]) -> Result<Formula, String> {
        let mut strings: Vec<&Term> = Vec::new();
        term.each(&mut |part| {
            if let TermKind::Theory(Theory::Length, _, parts) = &part.kind {
                strings.push(&parts[0]);
            }
        });
        let mut all = Vec::new();
        for (string, &length) in strings.into_iter().zip(lengths) {
            all.push(self.length_is(string, length)?);
        }
        Ok(and(all))
    }

    fn length_is(&mut self, string: &Term, length: i64) -> Result<Formula, String> {
        const NUMBERS: [&str; 7] = ["Zero", "One", "Two", "Three", "Four", "Five", "Six"];
        let base = self.name(string)?;
        let known = usize::try_from(length).ok().and_then(|length| NUMBERS.get(length));
        let number = known.map_or_else(|| length.to_string(), |known| (*known).to_owned());
        let variable = Formula::Variable(format!("Len_{base}_equals_{number}"));
        if self.seen.insert(format!("Len_{base}_{number}")) {
            let wanted = usize::try_from(length).unwrap_or(usize::MAX);
            let mut cases = Vec::new();
            for word in self.words().into_iter().filter(|word| word.len() == wanted) {
                cases.push(self.string_is(string, &word)?);
            }
            let meaning = Formula::Iff(Box::new(variable.clone()), Box::new(or(cases)));
            self.parts.length.push((base, meaning));
        }
        Ok(variable)
    }

    fn entry_is(&mut self, term: &Term, entry: usize) -> Result<Formula, String> {
        let base = self.name(term)?;
        if self.seen.insert(base.clone()) && self.scope.entries > 1 {
            let values: Vec<String> =
                (0..self.scope.entries).map(|one| format!("Z{one}")).collect();
            self.once(term, &base, &values);
        }
        Ok(Formula::Variable(format!("{base}_equals_Z{entry}")))
    }

    /// That a term has no two values.
    fn once(&mut self, term: &Term, base: &str, values: &[String]) {
        let differs = |value: &String| not(Formula::Variable(format!("{base}_equals_{value}")));
        let mut formulas = Vec::new();
        for (number, first) in values.iter().enumerate() {
            for second in &values[number + 1..] {
                formulas.push(Formula::Or(vec![differs(first), differs(second)]));
            }
        }
        let (root, state) = origin(term);
        self.parts.unique.push((root, state, formulas));
    }

    fn string_is(&mut self, term: &Term, word: &EntryString) -> Result<Formula, String> {
        match &term.kind {
            TermKind::Variable(..) | TermKind::Field(..) | TermKind::Constant(_) => {
                let base = self.name(term)?;
                if self.seen.insert(base.clone()) {
                    let values: Vec<String> = self.words().iter().map(written).collect();
                    self.once(term, &base, &values);
                }
                Ok(Formula::Variable(format!("{base}_equals_{}", written(word))))
            }
            TermKind::Theory(Theory::EmptyString, _, _) => Ok(match word.is_empty() {
                true => Formula::And(Vec::new()),
                false => Formula::Or(Vec::new()),
            }),
            TermKind::Theory(Theory::StringOf, _, entries) => {
                if entries.len() != word.len() {
                    return Ok(Formula::Or(Vec::new()));
                }
                let mut all = Vec::new();
                for (entry, &value) in entries.iter().zip(word) {
                    all.push(self.entry_is(entry, value)?);
                }
                Ok(and(all))
            }
            TermKind::Theory(Theory::Reverse, _, parts) => {
                let base = self.name(term)?;
                if self.seen.insert(base.clone()) {
                    for word in self.words() {
                        let reversed: EntryString = word.iter().rev().copied().collect();
                        let variable =
                            Formula::Variable(format!("{base}_equals_{}", written(&word)));
                        let meaning = self.string_is(&parts[0], &reversed)?;
                        let defined = Formula::Iff(Box::new(variable), Box::new(meaning));
                        self.parts.reverse.push((base.clone(), defined));
                    }
                }
                Ok(Formula::Variable(format!("{base}_equals_{}", written(word))))
            }
            TermKind::Theory(Theory::Concatenate, _, parts) => {
                let base = self.name(term)?;
                if self.seen.insert(base.clone()) {
                    for word in self.words() {
                        let variable =
                            Formula::Variable(format!("{base}_equals_{}", written(&word)));
                        let meaning = self.split(&parts[0], &parts[1], &word)?;
                        let defined = match meaning {
                            Formula::Or(none) if none.is_empty() => not(variable),
                            meaning => Formula::Iff(Box::new(variable), Box::new(meaning)),
                        };
                        self.parts.concatenate.push((base.clone(), defined));
                    }
                }
                Ok(Formula::Variable(format!("{base}_equals_{}", written(word))))
            }
            _ => unsayable(term),
        }
    }

    /// That two strings together are a word.
    fn split(&mut self, front: &Term, back: &Term, word: &EntryString) -> Result<Formula, String> {
        let mut cases = Vec::new();
        for at in 0..=word.len() {
            let (first, second) = (word[..at].to_vec(), word[at..].to_vec());
            let both = [self.string_is(front, &first)?, self.string_is(back, &second)?];
            if both.contains(&Formula::Or(Vec::new())) {
                continue;
            }
            let parts = both.into_iter().filter(|part| *part != Formula::And(Vec::new()));
            cases.push(and(parts.collect()));
        }
        Ok(or(cases))
    }

    /// All strings of the scope, shorter ones first.
    fn words(&self) -> Vec<EntryString> {
        let mut words: Vec<EntryString> = vec![Vec::new()];
        let mut last: Vec<EntryString> = words.clone();
        for _ in 0..self.scope.length {
            let longer = |word: &EntryString| {
                (0..self.scope.entries)
                    .map(|entry| [word.as_slice(), &[entry]].concat())
                    .collect::<Vec<_>>()
            };
            last = last.iter().flat_map(longer).collect();
            words.extend(last.clone());
        }
        words
    }

    /// The name of a term within the names of variables.
    fn name(&self, term: &Term) -> Result<String, String> {
        Ok(match &term.kind {
            TermKind::Variable(name, TimePoint::At(state)) => {
                in_state(&name.replace('.', "_"), *state)
            }
            TermKind::Variable(name, TimePoint::Now | TimePoint::Old)
            | TermKind::Constant(name)
            | TermKind::Bound(name) => name.clone(),
            TermKind::Field(inner, field) => {
                let Type::Product(fields) = &inner.ty else { return unsayable(term) };
                format!("{}_{}", self.name(inner)?, fields[*field].0)
            }
            TermKind::Theory(Theory::Reverse, _, parts) => format!("Rev_{}", self.name(&parts[0])?),
            TermKind::Theory(Theory::Concatenate, _, parts) => {
                format!("Cat_{}_{}", self.name(&parts[0])?, self.name(&parts[1])?)
            }
            TermKind::Theory(Theory::StringOf, _, parts) => {
                let all: Result<Vec<String>, String> =
                    parts.iter().map(|part| self.name(part)).collect();
                all?.join("_")
            }
            TermKind::Theory(Theory::EmptyString, _, _) => "Str_Empty".to_owned(),
            _ => return unsayable(term),
        })
    }
}

/// A part of a product.
fn part(term: &Term, number: usize, ty: &Type) -> Term {
    match &term.kind {
        TermKind::Tuple(parts) => parts[number].clone(),
        _ => {
            let kind = TermKind::Field(Box::new(term.clone()), number);
            Term { kind, ty: ty.clone(), span: term.span }
        }
    }
}

/// How a string is written within a name.
fn written(word: &EntryString) -> String {
    let entries: Vec<String> = word.iter().map(|entry| format!("Z{entry}")).collect();
    if entries.is_empty() { "Str_Empty".to_owned() } else { format!("Str_{}", entries.join("_")) }
}

/// The sort key that groups related terms: the names of the part and the variable, and the state.
fn origin(term: &Term) -> (String, u32) {
    match &term.kind {
        TermKind::Variable(name, TimePoint::At(state)) => (format!(" {name}"), *state),
        TermKind::Field(inner, field) => {
            let (root, state) = origin(inner);
            (format!("{root} {field}"), state)
        }
        _ => (term.to_string(), 0),
    }
}
