/* Signed arithmetic that leaves its type, for the rule that is off unless asked for: the operands were
 * tested, or are constants of the function itself. */
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

int add_limits_bad(int a, int b)
{
    if (a < 0 || b < 0)
        return -1;
    return a + b; /* indict: overflow */
}

int add_limits_ok(int a, int b)
{
    if (a < 0 || b < 0 || a > INT_MAX - b)
        return -1;
    return a + b;
}

int negate_bad(int value)
{
    if (value < 0)
        return -value; /* indict: overflow */
    return value;
}

int negate_ok(int value)
{
    if (value < 0 && value != INT_MIN)
        return -value;
    return value;
}

int fn_parse_number_bad(const char *text)
{
    int value = 0;

    while (*text >= '0' && *text <= '9') {
        if (value > INT_MAX / 10)
            return -1;
        value = value * 10 + (*text++ - '0'); /* indict: overflow */
    }
    return value;
}

int fn_parse_number_ok(const char *text)
{
    int value = 0;

    while (*text >= '0' && *text <= '9') {
        if (value > INT_MAX / 10 - 1)
            return -1;
        value = value * 10 + (*text++ - '0');
    }
    return value;
}

int area_bad(int width, int height)
{
    if (width < 0 || width > 65536 || height < 0 || height > 65536)
        return -1;
    return width * height; /* indict: overflow */
}

int area_ok(int width, int height)
{
    if (width < 0 || width > 4096 || height < 0 || height > 4096)
        return -1;
    return width * height;
}

uint32_t promoted_multiply_bad(uint16_t a, uint16_t b)
{
    if (a < 50000 || b < 50000)
        return 0;
    return a * b; /* indict: overflow */
}

uint32_t promoted_multiply_ok(uint16_t a, uint16_t b)
{
    if (a < 50000 || b < 50000)
        return 0;
    return (uint32_t)a * b;
}

int increment_last_bad(int count)
{
    if (count == INT_MAX)
        count++; /* indict: overflow */
    return count;
}

int increment_last_ok(int count)
{
    if (count != INT_MAX)
        count++;
    return count;
}

int fn_divide_minimum_bad(int value, int by)
{
    if (by == 0)
        return 0;
    if (value != INT_MIN)
        return 1;
    return value / by; /* indict: overflow */
}

int fn_divide_minimum_ok(int value, int by)
{
    if (by == 0 || (by == -1 && value == INT_MIN))
        return 0;
    if (value != INT_MIN)
        return 1;
    return value / by;
}
