/* Indices that were tested and still leave the array: off by one, one side forgotten, the wrong bound,
 * a negative offset, tables indexed by enumerations, two-dimensional arrays. */
#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum level { LEVEL_DEBUG, LEVEL_INFO, LEVEL_WARN, LEVEL_ERROR, LEVEL_COUNT };

static const char *const level_names[] = {"debug", "info", "warn", "error"};
static unsigned counters[8];

unsigned bump_counter_bad(int which)
{
    if (which < 0 || which > 8)
        return 0;
    return ++counters[which]; /* indict: out-of-bounds */
}

unsigned bump_counter_ok(int which)
{
    if (which < 0 || which >= 8)
        return 0;
    return ++counters[which];
}

const char *level_name_bad(enum level level)
{
    if (level > LEVEL_COUNT)
        return "unknown";
    return level_names[level]; /* indict: out-of-bounds */
}

const char *level_name_ok(enum level level)
{
    if (level >= LEVEL_COUNT)
        return "unknown";
    return level_names[level];
}

int month_days_bad(int month, int leap)
{
    static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    if (month < 1 || month > 12)
        return -1;
    if (leap && month == 2)
        return 29;
    return days[month]; /* indict: out-of-bounds */
}

int month_days_ok(int month, int leap)
{
    static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    if (month < 1 || month > 12)
        return -1;
    if (leap && month == 2)
        return 29;
    return days[month - 1];
}

int previous_slot_bad(const int *samples, int position)
{
    int ring[16];

    memcpy(ring, samples, sizeof ring);
    if (position < 0 || position >= 16)
        return 0;
    return ring[position] - ring[position - 1]; /* indict: out-of-bounds */
}

int previous_slot_ok(const int *samples, int position)
{
    int ring[16];

    memcpy(ring, samples, sizeof ring);
    if (position < 0 || position >= 16)
        return 0;
    return position == 0 ? 0 : ring[position] - ring[position - 1];
}

char only_upper_bad(int digit)
{
    static const char hex[] = "0123456789abcdef";

    if (digit >= 16)
        return '?';
    return hex[digit]; /* indict: out-of-bounds */
}

char only_upper_ok(int digit)
{
    static const char hex[] = "0123456789abcdef";

    if (digit >= 16 || digit < 0)
        return '?';
    return hex[digit];
}

int board_cell_bad(int row, int column)
{
    static int board[8][8];

    if (row < 0 || row > 8 || column < 0 || column >= 8)
        return -1;
    return board[row][column]; /* indict: out-of-bounds */
}

int board_cell_ok(int row, int column)
{
    static int board[8][8];

    if (row < 0 || row >= 8 || column < 0 || column >= 8)
        return -1;
    return board[row][column];
}

int board_swapped_bad(unsigned row, unsigned column)
{
    static int grid[4][6];

    if (row >= 4 || column >= 6)
        return -1;
    return grid[column][row]; /* indict: out-of-bounds */
}

int board_swapped_ok(unsigned row, unsigned column)
{
    static int grid[4][6];

    if (row >= 4 || column >= 6)
        return -1;
    return grid[row][column];
}

int sum_of_pairs_bad(const int *values, size_t count)
{
    int window[10];

    if (count > 10)
        return -1;
    memcpy(window, values, count * sizeof *values);
    if (count == 0)
        return 0;
    return count == 10 ? window[count] : window[0]; /* indict: out-of-bounds */
}

int sum_of_pairs_ok(const int *values, size_t count)
{
    int window[10];

    if (count > 10)
        return -1;
    memcpy(window, values, count * sizeof *values);
    if (count == 0)
        return 0;
    return count == 10 ? window[count - 1] : window[0];
}

int class_of_bad(const char *text)
{
    static const uint8_t classes[128] = {['0'] = 1, ['a'] = 2, ['_'] = 3};
    unsigned char c = (unsigned char)text[0];

    if (c > 128)
        return 0;
    return classes[c]; /* indict: out-of-bounds */
}

int class_of_ok(const char *text)
{
    static const uint8_t classes[128] = {['0'] = 1, ['a'] = 2, ['_'] = 3};
    unsigned char c = (unsigned char)text[0];

    if (c > 127)
        return 0;
    return classes[c];
}

int shift_down_bad(int *stack, int *depth)
{
    int saved[4];

    memcpy(saved, stack, sizeof saved);
    if (*depth > 4 || *depth < 0)
        return 0;
    *depth -= 1;
    return saved[*depth]; /* indict: out-of-bounds */
}

int shift_down_ok(int *stack, int *depth)
{
    int saved[4];

    memcpy(saved, stack, sizeof saved);
    if (*depth > 4 || *depth <= 0)
        return 0;
    *depth -= 1;
    return saved[*depth];
}

int wrong_array_bad(unsigned channel)
{
    static const short gains[16];
    static const short offsets[12];

    if (channel >= sizeof gains / sizeof gains[0])
        return 0;
    return gains[channel] + offsets[channel]; /* indict: out-of-bounds */
}

int wrong_array_ok(unsigned channel)
{
    static const short gains[16];
    static const short offsets[12];

    if (channel >= sizeof offsets / sizeof offsets[0])
        return 0;
    return gains[channel] + offsets[channel];
}

int size_in_bytes_bad(unsigned index)
{
    static int table[20];

    if (index < sizeof table)
        return table[index]; /* indict: out-of-bounds */
    return 0;
}

int size_in_bytes_ok(unsigned index)
{
    static int table[20];

    if (index < sizeof table / sizeof table[0])
        return table[index];
    return 0;
}

int identifier_length_bad(const char *text, char *out)
{
    char name[16];
    int n = 0;

    while (isalnum((unsigned char)text[n]) && n < 16) {
        name[n] = text[n];
        n++;
    }
    name[n] = '\0'; /* indict: out-of-bounds */
    out[0] = name[0];
    return n;
}

int identifier_length_ok(const char *text, char *out)
{
    char name[16];
    int n = 0;

    while (isalnum((unsigned char)text[n]) && n < 16) {
        name[n] = text[n];
        n++;
    }
    name[n < 16 ? n : 15] = '\0';
    out[0] = name[0];
    return n;
}
