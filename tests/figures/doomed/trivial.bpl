// Figure 1 of "It's Doomed": a pointer is dereferenced on both sides of the test against null.
type Ref;
const null: Ref;
var value: [Ref]int;

procedure main(ptr: Ref) returns (result: int)
  modifies value;
{
  var printed: int;
  if (ptr != null) {
    assert {:msg "ptr is null"} ptr != null;
    value[ptr] := 0;
  } else {
    assert {:msg "ptr is null"} ptr != null;
    printed := value[ptr];
  }
  result := 0;
}
