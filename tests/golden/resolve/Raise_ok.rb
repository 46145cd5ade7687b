Realization Raise_ok for Raising_Capability of Integer_Template;
    Procedure Raise(evaluates b, n: Integer): Integer;
        Var k: Integer;
        Raise := 1;
        While (k < n)
            changing k, Raise;
            maintaining 0 <= k and k <= n and Raise = Power(b, k);
            decreasing n - k;
        do
            Raise := Raise * b;
            k := k + 1;
        end;
    end Raise;
end Raise_ok;
