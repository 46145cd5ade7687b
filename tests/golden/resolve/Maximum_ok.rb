Realization Maximum_ok for Maximum_Capability of Integer_Template;
    Procedure Maximum(restores i, j: Integer): Integer;
        If (i <= j) then
            Maximum := Replica(j);
        else
            Maximum := Replica(i);
        end;
    end Maximum;
end Maximum_ok;
