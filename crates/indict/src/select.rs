//! `--rule`: which rules to look for.

use driver::{Registry, Rules, UnknownRule};

/// One use of `--rule`. Which rules there are is known only once files of properties are read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Choice {
    sign: Sign,
    name: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sign {
    Only,
    Also,
    Not,
}

impl Choice {
    /// Reads `RULE`, `+RULE` or `-RULE`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (sign, name) = match text.split_at_checked(1) {
            Some(("+", name)) => (Sign::Also, name),
            Some(("-", name)) => (Sign::Not, name),
            _ => (Sign::Only, text),
        };
        if name.is_empty() {
            return Err("it names no rule".to_owned());
        }
        Ok(Self { sign, name: name.to_owned() })
    }
}

/// The rules to look for, given those that there are and those that are on.
///
/// # Errors
/// If there is no rule of some name.
pub(crate) fn select(
    registry: &Registry,
    on: Rules,
    choices: &[Choice],
) -> Result<Rules, UnknownRule> {
    let is_limited = choices.iter().any(|choice| choice.sign == Sign::Only);
    let mut rules = if is_limited { Rules::none() } else { on };
    for choice in choices {
        let on = match choice.sign {
            Sign::Only | Sign::Also => true,
            Sign::Not => false,
        };
        match choice.name.as_str() {
            "all" => registry.rules().iter().for_each(|rule| rules.switch(rule.id.as_str(), on)),
            name => rules.switch(registry.find(name)?.id.as_str(), on),
        }
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use driver::{Registry, Rules};

    use super::{Choice, select};

    /// The built-in rules that are selected, in the order of the registry.
    fn selected(choices: &[&str]) -> Vec<String> {
        let choices: Vec<Choice> = choices.iter().map(|c| Choice::parse(c).unwrap()).collect();
        let registry = Registry::default();
        let rules = select(&registry, Rules::default(), &choices).unwrap();
        let ids = registry.rules().iter().map(|rule| rule.id.to_string());
        ids.filter(|id| rules.has(id)).collect()
    }

    #[test]
    fn plain_names_limit_and_signs_add_and_leave_out() {
        let all = selected(&["all"]);
        let default = selected(&[]);
        assert_eq!(all.len(), Registry::default().rules().len());
        assert!(all.len() > default.len() && default.contains(&"double-lock".to_owned()));
        assert_eq!(selected(&["doomed", "contract"]), ["doomed", "contract"]);
        assert_eq!(selected(&["doomed", "+contract"]), ["doomed", "contract"]);
        assert_eq!(selected(&["uninitialised"]), ["uninitialized"]);
        assert_eq!(selected(&["+unreachable"]).len(), default.len() + 1);
        assert_eq!(selected(&["-doomed"]).len(), default.len() - 1);
        assert_eq!(selected(&["all", "-doomed"]).len(), all.len() - 1);
    }

    #[test]
    fn names_that_no_rule_has_are_refused_with_a_suggestion() {
        let choice = Choice::parse("+dooomed").unwrap();
        let unknown = select(&Registry::default(), Rules::default(), &[choice]).unwrap_err();
        assert_eq!(unknown.to_string(), "there is no rule `dooomed`; did you mean `doomed`?");
        assert!(Choice::parse("+").is_err());
    }
}
