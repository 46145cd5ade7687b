// A class without contracts keeps promises that nobody has written down: only what fails in every run that gets there
// is charged.
class Promises {
    int[] slots = new int[4];
    int head, tail;

    int count_ok() {
        int[] all = new int[4];
        if (head <= tail) {
            System.arraycopy(slots, head, all, 0, tail - head);
            return tail - head;
        }
        System.arraycopy(slots, head, all, 0, slots.length - head);
        return slots.length - head + tail;
    }

    int last_ok() {
        if (tail == 0) return slots[slots.length - 1];
        return slots[tail - 1];
    }

    int last_bad() {
        if (tail == 0) return slots[tail - 1];
        return slots[tail - 1];
    }
}
