Realization Sort_bad(
        Operation Goes_First(restores x, y: Entry): Boolean;
            ensures Goes_First = Precedes(x, y);)
        for Sorting_Capability of Queue_Template;

    Operation Take_First(replaces F: Entry; updates Q: Queue);
        requires |Q| > 0;
        ensures Is_Permutation(Q o <F>, #Q) and Is_Universally_Related(<F>, Q, Precedes);
    Procedure
        Var Seen: Queue;
        Var E: Entry;
        Dequeue(F, Q);
        While (Length(Q) > 0)
            changing Q, Seen, F, E;
            maintaining Is_Permutation(Seen o Q o <F>, #Q) and Is_Universally_Related(<F>, Seen, Precedes);
            decreasing |Q|;
        do
            Dequeue(E, Q);
            If (Goes_First(F, E)) then
                E :=: F;
            end;
            Enqueue(E, Seen);
        end;
        Q :=: Seen;
    end Take_First;

    Procedure Sort(updates Q: Queue);
        Var Sorted: Queue;
        Var F: Entry;
        While (Length(Q) > 0)
            changing Q, Sorted, F;
            maintaining Is_Permutation(Sorted o Q, #Q) and Is_Conformal_With(Precedes, Sorted)
                and Is_Universally_Related(Sorted, Q, Precedes);
            decreasing |Q|;
        do
            Take_First(F, Q);
            Enqueue(F, Sorted);
        end;
        Q :=: Sorted;
    end Sort;
end Sort_bad;
