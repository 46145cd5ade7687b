// Attributes and words that change what is proved.

procedure assumptions(n: int)
{
  var {:assumption} a: bool;
  assert a;
  a := a && 0 <= n;
  assert {:verified_under a} {:msg "n is small"} n < 10;
  assert n < 10;
}

procedure {:selective_checking} selective(x: int) { assert x == 0; assume {:start_checking_here} true; }

procedure owing(x: int); requires x > 0;
procedure free_calls() { free call owing(0); free call owes_nothing(); call {:verified_under true} owing(0); }
procedure owes_nothing();

procedure promising() returns (r: int) free ensures r == 1; { r := 2; }
procedure relying() { var r: int; call r := promising(); assert r == 1; }

#if LEFT_OUT
procedure left_out() { this is not even read }
#if !INNER
#else
#endif
#elsif !KEPT
procedure kept() { while (true) invariant {:verified_under false} true; { assume true; } }
#else
procedure left_out() { nor is this }
#endif
#line 100 elsewhere.txt
