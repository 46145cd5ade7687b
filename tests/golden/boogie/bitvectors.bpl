// Words: arithmetic that wraps, shifts, parts.
function {:bvbuiltin "bvadd"} add(x: bv8, y: bv8): bv8;
function {:bvbuiltin "bvmul"} mul(x: bv8, y: bv8): bv8;
function {:bvbuiltin "bvult"} below(x: bv8, y: bv8): bool;
function {:bvbuiltin "bvslt"} less(x: bv8, y: bv8): bool;
function {:bvbuiltin "bvand"} and(x: bv8, y: bv8): bv8;
function {:bvbuiltin "bvsub"} sub(x: bv8, y: bv8): bv8;

procedure wraps_bad(x: bv8)
{
  assert below(x, add(x, 1bv8));
}

procedure wraps_ok(x: bv8)
{
  assert below(x, add(x, 1bv8)) || x == 255bv8;
}

procedure signed_bad(x: bv8)
{
  assert less(x, 0bv8) == below(x, 128bv8);
}

procedure signed_ok(x: bv8)
{
  assert less(x, 0bv8) != below(x, 128bv8);
}

procedure power_bad(x: bv8)
  requires x != 0bv8;
{
  assert and(x, sub(x, 1bv8)) == 0bv8;
}

procedure power_ok(x: bv8)
  requires x == mul(2bv8, mul(2bv8, 2bv8));
{
  assert and(x, sub(x, 1bv8)) == 0bv8;
}

procedure parts_bad(x: bv16)
{
  assert x[8:0] ++ x[16:8] == x;
}

procedure parts_ok(x: bv16)
{
  assert x[16:8] ++ x[8:0] == x;
}

procedure doomed_word_bad(x: bv8)
{
  if (below(x, 10bv8)) {
    assert below(20bv8, x);
  }
}

procedure doomed_word_ok(x: bv8)
{
  if (below(x, 10bv8)) {
    assert below(x, 20bv8);
  }
}
