// Type parameters: instances of functions, types, maps, axioms and procedures.
type Ref;
type Field a;
type Heap = <a>[Ref, Field a]a;
type Seq _;
const unique f: Field int;
const unique b: Field bool;
var heap: Heap;
function Good(h: Heap): bool;
function len<T>(s: Seq T): int;
function empty<T>(): Seq T;
function single<T>(x: T): Seq T;
function {:inline} both<T>(x: T, y: T): bool { len(single(x)) == len(single(y)) }
axiom (forall<T> s: Seq T :: len(s) >= 0);
axiom (forall<T> :: len(empty(): Seq T) == 0);
axiom (forall<T> x: T :: len(single(x)) == 1);
axiom (forall h: Heap, r: Ref :: Good(h) ==> h[r, f] >= 0);
axiom (exists<T> x: T, y: T :: x != y);
procedure swap<T>(x: T, y: T) returns (u: T, v: T)
  ensures u == y && v == x;
{
  u, v := y, x;
  assert x == y ==> u == v;
}
procedure p(r: Ref)
  modifies heap;
  ensures (forall<a> g: Field a :: heap[r, g] == old(heap)[r, g] || g == f);
{
  var i, j: int;
  heap[r, f] := heap[r, f] + 1;
  assert heap[r, b] == heap[r, f := 3][r, b];
  call i, j := swap(1, 2);
  assert both(i, j) && len(empty(): Seq bool) == 0;
}
