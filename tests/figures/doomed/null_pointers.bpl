// The null pointer micro-benchmark of Table 3: an object is null unless a test on a level or a truth
// value sets it, and is then used under a test that agrees with the first one (fp) or contradicts it
// (tp). In itp and ifp a helper uses it.
type Ref;
const null: Ref;
var allocated: [Ref]bool;
function hash(x: Ref): int;

procedure new() returns (x: Ref)
  modifies allocated;
{
  havoc x;
  assume x != null && !allocated[x];
  allocated[x] := true;
}

procedure fp1(level: int) returns (h: int)
  modifies allocated;
{
  var x: Ref;
  x := null;
  h := 0;
  if (level > 0) {
    call x := new();
  }
  if (level > 4) {
    assert {:msg "x is null"} x != null;
    h := hash(x);
  }
}

procedure tp1(level: int) returns (h: int)
  modifies allocated;
{
  var x: Ref;
  x := null;
  h := 0;
  if (level > 0) {
    call x := new();
  }
  if (level < 5) {
    assert {:msg "x is null"} x != null;
    h := hash(x);
  }
}

procedure fp2(b: bool) returns (h: int)
  modifies allocated;
{
  var x: Ref;
  x := null;
  h := 0;
  if (b) {
    call x := new();
  }
  if (b) {
    assert {:msg "x is null"} x != null;
    h := hash(x);
  }
}

procedure tp2(b: bool) returns (h: int)
  modifies allocated;
{
  var x: Ref;
  x := null;
  h := 0;
  if (b) {
    call x := new();
  }
  if (!b) {
    assert {:msg "x is null"} x != null;
    h := hash(x);
  }
}

procedure fp3(x: Ref) returns (h: int)
  modifies allocated;
{
  var y: Ref;
  y := null;
  h := 0;
  if (x != null) {
    call y := new();
  }
  if (y != null) {
    assert {:msg "x is null"} x != null;
    assert {:msg "y is null"} y != null;
    h := hash(x) + hash(y);
  }
}

procedure tp3(x: Ref) returns (h: int)
  modifies allocated;
{
  var y: Ref;
  y := null;
  h := 0;
  if (x != null) {
    call y := new();
  }
  if (y != null) {
    assert {:msg "x is null"} x != null;
    assert {:msg "y is null"} y != null;
    h := hash(x) + hash(y);
  } else {
    assert {:msg "x is null"} x != null;
    h := hash(x);
  }
}

procedure tp4(x: Ref) returns (h: int)
{
  h := 0;
  if (x == null) {
    assert {:msg "x is null"} x != null;
    h := hash(x);
  }
}

procedure fp4(x: Ref, b: bool) returns (h: int)
{
  var k: bool;
  h := 0;
  k := x != null && b;
  if (k) {
    assert {:msg "x is null"} x != null;
    h := hash(x);
  }
}

procedure tp5(x: Ref) returns (h: int)
{
  var y: Ref;
  h := 0;
  if (x == null) {
    y := x;
    assert {:msg "y is null"} y != null;
    h := hash(y);
  }
}

procedure tp6(x: Ref) returns (h: int)
{
  if (x == null) {
    h := 1;
  } else {
    assert {:msg "x is null"} x != null;
    h := hash(x);
  }
  if (h == 1 && x == null) {
    assert {:msg "x is null"} x != null;
    h := hash(x);
  }
}

procedure use(x: Ref) returns (h: int)
{
  assert {:msg "x is null"} x != null;
  h := hash(x);
}

procedure use_below(x: Ref, level: int) returns (h: int)
{
  h := 0;
  if (level < 5) {
    assert {:msg "x is null"} x != null;
    h := hash(x);
  }
}

procedure use_if(x: Ref, b: bool) returns (h: int)
{
  h := 0;
  if (b) {
    assert {:msg "x is null"} x != null;
    h := hash(x);
  }
}

procedure itp1(level: int) returns (h: int)
  modifies allocated;
{
  var x: Ref;
  x := null;
  if (level > 0) {
    call x := new();
  }
  call h := use_below(x, level);
}

procedure ifp1(b: bool) returns (h: int)
  modifies allocated;
{
  var x: Ref;
  x := null;
  if (b) {
    call x := new();
  }
  call h := use_if(x, b);
}

procedure itp2() returns (h: int)
{
  call h := use(null);
}

procedure itp3(b: bool) returns (h: int)
  modifies allocated;
{
  var x: Ref;
  x := null;
  if (b) {
    call x := new();
  }
  call h := use(x);
}
