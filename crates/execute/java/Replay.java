import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;

/** Builds a heap, calls a method, and tells whether what was charged happens. */
public class @NAME@ {
    static final Map<String, Object> objects = new HashMap<>();
    static Object result;
    static Throwable thrown;

@ENTRY@

    /** Makes an object without running its constructor, or an array. */
    static void make(String name, String kind, int length, String inner) throws Exception {
        if (kind.endsWith("[]")) {
            objects.put(name, Array.newInstance(type(kind.substring(0, kind.length() - 2)), length));
            return;
        }
        Class<?> type = type(kind);
        Object made;
        if (type == Integer.class) made = new Integer(Integer.parseInt(inner));
        else if (type == Long.class) made = new Long(Long.parseLong(inner));
        else if (type == Short.class) made = new Short(Short.parseShort(inner));
        else if (type == Byte.class) made = new Byte(Byte.parseByte(inner));
        else if (type == Boolean.class) made = new Boolean(Boolean.parseBoolean(inner));
        else if (type == Character.class) made = new Character((char) Integer.parseInt(inner));
        else if (type == String.class) made = new String(inner);
        else if (type == Object.class) made = new Object();
        else if (type == Enum.class) made = stranger();
        else made = unsafe().allocateInstance(type);
        objects.put(name, made);
    }

    /** A constant of some enumeration, each time another one. */
    static Object stranger() {
        for (Object one : java.util.concurrent.TimeUnit.values()) {
            if (!objects.containsValue(one)) return one;
        }
        throw new IllegalStateException("there are more constants than there should be");
    }

    static sun.misc.Unsafe unsafe() throws Exception {
        Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        return (sun.misc.Unsafe) field.get(null);
    }

    /** The class that a report names: dots may stand before classes within classes. */
    static Class<?> type(String name) throws ClassNotFoundException {
        switch (name) {
            case "boolean": return boolean.class;
            case "byte": return byte.class;
            case "short": return short.class;
            case "char": return char.class;
            case "int": return int.class;
            case "long": return long.class;
            case "float": return float.class;
            case "double": return double.class;
        }
        if (name.endsWith("[]")) {
            return Array.newInstance(type(name.substring(0, name.length() - 2)), 0).getClass();
        }
        for (String prefix : new String[] {"@PACKAGE@", "", "java.lang.", "java.util."}) {
            try {
                return Class.forName(prefix + name.replace('.', '$'));
            } catch (ClassNotFoundException e) {
                continue;
            }
        }
        throw new ClassNotFoundException(name);
    }

