//! Operators in SMT-LIB, with VIR's values where SMT-LIB leaves them open.

use ir::{ExprId, Op, Type};
use num_bigint::BigInt;

use super::{Inexpressible, PrintTask, text, unsayable};

/// A word.
pub(super) fn word(value: &BigInt, width: u32) -> String {
    let modulus = BigInt::from(1) << width;
    let value = ((value % &modulus) + &modulus) % &modulus;
    format!("(_ bv{value} {width})")
}

/// A function applied to operands.
pub(super) fn call(name: &str, operands: &[ExprId]) -> Vec<PrintTask> {
    let mut parts = vec![PrintTask::Text(format!("({name}"))];
    for &operand in operands {
        parts.extend([text(" "), PrintTask::Expr(operand)]);
    }
    parts.push(text(")"));
    parts
}

/// A text about `?a` and `?b`, which are the operands.
fn about(operands: &[ExprId], body: String) -> Vec<PrintTask> {
    let mut parts = vec![text("(let (")];
    for (name, &operand) in ["?a", "?b"].iter().zip(operands) {
        parts.extend([PrintTask::Text(format!("({name} ")), PrintTask::Expr(operand), text(")")]);
    }
    parts.push(PrintTask::Text(format!(") {body})")));
    parts
}

/// An operator applied to operands, the first of which has this type.
pub(super) fn parts(
    op: &Op,
    operands: &[ExprId],
    ty: &Type,
) -> Result<Vec<PrintTask>, Inexpressible> {
    let width = match ty {
        Type::Bv(width) => *width,
        _ => 0,
    };
    let named = |name: &str| Ok(call(name, operands));
    let about = |body: String| Ok(about(operands, body));
    match op {
        Op::Not => named("not"),
        Op::And => named("and"),
        Op::Or => named("or"),
        Op::Implies => named("=>"),
        Op::Eq => named("="),
        Op::Ite => named("ite"),
        Op::IntNeg => named("-"),
        Op::IntAdd => named("+"),
        Op::IntSub => named("-"),
        Op::IntMul => named("*"),
        // SMT-LIB's are Boogie's too, but say nothing of zero.
        Op::IntDiv => about("(ite (= ?b 0) 0 (div ?a ?b))".to_owned()),
        Op::IntMod => about("(ite (= ?b 0) ?a (mod ?a ?b))".to_owned()),
        Op::IntLt => named("<"),
        Op::IntLe => named("<="),
        Op::BvNeg => named("bvneg"),
        Op::BvAdd => named("bvadd"),
        Op::BvSub => named("bvsub"),
        Op::BvMul => named("bvmul"),
        Op::BvUdiv => named("bvudiv"),
        Op::BvUrem => named("bvurem"),
        Op::BvSdiv => named("bvsdiv"),
        Op::BvSrem => named("bvsrem"),
        Op::BvNot => named("bvnot"),
        Op::BvAnd => named("bvand"),
        Op::BvOr => named("bvor"),
        Op::BvXor => named("bvxor"),
        Op::BvShl => named("bvshl"),
        Op::BvLshr => named("bvlshr"),
        Op::BvAshr => named("bvashr"),
        Op::BvUlt => named("bvult"),
        Op::BvUle => named("bvule"),
        Op::BvSlt => named("bvslt"),
        Op::BvSle => named("bvsle"),
        Op::BvConcat => named("concat"),
        Op::BvExtract { low, width } => named(&format!("(_ extract {} {low})", low + width - 1)),
        Op::BvZeroExtend(to) => named(&format!("(_ zero_extend {})", to - width)),
        Op::BvSignExtend(to) => named(&format!("(_ sign_extend {})", to - width)),
        Op::BvPopcount => about(popcount(width)),
        Op::BvLeadingZeros => about(zeros((0..width).rev(), width)),
        Op::BvTrailingZeros => about(zeros(0..width, width)),
        Op::BvSaddOverflows => about(leaves_range("bvadd", "sign_extend", width, 1)),
        Op::BvSsubOverflows => about(leaves_range("bvsub", "sign_extend", width, 1)),
        Op::BvSmulOverflows => about(leaves_range("bvmul", "sign_extend", width, width)),
        Op::BvUaddOverflows => about(leaves_range("bvadd", "zero_extend", width, 1)),
        Op::BvUsubOverflows => about("(bvult ?a ?b)".to_owned()),
        Op::BvUmulOverflows => about(leaves_range("bvmul", "zero_extend", width, width)),
        Op::BvToNat => named("bv2nat"),
        Op::BvToInt => {
            let zero = word(&BigInt::from(0), width);
            let modulus = BigInt::from(1) << width;
            about(format!("(ite (bvslt ?a {zero}) (- (bv2nat ?a) {modulus}) (bv2nat ?a))"))
        }
        Op::IntToBv(to) => named(&format!("(_ int2bv {to})")),
        Op::Float(_) => unsayable("floating-point numbers"),
        Op::PtrAdd | Op::PtrOffset | Op::PtrSameObject | Op::PtrToBv | Op::BvToPtr => {
            unsayable("pointers")
        }
        Op::Memory(_) => unsayable("byte memory"),
        Op::Union
        | Op::Intersection
        | Op::Difference
        | Op::Subset
        | Op::Graph
        | Op::Join
        | Op::Product
        | Op::Transpose
        | Op::Closure
        | Op::ReflexiveClosure
        | Op::Singleton
        | Op::Cardinality => unsayable("operators on relations"),
        Op::SeqEmpty(_)
        | Op::SeqUnit
        | Op::SeqConcat
        | Op::SeqLength
        | Op::SeqAt
        | Op::SeqSlice
        | Op::SeqReverse
        | Op::SeqCount => unsayable("sequences"),
        Op::Record(_) | Op::Field(..) | Op::WithField(..) => unsayable("records"),
        Op::Construct(..) | Op::IsConstructor(..) | Op::Argument(..) => unsayable("tagged unions"),
        Op::Select | Op::Store | Op::ConstMap(_) => unreachable!("maps are written elsewhere"),
    }
}

fn popcount(width: u32) -> String {
    let bit = |bit: u32| format!("((_ zero_extend {}) ((_ extract {bit} {bit}) ?a))", width - 1);
    (1..width).fold(bit(0), |sum, number| format!("(bvadd {sum} {})", bit(number)))
}

/// The number of zeros before the first one in this order.
fn zeros(bits: impl DoubleEndedIterator<Item = u32> + ExactSizeIterator, width: u32) -> String {
    let all = word(&BigInt::from(width), width);
    bits.enumerate().rev().fold(all, |rest, (before, bit)| {
        let before = word(&BigInt::from(before), width);
        format!("(ite (= ((_ extract {bit} {bit}) ?a) #b1) {before} {rest})")
    })
}

/// Whether an operation on extended words yields a result that is not an extended word.
fn leaves_range(operation: &str, extend: &str, width: u32, by: u32) -> String {
    let wide = |operand: &str| format!("((_ {extend} {by}) {operand})");
    let result = format!("({operation} {} {})", wide("?a"), wide("?b"));
    let narrow = wide(&format!("((_ extract {} 0) ?r)", width - 1));
    format!("(let ((?r {result})) (not (= ?r {narrow})))")
}
