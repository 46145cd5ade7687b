/* What every such program has. Nothing is included but the source itself, so that nothing can be in
   its way. What happens is told through the third file, on lines that begin with a word that only who
   started the program knows; without that file nobody is told. */

extern long indict_write(int, const void *, unsigned long) __asm__("write");
extern void indict_leave(int) __asm__("_exit");
extern void __asan_set_error_report_callback(void (*)(const char *));
extern void __ubsan_get_current_report_data(const char **, const char **, const char **, unsigned *,
                                            unsigned *, char **);

static int indict_case;
static int indict_counts;
static unsigned long indict_allocations;
static const char *indict_word = "-";

static void indict_text(const char *text)
{
    unsigned long length = 0;

    while (text[length])
        length++;
    indict_write(3, text, length);
}

static void indict_say(const char *kind, const char *what, unsigned long number)
{
    char digits[24];
    unsigned long at = sizeof digits;

    digits[--at] = 0;
    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    indict_text(indict_word);
    indict_text(" ");
    indict_text(kind);
    indict_text(" ");
    indict_text(digits + at);
    indict_text(" ");
    indict_text(what);
    indict_text("\n");
}

static void indict_report(const char *text)
{
    indict_say("asan", "", 0);
    indict_text(text);
    indict_text("\n");
    indict_say("end", "", 0);
}

/* Whoever reports an error may do what the program may not. */
__attribute__((visibility("default"))) void __asan_on_error(void)
{
    indict_counts = 0;
}

__attribute__((visibility("default"))) void __ubsan_on_report(void)
{
    const char *kind = "", *message = "", *file = "";
    unsigned line = 0, column = 0;
    char *address = 0;

    __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &address);
    indict_say("ubsan", kind, 0);
    indict_say("what", message, 0);
    indict_say("at", file, line);
}

void __wrap___assert_fail(const char *what, const char *file, unsigned line, const char *function)
{
    (void)function;
    indict_say("assert", what, 0);
    indict_say("at", file, line);
    indict_leave(1);
}

void __wrap_exit(int code)
{
    indict_say("exited", "", (unsigned)code);
    indict_leave(0);
}

static void indict_bytes(void *to, const char *bytes, unsigned long count)
{
    unsigned char *at = to;

    for (unsigned long i = 0; i < count; i++)
        at[i] = (unsigned char)bytes[i];
}

static void indict_address(void *to, void *address)
{
    indict_bytes(to, (const char *)&address, sizeof address);
}

/* Whether memory holds what the run begins with. */
static void indict_same(const void *at, const char *bytes, unsigned long count, const char *name)
{
    const unsigned char *found = at;

    for (unsigned long i = 0; i < count; i++)
        if (found[i] != (unsigned char)bytes[i]) {
            indict_say("differs", name, i);
            indict_leave(2);
        }
}

static void indict_leads(const void *at, void *address, const char *name)
{
    indict_same(at, (const char *)&address, sizeof address, name);
}

static unsigned char *indict_block(unsigned long size)
{
    return __builtin_calloc(1, size);
}

static float indict_float(unsigned bits)
{
    float number;

    indict_bytes(&number, (const char *)&bits, sizeof number);
    return number;
}

static double indict_double(unsigned long bits)
{
    double number;

    indict_bytes(&number, (const char *)&bits, sizeof number);
    return number;
}

static int indict_number(const char *text)
{
    int number = 0;

    while (*text >= '0' && *text <= '9')
        number = 10 * number + (*text++ - '0');
    return number;
}

/* The rule that is to be broken; none if the finding is not about states of objects. */
static const char *indict_rule;

/* States of objects, by property and address; zero where nothing is known of one. */
static struct { unsigned property; unsigned long object; unsigned state; } indict_states[1024];

static unsigned *indict_state(unsigned property, unsigned long object)
{
    static unsigned none;

    for (int i = 0; i < 1024; i++) {
        if (!indict_states[i].property) {
            indict_states[i].property = property;
            indict_states[i].object = object;
        }
        if (indict_states[i].property == property && indict_states[i].object == object)
            return &indict_states[i].state;
    }
    none = 0;
    return &none;
}

static void indict_violates(const char *rule)
{
    const char *wanted = indict_rule;

    while (*wanted && *wanted == *rule)
        wanted++, rule++;
    if (*wanted || *rule)
        return;
    indict_say("lock", indict_rule, 0);
    __builtin_abort();
}
