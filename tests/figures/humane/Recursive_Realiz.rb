-- Figure 4: an (incorrect) implementation of the list reversal operation.
Realization Recursive_Realiz for
  Reversal_Capability;
Recursive Procedure Reverse
  ( updates P: List );
  decreasing |P.Right|;
  var E: Entry;
  if ( Right_Length(P) > 0 ) then
    Remove(E, P);
    Reverse(P);
    Insert(E, P);
  end;
end Reverse;
end Recursive_Realiz;
