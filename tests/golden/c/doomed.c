/* Code that cannot succeed: every execution that gets there, or that takes some branch on the way, fails or never
 * ends, whatever the inputs are. The mark is on the statement that fails, or on the loop that is never left. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct client {
    int fd;
    char *name;
    struct client *next;
};

int inverted_check_bad(struct client *c)
{
    if (c == NULL)
        c->fd = -1; /* indict: null-dereference */
    return 0;
}

int inverted_check_ok(struct client *c)
{
    if (c != NULL)
        c->fd = -1;
    return 0;
}

size_t missing_return_bad(const struct client *c)
{
    const char *name = c->name;

    if (name == NULL)
        fputs("no name\n", stderr);
    return strlen(name); /* indict: null-dereference */
}

size_t missing_return_ok(const struct client *c)
{
    const char *name = c->name;

    if (name == NULL)
        return 0;
    return strlen(name);
}

int both_sides_bad(int *cell)
{
    if (cell)
        *cell = 0;
    else
        printf("%d", *cell); /* indict: null-dereference */
    return 0;
}

int both_sides_ok(int *cell)
{
    if (cell)
        *cell = 0;
    else
        printf("none");
    return 0;
}

int no_step_bad(const char *text, int length)
{
    int vowels = 0;

    for (int i = 0; i < length;) /* indict: doomed */
        vowels += text[i] == 'a';
    return vowels;
}

int no_step_ok(const char *text, int length)
{
    int vowels = 0;

    for (int i = 0; i < length; i++)
        vowels += text[i] == 'a';
    return vowels;
}

unsigned unsigned_countdown_bad(unsigned mask)
{
    unsigned bits = 0;

    for (unsigned i = 31; i >= 0; i--) /* indict: doomed */
        bits ^= mask >> (i & 31);
    return bits;
}

unsigned unsigned_countdown_ok(unsigned mask)
{
    unsigned bits = 0;

    for (int i = 31; i >= 0; i--)
        bits ^= mask >> (i & 31);
    return bits;
}

int stuck_list_bad(const struct client *list, int fd)
{
    const struct client *c = list;
    int others = 0;

    while (c != NULL) {
        if (c->fd != fd)
            others++;
        list = list->next; /* indict: null-dereference */
    }
    return others;
}

int stuck_list_ok(const struct client *list, int fd)
{
    const struct client *c = list;
    int others = 0;

    while (c != NULL) {
        if (c->fd != fd)
            others++;
        c = c->next;
    }
    return others;
}

int behind_the_end_bad(const int *in)
{
    int window[8], i;

    for (i = 0; i < 8; i++)
        window[i] = in[i] & 0xff;
    return window[i]; /* indict: out-of-bounds */
}

int behind_the_end_ok(const int *in)
{
    int window[8], i;

    for (i = 0; i < 8; i++)
        window[i] = in[i] & 0xff;
    return window[i - 1];
}

void freed_in_branch_bad(struct client *c, int error)
{
    if (error != 0) {
        free(c);
        c->fd = -1; /* indict: use-after-free */
    }
    c->next = NULL;
}

void freed_in_branch_ok(struct client *c, int error)
{
    if (error != 0) {
        free(c);
        return;
    }
    c->next = NULL;
}

int divide_by_the_tested_bad(int total, int count)
{
    if (count == 0)
        return total / count; /* indict: division-by-zero */
    return total;
}

int divide_by_the_tested_ok(int total, int count)
{
    if (count != 0)
        return total / count;
    return total;
}

static void print_name(const struct client *c)
{
    puts(c->name);
}

int callee_of_null_bad(const struct client *c)
{
    int errors = 0;

    if (c == NULL)
        errors++;
    print_name(c); /* indict: null-dereference */
    return errors;
}

int callee_of_null_ok(const struct client *c)
{
    int errors = 0;

    if (c == NULL)
        return 1;
    print_name(c);
    return errors;
}

int forgotten_flag_bad(const char *input)
{
    int done = 0, at = 0;

    while (!done) { /* indict: doomed */
        if (input[at & 7] == '\n')
            at = 0;
        at++;
    }
    return at;
}

int forgotten_flag_ok(const char *input)
{
    int done = 0, at = 0;

    while (!done) {
        if (input[at & 7] == '\n')
            done = 1;
        at++;
    }
    return at;
}

int contradiction_bad(int low, int high)
{
    int width = high - low;

    if (high < low)
        return -1;
    if (high == low)
        assert(width != 0); /* indict: assertion */
    return width;
}

int contradiction_ok(int low, int high)
{
    int width = high - low;

    if (high < low)
        return -1;
    if (high == low)
        assert(width == 0);
    return width;
}
