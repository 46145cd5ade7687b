// What only programs of several threads have is noted, and the rest is lowered.
var g: int;
yield procedure worker(x: int) returns (y: int);
  modifies g;
procedure p() returns (r: int)
  modifies g;
{
  r := 1;
  yield;
  async call p0();
  par r := p1() | p0();
  call {:async} p0();
  assert r == 1;
}
procedure p0();
procedure p1() returns (r: int);
atomic action A() { assume true; }
yield invariant I(x: int);
invariant g > x;
procedure q() { assert true; }
procedure f(x: float24e8) { assert x == x; }
procedure o(x: int) { call forall p2(*); assert x <: x; assert |{ L: return true; }|; }
procedure p2(x: int);
