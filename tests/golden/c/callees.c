/* Failures in callees, to a depth of three calls, through small recursions, and deeper. The call in the function
 * itself is to blame. */
#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stack {
    int items[4];
    int top;
};

static int first_of(const int *values)
{
    return values[0];
}

static int first_or_zero(const int *values, int count)
{
    return count >= 0 ? first_of(values) : 0;
}

int depth_one_bad(int count)
{
    const int *values = NULL;
    static const int defaults[2] = {7, 8};

    if (count > 2)
        values = defaults;
    if (count > 2)
        return count;
    return first_of(values); /* indict: null-dereference */
}

int depth_one_ok(int count)
{
    const int *values = NULL;
    static const int defaults[2] = {7, 8};

    if (count <= 2)
        values = defaults;
    if (count > 2)
        return count;
    return first_of(values);
}

int depth_two_bad(const int *values, int count)
{
    if (values == NULL)
        count = 0;
    return first_or_zero(values, count); /* indict: null-dereference */
}

int depth_two_ok(const int *values, int count)
{
    if (values == NULL)
        count = -1;
    return first_or_zero(values, count);
}

static void push(struct stack *s, int item)
{
    s->items[s->top++] = item;
}

static void push_pair(struct stack *s, int a, int b)
{
    push(s, a);
    push(s, b);
}

static void push_rectangle(struct stack *s, int width, int height)
{
    push_pair(s, 0, 0);
    push_pair(s, width, height);
}

int depth_three_bad(int width)
{
    struct stack s = {{0}, 0};

    push(&s, 1);
    push_rectangle(&s, width, 2); /* indict: out-of-bounds */
    return s.top;
}

int depth_three_ok(int width)
{
    struct stack s = {{0}, 0};

    s.items[0] = 1;
    push_rectangle(&s, width, 2);
    return s.top;
}

static int ratio(int part, int whole)
{
    return 100 * (part & 0xff) / whole;
}

int divide_in_callee_bad(int used, int total)
{
    if (total < 0)
        return 0;
    return ratio(used, total); /* indict: division-by-zero */
}

int divide_in_callee_ok(int used, int total)
{
    if (total <= 0)
        return 0;
    return ratio(used, total);
}

static int power(int base, int exponent)
{
    if (exponent == 0)
        return 1;
    return base * power(base, exponent - 1);
}

int fn_recursion_bad(int x)
{
    int cube = power(2, 3) - 8;

    return x / cube; /* indict: division-by-zero */
}

int fn_recursion_ok(int x)
{
    int cube = power(2, 3) - 7;

    return x / cube;
}

static int depth_of(const struct stack *s, int at)
{
    if (at >= s->top)
        return 0;
    return 1 + depth_of(s, at + 1);
}

int recursive_index_bad(void)
{
    static const int costs[2] = {5, 9};
    struct stack s = {{1, 2}, 2};

    return costs[depth_of(&s, 0)]; /* indict: out-of-bounds */
}

int recursive_index_ok(void)
{
    static const int costs[2] = {5, 9};
    struct stack s = {{1, 2}, 1};

    return costs[depth_of(&s, 0)];
}

static int checked(const struct stack *s)
{
    assert(s->top > 0);
    return s->items[s->top - 1];
}

int precondition_bad(int item)
{
    struct stack s = {{0}, 0};

    if (item > 0)
        push(&s, item);
    return item < 0 ? -1 : checked(&s); /* indict: assertion */
}

int precondition_ok(int item)
{
    struct stack s = {{0}, 0};

    if (item >= 0)
        push(&s, item);
    return item < 0 ? -1 : checked(&s);
}

static int message(const char *format, ...)
{
    va_list arguments;
    int n;

    va_start(arguments, format);
    n = vfprintf(stderr, format, arguments);
    va_end(arguments);
    return n;
}

int variadic_log_bad(const char *path, int verbose)
{
    FILE *f = fopen(path, "r");

    if (f == NULL && verbose > 0)
        message("%s is missing\n", path);
    if (f == NULL && verbose > 1)
        return -1;
    return fclose(f); /* indict: null-dereference */
}

int variadic_log_ok(const char *path, int verbose)
{
    FILE *f = fopen(path, "r");

    if (f == NULL && verbose > 0)
        message("%s is missing\n", path);
    if (f == NULL)
        return -1;
    return fclose(f);
}

static int *pick(int *a, int *b, int which)
{
    return which == 1 ? a : which == 2 ? b : NULL;
}

int choose_bad(int which)
{
    int a = 1, b = 2;

    if (which < 1 || which > 3)
        return 0;
    return *pick(&a, &b, which); /* indict: null-dereference */
}

int choose_ok(int which)
{
    int a = 1, b = 2;

    if (which < 1 || which > 2)
        return 0;
    return *pick(&a, &b, which);
}

static void consume(char *text)
{
    free(text);
}

int handed_over_bad(const char *arg)
{
    char *copy = strdup(arg);

    if (copy == NULL)
        return -1;
    consume(copy);
    consume(copy); /* indict: double-free */
    return 0;
}

int handed_over_ok(const char *arg)
{
    char *copy = strdup(arg);

    if (copy == NULL)
        return -1;
    consume(copy);
    return 0;
}

static size_t encoded_length(size_t length)
{
    return length / 3 * 4;
}

char *short_estimate_bad(const uint8_t *bytes)
{
    char *out = malloc(encoded_length(3));

    if (out == NULL)
        return NULL;
    for (int i = 0; i < 4; i++)
        out[i] = (char)('A' + bytes[i & 1] % 16);
    out[4] = '\0'; /* indict: out-of-bounds */
    return out;
}

char *short_estimate_ok(const uint8_t *bytes)
{
    char *out = malloc(encoded_length(3) + 1);

    if (out == NULL)
        return NULL;
    for (int i = 0; i < 4; i++)
        out[i] = (char)('A' + bytes[i & 1] % 16);
    out[4] = '\0';
    return out;
}

static int clamp_to(int value, int limit)
{
    return value > limit ? limit : value;
}

int clamped_bad(int value)
{
    static const int table[10];

    if (value < 0)
        return 0;
    return table[clamp_to(value, 10)]; /* indict: out-of-bounds */
}

int clamped_ok(int value)
{
    static const int table[10];

    if (value < 0)
        return 0;
    return table[clamp_to(value, 9)];
}

static void release_five(struct stack *s)
{
    if (s->top > 100)
        abort();
    free(s);
}

static void release_four(struct stack *s)
{
    release_five(s);
}

static void release_three(struct stack *s, int unused)
{
    if (unused > 0)
        puts("released");
    release_four(s);
}

static void release_two(struct stack *s)
{
    release_three(s, s->top);
}

static void release_one(struct stack *s)
{
    release_two(s);
}

int deep_release_bad(struct stack *s)
{
    release_one(s);
    return s->top; /* indict: use-after-free */
}

int deep_release_ok(struct stack *s)
{
    int top = s->top;
    release_one(s);
    return top;
}

static int *none_four(int wanted)
{
    static int some[4];

    return wanted < 4 ? some : NULL;
}

static int *none_three(int wanted)
{
    return none_four(wanted + 1);
}

static int *none_two(int wanted)
{
    return none_three(wanted + 1);
}

static int *none_one(int wanted)
{
    return none_two(wanted + 1);
}

int deep_null_bad(void)
{
    return *none_one(1); /* indict: null-dereference */
}

int deep_null_ok(void)
{
    return *none_one(0);
}
