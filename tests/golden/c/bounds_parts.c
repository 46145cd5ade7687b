/* Indices that leave a part and stay in the whole: rows of tables, members in the middle of structures,
 * values that a mask leaves too large. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct account {
    char owner[8];
    int limits[4];
    int balance;
};

struct screen {
    unsigned char cells[3][5];
    int cursor;
};

static const int costs[2][3] = {{1, 2, 3}, {4, 5, 6}};
static const char digits[10] = "0123456789";

int row_of_table_bad(int column)
{
    if (column < 0 || column > 3)
        return -1;
    return costs[0][column]; /* indict: out-of-bounds */
}

int row_of_table_ok(int column)
{
    if (column < 0 || column > 2)
        return -1;
    return costs[0][column];
}

int member_of_block_bad(int kind)
{
    struct account *a = calloc(1, sizeof *a);
    int limit;

    if (a == NULL || kind < 0 || kind > 4) {
        free(a);
        return -1;
    }
    limit = a->limits[kind]; /* indict: out-of-bounds */
    free(a);
    return limit;
}

int member_of_block_ok(int kind)
{
    struct account *a = calloc(1, sizeof *a);
    int limit;

    if (a == NULL || kind < 0 || kind > 3) {
        free(a);
        return -1;
    }
    limit = a->limits[kind];
    free(a);
    return limit;
}

void end_of_name_bad(struct account *a)
{
    memset(a->owner, 'x', sizeof a->owner);
    for (int i = 7; i <= 8; i++)
        a->owner[i] = '\0'; /* indict: out-of-bounds */
}

void end_of_name_ok(struct account *a)
{
    memset(a->owner, 'x', sizeof a->owner);
    for (int i = 6; i <= 7; i++)
        a->owner[i] = '\0';
}

void clear_line_bad(struct screen *s, int line)
{
    if (line < 0 || line > 2)
        return;
    for (int column = 0; column <= 5; column++)
        s->cells[line][column] = ' '; /* indict: out-of-bounds */
}

void clear_line_ok(struct screen *s, int line)
{
    if (line < 0 || line > 2)
        return;
    for (int column = 0; column < 5; column++)
        s->cells[line][column] = ' ';
}

int masked_digit_bad(unsigned value)
{
    return digits[value * 31 & 15]; /* indict: out-of-bounds */
}

int masked_digit_ok(unsigned value)
{
    return digits[value * 31 & 7];
}

int remainder_slot_bad(unsigned key)
{
    int slots[6] = {0};

    slots[key % 7] = 1; /* indict: out-of-bounds */
    return slots[0];
}

int remainder_slot_ok(unsigned key)
{
    int slots[6] = {0};

    slots[key % 6] = 1;
    return slots[0];
}

int header_and_body_bad(uint32_t header, uint32_t body)
{
    uint8_t packet[32] = {0};

    if (header + body > sizeof packet - 1)
        return -1;
    return packet[body]; /* indict: out-of-bounds */
}

int header_and_body_ok(uint32_t header, uint32_t body)
{
    uint8_t packet[32] = {0};

    if (header > 15 || body > sizeof packet - 1)
        return -1;
    return packet[body];
}

/* An array at the end of a structure may be as long as the object is. */
struct message {
    int length;
    char text[1];
};

int trailing_array(const struct message *m, int at)
{
    if (at < 0 || at > 9)
        return -1;
    return m->text[at];
}

/* One past the end of a row is an address like any other. */
int last_in_row(const int table[2][4])
{
    int sum = 0;

    for (const int *cell = table[0]; cell != &table[0][4]; cell++)
        sum += *cell;
    return sum;
}

/* A pointer that has left its row behind may go as far as the table does. */
int all_cells(void)
{
    int table[2][4] = {{1}}, sum = 0;
    const int *cell = &table[0][0];

    for (int i = 0; i < 8; i++)
        sum += cell[i];
    return sum;
}
