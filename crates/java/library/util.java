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
    public static int hash(Object... values) { return Arrays.hashCode(values); }
    public static int hashCode(Object object) { return object == null ? 0 : object.hashCode(); }
    @NonNull public static String toString(Object object) { return object == null ? "null" : object.toString(); }
    @NonNull public static String toString(Object object, String otherwise) { return object == null ? otherwise : object.toString(); }
    public static <T> T requireNonNullElse(T object, T otherwise) { return object != null ? object : requireNonNull(otherwise); }
    public static int checkFromToIndex(int from, int to, int length) {
        if (from < 0 || from > to || to > length) throw new IndexOutOfBoundsException();
        return from;
    }
    public static int checkFromIndexSize(int from, int size, int length) {
        if ((length | from | size) < 0 || size > length - from) throw new IndexOutOfBoundsException();
        return from;
    }
}

/** Copies and fills are known to the language; see the front end's `intrinsic`. */
public final class Arrays {
    @NonNull public static native <T> T[] copyOf(T[] array, int length);
    @NonNull public static native <T> T[] copyOfRange(T[] array, int from, int to);
    public static native void fill(Object[] array, Object value);
    @NonNull public static native boolean[] copyOf(boolean[] array, int length);
    @NonNull public static native boolean[] copyOfRange(boolean[] array, int from, int to);
    public static native void fill(boolean[] array, boolean value);
    @NonNull public static native byte[] copyOf(byte[] array, int length);
    @NonNull public static native byte[] copyOfRange(byte[] array, int from, int to);
    public static native void fill(byte[] array, byte value);
    @NonNull public static native short[] copyOf(short[] array, int length);
    @NonNull public static native short[] copyOfRange(short[] array, int from, int to);
    public static native void fill(short[] array, short value);
    @NonNull public static native char[] copyOf(char[] array, int length);
    @NonNull public static native char[] copyOfRange(char[] array, int from, int to);
    public static native void fill(char[] array, char value);
    @NonNull public static native int[] copyOf(int[] array, int length);
    @NonNull public static native int[] copyOfRange(int[] array, int from, int to);
    public static native void fill(int[] array, int value);
    @NonNull public static native long[] copyOf(long[] array, int length);
    @NonNull public static native long[] copyOfRange(long[] array, int from, int to);
    public static native void fill(long[] array, long value);
    @NonNull public static native float[] copyOf(float[] array, int length);
    @NonNull public static native float[] copyOfRange(float[] array, int from, int to);
    public static native void fill(float[] array, float value);
    @NonNull public static native double[] copyOf(double[] array, int length);
    @NonNull public static native double[] copyOfRange(double[] array, int from, int to);
    public static native void fill(double[] array, double value);
    public static boolean equals(int[] a, int[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int i = 0; i < a.length; i++) if (!(a[i] == b[i])) return false;
        return true;
    }
    public static int hashCode(int[] array) {
        if (array == null) return 0;
        int hash = 1;
        for (int i = 0; i < array.length; i++) hash = 31 * hash + array[i];
        return hash;
    }
    @NonNull public static native String toString(int[] array);
    public static void sort(int[] array) {
        for (int i = 1; i < array.length; i++) {
            int moved = array[i];
            int j = i;
            for (; j > 0 && array[j - 1] > moved; j--) array[j] = array[j - 1];
            array[j] = moved;
        }
    }
    public static boolean equals(long[] a, long[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int i = 0; i < a.length; i++) if (!(a[i] == b[i])) return false;
        return true;
    }
    public static int hashCode(long[] array) {
        if (array == null) return 0;
        int hash = 1;
        for (int i = 0; i < array.length; i++) hash = 31 * hash + (int) (array[i] ^ (array[i] >>> 32));
        return hash;
    }
    @NonNull public static native String toString(long[] array);
    public static void sort(long[] array) {
        for (int i = 1; i < array.length; i++) {
            long moved = array[i];
            int j = i;
            for (; j > 0 && array[j - 1] > moved; j--) array[j] = array[j - 1];
            array[j] = moved;
        }
    }
    public static boolean equals(char[] a, char[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int i = 0; i < a.length; i++) if (!(a[i] == b[i])) return false;
        return true;
    }
    public static int hashCode(char[] array) {
        if (array == null) return 0;
        int hash = 1;
        for (int i = 0; i < array.length; i++) hash = 31 * hash + array[i];
        return hash;
    }
    @NonNull public static native String toString(char[] array);
    public static void sort(char[] array) {
        for (int i = 1; i < array.length; i++) {
            char moved = array[i];
            int j = i;
            for (; j > 0 && array[j - 1] > moved; j--) array[j] = array[j - 1];
            array[j] = moved;
        }
    }
    public static boolean equals(byte[] a, byte[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int i = 0; i < a.length; i++) if (!(a[i] == b[i])) return false;
        return true;
    }
    public static int hashCode(byte[] array) {
        if (array == null) return 0;
        int hash = 1;
        for (int i = 0; i < array.length; i++) hash = 31 * hash + array[i];
        return hash;
    }
    @NonNull public static native String toString(byte[] array);
    public static void sort(byte[] array) {
        for (int i = 1; i < array.length; i++) {
            byte moved = array[i];
            int j = i;
            for (; j > 0 && array[j - 1] > moved; j--) array[j] = array[j - 1];
            array[j] = moved;
        }
    }
    public static boolean equals(Object[] a, Object[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int i = 0; i < a.length; i++) if (!(Objects.equals(a[i], b[i]))) return false;
        return true;
    }
    public static int hashCode(Object[] array) {
        if (array == null) return 0;
        int hash = 1;
        for (int i = 0; i < array.length; i++) hash = 31 * hash + (array[i] == null ? 0 : array[i].hashCode());
        return hash;
    }
    @NonNull public static native String toString(Object[] array);
}
