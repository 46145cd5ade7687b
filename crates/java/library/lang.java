package java.lang;

public class Object {
    public boolean equals(Object other) { return this == other; }
    public native int hashCode();
    @NonNull public native String toString();
    @NonNull public final native Class<?> getClass();
    protected native Object clone();
    public final native void notify();
    public final native void notifyAll();
    public final native void wait();
    public final native void wait(long millis);
}
public final class Class<T> {
    @NonNull public native String getName();
    @NonNull public native String getSimpleName();
    public native Class<?> getComponentType();
    public native boolean isInstance(Object object);
    public native boolean isArray();
    public native boolean isEnum();
    public native Class<?> getSuperclass();
    public boolean desiredAssertionStatus() { return true; }
}

public interface Comparable<T> { int compareTo(T other); }
public interface Runnable { void run(); }
public interface Cloneable { }
public interface CharSequence { int length(); char charAt(int index); }
public interface AutoCloseable { void close(); }
public interface Iterable<T> { @NonNull java.util.Iterator<T> iterator(); }

/** What a string says, of which nothing is known but its length. Equal strings share it. */
public final class Text {
    int length;
    int hash;
}

public final class String implements Comparable<String>, CharSequence {
    @NonNull private final Text value;
    public String(String text) { this.value = text.value; }
    public String() { this.value = "".value; }
    public boolean equals(Object other) { return other instanceof String && ((String) other).value == value; }
    public int hashCode() { return value.hash; }
    public String toString() { return this; }
    public int length() { return value.length; }
    public boolean isEmpty() { return value.length == 0; }
    private native char at(int index);
    public char charAt(int index) {
        if (index < 0 || index >= value.length) throw new StringIndexOutOfBoundsException();
        return at(index);
    }
    //@ ensures \result != 0;
    private native int order(String other);
    public int compareTo(String other) { return value == other.value ? 0 : order(other); }
    public native boolean equalsIgnoreCase(String other);
    public native int compareToIgnoreCase(String other);
    @NonNull public native String substring(int from);
    @NonNull public native String substring(int from, int to);
    //@ ensures -1 <= \result;
    public native int indexOf(String text);
    //@ ensures -1 <= \result;
    public native int indexOf(String text, int from);
    //@ ensures -1 <= \result;
    public native int indexOf(int character);
    //@ ensures -1 <= \result;
    public native int indexOf(int character, int from);
    //@ ensures -1 <= \result;
    public native int lastIndexOf(String text);
    //@ ensures -1 <= \result;
    public native int lastIndexOf(int character);
    public native boolean startsWith(String text);
    public native boolean startsWith(String text, int from);
    public native boolean endsWith(String text);
    public native boolean contains(CharSequence text);
    public native boolean matches(String pattern);
    public native boolean regionMatches(boolean ignoresCase, int at, String other, int from, int count);
    public native boolean regionMatches(int at, String other, int from, int count);
    //@ ensures 0 <= \result && \result <= 0x10ffff;
    public native int codePointAt(int index);
    @NonNull public native String trim();
    @NonNull public native String strip();
    @NonNull public native String repeat(int count);
    @NonNull public native String replace(char from, char to);
    @NonNull public native String replace(CharSequence from, CharSequence to);
    @NonNull public native String toLowerCase();
    @NonNull public native String toUpperCase();
    @NonNull public native String concat(String text);
    public String intern() { return this; }
    @NonNull public native char[] toCharArray();
    @NonNull public native String[] split(String pattern);
    @NonNull public native String[] split(String pattern, int limit);
    public boolean isBlank() { return value.length == 0 || blank(); }
    private native boolean blank();
    @NonNull public native byte[] getBytes();
    @NonNull public native String replaceAll(String pattern, String by);
    @NonNull public native String replaceFirst(String pattern, String by);
    @NonNull public native String stripLeading();
    @NonNull public native String stripTrailing();
    @NonNull public native String formatted(Object... values);
    @NonNull public native CharSequence subSequence(int from, int to);
    @NonNull public static native String valueOf(int value);
    @NonNull public static native String valueOf(long value);
    @NonNull public static native String valueOf(boolean value);
    @NonNull public static native String valueOf(char value);
    @NonNull public static native String valueOf(float value);
    @NonNull public static native String valueOf(double value);
    @NonNull public static native String valueOf(char[] value);
    @NonNull public static native String copyValueOf(char[] value);
    @NonNull public static native String valueOf(Object value);
    @NonNull public static native String format(String format, Object... values);
    @NonNull public static native String join(CharSequence between, CharSequence... parts);
}

