// Operators, their order and the other ways to write them.
procedure p(a: bool, b: bool, c: bool, x: int, y: int) returns (z: int)
{
  assert a && b && c ==> a || b;
  assert a ==> b ==> c;
  assert (a <== b <== c) <==> (c ==> (b ==> a));
  assert x + y * 2 - -x div 3 mod 4 <= if a then x else y;
  assert ¬a ∨ b ⇔ a ⇒ b;
  assert (∀ i: int • i ≤ i) ∧ x ≠ y;
  assert (var i, j := x + y, y; i * i >= j + (var i := 2; i));
  assert (x: int >= y) == c;
  z := -5;
}
