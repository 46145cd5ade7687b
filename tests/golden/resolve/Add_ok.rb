Realization Add_ok for Adding_Capability of Integer_Template;
    Procedure Add_to(updates i: Integer; evaluates j: Integer);
        Var k: Integer;
        k := j;
        While (k > 0)
            changing i, k;
            maintaining i + k = #i + j and 0 <= k;
            decreasing k;
        do
            Increment(i);
            Decrement(k);
        end;
    end Add_to;
end Add_ok;
