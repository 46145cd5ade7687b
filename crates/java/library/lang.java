package java.lang;

public class Object {
    public boolean equals(Object other) { return this == other; }
    public native int hashCode();
    public native String toString();
}

public interface Comparable<T> { int compareTo(T other); }
public interface Runnable { void run(); }
public interface Cloneable { }
public interface CharSequence { int length(); char charAt(int index); }
public interface AutoCloseable { void close(); }
public interface Iterable<T> { }

public final class String implements Comparable<String>, CharSequence {
    public native boolean equals(Object other);
    public native int length();
    public native char charAt(int index);
    public native boolean isEmpty();
    public native String substring(int from);
    public native String substring(int from, int to);
    public native int indexOf(String text);
    public native boolean startsWith(String text);
    public native boolean endsWith(String text);
    public native boolean contains(CharSequence text);
    public native String trim();
    public native String toLowerCase();
    public native String toUpperCase();
    public native String concat(String text);
    public native int compareTo(String other);
    public static native String valueOf(int value);
    public static native String valueOf(long value);
    public static native String valueOf(boolean value);
    public static native String valueOf(char value);
    public static native String valueOf(Object value);
}

public final class StringBuilder implements CharSequence {
    public StringBuilder() { }
    public StringBuilder(String text) { }
    public StringBuilder append(Object value) { return this; }
    public StringBuilder append(String value) { return this; }
    public StringBuilder append(int value) { return this; }
    public StringBuilder append(long value) { return this; }
    public StringBuilder append(char value) { return this; }
    public StringBuilder append(boolean value) { return this; }
    public native int length();
    public native char charAt(int index);
}

public abstract class Number { }
public final class Boolean implements Comparable<Boolean> {
    private final boolean value;
    public Boolean(boolean value) { this.value = value; }
    public boolean booleanValue() { return value; }
    public static Boolean valueOf(boolean value) { return new Boolean(value); }
    public int compareTo(Boolean other) { return value == other.value ? 0 : (value ? 1 : -1); }
    public boolean equals(Object other) { return other instanceof Boolean && value == ((Boolean) other).value; }
}
public final class Byte extends Number implements Comparable<Byte> {
    private final byte value;
    public Byte(byte value) { this.value = value; }
    public byte byteValue() { return value; }
    public int intValue() { return value; }
    public int compareTo(Byte other) { return value - other.value; }
    public boolean equals(Object other) { return other instanceof Byte && value == ((Byte) other).value; }
}
public final class Short extends Number implements Comparable<Short> {
    private final short value;
    public Short(short value) { this.value = value; }
    public short shortValue() { return value; }
    public int intValue() { return value; }
    public int compareTo(Short other) { return value - other.value; }
    public boolean equals(Object other) { return other instanceof Short && value == ((Short) other).value; }
}
public final class Character implements Comparable<Character> {
    private final char value;
    public Character(char value) { this.value = value; }
    public char charValue() { return value; }
    public int compareTo(Character other) { return value - other.value; }
    public boolean equals(Object other) { return other instanceof Character && value == ((Character) other).value; }
}
public final class Integer extends Number implements Comparable<Integer> {
    public static final int MAX_VALUE = 2147483647;
    public static final int MIN_VALUE = 0x80000000;
    private final int value;
    public Integer(int value) { this.value = value; }
    public int intValue() { return value; }
    public long longValue() { return value; }
    public static Integer valueOf(int value) { return new Integer(value); }
    public static int compare(int a, int b) { return a < b ? -1 : (a == b ? 0 : 1); }
    public static int max(int a, int b) { return a >= b ? a : b; }
    public static int min(int a, int b) { return a <= b ? a : b; }
    public int compareTo(Integer other) { return value < other.value ? -1 : (value == other.value ? 0 : 1); }
    public boolean equals(Object other) { return other instanceof Integer && value == ((Integer) other).value; }
}
public final class Long extends Number implements Comparable<Long> {
    public static final long MAX_VALUE = 0x7fffffffffffffffL;
    public static final long MIN_VALUE = 0x8000000000000000L;
    private final long value;
    public Long(long value) { this.value = value; }
    public long longValue() { return value; }
    public int intValue() { return (int) value; }
    public static Long valueOf(long value) { return new Long(value); }
    public static int compare(long a, long b) { return a < b ? -1 : (a == b ? 0 : 1); }
    public int compareTo(Long other) { return value < other.value ? -1 : (value == other.value ? 0 : 1); }
    public boolean equals(Object other) { return other instanceof Long && value == ((Long) other).value; }
}
public final class Float extends Number {
    private final float value;
    public Float(float value) { this.value = value; }
    public float floatValue() { return value; }
}
public final class Double extends Number {
    private final double value;
    public Double(double value) { this.value = value; }
    public double doubleValue() { return value; }
}

