// Contracts: callees with and without bodies, old, modifies, recursion, where.
var counter: int;
var bounded: int where 0 <= bounded && bounded < 10;

procedure tick() returns (now: int);
  requires counter >= 0;
  modifies counter;
  ensures counter == old(counter) + 1;
  ensures now == counter;

procedure twice_bad()
  requires counter >= 0;
  modifies counter;
  ensures counter == old(counter) + 1;
{
  var n: int;
  call n := tick();
  call n := tick();
}

procedure twice_ok()
  requires counter >= 0;
  modifies counter;
  ensures counter == old(counter) + 2;
{
  var n: int;
  call n := tick();
  call n := tick();
}

procedure required_bad()
  modifies counter;
{
  var n: int;
  call n := tick();
}

procedure required_ok()
  modifies counter;
{
  var n: int;
  if (counter >= 0) { call n := tick(); }
}

procedure where_bad()
  modifies bounded;
{
  havoc bounded;
  assert bounded < 9;
}

procedure where_ok()
  modifies bounded;
{
  havoc bounded;
  assert bounded < 10;
}

procedure factorial_bad(n: int) returns (r: int)
  requires n >= 0;
  ensures r > n;
{
  if (n == 0) { r := 1; } else { call r := factorial_bad(n - 1); r := r * n; }
}

procedure factorial_ok(n: int) returns (r: int)
  requires n >= 0;
  ensures r >= n;
{
  if (n == 0) { r := 1; } else { call r := factorial_ok(n - 1); r := r * n; }
}

procedure contradiction_bad(x: int)
  requires x > 0;
  requires x < 0;
{
  assert x == 7;
}

procedure contradiction_ok(x: int)
  requires x >= 0;
  requires x <= 0;
{
  assert x == 0;
}

procedure literal_bad(x: int)
{
  if (x == 5) { assert false; }
}

procedure literal_ok(x: int)
{
  if (x != x) { assert false; }
}
