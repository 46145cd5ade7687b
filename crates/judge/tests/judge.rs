//! The judge on small programs: what observers see, what is lost, which claims are shown and which are not.

use ir::{Callee, Module, PointId, ProcedureId, StatementKind};
use judge::{
    AssumedResult, Claim, Judged, LinkedProgram, Observation, Proposal, Scalar, Sight, Witness,
    judge, next, observe,
};
use property::{Index, shipped};

const PRELUDE: &str = "\
var memory: bytes;
proc pthread_mutex_lock(l: ptr) returns (r: bv32);
proc pthread_mutex_unlock(l: ptr) returns (r: bv32);
proc ask() returns (r: bv32);
proc keep(p: ptr);
object shared: 8 { 0: \"0000000000000000\" };
proc malloc(n: bv64) returns (p: ptr)
{
    p := alloc n heap may fail;
    exit;
}
proc `free`(p: ptr)
{
    free p;
    exit;
}
";

/// The caller's object.
const OBJECT: u64 = ir::address::ENVIRONMENT + 1;

struct Case {
    module: Module,
    index: Index,
}

impl Case {
    fn new(text: &str) -> Case {
        let (module, diagnostics) = ir::parse("test.vir", &format!("{PRELUDE}{text}"));
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        Case { module, index: Index::new(shipped()) }
    }

    fn entry(&self) -> ProcedureId {
        self.module.find_procedure("f").expect("the entry is `f`")
    }

    /// The calls of a function in the entry procedure.
    fn calls(&self, name: &str) -> Vec<PointId> {
        let called = self.module.find_procedure(name).expect("it is declared");
        let blocks = self.module.procedure(self.entry()).blocks.iter().flatten();
        let calls = blocks.flat_map(|block| &block.statements).filter(|statement| {
            let StatementKind::Call { callee: Callee::Procedure(id), .. } = &statement.kind else {
                return false;
            };
            *id == called
        });
        calls.map(|statement| statement.point).collect()
    }

