Realization Pick_bad for Picking_Capability of Queue_Template;
    Procedure Pick(replaces E: Entry; updates Q: Queue);
        Var First: Entry;
        Dequeue(First, Q);
        If (Length(Q) > 0) then
            Dequeue(E, Q);
        else
            E :=: First;
        end;
    end Pick;
end Pick_bad;
