Realization Counter_ok for Counter_Template;
    Type Counter is represented by Record
            Rest: Integer;
        end;
        convention 0 <= C.Rest and C.Rest <= Limit;
        correspondence Conc.C = Limit - C.Rest;
        initialization
            C.Rest := Limit;
        end;
    end;

    Procedure Count(updates C: Counter);
        C.Rest := C.Rest - 1;
    end Count;

    Procedure Left(restores C: Counter): Integer;
        Left := C.Rest;
    end Left;

    Procedure Start_Again(clears C: Counter);
        C.Rest := Limit;
    end Start_Again;
end Counter_ok;
