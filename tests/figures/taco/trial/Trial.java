import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeSet;

/** Runs the collections at random beside those of java.util, and looks at their structure after each step. */
public class Trial {
    static final int STEPS = 20_000;

    public static void main(String[] arguments) {
        sequences(new Random(1));
        sets(new Random(2));
        heaps(new Random(3));
        System.out.println("the collections agree with java.util");
        System.out.println("the historic heap loses nodes from " + historic() + " nodes on");
    }

    static void sequences(Random random) {
        LinkedSequence linked = new LinkedSequence();
        CircularSequence circular = new CircularSequence();
        circular.header = new CircularSequence.Node();
        circular.header.next = circular.header.previous = circular.header;
        CachingSequence caching = new CachingSequence();
        caching.header = new CachingSequence.Node();
        caching.header.next = caching.header.previous = caching.header;
        caching.maximumCacheSize = 3;
        List<Object> list = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            Object value = random.nextInt(5);
            if (random.nextInt(20) < 10 || list.isEmpty()) {
                list.add(value);
                linked.insert(value);
                circular.insert(value);
                caching.insert(value);
            } else {
                int index = random.nextInt(list.size());
                Object removed = list.remove(index);
                check(linked.remove(index) == removed, "remove");
                check(circular.remove(index) == removed, "remove");
                check(caching.remove(index) == removed, "remove");
            }
            check(linked.contains(value) == list.contains(value), "contains");
            check(circular.contains(value) == list.contains(value), "contains");
            check(caching.contains(value) == list.contains(value), "contains");
            LinkedSequence.Node a = linked.head;
            CircularSequence.Node b = circular.header.next;
            CachingSequence.Node c = caching.header.next;
            for (Object expected : list) {
                check(a.value == expected && b.value == expected && c.value == expected, "sequence");
                check(b.next.previous == b && c.next.previous == c, "links");
                a = a.next;
                b = b.next;
                c = c.next;
            }
            check(a == null && b == circular.header && c == caching.header, "ends");
            int cached = 0;
            for (CachingSequence.Node n = caching.firstCached; n != null; n = n.next) cached++;
            check(cached == caching.cacheSize && cached <= 3, "cache");
        }
    }

    static void sets(Random random) {
        RedBlackSet redBlack = new RedBlackSet();
        AvlTree avl = new AvlTree();
        TreeSet<Integer> set = new TreeSet<>();
        TreeSet<Integer> grown = new TreeSet<>();
        for (int step = 0; step < STEPS; step++) {
            int key = random.nextInt(200);
            if (step % 4000 == 0) {
                avl = new AvlTree();
                grown.clear();
            }
            check(redBlack.find(key) == set.contains(key), "find");
            check(avl.find(key) == grown.contains(key), "find");
            if (random.nextBoolean()) {
                check(redBlack.insert(key) == set.add(key), "insert");
                grown.add(key);
                avl.insert(key);
            } else {
                check(redBlack.remove(key) == set.remove(key), "remove");
            }
            List<Integer> keys = new ArrayList<>();
            check(redBlack.root == null || redBlack.root.isBlack && redBlack.root.parent == null, "root");
            blacks(redBlack.root, keys);
            check(keys.equals(new ArrayList<>(set)) && redBlack.size == set.size(), "keys");
            keys.clear();
            heights(avl.root, keys);
            check(keys.equals(new ArrayList<>(grown)), "keys");
            check(avl.root == null ? grown.isEmpty() : avl.findMax().key == grown.last(), "findMax");
        }
    }

    static int blacks(RedBlackSet.Node node, List<Integer> keys) {
        if (node == null) return 0;
        check(node.left == null || node.left.parent == node, "parent");
        check(node.right == null || node.right.parent == node, "parent");
        check(node.isBlack || node.parent.isBlack, "colour");
        int left = blacks(node.left, keys);
        keys.add(node.key);
        check(left == blacks(node.right, keys), "black height");
        return left + (node.isBlack ? 1 : 0);
    }

    static int heights(AvlTree.Node node, List<Integer> keys) {
        if (node == null) return 0;
        int left = heights(node.left, keys);
        keys.add(node.key);
        int right = heights(node.right, keys);
        check(Math.abs(left - right) <= 1 && node.height == Math.max(left, right) + 1, "height");
        return node.height;
    }

    static void heaps(Random random) {
        BinomialHeap heap = new BinomialHeap();
        PriorityQueue<Integer> queue = new PriorityQueue<>();
        for (int step = 0; step < STEPS; step++) {
            int key = random.nextInt(100);
            int choice = random.nextInt(20);
            if (choice < 8) {
                heap.insert(key);
                queue.add(key);
            } else if (choice < 15) {
                BinomialHeap.Node least = heap.extractMin();
                check(queue.isEmpty() ? least == null : least.key == queue.poll(), "extractMin");
            } else if (heap.nodes != null) {
                List<BinomialHeap.Node> nodes = new ArrayList<>();
                collect(heap.nodes, nodes);
                BinomialHeap.Node node = nodes.get(random.nextInt(nodes.size()));
                int smaller = node.key - random.nextInt(20);
                queue.remove(node.key);
                queue.add(smaller);
                heap.decreaseKey(node, smaller);
            }
            BinomialHeap.Node least = heap.findMinimum();
            check(queue.isEmpty() ? least == null : least.key == queue.peek(), "findMinimum");
            IdentityHashMap<BinomialHeap.Node, Boolean> seen = new IdentityHashMap<>();
            for (BinomialHeap.Node n = heap.nodes; n != null; n = n.sibling) {
                check(n.sibling == null || n.degree < n.sibling.degree, "roots");
                tree(n, null, seen);
            }
            check(seen.size() == heap.size && heap.size == queue.size(), "size");
        }
    }

    static void tree(BinomialHeap.Node node, BinomialHeap.Node parent, IdentityHashMap<BinomialHeap.Node, Boolean> seen) {
        check(seen.put(node, true) == null, "shared");
        check(node.parent == parent && (parent == null || parent.key <= node.key), "order");
        int degree = node.degree;
        for (BinomialHeap.Node n = node.child; n != null; n = n.sibling) {
            degree--;
            check(n.degree == degree, "degree");
            tree(n, node, seen);
        }
        check(degree == 0, "children");
    }

    static void collect(BinomialHeap.Node node, List<BinomialHeap.Node> nodes) {
        for (; node != null; node = node.sibling) {
            nodes.add(node);
            collect(node.child, nodes);
        }
    }

    /** How many nodes the smallest heap has from which taking the least makes others be lost. */
    static int historic() {
        Random random = new Random(4);
        for (int size = 1; size < 40; size++) {
            for (int trial = 0; trial < 500; trial++) {
                HistoricHeap heap = new HistoricHeap();
                for (int i = 0; i < size; i++) heap.insert(random.nextInt(100));
                heap.extractMin();
                if (count(heap.nodes) != size - 1) return size;
            }
        }
        return -1;
    }

    static int count(HistoricHeap.Node node) {
        int count = 0;
        for (; node != null; node = node.sibling) count += 1 + count(node.child);
        return count;
    }

    static void check(boolean holds, String what) {
        if (!holds) throw new AssertionError(what);
    }
}
