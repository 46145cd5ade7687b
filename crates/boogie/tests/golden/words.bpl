// Words and the functions that solvers give meaning to.
function {:bvbuiltin "bvadd"} add(x: bv32, y: bv32): bv32;
function {:bvbuiltin "bvsgt"} sgt(bv32, bv32) returns (bool);
function {:bvbuiltin "bvsmod"} smod(x: bv8, y: bv8): bv8;
function {:bvbuiltin "bvnand"} nand(x: bv8, y: bv8): bv8;
function {:bvbuiltin "zero_extend 24"} zext(x: bv8): bv32;
function {:bvbuiltin "(_ sign_extend 24)"} sext(x: bv8): bv32;
function {:bvbuiltin "(_ int2bv 32)"} of_int(x: int): bv32;
function {:bvbuiltin "bv2nat"} to_int(x: bv32): int;
function {:bvbuiltin "(_ rotate_left 3)"} rot(x: bv8): bv8;
function {:bvbuiltin "(_ repeat 2)"} twice(x: bv8): bv16;
function {:bvbuiltin "ext_rotate_left"} odd(x: bv8, y: bv8): bv8;
procedure p(a: bv32, b: bv8) returns (r: bv32, s: bv0)
{
  r := add(a, zext(b)) ;
  r := a[32:8] ++ b;
  r := 0bv0 ++ a[32:0];
  s := a[5:5];
  assert r == 4294967295bv32 && s == 0bv0;
  assert odd(b, b) == b;
}
