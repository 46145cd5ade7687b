//! The DIMACS format for formulas: reading and writing.
//!
//! A file holds comment lines that start with `c`, one line `p cnf VARIABLES CLAUSES`, and then the
//! clauses as integers, each clause ended by a zero. Clauses may span lines and share lines. We are
//! strict about the header: it must come first, and the counts must be right.

use std::fmt;
use std::io::{self, Write};

use crate::{Cnf, Lit};

/// Writes a formula.
///
/// # Errors
///
/// Those of the writer.
pub fn write(cnf: &Cnf, mut out: impl Write) -> io::Result<()> {
    writeln!(out, "p cnf {} {}", cnf.num_vars(), cnf.num_clauses())?;
    for clause in cnf.clauses() {
        for lit in clause {
            write!(out, "{lit} ")?;
        }
        writeln!(out, "0")?;
    }
    out.flush()
}

/// Reads a formula.
///
/// ```
/// let cnf = sat::dimacs::parse("c an example\np cnf 2 2\n1 -2 0\n2 0\n").unwrap();
/// assert_eq!((cnf.num_vars(), cnf.num_clauses()), (2, 2));
///
/// let error = sat::dimacs::parse("p cnf 2 1\n1 3 0\n").unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 3: variable 3 is beyond the 2 of the header");
/// ```
///
/// # Errors
///
/// The first place at which the text is not a formula in DIMACS format.
pub fn parse(text: &str) -> Result<Cnf, Error> {
    let mut words = words(text);
    let (num_vars, num_clauses) = header(text, &mut words)?;
    let mut cnf = Cnf::new();
    for _ in 0..num_vars {
        cnf.new_var();
    }
    let mut clause = Vec::new();
    for word in words {
        let number: i32 = word.parse("a literal or zero")?;
        if number == 0 {
            if cnf.num_clauses() == num_clauses {
                return Err(word.error(Problem::TooManyClauses(num_clauses)));
            }
            cnf.add_clause(&clause);
            clause.clear();
            continue;
        }
        match Lit::from_dimacs(number) {
            Some(lit) if lit.var().index() < num_vars => clause.push(lit),
            Some(lit) => {
                let problem = Problem::NoSuchVariable(lit.var().index() + 1, num_vars);
                return Err(word.error(problem));
            }
            None => {
                return Err(word.error(Problem::Expected("a literal or zero", word.text.into())));
            }
        }
    }
    if !clause.is_empty() {
        return Err(end(text).error(Problem::OpenClause));
    }
    if cnf.num_clauses() != num_clauses {
        return Err(end(text).error(Problem::TooFewClauses(cnf.num_clauses(), num_clauses)));
    }
    Ok(cnf)
}

/// Why a text is not a formula in DIMACS format, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The line, counted from one.
    pub line: usize,
    /// The column in characters, counted from one.
    pub column: usize,
    /// The kind of error.
    pub problem: Problem,
}

/// The kinds of errors in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Something else should stand here; the second string is what does, empty at the end.
    Expected(&'static str, String),
    /// A literal's variable, the first number, is beyond the header's count, the second.
    NoSuchVariable(usize, usize),
    /// There are more clauses than the header declares.
    TooManyClauses(usize),
    /// There are fewer clauses, the first number, than the header declares, the second.
    TooFewClauses(usize, usize),
    /// The text ends within a clause.
    OpenClause,
}

/// A word between white space, and its position.
#[derive(Clone, Copy)]
struct Word<'a> {
    line: usize,
    column: usize,
    text: &'a str,
}

impl Word<'_> {
    fn error(self, problem: Problem) -> Error {
        Error { line: self.line, column: self.column, problem }
    }

    fn parse<T: std::str::FromStr>(self, what: &'static str) -> Result<T, Error> {
        self.text.parse().map_err(|_| self.error(Problem::Expected(what, self.text.into())))
    }
}

