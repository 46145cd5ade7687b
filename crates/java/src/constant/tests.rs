use super::{Constant, of_field};
use crate::diagnostics::Diagnostics;
use crate::read::read;
use crate::resolve::{File, resolve};
use crate::sources::Nullness;

/// The values of the fields of a class `C`, by name.
fn values(members: &str) -> Vec<(String, Option<Constant>)> {
    let text = format!("class C {{ {members} }}");
    let mut files =
        vec![File { unit: read(&text, &mut Diagnostics::default()), is_library: false }];
    files.extend(
        crate::LIBRARY.map(|(_, text)| File {
            unit: read(text, &mut Diagnostics::default()),
            is_library: true,
        }),
    );
    let program = resolve(&files, Nullness::AsSpecified, &mut Diagnostics::default());
    let class = program.library("C").expect("it is declared");
    let fields = program.class(class).fields.iter();
    fields.map(|id| (program.field(*id).name.clone(), of_field(&program, *id))).collect()
}

fn value(member: &str) -> Option<Constant> {
    values(&format!("static final {member};")).pop().and_then(|(_, value)| value)
}

#[test]
fn whole_numbers_are_computed_as_java_does() {
    assert_eq!(value("int A = 1 + 2 * 3"), Some(Constant::Int(7)));
    assert_eq!(value("int A = Integer.MAX_VALUE + 1"), Some(Constant::Int(i32::MIN)));
    assert_eq!(value("int A = Integer.MIN_VALUE / -1"), Some(Constant::Int(i32::MIN)));
    assert_eq!(value("int A = -2147483648"), Some(Constant::Int(i32::MIN)));
    assert_eq!(value("long A = 1L << 40"), Some(Constant::Long(1 << 40)));
    assert_eq!(value("int A = 1 << 33"), Some(Constant::Int(2)));
    assert_eq!(value("int A = -1 >>> 28"), Some(Constant::Int(15)));
    assert_eq!(value("long A = -1 >>> 28L"), Some(Constant::Long(15)));
    assert_eq!(value("int A = -7 / 2 + -7 % 2"), Some(Constant::Int(-4)));
    assert_eq!(value("int A = ~5 & 0xff ^ 1 | 2"), Some(Constant::Int(251)));
    assert_eq!(value("byte A = (byte) 200"), Some(Constant::Byte(-56)));
    assert_eq!(value("short A = (short) 0x18000"), Some(Constant::Short(i16::MIN)));
    assert_eq!(value("char A = 'a' + 1"), Some(Constant::Char(98)));
    assert_eq!(value("int A = 'a' * 2"), Some(Constant::Int(194)));
    assert_eq!(value("int A = (char) -1"), Some(Constant::Int(65535)));
    assert_eq!(value("long A = 60L * 1000"), Some(Constant::Long(60_000)));
    assert_eq!(value("long A = 1_000_000 * 1_000_000"), Some(Constant::Long(-727_379_968)));
}

#[test]
fn a_division_by_zero_and_a_circle_have_no_value() {
    assert_eq!(value("int A = 1 / 0"), None);
    assert_eq!(value("int A = 1 % (2 - 2)"), None);
    assert_eq!(value("double A = 1.0 / 0"), Some(Constant::Double(f64::INFINITY)));
    let circle = values("static final int A = B + 1; static final int B = A + 1;");
    assert!(circle.iter().all(|(_, value)| value.is_none()), "{circle:?}");
    assert_eq!(value("int A = A"), None);
}

#[test]
fn truth_values_and_choices_are_computed() {
    assert_eq!(value("boolean A = 3 > 2 && !(1 == 2) || false"), Some(Constant::Boolean(true)));
    assert_eq!(value("boolean A = true ^ 'a' < 97.5"), Some(Constant::Boolean(false)));
    assert_eq!(value("int A = (3 > 2) ? 1 : 2"), Some(Constant::Int(1)));
    assert_eq!(value("double A = true ? 1 : 2.0"), Some(Constant::Double(1.0)));
    assert_eq!(value("String A = \"\" + (true ? 'x' : 1)"), Some(Constant::Text("x".to_owned())));
    assert_eq!(
        value("String A = \"\" + (true ? 'x' : 100000)"),
        Some(Constant::Text("120".to_owned()))
    );
}

