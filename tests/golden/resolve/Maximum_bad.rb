Realization Maximum_bad for Maximum_Capability of Integer_Template;
    Procedure Maximum(restores i, j: Integer): Integer;
        If (j <= i) then
            Maximum := Replica(j);
        else
            Maximum := Replica(i);
        end;
    end Maximum;
end Maximum_bad;
