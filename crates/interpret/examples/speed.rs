//! Prints how fast the interpreter is: statements per second on loops, calls and memory, and runs
//! per second of an enumeration.

use std::ops::ControlFlow;
use std::time::Instant;

use interpret::{Enumerating, Inputs, Options, Recorded, Scope, Value, enumerate, run};

const PROGRAMS: &str = r#"
var mem: bytes;
var m: [int]int;

proc words(n: bv32) returns (s: bv32)
{
  var i: bv32;
  entry:
    i, s := 0bv32, 0bv32;
    goto head;
  head:
    branch ult(i, n) ? body : done;
  body:
    s := s + i * 3bv32;
    s := bvxor(s, shl(i, 2bv32));
    i := i + 1bv32;
    goto head;
  done:
    exit;
}
proc integers(n: int) returns (s: int)
{
  var i: int;
  entry:
    i, s := 0, 0;
    goto head;
  head:
    branch i < n ? body : done;
  body:
    s := s + i * 3;
    s := s - i div 2;
    i := i + 1;
    goto head;
  done:
    exit;
}
proc maps(n: int) returns (s: int)
  ensures m == old(m) || true;
{
  var i: int;
  entry:
    i, s := 0, 0;
    goto head;
  head:
    branch i < n ? body : done;
  body:
    m[i mod 1000] := i;
    s := s + m[i mod 500];
    i := i + 1;
    goto head;
  done:
    exit;
}
proc memory(n: bv64) returns (s: bv32)
{
  var i: bv64; var p: ptr;
  entry:
    p := alloc 4096bv64 heap;
    i, s := 0bv64, 0bv32;
    goto head;
  head:
    branch ult(i, n) ? body : done;
  body:
    mem{ptradd(p, bvand(i, 1023bv64)) as bv32} := s + 1bv32;
    s := mem{ptradd(p, bvand(i, 1023bv64)) as bv32};
    i := i + 1bv64;
    goto head;
  done:
    exit;
}
proc fib(n: int) returns (r: int)
{
  var a: int; var b: int;
  entry:
    branch n < 2 ? base : more;
  base:
    r := n;
    exit;
  more:
    a := call fib(n - 1);
    b := call fib(n - 2);
    r := a + b;
    exit;
}
proc small(a: bv4, b: bv4, c: bool) returns (r: bv4)
{
  entry:
    branch c ? yes : no;
  yes:
    r := a * b + 1bv4;
    goto join;
  no:
    r := a - b;
    goto join;
  join:
    assert r != 13bv4;
    exit;
}
"#;

fn main() {
    let (module, diagnostics) = ir::parse("speed.vir", PROGRAMS);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    for trace in [0, 10_000] {
        let options = Options { steps: u64::MAX, work: u64::MAX, trace, ..Options::default() };
        println!("keeping {trace} events");
        for (name, input) in [
            ("words", Value::bv(32, 1_000_000)),
            ("integers", Value::int(1_000_000)),
            ("maps", Value::int(500_000)),
            ("memory", Value::bv(64, 500_000)),
            ("fib", Value::int(25)),
        ] {
            let procedure = module.find_procedure(name).expect("it is declared");
            let start = Instant::now();
            let run =
                run(&module, procedure, &Inputs::new([input]), &mut Recorded::default(), &options);
            let seconds = start.elapsed().as_secs_f64();
            let rate = run.steps as f64 / seconds / 1e6;
            println!("  {name:<9} {:>9} steps {rate:>6.1} million/s  {}", run.steps, run.outcome);
        }
    }
    let procedure = module.find_procedure("small").expect("it is declared");
    let options = Options { trace: 0, ..Options::default() };
    let start = Instant::now();
    let mut oracle = Enumerating::new(Scope::default());
    let mut count = 0;
    for _ in 0..200 {
        let inputs = Inputs::default();
        count += enumerate(&module, procedure, &inputs, &mut oracle, &options, |_, _| {
            ControlFlow::Continue(())
        });
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("enumeration: {count} runs, {:.0} thousand/s", count as f64 / seconds / 1e3);
}
