//! The output: for readers, and for other solvers.

use std::fmt::Write as _;

use ir::{ProcedureId, Span};
use papers::wlp::formulas;
use passes::{Effects, Limits, for_over};

use crate::figures::module;
use crate::programs::{FIGURES, PATH};

/// The formulas of the first procedure in both notations.
fn written(text: &str) -> (String, Result<String, String>) {
    let module = module(text);
    let over = for_over(&module, &Effects::of(&module), ProcedureId(0), &Limits::default());
    let formulas = formulas(&module, &over.procedure);
    let place = |span: Span| {
        let (line, column) = ir::line_and_column(text, span.start);
        format!("{line}:{column}")
    };
    let smt = formulas.smt(&place).map_err(|error| error.to_string());
    (formulas.display(&place).to_string(), smt)
}

#[test]
fn figure_6_in_the_notation_of_the_paper() {
    let expected = "\
f: 5 blocks, 8 points and sides of branches, 4 variables R

Passive form

entry:
           assume R_entry₁
      7:5  assume i₁ = null
      8:5  goto use, entry→done
use:
           assume k₀ ≠ 0bv8
           assume R_use₁
     10:5  assert i₁ ≠ null
     11:5  assume target₁ = target₀[i₁ := 3bv8]
           assume R_entry→done₁ ≡ R_entry→done₀
     12:5  goto done
entry→done:
           assume k₀ = 0bv8
           assume R_entry→done₁
           assume R_use₁ ≡ R_use₀
           goto done
done:
           assume R_done₁
     14:5  goto Term
Term:
           assert R_entry₁
           assert R_use₁
           assert R_entry→done₁
           assert R_done₁

Definitions (F_Bdef)

  B_entry ≡ R_entry₁ ∧ i₁ = null ⇒ B_use ∧ B_entry→done
  B_use ≡
        k₀ ≠ 0bv8
      ∧ R_use₁
      ∧ i₁ ≠ null
      ∧ target₁ = target₀[i₁ := 3bv8]
      ∧ (R_entry→done₁ ≡ R_entry→done₀)
      ⇒ B_done
  B_entry→done ≡ k₀ = 0bv8 ∧ R_entry→done₁ ∧ (R_use₁ ≡ R_use₀) ⇒ B_done
  B_done ≡ R_done₁ ⇒ B_Term
  B_Term ≡ R_entry₁ ∧ R_use₁ ∧ R_entry→done₁ ∧ R_done₁ ⇒ false

Error verification conditions

A point is doomed if and only if its condition is valid.

  ¬R_entry₀ ∧ F_Bdef ⇒ B_entry    7:5, 8:5
  ¬R_use₀ ∧ F_Bdef ⇒ B_entry    8:5 true, 10:5, 11:5, 12:5
  ¬R_entry→done₀ ∧ F_Bdef ⇒ B_entry    8:5 false
  ¬R_done₀ ∧ F_Bdef ⇒ B_entry    14:5
";
    let (text, smt) = written(PATH);
    assert_eq!(text, expected);
    let smt = smt.unwrap();
    for line in [
        "(declare-const |target#1| (Array |Ref.sort| (_ BitVec 8)))",
        "(assert (= |entry→done.B| (=> (= |k#0| (_ bv0 8)) (= |R_entry→done#1| true) \
         (= |R_use#1| |R_use#0|) |done.B|)))",
        "; 8:5 true, 10:5, 11:5, 12:5\n(push 1)\n(assert (not (=> (not |R_use#0|) |entry.B|)))\n\
         (check-sat)\n(pop 1)",
    ] {
        assert!(smt.contains(line), "{line}\n{smt}");
    }
}

#[test]
fn all_figures_can_be_said_in_smt_lib() {
    for (name, text) in FIGURES {
        assert!(written(text).1.is_ok(), "{name}");
    }
}

