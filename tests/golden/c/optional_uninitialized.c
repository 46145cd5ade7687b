/* Values that were never written, for the rule that is off unless asked for: variables, members, array
 * elements and bytes of heap blocks that decide a branch, an index or an address. */
#include <stdlib.h>
#include <string.h>

struct settings {
    int depth;
    int width;
    int *table;
};

int missing_else_bad(int kind)
{
    int size;

    if (kind == 1)
        size = 4;
    else if (kind == 2)
        size = 8;
    else if (kind == 3)
        size = 16;
    return size > 4 ? 2 : 1; /* indict: uninitialized */
}

int missing_else_ok(int kind)
{
    int size;

    if (kind == 1)
        size = 4;
    else if (kind == 2)
        size = 8;
    else
        size = 16;
    return size > 4 ? 2 : 1;
}

int half_filled_bad(const int *in)
{
    int values[4], largest = 0;

    for (int i = 0; i < 3; i++)
        values[i] = in[i];
    for (int i = 0; i < 4; i++)
        if (values[i] > largest) /* indict: uninitialized */
            largest = values[i];
    return largest;
}

int half_filled_ok(const int *in)
{
    int values[4], largest = 0;

    for (int i = 0; i < 4; i++)
        values[i] = in[i];
    for (int i = 0; i < 4; i++)
        if (values[i] > largest)
            largest = values[i];
    return largest;
}

int heap_member_bad(int depth)
{
    struct settings *s = malloc(sizeof *s);
    int result = 0;

    if (s == NULL)
        return -1;
    s->depth = depth;
    s->table = NULL;
    if (s->width > 0) /* indict: uninitialized */
        result = s->depth;
    free(s);
    return result;
}

int heap_member_ok(int depth)
{
    struct settings *s = malloc(sizeof *s);
    int result = 0;

    if (s == NULL)
        return -1;
    s->depth = depth;
    s->width = 1;
    if (s->width > 0)
        result = s->depth;
    free(s);
    return result;
}

static int parse(const char *text, int *out)
{
    if (text[0] < '0' || text[0] > '9')
        return -1;
    *out = text[0] - '0';
    return 0;
}

int ignored_status_bad(const char *text)
{
    int value;

    if (parse(text, &value) > 0)
        return 0;
    if (value == 7) /* indict: uninitialized */
        return 1;
    return 2;
}

int ignored_status_ok(const char *text)
{
    int value;

    if (parse(text, &value) != 0)
        return 0;
    if (value == 7)
        return 1;
    return 2;
}

int switch_without_default_bad(char mode)
{
    int flags;

    switch (mode) {
    case 'r':
        flags = 1;
        break;
    case 'w':
        flags = 2;
        break;
    }
    if (flags & 2) /* indict: uninitialized */
        return 1;
    return 0;
}

int switch_without_default_ok(char mode)
{
    int flags;

    switch (mode) {
    case 'r':
        flags = 1;
        break;
    case 'w':
        flags = 2;
        break;
    default: return -1;
    }
    if (flags & 2)
        return 1;
    return 0;
}

int index_unset_bad(const int *in, int wanted)
{
    static const int scores[4] = {1, 2, 3, 4};
    int found;

    for (int i = 0; i < 4; i++)
        if (in[i] == wanted)
            found = i;
    return scores[found & 3]; /* indict: uninitialized */
}

int index_unset_ok(const int *in, int wanted)
{
    static const int scores[4] = {1, 2, 3, 4};
    int found = 0;

    for (int i = 0; i < 4; i++)
        if (in[i] == wanted)
            found = i;
    return scores[found & 3];
}

int partial_struct_bad(int depth)
{
    struct settings s;

    s.depth = depth;
    s.table = NULL;
    if (s.width == depth) /* indict: uninitialized */
        return 1;
    return s.table != NULL;
}

int partial_struct_ok(int depth)
{
    struct settings s = {0};

    s.depth = depth;
    s.table = NULL;
    if (s.width == depth)
        return 1;
    return s.table != NULL;
}

int realloc_tail_bad(void)
{
    int *values = calloc(2, sizeof *values), *more, sum = 0;

    more = realloc(values, 4 * sizeof *values);
    if (more == NULL) {
        free(values);
        return -1;
    }
    for (int i = 0; i < 3; i++)
        if (more[i] != 0) /* indict: uninitialized */
            sum++;
    free(more);
    return sum;
}

int realloc_tail_ok(void)
{
    int *values = calloc(2, sizeof *values), *more, sum = 0;

    more = realloc(values, 4 * sizeof *values);
    if (more == NULL) {
        free(values);
        return -1;
    }
    for (int i = 0; i < 2; i++)
        if (more[i] != 0)
            sum++;
    free(more);
    return sum;
}

int returned_bad(int found)
{
    int result;

    if (found > 0)
        result = found;
    return result; /* indict: uninitialized */
}

int returned_ok(int found)
{
    int result = 0;

    if (found > 0)
        result = found;
    return result;
}

int each_time_anew_bad(const int *in)
{
    int sum = 0;

    for (int i = 0; i < 3; i++) {
        int step;

        if (i == 0)
            step = in[0] & 7;
        sum += step; /* indict: uninitialized */
    }
    return sum;
}

int each_time_anew_ok(const int *in)
{
    int sum = 0;

    for (int i = 0; i < 3; i++) {
        int step;

        step = in[i] & 7;
        sum += step;
    }
    return sum;
}

int copied_then_used_bad(int depth)
{
    struct settings s, t;

    s.depth = depth;
    s.table = NULL;
    t = s;
    if (t.width > 3) /* indict: uninitialized */
        return 1;
    return t.depth;
}

int copied_then_used_ok(int depth)
{
    struct settings s, t;

    s.depth = depth;
    s.width = 0;
    t = s;
    if (t.width > 3)
        return 1;
    return t.depth;
}

/* Copying what is half written is no mistake, and neither is a value that nobody looks at. */
struct settings copied_whole(int depth)
{
    struct settings s;

    s.depth = depth;
    s.table = NULL;
    return s;
}

int against_a_warning(int kind)
{
    int size = size;

    if (kind == 1)
        size = 4;
    if (kind == 1)
        return size;
    return 0;
}

/* Both tests say the same. */
int set_where_used(int kind, const int *in)
{
    int value;

    if (kind > 3)
        value = in[0];
    if (kind < 4)
        return 0;
    return value;
}

struct flags {
    unsigned low : 3;
    unsigned high : 5;
};

int bits_one_by_one(unsigned n)
{
    struct flags f;

    f.low = n;
    f.high = 1;
    return f.low > 3;
}

void fill(int *out);

int set_by_others(void)
{
    int value;

    fill(&value);
    return value > 2;
}

/* Read through its address in the loop only, which may not go round. */
int polled_bad(int polls)
{
    int status;
    int n;

    for (n = 0; n < polls; n++)
        fill(&status);
    return status == 4; /* indict: uninitialized */
}

int polled_ok(int polls)
{
    int status = 0;
    int n;

    for (n = 0; n < polls; n++)
        fill(&status);
    return status == 4;
}
