// Structured code: every statement that bodies are made of.
var g: int;
procedure p(n: int) returns (r: int)
  requires {:msg "n is positive"} n > 0;
  free requires n < 100;
  ensures r >= 0;
  free ensures r < 1000;
  modifies g;
{
  var i: int;
  i := 0;
  outer: while (i < n)
    invariant {:msg "i is in range"} 0 <= i && i <= n;
    free invariant true;
  {
    while (*) {
      if (*) { break; }
      if (g == 3) { break outer; } else if (g == 4) { i := i + 1; } else { return; }
    }
    i := i + 1;
  }
  A: if (i == 7) { if (*) { break A; } r := 5; }
  havoc g, r;
  assume g > r;
  assert {:msg "g is large"} g > 0;
}
