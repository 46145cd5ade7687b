Realization Tidy_Stack_bad for Stack_Template;
    uses String_Theory;
    Facility List_Fac is List_Template(Entry) realized by Linked_Realiz;

    Type Stack = List_Fac.List;
        convention |S.Left| = 0 and |S.Right| <= Max_Depth;
        correspondence Conc.S = S.Right;
        finalization
            Var E: Entry;
            If (Right_Length(S) >= 0) then
                Remove(E, S);
            end;
        end;
    end;

    Procedure Push(alters E: Entry; updates S: Stack);
        Insert(E, S);
    end Push;

    Procedure Pop(replaces R: Entry; updates S: Stack);
        Remove(R, S);
    end Pop;

    Procedure Depth(restores S: Stack): Integer;
        Depth := Right_Length(S);
    end Depth;

    Procedure Rem_Capacity(restores S: Stack): Integer;
        Rem_Capacity := Max_Depth - Right_Length(S);
    end Rem_Capacity;

    Procedure Clear(clears S: Stack);
        List_Fac.Clear(S);
    end Clear;
end Tidy_Stack_bad;
