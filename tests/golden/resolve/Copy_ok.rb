Realization Copy_ok(
        Operation Replica(restores E: Entry): Entry;
            ensures Replica = E;)
        for Copying_Capability of Stack_Template;
    Procedure Copy(restores S: Stack; replaces T: Stack);
        Var U: Stack;
        Var E, F: Entry;
        Clear(T);
        While (Depth(S) > 0)
            changing S, U, E;
            maintaining Reverse(U) o S = #S;
            decreasing |S|;
        do
            Pop(E, S);
            Push(E, U);
        end;
        While (Depth(U) > 0)
            changing S, T, U, E, F;
            maintaining Reverse(U) o S = #S and T = S;
            decreasing |U|;
        do
            Pop(E, U);
            F := Replica(E);
            Push(E, S);
            Push(F, T);
        end;
    end Copy;
end Copy_ok;