public abstract class AbstractStringBuilder implements CharSequence {
    //@ ensures 0 <= \result;
    public native int length();
    public native char charAt(int index);
    @NonNull public native String substring(int from);
    @NonNull public native String substring(int from, int to);
    //@ ensures -1 <= \result;
    public native int indexOf(String text);
    public native void setLength(int length);
    public native void setCharAt(int index, char value);
}
public final class StringBuilder extends AbstractStringBuilder {
    public StringBuilder() { }
    public StringBuilder(int capacity) { }
    public StringBuilder(String text) { }
    public StringBuilder(CharSequence text) { }
    public StringBuilder append(Object value) { return this; }
    public StringBuilder append(String value) { return this; }
    public StringBuilder append(CharSequence value) { return this; }
    public StringBuilder append(CharSequence value, int from, int to) { return this; }
    public StringBuilder append(char[] value) { return this; }
    public StringBuilder append(int value) { return this; }
    public StringBuilder append(long value) { return this; }
    public StringBuilder append(char value) { return this; }
    public StringBuilder append(boolean value) { return this; }
    public StringBuilder append(float value) { return this; }
    public StringBuilder append(double value) { return this; }
    public StringBuilder insert(int at, Object value) { return this; }
    public StringBuilder insert(int at, String value) { return this; }
    public StringBuilder insert(int at, char value) { return this; }
    public StringBuilder insert(int at, int value) { return this; }
    public StringBuilder delete(int from, int to) { return this; }
    public StringBuilder deleteCharAt(int index) { return this; }
    public StringBuilder reverse() { return this; }
}
public final class StringBuffer extends AbstractStringBuilder {
    public StringBuffer() { }
    public StringBuffer(int capacity) { }
    public StringBuffer(String text) { }
    public StringBuffer append(Object value) { return this; }
    public StringBuffer append(String value) { return this; }
    public StringBuffer append(int value) { return this; }
    public StringBuffer append(long value) { return this; }
    public StringBuffer append(char value) { return this; }
    public StringBuffer append(boolean value) { return this; }
}

