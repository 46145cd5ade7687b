/* Divisors that are zero: tested and used all the same, counted and found empty, reached by subtraction
 * or by a conversion that loses the bits. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct format {
    unsigned channels;
    unsigned bits;
    unsigned rate;
};

int average_bad(const int *values, int count)
{
    int sum = 0;

    for (int i = 0; i < count; i++)
        sum += values[i] & 0xff;
    return sum / count; /* indict: division-by-zero */
}

int average_ok(const int *values, int count)
{
    int sum = 0;

    for (int i = 0; i < count; i++)
        sum += values[i] & 0xff;
    return count > 0 ? sum / count : 0;
}

unsigned block_align_bad(const struct format *f, unsigned bytes)
{
    unsigned frame = f->channels * f->bits / 8;

    if (f->channels == 0 || f->channels > 2 || f->bits > 32)
        return 0;
    return bytes / frame; /* indict: division-by-zero */
}

unsigned block_align_ok(const struct format *f, unsigned bytes)
{
    unsigned frame = f->channels * f->bits / 8;

    if (f->channels == 0 || f->channels > 2 || f->bits > 32)
        return 0;
    return frame ? bytes / frame : 0;
}

int percent_done_bad(unsigned total, unsigned left)
{
    if (left > total)
        return 0;
    return (int)(100u / (total - left)); /* indict: division-by-zero */
}

int percent_done_ok(unsigned total, unsigned left)
{
    if (left >= total)
        return 0;
    return (int)(100u / (total - left));
}

int log_and_divide_bad(int value, int scale, int *warnings)
{
    if (scale == 0)
        ++*warnings;
    return value / scale; /* indict: division-by-zero */
}

int log_and_divide_ok(int value, int scale, int *warnings)
{
    if (scale == 0)
        return 0;
    return value / scale;
}

unsigned bucket_of_bad(const char *key, unsigned buckets)
{
    unsigned hash = 5381;

    if (buckets > 1024)
        return 0;
    if (buckets != 0)
        hash ^= (unsigned char)key[0];
    return hash % buckets; /* indict: division-by-zero */
}

unsigned bucket_of_ok(const char *key, unsigned buckets)
{
    unsigned hash = 5381;

    if (buckets > 1024 || buckets == 0)
        return 0;
    if (buckets != 0)
        hash ^= (unsigned char)key[0];
    return hash % buckets;
}

int narrow_divisor_bad(unsigned ticks)
{
    uint8_t rate = (uint8_t)ticks;

    if (ticks != 256)
        return 0;
    return 1000 / rate; /* indict: division-by-zero */
}

int narrow_divisor_ok(unsigned ticks)
{
    unsigned rate = ticks;

    if (ticks != 256)
        return 0;
    return 1000 / rate;
}

static unsigned gcd(unsigned a, unsigned b)
{
    while (b != 0) {
        unsigned rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

unsigned reduce_bad(unsigned numerator, unsigned denominator)
{
    if (numerator != 0 || denominator != 0)
        return numerator;
    return numerator / gcd(numerator, denominator); /* indict: division-by-zero */
}

unsigned reduce_ok(unsigned numerator, unsigned denominator)
{
    if (numerator == 0 || denominator == 0)
        return numerator;
    return numerator / gcd(numerator, denominator);
}

int digits_in_base_bad(unsigned value, int base)
{
    int digits = 0;

    for (; base >= 0 && value != 0; base--) {
        value /= (unsigned)base; /* indict: division-by-zero */
        digits++;
    }
    return digits;
}

int digits_in_base_ok(unsigned value, int base)
{
    int digits = 0;

    for (; base >= 0 && value != 0; base--) {
        value /= (unsigned)base + 1;
        digits++;
    }
    return digits;
}

size_t count_lines_bad(const char *text, size_t length)
{
    size_t lines = 0;

    for (size_t i = 0; i < length; i++)
        if (text[i] == '\n')
            lines++;
    return length % lines; /* indict: division-by-zero */
}

size_t count_lines_ok(const char *text, size_t length)
{
    size_t lines = 0;

    for (size_t i = 0; i < length; i++)
        if (text[i] == '\n')
            lines++;
    return length % (lines + 1);
}

int wraps_to_zero_bad(unsigned speed)
{
    if (speed == 0)
        return 0;
    return 4000 / (8 * speed); /* indict: division-by-zero */
}

int wraps_to_zero_ok(unsigned speed)
{
    if (speed == 0 || speed > 1000)
        return 0;
    return 4000 / (8 * speed);
}
