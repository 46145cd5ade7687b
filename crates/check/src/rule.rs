//! Rules: what a checker is called and what its manual says.

/// A rule that a program can break.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Its name, for ever.
    pub id: &'static str,
    /// Whether it is looked for unless somebody says otherwise.
    pub default_on: bool,
    /// Its manual page, in Markdown. The first line is the rule in one sentence.
    pub manual: &'static str,
}

impl Rule {
    /// The rule in one sentence.
    pub fn summary(&self) -> &'static str {
        self.manual.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or(self.id)
    }
}

/// Declares a checker: a unit struct whose doc comment is the rule's manual page.
macro_rules! checker {
    ($(#[doc = $line:literal])+ $name:ident = $id:literal, default $on:literal) => {
        $(#[doc = $line])+
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl $name {
            pub(crate) const RULE: $crate::Rule = $crate::Rule {
                id: $id,
                default_on: $on,
                manual: concat!($($line, "\n"),+),
            };
        }
    };
}

pub(crate) use checker;
