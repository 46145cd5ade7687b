//! `indict rules`: the rules, one on a line.

use std::fmt::Write as _;
use std::path::PathBuf;

use anstyle::Style;

use crate::check::configured;
use crate::output::print;
use crate::terminal;
use crate::{Ending, Failure};

/// Lists the rules, those of files of properties among them.
pub(crate) fn rules(properties: &[PathBuf]) -> Result<Ending, Failure> {
    let (_, options) = configured(None, properties)?;
    let registry = options.registry();
    let rules = registry.rules();
    let bold = if terminal::has_color() { Style::new().bold() } else { Style::new() };
    let width = rules.iter().map(|rule| rule.id.as_str().len()).max().unwrap_or(0);
    let mut text = String::new();
    for rule in rules {
        let off = if rule.default_on { "" } else { " Off by default." };
        let (id, summary) = (rule.id.as_str(), &rule.summary);
        let _ = writeln!(text, "{bold}{id:width$}{bold:#}  {summary}{off}");
    }
    text.push_str(
        "\n`indict explain RULE` describes a rule. To check one that is off by default: --rule +RULE.\n",
    );
    print(text.as_bytes()).map(|()| Ending::Clean)
}
