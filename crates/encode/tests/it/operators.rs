//! Every operator through both of its meanings: for random operands, the evaluator and the
//! interpreter must agree on the result and on what is not the result.

use circuit::{Bits, Circuit};
use encode::{
    Evaluation, QueryAnswer, QuerySession, Scope, WordResult, evaluate, replay, word_operator,
};
use fastrand::Rng;
use interpret::{Ending, Outcome, Value, Word, fold};
use ir::{Float, Module, Op, ProcedureId};

/// An expression over the parameters, with their types and that of its value. `W` stands for a
/// width, `V` for the next one.
const EXPRESSIONS: &[(&str, &[&str], &str)] = &[
    ("!a", &["bool"], "bool"),
    ("(a && b)", &["bool", "bool"], "bool"),
    ("(a || b)", &["bool", "bool"], "bool"),
    ("(a ==> b)", &["bool", "bool"], "bool"),
    ("(a == b)", &["bvW", "bvW"], "bool"),
    ("(a == b)", &["seq<bvW>", "seq<bvW>"], "bool"),
    ("(a == b)", &["[S]S", "[S]S"], "bool"),
    ("(if a then b else d)", &["bool", "bvW", "bvW"], "bvW"),
    ("-a", &["int"], "int"),
    ("a + b", &["int", "int"], "int"),
    ("a - b", &["int", "int"], "int"),
    ("a * b", &["int", "int"], "int"),
    ("a div b", &["int", "int"], "int"),
    ("a mod b", &["int", "int"], "int"),
    ("(a < b)", &["int", "int"], "bool"),
    ("(a <= b)", &["int", "int"], "bool"),
    ("-a", &["bvW"], "bvW"),
    ("a + b", &["bvW", "bvW"], "bvW"),
    ("a - b", &["bvW", "bvW"], "bvW"),
    ("a * b", &["bvW", "bvW"], "bvW"),
    ("udiv(a, b)", &["bvW", "bvW"], "bvW"),
    ("urem(a, b)", &["bvW", "bvW"], "bvW"),
    ("sdiv(a, b)", &["bvW", "bvW"], "bvW"),
    ("srem(a, b)", &["bvW", "bvW"], "bvW"),
    ("bvnot(a)", &["bvW"], "bvW"),
    ("bvand(a, b)", &["bvW", "bvW"], "bvW"),
    ("bvor(a, b)", &["bvW", "bvW"], "bvW"),
    ("bvxor(a, b)", &["bvW", "bvW"], "bvW"),
    ("shl(a, b)", &["bvW", "bvW"], "bvW"),
    ("lshr(a, b)", &["bvW", "bvW"], "bvW"),
    ("ashr(a, b)", &["bvW", "bvW"], "bvW"),
    ("ult(a, b)", &["bvW", "bvW"], "bool"),
    ("ule(a, b)", &["bvW", "bvW"], "bool"),
    ("slt(a, b)", &["bvW", "bvW"], "bool"),
    ("sle(a, b)", &["bvW", "bvW"], "bool"),
    ("concat(a, b)", &["bv3", "bv5"], "bv8"),
    ("extract(a, 2, 3)", &["bv7"], "bv3"),
    ("zext(a, 9)", &["bvW"], "bv9"),
    ("sext(a, 9)", &["bvW"], "bv9"),
    ("popcount(a)", &["bvW"], "bvW"),
    ("clz(a)", &["bvW"], "bvW"),
    ("ctz(a)", &["bvW"], "bvW"),
    ("saddo(a, b)", &["bvW", "bvW"], "bool"),
    ("ssubo(a, b)", &["bvW", "bvW"], "bool"),
    ("smulo(a, b)", &["bvW", "bvW"], "bool"),
    ("uaddo(a, b)", &["bvW", "bvW"], "bool"),
    ("usubo(a, b)", &["bvW", "bvW"], "bool"),
    ("umulo(a, b)", &["bvW", "bvW"], "bool"),
    ("nat(a)", &["bvW"], "int"),
    ("int(a)", &["bvW"], "int"),
    ("bv(a, 5)", &["int"], "bv5"),
    ("bv(a, 12)", &["int"], "bv12"),
    ("fadd(a, b)", &["bv32", "bv32"], "bv32"),
    ("fadd(a, b)", &["bv64", "bv64"], "bv64"),
    ("fsub(a, b)", &["bv32", "bv32"], "bv32"),
    ("fsub(a, b)", &["bv64", "bv64"], "bv64"),
    ("fmul(a, b)", &["bv32", "bv32"], "bv32"),
    ("fmul(a, b)", &["bv64", "bv64"], "bv64"),
    ("feq(a, b)", &["bv32", "bv32"], "bool"),
    ("feq(a, b)", &["bv64", "bv64"], "bool"),
    ("flt(a, b)", &["bv32", "bv32"], "bool"),
    ("flt(a, b)", &["bv64", "bv64"], "bool"),
    ("fle(a, b)", &["bv32", "bv32"], "bool"),
    ("fle(a, b)", &["bv64", "bv64"], "bool"),
    ("fnan(a)", &["bv32"], "bool"),
    ("fnan(a)", &["bv64"], "bool"),
    ("sitofp(a, 32)", &["bvW"], "bv32"),
    ("sitofp(a, 64)", &["bv64"], "bv64"),
    ("uitofp(a, 32)", &["bv64"], "bv32"),
    ("uitofp(a, 64)", &["bvW"], "bv64"),
    ("fptosi(a, 5)", &["bv32"], "bv5"),
    ("fptosi(a, 32)", &["bv64"], "bv32"),
    ("fptoui(a, 64)", &["bv32"], "bv64"),
    ("fptoui(a, 8)", &["bv64"], "bv8"),
    ("fptofp(a, 64)", &["bv32"], "bv64"),
    ("fptofp(a, 32)", &["bv64"], "bv32"),
    ("fptofp(a, 32)", &["bv32"], "bv32"),
    ("a[b]", &["[S]S", "S"], "S"),
    ("a[b, d]", &["[S, bool]bv3", "S", "bool"], "bv3"),
    ("a[b := d]", &["[S]S", "S", "S"], "[S]S"),
    ("a[b]", &["[int]bv4", "int"], "bv4"),
    ("a[b := d][e]", &["[int]bv4", "int", "bv4", "int"], "bv4"),
    ("union(a, b)", &["[S]bool", "[S]bool"], "[S]bool"),
    ("inter(a, b)", &["[S]bool", "[S]bool"], "[S]bool"),
    ("diff(a, b)", &["[S, T]bool", "[S, T]bool"], "[S, T]bool"),
    ("subset(a, b)", &["[S]bool", "[S]bool"], "bool"),
    ("graph(a)", &["[S]T"], "[S, T]bool"),
    ("join(a, b)", &["[S]bool", "[S, T]bool"], "[T]bool"),
    ("join(a, b)", &["[S, T]bool", "[T, S]bool"], "[S, S]bool"),
    ("product(a, b)", &["[S]bool", "[T]bool"], "[S, T]bool"),
    ("transpose(a)", &["[S, T]bool"], "[T, S]bool"),
    ("closure(a)", &["[S, S]bool"], "[S, S]bool"),
    ("rclosure(a)", &["[S, S]bool"], "[S, S]bool"),
    ("single(a)", &["S"], "[S]bool"),
    ("card(a)", &["[S, T]bool"], "int"),
    ("seq[a, b]", &["S", "S"], "seq<S>"),
    ("a ++ b", &["seq<bv2>", "seq<bv2>"], "seq<bv2>"),
    ("len(a)", &["seq<bv2>"], "int"),
    ("a[b]", &["seq<bv2>", "int"], "bv2"),
    ("slice(a, b, d)", &["seq<bv2>", "int", "int"], "seq<bv2>"),
    ("reverse(a)", &["seq<bv2>"], "seq<bv2>"),
    ("R { x: a, y: b }", &["bv2", "seq<bool>"], "R"),
    ("a.y", &["R"], "seq<bool>"),
    ("a with { x: b }", &["R", "bv2"], "R"),
    ("Wide(a)", &["bv3"], "V"),
    ("(a is Pair)", &["V"], "bool"),
    ("count(a, b)", &["seq<S>", "S"], "int"),
    ("count(a, b)", &["seq<seq<bool>>", "seq<bool>"], "int"),
    ("(all x: S :: a[x] == b)", &["[S]S", "S"], "bool"),
    ("(some x: S, y: bool :: a[x, y])", &["[S, bool]bool"], "bool"),
    ("(lambda x: S :: a[x] == b)", &["[S]S", "S"], "[S]bool"),
];

