/* Assertions about what a function computed itself. What only restates untested inputs is a
 * precondition and is not here. */
#include <assert.h>
#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct heap {
    int items[8];
    int count;
};

struct range {
    unsigned begin;
    unsigned end;
};

int clamp_bad(int value, int low, int high)
{
    int result = value;

    if (low >= high)
        return low;
    if (result < low)
        result = low;
    if (result > high + 1)
        result = high;
    assert(result <= high); /* indict: assertion */
    return result;
}

int clamp_ok(int value, int low, int high)
{
    int result = value;

    if (low >= high)
        return low;
    if (result < low)
        result = low;
    if (result > high)
        result = high;
    assert(result <= high);
    return result;
}

unsigned absolute_bad(int value)
{
    long long wide = value;

    if (wide < -1)
        wide = -wide;
    assert(wide >= 0); /* indict: assertion */
    return (unsigned)wide;
}

unsigned absolute_ok(int value)
{
    long long wide = value;

    if (wide < 0)
        wide = -wide;
    assert(wide >= 0);
    return (unsigned)wide;
}

int parse_digit_bad(char c)
{
    int value = -1;

    if (c >= '0' && c <= '9')
        value = c - '0';
    else if (c >= 'a' && c <= 'f')
        value = c - 'a' + 11;
    assert(value < 16); /* indict: assertion */
    return value;
}

int parse_digit_ok(char c)
{
    int value = -1;

    if (c >= '0' && c <= '9')
        value = c - '0';
    else if (c >= 'a' && c <= 'f')
        value = c - 'a' + 10;
    assert(value < 16);
    return value;
}

struct range intersect_bad(struct range a, struct range b)
{
    struct range r;

    r.begin = a.begin > b.begin ? a.begin : b.begin;
    r.end = a.end < b.end ? a.end : b.end;
    if (r.end < r.begin && a.begin < b.begin)
        r.end = r.begin;
    assert(r.begin <= r.end); /* indict: assertion */
    return r;
}

struct range intersect_ok(struct range a, struct range b)
{
    struct range r;

    r.begin = a.begin > b.begin ? a.begin : b.begin;
    r.end = a.end < b.end ? a.end : b.end;
    if (r.end < r.begin)
        r.end = r.begin;
    assert(r.begin <= r.end);
    return r;
}

int heap_push_bad(struct heap *h, int item)
{
    int at = h->count;

    if (at < 0 || at > 8)
        return -1;
    h->count = at + 1;
    assert(h->count <= 8); /* indict: assertion */
    h->items[at] = item;
    return at;
}

int heap_push_ok(struct heap *h, int item)
{
    int at = h->count;

    if (at < 0 || at >= 8)
        return -1;
    h->count = at + 1;
    assert(h->count <= 8);
    h->items[at] = item;
    return at;
}

int toggle_bad(int state, const char *events)
{
    if (state != 0 && state != 1)
        return -1;
    for (int i = 0; i < 3; i++)
        if (events[i] == 't')
            state = state ? 0 : 2;
    assert(state == 0 || state == 1); /* indict: assertion */
    return state;
}

int toggle_ok(int state, const char *events)
{
    if (state != 0 && state != 1)
        return -1;
    for (int i = 0; i < 3; i++)
        if (events[i] == 't')
            state = state ? 0 : 1;
    assert(state == 0 || state == 1);
    return state;
}

int partition_bad(const int *values)
{
    int a[3], last = 0;

    memcpy(a, values, sizeof a);
    for (int i = 1; i < 3; i++) {
        if (a[i] < a[0]) {
            int t = a[++last];

            a[last] = a[i];
            a[i] = t;
        }
    }
    assert(last < 2); /* indict: assertion */
    return last;
}

int partition_ok(const int *values)
{
    int a[3], last = 0;

    memcpy(a, values, sizeof a);
    for (int i = 1; i < 3; i++) {
        if (a[i] < a[0]) {
            int t = a[++last];

            a[last] = a[i];
            a[i] = t;
        }
    }
    assert(last <= 2);
    return last;
}

uint32_t align_up_bad(uint32_t size)
{
    uint32_t rounded = (size + 15) & ~15u;

    if (size > 0xfffffff8u)
        return 0;
    assert(rounded >= size); /* indict: assertion */
    return rounded;
}

uint32_t align_up_ok(uint32_t size)
{
    uint32_t rounded = (size + 15) & ~15u;

    if (size > 0xfffffff0u)
        return 0;
    assert(rounded >= size);
    return rounded;
}

int fn_count_bits_bad(uint8_t byte)
{
    int bits = 0;

    while (byte) {
        byte &= byte - 1;
        bits++;
    }
    assert(bits < 8); /* indict: assertion */
    return bits;
}

int fn_count_bits_ok(uint8_t byte)
{
    int bits = 0;

    while (byte) {
        byte &= byte - 1;
        bits++;
    }
    assert(bits <= 8);
    return bits;
}

void swap_in_place_bad(int *left, int *right)
{
    int a = *left, b = *right;

    if (a == b)
        return;
    *left = b, *right = *left;
    assert(*left != *right); /* indict: assertion */
}

void swap_in_place_ok(int *left, int *right)
{
    int a = *left, b = *right;

    if (a == b)
        return;
    *left = b, *right = a;
    assert(*left != *right);
}

static int highest_bit(uint32_t word)
{
    int bit = -1;

    for (int shift = 16; shift > 0; shift >>= 1) {
        if (word >> shift) {
            word >>= shift;
            bit += shift;
        }
    }
    return bit + (word != 0);
}

int fn_log2_floor_bad(uint32_t word)
{
    int bit = highest_bit(word);

    assert(bit >= 0); /* indict: assertion */
    return bit;
}

int fn_log2_floor_ok(uint32_t word)
{
    int bit = highest_bit(word);

    assert(bit >= -1);
    return bit;
}

int after_ten_thousand_bad(const uint8_t *bytes)
{
    unsigned errors = 0;
    int i;

    for (i = 0; i < 10000; i++)
        if (bytes[i] > 200)
            errors++;
    assert(i < 10000); /* indict: assertion */
    return (int)errors;
}

int after_ten_thousand_ok(const uint8_t *bytes)
{
    unsigned errors = 0;
    int i;

    for (i = 0; i < 10000; i++)
        if (bytes[i] > 200)
            errors++;
    assert(i <= 10000);
    return (int)errors;
}
