//! Both encoders answer alike: this one, and the circuits that `indict check` asks.
//!
//! Executions that dereference null are left out of the formula; in Java they end before the contract is
//! looked at.

use std::collections::BTreeMap;
use std::path::Path;

use driver::{MemoryFiles, NoCompiler, Options, Rules, Silent};
use papers::computation::{CheckResult, Nulls, extract};
use report::Verdict;

use super::{figure, read};

/// For each method whether there is a finding of a rule, if that is known.
pub(super) fn findings(
    text: &str,
    rule: &str,
    scope: u32,
    unroll: u32,
) -> BTreeMap<String, Option<bool>> {
    let mut rules = Rules::none();
    rules.switch(rule, true);
    let mut options = Options { rules, ..Options::default() };
    options.check.bounds.scope = scope;
    options.check.bounds.unroll = unroll;
    let files = MemoryFiles::new([("F.java", text)]);
    let outcome = driver::run(&[Path::new("F.java")], &files, &NoCompiler, &options, &Silent);
    let judged = outcome.report.procedures.iter().map(|procedure| {
        let verdict = match &procedure.verdict {
            Verdict::Findings => Some(true),
            Verdict::NoneWithinBounds => Some(false),
            // No execution ends within the bounds, so none breaks anything.
            Verdict::Unknown(reason) if reason.class == report::ReasonClass::Bounds => Some(false),
            Verdict::Unknown(_) | Verdict::Skipped(_) => None,
        };
        (procedure.name.clone(), verdict)
    });
    judged.collect()
}

/// Whether there is a model.
pub(super) fn has_model(text: &str, name: &str, scope: u32, unroll: u32, nulls: Nulls) -> bool {
    let extract = extract(&read(text, name), unroll, nulls);
    match extract.ask(scope, &[]).expect("the formula is well formed") {
        (CheckResult::Model(_), _) => true,
        (CheckResult::None, _) => false,
        (CheckResult::Unknown(why), _) => panic!("{name}: {why}"),
    }
}

fn compare(file: &str, scope: u32, unroll: u32, beyond: &[&str]) {
    let (_, text) = figure(file);
    let findings = findings(&text, "contract", scope, unroll);
    assert!(findings.len() > 2, "{findings:?}");
    for (name, verdict) in findings {
        if beyond.contains(&name.as_str()) {
            continue;
        }
        let theirs = has_model(&text, &name, scope, unroll, Nulls::Excluded);
        assert_eq!(verdict, Some(theirs), "{name} in scope {scope}, {unroll} unrollings");
    }
}

#[test]
fn both_encoders_agree_on_the_specifications_of_delete() {
    for (scope, unroll) in [(1, 1), (2, 2), (3, 3), (3, 1)] {
        compare("Delete.java", scope, unroll, &[]);
    }
}

#[test]
fn both_encoders_agree_on_the_list_procedures() {
    // Making objects and counting is not in the subset.
    let beyond = ["Lists.create_ok", "Lists.create_bad", "Cell.Cell"];
    for (scope, unroll) in [(1, 1), (2, 2), (3, 4)] {
        compare("Lists.java", scope, unroll, &beyond);
        compare("Merge.java", scope, unroll, &[]);
    }
}
