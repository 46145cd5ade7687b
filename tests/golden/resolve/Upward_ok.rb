Realization Upward_ok for Counter_Template;
    Type Counter is represented by Record
            Count: Integer;
        end;
        convention 0 <= C.Count and C.Count <= Limit;
        correspondence Conc.C = C.Count;
    end;

    Procedure Count(updates C: Counter);
        Increment(C.Count);
    end Count;

    Procedure Left(restores C: Counter): Integer;
        Left := Limit - C.Count;
    end Left;

    Procedure Start_Again(clears C: Counter);
        C.Count := 0;
    end Start_Again;
end Upward_ok;
