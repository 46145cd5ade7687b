//! `indict explain`: the manual page of a rule.

use std::path::PathBuf;

use crate::check::configured;
use crate::manual::render;
use crate::output::print;
use crate::terminal;
use crate::{Ending, Failure};

/// Lines longer than this are hard to read.
const WIDEST: usize = 88;

/// Shows the manual page of a rule, which may be one of a file of properties.
pub(crate) fn explain(name: &str, properties: &[PathBuf]) -> Result<Ending, Failure> {
    let (_, options) = configured(None, properties)?;
    let registry = options.registry();
    let rule = registry
        .find(name)
        .map_err(|unknown| Failure(format!("{unknown}\n`indict rules` lists all rules")))?;
    let id = &rule.id;
    let weaknesses: Vec<String> = rule.cwe.iter().map(|cwe| format!("CWE-{cwe}")).collect();
    let weaknesses = match weaknesses.is_empty() {
        true => String::new(),
        false => format!(" ({})", weaknesses.join(", ")),
    };
    let state = if rule.default_on {
        format!(
            "On by default. To switch it off: `--rule -{id}`, or `{id} = false` under `[rules]` in indict.toml."
        )
    } else {
        format!(
            "Off by default. To switch it on: `--rule +{id}`, or `{id} = true` under `[rules]` in indict.toml."
        )
    };
    let comment = format!(
        "To suppress one finding: `// indict: allow({id}) because REASON` on its line or above."
    );
    let (title, level, manual) = (&rule.title, rule.level, rule.manual());
    let page =
        format!("# {title} ({id})\n\n{manual}\nLevel: {level}{weaknesses}. {state}\n{comment}\n");
    let width = terminal::width().min(WIDEST);
    print(render(&page, width, terminal::has_color()).as_bytes()).map(|()| Ending::Clean)
}
