Realization Halve_ok for Halving_Capability of Integer_Template;
    Procedure Halve(updates i: Integer);
        Var h: Integer;
        While (i > 1)
            changing i, h;
            maintaining #i = 2 * h + i and 0 <= i and 0 <= h;
            decreasing i;
        do
            i := i - 2;
            Increment(h);
        end;
        i :=: h;
    end Halve;
end Halve_ok;
