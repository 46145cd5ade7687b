// `where`: of globals, parameters, results and locals.
var g: int where g >= 0;
var h, k: int where h < k;
procedure callee(a: int where a > 1) returns (b: int where b > a);
  modifies g, h;
procedure p(x: int where x > 2) returns (y: int where y > 3)
  modifies g, h;
{
  var z, w: int where z < w;
  call y := callee(x);
  havoc z, h;
  havoc g;
}
