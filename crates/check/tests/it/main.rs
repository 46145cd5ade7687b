//! Tests of checkers on small procedures in VIR text.

mod doomed;
mod examples;
mod external;
mod least;

use check::{CheckOptions, Checker, Program, SolverLimits, examine};
use ir::ProcedureId;
use report::Finding;

/// The findings in a text, as `rule: message` in order, and each procedure's verdict.
fn check(text: &str) -> (Vec<String>, Vec<String>) {
    let solver = SolverLimits { certify: true, ..SolverLimits::default() };
    check_within(text, &CheckOptions { solver, ..CheckOptions::default() })
}

fn check_within(text: &str, options: &CheckOptions) -> (Vec<String>, Vec<String>) {
    let (module, diagnostics) = ir::parse("test.vir", text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let sources = [("test.vir".to_owned(), text.to_owned())].into_iter().collect();
    let sources: &std::collections::BTreeMap<String, String> = &sources;
    let program = Program::new(&module, sources);
    let (mut findings, mut verdicts) = (Vec::new(), Vec::new());
    for number in 0..module.procedures.len() as u32 {
        let examined = examine(&program, ProcedureId(number), check::ALL, options)
            .expect("the solver is built in");
        for finding in examined.findings {
            let line = finding.place.start.line;
            findings.push(format!("{line} {}: {}", finding.rule, finding.message));
            findings.extend(
                finding
                    .related
                    .iter()
                    .map(|related| format!("  {} {}", related.place.start.line, related.message)),
            );
        }
        verdicts.push(format!("{:?}", examined.procedure.verdict));
    }
    (findings, verdicts)
}

/// The findings of some checkers in the first procedure of a text.
fn findings_of(text: &str, checkers: &[&dyn Checker], options: &CheckOptions) -> Vec<Finding> {
    let (module, diagnostics) = ir::parse("test.vir", text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let sources = [("test.vir".to_owned(), text.to_owned())].into_iter().collect();
    let sources: &std::collections::BTreeMap<String, String> = &sources;
    let program = Program::new(&module, sources);
    let examined = examine(&program, ProcedureId(0), checkers, options);
    examined.expect("the solver is built in").findings
}

/// The findings in a text.
fn findings(text: &str) -> Vec<String> {
    check(text).0
}