#[test]
fn every_operator_means_the_same_to_both() {
    let mut rng = Rng::with_seed(1);
    let mut compared = 0;
    for (expression, types, result) in EXPRESSIONS {
        for _ in 0..6 {
            let width = rng.u32(1..=8);
            compared += compare(expression, types, result, width, &mut rng);
        }
    }
    assert!(compared > 900, "only {compared} results were compared");
}

/// Compares a few results, and gives their number.
fn compare(expression: &str, types: &[&str], result: &str, width: u32, rng: &mut Rng) -> usize {
    let parameters: Vec<String> = types
        .iter()
        .zip(["a", "b", "d", "e"])
        .map(|(ty, name)| format!("{name}: {}", ty.replace("bvW", &format!("bv{width}"))))
        .collect();
    let result = result.replace("bvW", &format!("bv{width}"));
    let text = format!(
        "sort S; sort T;
         record R {{ x: bv2, y: seq<bool> }}
         variant V {{ None, Wide(bv3), Pair(bool, bv2) }}
         proc f({}, c: {result}) {{
           entry:
             assert {expression} == c \"equal\";
             exit;
         }}",
        parameters.join(", ")
    );
    let (module, diagnostics) = ir::parse("test.vir", &text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}\n{text}");
    let scope = Scope { atoms: 2, sequence: 3, ..Scope::default() };
    let evaluation = evaluate(&module, module.procedure(ProcedureId(0)), &[], &scope);
    let mut session =
        QuerySession::new(&module, &evaluation, sat::Options::default(), sat::Limits::none())
            .expect("the solver is built in");
    let inputs: Vec<circuit::Gate> = evaluation.circuit.inputs().collect();
    let mut compared = 0;
    for _ in 0..4 {
        // Random values for some inputs make for different operands each time.
        let mut query: Vec<circuit::Gate> =
            inputs.iter().copied().filter(|_| rng.u8(..3) == 0).collect();
        for gate in &mut query {
            *gate = gate.negate_if(rng.bool());
        }
        for (gate, holds) in [(evaluation.normal, true), (evaluation.obligations[0].fails, false)] {
            query.push(gate);
            if session.ask(&query) == QueryAnswer::Sat {
                judge(&module, &evaluation, &mut session, holds, &text);
                compared += 1;
            }
            query.pop();
        }
    }
    compared
}

