// Integers of any size, division, and what does and does not follow from comparisons.

procedure beyond_words_bad(x: int)
{
  if (x > 340282366920938463463374607431768211456) {
    assert x < 340282366920938463463374607431768211456;
  }
}

procedure beyond_words_ok(x: int)
{
  if (x > 340282366920938463463374607431768211456) {
    assert x > 340282366920938463463374607431768211455;
  }
}

procedure quotient_bad(x: int, y: int) returns (q: int)
  requires y != 0;
  ensures q * y == x;
{
  q := x div y;
}

procedure quotient_ok(x: int, y: int) returns (q: int)
  requires y != 0;
  ensures q * y + x mod y == x;
{
  q := x div y;
}

procedure remainder_bad(x: int)
{
  assert (0 - x) mod 3 == 0 - x mod 3;
}

procedure remainder_ok(x: int)
{
  assert (0 - x) mod 3 == (3 - x mod 3) mod 3;
}

procedure absolute_bad(x: int) returns (y: int)
  ensures y > 0;
{
  if (x < 0) { y := -x; } else { y := x; }
}

procedure absolute_ok(x: int) returns (y: int)
  ensures y >= 0;
{
  if (x < 0) { y := -x; } else { y := x; }
}

procedure ordered_bad(x: int, y: int, z: int)
  requires x < y && y < z;
{
  assert z - x > 2;
}

procedure ordered_ok(x: int, y: int, z: int)
  requires x < y && y < z;
{
  assert z - x >= 2;
}
