// A procedure with one implementation, with several, with none; other names than the contract's.
procedure one(x: int) returns (y: int);
  requires x > 0;
  ensures y == x;
implementation one(a: int) returns (b: int) { b := a; }
procedure several(x: int) returns (y: int);
  ensures y > x;
implementation several(a: int) returns (b: int) { b := a + 1; }
implementation several(x: int) returns (y: int) { call y := several(x - 1); }
procedure none(x: int) returns (y: int, z: bool);
procedure pair<a, b>(x: a, y: b) returns (z: a);
implementation pair<c, d>(x: d, y: c) returns (z: d) { var w: d; z := x; assert w == z || w != x; }
