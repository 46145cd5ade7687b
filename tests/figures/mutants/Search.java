// A search tree. Below a line, `A => B` makes a mutant of it.
class Knot {
    int key;
    /*@ nullable @*/ Knot left, right;
}

class Search {
    /*@ nullable @*/ Knot root;

    /*@ invariant (\forall Knot k; \reach(root, Knot, left, right).has(k);
      @     !\reach(k.left, Knot, left, right).has(k) && !\reach(k.right, Knot, left, right).has(k)
      @     && (\forall Knot l; \reach(k.left, Knot, left, right).has(l); l.key < k.key)
      @     && (\forall Knot r; \reach(k.right, Knot, left, right).has(r); r.key > k.key));
      @*/

    //@ ensures \result <==> (\exists Knot k; \reach(root, Knot, left, right).has(k); k.key == key);
    //@ assignable \nothing;
    boolean contains(int key) {
        Knot k = root;
        while (k != null) {
            if (key == k.key) return true;
            //~ == => >=
            //~ true => false
            k = key < k.key ? k.left : k.right;
            //~ < => >
            //~ k.left : k.right => k.right : k.left
            //~ k.left => null
            //~ k.right => k.left
        }
        return false;
        //~ false => true
    }

    //@ ensures (\exists Knot k; \reach(root, Knot, left, right).has(k); k.key == key);
    //@ ensures \result <==> !\old((\exists Knot k; \reach(root, Knot, left, right).has(k); k.key == key));
    /*@ ensures (\forall Knot k; \old(\reach(root, Knot, left, right)).has(k);
      @     \reach(root, Knot, left, right).has(k));
      @*/
    boolean insert(int key) {
        Knot above = null;
        Knot k = root;
        while (k != null) {
            if (k.key == key) return false;
            //~ == => <
            //~ false => true
            above = k;
            //~ above = k; =>
            k = key < k.key ? k.left : k.right;
            //~ < => >
        }
        Knot made = new Knot();
        made.key = key;
        //~ made.key = key; =>
        if (above == null) root = made;
        //~ root = made; => root = null;
        else if (key < above.key) above.left = made;
        //~ < => >
        //~ above.left => above.right
        else above.right = made;
        //~ above.right => above.left
        return true;
        //~ true => false
    }
}
