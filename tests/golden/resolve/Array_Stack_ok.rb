Realization Array_Stack_ok for Stack_Template;
    Type Stack is represented by Record
            Contents: Array 1..Max_Depth of Entry;
            Top: Integer;
        end;
        convention 0 <= S.Top and S.Top <= Max_Depth;
        correspondence Conc.S = Reverse(Concatenation i: Integer where 1 <= i <= S.Top, <S.Contents(i)>);
    end;

    Procedure Push(alters E: Entry; updates S: Stack);
        S.Top := S.Top + 1;
        E :=: S.Contents[S.Top];
    end Push;

    Procedure Pop(replaces R: Entry; updates S: Stack);
        R :=: S.Contents[S.Top];
        S.Top := S.Top - 1;
    end Pop;

    Procedure Depth(restores S: Stack): Integer;
        Depth := S.Top;
    end Depth;

    Procedure Rem_Capacity(restores S: Stack): Integer;
        Rem_Capacity := Max_Depth - S.Top;
    end Rem_Capacity;

    Procedure Clear(clears S: Stack);
        S.Top := 0;
    end Clear;
end Array_Stack_ok;
