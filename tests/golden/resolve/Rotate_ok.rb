Realization Rotate_ok for Rotating_Capability of Queue_Template;
    Procedure Rotate(updates Q: Queue);
        Var E: Entry;
        If (Length(Q) > 1) then
            Dequeue(E, Q);
            Enqueue(E, Q);
        end;
    end Rotate;
end Rotate_ok;
