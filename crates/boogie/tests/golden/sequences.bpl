// Sequences as solvers know them.
type {:builtin "Seq"} Seq _;
function {:builtin "seq.empty"} Empty<T>(): Seq T;
function {:builtin "seq.len"} Len<T>(a: Seq T): int;
function {:builtin "seq.++"} Concat<T>(a: Seq T, b: Seq T): Seq T;
function {:builtin "seq.unit"} Unit<T>(v: T): Seq T;
function {:builtin "seq.nth"} Nth<T>(a: Seq T, i: int): T;
function {:builtin "seq.extract"} Extract<T>(a: Seq T, from: int, count: int): Seq T;
procedure p(s: Seq int) returns (t: Seq int)
{
  t := Concat(s, Unit(3));
  assert Len(t) == Len(s) + 1 && Nth(t, Len(s)) == 3;
  assert Extract(t, 0, 0) == Empty();
}
