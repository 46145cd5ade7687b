Realization Exchange_bad for Exchange_Capability of Static_Array_Template;
    Procedure Exchange(updates A: Static_Array; evaluates i, j: Integer);
        Var E: Entry;
        Swap_Entry(A, E, i);
        Swap_Entry(A, E, j);
        Swap_Entry(A, E, i);
    end Exchange;
end Exchange_bad;
