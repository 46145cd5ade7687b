// Figure 6 of "It's Doomed": what comes before the branch dooms it.
type Ref;
const null: Ref;
var value: [Ref]int;

procedure pathprog(k: int)
  modifies value;
{
  var i: Ref;
  i := null;
  if (k != 0) {
    assert {:msg "i is null"} i != null;
    value[i] := 3;
  }
}
