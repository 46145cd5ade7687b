/* Memory of a stack frame or block that is gone: an address that is returned or kept, and read later.
 * */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cursor {
    const char *at;
    int *count;
};

static char *format_number(int value)
{
    char text[16];
    char *volatile result = text;

    snprintf(text, sizeof text, "%d", value);
    return result;
}

static char *format_kept(int value)
{
    static char text[16];

    snprintf(text, sizeof text, "%d", value);
    return text;
}

char first_digit_bad(int value)
{
    const char *text = format_number(value);

    return text[0]; /* indict: use-after-free */
}

char first_digit_ok(int value)
{
    const char *text = format_kept(value);

    return text[0];
}

static void cursor_open(struct cursor *c, const char *text)
{
    int count = 0;

    c->at = text;
    c->count = &count;
}

int open_cursor_bad(const char *text)
{
    int own = 0;
    struct cursor c = {text, &own};

    cursor_open(&c, text);
    return *c.count + c.at[0]; /* indict: use-after-free */
}

int open_cursor_ok(const char *text)
{
    int own = 0;
    struct cursor c = {text, &own};

    c.at = text + own;
    return *c.count + c.at[0];
}

int block_scope_bad(const char *text)
{
    const char *name = text;

    if (text[0] == '~') {
        char expanded[8] = "/home";

        name = expanded;
    }
    return name[0]; /* indict: use-after-free */
}

int block_scope_ok(const char *text)
{
    const char *name = text;

    if (text[0] == '~') {
        char expanded[8] = "/home";

        name = text + (expanded[0] == '/');
    }
    return name[0];
}

int loop_scope_bad(const int *values)
{
    const int *largest = NULL;

    for (int i = 0; i < 3; i++) {
        int value = values[i];

        if (largest == NULL || value > values[0])
            largest = &value;
    }
    return *largest; /* indict: use-after-free */
}

int loop_scope_ok(const int *values)
{
    const int *largest = NULL;

    for (int i = 0; i < 3; i++) {
        int value = values[i];

        if (largest == NULL || value > values[0])
            largest = &values[i];
    }
    return *largest;
}

static int *slot;

static void remember(int value)
{
    int local = value;

    slot = &local;
}

static void keep(int value)
{
    static int kept;

    kept = value;
    slot = &kept;
}

int remembered_bad(int value)
{
    remember(value);
    return *slot; /* indict: use-after-free */
}

int remembered_ok(int value)
{
    keep(value);
    return *slot;
}
