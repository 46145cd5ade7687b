// Datatypes in both styles, one that contains itself, and one with a parameter.
datatype Shape { Circle(r: int), Box(w: int, h: int, r: int), None() }
datatype Pair<A, B> { Pair(first: A, second: B) }
datatype List { Nil(), Cons(head: int, tail: List) }
type {:datatype} Option _;
function {:constructor} none<T>(): Option T;
function {:constructor} some<T>(val: T): Option T;
procedure p(s: Shape) returns (t: Shape, q: Pair int bool, a: int, b: bool)
{
  t := Box(1, 2, 3);
  assert t is Box && t->w == 1 && s->r == t->r;
  t := t->(w := 5);
  t->r := 7;
  q := Pair(3, true);
  q->second := !q->second;
  Pair(a, b) := q;
  assert is#some(some(5)) && val#some(some(a)) == a && none() != some(true);
}
procedure lists(l: List) returns (n: int)
{
  n := 0;
  assert l is Cons ==> l->head == 0;
}