public abstract class Number { }
public final class Boolean implements Comparable<Boolean> {
    public static final Boolean TRUE = new Boolean(true);
    public static final Boolean FALSE = new Boolean(false);
    public static int hashCode(boolean value) { return value ? 1231 : 1237; }
    public int hashCode() { return value ? 1231 : 1237; }
    public static native boolean parseBoolean(String text);
    @NonNull public static native String toString(boolean value);
    @NonNull public static native Boolean valueOf(String text);
    private final boolean value;
    public Boolean(boolean value) { this.value = value; }
    public boolean booleanValue() { return value; }
    public static Boolean valueOf(boolean value) { return new Boolean(value); }
    public int compareTo(Boolean other) { return value == other.value ? 0 : (value ? 1 : -1); }
    public boolean equals(Object other) { return other instanceof Boolean && value == ((Boolean) other).value; }
}
public final class Byte extends Number implements Comparable<Byte> {
    public static final byte MAX_VALUE = 127;
    public static final byte MIN_VALUE = -128;
    public static final int SIZE = 8;
    public static final int BYTES = 1;
    public static Byte valueOf(byte value) { return new Byte(value); }
    public static int compare(byte a, byte b) { return a - b; }
    public static int toUnsignedInt(byte value) { return value & 0xff; }
    public int hashCode() { return value; }
    private final byte value;
    public Byte(byte value) { this.value = value; }
    public byte byteValue() { return value; }
    public int intValue() { return value; }
    public int compareTo(Byte other) { return value - other.value; }
    public boolean equals(Object other) { return other instanceof Byte && value == ((Byte) other).value; }
}
public final class Short extends Number implements Comparable<Short> {
    public static final short MAX_VALUE = 32767;
    public static final short MIN_VALUE = -32768;
    public static final int SIZE = 16;
    public static final int BYTES = 2;
    public static Short valueOf(short value) { return new Short(value); }
    public static int compare(short a, short b) { return a - b; }
    public int hashCode() { return value; }
    private final short value;
    public Short(short value) { this.value = value; }
    public short shortValue() { return value; }
    public int intValue() { return value; }
    public int compareTo(Short other) { return value - other.value; }
    public boolean equals(Object other) { return other instanceof Short && value == ((Short) other).value; }
}
public final class Character implements Comparable<Character> {
    public static final char MAX_VALUE = 0xffff;
    public static final char MIN_VALUE = 0;
    public static final int SIZE = 16;
    public static final int BYTES = 2;
    public static final int MIN_RADIX = 2;
    public static final int MAX_RADIX = 36;
    public static final int MIN_CODE_POINT = 0;
    public static final int MAX_CODE_POINT = 0x10ffff;
    public static final char MIN_HIGH_SURROGATE = 0xd800;
    public static final char MAX_HIGH_SURROGATE = 0xdbff;
    public static final char MIN_LOW_SURROGATE = 0xdc00;
    public static final char MAX_LOW_SURROGATE = 0xdfff;
    public static final char MIN_SURROGATE = MIN_HIGH_SURROGATE;
    public static final char MAX_SURROGATE = MAX_LOW_SURROGATE;
    public static final int MIN_SUPPLEMENTARY_CODE_POINT = 0x10000;
    public static Character valueOf(char value) { return new Character(value); }
    public static int compare(char a, char b) { return a - b; }
    public int hashCode() { return value; }
    public static native boolean isLetter(char value);
    public static native boolean isLetterOrDigit(char value);
    public static native boolean isWhitespace(char value);
    public static native boolean isUpperCase(char value);
    public static native boolean isLowerCase(char value);
    public static native boolean isDigit(char value);
    public static native boolean isDigit(int value);
    public static native char toUpperCase(char value);
    public static native char toLowerCase(char value);
    //@ ensures -1 <= \result && \result < 36;
    public static native int digit(char value, int radix);
    public static int charCount(int value) { return value >= 0x10000 ? 2 : 1; }
    public static native int getNumericValue(char value);
    @NonNull public static native String toString(char value);
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
    public static final int SIZE = 32;
    public static final int BYTES = 4;
    public static int max(int a, int b) { return a >= b ? a : b; }
    public static int min(int a, int b) { return a <= b ? a : b; }
    public static int sum(int a, int b) { return a + b; }
    public static int signum(int a) { return (a >> 31) | (-a >>> 31); }
    public static int compareUnsigned(int a, int b) { return compare(a + MIN_VALUE, b + MIN_VALUE); }
    public static long toUnsignedLong(int a) { return a & 0xffffffffL; }
    public static int highestOneBit(int a) { return a & (MIN_VALUE >>> numberOfLeadingZeros(a)); }
    public static int lowestOneBit(int a) { return a & -a; }
    public static int numberOfLeadingZeros(int a) {
        if (a <= 0) return a == 0 ? 32 : 0;
        int n = 31;
        if (a >= 1 << 16) { n -= 16; a >>>= 16; }
        if (a >= 1 << 8) { n -= 8; a >>>= 8; }
        if (a >= 1 << 4) { n -= 4; a >>>= 4; }
        if (a >= 1 << 2) { n -= 2; a >>>= 2; }
        return n - (a >>> 1);
    }
    public static int numberOfTrailingZeros(int a) {
        return a == 0 ? 32 : 31 - numberOfLeadingZeros(a & -a);
    }
    public static int bitCount(int a) {
        a = a - ((a >>> 1) & 0x55555555);
        a = (a & 0x33333333) + ((a >>> 2) & 0x33333333);
        a = (a + (a >>> 4)) & 0x0f0f0f0f;
        a = a + (a >>> 8);
        a = a + (a >>> 16);
        return a & 0x3f;
    }
    public static int rotateLeft(int a, int by) { return (a << by) | (a >>> -by); }
    public static int rotateRight(int a, int by) { return (a >>> by) | (a << -by); }
    public static int hashCode(int a) { return a; }
    public int hashCode() { return value; }
    public short shortValue() { return (short) value; }
    public byte byteValue() { return (byte) value; }
    @NonNull public static native String toString(int a);
    @NonNull public static native String toHexString(int a);
    @NonNull public static native String toBinaryString(int a);
    @NonNull public static native String toOctalString(int a);
    @NonNull public static native String toString(int a, int radix);
    @NonNull public static native Integer valueOf(String text);
    @NonNull public native String toString();
    public static native int parseInt(String text);
    public static native int parseInt(String text, int radix);
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
    public static final int SIZE = 64;
    public static final int BYTES = 8;
    public static int compare(long a, long b) { return a < b ? -1 : (a == b ? 0 : 1); }
    public static long max(long a, long b) { return a >= b ? a : b; }
    public static long min(long a, long b) { return a <= b ? a : b; }
    public static long sum(long a, long b) { return a + b; }
    public static int numberOfLeadingZeros(long a) {
        int high = (int) (a >>> 32);
        return high == 0 ? 32 + Integer.numberOfLeadingZeros((int) a) : Integer.numberOfLeadingZeros(high);
    }
    public static int numberOfTrailingZeros(long a) {
        int low = (int) a;
        return low == 0 ? 32 + Integer.numberOfTrailingZeros((int) (a >>> 32)) : Integer.numberOfTrailingZeros(low);
    }
    public static int bitCount(long a) { return Integer.bitCount((int) a) + Integer.bitCount((int) (a >>> 32)); }
    public static long highestOneBit(long a) { return a & (MIN_VALUE >>> numberOfLeadingZeros(a)); }
    public static int hashCode(long a) { return (int) (a ^ (a >>> 32)); }
    public int hashCode() { return (int) (value ^ (value >>> 32)); }
    @NonNull public static native String toString(long a);
    @NonNull public static native String toHexString(long a);
    @NonNull public static native String toBinaryString(long a);
    @NonNull public static native Long valueOf(String text);
    @NonNull public native String toString();
    public static native long parseLong(String text);
    public int compareTo(Long other) { return value < other.value ? -1 : (value == other.value ? 0 : 1); }
    public boolean equals(Object other) { return other instanceof Long && value == ((Long) other).value; }
}
public final class Float extends Number {
    public static final float POSITIVE_INFINITY = 1.0f / 0.0f;
    public static final float NEGATIVE_INFINITY = -1.0f / 0.0f;
    public static final float NaN = 0.0f / 0.0f;
    public static final float MAX_VALUE = 0x1.fffffeP+127f;
    public static final float MIN_NORMAL = 0x1.0p-126f;
    public static final float MIN_VALUE = 0x0.000002P-126f;
    public static final int MAX_EXPONENT = 127;
    public static final int MIN_EXPONENT = -126;
    public static final int SIZE = 32;
    public static final int BYTES = 4;
    public static native int floatToIntBits(float value);
    public static native float intBitsToFloat(int bits);
    public static native boolean isNaN(float value);
    public static native int compare(float a, float b);
    private final float value;
    public Float(float value) { this.value = value; }
    public float floatValue() { return value; }
}
public final class Double extends Number {
    public static final double POSITIVE_INFINITY = 1.0 / 0.0;
    public static final double NEGATIVE_INFINITY = -1.0 / 0.0;
    public static final double NaN = 0.0 / 0.0;
    public static final double MAX_VALUE = 0x1.fffffffffffffP+1023;
    public static final double MIN_NORMAL = 0x1.0p-1022;
    public static final double MIN_VALUE = 0x0.0000000000001P-1022;
    public static final int MAX_EXPONENT = 1023;
    public static final int MIN_EXPONENT = -1022;
    public static final int SIZE = 64;
    public static final int BYTES = 8;
    public static native long doubleToLongBits(double value);
    public static native double longBitsToDouble(long bits);
    public static native boolean isNaN(double value);
    public static native int compare(double a, double b);
    private final double value;
    public Double(double value) { this.value = value; }
    public double doubleValue() { return value; }
}