#[test]
fn what_smt_lib_cannot_say_is_refused() {
    let refused = |ty: &str, statement: &str| {
        let text = format!(
            "record Pair {{ a: int }}\nvariant Option {{ None }}\n\
             proc f(x: {ty}, y: {ty}) {{ {statement} exit; }}"
        );
        written(&text).1.unwrap_err()
    };
    let uses = |what: &str| format!("SMT-LIB cannot say this simply: the procedure uses {what}");
    assert_eq!(refused("ptr", "assume x == y;"), uses("pointers"));
    assert_eq!(refused("seq<int>", "assume x == y;"), uses("sequences"));
    assert_eq!(refused("Pair", "assume x == y;"), uses("records"));
    assert_eq!(refused("Option", "assume x == y;"), uses("tagged unions"));
    assert_eq!(refused("[int]bool", "assume subset(x, y);"), uses("operators on relations"));
    assert_eq!(refused("[int]bool", "assume x == { i: int | i > 0 };"), uses("comprehensions"));
    assert_eq!(refused("bytes", "assume x{null as bv8} == 0bv8;"), uses("byte memory"));
}

/// Variables that the source calls alike, bound variables inside each other, and what is shared.
#[test]
fn names_are_distinguished() {
    let text = "var g: int as \"x\";
        proc f(a: int as \"x\", b: int)
          requires (all i: int :: (some i: int :: i > b) || i > a);
        {
            var s: int;
            b := (%1 := (a + b) * (a + b) * (a + b) * (a + b)) + g;
            s := %1 * %1;
            assert old(g) != s ==> (all i: int :: i != %1);
            exit;
        }";
    let (text, smt) = written(text);
    for line in [
        "assume (∀i: int · (∃i′: int · b₀ < i′) ∨ a₀ < i)",
        "assume b₁ = (a₀ + b₀) * (a₀ + b₀) * (a₀ + b₀) * (a₀ + b₀) + g₀",
        "assume s₁ = e1 * e1",
        "e1 ≜ (a₀ + b₁) * (a₀ + b₁) * (a₀ + b₁) * (a₀ + b₁)",
        "assert g₀ ≠ s₁ ⇒ (∀i: int · i ≠ (a₀ + b₁)",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(smt.unwrap().contains("(define-fun |1.e| () Int (* (* (* (+ |a#0| |b#1|)"));
}

/// Text grows with the procedure, whether its paths meet one after the other or all at the end.
#[test]
fn large_procedures_are_not_written_out_quadratically() {
    let diamonds = |count: usize| {
        let mut source = String::from("proc f(x: bv8) {\n  goto b0;\n");
        for block in 0..count {
            let next = block + 1;
            let _ = write!(
                source,
                "b{block}:\n  branch x == 1bv8 ? t{block} : b{next};\n\
                 t{block}:\n  x := x + 1bv8;\n  goto b{next};\n"
            );
        }
        let _ = write!(source, "b{count}:\n  exit;\n}}\n");
        source
    };
    let exits = |count: usize| {
        let mut source = String::from("proc f(x: bv8) {\n  goto b0;\n");
        for block in 0..count {
            let next = block + 1;
            let _ = write!(
                source,
                "b{block}:\n  branch x == 1bv8 ? t{block} : b{next};\n\
                 t{block}:\n  x := x + 1bv8;\n  exit;\n"
            );
        }
        let _ = write!(source, "b{count}:\n  exit;\n}}\n");
        source
    };
    for (name, source) in [("diamonds", &diamonds as &dyn Fn(usize) -> String), ("exits", &exits)] {
        let size = |count: usize| {
            let (text, smt) = written(&source(count));
            (text.len(), smt.unwrap().len())
        };
        let (small, large) = (size(100), size(800));
        println!("{name}: {small:?} {large:?}");
        assert!(large.0 < 20 * small.0 && large.1 < 20 * small.1, "{name}: {small:?} {large:?}");
    }
}
