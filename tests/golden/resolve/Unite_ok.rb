Realization Unite_ok for Uniting_Capability of Set_Template;
    Procedure Unite(updates S: Store; clears T: Store);
        Var k: Key;
        While (Key_Count(T) > 0)
            changing S, T, k;
            maintaining S union T = #S union #T;
            decreasing ||T||;
        do
            Remove_Any(k, T);
            If (not Is_Present(k, S)) then
                Add(k, S);
            end;
        end;
    end Unite;
end Unite_ok;
