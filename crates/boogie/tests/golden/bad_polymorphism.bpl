type C a _ b;
type E _;
type Field a;
var twice: <a> [a] <a> [a] int;
var unused: <a> [a] <b> [int] int;
var few: C int int;
var many: E E int;
function F<a>(<b>[b]a) returns (bool);
function less<a>(x: a, y: a) returns (bool);
axiom less(5, true);
axiom (forall<a, b> x: a, y: b :: less(x, y));
axiom (forall<a, b> x: a, y: b :: x == y);
axiom (forall<b> y: Field b, z: E b :: y == z);
axiom (exists<a> x: <c>[Field c]a, y: <d>[Field d]d :: x == y);
procedure P<a>(x: int) returns (y: int);
procedure Q<T>(t: T, f: <c>[c]c)
{
  var x: <a, b>[a, a, b]int;
  var y: <a, b>[a, b, b]int;
  assert F(f);
  assert x == y;
  call Q(t, y);
}
implementation Q<T>(t: T, f: int) { }
implementation Q(t: int, f: <c>[c]c) { }
datatype D { A(x: int), A(y: int), B(x: bool) }
procedure R(d: D) { assert d->z == 1; assert d is Z; assert d->x->y; }
