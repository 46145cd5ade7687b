// Reals: literals are constants, arithmetic is not modelled.
const half: real;
axiom half == 0.5;
axiom half + half == 1.0;
procedure p(x: real, i: int) returns (y: real)
{
  y := x;
  assert y == x || x == 2.50;
  y := x + 2.5;
  if (x < y) { y := real(i) / 2e0; }
  assert int(y) == i;
}
procedure q() { assert half == 0.50; }
procedure r(x: real)
  requires x > 0.0;
{ assert x != 0.0; }
procedure s(x: real) { call r(x); }
