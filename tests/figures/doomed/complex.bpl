// Figure 3 of "It's Doomed": a search in a sorted tree that relies on the key being there. Some runs
// fail, but nothing is doomed.
type Ref;
type T;
const null: Ref;
var left, right: [Ref]Ref;
var key: [Ref]int;
var data: [Ref]T;

procedure update(root: Ref, wanted: int, dat: T)
  modifies data;
{
  var x: Ref;
  x := root;
  assert {:msg "x is null"} x != null;
  while (key[x] != wanted) {
    assert {:msg "x is null"} x != null;
    if (wanted < key[x]) {
      assert {:msg "x is null"} x != null;
      x := left[x];
    } else {
      assert {:msg "x is null"} x != null;
      x := right[x];
    }
    assert {:msg "x is null"} x != null;
  }
  assert {:msg "x is null"} x != null;
  data[x] := dat;
}
