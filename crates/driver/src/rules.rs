//! Which rules there are, and which are looked for.

use std::collections::BTreeSet;
use std::fmt;

use check::Checker;

use crate::nearest::suggestion;

/// A name that no rule has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownRule(pub String);

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no rule `{}`{}", self.0, suggestion(&self.0, names()))
    }
}

impl std::error::Error for UnknownRule {}

/// The rule with this name. What reports write, `contract/postcondition`, is a name of `contract`.
///
/// # Errors
/// If there is none.
pub fn rule(name: &str) -> Result<check::Rule, UnknownRule> {
    let id = name.split_once('/').map_or(name, |(id, _)| id);
    rules().find(|rule| rule.id == id).ok_or_else(|| UnknownRule(name.to_owned()))
}

/// All rules: those of checkers, in the order in which they look, then those of summaries.
pub(crate) fn rules() -> impl Iterator<Item = check::Rule> {
    let summarised =
        |rule: &summary::Manual| check::Rule { id: rule.id, default_on: true, manual: rule.text };
    let checked = check::ALL.iter().map(|checker| checker.rule());
    checked.chain(summary::RULES.iter().map(summarised))
}

/// The names of all rules.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    rules().map(|rule| rule.id)
}

/// The rules that are looked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    on: BTreeSet<&'static str>,
    /// Those that somebody has switched off: what fails in every execution is not reported under them either.
    denied: BTreeSet<&'static str>,
}

impl Default for Rules {
    /// Those that are on unless somebody says otherwise.
    fn default() -> Self {
        let on = rules().filter(|rule| rule.default_on).map(|rule| rule.id).collect();
        Self { on, denied: BTreeSet::new() }
    }
}

impl Rules {
    /// None at all.
    pub fn none() -> Self {
        Self { on: BTreeSet::new(), denied: BTreeSet::new() }
    }

    /// Switches a rule on or off.
    pub fn switch(&mut self, rule: check::Rule, on: bool) {
        let (to, from) =
            if on { (&mut self.on, &mut self.denied) } else { (&mut self.denied, &mut self.on) };
        from.remove(rule.id);
        to.insert(rule.id);
    }

    /// Whether a rule is looked for.
    pub fn has(&self, id: &str) -> bool {
        self.on.contains(id)
    }

    /// The rules under which nothing is reported.
    pub fn denied(&self) -> &BTreeSet<&'static str> {
        &self.denied
    }

    /// The checkers of the rules, in the order in which they look.
    pub fn checkers(&self) -> Vec<&'static dyn Checker> {
        check::ALL.iter().copied().filter(|checker| self.has(checker.rule().id)).collect()
    }
}

/// Indict itself, as reports name it, with all its rules.
pub fn tool() -> report::Tool {
    let rules = rules().map(|rule| report::Rule {
        id: rule.id.into(),
        name: title(rule.id),
        summary: rule.summary().to_owned(),
        manual: manual(rule.manual),
        default_on: rule.default_on,
    });
    report::Tool {
        name: "indict".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        uri: None,
        rules: rules.collect(),
    }
}

/// `null-dereference` is called *Null dereference*.
fn title(id: &str) -> String {
    let words = id.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A manual without the space that doc comments have before each line.
fn manual(text: &str) -> String {
    let line = |line: &str| format!("{}\n", line.strip_prefix(' ').unwrap_or(line));
    text.trim_end().lines().map(line).collect()
}
