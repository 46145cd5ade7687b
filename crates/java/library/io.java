package java.io;

public class InputStream {
    //@ ensures -1 <= \result && \result <= 255;
    public native int read();
    public native int available();
    public native void close();
}

public class PrintStream {
    public native void println();
    public native void println(Object value);
    public native void println(int value);
    public native void println(boolean value);
    public native void println(char value);
    public native void println(long value);
    public native void println(String value);
    public native void println(float value);
    public native void println(double value);
    public native void println(char[] value);
    public native void print(Object value);
    public native void print(int value);
    public native void print(String value);
    public native void print(boolean value);
    public native void print(char value);
    public native void print(long value);
    public native void print(float value);
    public native void print(double value);
    public PrintStream printf(String format, Object... values) { return this; }
    public PrintStream format(String format, Object... values) { return this; }
    public PrintStream append(CharSequence text) { return this; }
    public native void flush();
}
