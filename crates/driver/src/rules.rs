//! The registry: the rules of checkers, of summaries and of property files, and those that are enabled.
//!
//! All rules are listed, selected, explained and suppressed in the same way, whatever their source.

use std::collections::BTreeSet;
use std::fmt;

use check::Checker;
use property::{Properties, PropertyError, RuleDeclaration};
use report::{Example, Level, Rule};

use crate::nearest::suggestion;

/// Names that rules had before, and those that they have now.
const ALIASES: [(&str, &str); 1] = [("uninitialised", "uninitialized")];

/// A name that no rule has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownRule {
    name: String,
    suggestion: String,
}

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no rule `{}`{}", self.name, self.suggestion)
    }
}

impl std::error::Error for UnknownRule {}

/// All rules: those of checkers, in the order in which they look, then those of summaries, then those of properties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Registry {
    rules: Vec<Rule>,
}

impl Default for Registry {
    /// The rules that are built in.
    fn default() -> Self {
        let checked = check::ALL.iter().map(|checker| checker.rule().described());
        Self { rules: checked.chain(summary::RULES.iter().map(summarised)).collect() }
    }
}

impl Registry {
    /// The rules that are built in and those of files of properties.
    pub fn new(properties: &Properties) -> Self {
        let mut registry = Self::default();
        for declared in &properties.rules {
            registry.add(of_declaration(declared));
        }
        for (name, _, property) in &properties.reported {
            registry.add(of_property(name, property));
        }
        registry
    }

    /// Adds a rule unless there is one of that name.
    fn add(&mut self, rule: Rule) {
        if !self.rules.iter().any(|known| known.id == rule.id) {
            self.rules.push(rule);
        }
    }

    /// All rules, in the order in which they should be listed.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The rule with this name. The full name in reports, such as `contract/postcondition`, is a name of
    /// `contract`.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(&self, name: &str) -> Result<&Rule, UnknownRule> {
        let id = name.split_once('/').map_or(name, |(id, _)| id);
        let alias = ALIASES.iter().find(|(old, _)| *old == id);
        let id = alias.map_or(id, |(_, new)| new);
        self.rules.iter().find(|rule| rule.id.as_str() == id).ok_or_else(|| UnknownRule {
            name: name.to_owned(),
            suggestion: suggestion(name, self.rules.iter().map(|rule| rule.id.as_str())),
        })
    }

    /// Indict itself, as reports name it, with all its rules.
    pub fn tool(&self) -> report::Tool {
        report::Tool {
            name: "indict".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            uri: None,
            root: None,
            rules: self.rules.clone(),
        }
    }
}

/// The errors in the rules of a property file, given those that were read before: a built-in name cannot be used,
/// unless bundled properties report under it.
pub(crate) fn collisions(added: &Properties, before: &Properties) -> Vec<PropertyError> {
    let built_in = Registry::default();
    let is_built_in = |name: &str| built_in.rules.iter().any(|rule| rule.id.as_str() == name);
    let shared: BTreeSet<String> =
        property::shipped().reported.into_iter().map(|(rule, ..)| rule).collect();
    let mut faults = Vec::new();
    let mut declared: BTreeSet<&str> = before.rules.iter().map(|rule| rule.name.as_str()).collect();
    for RuleDeclaration { name, line, .. } in &added.rules {
        let message = if is_built_in(name) {
            format!("the rule `{name}` is built in and cannot be declared again")
        } else if !declared.insert(name) {
            format!("the rule `{name}` is declared twice")
        } else {
            continue;
        };
        faults.push(PropertyError { line: *line, message });
    }
    for (name, line, property) in &added.reported {
        if is_built_in(name) && !shared.contains(name) {
            let shared = shared.iter().map(|name| format!("`{name}`"));
            let shared = shared.collect::<Vec<_>>().join(", ");
            let message = format!(
                "the property `{property}` cannot report under the built-in rule `{name}`; choose another name, or \
                 one that properties share: {shared}"
            );
            faults.push(PropertyError { line: *line, message });
        }
    }
    faults.sort_by_key(|fault| fault.line);
    faults
}

fn summarised(rule: &summary::Manual) -> Rule {
    let summary::Manual { id, title, summary, explanation, bad, good, cwe } = *rule;
    Rule {
        id: id.into(),
        title: title.to_owned(),
        summary: summary.to_owned(),
        explanation: explanation.to_owned(),
        example: Some(Example { bad: bad.to_owned(), good: good.to_owned() }),
        level: Level::Error,
        cwe: cwe.to_vec(),
        default_on: true,
    }
}

/// A rule that a file of properties declares.
fn of_declaration(declared: &RuleDeclaration) -> Rule {
    let RuleDeclaration { name, title, explanation, is_error, cwe, .. } = declared;
    let text = explanation.clone().unwrap_or_default();
    let (summary, rest) = text.trim().split_once("\n\n").unwrap_or((text.trim(), ""));
    let summary = match summary {
        "" => "A property that a file declares is violated.".to_owned(),
        summary => summary.replace('\n', " "),
    };
    Rule {
        id: name.as_str().into(),
        title: title.clone().unwrap_or_else(|| titled(name)),
        summary,
        explanation: rest.to_owned(),
        example: None,
        level: if *is_error { Level::Error } else { Level::Warning },
        cwe: cwe.clone(),
        default_on: true,
    }
}

/// A rule that a property reports under without declaring it.
fn of_property(name: &str, property: &str) -> Rule {
    Rule {
        id: name.into(),
        title: titled(name),
        summary: format!("The property `{property}` is violated."),
        explanation: "A file of properties declares it (docs/properties.md).".to_owned(),
        example: None,
        level: Level::Error,
        cwe: Vec::new(),
        default_on: true,
    }
}

