-- Figure 4, put right: an implementation of the list reversal operation.
Realization Corrected_Realiz for
  Reversal_Capability;
Recursive Procedure Reverse
  ( updates P: List );
  decreasing |P.Right|;
  var E: Entry;
  if ( Right_Length(P) > 0 ) then
    Remove(E, P);
    Reverse(P);
    Insert(E, P);
    Advance(P);
  end;
end Reverse;
end Corrected_Realiz;
