Realization Append_bad for Append_Capability of Queue_Template;
    Procedure Append(updates P: Queue; clears Q: Queue);
        Var E: Entry;
        While (Length(Q) > 0)
            changing P, Q, E;
            maintaining P o Q = #P o #Q;
            decreasing |Q|;
        do
            Dequeue(E, P);
            Enqueue(E, Q);
        end;
    end Append;
end Append_bad;
