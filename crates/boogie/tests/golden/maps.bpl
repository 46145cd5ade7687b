// Maps: several keys, nested, changed, without keys, parallel assignment.
type Ref;
var h: [Ref, int]bool;
var n: [int][int]int;
var z: []int;
procedure p(r: Ref, i: int, j: int)
  modifies h, n, z;
{
  h[r, i] := !h[r, j];
  n[i][j] := n[j][i] + 1;
  n[i] := n[j][i := 5][j := 6];
  n, h[r, 0] := n[1 := n[2]], true;
  z[] := 3;
  z := z[:= z[] + 1];
  assert z[] == 4;
  assert h == h[r, 1 := h[r, 1]];
}
