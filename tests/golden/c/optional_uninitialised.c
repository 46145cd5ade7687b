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
    return size > 4 ? 2 : 1; /* indict: uninitialised */
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
        if (values[i] > largest) /* indict: uninitialised */
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
    if (s->width > 0) /* indict: uninitialised */
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
    if (value == 7) /* indict: uninitialised */
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
    if (flags & 2) /* indict: uninitialised */
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
    return scores[found & 3]; /* indict: uninitialised */
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
    if (s.width == depth) /* indict: uninitialised */
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
        if (more[i] != 0) /* indict: uninitialised */
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