public abstract class Enum<E> {
    //@ ensures 0 <= \result;
    public native int ordinal();
    @NonNull public native String name();
    public native int compareTo(E other);
}

public final class Math {
    public static final double E = 2.718281828459045;
    public static final double PI = 3.141592653589793;
    public static int abs(int a) { return a < 0 ? -a : a; }
    public static long abs(long a) { return a < 0 ? -a : a; }
    public static int max(int a, int b) { return a >= b ? a : b; }
    public static long max(long a, long b) { return a >= b ? a : b; }
    public static int min(int a, int b) { return a <= b ? a : b; }
    public static long min(long a, long b) { return a <= b ? a : b; }
    public static int floorDiv(int a, int b) { return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); }
    public static int floorMod(int a, int b) { return a - floorDiv(a, b) * b; }
    public static long floorDiv(long a, long b) { return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); }
    public static long floorMod(long a, long b) { return a - floorDiv(a, b) * b; }
    public static int addExact(int a, int b) {
        int sum = a + b;
        if (((a ^ sum) & (b ^ sum)) < 0) throw new ArithmeticException();
        return sum;
    }
    public static int subtractExact(int a, int b) {
        int left = a - b;
        if (((a ^ b) & (a ^ left)) < 0) throw new ArithmeticException();
        return left;
    }
    public static int multiplyExact(int a, int b) {
        long product = (long) a * (long) b;
        if ((int) product != product) throw new ArithmeticException();
        return (int) product;
    }
    public static int toIntExact(long a) {
        if ((int) a != a) throw new ArithmeticException();
        return (int) a;
    }
    public static native float max(float a, float b);
    public static native float min(float a, float b);
    public static native double max(double a, double b);
    public static native double min(double a, double b);
    public static native double abs(double a);
    public static native double sqrt(double a);
    public static native double pow(double a, double b);
    public static native double floor(double a);
    public static native double ceil(double a);
    public static native double log(double a);
    public static native double random();
    public static native long round(double a);
}