#[test]
fn floating_point_numbers_are_those_of_the_machine() {
    assert_eq!(value("float A = 0.1f + 0.2f"), Some(Constant::Float(0.1 + 0.2)));
    assert_eq!(value("double A = 0.1 + 0.2"), Some(Constant::Double(0.1 + 0.2)));
    assert_eq!(value("double A = 0x1.8p3"), Some(Constant::Double(12.0)));
    assert_eq!(value("float A = 0x.8p0f"), Some(Constant::Float(0.5)));
    assert_eq!(value("double A = 0x1.0p-1074"), Some(Constant::Double(f64::from_bits(1))));
    assert_eq!(value("double A = Double.MAX_VALUE"), Some(Constant::Double(f64::MAX)));
    assert_eq!(value("double A = Double.MIN_VALUE"), Some(Constant::Double(f64::from_bits(1))));
    assert_eq!(value("float A = Float.MAX_VALUE"), Some(Constant::Float(f32::MAX)));
    assert_eq!(value("int A = (int) 3.9e10"), Some(Constant::Int(i32::MAX)));
    assert_eq!(value("int A = (int) (0.0 / 0.0)"), Some(Constant::Int(0)));
    assert_eq!(value("byte A = (byte) 300.7"), Some(Constant::Byte(44)));
    assert_eq!(value("long A = (long) -1.5f"), Some(Constant::Long(-1)));
    assert_eq!(value("boolean A = Double.NaN == Double.NaN"), Some(Constant::Boolean(false)));
}

#[test]
fn texts_are_joined_and_compared() {
    let text = |text: &str| Some(Constant::Text(text.to_owned()));
    assert_eq!(value("String A = \"a\" + 1 + 'b' + true + 2L"), text("a1btrue2"));
    assert_eq!(value("String A = 1 + 2 + \"a\""), text("3a"));
    assert_eq!(
        value("String A = \"\" + 1.0 + ' ' + 1e10 + ' ' + 0.001f"),
        text("1.0 1.0E10 0.001")
    );
    assert_eq!(value("String A = \"\" + 123456.75 + ' ' + 1.25e-5"), text("123456.75 1.25E-5"));
    assert_eq!(value("String A = (String) \"a\""), text("a"));
    assert_eq!(value("boolean A = \"ab\" == \"a\" + \"b\""), Some(Constant::Boolean(true)));
    assert_eq!(value("String A = null"), None);
    assert_eq!(value("Object A = \"a\""), None);
}

#[test]
fn constants_of_other_classes_and_interfaces_are_found() {
    let all = values(
        "interface I { int X = 4; String S = \"s\"; } static class D implements I { static final int Y = X * 2; } \
         static final int A = D.Y + I.X; static final int B = D.X; static final int E = C.A; \
         static final int F = java.lang.Byte.MAX_VALUE; final int G = A; static int H = 3; static final int K = H; \
         static final int L = new int[2].length; static final Integer M = 5; static final char N = Character.MAX_VALUE;",
    );
    let found = |name: &str| {
        let (_, value) = all.iter().find(|(known, _)| known == name).expect("it is declared");
        value.clone()
    };
    assert_eq!(found("A"), Some(Constant::Int(12)));
    assert_eq!(found("B"), Some(Constant::Int(4)));
    assert_eq!(found("E"), Some(Constant::Int(12)));
    assert_eq!(found("F"), Some(Constant::Int(127)));
    assert_eq!(found("G"), Some(Constant::Int(12)));
    assert_eq!(found("N"), Some(Constant::Char(0xffff)));
    for name in ["H", "K", "L", "M"] {
        assert_eq!(found(name), None, "{name}");
    }
}
