/* Floating-point numbers: comparisons, conversions, sums and products are those of the machine. */
#include <assert.h>
#include <math.h>
#include <stddef.h>

int produced_nan_bad(void)
{
    double big = 1e308;
    double x;
    int one = 1;
    int *p = NULL;

    big = big * 10;
    x = big - big;
    if (x < 0)
        p = &one;
    if (x >= 0)
        p = &one;
    return *p; /* indict: null-dereference */
}

int produced_nan_ok(void)
{
    double big = 1e308;
    double x;
    int one = 1;
    int *p = NULL;

    big = big * 10;
    x = big - 1;
    if (x < 0)
        p = &one;
    if (x >= 0)
        p = &one;
    return *p;
}

int tested_nan_bad(double x)
{
    int *p = NULL;

    if (isnan(x))
        return *p; /* indict: null-dereference */
    return 0;
}

int tested_nan_ok(double x)
{
    int *p = NULL;

    if (isnan(x) && x < 1)
        return *p;
    return 0;
}

int not_itself_bad(float x)
{
    int *p = NULL;

    if (x != x)
        return *p; /* indict: null-dereference */
    return 0;
}

int not_itself_ok(float x)
{
    int *p = NULL;

    if (x != x && x == 0)
        return *p;
    return 0;
}

int converted_index_bad(double x)
{
    int a[8] = { 0 };

    if (x < 0 || x > 8)
        return 0;
    return a[(int)x]; /* indict: out-of-bounds */
}

int converted_index_ok(double x)
{
    int a[8] = { 0 };

    if (!(x >= 0) || x >= 8)
        return 0;
    return a[(int)x];
}

int byte_index_bad(float x)
{
    static const char table[255];

    if (x >= 0 && x <= 255)
        return table[(unsigned char)x]; /* indict: out-of-bounds */
    return 0;
}

int byte_index_ok(float x)
{
    static const char table[255];

    if (x >= 0 && x < 255)
        return table[(unsigned char)x];
    return 0;
}

int rounded_bad(int n)
{
    if (n == 16777217)
        return 1 / ((int)(float)n - 16777216); /* indict: division-by-zero */
    return 0;
}

int rounded_ok(int n)
{
    if (n == 16777217)
        return 1 / ((int)(double)n - 16777216);
    return 0;
}

int widest_bad(unsigned long n)
{
    int *p = NULL;

    if (n == ~0ul && (double)n == 18446744073709551616.0)
        return *p; /* indict: null-dereference */
    return 0;
}

int widest_ok(unsigned long n)
{
    int *p = NULL;

    if (n == ~0ul && (double)n < 18446744073709551616.0)
        return *p;
    return 0;
}

int square_bad(double x)
{
    int *p = NULL;

    if (x * x > 4)
        return *p; /* indict: null-dereference */
    return 0;
}

int square_ok(double x)
{
    int *p = NULL;

    if (x * x < 0)
        return *p;
    return 0;
}

int tenths_bad(void)
{
    double sum = 0;
    int i;

    for (i = 0; i < 10; i++)
        sum += 0.1;
    assert(sum == 1); /* indict: assertion */
    return i;
}

int tenths_ok(void)
{
    double sum = 0;
    int i;

    for (i = 0; i < 10; i++)
        sum += 0.1;
    assert(sum < 1);
    return i;
}

int truncated_bad(double x)
{
    if (x > 2.5 && x < 3.5)
        return 1 / ((int)x - 2); /* indict: division-by-zero */
    return 0;
}

int truncated_ok(double x)
{
    if (x > 2.5 && x < 3.5)
        return 1 / ((int)x - 4);
    return 0;
}

int towards_zero_bad(float x)
{
    if (x < 0 && x > -1)
        return 1 / (int)x; /* indict: division-by-zero */
    return 0;
}

int towards_zero_ok(float x)
{
    if (x < -1 && x > -9)
        return 1 / (int)x;
    return 0;
}

int magnitude_bad(double x)
{
    if (fabs(x) < 1)
        return 1 / (int)fabs(x); /* indict: division-by-zero */
    return 0;
}

int magnitude_ok(double x)
{
    if (fabs(x) >= 1 && fabs(x) < 99)
        return 1 / (int)fabs(x);
    return 0;
}

int narrowed_bad(double x)
{
    int *p = NULL;

    if (x > 1 && (float)x == 1)
        return *p; /* indict: null-dereference */
    return 0;
}

int narrowed_ok(double x)
{
    int *p = NULL;

    if (x > 2 && (float)x == 1)
        return *p;
    return 0;
}

int negative_zero_bad(double x)
{
    int *p = NULL;

    if (x == 0 && signbit(x))
        return *p; /* indict: null-dereference */
    return 0;
}

int negative_zero_ok(double x)
{
    int *p = NULL;

    if (x > 0 && signbit(x))
        return *p;
    return 0;
}

static double mean;

int after_division_bad(double sum, double count, const int *p)
{
    mean = sum / count;
    if (p == NULL)
        return *p; /* indict: null-dereference */
    return 0;
}

int after_division_ok(double sum, double count, const int *p)
{
    mean = sum / count;
    if (p != NULL)
        return *p;
    return 0;
}
