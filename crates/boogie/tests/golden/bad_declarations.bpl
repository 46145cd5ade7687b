// Declarations that are well-formed and still mean nothing.

type bv12;
type {:from nowhere} Thing;

const small: int extends large, large;
const large: int extends large;
const other: bool extends small;
const third: int extends state;
const fourth: int extends complete;
var state: int;

function {:define} {:inline} twice(x: int): int { x + x }
function {:define} same<T>(x: T): T { x }
function {:inline} ping(x: int): int { pong(x) }
function {:inline} pong(x: int): int { ping(x) }
function plain(x: int): int { plain(x) }
function {:note state + 1} {:wrong state && true} fine(x: int): int;

axiom {:name "unheard", unheard} true;
axiom (forall x: int :: {:nopats twice(x), twice(1)} {:nopats x} {twice(x)} twice(x) == x + x);
axiom (forall<T> x: int :: {twice(x)} twice(x) == x + x);

var {:assumption} gathered: bool where gathered;

procedure first() modifies gathered; { gathered := gathered && true; }
procedure second() modifies gathered; { gathered := gathered && true; }
procedure own()
{
  var {:assumption} a: bool;
  var {:assumption} b: bool;
  a := true;
  b := a && b;
  a := a && b;
}

procedure repeated(x: int);
implementation repeated({:again} x: int) { }

#define this
#line
#line 7 other.txt
#else
#if NEVER
