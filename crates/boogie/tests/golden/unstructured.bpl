// Unstructured code: labels, several targets, and code that nothing leads to.
procedure p(x: int) returns (y: int)
{
  start:
    y := x;
    goto head, out;
  head:
    assert y >= 0;
    y := y - 1;
    goto head, out;
  out:
    assume y < 0;
    return;
    y := 17;
  dead:
    goto dead;
}
procedure q()
{
  L: goto L;
}
procedure empty() { }
