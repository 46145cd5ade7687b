/* Structures and their parts: aliasing through members, copies of structures, unions, bit-fields,
 * compound literals, nested arrays. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct point {
    int x, y;
};

struct segment {
    struct point from, to;
    struct segment *next;
};

struct header {
    unsigned version : 4;
    unsigned length : 4;
    signed priority : 3;
    unsigned last : 1;
};

struct value {
    enum { INTEGER, TEXT, NONE } kind;
    union {
        long integer;
        char *text;
    } u;
};

int alias_member_bad(struct segment *s)
{
    int *x = &s->from.x;
    int before;

    s->from.x = 1;
    before = s->from.x;
    *x = 0;
    return before / s->from.x; /* indict: division-by-zero */
}

int alias_member_ok(struct segment *s)
{
    int *x = &s->from.x;
    int before;

    s->from.x = 1;
    before = s->from.x;
    *x = 2;
    return before / s->from.x;
}

int copy_is_apart_bad(struct point p)
{
    struct point copy = p;

    copy.x = 5;
    p.x = 0;
    return copy.x / p.x; /* indict: division-by-zero */
}

int copy_is_apart_ok(struct point p)
{
    struct point copy = p;

    copy.x = 5;
    p.x = copy.x;
    return copy.x / p.x;
}

int copied_pointer_bad(struct segment *s)
{
    struct segment copy = *s;

    if (copy.next != NULL)
        return 0;
    return s->next->to.x; /* indict: null-dereference */
}

int copied_pointer_ok(struct segment *s)
{
    struct segment copy = *s;

    if (copy.next != NULL)
        return 0;
    return s->next ? s->next->to.x : 0;
}

int union_bytes_bad(void)
{
    static const int table[4];
    union {
        uint32_t word;
        uint8_t bytes[4];
    } u = {.word = 0x04030201};

    return table[u.bytes[3]]; /* indict: out-of-bounds */
}

int union_bytes_ok(void)
{
    static const int table[4];
    union {
        uint32_t word;
        uint8_t bytes[4];
    } u = {.word = 0x04030201};

    return table[u.bytes[0]];
}

size_t tagged_union_bad(struct value *v)
{
    if (v->kind == NONE)
        v->u.text = NULL;
    if (v->kind != INTEGER)
        return strlen(v->u.text); /* indict: null-dereference */
    return 0;
}

size_t tagged_union_ok(struct value *v)
{
    if (v->kind == NONE)
        v->u.text = NULL;
    if (v->kind == TEXT)
        return strlen(v->u.text);
    return 0;
}

int union_null_bad(struct value *v)
{
    v->u.integer = 0;
    v->kind = TEXT;
    return v->u.text[0]; /* indict: null-dereference */
}

int union_null_ok(struct value *v)
{
    v->u.text = "";
    v->kind = TEXT;
    return v->u.text[0];
}

int bitfield_truncates_bad(unsigned length)
{
    struct header h = {.version = 1};

    if (length == 0 || length > 16)
        return 0;
    h.length = length;
    return 60 / h.length; /* indict: division-by-zero */
}

int bitfield_truncates_ok(unsigned length)
{
    struct header h = {.version = 1};

    if (length == 0 || length > 15)
        return 0;
    h.length = length;
    return 60 / h.length;
}

int bitfield_is_signed_bad(unsigned priority)
{
    static const int queues[8];
    struct header h = {0};

    if (priority > 7)
        return -1;
    h.priority = (int)priority;
    return queues[h.priority]; /* indict: out-of-bounds */
}

int bitfield_is_signed_ok(unsigned priority)
{
    static const int queues[8];
    struct header h = {0};

    if (priority > 3)
        return -1;
    h.priority = (int)priority;
    return queues[h.priority];
}

int bitfield_neighbour_bad(struct header *h)
{
    h->last = 1;
    h->version = 15;
    h->version++;
    assert(h->version != 0); /* indict: assertion */
    return h->last;
}

int bitfield_neighbour_ok(struct header *h)
{
    h->last = 1;
    h->version = 15;
    h->length++;
    assert(h->version != 0);
    return h->last;
}

int compound_literal_bad(int which)
{
    const int *weights = (const int[]){1, 3, 3, 1};

    if (which < 0 || which > 4)
        return 0;
    return weights[which]; /* indict: out-of-bounds */
}

int compound_literal_ok(int which)
{
    const int *weights = (const int[]){1, 3, 3, 1};

    if (which < 0 || which > 3)
        return 0;
    return weights[which];
}

int array_of_structs_bad(const struct point *in)
{
    struct point points[3];
    int sum = 0;

    memcpy(points, in, sizeof points);
    for (struct point *p = points; p <= points + 3; p++)
        sum += p->x & 0xff; /* indict: out-of-bounds */
    return sum;
}

int array_of_structs_ok(const struct point *in)
{
    struct point points[3];
    int sum = 0;

    memcpy(points, in, sizeof points);
    for (struct point *p = points; p < points + 3; p++)
        sum += p->x & 0xff;
    return sum;
}

const char *designated_bad(unsigned code)
{
    static const char *const texts[] = {[0] = "ok", [1] = "retry", [4] = "fatal"};

    if (code > 4)
        return "?";
    if (code >= 2)
        return texts[code] + (texts[code][0] == 'f'); /* indict: null-dereference */
    return texts[code];
}

const char *designated_ok(unsigned code)
{
    static const char *const texts[] = {[0] = "ok", [1] = "retry", [4] = "fatal"};

    if (code > 4)
        return "?";
    if (code >= 4)
        return texts[code] + (texts[code][0] == 'f');
    return texts[code];
}

static struct point scale(struct point p, int by)
{
    p.x *= by;
    p.y *= by;
    return p;
}

int returned_struct_bad(int width)
{
    struct point p = {2, 3};

    p = scale(p, 0);
    return width / p.y; /* indict: division-by-zero */
}

int returned_struct_ok(int width)
{
    struct point p = {2, 3};

    p = scale(p, 1);
    return width / p.y;
}

int intra_object_bad(int column)
{
    struct {
        int cells[4];
        int guard;
    } row = {{1, 2, 3, 4}, 0};

    if (column < 0 || column > 4)
        return -1;
    return row.cells[column]; /* indict: out-of-bounds */
}

int intra_object_ok(int column)
{
    struct {
        int cells[4];
        int guard;
    } row = {{1, 2, 3, 4}, 0};

    if (column < 0 || column > 3)
        return -1;
    return row.cells[column];
}
