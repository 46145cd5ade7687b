//! What is doomed in the figures of Hoenicke et al. 2009.

use ir::{Module, ProcedureId};
use papers::wlp::formulas;
use passes::{Effects, Limits, for_over};

use crate::programs::{COMPLEX, LOOP, PATH, TRIVIAL};
use crate::solve::{compare, valid, valid_with};

pub fn module(text: &str) -> Module {
    let (module, diagnostics) = ir::parse("figure.vir", text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    module
}

/// The lines of what is doomed, with the side if it is a branch.
fn doomed(text: &str) -> Vec<String> {
    let module = module(text);
    let limits = Limits::default();
    let met = compare(&module, ProcedureId(0), &limits).unwrap();
    assert!(met.sites > 0);
    let over = for_over(&module, &Effects::of(&module), ProcedureId(0), &limits);
    let formulas = formulas(&module, &over.procedure);
    let valid = valid(&formulas);
    let doomed = formulas.conditions.iter().zip(valid).filter(|(_, valid)| *valid);
    let sites = doomed.flat_map(|(condition, _)| &condition.sites);
    let mut lines: Vec<(u32, String)> = sites
        .map(|site| {
            let (line, _) = ir::line_and_column(text, site.span.start);
            let side = site.side.map_or(String::new(), |side| format!(" {side}"));
            (line as u32, format!("{line}{side}"))
        })
        .collect();
    lines.sort();
    lines.into_iter().map(|(_, line)| line).collect()
}

#[test]
fn figure_1_is_doomed_where_ptr_is_null() {
    assert_eq!(doomed(TRIVIAL), ["8 false", "14", "15"]);
}

#[test]
fn figure_2_is_doomed_throughout() {
    let met = compare(&module(LOOP), ProcedureId(0), &Limits::default()).unwrap();
    assert!(met.sites > 20 && met.doomed == met.sites, "{met:?}");
}

#[test]
fn figure_3_is_not_doomed() {
    assert!(doomed(COMPLEX).is_empty());
}

#[test]
fn figure_6_is_doomed_on_one_side() {
    assert_eq!(doomed(PATH), ["8 true", "10", "11", "12"]);
}

/// With the sign that the paper prints, no condition of Figure 6 is valid, though a side is doomed.
#[test]
fn the_printed_sign_is_a_slip() {
    let module = module(PATH);
    let over = for_over(&module, &Effects::of(&module), ProcedureId(0), &Limits::default());
    let formulas = formulas(&module, &over.procedure);
    assert!(valid_with(&formulas, true).contains(&true));
    assert!(!valid_with(&formulas, false).contains(&true));
}

#[test]
fn what_fails_on_purpose_is_not_doomed() {
    let text = r#"
proc f(k: bv8) ensures k == 0bv8;
{
  entry:
    branch k == 0bv8 ? stop : other;
  stop:
    assert false "not yet implemented";
    k := 1bv8;
    exit;
  other:
    branch k == 1bv8 ? stops : done;
  stops:
    cut unsupported "asm";
  done:
    exit;
}"#;
    assert_eq!(doomed(text), ["11 false", "15"]);
}
