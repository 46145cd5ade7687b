// Figure 2 of "It's Doomed": the outer loop runs until i is negative, and then a[i] is read.
procedure getMin(array: [int]int, length: int, x: int) returns (result: int)
{
  var a: [int]int;
  var i, j, temp: int;
  a := array;
  i := x - 1;
  while (i >= 0) {
    j := 1;
    while (j <= i) {
      assert {:msg "a[j-1] is out of bounds"} 0 <= j - 1 && j - 1 < length;
      assert {:msg "a[j] is out of bounds"} 0 <= j && j < length;
      if (a[j - 1] > a[j]) {
        temp := a[j - 1];
        a[j - 1] := a[j];
        a[j] := temp;
      }
      j := j + 1;
    }
    i := i - 1;
  }
  assert {:msg "a[i] is out of bounds"} 0 <= i && i < length;
  result := a[i];
}
