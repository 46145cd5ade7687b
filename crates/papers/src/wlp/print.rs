//! Formulas as the paper writes them, for a terminal.

use std::fmt::{self, Display, Formatter};

use ir::{Expr, ExprId, Origin, Span, StatementKind, TerminatorKind};
use unicode_width::UnicodeWidthStr;

use crate::wlp::formulas::{Definition, Formulas};
use crate::wlp::notation::{Notation, level};
use crate::wlp::reach::Site;

/// Lines are not longer than this where they can be broken.
const WIDTH: usize = 100;

/// Formulas as text. What is written is in proportion to their size: what is used twice is written
/// once, and F_Bdef is not repeated in the conditions.
pub struct FormulaText<'f> {
    formulas: &'f Formulas<'f>,
    place: &'f dyn Fn(Span) -> String,
}

impl Formulas<'_> {
    /// These formulas as text; a function prints source locations.
    pub fn display<'f>(&'f self, place: &'f dyn Fn(Span) -> String) -> FormulaText<'f> {
        FormulaText { formulas: self, place }
    }
}

impl Display for FormulaText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Formulas { module, passive, definitions, conditions } = self.formulas;
        let roots = definitions.iter().flat_map(|definition| &definition.hypotheses);
        let notation = Notation::new(module, &passive.locals, &passive.exprs, roots.copied());
        let name = passive.display.as_deref().unwrap_or(&passive.name);
        let sites: usize = conditions.iter().map(|condition| condition.sites.len()).sum();
        writeln!(
            f,
            "{name}: {}, {}, {}",
            count(definitions.len(), "block", "blocks"),
            count(sites, "point or side of a branch", "points and sides of branches"),
            count(conditions.len(), "variable R", "variables R"),
        )?;

        writeln!(f, "\nPassive form\n")?;
        for block in passive.blocks.iter().flatten() {
            writeln!(f, "{}:", block.label)?;
            for statement in &block.statements {
                let (word, condition) = match statement.kind {
                    StatementKind::Assume { condition, .. } => ("assume", condition),
                    StatementKind::Assert { condition, .. } => ("assert", condition),
                    StatementKind::Assign(_)
                    | StatementKind::Havoc { .. }
                    | StatementKind::Allocate { .. }
                    | StatementKind::Free(_)
                    | StatementKind::Call { .. }
                    | StatementKind::Unsupported { .. } => continue,
                };
                let at = self.at(statement.span, statement.origin);
                let says_nothing = *passive.exprs.get(condition) == Expr::Bool(true);
                if says_nothing && statement.origin == Origin::Synthetic {
                    continue;
                }
                let condition = notation.text(condition, level::ANY);
                filled(f, &format!("{at:>9}  {word} "), &condition)?;
            }
            let end = match &block.terminator.kind {
                TerminatorKind::Goto(targets) => {
                    let targets: Vec<&str> =
                        targets.iter().map(|&id| self.formulas.label(id)).collect();
                    format!("goto {}", targets.join(", "))
                }
                TerminatorKind::Branch(..) | TerminatorKind::Exit(_) => continue,
            };
            let at = self.at(block.terminator.span, block.terminator.origin);
            filled(f, &format!("{at:>9}  "), &end)?;
        }

        if !notation.shared.named().is_empty() {
            writeln!(f, "\nAbbreviations\n")?;
            for &id in notation.shared.named() {
                let (name, value) = notation.abbreviation(id);
                filled(f, &format!("  {name} ≜ "), &value)?;
            }
        }

        writeln!(f, "\nDefinitions (F_Bdef)\n")?;
        for definition in definitions {
            self.definition(f, &notation, definition)?;
        }

        writeln!(f, "\nError verification conditions\n")?;
        writeln!(f, "A point is doomed if and only if its condition is valid.\n")?;
        let start = self.formulas.label(definitions[0].block);
        for condition in conditions {
            let reached = notation.local(condition.reached);
            let about: Vec<String> = condition.sites.iter().map(|site| self.site(site)).collect();
            let (claim, about) = (format!("  ¬{reached} ∧ F_Bdef ⇒ B_{start}"), about.join(", "));
            if claim.width() + 4 + about.width() <= WIDTH {
                writeln!(f, "{claim}    {about}")?;
            } else {
                writeln!(f, "{claim}")?;
                filled(f, "      ", &about)?;
            }
        }
        Ok(())
    }
}

impl FormulaText<'_> {
    /// `B_ℓ ≡ wlp.S.(…)`, on one line if it fits, else with a line for each part.
    fn definition(
        &self,
        f: &mut Formatter<'_>,
        notation: &Notation<'_>,
        definition: &Definition,
    ) -> fmt::Result {
        let label = |id| format!("B_{}", self.formulas.label(id));
        let part = |&id: &ExprId| notation.text(id, level::AND);
        let hypotheses: Vec<String> = definition.hypotheses.iter().map(part).collect();
        let then: Vec<String> = definition.then.iter().map(|&id| label(id)).collect();
        let then = if then.is_empty() { "false".to_owned() } else { then.join(" ∧ ") };
        let head = format!("  {} ≡ ", label(definition.block));
        let width = head.width() + then.width() + 3;
        let whole: usize = hypotheses.iter().map(|part| part.width() + 3).sum();
        if hypotheses.is_empty() {
            return filled(f, &head, &then);
        }
        if width + whole <= WIDTH {
            return writeln!(f, "{head}{} ⇒ {then}", hypotheses.join(" ∧ "));
        }
        writeln!(f, "{}", head.trim_end())?;
        for (number, part) in hypotheses.iter().enumerate() {
            filled(f, if number == 0 { "        " } else { "      ∧ " }, part)?;
        }
        filled(f, "      ⇒ ", &then)
    }

    /// Where something is that stands in the source.
    fn at(&self, span: Span, origin: Origin) -> String {
        match origin {
            Origin::Source | Origin::Macro(_) | Origin::Inlined(_) => (self.place)(span),
            Origin::Synthetic => String::new(),
        }
    }

    fn site(&self, site: &Site) -> String {
        let side = match site.side {
            None => "",
            Some(true) => " true",
            Some(false) => " false",
        };
        format!("{}{side}", (self.place)(site.span))
    }
}

/// Writes words behind the start of a line, and more lines below them where they do not fit.
fn filled(f: &mut Formatter<'_>, head: &str, words: &str) -> fmt::Result {
    let indent = head.width().min(WIDTH / 2);
    f.write_str(head)?;
    let mut column = head.width();
    for (number, word) in words.split(' ').enumerate() {
        let width = word.width();
        if number > 0 && column + 1 + width > WIDTH {
            write!(f, "\n{:indent$}", "")?;
            column = indent;
        } else if number > 0 {
            f.write_str(" ")?;
            column += 1;
        }
        f.write_str(word)?;
        column += width;
    }
    f.write_str("\n")
}

fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
