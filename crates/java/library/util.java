package java.util;

public class NoSuchElementException extends RuntimeException {
    public NoSuchElementException() { }
    public NoSuchElementException(String message) { }
}
public class ConcurrentModificationException extends RuntimeException {
    public ConcurrentModificationException() { }
    public ConcurrentModificationException(String message) { }
}
public class EmptyStackException extends RuntimeException { public EmptyStackException() { } }
public class InputMismatchException extends NoSuchElementException { public InputMismatchException() { } }

public interface Comparator<T> { int compare(T a, T b); }
public interface Iterator<E> { boolean hasNext(); E next(); void remove(); }
public interface Collection<E> extends Iterable<E> { int size(); boolean isEmpty(); }
public interface List<E> extends Collection<E> { E get(int index); }
public interface Set<E> extends Collection<E> { }
public interface Queue<E> extends Collection<E> { E poll(); E peek(); }
public interface Deque<E> extends Queue<E> { }
public interface Map<K, V> { V get(Object key); int size(); }

public final class Objects {
    public static boolean equals(Object a, Object b) { return a == b || (a != null && a.equals(b)); }
    public static <T> T requireNonNull(T object) {
        if (object == null) throw new NullPointerException();
        return object;
    }
    public static <T> T requireNonNull(T object, String message) {
        if (object == null) throw new NullPointerException();
        return object;
    }
    public static boolean isNull(Object object) { return object == null; }
    public static boolean nonNull(Object object) { return object != null; }
    public static int checkIndex(int index, int length) {
        if (index < 0 || index >= length) throw new IndexOutOfBoundsException();
        return index;
    }
}
