//! Properties from TOML (docs/properties.md is the guide).
//!
//! Reading never stops at the first error: each is reported with its line, and the rest is used.

use std::str::FromStr;

use toml::de::{DeTable, DeValue};

use crate::data::{
    Allocator, Consumer, NextState, Operation, OperationTarget, Properties, Property, Release,
    ResultTest, RuleDeclaration, StateTransition,
};

/// An error in a property file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyError {
    /// The line, from one.
    pub line: usize,
    /// What, in a sentence.
    pub message: String,
}

/// Reads a file of properties.
pub fn read_properties(text: &str) -> (Properties, Vec<PropertyError>) {
    let mut reader = Reader { text, faults: Vec::new(), reported: Vec::new() };
    let mut properties = Properties::default();
    match DeTable::parse(text) {
        Ok(table) => reader.file(table.get_ref(), &mut properties),
        Err(error) => {
            let start = error.span().map_or(0, |span| span.start);
            reader.fault(start, error.message().to_owned());
        }
    }
    properties.reported = reader.reported;
    (properties, reader.faults)
}

type Spanned<'t> = toml::Spanned<DeValue<'t>>;

struct Reader<'t> {
    text: &'t str,
    faults: Vec<PropertyError>,
    /// The rules that properties name.
    reported: Vec<(String, usize, String)>,
}

