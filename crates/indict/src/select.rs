//! `--rule`: which rules to look for.

use driver::{Rule, Rules, checked, rule};

/// One use of `--rule`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Choice {
    sign: Sign,
    rules: Vec<Rule>,
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
        let rules = match name {
            "all" => checked().collect(),
            _ => vec![rule(name).map_err(|unknown| unknown.to_string())?],
        };
        Ok(Self { sign, rules })
    }
}

/// The rules to look for, given those that are on.
pub(crate) fn select(on: Rules, choices: &[Choice]) -> Rules {
    let is_limited = choices.iter().any(|choice| choice.sign == Sign::Only);
    let mut rules = if is_limited { Rules::none() } else { on };
    for choice in choices {
        let on = match choice.sign {
            Sign::Only | Sign::Also => true,
            Sign::Not => false,
        };
        choice.rules.iter().for_each(|rule| rules.switch(*rule, on));
    }
    rules
}

#[cfg(test)]
mod tests {
    use driver::Rules;

    use super::{Choice, select};

    fn selected(choices: &[&str]) -> Vec<&'static str> {
        let choices: Vec<Choice> = choices.iter().map(|c| Choice::parse(c).unwrap()).collect();
        let rules = select(Rules::default(), &choices);
        rules.checkers().iter().map(|checker| checker.rule().id).collect()
    }

    #[test]
    fn plain_names_limit_and_signs_add_and_leave_out() {
        let all = selected(&["all"]);
        let default = selected(&[]);
        assert!(all.len() > default.len());
        assert_eq!(selected(&["doomed", "contract"]), ["doomed", "contract"]);
        assert_eq!(selected(&["doomed", "+contract"]), ["doomed", "contract"]);
        assert_eq!(selected(&["+unreachable"]).len(), default.len() + 1);
        assert_eq!(selected(&["-doomed"]).len(), default.len() - 1);
        assert_eq!(selected(&["all", "-doomed"]).len(), all.len() - 1);
    }

    #[test]
    fn names_that_no_rule_has_are_refused_with_a_suggestion() {
        assert_eq!(
            Choice::parse("+dooomed").unwrap_err(),
            "there is no rule `dooomed`; did you mean `doomed`?"
        );
    }
}
