//! The collections of the TACO paper: right ones are found right, the historic defect is found, and it does
//! not matter by which way heaps are looked for.

use std::path::Path;
use std::process::{Command, Stdio};

use super::{folder, report};

/// The right collections, and what others may call.
const RIGHT: [(&str, &[&str]); 6] = [
    ("LinkedSequence", &["contains", "insert", "remove"]),
    ("CircularSequence", &["contains", "insert", "remove"]),
    ("CachingSequence", &["contains", "insert", "remove"]),
    ("RedBlackSet", &["find", "insert", "remove"]),
    ("AvlTree", &["find", "findMax", "insert"]),
    ("BinomialHeap", &["findMinimum", "decreaseKey", "insert", "extractMin"]),
];

/// The verdicts that a report lists, without where the procedures are.
fn verdicts(text: &str) -> Vec<String> {
    let (text, _) = text.split_once("\nslowest of ").unwrap_or((text, ""));
    let listed = text.lines().filter(|line| line.contains(".java:") && !line.contains("-->"));
    listed
        .filter_map(|line| line.split_once("  "))
        .map(|(_, rest)| rest.split(';').next().unwrap_or(rest).trim().to_owned())
        .collect()
}

#[test]
fn the_collections_keep_their_contracts() {
    for (class, methods) in RIGHT {
        let file = format!("{class}.java");
        let names: Vec<String> = methods.iter().map(|method| format!("{class}.{method}")).collect();
        let mut arguments = vec![file.as_str(), "--scope", "3", "--unroll", "6", "--inline", "6"];
        arguments.extend(["--rule", "contract,null-dereference"]);
        arguments.extend(names.iter().flat_map(|name| ["--only", name.as_str()]));
        let text = report(&folder("figures/taco"), &arguments);
        assert!(text.contains("no findings"), "{text}");
        assert!(text.contains(" 0 unknown"), "{text}");
    }
}

#[test]
fn the_defect_of_the_binomial_heap_takes_thirteen_nodes() {
    let check = |scope: &str| {
        let arguments =
            ["HistoricHeap.java", "--only", "HistoricHeap.extractMin", "--rule", "contract"];
        let bounds = ["--unroll", "10", "--scope", scope];
        report(&folder("figures/taco"), &[&arguments[..], &bounds[..]].concat())
    };
    let smaller = check("6");
    assert!(smaller.contains("no findings"), "{smaller}");
    let text = check("13");
    assert!(text.contains("size == \\reach(nodes, Node, sibling, child).int_size()"), "{text}");
    assert!(text.contains("scope 13"), "{text}");
}

/// Twins of methods, each with what is wrong with it put in the place of something right.
const TWINS: [(&str, &str, &str, &str); 5] = [
    ("LinkedSequence.java", "remove", "head = here.next;", "head = here;"),
    ("CircularSequence.java", "insert", "header.previous.next = fresh;", ""),
    ("RedBlackSet.java", "insert", "rotateRight(grand);", ""),
    ("AvlTree.java", "insert", "child.right = node;", "child.right = null;"),
    ("BinomialHeap.java", "insert", "above.degree++;", ""),
];

#[test]
fn all_ways_of_looking_for_heaps_agree() {
    let strategies: [&[&str]; 7] = [
        &[],
        &["--no-shapes"],
        &["--no-links"],
        &["--no-shapes", "--no-order", "--no-bounds"],
        &["--strategy", "symmetry,order,links,bounds"],
        &["--strategy", "bounds"],
        &["--no-symmetry"],
    ];
    let directory = std::env::temp_dir().join(format!("indict-taco-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("there is room");
    for (file, method, right, wrong) in TWINS {
        let text = std::fs::read_to_string(folder("figures/taco").join(file)).expect("it is there");
        assert!(text.contains(right), "{file} has `{right}`");
        std::fs::write(directory.join(file), text.replacen(right, wrong, 1))
            .expect("there is room");
        let method = format!("{}.{method}", file.trim_end_matches(".java"));
        for (from, is_right) in [(folder("figures/taco"), true), (directory.clone(), false)] {
            let verdict = |strategy: &[&str]| {
                let bounds =
                    ["--scope", "2", "--unroll", "4", "--inline", "6", "--only", &method, "-v"];
                let rules = ["--rule", "contract,null-dereference", file];
                let text = report(&from, &[&bounds[..], &rules[..], strategy].concat());
                verdicts(&text)
            };
            let expected = verdict(strategies[0]);
            let wanted = if is_right { "none within bounds" } else { "findings" };
            assert!(expected.iter().any(|line| line.ends_with(wanted)), "{file}: {expected:?}");
            for strategy in &strategies[1..] {
                assert_eq!(verdict(strategy), expected, "{file} {method} {strategy:?}");
            }
        }
    }
    std::fs::remove_dir_all(&directory).expect("it was ours");
}

/// The collections are run at random beside those of the library. Without a compiler of Java that is left to
/// others.
#[test]
fn the_collections_do_what_those_of_the_library_do() {
    let sources = folder("figures/taco");
    let classes = std::env::temp_dir().join(format!("indict-trial-{}", std::process::id()));
    let files = RIGHT.iter().map(|(class, _)| sources.join(format!("{class}.java")));
    let files = files.chain([sources.join("HistoricHeap.java"), sources.join("trial/Trial.java")]);
    let mut javac = Command::new("javac");
    javac.arg("-d").arg(&classes).args(files).stdin(Stdio::null());
    let Ok(compiled) = javac.status() else { return };
    assert!(compiled.success(), "the collections are Java");
    assert_eq!(
        run(&classes),
        "the collections agree with java.util\nthe historic heap loses nodes from 13 nodes on\n"
    );
    std::fs::remove_dir_all(&classes).expect("it was ours");
}

fn run(classes: &Path) -> String {
    let output = Command::new("java").arg("-cp").arg(classes).arg("Trial").output();
    let output = output.expect("where there is javac there is java");
    String::from_utf8(output.stdout).expect("it prints text")
}
