type T;
type T;
type S = U;
type U = S;
type V = [T]Missing;
const c: int;
var c: bool;
var g: int;
function f(x: int, x: bool): int;
function f(x: int): int;
function body(x: int): int { g + x }
axiom g > 0;
axiom unknown > 0 && missing(3);
procedure p(x: int) returns (x: int);
procedure q(x: int) returns (y: int)
  requires y > 0;
  requires old(g) > 0;
  modifies c, nothing;
{
  var x: int;
  x := 1;
  L: y := 2;
  L: goto M, L;
  break;
  while (*) { break L; }
}
implementation missing() { }
