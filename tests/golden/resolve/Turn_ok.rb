Realization Turn_ok for Turning_Capability of Stack_Template;
    Facility Line is Queue_Template(Entry, Max_Depth) realized by Some_Realiz;

    Procedure Turn(updates S: Stack);
        Var Q: Line.Queue;
        Var E: Entry;
        While (Depth(S) > 0)
            changing S, Q, E;
            maintaining #S = Q o S;
            decreasing |S|;
        do
            Pop(E, S);
            Enqueue(E, Q);
        end;
        While (Length(Q) > 0)
            changing S, Q, E;
            maintaining Reverse(#S) = Reverse(Q) o S;
            decreasing |Q|;
        do
            Dequeue(E, Q);
            Push(E, S);
        end;
    end Turn;
end Turn_ok;
