Realization Weigh_bad(Operation Weight_of(restores E: Entry): Integer; ensures Weight_of = Weight(E);)
    for Weighing_Capability of Queue_Template;

    Definition Total(s: Str(Entry)): Z = Sum i: Z where 1 <= i <= |s|, Weight(Element_At(i, s));

    Procedure Weigh(restores Q: Queue): Integer;
        Var Seen: Queue;
        Var E: Entry;
        Var w: Integer;
        w := 1;
        While (Length(Q) > 0)
            changing Q, Seen, E, w;
            maintaining #Q = Seen o Q and w = Total(Seen);
            decreasing |Q|;
        do
            Dequeue(E, Q);
            w := w + Weight_of(E);
            Enqueue(E, Seen);
        end;
        Q :=: Seen;
        Weigh := w;
    end Weigh;
end Weigh_bad;