fn judge(
    module: &Module,
    evaluation: &Evaluation,
    session: &mut QuerySession<'_>,
    holds: bool,
    text: &str,
) {
    assert_eq!(evaluation.obligations.len(), 1);
    let witness = session.witness();
    let run = replay(module, ProcedureId(0), &witness, &interpret::Options::default());
    let agreed = match &run.outcome {
        Outcome::Exit(Ending::Normal(_)) => holds,
        Outcome::Failed(_) => !holds,
        _ => false,
    };
    assert!(agreed, "the run {}\n{text}\n{:?}", run.outcome, witness.inputs);
}

/// Operators on words, each with the widths of its operands; zero is any width.
fn word_operators(rng: &mut Rng) -> Vec<(Op, u32, usize)> {
    let width = rng.u32(1..=128);
    let low = rng.u32(0..width);
    let taken = rng.u32(1..=width - low);
    let narrow = rng.u32(1..=64);
    let mut all: Vec<(Op, u32, usize)> = Vec::new();
    let unary = [
        Op::BvNeg,
        Op::BvNot,
        Op::BvExtract { low, width: taken },
        Op::BvZeroExtend(width + rng.u32(0..=128 - width)),
        Op::BvSignExtend(width + rng.u32(0..=128 - width)),
        Op::BvPopcount,
        Op::BvLeadingZeros,
        Op::BvTrailingZeros,
    ];
    all.extend(unary.map(|op| (op, width, 1)));
    let binary = [
        Op::BvAdd,
        Op::BvSub,
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
        Op::BvShl,
        Op::BvLshr,
        Op::BvAshr,
        Op::Eq,
        Op::BvUlt,
        Op::BvUle,
        Op::BvSlt,
        Op::BvSle,
        Op::BvSaddOverflows,
        Op::BvSsubOverflows,
        Op::BvUaddOverflows,
        Op::BvUsubOverflows,
    ];
    all.extend(binary.map(|op| (op, width, 2)));
    let costly = [
        Op::BvMul,
        Op::BvUdiv,
        Op::BvUrem,
        Op::BvSdiv,
        Op::BvSrem,
        Op::BvConcat,
        Op::BvSmulOverflows,
        Op::BvUmulOverflows,
    ];
    all.extend(costly.map(|op| (op, narrow, 2)));
    for format in [32, 64] {
        let arithmetic =
            [Float::Add, Float::Sub, Float::Mul, Float::Equal, Float::Less, Float::LessEqual];
        all.extend(arithmetic.map(|float| (Op::Float(float), format, 2)));
        let conversions =
            [Float::IsNan, Float::ToSigned(narrow), Float::ToUnsigned(narrow), Float::Convert(32)];
        all.extend(conversions.map(|float| (Op::Float(float), format, 1)));
        let numbers = [Float::FromSigned(format), Float::FromUnsigned(format)];
        all.extend(numbers.map(|float| (Op::Float(float), narrow, 1)));
    }
    all
}