impl Reader<'_> {
    fn fault(&mut self, at: usize, message: String) {
        let line = self.line(at);
        self.faults.push(PropertyError { line, message });
    }

    fn line(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or(self.text);
        1 + before.bytes().filter(|byte| *byte == b'\n').count()
    }

    /// Notes that a property reports under a rule.
    fn reports(&mut self, at: usize, rule: &str, property: &str) {
        if !is_rule_name(rule) {
            self.fault(at, format!("`{rule}` is no name of a rule: {RULE_NAMES}"));
        }
        let line = self.line(at);
        self.reported.push((rule.to_owned(), line, property.to_owned()));
    }

    fn rule(&mut self, table: &DeTable<'_>, at: usize) -> Option<RuleDeclaration> {
        self.only(table, &["name", "title", "explanation", "level", "cwe"]);
        let Some(name) = self.text(table, "name") else {
            self.fault(at, "a rule has a `name`".to_owned());
            return None;
        };
        if !is_rule_name(&name) {
            self.fault(at, format!("`{name}` is no name of a rule: {RULE_NAMES}"));
            return None;
        }
        let is_error = match self.text(table, "level").as_deref() {
            None | Some("error") => true,
            Some("warning") => false,
            Some(other) => {
                self.fault(at, format!("the level `{other}` is neither error nor warning"));
                true
            }
        };
        Some(RuleDeclaration {
            name,
            title: self.text(table, "title"),
            explanation: self.text(table, "explanation"),
            is_error,
            cwe: self.integers(table, "cwe", "numbers of weaknesses (CWE)"),
            line: self.line(at),
        })
    }

    fn file(&mut self, table: &DeTable<'_>, properties: &mut Properties) {
        for (key, value) in table {
            let at = key.span().start;
            let DeValue::Array(items) = value.get_ref() else {
                self.fault(at, format!("`{}` is written [[{}]]", key.get_ref(), key.get_ref()));
                continue;
            };
            for item in items {
                let DeValue::Table(entry) = item.get_ref() else {
                    self.fault(item.span().start, format!("`{}` has keys", key.get_ref()));
                    continue;
                };
                let at = item.span().start;
                match &**key.get_ref() {
                    "property" => properties.machines.extend(self.property(entry, at)),
                    "rule" => properties.rules.extend(self.rule(entry, at)),
                    "allocator" => {
                        let keys =
                            &["functions", "never-fails", "through", "replaces", "owner", "sizes"];
                        self.only(entry, keys);
                        properties.allocators.push(Allocator {
                            functions: self.functions(entry, at),
                            never_fails: self.boolean(entry, "never-fails"),
                            through: self.number(entry, "through"),
                            replaces: self.number(entry, "replaces"),
                            owner: self.number(entry, "owner"),
                            sizes: self.integers(entry, "sizes", "positions of arguments"),
                        });
                    }
                    "release" => properties.releases.push(self.release(entry, at)),
                    "identity" => properties.identities.push(self.consumer(entry, at)),
                    "borrow" => {
                        self.only(entry, &["functions"]);
                        properties.borrows.extend(self.functions(entry, at));
                    }
                    "error-pointer" => {
                        self.only(entry, &["addresses"]);
                        let count = self.integer(entry, "addresses", "a number of addresses");
                        let known = &mut properties.error_addresses;
                        *known = count.unwrap_or(0).max(*known);
                    }
                    other => {
                        let known =
                            "property, rule, allocator, release, identity, borrow or error-pointer";
                        self.fault(at, format!("unknown table `{other}`; expected {known}"));
                    }
                }
            }
        }
    }

    fn only(&mut self, table: &DeTable<'_>, known: &[&str]) {
        for key in table.keys() {
            if !known.contains(&&**key.get_ref()) {
                let known = known.join(", ");
                self.fault(
                    key.span().start,
                    format!("unknown key `{}`; expected one of {known}", key.get_ref()),
                );
            }
        }
    }

    fn consumer(&mut self, table: &DeTable<'_>, at: usize) -> Consumer {
        self.only(table, &["functions", "argument"]);
        let functions = self.functions(table, at);
        Consumer { functions, argument: self.number(table, "argument").unwrap_or(0) }
    }

    fn release(&mut self, table: &DeTable<'_>, at: usize) -> Release {
        self.only(table, &["functions", "argument", "frees"]);
        let functions = self.functions(table, at);
        let argument = self.number(table, "argument").unwrap_or(0);
        Release { functions, argument, frees: self.boolean(table, "frees") }
    }

    fn functions(&mut self, table: &DeTable<'_>, at: usize) -> Vec<String> {
        let functions = self.texts(table, "functions");
        if functions.is_empty() {
            self.fault(at, "there is no function".to_owned());
        }
        functions.into_iter().map(|(_, name)| name).collect()
    }

    fn texts(&mut self, table: &DeTable<'_>, key: &str) -> Vec<(usize, String)> {
        let Some(value) = table.get(key) else { return Vec::new() };
        let DeValue::Array(items) = value.get_ref() else {
            self.fault(value.span().start, format!("`{key}` is a list of texts"));
            return Vec::new();
        };
        let mut texts = Vec::new();
        for item in items {
            match item.get_ref() {
                DeValue::String(text) => texts.push((item.span().start, text.to_string())),
                _ => self.fault(item.span().start, format!("`{key}` is a list of texts")),
            }
        }
        texts
    }

    fn text(&mut self, table: &DeTable<'_>, key: &str) -> Option<String> {
        let value: &Spanned<'_> = table.get(key)?;
        match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            _ => {
                self.fault(value.span().start, format!("`{key}` is a text"));
                None
            }
        }
    }

    fn number(&mut self, table: &DeTable<'_>, key: &str) -> Option<u32> {
        self.integer(table, key, "the position of an argument, from 0")
    }

    /// An integer; the message states what is expected.
    fn integer(&mut self, table: &DeTable<'_>, key: &str, what: &str) -> Option<u32> {
        let value = table.get(key)?;
        let number = match value.get_ref() {
            DeValue::Integer(number) => number.as_str().parse().ok(),
            _ => None,
        };
        if number.is_none() {
            self.fault(value.span().start, format!("`{key}` is {what}"));
        }
        number
    }

    /// A list of integers; the message states what is expected.
    fn integers<N: FromStr>(&mut self, table: &DeTable<'_>, key: &str, what: &str) -> Vec<N> {
        let Some(value) = table.get(key) else { return Vec::new() };
        let numbers = match value.get_ref() {
            DeValue::Array(items) => items
                .iter()
                .map(|item| match item.get_ref() {
                    DeValue::Integer(number) => number.as_str().parse().ok(),
                    _ => None,
                })
                .collect(),
            _ => None,
        };
        numbers.unwrap_or_else(|| {
            self.fault(value.span().start, format!("`{key}` is a list of {what}"));
            Vec::new()
        })
    }

    fn boolean(&mut self, table: &DeTable<'_>, key: &str) -> bool {
        let Some(value) = table.get(key) else { return false };
        match value.get_ref() {
            DeValue::Boolean(value) => *value,
            _ => {
                self.fault(value.span().start, format!("`{key}` is true or false"));
                false
            }
        }
    }

    fn property(&mut self, table: &DeTable<'_>, at: usize) -> Option<Property> {
        self.only(table, &["name", "object", "states", "inner", "imbalance", "operation"]);
        let Some(name) = self.text(table, "name") else {
            self.fault(at, "a property has a `name`".to_owned());
            return None;
        };
        let states: Vec<String> =
            self.texts(table, "states").into_iter().map(|(_, state)| state).collect();
        if states.is_empty() {
            self.fault(at, format!("`{name}` has no states"));
            return None;
        }
        let mut inner = Vec::new();
        for (at, name) in self.texts(table, "inner") {
            match states.iter().position(|state| *state == name) {
                Some(state) => inner.push(state as u32),
                None => self.fault(at, format!("there is no state `{name}`")),
            }
        }
        let mut operations = Vec::new();
        if let Some(value) = table.get("operation") {
            match value.get_ref() {
                DeValue::Array(items) => {
                    for item in items {
                        if let DeValue::Table(entry) = item.get_ref() {
                            let at = item.span().start;
                            operations.push(self.operation(entry, at, &states, &name));
                        }
                    }
                }
                _ => self.fault(value.span().start, "write [[property.operation]]".to_owned()),
            }
        }
        let imbalance = self.text(table, "imbalance");
        if let (Some(rule), Some(value)) = (&imbalance, table.get("imbalance")) {
            self.reports(value.span().start, rule, &name);
        }
        Some(Property {
            object: self.text(table, "object").unwrap_or_else(|| "object".to_owned()),
            imbalance,
            name,
            states,
            inner,
            operations,
        })
    }

    fn operation(
        &mut self,
        table: &DeTable<'_>,
        at: usize,
        states: &[String],
        property: &str,
    ) -> Operation {
        self.only(table, &["functions", "argument", "result", "moves", "results"]);
        let object = match self.boolean(table, "result") {
            true => OperationTarget::Result,
            false => OperationTarget::Argument(self.number(table, "argument").unwrap_or(0)),
        };
        let functions = self.functions(table, at);
        let mut moves = Vec::new();
        for (at, text) in self.texts(table, "moves") {
            match step(&text, states) {
                Ok(step) => {
                    if let NextState::Error(rule) = &step.to {
                        self.reports(at, rule, property);
                    }
                    moves.push(step);
                }
                Err(message) => self.fault(at, format!("\"{text}\": {message}")),
            }
        }
        Operation { functions, object, moves, results: self.integers(table, "results", "numbers") }
    }
}

