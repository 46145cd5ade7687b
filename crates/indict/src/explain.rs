//! `indict explain`: the manual page of a rule.

use crate::manual::render;
use crate::output::print;
use crate::terminal;
use crate::{Ending, Failure};

/// Lines longer than this are hard to read.
const WIDEST: usize = 88;

/// Shows the manual page of a rule.
pub(crate) fn explain(name: &str) -> Result<Ending, Failure> {
    let id = driver::rule(name)
        .map_err(|unknown| Failure(format!("{unknown}\n`indict rules` lists all rules")))?
        .id;
    let rules = driver::tool().rules;
    let Some(rule) = rules.iter().find(|rule| rule.id.as_str() == id) else {
        return Err(Failure(format!("the rule `{id}` has no manual page")));
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
    let page = format!("# {} ({id})\n\n{}\n\n{state}\n{comment}\n", rule.name, rule.manual);
    let width = terminal::width().min(WIDEST);
    print(render(&page, width, terminal::has_color()).as_bytes()).map(|()| Ending::Clean)
}
