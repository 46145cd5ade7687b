// Words and maps that nothing can be.

function any<T>(): T;
function same<T>(x: T, y: T): T;
type Field T;
const anything: <T>[]T;
const fields: <T>[]Field T;

procedure words() returns (w: bv8)
{
  w := any()[20:11];
  w := same(any()[9:0] ++ any(), any());
  w := same(any()[1:0], any());
  w := any() ++ true;
}

procedure maps() returns (h: <T>[Field T]T, m: [int]bool)
{
  h := any()[3 := true];
  m := any()[3 := 4];
  m := any()[1, 2 := true];
  assert anything[][:= 1] == fields;
}
