// Unstructured code: several targets, loops with two entries, labels.

procedure two_entries_bad(n: int)
{
  var i: int;
  i := n;
  goto left, right;
left:
  i := i - 1;
  goto right, done;
right:
  i := i - 1;
  goto left, done;
done:
  assert i < n - 1;
}

procedure two_entries_ok(n: int)
{
  var i: int;
  i := n;
  goto left, right;
left:
  i := i - 1;
  goto right, done;
right:
  i := i - 1;
  goto left, done;
done:
  assert i < n;
}

procedure assumed_bad(x: int)
{
  goto positive, other;
positive:
  assume x > 0;
  assert x > 1;
  return;
other:
  assume x <= 0;
}

procedure assumed_ok(x: int)
{
  goto positive, other;
positive:
  assume x > 0;
  assert x > 0;
  return;
other:
  assume x <= 0;
}

procedure outer_bad(n: int) returns (i: int)
  requires n > 0;
{
  var j: int;
  i := 0;
  Outer: while (i < n) {
    j := 0;
    while (j < n) {
      if (i + j == n) { break Outer; }
      j := j + 1;
    }
    i := i + 1;
  }
  assert i == n;
}

procedure outer_ok(n: int) returns (i: int)
  requires n > 0;
{
  var j: int;
  i := 0;
  Outer: while (i < n) {
    j := 0;
    while (j < n) {
      if (i + j == n) { break Outer; }
      j := j + 1;
    }
    i := i + 1;
  }
  assert i <= n;
}
