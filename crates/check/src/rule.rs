//! Rules of checkers: names and manual pages.

use report::{Example, Level};

/// A rule that a procedure can violate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Its name, which never changes.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its manual page, in Markdown. The first paragraph is the rule in one sentence.
    pub manual: &'static str,
    /// Code that violates it.
    pub bad: &'static str,
    /// The same code, corrected.
    pub good: &'static str,
    /// The severity of a violation.
    pub level: Level,
    /// The weaknesses of the Common Weakness Enumeration that it finds, the closest first.
    pub cwe: &'static [u32],
    /// Whether it is checked by default.
    pub default_on: bool,
}

impl Rule {
    /// The rule as reports, lists and manuals show it.
    pub fn described(&self) -> report::Rule {
        // Doc comments have a space before each line.
        let lines = self.manual.lines().map(|line| line.strip_prefix(' ').unwrap_or(line));
        let page = lines.collect::<Vec<_>>().join("\n");
        let (summary, explanation) = page.trim().split_once("\n\n").unwrap_or((page.trim(), ""));
        report::Rule {
            id: self.id.into(),
            title: self.title.to_owned(),
            summary: summary.replace('\n', " "),
            explanation: explanation.to_owned(),
            example: Some(Example { bad: self.bad.to_owned(), good: self.good.to_owned() }),
            level: self.level,
            cwe: self.cwe.to_vec(),
            default_on: self.default_on,
        }
    }
}

/// Declares a checker: a unit struct whose doc comment is the rule's manual page.
macro_rules! checker {
    (
        $(#[doc = $line:literal])+
        $name:ident = $id:literal {
            title: $title:literal,
            default: $on:literal,
            level: $level:ident,
            cwe: $cwe:expr,
            bad: $bad:literal,
            good: $good:literal $(,)?
        }
    ) => {
        $(#[doc = $line])+
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl $name {
            pub(crate) const RULE: $crate::Rule = $crate::Rule {
                id: $id,
                title: $title,
                manual: concat!($($line, "\n"),+),
                bad: $bad,
                good: $good,
                level: report::Level::$level,
                cwe: &$cwe,
                default_on: $on,
            };
        }
    };
}

pub(crate) use checker;