/// Constant folding and circuits of constants are two paths to one value, for each operator on words.
#[test]
fn word_operators_fold_to_what_circuits_compute() {
    let mut rng = Rng::with_seed(2);
    let mut compared = 0;
    for _ in 0..60 {
        for (op, width, count) in word_operators(&mut rng) {
            let mask = u128::MAX >> (128 - width);
            let mut operand = || match rng.u8(..4) {
                0 => u128::from(rng.u8(..3)) & mask,
                1 => mask - (u128::from(rng.u8(..3)) & mask),
                _ => rng.u128(..) & mask,
            };
            let operands: Vec<u128> = (0..count).map(|_| operand()).collect();
            let words: Vec<Bits> =
                operands.iter().map(|bits| Bits::constant(width as usize, *bits)).collect();
            let values: Vec<Value> = operands
                .iter()
                .map(|bits| Value::Bv(Word::from_nat(width, (*bits).into())))
                .collect();
            let folded = fold(&op, &values).unwrap_or_else(|| panic!("{op:?} of {values:?}"));
            let built = word_operator(&mut Circuit::new(), &op, &words[0], words.get(1));
            let built = match built.unwrap_or_else(|| panic!("{op:?} of {values:?}")) {
                WordResult::Truth(gate) => Value::Bool(gate.as_constant().expect("constant")),
                WordResult::Word(bits) => {
                    let value = bits.as_constant().expect("constant");
                    Value::Bv(Word::from_nat(bits.width() as u32, value.into()))
                }
            };
            assert_eq!(folded, built, "{op:?} of {values:?}");
            compared += 1;
        }
    }
    assert!(compared > 3_000, "only {compared} results were compared");
}
