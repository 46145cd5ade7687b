// Functions on whole maps.
function {:builtin "MapConst"} all(x: int): [int]int;
function {:builtin "MapAdd"} plus(a: [int]int, b: [int]int): [int]int;
function {:builtin "MapOr"} union(a: [int]bool, b: [int]bool): [int]bool;
function {:builtin "MapIte"} ite<T>(c: [int]bool, a: [int]T, b: [int]T): [int]T;
procedure p(s: [int]bool) returns (m: [int]int)
{
  m := plus(all(1), m);
  assert ite(union(s, s), m, m) == m;
}