/// Reads `p cnf VARIABLES CLAUSES`.
fn header<'a>(
    text: &'a str,
    words: &mut impl Iterator<Item = Word<'a>>,
) -> Result<(usize, usize), Error> {
    let mut next = |what| match words.next() {
        Some(word) => Ok(word),
        None => Err(end(text).error(Problem::Expected(what, String::new()))),
    };
    for keyword in ["p", "cnf"] {
        let word = next("the header 'p cnf VARIABLES CLAUSES'")?;
        if word.text != keyword {
            let what = "the header 'p cnf VARIABLES CLAUSES'";
            return Err(word.error(Problem::Expected(what, word.text.into())));
        }
    }
    // A count of 31 bits keeps every literal in the range of its type.
    let num_vars: u32 = next("the number of variables")?.parse("the number of variables")?;
    let word = next("the number of clauses")?;
    if i32::try_from(num_vars).is_err() {
        return Err(
            word.error(Problem::Expected("a number of variables below 2^31", num_vars.to_string()))
        );
    }
    Ok((num_vars as usize, word.parse("the number of clauses")?))
}

/// The words of all lines that are not comments.
fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('c'));
    lines.flat_map(|(index, line)| {
        line.split_whitespace().map(move |text| {
            let bytes = text.as_ptr() as usize - line.as_ptr() as usize;
            Word { line: index + 1, column: line[..bytes].chars().count() + 1, text }
        })
    })
}

/// The place after the last character.
fn end(text: &str) -> Word<'_> {
    let last = text.lines().last().unwrap_or_default();
    Word { line: text.lines().count().max(1), column: last.chars().count() + 1, text: "" }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Expected(what, found) if found.is_empty() => {
                write!(f, "expected {what}, but the text ends")
            }
            Problem::Expected(what, found) => write!(f, "expected {what}, found '{found}'"),
            Problem::NoSuchVariable(var, count) => {
                write!(f, "variable {var} is beyond the {count} of the header")
            }
            Problem::TooManyClauses(count) => write!(f, "the header allows only {count} clauses"),
            Problem::TooFewClauses(found, count) => {
                write!(f, "the header promises {count} clauses, but there are {found}")
            }
            Problem::OpenClause => f.write_str("the last clause is not ended by a zero"),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        parse(text).expect_err("the text is not a formula").to_string()
    }

    #[test]
    fn what_is_written_reads_back() {
        let text = "p cnf 5 4\n1 -2 0\n0\n3 3 -3 0\n-4 0\n";
        let cnf = parse(text).expect("the text is a formula");
        let mut out = Vec::new();
        write(&cnf, &mut out).expect("a vector takes everything");
        assert_eq!(String::from_utf8(out).expect("DIMACS is ASCII"), text);
    }

    #[test]
    fn clauses_may_span_and_share_lines() {
        let cnf = parse("c comment\n  p  cnf 3 3\n1\n2 0 -1\nc 7 7 7\n0 3 0").expect("a formula");
        let clauses: Vec<String> = cnf.clauses().map(|clause| format!("{clause:?}")).collect();
        assert_eq!(clauses, ["[Lit(1), Lit(2)]", "[Lit(-1)]", "[Lit(3)]"]);
    }

    #[test]
    fn errors_say_where_and_what() {
        let header = "expected the header 'p cnf VARIABLES CLAUSES'";
        assert_eq!(message(""), format!("line 1, column 1: {header}, but the text ends"));
        assert_eq!(message("1 2 0"), format!("line 1, column 1: {header}, found '1'"));
        assert_eq!(message("p dnf 1 1"), format!("line 1, column 3: {header}, found 'dnf'"));
        assert_eq!(
            message("p cnf x 1"),
            "line 1, column 7: expected the number of variables, found 'x'"
        );
        assert_eq!(
            message("p cnf 1"),
            "line 1, column 8: expected the number of clauses, but the text ends"
        );
        assert_eq!(
            message("p cnf 1 1\n 1 z 0"),
            "line 2, column 4: expected a literal or zero, found 'z'"
        );
        assert_eq!(
            message("p cnf 1 1\n-2 0"),
            "line 2, column 1: variable 2 is beyond the 1 of the header"
        );
        assert_eq!(
            message("p cnf 1 1\n1 0 -1 0"),
            "line 2, column 8: the header allows only 1 clauses"
        );
        assert_eq!(
            message("p cnf 1 2\n1 0\n"),
            "line 2, column 4: the header promises 2 clauses, but there are 1"
        );
        assert_eq!(
            message("p cnf 1 1\n1"),
            "line 2, column 2: the last clause is not ended by a zero"
        );
        assert_eq!(
            message("p cnf 4000000000 0"),
            "line 1, column 18: expected a number of variables below 2^31, found '4000000000'"
        );
        assert_eq!(
            message("p cnf 1 1\n-2147483648 0"),
            "line 2, column 1: expected a literal or zero, found '-2147483648'"
        );
    }
}
