// Functions: definitions, recursion, several names for one type, constants, uses.
const c: int uses { axiom c > 3; }
const unique u, v: int;
function inc(x: int): int { x + 1 }
function both(x, y: int): bool { inc(x) == y }
function fib(n: int): int { if n < 2 then n else fib(n - 1) + fib(n - 2) }
function even(n: int): bool { n == 0 || odd(n - 1) }
function odd(n: int): bool { n != 0 && even(n - 1) }
function small(s: [int]bool): bool { (forall x: int :: s[x] ==> x < c) }
function \if(x: int): int;
axiom (forall x: int :: {inc(x)} {:weight 3} {\if(x), inc(x)} \if(x) > x);
procedure p(s: [int]bool) returns (r: bool)
{
  r := small(s);
  r := both(fib(3), u) && even(v);
}
