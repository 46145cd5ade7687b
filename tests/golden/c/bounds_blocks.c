/* Blocks of memory: copies whose length is computed or was tested, sizes of the wrong type, flexible
 * arrays, variable-length arrays, blocks that are grown. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct message {
    uint16_t length;
    uint8_t type;
    uint8_t body[];
};

struct vector {
    int *items;
    size_t count;
    size_t capacity;
};

int copy_payload_bad(const uint8_t *packet, size_t length, uint8_t *out)
{
    uint8_t header[20];

    if (length > 2 * sizeof header)
        return -1;
    memcpy(header, packet, length); /* indict: out-of-bounds */
    memcpy(out, header, 4);
    return 0;
}

int copy_payload_ok(const uint8_t *packet, size_t length, uint8_t *out)
{
    uint8_t header[20];

    if (length > sizeof header)
        return -1;
    memcpy(header, packet, length);
    memcpy(out, header, 4);
    return 0;
}

int *wrong_sizeof_bad(size_t count)
{
    int *values = malloc(4 * sizeof(char));

    if (values == NULL)
        return NULL;
    for (int i = 0; i < 4; i++)
        values[i] = (int)count; /* indict: out-of-bounds */
    return values;
}

int *wrong_sizeof_ok(size_t count)
{
    int *values = malloc(4 * sizeof(int));

    if (values == NULL)
        return NULL;
    for (int i = 0; i < 4; i++)
        values[i] = (int)count;
    return values;
}

struct vector *sizeof_pointer_bad(size_t capacity)
{
    struct vector *v = malloc(sizeof v);

    if (v == NULL)
        return NULL;
    v->items = NULL;
    v->count = 0; /* indict: out-of-bounds */
    v->capacity = capacity;
    return v;
}

struct vector *sizeof_pointer_ok(size_t capacity)
{
    struct vector *v = malloc(sizeof *v);

    if (v == NULL)
        return NULL;
    v->items = NULL;
    v->count = 0;
    v->capacity = capacity;
    return v;
}

struct message *message_new_bad(uint8_t type)
{
    struct message *m = malloc(sizeof *m);

    if (m == NULL)
        return NULL;
    m->type = type;
    m->length = 4;
    memset(m->body, 0, m->length); /* indict: out-of-bounds */
    return m;
}

struct message *message_new_ok(uint8_t type)
{
    struct message *m = malloc(sizeof *m + 4);

    if (m == NULL)
        return NULL;
    m->type = type;
    m->length = 4;
    memset(m->body, 0, m->length);
    return m;
}

int message_body_bad(const struct message *m, uint8_t *out)
{
    uint8_t body[32];

    if (m->length > 64)
        return -1;
    memcpy(body, m->body, m->length); /* indict: out-of-bounds */
    memcpy(out, body, sizeof body);
    return m->type;
}

int message_body_ok(const struct message *m, uint8_t *out)
{
    uint8_t body[32];

    if (m->length > 32)
        return -1;
    memcpy(body, m->body, m->length);
    memcpy(out, body, sizeof body);
    return m->type;
}

int vector_push_bad(struct vector *v, int item)
{
    int *items = realloc(v->items, 8 * sizeof *items);

    if (items == NULL)
        return -1;
    v->items = items;
    v->capacity = 8;
    if (v->count > v->capacity)
        return -1;
    items[v->count++] = item; /* indict: out-of-bounds */
    return 0;
}

int vector_push_ok(struct vector *v, int item)
{
    int *items = realloc(v->items, 8 * sizeof *items);

    if (items == NULL)
        return -1;
    v->items = items;
    v->capacity = 8;
    if (v->count >= v->capacity)
        return -1;
    items[v->count++] = item;
    return 0;
}

char *shrink_bad(char *text, size_t length)
{
    char *smaller;

    if (length != 10)
        return text;
    smaller = realloc(text, length);
    if (smaller == NULL)
        return text;
    smaller[length] = '\0'; /* indict: out-of-bounds */
    return smaller;
}

char *shrink_ok(char *text, size_t length)
{
    char *smaller;

    if (length != 10)
        return text;
    smaller = realloc(text, length);
    if (smaller == NULL)
        return text;
    smaller[length - 1] = '\0';
    return smaller;
}

int scratch_row_bad(const int *row, int width)
{
    if (width < 1 || width > 6)
        return 0;
    int scratch[width];

    for (int i = 0; i <= width; i++)
        scratch[i] = row[i] & 0xff; /* indict: out-of-bounds */
    return scratch[0];
}

int scratch_row_ok(const int *row, int width)
{
    if (width < 1 || width > 6)
        return 0;
    int scratch[width];

    for (int i = 0; i < width; i++)
        scratch[i] = row[i] & 0xff;
    return scratch[0];
}

void move_up_bad(uint8_t *out, unsigned gap)
{
    uint8_t window[16] = {0};

    if (gap > 16)
        return;
    memmove(window + gap, window, 12); /* indict: out-of-bounds */
    memcpy(out, window, sizeof window);
}

void move_up_ok(uint8_t *out, unsigned gap)
{
    uint8_t window[16] = {0};

    if (gap > 4)
        return;
    memmove(window + gap, window, 12);
    memcpy(out, window, sizeof window);
}

int compare_keys_bad(const char *key)
{
    char stored[6] = "abcde";

    return memcmp(stored, key, sizeof stored + 2) == 0; /* indict: out-of-bounds */
}

int compare_keys_ok(const char *key)
{
    char stored[6] = "abcde";

    return memcmp(stored, key, sizeof stored) == 0;
}

void clear_tail_bad(uint8_t *block, unsigned used)
{
    uint8_t last[8];

    if (used > 8)
        return;
    memcpy(last, block, used);
    memset(last + used, 0, sizeof last - used + 1); /* indict: out-of-bounds */
    memcpy(block, last, used);
}

void clear_tail_ok(uint8_t *block, unsigned used)
{
    uint8_t last[8];

    if (used > 8)
        return;
    memcpy(last, block, used);
    memset(last + used, 0, sizeof last - used);
    memcpy(block, last, used);
}

int zero_allocation_bad(int rows)
{
    int *sums;

    if (rows < 0 || rows > 100)
        return -1;
    sums = calloc((size_t)rows, sizeof *sums);
    if (sums == NULL)
        return -1;
    sums[0] = rows; /* indict: out-of-bounds */
    free(sums);
    return rows;
}

int zero_allocation_ok(int rows)
{
    int *sums;

    if (rows <= 0 || rows > 100)
        return -1;
    sums = calloc((size_t)rows, sizeof *sums);
    if (sums == NULL)
        return -1;
    sums[0] = rows;
    free(sums);
    return rows;
}
