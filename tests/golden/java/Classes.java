// What classes do beyond the plain: interfaces, abstract classes, static and anonymous classes, records, generics,
// varargs, overloading, initialisers, strings.
interface Counter { int next(); }

abstract class Base implements Counter {
    int start = 10;
    int steps;
    { steps = 1; }

    Base() { start += steps(); }

    abstract int steps();
}

class ByTwo extends Base {
    int steps() { return 2; }
    public int next() { return start + 2; }
}

class ByThree extends Base {
    int steps() { return 3; }
    public int next() { return start + 3; }
}

record Pair(int first, int second) {
    int sum() { return first + second; }
}

class Cell<T> {
    T item;
    Cell<T> next;

    Cell(T item) { this.item = item; }
}

class Value { int number; }

class Classes {
    //@ ensures \result == 14;
    int construction_ok() { return new ByTwo().next(); }

    //@ ensures \result == 12;
    int construction_bad() { return new ByTwo().next(); }

    //@ requires c instanceof ByThree;
    //@ ensures \result == ((ByThree) c).start + 3;
    int interface_ok(Counter c) { return c.next(); }

    //@ requires c.start < 1000;
    //@ ensures \result == c.start + 3;
    int interface_bad(Base c) { return c.next(); }

    //@ ensures \result == 7;
    int record_ok() { return new Pair(3, 4).sum(); }

    //@ ensures \result == a;
    int record_bad(int a, int b) { return new Pair(a, b).second(); }

    //@ requires true;
    int generics_ok() {
        Value value = new Value();
        value.number = 5;
        Cell<Value> cell = new Cell<>(value);
        assert cell.item.number == 5;
        return cell.item.number;
    }

    static int total(int... all) {
        int sum = 0;
        for (int one : all) sum += one;
        return sum;
    }

    //@ ensures \result == 6;
    int varargs_ok() { return total(1, 2, 3); }

    //@ ensures \result == 0;
    int varargs_bad() { return total(1, -1, 3); }

    int pick(int x) { return 1; }
    int pick(long x) { return 2; }
    int pick(Object x) { return 3; }

    //@ ensures \result == 123;
    int overloading_ok() { return 100 * pick(0) + 10 * pick(0L) + pick("text"); }

    //@ ensures \result == 111;
    int overloading_bad() { return 100 * pick(0) + 10 * pick(0L) + pick("text"); }

    //@ ensures \result == 9;
    int anonymous_ok() {
        Counter nine = new Counter() {
            public int next() { return 9; }
        };
        return nine.next();
    }

    //@ ensures \result;
    boolean strings_ok() { return "a" == "a" && "a" != "b"; }

    //@ ensures \result;
    boolean strings_bad(String s) { return s == "a"; }

    //@ ensures \result == (x > 0 ? 1 : 0);
    int loops_ok(int x) {
        int i = 0;
        do {
            if (x <= 0) break;
            i++;
        } while (i < 1);
        return i;
    }
}
