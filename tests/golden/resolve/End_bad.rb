Realization End_bad for End_Capability of List_Template;
    Procedure Move_to_End(updates P: List);
        While (Right_Length(P) > 0)
            changing P;
            maintaining P.Left o P.Right = #P.Left o #P.Right;
            decreasing |P.Right|;
        do
            Advance(P);
            Advance(P);
        end;
    end Move_to_End;
end End_bad;
