/* Loops that run one step too far, and code behind loops: nested loops, do/while, loops that count
 * down, loops of many thousand rounds. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SLOTS 6

struct ring {
    int slots[SLOTS];
    unsigned head;
};

void clear_slots_bad(struct ring *out)
{
    int slots[SLOTS];

    for (int i = 0; i <= SLOTS; i++)
        slots[i] = 0; /* indict: out-of-bounds */
    memcpy(out->slots, slots, sizeof slots);
}

void clear_slots_ok(struct ring *out)
{
    int slots[SLOTS];

    for (int i = 0; i < SLOTS; i++)
        slots[i] = 0;
    memcpy(out->slots, slots, sizeof slots);
}

void reverse_bad(const int *in, int *out)
{
    int copy[5];

    for (int i = 0; i < 5; i++)
        copy[5 - i] = in[i]; /* indict: out-of-bounds */
    for (int i = 0; i < 5; i++)
        out[i] = copy[i];
}

void reverse_ok(const int *in, int *out)
{
    int copy[5];

    for (int i = 0; i < 5; i++)
        copy[4 - i] = in[i];
    for (int i = 0; i < 5; i++)
        out[i] = copy[i];
}

void fn_insertion_sort_bad(int *values)
{
    int a[4];

    memcpy(a, values, sizeof a);
    for (int i = 1; i < 4; i++) {
        int key = a[i], j = i - 1;

        while (a[j] > key) { /* indict: out-of-bounds */
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = key;
    }
    memcpy(values, a, sizeof a);
}

void fn_insertion_sort_ok(int *values)
{
    int a[4];

    memcpy(a, values, sizeof a);
    for (int i = 1; i < 4; i++) {
        int key = a[i], j = i - 1;

        while (j >= 0 && a[j] > key) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = key;
    }
    memcpy(values, a, sizeof a);
}

int after_long_loop_bad(const uint8_t *packet)
{
    int lookup[4] = {1, 2, 4, 8};
    int i;

    for (i = 0; i < 10000; i++)
        if (packet[i] == 0xff)
            break;
    if (i == 10000)
        return lookup[i / 2500]; /* indict: out-of-bounds */
    return 0;
}

int after_long_loop_ok(const uint8_t *packet)
{
    int lookup[4] = {1, 2, 4, 8};
    int i;

    for (i = 0; i < 10000; i++)
        if (packet[i] == 0xff)
            break;
    if (i == 10000)
        return lookup[i / 2500 - 1];
    return 0;
}

int fn_long_sum_bad(const uint8_t *data, int *histogram)
{
    int classes[4] = {0};
    unsigned sum = 0;

    for (int i = 0; i < 4096; i++)
        sum += data[i];
    if (sum % 5 != 0)
        classes[sum % 5]++; /* indict: out-of-bounds */
    memcpy(histogram, classes, sizeof classes);
    return (int)sum;
}

int fn_long_sum_ok(const uint8_t *data, int *histogram)
{
    int classes[4] = {0};
    unsigned sum = 0;

    for (int i = 0; i < 4096; i++)
        sum += data[i];
    if (sum % 5 < 4)
        classes[sum % 5]++;
    memcpy(histogram, classes, sizeof classes);
    return (int)sum;
}

void fill_page_bad(uint8_t *out)
{
    uint8_t page[4096];
    int i = 0;

    do {
        page[i] = (uint8_t)i; /* indict: out-of-bounds */
        i++;
    } while (i <= 4096);
    memcpy(out, page, 16);
}

void fill_page_ok(uint8_t *out)
{
    uint8_t page[4096];
    int i = 0;

    do {
        page[i] = (uint8_t)i;
        i++;
    } while (i < 4096);
    memcpy(out, page, 16);
}

void transpose_bad(const int in[3][4], int *out)
{
    int result[4][3];

    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            result[row][column] = in[row][column]; /* indict: out-of-bounds */
    memcpy(out, result, sizeof result);
}

void transpose_ok(const int in[3][4], int *out)
{
    int result[4][3];

    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            result[column][row] = in[row][column];
    memcpy(out, result, sizeof result);
}

int count_down_bad(const char *digits)
{
    static const int weights[3] = {1, 10, 100};
    int value = 0;

    for (int i = 3; i >= 0; i--)
        value += weights[i] * (digits[2 - (i & 1)] - '0'); /* indict: out-of-bounds */
    return value;
}

int count_down_ok(const char *digits)
{
    static const int weights[3] = {1, 10, 100};
    int value = 0;

    for (int i = 2; i >= 0; i--)
        value += weights[i] * (digits[2 - (i & 1)] - '0');
    return value;
}

void rotate_left_bad(uint32_t *words)
{
    uint32_t w[4];
    uint32_t first = words[0];

    memcpy(w, words, sizeof w);
    for (size_t i = 0; i < 4; i++)
        w[i] = w[i + 1]; /* indict: out-of-bounds */
    w[3] = first;
    memcpy(words, w, sizeof w);
}

void rotate_left_ok(uint32_t *words)
{
    uint32_t w[4];
    uint32_t first = words[0];

    memcpy(w, words, sizeof w);
    for (size_t i = 0; i < 3; i++)
        w[i] = w[i + 1];
    w[3] = first;
    memcpy(words, w, sizeof w);
}

int find_free_bad(const struct ring *r)
{
    int slots[SLOTS], i = 0;

    memcpy(slots, r->slots, sizeof slots);
    while (slots[i] != 0 && i < SLOTS - 1)
        i++;
    return slots[i] == 0 ? i : slots[i + 1]; /* indict: out-of-bounds */
}

int find_free_ok(const struct ring *r)
{
    int slots[SLOTS], i = 0;

    memcpy(slots, r->slots, sizeof slots);
    while (slots[i] != 0 && i < SLOTS - 1)
        i++;
    return slots[i] == 0 ? i : slots[i - 1];
}

int triangle_bad(const int *weights)
{
    int sums[3] = {0};

    for (int i = 0; i < 3; i++)
        for (int j = i; j <= 3; j++)
            sums[j] += weights[i]; /* indict: out-of-bounds */
    return sums[0] ^ sums[1] ^ sums[2];
}

int triangle_ok(const int *weights)
{
    int sums[3] = {0};

    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            sums[j] += weights[i];
    return sums[0] ^ sums[1] ^ sums[2];
}

int step_by_two_bad(const uint8_t *pairs)
{
    uint8_t copy[7];
    int sum = 0;

    memcpy(copy, pairs, sizeof copy);
    for (unsigned i = 0; i < sizeof copy; i += 2)
        sum += copy[i] << 8 | copy[i + 1]; /* indict: out-of-bounds */
    return sum;
}

int step_by_two_ok(const uint8_t *pairs)
{
    uint8_t copy[7];
    int sum = 0;

    memcpy(copy, pairs, sizeof copy);
    for (unsigned i = 0; i < sizeof copy - 1; i += 2)
        sum += copy[i] << 8 | copy[i + 1];
    return sum;
}
