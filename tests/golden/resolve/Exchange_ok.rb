Realization Exchange_ok for Exchange_Capability of Static_Array_Template;
    Procedure Exchange(updates A: Static_Array; evaluates i, j: Integer);
        Var E: Entry;
        If (i /= j) then
            Swap_Entry(A, E, i);
            Swap_Entry(A, E, j);
            Swap_Entry(A, E, i);
        end;
    end Exchange;
end Exchange_ok;
