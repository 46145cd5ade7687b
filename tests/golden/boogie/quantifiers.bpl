// Quantifiers, axioms, functions.
function square(x: int): int { x * x }
function f(x: int): int;
axiom (forall x: int :: f(x) > 0);
type Colour;
const unique red, green: Colour;

procedure axiom_bad(y: int)
{
  if (f(y) <= 0) {
    assert y == 0;
  }
  assert f(y) > 1;
}

procedure axiom_ok(y: int)
{
  if (f(y) <= 0) {
    assert y == 0;
  }
  assert f(y) >= 1;
}

procedure axiom_doom_bad(y: int)
{
  if (y > 3) {
    assert f(y) <= 0;
  }
}

procedure axiom_doom_ok(y: int)
{
  if (y > 3) {
    assert f(y) >= 0;
  }
}

procedure defined_bad(x: int)
{
  assert square(x) > x;
}

procedure defined_ok(x: int)
{
  assert square(x) >= x;
}

procedure fill_bad(n: int) returns (a: [int]int)
  requires 0 <= n;
  ensures (forall i: int :: 0 <= i && i <= n ==> a[i] == 7);
{
  var k: int;
  k := 0;
  while (k < n)
    invariant 0 <= k && k <= n;
    invariant (forall i: int :: 0 <= i && i < k ==> a[i] == 7);
  {
    a[k] := 7;
    k := k + 1;
  }
}

procedure fill_ok(n: int) returns (a: [int]int)
  requires 0 <= n;
  ensures (forall i: int :: 0 <= i && i < n ==> a[i] == 7);
{
  var k: int;
  k := 0;
  while (k < n)
    invariant 0 <= k && k <= n;
    invariant (forall i: int :: 0 <= i && i < k ==> a[i] == 7);
  {
    a[k] := 7;
    k := k + 1;
  }
}

procedure exists_bad(a: [int]bool)
  requires (exists i: int :: 0 <= i && i < 5 && a[i]);
{
  assert a[0] || a[1] || a[2] || a[3];
}

procedure exists_ok(a: [int]bool)
  requires (exists i: int :: 0 <= i && i < 5 && a[i]);
{
  assert a[0] || a[1] || a[2] || a[3] || a[4];
}

procedure colours_bad(c: Colour)
{
  assert c == red || c == green;
}

procedure colours_ok(c: Colour)
{
  assert c != red || c != green;
}
