/* What is never reported of floating-point numbers: what needs a NaN that nobody makes or tests for, and what
 * depends on operations that are not modelled. */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float positive(void)
{
    float x = (float)rand() / 7;

    if (x < 0.)
        exit(1);
    return x;
}

int one_or_the_other_ok(void)
{
    int *p = NULL;
    int y = 1;

    if (positive() >= 0)
        p = &y;
    return *p;
}

int trichotomy_ok(double x, double y)
{
    int one = 1;
    int *p = NULL;

    if (x < y)
        p = &one;
    else if (x > y)
        p = &one;
    else if (x == y)
        p = &one;
    return *p;
}

int of_memory_ok(const struct { float low, high; } *range)
{
    int one = 1;
    int *p = NULL;

    if (range->low < range->high)
        p = &one;
    if (range->low >= range->high)
        p = &one;
    return *p;
}

int last_side_ok(double x)
{
    int *p = NULL;

    if (x < 0)
        return 1;
    else if (x >= 0)
        return 2;
    else
        return *p;
}

int half_ok(double x)
{
    int *p = NULL;

    if (x > 0 && x / 2 > x)
        return *p;
    return 0;
}

int root_ok(double x)
{
    int *p = NULL;

    if (sqrt(x) < 0)
        return *p;
    return 0;
}

int remainder_ok(double x)
{
    int a[4] = { 0 };
    int i = (int)fmod(x, 4);

    if (i < 0)
        return 0;
    return a[i];
}

int fused_ok(double a, double b, double c)
{
    int *p = NULL;

    if (fma(a, b, c) != fma(b, a, c))
        return *p;
    return 0;
}

int extended_ok(double x)
{
    long double y = x;
    int *p = NULL;

    if ((double)y != x)
        return *p;
    return 0;
}

int rounded_down_ok(double x)
{
    int *p = NULL;

    if (floor(x) > x)
        return *p;
    return 0;
}

int share_ok(unsigned part, unsigned whole)
{
    static const char bars[101];
    int percent;

    if (whole == 0 || part > whole)
        return 0;
    percent = (int)(100.0 * part / whole);
    assert(percent >= 0);
    return bars[percent];
}
