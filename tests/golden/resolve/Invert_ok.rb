Realization Invert_ok for Inverting_Capability of Queue_Template;
    Recursive Procedure Invert(updates Q: Queue);
        decreasing |Q|;
        Var E: Entry;
        If (Length(Q) /= 0) then
            Dequeue(E, Q);
            Invert(Q);
            Enqueue(E, Q);
        end;
    end Invert;
end Invert_ok;
