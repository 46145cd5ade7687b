// Strings as values. Below a line, `A => B` makes a mutant of it.
class Names {
    String[] names = new String[2];
    int[] marks = new int[2];
    int used;

    //@ invariant names.length == 2 && marks.length == 2 && 0 <= used && used <= 2;
    //@ invariant (\forall int i; 0 <= i && i < used; names[i] != null);
    //@ invariant used == 2 ==> !names[0].equals(names[1]);

    //@ ensures \result >= 0 ==> \result < used && names[\result].equals(name);
    //@ ensures \result < 0 ==> (\forall int i; 0 <= i && i < used; !names[i].equals(name));
    //@ assignable \nothing;
    int find(String name) {
        for (int i = 0; i < used; i++) {
            //~ = 0 => = 1
            //~ < used => < used - 1
            //~ < used => <= used
            if (names[i].equals(name)) return i;
            //~ names[i].equals(name) => names[i] == name
            //~ names[i].equals(name) => !names[i].equals(name)
        }
        return -1;
        //~ -1 => 0
    }

    /*@ normal_behavior
      @   requires (\exists int i; 0 <= i && i < used; names[i].equals(name)) || used < 2;
      @   ensures (\exists int i; 0 <= i && i < used; names[i].equals(name) && marks[i] == mark);
      @   ensures used == \old(used) || used == \old(used) + 1;
      @*/
    void put(String name, int mark) {
        int i = find(name);
        if (i < 0) {
            //~ < => >
            i = used++;
            //~ used++ => used
            //~ used++ => 0
            names[i] = name;
            //~ names[i] = name; =>
            //~ = name => = "name"
        }
        marks[i] = mark;
        //~ marks[i] => marks[0]
        //~ = mark => = -mark
    }

    //@ ensures \result <==> a.equals(b);
    //@ assignable \nothing;
    static boolean same(String a, String b) {
        return a.equals(b);
        //~ a.equals(b) => a == b
        //~ a.equals(b) => a.equals(a)
        //~ a.equals(b) => a.length() == b.length()
    }
}
