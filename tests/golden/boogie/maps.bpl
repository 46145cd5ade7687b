// Maps: aliases, several arguments, updates, extensionality, maps of maps.
type Ref;

procedure alias_bad(a: [int]int, i: int, j: int)
{
  var b: [int]int;
  b := a[i := 1][j := 2];
  assert b[i] == 1;
}

procedure alias_ok(a: [int]int, i: int, j: int)
{
  var b: [int]int;
  b := a[i := 1][j := 2];
  assert b[i] == 1 || i == j;
}

var heap: [Ref, int]int;

procedure store_bad(r: Ref, s: Ref)
  modifies heap;
{
  heap[r, 0] := 5;
  heap[s, 0] := 6;
  assert heap[r, 0] == 5;
}

procedure store_ok(r: Ref, s: Ref)
  modifies heap;
{
  heap[r, 0] := 5;
  heap[s, 1] := 6;
  assert heap[r, 0] == 5;
}

procedure swap_bad(a: [int]int, i: int, j: int) returns (b: [int]int)
  ensures b[i] == a[j] && b[j] == a[i];
{
  b := a;
  b[i] := b[j];
  b[j] := b[i];
}

procedure swap_ok(a: [int]int, i: int, j: int) returns (b: [int]int)
  ensures b[i] == a[j] && b[j] == a[i];
{
  b := a;
  b[i] := b[j];
  b[j] := a[i];
}

procedure same_bad(a: [bool]int, b: [bool]int)
  requires a[true] == b[true];
{
  assert a == b;
}

procedure same_ok(a: [bool]int, b: [bool]int)
  requires a[true] == b[true] && a[false] == b[false];
{
  assert a == b;
}