    fn with_program<T>(&self, act: impl FnOnce(&LinkedProgram<'_>) -> T) -> T {
        let definition = |_, _| None;
        act(&LinkedProgram {
            units: vec![&self.module],
            definition: &definition,
            index: &self.index,
        })
    }

    fn judged(&self, claims: &[Claim]) -> Option<Vec<Judged>> {
        let witness = Witness::default();
        let proposals =
            claims.iter().map(|claim| Proposal { claim: claim.clone(), witness: witness.clone() });
        let proposals = [proposals.collect()];
        self.with_program(|program| judge(program, (0, self.entry()), &proposals))
            .map(|confirmed| confirmed.runs)
    }

    /// All executions from an object that holds nothing yet.
    fn runs(&self) -> Vec<Observation> {
        let witness = Witness {
            parameters: vec![Some(Scalar::Pointer(OBJECT, 0))],
            memory: vec![(OBJECT, 0, vec![0; 16])],
            objects: vec![(OBJECT, 16)],
            ..Witness::default()
        };
        let mut runs = Vec::new();
        self.with_program(|program| {
            observe(program, (0, self.entry()), &witness, &mut |run| {
                let decisions = run.decisions.clone();
                runs.push(run);
                next(decisions)
            });
        });
        runs
    }

    /// The points at which blocks are lost in some execution.
    fn lost(&self) -> Vec<PointId> {
        let mut lost: Vec<PointId> =
            self.runs().iter().flat_map(|run| run.lost.clone().unwrap_or_default()).collect();
        lost.sort();
        lost.dedup();
        lost
    }
}

fn error(rule: &str, point: PointId) -> Claim {
    Claim::Error { rule: rule.to_owned(), point }
}

#[test]
fn a_second_lock_is_an_error_and_a_first_unlock_is_none() {
    let case = Case::new(
        "proc f(l: ptr)\n{\n  var r: bv32;\n  entry:\n    r := call pthread_mutex_unlock(l);\n    \
         r := call pthread_mutex_lock(l);\n    r := call pthread_mutex_lock(l);\n    exit;\n}\n",
    );
    let [first, second] = case.calls("pthread_mutex_lock")[..] else { panic!("two locks") };
    let unlock = case.calls("pthread_mutex_unlock")[0];
    let judged = case.judged(&[error("double-lock", second)]).expect("it is shown");
    let errors = judged[0].seen.iter().filter(|seen| matches!(seen.sight, Sight::Error { .. }));
    assert_eq!(errors.map(|seen| seen.point).collect::<Vec<_>>(), [second]);
    assert_eq!(judged[0].assumptions, []);
    assert!(case.judged(&[error("double-lock", first)]).is_none());
    assert!(case.judged(&[error("double-unlock", unlock)]).is_none());
}

#[test]
fn a_lock_that_failed_was_not_locked() {
    let case = Case::new(
        "proc f(l: ptr)\n{\n  var r: bv32;\n  entry:\n    r := call pthread_mutex_lock(l);\n    \
         branch r == 0bv32 ? done : again;\n  again:\n    r := call pthread_mutex_lock(l);\n    \
         exit;\n  done:\n    exit;\n}\n",
    );
    let [_, second] = case.calls("pthread_mutex_lock")[..] else { panic!("two locks") };
    assert!(case.judged(&[error("double-lock", second)]).is_none());
    let ends: Vec<(u32, u32)> =
        case.runs().iter().flat_map(|run| &run.states).map(|of| (of.entry, of.end)).collect();
    assert_eq!(ends, [(0, 1), (0, 1), (0, 0)]);
}

#[test]
fn a_lock_whose_result_is_ignored_is_locked() {
    let text = |looks: &str| {
        format!(
            "proc f(l: ptr)\n{{\n  var r: bv32;\n  var s: bv32;\n  entry:\n    \
             r := call pthread_mutex_lock(l);\n    {looks}\n    \
             s := call pthread_mutex_unlock(l);\n    exit;\n}}\n"
        )
    };
    for (looks, is_shown) in [("", false), ("s := r;", true)] {
        let case = Case::new(&text(looks));
        let unlock = case.calls("pthread_mutex_unlock")[0];
        let judged = case.judged(&[error("double-unlock", unlock)]);
        assert_eq!(judged.is_some(), is_shown, "{looks}");
    }
}

#[test]
fn a_finding_relies_on_answers_without_which_it_is_none() {
    let case = Case::new(
        "proc f(l: ptr)\n{\n  var r: bv32;\n  var x: bv32;\n  entry:\n    x := call ask();\n    \
         r := call pthread_mutex_lock(l);\n    branch x == 0bv32 ? done : again;\n  again:\n    \
         r := call pthread_mutex_lock(l);\n    exit;\n  done:\n    exit;\n}\n",
    );
    let second = case.calls("pthread_mutex_lock")[1];
    let judged = case.judged(&[error("double-lock", second)]).expect("it is shown");
    let [assumption] = &judged[0].assumptions[..] else { panic!("{:?}", judged[0].assumptions) };
    assert_eq!((&*assumption.callee, assumption.returns), ("ask", AssumedResult::NotZero));
}

#[test]
fn two_runs_that_look_alike_and_leave_a_lock_in_different_states() {
    let text = |result: &str| {
        format!(
            "proc f(l: ptr) returns (s: bv32)\n{{\n  var r: bv32;\n  var x: bv32;\n  entry:\n    \
             r := call pthread_mutex_lock(l);\n    x := call ask();\n    s := 0bv32;\n    \
             branch x == 0bv32 ? good : bad;\n  good:\n    r := call pthread_mutex_unlock(l);\n    \
             exit;\n  bad:\n    s := {result};\n    exit;\n}}\n"
        )
    };
    let ends = |state| Claim::Ends { property: "pthread-mutex".to_owned(), subject: None, state };
    let same = Case::new(&text("0bv32")).judged(&[ends(0), ends(1)]).expect("they look alike");
    assert_eq!(same.len(), 2);
    assert_eq!(same[0].subject, same[1].subject);
    assert!(Case::new(&text("-1bv32")).judged(&[ends(0), ends(1)]).is_none());
}

#[test]
fn a_block_is_lost_if_nothing_leads_to_it() {
    let f = |rest: &str| {
        Case::new(&format!(
            "proc f(o: ptr) returns (r: ptr)\n{{\n  var p: ptr;\n  entry:\n    r := null;\n    \
             p := call malloc(16bv64);\n    branch p == null ? end : good;\n  good:\n    {rest}\n    \
             goto end;\n  end:\n    exit;\n}}\n"
        ))
    };
    let case = f("");
    assert_eq!(case.lost(), case.calls("malloc"));
    let claim = Claim::Loses { point: case.calls("malloc")[0] };
    assert!(case.judged(&[claim]).is_some());
    for kept in [
        "call `free`(p);",
        "r := p;",
        "r := ptradd(p, 4bv64);",
        "memory{o as ptr} := p;",
        "memory{o as bv64} := address(p);",
        "memory{shared as ptr} := p;",
        "call keep(p);",
    ] {
        let case = f(kept);
        assert_eq!(case.lost(), [], "{kept}");
        let claim = Claim::Loses { point: case.calls("malloc")[0] };
        assert!(case.judged(&[claim]).is_none(), "{kept}");
    }
}

#[test]
fn nothing_is_found_through_a_block_that_was_freed() {
    let f = |rest: &str| {
        Case::new(&format!(
            "proc f(o: ptr)\n{{\n  var p: ptr;\n  var q: ptr;\n  entry:\n    \
             p := call malloc(16bv64);\n    q := call malloc(16bv64);\n    \
             branch p == null || q == null ? end : good;\n  good:\n    \
             memory{{p as ptr}} := q;\n    memory{{o as ptr}} := p;\n    {rest}\n    exit;\n  \
             end:\n    call `free`(p);\n    call `free`(q);\n    exit;\n}}\n"
        ))
    };
    assert_eq!(f("").lost(), []);
    let case = f("call `free`(p);");
    assert_eq!(case.lost(), [case.calls("malloc")[1]]);
}

#[test]
fn all_runs_are_enumerated() {
    let case = Case::new(
        "proc f(o: ptr)\n{\n  var p: ptr;\n  var x: bv32;\n  entry:\n    x := call ask();\n    \
         p := call malloc(1bv64);\n    exit;\n}\n",
    );
    let runs = case.runs();
    let answers: Vec<(Option<Scalar>, bool)> =
        runs.iter().map(|run| (run.observed[0].result, run.failed[0])).collect();
    let word = |bits| Some(Scalar::Word(32, bits));
    let ones = u128::from(u32::MAX);
    let all = [(0, false), (0, true), (1, false), (1, true), (ones, false), (ones, true)];
    assert_eq!(answers, all.map(|(bits, fails)| (word(bits), fails)));
}

#[test]
fn an_unknown_function_sets_what_its_arguments_point_to() {
    let f = |set: &str, asked: &str| {
        Case::new(&format!(
            "proc f(l: ptr)\n{{\n  var r: bv32;\n  var v: ptr;\n  entry:\n    \
             v := alloc 4bv64 stack;\n    {set}\n    call {asked};\n    \
             r := call pthread_mutex_lock(l);\n    \
             branch memory{{v as bv32}} == 7bv32 ? again : done;\n  again:\n    \
             r := call pthread_mutex_lock(l);\n    exit;\n  done:\n    exit;\n}}\n"
        ))
    };
    let zero = "memory{v as bv32} := 0bv32;";
    for (set, asked, is_shown) in [
        ("", "keep(v)", true),
        (zero, "keep(v)", true),
        ("memory{v as bv32} := 3bv32;", "keep(v)", false),
        // The function has not seen the variable.
        ("", "keep(l)", false),
        (zero, "keep(l)", false),
    ] {
        let case = f(set, asked);
        let second = case.calls("pthread_mutex_lock")[1];
        let judged = case.judged(&[error("double-lock", second)]);
        assert_eq!(judged.is_some(), is_shown, "{set} {asked}");
    }
}

#[test]
fn a_list_is_built_with_the_numbers_that_it_is_searched_for() {
    let f = |rest: &str| {
        Case::new(&format!(
            "proc find(l: ptr, id: bv32) returns (e: ptr)\n{{\n  entry:\n    \
             e := memory{{l as ptr}};\n    goto head;\n  head:\n    \
             branch e == null ? end : look;\n  look:\n    \
             branch memory{{ptradd(e, 8bv64) as bv32}} == id ? end : further;\n  further:\n    \
             e := memory{{e as ptr}};\n    goto head;\n  end:\n    exit;\n}}\n\
             proc f(l: ptr)\n{{\n  var p: ptr;\n  var e: ptr;\n  var i: bv32;\n  entry:\n    \
             p := call malloc(16bv64);\n    i := 0bv32;\n    branch p == null ? end : again;\n  \
             again:\n    i := i + 1bv32;\n    branch ule(i, 10bv32) ? body : last;\n  \
             body:\n    e := call find(l, i);\n    branch e == null ? good : again;\n  good:\n    \
             call `free`(p);\n    exit;\n  last:\n    {rest}\n    exit;\n  end:\n    exit;\n}}\n"
        ))
    };
    for (rest, is_shown) in [("", true), ("call `free`(p);", false)] {
        let case = f(rest);
        let claim = Claim::Loses { point: case.calls("malloc")[0] };
        assert_eq!(case.judged(&[claim]).is_some(), is_shown, "{rest}");
    }
}

#[test]
fn memory_of_a_witness_with_which_the_run_fails_is_replaced() {
    let case = Case::new(
        "proc f(o: ptr)\n{\n  var p: ptr;\n  var d: bv32;\n  entry:\n    \
         p := call malloc(16bv64);\n    branch p == null ? end : divide;\n  divide:\n    \
         d := memory{o as bv32};\n    assert division-by-zero d != 0bv32 \"zero\";\n    exit;\n  end:\n    exit;\n}\n",
    );
    let claim = Claim::Loses { point: case.calls("malloc")[0] };
    let witness = Witness {
        parameters: vec![Some(Scalar::Pointer(OBJECT, 0))],
        memory: vec![(OBJECT, 0, vec![0; 4])],
        objects: vec![(OBJECT, 16)],
        ..Witness::default()
    };
    let proposals = [vec![Proposal { claim, witness }]];
    let judged = case.with_program(|program| judge(program, (0, case.entry()), &proposals));
    assert!(judged.is_some());
}