const RULE_NAMES: &str = "names are lower-case words with hyphens between them";

/// Whether a name is valid for a rule. `all` means all rules.
fn is_rule_name(name: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    name != "all" && name.split('-').all(is_word)
}

/// A move as it is written: `unlocked -> locked if result != 0`.
fn step(text: &str, states: &[String]) -> Result<StateTransition, String> {
    let (what, when) = match text.split_once(" if ") {
        Some((what, when)) => (what, Some(outcome(when.trim())?)),
        None => (text, None),
    };
    let (from, to) = what.split_once("->").ok_or("a move is written \"state -> state\"")?;
    let state = |name: &str| {
        let found = states.iter().position(|state| state == name);
        found.map(|n| n as u32).ok_or_else(|| format!("there is no state `{name}`"))
    };
    let to = match (to.trim(), to.trim().strip_prefix("error ")) {
        (_, Some(rule)) => NextState::Error(rule.trim().to_owned()),
        ("nowhere", None) => NextState::Impossible,
        (name, None) => NextState::State(state(name)?),
    };
    Ok(StateTransition { from: state(from.trim())?, to, when })
}

fn outcome(text: &str) -> Result<ResultTest, String> {
    match text {
        "result == 0" | "result == null" => Ok(ResultTest::Zero),
        "result != 0" | "result != null" => Ok(ResultTest::NonZero),
        "result < 0" => Ok(ResultTest::Negative),
        "result >= 0" => Ok(ResultTest::NotNegative),
        _ => Err("a condition is `result`, one of == != < >=, and 0 or null".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::read_properties;

    #[test]
    fn rules_are_declared_and_reported_under() {
        let text = "[[rule]]\nname = \"misuse\"\nlevel = \"warning\"\ncwe = [664]\n[[property]]\n\
                    name = \"p\"\nstates = [\"a\"]\nimbalance = \"left-open\"\n\
                    [[property.operation]]\nfunctions = [\"f\"]\nmoves = [\"a -> error misuse\"]\n";
        let (properties, faults) = read_properties(text);
        assert!(faults.is_empty(), "{faults:?}");
        let [rule] = &properties.rules[..] else { panic!("{:?}", properties.rules) };
        assert_eq!(
            (rule.name.as_str(), rule.is_error, &rule.cwe[..]),
            ("misuse", false, &[664][..])
        );
        let lines: Vec<(&str, usize)> =
            properties.reported.iter().map(|(rule, line, _)| (rule.as_str(), *line)).collect();
        assert_eq!(lines, [("misuse", 11), ("left-open", 8)]);
        let (_, faults) =
            read_properties("[[rule]]\nname = \"all\"\n[[rule]]\nname = \"Bad one\"\n");
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(faults[0].message.contains("lower-case words"), "{faults:?}");
    }

    #[test]
    fn faults_have_lines() {
        let text = "[[property]]\nname = \"p\"\nstates = [\"a\", \"b\"]\n[[property.operation]]\n\
                    functions = [\"f\"]\nmoves = [\"a -> c\", \"a -> b if x\", \"a b\"]\n[[other]]\n";
        let (properties, faults) = read_properties(text);
        assert_eq!(properties.machines.len(), 1);
        let messages: Vec<String> =
            faults.iter().map(|f| format!("{}: {}", f.line, f.message)).collect();
        assert!(
            messages[0].starts_with("7: unknown table `other`; expected property, "),
            "{messages:?}"
        );
        assert_eq!(messages[1], "6: \"a -> c\": there is no state `c`");
        assert!(messages[2].starts_with("6: \"a -> b if x\": a condition is"), "{messages:?}");
        assert!(messages[3].starts_with("6: \"a b\": a move is written"), "{messages:?}");
        assert_eq!(read_properties("a = [").1[0].line, 1);
    }
}
