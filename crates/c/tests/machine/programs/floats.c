/* Floating-point numbers, all operations that are exact, on all pairs of a few numbers at which something
 * happens and of some that a generator gives. What is printed are sums of the bits. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const uint64_t special[] = {
    0, 0x8000000000000000, 1, 0x8000000000000001, 0x000fffffffffffff, 0x0010000000000000,
    0x3ff0000000000000, 0xbff0000000000000, 0x3ff8000000000000, 0x3fb999999999999a,
    0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
    0x4170000000000000, 0x4170000010000000, 0x4340000000000000, 0x4340000000000001,
    0x41dfffffffc00000, 0xc1e0000000000000, 0x47efffffe0000000, 0x47efffffefffffff,
    0x36a0000000000000, 0x380fffffc0000000, 0x4008000000000000, 0xc00c000000000000,
};

enum { SPECIAL = sizeof special / sizeof *special, RANDOM = 14, ALL = SPECIAL + RANDOM };

static double doubles[ALL];
static float floats[ALL];

static uint64_t seed = 88172645463325252u;

static uint64_t next(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static uint64_t wide(double x)
{
    uint64_t bits;

    if (x != x)
        return 7;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint32_t narrow(float x)
{
    union {
        float number;
        uint32_t bits;
    } u;

    if (x != x)
        return 7;
    u.number = x;
    return u.bits;
}

static unsigned compared(double a, double b)
{
    return (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5
        | !(a < b) << 6 | !(a >= b) << 7 | (a ? 1 : 0) << 8 | !b << 9;
}

static unsigned compared_float(float a, float b)
{
    return (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5
        | __builtin_isless(a, b) << 6 | __builtin_islessgreater(a, b) << 7
        | __builtin_isunordered(a, b) << 8;
}

/* Conversions to integers, of numbers that fit. */
static uint64_t whole(double x)
{
    uint64_t sum = 0;

    if (x > -129 && x < 128)
        sum += (unsigned char)(signed char)x;
    if (x > -1 && x < 65536)
        sum = sum * 31 + (unsigned short)x;
    if (x > -2147483649.0 && x < 2147483648.0)
        sum = sum * 31 + (unsigned)(int)x;
    if (x > -1 && x < 4294967296.0)
        sum = sum * 31 + (unsigned)x;
    if (x >= -9223372036854775808.0 && x < 9223372036854775808.0)
        sum = sum * 31 + (uint64_t)(long)x;
    if (x > -1 && x < 18446744073709551616.0)
        sum = sum * 31 + (unsigned long)x;
    if ((float)x >= 0 && (float)x < 18446744073709551616.0f)
        sum = sum * 31 + (unsigned long)(float)x + (_Bool)x;
    return sum;
}

/* Numbers made of integers of all kinds. */
static uint64_t made(uint64_t bits)
{
    uint64_t sum = wide((double)bits);

    sum = sum * 31 + wide((double)(int64_t)bits);
    sum = sum * 31 + wide((double)(int32_t)bits);
    sum = sum * 31 + wide((double)(uint32_t)bits);
    sum = sum * 31 + wide((double)(int8_t)bits);
    sum = sum * 31 + narrow((float)bits);
    sum = sum * 31 + narrow((float)(int64_t)bits);
    sum = sum * 31 + narrow((float)(int32_t)bits);
    sum = sum * 31 + narrow((float)(uint32_t)bits);
    return sum * 31 + narrow((float)(uint16_t)bits);
}

int main(void)
{
    int i, j;

    for (i = 0; i < ALL; i++) {
        uint64_t bits = i < SPECIAL ? special[i] : next();

        if (i >= SPECIAL && i % 2)
            bits = (bits & 0x803fffffffffffff) | 0x3fc0000000000000;
        memcpy(&doubles[i], &bits, sizeof bits);
        floats[i] = (float)doubles[i];
    }
    for (i = 0; i < ALL; i++) {
        uint64_t sum = narrow(__builtin_fabsf(floats[i]));
        float more = floats[i];

        more += 1;
        sum += narrow(more);
        for (j = 0; j < ALL; j++) {
            double a = doubles[i], b = doubles[j];
            float c = floats[i], d = floats[j];

            sum = sum * 31 + wide(a + b);
            sum = sum * 31 + wide(a - b);
            sum = sum * 31 + wide(a * b);
            sum = sum * 31 + wide(-a * b + c);
            sum = sum * 31 + narrow(c + d);
            sum = sum * 31 + narrow(c - d);
            sum = sum * 31 + narrow(c * d);
            sum = sum * 31 + wide(c * b);
            sum = sum * 31 + compared(a, b);
            sum = sum * 31 + compared_float(c, d);
        }
        printf("%lu %lu %lu\n", sum, whole(doubles[i]), made(special[i % SPECIAL] + i));
    }
    return 0;
}
