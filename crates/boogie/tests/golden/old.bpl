// `old`, quantifiers and lambdas where code runs, and where it does not.
var g: int;
var m: [int]int;
procedure p(x: int) returns (r: int, s: [int]int)
  modifies g, m;
  ensures g == old(g + x) && r == old(old(m)[x]);
{
  g := g + x;
  assert g == old(g) + x;
  r := old(m[x]);
  s := (lambda i: int :: i + g);
  if ((forall i: int :: m[i] == 0)) { r := 1; }
  m[if (exists j: int :: j == g) then 1 else 2] := old(g);
  call p0((exists i: int :: i > old(g)));
  while ((forall i: int :: s[i] > 0)) { havoc s; }
}
procedure p0(b: bool);