    /** The field of a name, if the class has one. */
    static Field field(Class<?> type, String name) throws Exception {
        for (Class<?> here = type; here != null; here = here.getSuperclass()) {
            for (Field field : here.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    return field;
                }
            }
        }
        return null;
    }

    /** A value as the report writes it, as one of a type. */
    static Object value(String text, Class<?> type) {
        if (type == boolean.class) return Boolean.parseBoolean(text);
        if (type == byte.class) return (byte) Long.parseLong(text);
        if (type == short.class) return (short) Long.parseLong(text);
        if (type == char.class) return (char) Long.parseLong(text);
        if (type == int.class) return (int) Long.parseLong(text);
        if (type == long.class) return Long.parseLong(text);
        if (type == float.class) return Float.intBitsToFloat((int) Long.parseLong(text));
        if (type == double.class) return Double.longBitsToDouble(Long.parseLong(text));
        return text.equals("null") ? null : objects.get(text);
    }

    static void set(String object, String name, String text) throws Exception {
        Object target = objects.get(object);
        if (name.startsWith("[")) {
            int index = Integer.parseInt(name.substring(1, name.length() - 1));
            Array.set(target, index, value(text, target.getClass().getComponentType()));
            return;
        }
        Field field = field(target.getClass(), name);
        if (field != null) field.set(target, value(text, field.getType()));
    }

    /** Sets a static field; a constant keeps its value, which the name then stands for. */
    static void setStatic(String type, String name, String text) throws Exception {
        Field field = field(type(type), name);
        if (field == null) return;
        if (Modifier.isFinal(field.getModifiers())) {
            if (text.contains("#")) objects.put(text, field.get(null));
        } else {
            field.set(null, value(text, field.getType()));
        }
    }

    static boolean fits(Class<?> type, String text) {
        if (text.equals("null")) return !type.isPrimitive();
        if (text.equals("true") || text.equals("false")) return type == boolean.class;
        if (text.contains("#")) return !type.isPrimitive() && type.isInstance(objects.get(text));
        return type.isPrimitive() && type != boolean.class;
    }

    static boolean fits(Executable candidate, String[] texts) {
        Class<?>[] types = candidate.getParameterTypes();
        boolean fits = types.length == texts.length;
        for (int i = 0; fits && i < types.length; i++) fits = fits(types[i], texts[i]);
        return fits;
    }

    /** Calls the method or constructor that fits the arguments. */
    static void call(String owner, String name, String receiver, String... texts) throws Exception {
        Class<?> type = type(owner);
        try {
            if (name.equals("<init>")) {
                for (Constructor<?> candidate : type.getDeclaredConstructors()) {
                    if (fits(candidate, texts)) {
                        candidate.setAccessible(true);
                        result = candidate.newInstance(values(candidate, texts));
                        return;
                    }
                }
            } else {
                for (Method candidate : type.getDeclaredMethods()) {
                    if (candidate.getName().equals(name) && fits(candidate, texts)) {
                        candidate.setAccessible(true);
                        Object on = receiver == null ? null : objects.get(receiver);
                        result = candidate.invoke(on, values(candidate, texts));
                        return;
                    }
                }
            }
        } catch (InvocationTargetException e) {
            thrown = e.getCause();
            return;
        }
        throw new NoSuchMethodException(owner + "." + name);
    }

    static Object[] values(Executable candidate, String[] texts) {
        Object[] values = new Object[texts.length];
        for (int i = 0; i < texts.length; i++) {
            values[i] = value(texts[i], candidate.getParameterTypes()[i]);
        }
        return values;
    }

    static String file;
    static int[] lines;

    /** The exception is to come from a line of a file that is in one of these ranges. */
    static void at(String name, int... ranges) {
        file = name;
        lines = ranges;
    }

    static boolean isThere() {
        if (file == null) return true;
        for (StackTraceElement frame : thrown.getStackTrace()) {
            for (int i = 0; i < lines.length && file.equals(frame.getFileName()); i += 2) {
                int line = frame.getLineNumber();
                if (lines[i] <= line && line <= lines[i + 1]) return true;
            }
        }
        return false;
    }

    /** The method has thrown one of these. */
    static void expectThrown(String... names) {
        if (thrown == null) refute("no-failure", "nothing was thrown");
        for (String name : names) {
            for (Class<?> here = thrown.getClass(); here != null; here = here.getSuperclass()) {
                if (!here.getName().equals(name)) continue;
                if (!isThere()) refute("other-failure", "the exception comes from elsewhere: " + thrown);
                confirm(thrown.getClass().getName());
            }
        }
        refute("other-failure", "another exception was thrown: " + thrown);
    }

    static void expectReturned() {
        if (thrown != null) refute("other-failure", "an exception was thrown: " + thrown);
    }

    static String kind = "other-state";

    /** What an object has in a field before the call is what the report says. */
    static void check(String object, String name, String text) throws Exception {
        kind = "differs";
        expect(object, name, text);
        kind = "other-state";
    }

    static void checkStatic(String type, String name, String text) throws Exception {
        kind = "differs";
        expectStatic(type, name, text);
        kind = "other-state";
    }

    static void expectStatic(String type, String name, String text) throws Exception {
        Field field = field(type(type), name);
        if (field != null) compare(type + "." + name, field.get(null), field.getType(), text);
    }

    /** What an object has in a field is what the report says; a name that is new stands for what is there. */
    static void expect(String object, String name, String text) throws Exception {
        Object target = objects.get(object);
        if (target == null) return;
        Object found;
        Class<?> type;
        if (name.equals("length") && target.getClass().isArray()) {
            found = Array.getLength(target);
            type = int.class;
        } else if (name.startsWith("[")) {
            found = Array.get(target, Integer.parseInt(name.substring(1, name.length() - 1)));
            type = target.getClass().getComponentType();
        } else if (target.getClass().getName().startsWith("java.")) {
            return;
        } else {
            Field field = field(target.getClass(), name);
            if (field == null) return;
            found = field.get(target);
            type = field.getType();
        }
        compare(object + "." + name, found, type, text);
    }

    static void expectResult(String text) {
        Class<?> type = text.contains("#") || text.equals("null") ? Object.class : primitive(result);
        compare("the result", result, type, text);
    }

    static Class<?> primitive(Object value) {
        if (value instanceof Boolean) return boolean.class;
        if (value instanceof Byte) return byte.class;
        if (value instanceof Short) return short.class;
        if (value instanceof Character) return char.class;
        if (value instanceof Integer) return int.class;
        if (value instanceof Long) return long.class;
        return Object.class;
    }

    static void compare(String what, Object found, Class<?> type, String text) {
        if (type.isPrimitive()) {
            if (!found.equals(value(text, type))) refute(kind, what + " is " + found + ", not " + text);
        } else if (text.equals("null")) {
            if (found != null) refute(kind, what + " is not null");
        } else if (objects.containsKey(text)) {
            if (found != objects.get(text)) refute(kind, what + " is another object than " + text);
        } else if (found == null || objects.containsValue(found)) {
            refute(kind, what + " is no new object");
        } else {
            objects.put(text, found);
        }
    }
}
