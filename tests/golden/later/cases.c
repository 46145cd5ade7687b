/* Mistakes that are not found yet, each with a twin without it, which is silent. One that is found moves to the goldens of
   its rule. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

struct point { int x, y; };
void show_point(const struct point *point);
void say(const char *text);

/* a `const` parameter does not take ownership */
void fn_shown_bad(void)
{
    struct point *point = malloc(sizeof *point); /* indict: memory-leak */

    if (!point)
        return;
    point->x = point->y = 1;
    show_point(point);
}

void shown_ok(void)
{
    struct point *point = malloc(sizeof *point);

    if (!point)
        return;
    point->x = point->y = 1;
    show_point(point);
    free(point);
}

void fn_said_bad(void)
{
    char *text = malloc(8); /* indict: memory-leak */

    if (!text)
        return;
    strcpy(text, "hello");
    say(text);
}

void said_ok(void)
{
    char *text = malloc(8);

    if (!text)
        return;
    strcpy(text, "hello");
    say(text);
    free(text);
}

/* functions on wide strings */
void fn_wide_lost_bad(void)
{
    wchar_t *text = malloc(8 * sizeof *text); /* indict: memory-leak */

    if (!text)
        return;
    wcscpy(text, L"hello");
}

void wide_lost_ok(void)
{
    wchar_t *text = malloc(8 * sizeof *text);

    if (!text)
        return;
    wcscpy(text, L"hello");
    free(text);
}

int fn_wide_bad(void)
{
    wchar_t text[4];

    wcscpy(text, L"more than four"); /* indict: out-of-bounds */
    return text[0] == L'm';
}

int wide_ok(void)
{
    wchar_t text[4];

    wcscpy(text, L"two");
    return text[0] == L'm';
}

/* a freed pointer is passed on */
void fn_passed_on_bad(void)
{
    char *text = malloc(8);

    if (!text)
        return;
    strcpy(text, "hello");
    free(text);
    say(text); /* indict: use-after-free */
}

void passed_on_ok(void)
{
    char *text = malloc(8);

    if (!text)
        return;
    strcpy(text, "hello");
    say(text);
    free(text);
}

/* loops that are executed a constant number of times */
void fn_hundred_rounds_bad(int *out)
{
    int squares[50];

    for (int i = 0; i != 100; i++)
        squares[i] = i * i; /* indict: out-of-bounds */
    *out = squares[7];
}

void hundred_rounds_ok(int *out)
{
    int squares[100];

    for (int i = 0; i != 100; i++)
        squares[i] = i * i;
    *out = squares[7];
}

void fn_fifty_rounds_bad(int *out)
{
    int squares[50];

    for (int i = 0; i <= 50; i++)
        squares[i] = i * i; /* indict: out-of-bounds */
    *out = squares[7];
}

void fifty_rounds_ok(int *out)
{
    int squares[50];

    for (int i = 0; i < 50; i++)
        squares[i] = i * i;
    *out = squares[7];
}

/* a function without a prototype, by way of a pointer */
static int *nothing() { return NULL; }
static int something_here;
static int *something() { return &something_here; }

void fn_old_style_bad(void)
{
    int *(*get)() = nothing;
    int *value = get();

    *value = 3; /* indict: null-dereference */
}

void old_style_ok(void)
{
    int *(*get)() = something;
    int *value = get();

    *value = 3;
}

/* both sides of a conditional expression are constants */
static struct point origin;

int fn_either_bad(int x)
{
    const struct point *point = x ? &origin : NULL;

    return point->x; /* indict: null-dereference */
}

int either_ok(int x)
{
    const struct point *point = x ? &origin : NULL;

    return point ? point->x : 0;
}
