/* Variables of the file: those that nobody writes keep their initialisers, all others hold anything. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int five = 5;
static int set_later = 5;

void set_it(int to)
{
    set_later = to;
}

int kept_flag_bad(void)
{
    int x = 3, *p = NULL;

    if (set_later == 5)
        p = &x;
    return *p; /* indict: null-dereference */
}

int kept_flag_ok(void)
{
    int x = 3, *p = NULL;

    if (five == 5)
        p = &x;
    return *p;
}

/* what is static in a function */
int kept_limit_bad(int i)
{
    static int limit = 9;
    int a[8] = { 0 };

    if (i < 0 || i >= limit)
        return -1;
    return a[i]; /* indict: out-of-bounds */
}

int kept_limit_ok(int i)
{
    static int limit = 8;
    int a[8] = { 0 };

    if (i < 0 || i >= limit)
        return -1;
    return a[i];
}

/* an address that an initialiser has */
static int pointed = 5, unpointed = 5;
static int *where = &pointed;

void set_where(int to)
{
    *where = to;
}

int pointed_to_bad(void)
{
    int x = 3, *p = NULL;

    if (pointed == 5)
        p = &x;
    return *p; /* indict: null-dereference */
}

int pointed_to_ok(void)
{
    int x = 3, *p = NULL;

    if (unpointed == 5)
        p = &x;
    return *p;
}

/* an address that is passed to somebody */
static int scanned, unscanned = 1;

int read_one(void)
{
    return scanf("%d", &scanned);
}

int passed_on_bad(void)
{
    int x = 3, *p = NULL;

    if (scanned == 0)
        p = &x;
    return *p; /* indict: null-dereference */
}

int passed_on_ok(void)
{
    int x = 3, *p = NULL;

    if (unscanned == 1)
        p = &x;
    return *p;
}

/* an array that is copied from, and one that is copied to */
static int copied_from[4] = { 1, 2, 3, 4 }, copied_to[4] = { 1, 2, 3, 4 };

void copy_about(int *out, const int *in)
{
    memcpy(out, copied_from, sizeof copied_from);
    memcpy(copied_to, in, sizeof copied_to);
}

int divided_bad(void)
{
    if (copied_to[2] < 0)
        return 0;
    return 12 / copied_to[2]; /* indict: division-by-zero */
}

int divided_ok(void)
{
    if (copied_from[2] < 0)
        return 0;
    return 12 / copied_from[2];
}

/* one that an element is written of */
static const char *first_labels[2] = { "a", "b" }, *last_labels[2] = { "y", "z" };

void relabel(int at, const char *label)
{
    last_labels[at & 1] = label;
}

char label_bad(void)
{
    if (last_labels[1] == NULL)
        puts("no label");
    return *last_labels[1]; /* indict: null-dereference */
}

char label_ok(void)
{
    if (first_labels[1] == NULL)
        puts("no label");
    return *first_labels[1];
}
