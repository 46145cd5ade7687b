//! Rules, as lists, manual pages and SARIF show them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::RuleId;

/// A rule that a program can break.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Its name in reports, such as `null-dereference`.
    pub id: RuleId,
    /// Its title, such as `Null dereference`.
    pub title: String,
    /// The rule, in one sentence with a full stop.
    pub summary: String,
    /// When it is reported and when not, in Markdown; without the summary.
    pub explanation: String,
    /// Code that breaks it, and the same code mended.
    pub example: Option<Example>,
    /// How bad it is to break it.
    pub level: Level,
    /// The weaknesses of the Common Weakness Enumeration that it finds, the closest first.
    pub cwe: Vec<u32>,
    /// Whether it is on unless switched off.
    pub default_on: bool,
}

/// Code that breaks a rule, and the same code mended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// Code that violates it.
    pub bad: String,
    /// The corrected code.
    pub good: String,
}

/// How bad it is to break a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// The program does what it must not.
    #[default]
    Error,
    /// The program is suspicious.
    Warning,
}

impl Level {
    /// Its name, also in SARIF.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Rule {
    /// The manual page in Markdown, without a title.
    pub fn manual(&self) -> String {
        let mut page = self.summary.clone();
        if !self.explanation.is_empty() {
            page += &format!("\n\n{}", self.explanation.trim_end());
        }
        if let Some(Example { bad, good }) = &self.example {
            let (bad, good) = (bad.trim_end(), good.trim_end());
            page +=
                &format!("\n\nReported:\n\n```\n{bad}\n```\n\nNot reported:\n\n```\n{good}\n```");
        }
        page + "\n"
    }

    /// How severe an attack through the worst of its weaknesses is, from 0.0 to 10.0 as GitHub understands it; nothing
    /// if none of them concerns security.
    pub fn security_severity(&self) -> Option<&'static str> {
        self.cwe.iter().filter_map(|&weakness| severity(weakness)).max_by(|a, b| a.cmp(b))
    }
}

/// The base score that vulnerabilities of a kind commonly have: a memory error is high, what ends or stalls the
/// program is medium. Scores below 10.0 sort as texts.
fn severity(weakness: u32) -> Option<&'static str> {
    match weakness {
        // Writes and reads outside of objects, and of memory that was freed.
        787 | 416 => Some("8.8"),
        415 | 590 | 763 => Some("8.1"),
        125 | 190 => Some("7.5"),
        // Reads of what was never set.
        457 | 908 => Some("6.5"),
        // Null dereference, division, reachable assertion, leaks, locks: the program stops.
        369 | 401 | 476 | 617 | 667 | 764 | 765 | 772 | 833 | 835 => Some("5.5"),
        // Shifts, states of resources.
        664 | 675 | 682 | 1335 | 1341 => Some("4.0"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Example, Level, Rule};

    fn rule(cwe: &[u32]) -> Rule {
        Rule {
            id: "out-of-bounds".into(),
            title: "Out of bounds".into(),
            summary: "Memory is accessed outside of an object.".into(),
            explanation: String::new(),
            example: None,
            level: Level::Error,
            cwe: cwe.to_vec(),
            default_on: true,
        }
    }

    #[test]
    fn the_worst_weakness_decides_how_severe_a_rule_is() {
        assert_eq!(rule(&[125, 787]).security_severity(), Some("8.8"));
        assert_eq!(rule(&[476]).security_severity(), Some("5.5"));
        assert_eq!(rule(&[561]).security_severity(), None);
        assert_eq!(rule(&[]).security_severity(), None);
    }

    #[test]
    fn a_manual_has_what_there_is() {
        let plain = rule(&[]);
        assert_eq!(plain.manual(), "Memory is accessed outside of an object.\n");
        let example = Example { bad: "a[4] = 1;\n".into(), good: "a[3] = 1;\n".into() };
        let page = Rule { example: Some(example), ..plain }.manual();
        assert!(page.ends_with(
            "Reported:\n\n```\na[4] = 1;\n```\n\nNot reported:\n\n```\na[3] = 1;\n```\n"
        ));
    }
}
