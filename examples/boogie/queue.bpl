// A bounded queue in an array: what its contract says, and where the code forgets the wrap-around.
const capacity: int;
axiom capacity > 1;

var items: [int]int;
var first, count: int;

procedure push(x: int)
  requires 0 <= first && first < capacity;
  requires 0 <= count && count < capacity;
  modifies items, count;
  ensures count == old(count) + 1;
  ensures items[(first + old(count)) mod capacity] == x;
{
  items[first + count] := x;
  count := count + 1;
}

procedure pop() returns (x: int)
  requires 0 <= first && first < capacity;
  requires 0 < count && count <= capacity;
  modifies first, count;
  ensures x == items[old(first)];
  ensures 0 <= first && first < capacity;
{
  x := items[first];
  first := (first + 1) mod capacity;
  count := count - 1;
}
