/* Arithmetic that is not what it looks like: promotion to int, wrap-around of unsigned values,
 * comparisons of signed with unsigned, conversions to narrower types. A test was made, and the
 * arithmetic undoes it. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT 64u

static uint8_t frame[LIMIT];

int sum_wraps_bad(unsigned offset, unsigned length)
{
    if (offset + length > LIMIT || length == 0)
        return -1;
    return frame[offset]; /* indict: out-of-bounds */
}

int sum_wraps_ok(unsigned offset, unsigned length)
{
    if (offset >= LIMIT || length == 0)
        return -1;
    return frame[offset];
}

int signed_length_bad(uint8_t *out, int length)
{
    uint8_t copy[32] = {0};

    if (length > (int)sizeof copy)
        return -1;
    memcpy(copy, out, (size_t)length); /* indict: out-of-bounds */
    return copy[0];
}

int signed_length_ok(uint8_t *out, int length)
{
    uint8_t copy[32] = {0};

    if (length > (int)sizeof copy || length < 0)
        return -1;
    memcpy(copy, out, (size_t)length);
    return copy[0];
}

uint8_t *narrow_count_bad(unsigned count)
{
    uint8_t size = (uint8_t)(count + 1);
    uint8_t *block;

    if (count < 200 || count > 300)
        return NULL;
    block = malloc(size);
    if (block == NULL)
        return NULL;
    block[count] = 0; /* indict: out-of-bounds */
    return block;
}

uint8_t *narrow_count_ok(unsigned count)
{
    unsigned size = count + 1;
    uint8_t *block;

    if (count < 200 || count > 300)
        return NULL;
    block = malloc(size);
    if (block == NULL)
        return NULL;
    block[count] = 0;
    return block;
}

int minus_one_bad(const char *text)
{
    static const int weights[4] = {1, 2, 4, 8};
    size_t length = strlen(text);

    if (length - 1 > 3 && length != 0)
        return -1;
    return weights[length - 1]; /* indict: out-of-bounds */
}

int minus_one_ok(const char *text)
{
    static const int weights[4] = {1, 2, 4, 8};
    size_t length = strlen(text);

    if (length - 1 > 3)
        return -1;
    return weights[length - 1];
}

int sizeof_is_unsigned_bad(int offset)
{
    static const int table[8];

    if (offset < -4)
        return -1;
    if (offset < (int)(sizeof table / sizeof table[0]))
        return table[offset]; /* indict: out-of-bounds */
    return 0;
}

int sizeof_is_unsigned_ok(int offset)
{
    static const int table[8];

    if (offset < -4)
        return -1;
    if (offset < sizeof table / sizeof table[0])
        return table[offset];
    return 0;
}

int char_is_signed_bad(const char *text)
{
    static const uint8_t classes[128];
    signed char c = (signed char)text[0];

    if (c > 126 || c == 0)
        return 0;
    return classes[c]; /* indict: out-of-bounds */
}

int char_is_signed_ok(const char *text)
{
    static const uint8_t classes[128];
    unsigned char c = (unsigned char)text[0];

    if (c > 126 || c == 0)
        return 0;
    return classes[c];
}

int not_of_a_byte_bad(uint8_t check)
{
    static const uint8_t inverse[256];

    if (check > 15)
        return -1;
    return inverse[~check & 0x1ff]; /* indict: out-of-bounds */
}

int not_of_a_byte_ok(uint8_t check)
{
    static const uint8_t inverse[256];

    if (check > 15)
        return -1;
    return inverse[~check & 0xff];
}

int distance_bad(unsigned low, unsigned high)
{
    static const int costs[100];

    if (low > high || high >= 100)
        return -1;
    return costs[low - high]; /* indict: out-of-bounds */
}

int distance_ok(unsigned low, unsigned high)
{
    static const int costs[100];

    if (low > high || high >= 100)
        return -1;
    return costs[high - low];
}

uint32_t *multiply_wraps_bad(uint32_t count)
{
    uint32_t *table;

    if (count < 0x40000000u || count > 0x40000004u)
        return NULL;
    table = malloc(count * (uint32_t)sizeof *table);
    if (table == NULL)
        return NULL;
    table[1] = count; /* indict: out-of-bounds */
    return table;
}

uint32_t *multiply_wraps_ok(uint32_t count)
{
    uint32_t *table;

    if (count < 2 || count > 4)
        return NULL;
    table = malloc(count * (uint32_t)sizeof *table);
    if (table == NULL)
        return NULL;
    table[1] = count;
    return table;
}

int checksum_add_bad(uint8_t a, uint8_t b)
{
    uint8_t sum = a + b;

    if (a < 200 || b < 100)
        return 0;
    assert(sum > a); /* indict: assertion */
    return sum;
}

int checksum_add_ok(uint8_t a, uint8_t b)
{
    uint8_t sum = a + b;

    if (a < 200 || b < 100)
        return 0;
    assert(sum < a);
    return sum;
}

int sequence_after_bad(uint16_t a, uint16_t b)
{
    int16_t distance = (int16_t)(a - b);

    if (a < 0x8000 || b > 0x0fff)
        return 0;
    assert(distance > 0); /* indict: assertion */
    return distance;
}

int sequence_after_ok(uint16_t a, uint16_t b)
{
    int16_t distance = (int16_t)(a - b);

    if (a < 0x8000 || b > 0x0fff)
        return 0;
    assert(distance != 0);
    return distance;
}

int count_down_bad(const int *in)
{
    int copy[4], sum = 0;

    memcpy(copy, in, sizeof copy);
    for (unsigned i = 3; i >= 0; i--)
        sum ^= copy[i]; /* indict: out-of-bounds */
    return sum;
}

int count_down_ok(const int *in)
{
    int copy[4], sum = 0;

    memcpy(copy, in, sizeof copy);
    for (int i = 3; i >= 0; i--)
        sum ^= copy[i];
    return sum;
}
