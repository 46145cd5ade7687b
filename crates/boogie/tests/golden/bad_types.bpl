type Ref;
var g: int;
var m: [Ref, int]bool;
const k: int;
function f(x: int, y: bool): Ref;
procedure callee(x: int) returns (y: bool);
  modifies g;
procedure p(x: int, r: Ref, w: bv8) returns (y: bool)
{
  var z: int;
  y := x;
  y, y := true, false;
  y := true, false;
  x := 3;
  k := 4;
  g := 5;
  m[r] := true;
  m[r, true] := y;
  z := z[3];
  assert f(1) == r;
  assert f(true, 1) == r;
  assert r < r || x && y;
  assert if x then 1 else true;
  assert w[9:0] == w && w[2:3] == w ++ x;
  assert 256bv8 == w;
  assert x == y;
  assert (forall i: int :: i);
  call z := callee(true);
  call callee(3, 4);
  call y := unknown();
  call y := callee(1);
  if (x) { } 
  while (r) invariant z; { }
  havoc x, nobody;
}
