//! Both encoders agree on random procedures of the subset.

use std::fmt::Write;

use fastrand::Rng;
use papers::computation::Nulls;

use super::agree::{findings, has_model};

/// Methods in one file, and files.
const METHODS: usize = 20;
const FILES: u64 = 12;

const PRE: [&str; 5] = [
    "no c: a.*next | c in c.+next",
    "some a && some b",
    "a != b",
    "all c: N | c.val = w || c.num < a.num",
    "a in b.*other",
];

const POST: [&str; 10] = [
    "no c: result.*next' | c in c.+next'",
    "a.*next' in a.*next + b.*next",
    "all c | c.val = c.val'",
    "result.*next' = a.*next",
    "no result || result in a.*next + b.*other'",
    "sole c: N | c.val' = w",
    "some a => a.next' in {c: N | c.other' = c.other}",
    "all c: N | c.next' = c.next || c = a",
    "b.other' = b.next'",
    "all c: a.*next | c.num' = c.num && !(c.num < c.num')",
];

struct Writer {
    random: Rng,
    has_loops: bool,
}

impl Writer {
    fn node(&mut self) -> String {
        let mut text = ["a", "b", "x", "y"][self.random.usize(..4)].to_owned();
        while self.random.u8(..3) == 0 {
            text.push_str(if self.random.bool() { ".next" } else { ".other" });
        }
        text
    }

    fn value(&mut self) -> String {
        match self.random.u8(..3) {
            0 => "w".to_owned(),
            1 => "null".to_owned(),
            _ => format!("{}.val", self.node()),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        match self.random.u8(..if depth == 0 { 4 } else { 7 }) {
            0 => format!("{} != null", self.node()),
            1 => format!("{} == {}", self.node(), self.node()),
            2 => format!("{}.val == {}", self.node(), self.value()),
            3 => format!("{}.num < {}.num", self.node(), self.node()),
            4 => format!("!({})", self.condition(depth - 1)),
            5 => format!("{} && {}", self.condition(depth - 1), self.condition(depth - 1)),
            _ => format!("({} || {})", self.condition(depth - 1), self.condition(depth - 1)),
        }
    }

    fn statements(&mut self, depth: u32) -> String {
        let count = self.random.u32(1..=3);
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: u32) -> String {
        let target = if self.random.bool() { "x" } else { "y" };
        let field = if self.random.bool() { "next" } else { "other" };
        match self.random.u8(..if depth == 0 { 5 } else { 8 }) {
            0 | 1 => format!("{target} = {};\n", self.node()),
            2 | 3 => format!("{}.{field} = {};\n", self.node(), self.node()),
            4 => format!("{}.val = {};\n", self.node(), self.value()),
            5 if self.has_loops => {
                let (condition, body) = (self.condition(1), self.statements(depth - 1));
                format!("while ({condition}) {{\n{body}}}\n")
            }
            6 => {
                let (condition, node) = (self.condition(1), self.node());
                format!("if ({condition}) return {node};\n")
            }
            _ => {
                let (condition, then) = (self.condition(1), self.statements(depth - 1));
                let otherwise = self.statements(depth - 1);
                format!("if ({condition}) {{\n{then}}} else {{\n{otherwise}}}\n")
            }
        }
    }

    fn file(&mut self) -> String {
        let mut text =
            "class N { N next; N other; V val; int num; }\nclass V { }\nclass P {\n".to_owned();
        for method in 0..METHODS {
            let pre = PRE[self.random.usize(..PRE.len())];
            let post = POST[self.random.usize(..POST.len())];
            let (body, last) = (self.statements(2), self.node());
            let _ = write!(
                text,
                "@Requires(\"{pre}\") @Ensures(\"{post}\")\n\
                 static N m{method}(N a, N b, V w) {{\nN x = a;\nN y = null;\n{body}return {last};\n}}\n"
            );
        }
        text.push_str("}\n");
        text
    }
}

/// How often each answer was given by both.
fn compare(has_loops: bool, rule: &str, nulls: Nulls) -> [usize; 2] {
    let mut counts = [0; 2];
    for seed in 0..FILES {
        let text = Writer { random: Rng::with_seed(seed), has_loops }.file();
        let findings = findings(&text, rule, 2, 2);
        for method in 0..METHODS {
            let name = format!("P.m{method}");
            let Some(&Some(ours)) = findings.get(&name) else {
                panic!("{name} of file {seed} is not decided: {:?}\n{text}", findings.get(&name))
            };
            let theirs = has_model(&text, &name, 2, 2, nulls);
            assert_eq!(ours, theirs, "{name} of file {seed}\n{text}");
            counts[usize::from(ours)] += 1;
        }
    }
    counts
}

#[test]
fn contracts_are_broken_for_both_or_for_none() {
    let [kept, broken] = compare(true, "contract", Nulls::Excluded);
    assert!(kept > 40 && broken > 40, "{kept} kept, {broken} broken");
}

/// Without loops, where the paper's trick loses no execution.
#[test]
fn null_is_dereferenced_for_both_or_for_none() {
    let [never, sometimes] = compare(false, "null-dereference", Nulls::Recorded);
    assert!(never > 10 && sometimes > 40, "{never} never, {sometimes} sometimes");
}
