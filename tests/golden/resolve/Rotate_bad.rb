Realization Rotate_bad for Rotating_Capability of Queue_Template;
    Procedure Rotate(updates Q: Queue);
        Var E: Entry;
        Dequeue(E, Q);
        Enqueue(E, Q);
    end Rotate;
end Rotate_bad;
