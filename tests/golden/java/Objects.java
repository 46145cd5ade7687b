// Inheritance, dispatch, constructors, fields with values, inner classes, enumerations, boxes.
class Shape {
    int sides = 3;

    //@ ensures \result >= 0;
    int area() { return 0; }
}

class Square extends Shape {
    int side;

    Square(int side) {
        this.side = side;
        sides = 4;
    }

    //@ also ensures \result == side;
    int area() { return side; }
}

class Uses {
    //@ requires true;
    int dispatch_bad(Shape shape) {
        assert shape.area() == 0;
        return 0;
    }

    //@ requires true;
    int dispatch_ok(Shape shape) {
        assert shape instanceof Square || shape.area() == 0;
        return 0;
    }

    //@ ensures \result == 4;
    int make_ok() { return new Square(7).sides; }

    //@ ensures \result == 3;
    int make_bad() { return new Square(7).sides; }

    //@ ensures \result;
    boolean distinct_ok(Shape other) {
        Shape mine = new Shape();
        return mine != other;
    }

    //@ ensures \fresh(\result);
    Shape fresh_ok() { return new Shape(); }

    //@ ensures \fresh(\result);
    Shape fresh_bad(Shape s) { return s; }

    enum Color { RED, GREEN }

    //@ ensures \result != 2;
    int enums_ok(Color c) {
        switch (c) {
            case RED: return 0;
            case GREEN: return 1;
        }
        return 3;
    }

    //@ ensures \result == 1;
    int rules_bad(int x) {
        return switch (x) {
            case 1, 2 -> 1;
            case 3 -> { int y = x - 2; yield y; }
            default -> 0;
        };
    }

    class Counter {
        int count;
        void up() { count++; total++; }
    }

    int total;

    //@ requires total < 100;
    //@ ensures total == \old(total) + 2;
    void inner_ok() {
        Counter counter = new Counter();
        counter.up();
        counter.up();
        assert counter.count == 2;
    }

    //@ ensures \result == 5;
    int boxes_ok() {
        Integer five = 5;
        int plain = five;
        return plain;
    }

    //@ requires true;
    int unbox_bad(/*@ nullable @*/ Integer number) { return number; }
}
