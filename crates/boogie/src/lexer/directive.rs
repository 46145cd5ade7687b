//! Directives: lines that begin with `#`. `#line` names the source of a generated text; reports refer to the
//! text itself, so it only has to be well-formed. Text between `#if` and `#endif` depends on a defined name,
//! and none is defined here: `#if X` excludes it and `#if !X` includes it.

use super::Lexer;
use crate::diagnostics::TextRange;

/// An `#if` that is not closed yet.
#[derive(Clone, Copy)]
pub(super) struct Conditional {
    at: TextRange,
    /// Whether the text of some branch was kept, so that no other one is.
    is_taken: bool,
}

impl Lexer<'_, '_> {
    /// Whether a directive begins here.
    pub(super) fn is_directive(&self) -> bool {
        let is_first = self.position == 0 || self.bytes[self.position - 1] == b'\n';
        is_first && self.peek() == Some(b'#')
    }

    /// Reads a directive line, and skips the text that it excludes.
    pub(super) fn directive(&mut self) {
        let start = self.position;
        let (word, rest) = self.directive_line();
        match word {
            "line" => {
                let number = rest.split_whitespace().next();
                if number.is_none_or(|number| number.parse::<i64>().is_err()) {
                    self.fault(start, "`#line` needs a number");
                }
            }
            "if" => {
                let is_taken = holds(rest);
                self.conditionals.push(Conditional { at: self.since(start), is_taken });
                if !is_taken {
                    self.leave_out();
                }
            }
            "elsif" | "else" => {
                if self.conditionals.is_empty() {
                    self.fault(start, "no matching `#if`");
                } else {
                    self.leave_out();
                }
            }
            "endif" => {
                if self.conditionals.pop().is_none() {
                    self.fault(start, "no matching `#if`");
                }
            }
            _ => self.fault(start, "unknown directive"),
        }
    }

    /// The word behind the `#` and what follows it in the line, which is read.
    fn directive_line(&mut self) -> (&'static str, &str) {
        const WORDS: [&str; 5] = ["line", "if", "elsif", "else", "endif"];
        let start = self.position + 1;
        self.skip_while(|byte| byte != b'\n');
        let line = &self.source[start..self.position];
        let end = line.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(line.len());
        let (word, rest) = line.split_at(end);
        (WORDS.into_iter().find(|known| *known == word).unwrap_or(""), rest)
    }

    /// Goes to the branch that is meant, or behind the `#endif`.
    fn leave_out(&mut self) {
        let mut depth = 0_usize;
        loop {
            self.skip_while(|byte| byte != b'\n');
            if self.peek().is_none() {
                return;
            }
            self.position += 1;
            if !self.is_directive() {
                continue;
            }
            let (word, rest) = self.directive_line();
            let is_meant = word == "else" || (word == "elsif" && holds(rest));
            match word {
                "if" => depth += 1,
                "endif" if depth == 0 => {
                    self.conditionals.pop();
                    return;
                }
                "endif" => depth -= 1,
                _ => {
                    if let Some(open) = self.conditionals.last_mut()
                        && depth == 0
                        && is_meant
                        && !open.is_taken
                    {
                        open.is_taken = true;
                        return;
                    }
                }
            }
        }
    }

    /// Reports what is open at the end of the text.
    pub(super) fn close(&mut self) {
        for open in std::mem::take(&mut self.conditionals) {
            self.diagnostics.add(open.at, "unterminated `#if`");
        }
    }
}

/// Whether a condition holds if no name is defined: it is a name behind any number of `!`.
fn holds(condition: &str) -> bool {
    let negations = condition.chars().filter(|c| !c.is_whitespace()).take_while(|c| *c == '!');
    negations.count() % 2 == 1
}