public class Thread {
    @NonNull public static native Thread currentThread();
    public static native void yield();
    public static native void onSpinWait();
    public static native boolean interrupted();
    public native boolean isInterrupted();
    public native void interrupt();
}

public final class System {
    @NonNull public static final java.io.PrintStream out;
    @NonNull public static final java.io.PrintStream err;
    @NonNull public static final java.io.InputStream in;
    public static native long currentTimeMillis();
    public static native long nanoTime();
    public static native int identityHashCode(Object object);
    public static native void arraycopy(Object from, int start, Object to, int position, int count);
    @NonNull public static native String lineSeparator();
    public static native String getProperty(String key);
    public static native String getProperty(String key, String otherwise);
    public static native void exit(int status);
    public static native void gc();
}

public class Throwable {
    public Throwable() { }
    public Throwable(String message) { }
    public Throwable(String message, Throwable cause) { }
    public Throwable(Throwable cause) { }
    public native String getMessage();
    public native Throwable getCause();
    @NonNull public native StackTraceElement[] getStackTrace();
    @NonNull public native Throwable[] getSuppressed();
    public native void printStackTrace();
    public void addSuppressed(Throwable other) { }
    public Throwable initCause(Throwable cause) { return this; }
    public Throwable fillInStackTrace() { return this; }
}
public final class StackTraceElement {
    @NonNull public native String getClassName();
    @NonNull public native String getMethodName();
}
public class Error extends Throwable {
    public Error() { }
    public Error(String message) { }
    public Error(String message, Throwable cause) { }
    public Error(Throwable cause) { }
}
public class InternalError extends Error {
    public InternalError() { }
    public InternalError(String message) { }
    public InternalError(Throwable cause) { }
    public InternalError(String message, Throwable cause) { }
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
    public IllegalArgumentException(Throwable cause) { }
}
public class NumberFormatException extends IllegalArgumentException {
    public NumberFormatException() { }
    public NumberFormatException(String message) { }
}
public class IllegalStateException extends RuntimeException {
    public IllegalStateException() { }
    public IllegalStateException(String message) { }
    public IllegalStateException(String message, Throwable cause) { }
}
public class UnsupportedOperationException extends RuntimeException {
    public UnsupportedOperationException() { }
    public UnsupportedOperationException(String message) { }
    public UnsupportedOperationException(String message, Throwable cause) { }
}