public abstract class Enum<E> {
    public native int ordinal();
    public native String name();
}

public final class Math {
    public static int abs(int a) { return a < 0 ? -a : a; }
    public static long abs(long a) { return a < 0 ? -a : a; }
    public static int max(int a, int b) { return a >= b ? a : b; }
    public static long max(long a, long b) { return a >= b ? a : b; }
    public static int min(int a, int b) { return a <= b ? a : b; }
    public static long min(long a, long b) { return a <= b ? a : b; }
}

public class PrintStream {
    public native void println();
    public native void println(Object value);
    public native void println(int value);
    public native void println(boolean value);
    public native void println(char value);
    public native void println(long value);
    public native void print(Object value);
    public native void print(int value);
}
public final class System {
    public static final PrintStream out;
    public static final PrintStream err;
    public static native long currentTimeMillis();
    public static native long nanoTime();
    public static native int identityHashCode(Object object);
}

public class Throwable {
    public Throwable() { }
    public Throwable(String message) { }
    public Throwable(String message, Throwable cause) { }
    public Throwable(Throwable cause) { }
    public native String getMessage();
    public native Throwable getCause();
    public native void printStackTrace();
}
public class Error extends Throwable {
    public Error() { }
    public Error(String message) { }
}
public class AssertionError extends Error {
    public AssertionError() { }
    public AssertionError(Object message) { }
}
public class OutOfMemoryError extends Error { public OutOfMemoryError() { } public OutOfMemoryError(String message) { } }
public class StackOverflowError extends Error { }
public class Exception extends Throwable {
    public Exception() { }
    public Exception(String message) { }
    public Exception(String message, Throwable cause) { }
    public Exception(Throwable cause) { }
}
public class CloneNotSupportedException extends Exception { public CloneNotSupportedException() { } }
public class InterruptedException extends Exception { public InterruptedException() { } }
public class RuntimeException extends Exception {
    public RuntimeException() { }
    public RuntimeException(String message) { }
    public RuntimeException(String message, Throwable cause) { }
    public RuntimeException(Throwable cause) { }
}
public class NullPointerException extends RuntimeException {
    public NullPointerException() { }
    public NullPointerException(String message) { }
}
public class ArithmeticException extends RuntimeException {
    public ArithmeticException() { }
    public ArithmeticException(String message) { }
}
public class ClassCastException extends RuntimeException {
    public ClassCastException() { }
    public ClassCastException(String message) { }
}
public class NegativeArraySizeException extends RuntimeException {
    public NegativeArraySizeException() { }
    public NegativeArraySizeException(String message) { }
}
public class ArrayStoreException extends RuntimeException { public ArrayStoreException() { } }
public class IndexOutOfBoundsException extends RuntimeException {
    public IndexOutOfBoundsException() { }
    public IndexOutOfBoundsException(String message) { }
    public IndexOutOfBoundsException(int index) { }
}
public class ArrayIndexOutOfBoundsException extends IndexOutOfBoundsException {
    public ArrayIndexOutOfBoundsException() { }
    public ArrayIndexOutOfBoundsException(String message) { }
    public ArrayIndexOutOfBoundsException(int index) { }
}
public class StringIndexOutOfBoundsException extends IndexOutOfBoundsException {
    public StringIndexOutOfBoundsException() { }
    public StringIndexOutOfBoundsException(String message) { }
}
public class IllegalArgumentException extends RuntimeException {
    public IllegalArgumentException() { }
    public IllegalArgumentException(String message) { }
    public IllegalArgumentException(String message, Throwable cause) { }
}
public class NumberFormatException extends IllegalArgumentException {
    public NumberFormatException() { }
    public NumberFormatException(String message) { }
}
public class IllegalStateException extends RuntimeException {
    public IllegalStateException() { }
    public IllegalStateException(String message) { }
}
public class UnsupportedOperationException extends RuntimeException {
    public UnsupportedOperationException() { }
    public UnsupportedOperationException(String message) { }
}
