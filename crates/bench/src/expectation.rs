//! The published expectations of Boogie's test programs: the options, and Boogie's output.

use std::collections::{BTreeMap, BTreeSet};

/// Boogie's expected output for a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expectation {
    /// Whether the program is rejected: by the parser, or for its names or types.
    pub is_rejection: bool,
    /// Whether Boogie tried to prove something.
    pub is_proof_tried: bool,
    /// The lines of the errors, each with the lines of the clauses that they are about.
    pub errors: BTreeMap<u32, BTreeSet<u32>>,
}

impl Expectation {
    /// Reads what Boogie prints: `x.bpl(12,3): Error: …` for each error, `Related location: …` for the clause
    /// that it is about, and at last how many procedures were proved or how many faults were found.
    pub fn read(text: &str) -> Expectation {
        let mut expectation = Expectation::default();
        let mut last = None;
        let mut is_finished = false;
        for line in text.lines() {
            is_finished |= line.starts_with("Boogie program verifier finished");
            expectation.is_rejection |= line.contains(" errors detected in ");
            if line.starts_with("Boogie program verifier finished")
                && !line.contains("with 0 verified, 0 errors")
            {
                expectation.is_proof_tried = true;
            }
            let Some((number, what)) = position(line) else { continue };
            let what = what.to_ascii_lowercase();
            if what.starts_with("error") {
                expectation.errors.entry(number).or_default();
                last = Some(number);
            } else if what.starts_with("related location")
                && let Some(error) = last
            {
                expectation.errors.entry(error).or_default().insert(number);
            }
        }
        expectation.is_rejection |= !is_finished && !expectation.errors.is_empty();
        expectation
    }

    /// The lines of the errors, and of the clauses they are about, in the procedure around a line, if
    /// procedures begin at the lines given.
    pub fn errors_between(&self, line: u32, starts: impl Iterator<Item = u32>) -> BTreeSet<u32> {
        let (mut first, mut end) = (0, u32::MAX);
        for start in starts {
            if start <= line {
                first = first.max(start);
            } else {
                end = end.min(start);
            }
        }
        let errors = self.errors.range(first..end);
        errors.flat_map(|(&error, related)| related.iter().copied().chain([error])).collect()
    }
}

/// The line and the message in `x.bpl(12,3): what`.
fn position(line: &str) -> Option<(u32, &str)> {
    if line.starts_with(' ') {
        return None;
    }
    let (before, what) = line.split_once("): ")?;
    let (_, position) = before.rsplit_once('(')?;
    let (number, _) = position.split_once(',')?;
    Some((number.parse().ok()?, what.trim_start()))
}

/// Options that leave the meaning of a program alone: how it is proved, printed and logged.
const HARMLESS: &[&str] = &[
    "enhancederrormessages",
    "env",
    "errorlimit",
    "errortrace",
    "infer",
    "lib:base",
    "logprefix",
    "monomorphize",
    "noinfer",
    "noverify",
    "print",
    "printdesugared",
    "printinstrumented",
    "printmodel",
    "instrumentinfer",
    "proveropt",
    "proverwarnings",
    "smoke",
    "typeencoding",
    "usearraytheory",
    "vc",
];

/// Whether Boogie is run on a program in a way that leaves its meaning alone: its first comments say
/// `// RUN: %boogie -option "%s" > "%t"`.
pub fn keeps_meaning(program: &str) -> bool {
    let commands = program.lines().filter_map(|line| line.strip_prefix("// RUN: "));
    commands.filter(|command| command.contains("boogie")).all(|command| {
        command
            .split_whitespace()
            .filter_map(|word| word.strip_prefix(['-', '/']))
            .map(str::to_ascii_lowercase)
            .all(|option| {
                let name = option.split(':').next().unwrap_or_default();
                HARMLESS.contains(&name) || HARMLESS.contains(&option.as_str())
            })
    })
}

#[cfg(test)]
mod tests {
    use super::{Expectation, keeps_meaning};

    #[test]
    fn an_error_belongs_to_the_procedure_around_it() {
        let said = "\
a.bpl(50,5): Error BP5003: A postcondition might not hold on this return path.
a.bpl(42,3): Related location: This is the postcondition that might not hold.
Execution trace:
    a.bpl(46,3): start

Boogie program verifier finished with 8 verified, 1 error
";
        let expectation = Expectation::read(said);
        assert!(!expectation.is_rejection && expectation.is_proof_tried);
        let starts = [9, 40, 60];
        let between = |line| expectation.errors_between(line, starts.into_iter());
        assert_eq!(between(40).into_iter().collect::<Vec<_>>(), [42, 50]);
        assert!(between(9).is_empty() && between(60).is_empty());
    }

    #[test]
    fn faults_of_the_text_reject_it() {
        let said =
            "a.bpl(6,13): Error: undeclared type: x\n1 name resolution errors detected in a.bpl\n";
        assert!(Expectation::read(said).is_rejection);
        assert!(Expectation::read("a.bpl(3,24): Error: Call cycle detected\n").is_rejection);
        let nothing = "\nBoogie program verifier finished with 0 verified, 0 errors\n";
        assert_eq!(Expectation::read(nothing), Expectation::default());
    }

    #[test]
    fn options_may_change_the_meaning() {
        assert!(keeps_meaning("// RUN: %boogie -noinfer -typeEncoding:m \"%s\" > \"%t\"\n"));
        assert!(!keeps_meaning("// RUN: %boogie -loopUnroll:3 \"%s\" > \"%t\"\n"));
        assert!(keeps_meaning("procedure p();\n"));
    }
}
