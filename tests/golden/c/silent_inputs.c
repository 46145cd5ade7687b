/* Inputs that are trusted: parameters, globals, memory that callers own and results of unknown callees
 * are used without having been tested. Nothing here is a finding. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table {
    int *cells;
    size_t count;
    struct table *parent;
};

extern int current_index;
extern struct table *current_table;

int read_port(int port);
struct table *lookup_table(const char *name);
void note(const char *text);

int dereference(int *p)
{
    return *p;
}

int index_by_parameter(const int *a, int i)
{
    return a[i];
}

int index_local_by_parameter(int i)
{
    static const int squares[5] = {0, 1, 4, 9, 16};

    return squares[i];
}

int divide(int x, int y)
{
    return x / y;
}

unsigned remainder_of(unsigned x, unsigned y)
{
    return x % y;
}

int chain(const struct table *t)
{
    return t->parent->parent->cells[0];
}

int by_global(void)
{
    return current_table->cells[current_index];
}

int divide_by_callee(int x)
{
    return x / read_port(1);
}

int index_by_callee(void)
{
    char names[4] = "abc";

    return names[read_port(2)];
}

size_t use_callee_pointer(const char *name)
{
    return lookup_table(name)->count;
}

void copy_untested(char *out, const char *in, size_t length)
{
    char buffer[16];

    memcpy(buffer, in, length);
    memcpy(out, buffer, length);
}

void copy_string(char *out, const char *in)
{
    char buffer[16];

    strcpy(buffer, in);
    strcat(buffer, ".");
    strcpy(out, buffer);
}

char *allocate_without_check(const char *text)
{
    char *copy = malloc(strlen(text) + 1);

    strcpy(copy, text);
    return copy;
}

int open_without_check(const char *path)
{
    FILE *f = fopen(path, "r");
    int c = fgetc(f);

    fclose(f);
    return c;
}

void free_parameter(struct table *t)
{
    free(t->cells);
    free(t);
}

int sum_untested(const struct table *t)
{
    int sum = 0;

    for (size_t i = 0; i < t->count; i++)
        sum ^= t->cells[i];
    return sum;
}

int last_cell(const struct table *t)
{
    return t->cells[t->count - 1];
}

int test_of_something_else(const struct table *t, int *p)
{
    if (t == NULL)
        return 0;
    return *p;
}

int guarded_on_its_path(int *p, int n)
{
    if (p != NULL)
        *p = n;
    if (n > 3)
        note("large");
    return n;
}

int tested_by_callee(const char *name)
{
    struct table *t = lookup_table(name);

    if (t == NULL)
        return -1;
    return t->cells[t->count / 2];
}

int call_through_parameter(int (*f)(int), int x)
{
    return f(x);
}

int matrix_of_caller(int n, int m, int a[n][m], int i, int j)
{
    return a[i][j];
}

uint32_t parse_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

int environment(void)
{
    return getenv("HOME")[0];
}

struct priorities {
    int heap[10];
    int used;
};

int below_what_callers_say(const struct priorities *p, int i, int n)
{
    return i < n ? p->heap[i] : 0;
}

int below_what_is_used(const struct priorities *p, int i)
{
    return i < p->used ? p->heap[i] : 0;
}

static const unsigned char codes[64];

int byte_as_it_was(const unsigned char *p)
{
    unsigned distance = p[0] & 0xff;

    return codes[distance];
}

int index_has(const char *name);

static struct table *new_table(const char *name)
{
    if (index_has(name))
        return NULL;
    return lookup_table(name);
}

int made_because_it_is_missing(void)
{
    struct table *t = new_table("default");

    return t->count;
}

static void report_status(int *status, int value)
{
    if (status)
        *status = value;
}

int callee_takes_less(int value, int *status)
{
    report_status(status, value);
    return *status;
}

static int state[312];
static int next_state = 313;

int kept_in_order(void)
{
    if (next_state >= 312)
        next_state = 0;
    return state[next_state++];
}

int length_as_text(char *text, long value);

int signs_of_both_ends(long first, long last, long value)
{
    char text[32];
    long length = length_as_text(text, value);

    if (first < 0)
        first = 0;
    if (last < 0)
        last = 0;
    if (last >= length)
        last = length - 1;
    if (first > last)
        return 0;
    return text[last];
}

struct prefixed {
    size_t length;
    char text[];
};

int far_inside(const char *text)
{
    const struct prefixed *p = (const struct prefixed *)(text - sizeof(struct prefixed));

    return p->length > 1 && text[p->length - 1] == '%';
}

long send_bytes(const void *bytes, size_t length);

long empty_or_large(const char *bytes, size_t length)
{
    int flushes = bytes == NULL && length == 0;

    if (length > 4096)
        return bytes[length - 1] + send_bytes(bytes, length);
    return flushes ? 1 : 0;
}

void *allocate_or_stop(size_t size);

void keyed(const char *text)
{
    const struct prefixed *p = (const struct prefixed *)(text - sizeof(struct prefixed));
    char buffer[64];
    char *key = buffer;

    if (p->length + 2 > sizeof buffer)
        key = allocate_or_stop(p->length + 2);
    memcpy(key + 2, text, p->length);
    send_bytes(key, p->length + 2);
}

extern int verbosity;

int level_without_flags(int level)
{
    const char *marks = ".-*#";

    level &= 0xff;
    if (level < verbosity)
        return 0;
    return marks[level];
}

extern void (*out_of_memory)(size_t size);

static void *insist_on(size_t size)
{
    void *p = malloc(size);

    if (!p)
        out_of_memory(size);
    return p;
}

char *copy_of_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = insist_on(size);

    memcpy(copy, text, size);
    return copy;
}

void format_text(char *to, const char *format);

static void tell(const struct table *t, const char *format)
{
    char text[64];

    if (format[0] == '%' && format[1] == '@')
        note(t->count > 8 ? "large" : "small");
    format_text(text, format);
}

void tell_twice(void)
{
    for (int i = 0; i < 2; i++)
        tell(NULL, "%d");
}

struct waiting {
    struct table *items[8];
    int used;
};

static struct table *take_last(struct waiting *w)
{
    if (w->used == 0)
        return NULL;
    return w->items[--w->used];
}

size_t count_of_last(struct waiting *w)
{
    struct table *t = take_last(w);

    return t->count;
}

int step_by_direction(const int *at, int direction)
{
    const int *next = NULL;

    if (direction == 0)
        next = at + 1;
    else if (direction == 1)
        next = at - 1;
    return *next;
}

struct source {
    int (*read)(struct source *from, void *to, size_t room);
};

/* Who reads at most so many bytes says how many there were. */
int last_of_block(struct source *from)
{
    char block[64];
    int got = from->read(from, block, sizeof block);

    if (got < 4)
        return -1;
    return block[got - 4];
}