/// `session-misuse` is called *Session misuse*.
fn titled(id: &str) -> String {
    let words = id.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The rules that are looked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    on: BTreeSet<String>,
    /// The rules that the user has switched off: failures of every execution are not reported under them either.
    denied: BTreeSet<String>,
}

impl Default for Rules {
    /// The built-in rules that are on by default.
    fn default() -> Self {
        let mut rules = Self::none();
        rules.add_defaults(&Registry::default());
        rules
    }
}

impl Rules {
    /// None at all.
    pub fn none() -> Self {
        Self { on: BTreeSet::new(), denied: BTreeSet::new() }
    }

    /// Adds the rules of a registry that are on by default.
    pub(crate) fn add_defaults(&mut self, registry: &Registry) {
        let on = registry.rules.iter().filter(|rule| rule.default_on);
        let on = on.map(|rule| rule.id.to_string()).filter(|id| !self.denied.contains(id));
        self.on.extend(on.collect::<Vec<_>>());
    }

    /// Switches a rule on or off.
    pub fn switch(&mut self, id: &str, on: bool) {
        let (to, from) =
            if on { (&mut self.on, &mut self.denied) } else { (&mut self.denied, &mut self.on) };
        from.remove(id);
        to.insert(id.to_owned());
    }

    /// Whether a rule is looked for.
    pub fn has(&self, id: &str) -> bool {
        self.on.contains(id)
    }

    /// The rules under which nothing is reported.
    pub fn denied(&self) -> &BTreeSet<String> {
        &self.denied
    }

    /// The checkers of the rules, in the order in which they look.
    pub fn checkers(&self) -> Vec<&'static dyn Checker> {
        check::ALL.iter().copied().filter(|checker| self.has(checker.rule().id)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Registry, Rules, collisions};

    fn properties(text: &str) -> property::Properties {
        let (properties, faults) = property::read_properties(text);
        assert!(faults.is_empty(), "{faults:?}");
        properties
    }

    fn property(rule: &str) -> String {
        format!(
            "[[property]]\nname = \"session\"\nstates = [\"closed\"]\n[[property.operation]]\n\
             functions = [\"f\"]\nmoves = [\"closed -> error {rule}\"]\n"
        )
    }

    #[test]
    fn every_rule_can_be_listed_and_explained() {
        let registry = Registry::new(&properties(&property("session-misuse")));
        let mut seen = std::collections::BTreeSet::new();
        for rule in registry.rules() {
            assert!(seen.insert(rule.id.clone()), "`{}` is there once", rule.id);
            assert!(!rule.title.is_empty() && rule.summary.ends_with('.'), "{rule:?}");
            assert!(!rule.summary.contains('\n') && !rule.explanation.is_empty(), "{rule:?}");
            let is_own = rule.id.as_str() == "session-misuse";
            assert!(is_own || rule.example.is_some(), "{rule:?} has an example");
            assert_eq!(registry.find(rule.id.as_str()), Ok(rule));
        }
        assert!(seen.contains(&"session-misuse".into()) && seen.contains(&"memory-leak".into()));
    }

    #[test]
    fn rules_keep_the_names_that_they_had() {
        let registry = Registry::default();
        let found = registry.find("uninitialised").map(|rule| rule.id.to_string());
        assert_eq!(found, Ok("uninitialized".to_owned()));
        let unknown = registry.find("null-deref").unwrap_err().to_string();
        assert_eq!(unknown, "there is no rule `null-deref`; did you mean `null-dereference`?");
    }

    #[test]
    fn a_property_says_what_its_rule_means() {
        let text = "[[rule]]\nname = \"session-misuse\"\ntitle = \"Misused session\"\nlevel = \"warning\"\n\
                    cwe = [664]\nexplanation = \"A session is opened twice.\\n\\nClose it first.\"\n";
        let registry = Registry::new(&properties(&(text.to_owned() + &property("session-misuse"))));
        let rule = registry.find("session-misuse").expect("it is declared");
        assert_eq!(rule.title, "Misused session");
        assert_eq!(rule.summary, "A session is opened twice.");
        assert_eq!((rule.level, &rule.cwe[..]), (report::Level::Warning, &[664][..]));
    }

    #[test]
    fn names_that_are_built_in_are_taken_unless_bundled_properties_use_them() {
        let messages = |text: &str| {
            let faults = collisions(&properties(text), &property::Properties::default());
            faults.into_iter().map(|fault| fault.message).collect::<Vec<_>>()
        };
        assert_eq!(messages(&property("double-lock")), [""; 0]);
        assert_eq!(messages(&property("session-misuse")), [""; 0]);
        let [taken] = &messages(&property("null-dereference"))[..] else {
            panic!("one is reported")
        };
        assert!(taken.starts_with("the property `session` cannot report under the built-in rule"));
        let [again] = &messages("[[rule]]\nname = \"double-lock\"\n")[..] else {
            panic!("one is reported")
        };
        assert_eq!(again, "the rule `double-lock` is built in and cannot be declared again");
        let twice = messages("[[rule]]\nname = \"a\"\n[[rule]]\nname = \"a\"\n");
        assert_eq!(twice, ["the rule `a` is declared twice"]);
    }

    #[test]
    fn rules_that_are_switched_off_are_denied() {
        let mut rules = Rules::default();
        assert!(!rules.has("overflow") && rules.denied().is_empty(), "off, but not denied");
        rules.switch("assertion", false);
        assert!(!rules.has("assertion") && rules.denied().contains("assertion"));
        rules.switch("assertion", true);
        assert!(rules.has("assertion") && rules.denied().is_empty());
    }
}
