// Loops: long ones, nested ones, invariants, ends that are not reached.

procedure long_bad()
{
  var i: int;
  i := 0;
  while (i < 100000) {
    i := i + 1;
  }
  assert i < 100000;
}

procedure long_ok()
{
  var i: int;
  i := 0;
  while (i < 100000) {
    i := i + 1;
  }
  assert i >= 100000;
}

procedure nested_bad(n: int)
{
  var i, j: int;
  i := n;
  while (i > 0) {
    j := 0;
    while (j < i) {
      j := j + 1;
    }
    i := i - 1;
  }
  assert i > 0;
}

procedure nested_ok(n: int)
{
  var i, j: int;
  i := n;
  while (i > 0) {
    j := 0;
    while (j < i) {
      j := j + 1;
    }
    i := i - 1;
  }
  assert i <= 0;
}

procedure sum_bad(n: int) returns (s: int)
  requires 0 <= n;
  ensures 2 * s == n * (n + 1);
{
  var i: int;
  i := 0;
  s := 0;
  while (i < n)
    invariant 0 <= i && i <= n;
    invariant 2 * s == i * (i + 1);
  {
    s := s + i;
    i := i + 1;
  }
}

procedure sum_ok(n: int) returns (s: int)
  requires 0 <= n;
  ensures 2 * s == n * (n + 1);
{
  var i: int;
  i := 0;
  s := 0;
  while (i < n)
    invariant 0 <= i && i <= n;
    invariant 2 * s == i * (i + 1);
  {
    i := i + 1;
    s := s + i;
  }
}

procedure entry_bad(n: int)
{
  var i: int;
  i := 1;
  while (i < n)
    invariant i == 0 || i > 1;
  {
    i := i + 2;
  }
}

procedure entry_ok(n: int)
{
  var i: int;
  i := 1;
  while (i < n)
    invariant i == 1 || i > 1;
  {
    i := i + 2;
  }
}

procedure endless_bad(n: int)
  requires n > 0;
{
  var i, j: int;
  i := 0;
  j := 0;
  while (i < n) {
    j := j + 1;
  }
}

procedure endless_ok(n: int)
  requires n > 0;
{
  var i, j: int;
  i := 0;
  j := 0;
  while (i < n) {
    i := i + 1;
  }
}

procedure break_bad(n: int) returns (r: int)
{
  r := 0;
  while (true) {
    r := r + 1;
    if (r > n) { break; }
  }
  assert r > 1;
}

procedure break_ok(n: int) returns (r: int)
{
  r := 0;
  while (true) {
    r := r + 1;
    if (r > n) { break; }
  }
  assert r > 0 || r > n;
}
