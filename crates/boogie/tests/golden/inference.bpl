// Words and maps whose types the place where they stand determines.

function any<T>(): T;
function same<T>(x: T, y: T): T;
type Field T;
type Heap = <T>[Field T]T;
const anything: <T>[]T;
const flag: Field bool;

procedure words() returns (w: bv8)
{
  w := any()[20:12];
  w := any()[5:0] ++ any();
  w := same(any() ++ any()[3:0], any());
  assert any() ++ 1bv4 == w;
}

procedure maps() returns (h: Heap, m: [int]bool, i: int)
{
  h := any()[flag := true];
  h := any()[any() := 1];
  m := any()[3 := any()];
  i := any()[any() := true][m];
  assert any()[m] == any();
}

// This one would be a part of itself.
procedure too_much() { assert anything[][:= 1][:= true] == anything; }
