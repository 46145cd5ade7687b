procedure p(x: int)
{
  assert x > 0 && x < 5 || x == 2;
  assert x ==> x <== x;
  assert 1 < x < 3;
  assert ;
  x := (x;
  if x > 0 { }
  assert x == 1
  assert x == 2;
}
function g(x: int) : { 3 }
var v: int
const d: int;
procedure q(x: int where x > 0) { var y: int; assert x == d § y; }
implementation q(x: int where x > 0) { }
axiom (lambda :: 3) == 4;
procedure r() { assert "unclosed; }
