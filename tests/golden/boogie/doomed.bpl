// Code whose every run fails, and its twin that some run survives.
type Ref;
const null: Ref;
var next: [Ref]Ref;

procedure both_sides_bad(p: Ref) returns (q: Ref)
{
  if (p == null) {
    assert p != null;
    q := next[p];
  }
}

procedure both_sides_ok(p: Ref) returns (q: Ref)
{
  if (p != null) {
    assert p != null;
    q := next[p];
  }
}

procedure after_loop_bad(n: int, size: int)
{
  var i: int;
  i := n;
  while (i >= 0) {
    i := i - 1;
  }
  assert 0 <= i && i < size;
}

procedure after_loop_ok(n: int, size: int)
{
  var i: int;
  i := n;
  while (i >= 0) {
    i := i - 1;
  }
  assert i < 0;
}

procedure missing_else_bad(b: bool) returns (r: int)
{
  r := 0;
  if (b) {
    r := 1;
  }
  assert r == 1 || b;
}

procedure missing_else_ok(b: bool) returns (r: int)
{
  r := 0;
  if (b) {
    r := 1;
  }
  assert r == 0 || b;
}

procedure choice_bad(x: int)
{
  if (*) {
    assume x > 3;
    assert x < 2;
  }
}

procedure choice_ok(x: int)
{
  if (*) {
    assume x > 3;
    assert x > 2;
  }
}

procedure helper(p: Ref) returns (q: Ref)
  requires {:msg "p is null"} p != null;
{
  q := next[p];
}

procedure through_call_bad() returns (q: Ref)
{
  call q := helper(null);
}

procedure through_call_ok(p: Ref) returns (q: Ref)
{
  if (p != null) { call q := helper(p); }
}
