/* State before the run: a stored value, or a parameter that nobody tests, is within its own range, whatever
   that is. A function that tests the value leaves open what it leaves open, and meets the boundary. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value { long payload; unsigned char tag, size; };
struct machine { int top; int stack[16]; int errors; };
struct buffer { const char *data; size_t length; };
struct entry { char *name; int end; };
struct table { struct entry *entries; int count; };
struct item { int kind, index; };
struct node { struct node *next; int value; };
struct header { unsigned kind : 4, flags : 12; };
struct average { long sum; int count; };

static const char *const type_names[9] = { "nil", "flag", "light", "number", "text", "table", "code", "data", "thread" };
static const char *const words[4] = { "and", "break", "do", "else" };

/* a tag that other code keeps below nine */
const char *stored_tag_bad(const struct value *v)
{
    return type_names[(v->tag * 7 + v->size) & 15]; /* indict: out-of-bounds */
}

const char *stored_tag_ok(const struct value *v)
{
    return type_names[v->tag & 15];
}

/* the same, taken out of a word that is passed in */
const char *passed_tag_bad(unsigned word)
{
    return type_names[(word * 0x9e3779b1u >> 20) & 15]; /* indict: out-of-bounds */
}

const char *passed_tag_ok(unsigned word)
{
    return type_names[(word >> 20) & 15];
}

/* a token that a lexer makes */
const char *token_name_bad(int token)
{
    if (token < 257 || token > 261)
        return "character";
    return words[token - 257]; /* indict: out-of-bounds */
}

const char *token_name_ok(int token)
{
    if (token < 257 || token > 260)
        return "character";
    return words[token - 257];
}

const char *keyword_bad(int token)
{
    if (token < 262)
        return "character";
    return words[token - 257]; /* indict: out-of-bounds */
}

const char *keyword_ok(int token)
{
    if (token < 257)
        return "character";
    return words[token - 257];
}

/* the top of a stack that other code keeps within it */
int push_bad(struct machine *m, int value)
{
    if (m->top > 16)
        return -1;
    m->stack[m->top] = value; /* indict: out-of-bounds */
    return 0;
}

int push_ok(struct machine *m, int value)
{
    if (m->top > 15)
        return -1;
    m->stack[m->top] = value;
    return 0;
}

int top_bad(const struct machine *m)
{
    static const int empty[1] = { 0 };

    if (m->top > 1)
        return m->stack[0];
    return empty[m->top]; /* indict: out-of-bounds */
}

int top_ok(const struct machine *m)
{
    static const int empty[1] = { 0 };

    if (m->top > 0)
        return m->stack[0];
    return empty[m->top];
}

/* a length that is stored, and that the function tests */
int copy_out_bad(const struct buffer *b)
{
    char copy[64];

    if (b->length > 65)
        return -1;
    memcpy(copy, b->data, b->length); /* indict: out-of-bounds */
    return copy[0];
}

int copy_out_ok(const struct buffer *b)
{
    char copy[64];

    if (b->length > 64)
        return -1;
    memcpy(copy, b->data, b->length);
    return copy[0];
}

/* a length that only a negative value breaks */
void padded_bad(const char *text, int n, int width)
{
    int i;

    for (i = n; i < width; i++)
        putchar(' ');
    if (n > 4096)
        text = NULL;
    putchar(*text); /* indict: null-dereference */
    fwrite(text, 1, n, stdout);
}

void padded_ok(const char *text, int n, int width)
{
    int i;

    for (i = n; i < width; i++)
        putchar(' ');
    if (n > 4096)
        n = 4096;
    putchar(*text);
    fwrite(text, 1, n, stdout);
}

/* a table that is there if there is something in it */
const char *first_name_bad(const struct table *t)
{
    if (t->entries == NULL && t->count == 0)
        return NULL;
    return t->entries->name; /* indict: null-dereference */
}

const char *first_name_ok(const struct table *t)
{
    if (t->entries == NULL || t->count == 0)
        return NULL;
    return t->entries->name;
}

static struct entry *entry_of(struct table *t, const struct item *item)
{
    if (item->kind == 3)
        return NULL;
    return &t->entries[item->index];
}

void close_entry_bad(struct table *t, const struct item *item, int end)
{
    struct entry *e = entry_of(t, item);

    if (e == NULL)
        e->end = end; /* indict: null-dereference */
}

void close_entry_ok(struct table *t, const struct item *item, int end)
{
    struct entry *e = entry_of(t, item);

    if (e != NULL)
        e->end = end;
}

/* an enumeration that other code keeps to three values */
enum colour { RED, GREEN, BLUE };

const char *colour_name_bad(enum colour c)
{
    static const char *const names[3] = { "red", "green", "blue" };

    if (c > BLUE + 1)
        return "none";
    return names[c]; /* indict: out-of-bounds */
}

const char *colour_name_ok(enum colour c)
{
    static const char *const names[3] = { "red", "green", "blue" };

    if (c > BLUE)
        return "none";
    return names[c];
}

/* a bit-field with room for more than there is */
const char *kind_name_bad(const struct header *h)
{
    if (h->kind > 9)
        return "unknown";
    return type_names[h->kind]; /* indict: out-of-bounds */
}

const char *kind_name_ok(const struct header *h)
{
    if (h->flags > 9)
        return "unknown";
    return type_names[h->kind];
}

/* a count that is not zero */
long mean_bad(const struct average *a)
{
    if (a->count < 0)
        return 0;
    return a->sum / a->count; /* indict: division-by-zero */
}

long mean_ok(const struct average *a)
{
    if (a->count < 1)
        return 0;
    return a->sum / a->count;
}

/* a pointer that is followed, and one that is tested first */
int after_next_bad(const struct node *n, int *missing)
{
    if (n->next == NULL)
        (*missing)++;
    return n->next->value; /* indict: null-dereference */
}

int after_next_ok(const struct node *n, int *missing)
{
    if (n->value == 0)
        (*missing)++;
    return n->next->value;
}

/* an error code below zero */
const char *error_text_bad(int status)
{
    static const char *const texts[4] = { "fine", "missing", "broken", "full" };

    if (status < -4 || status > 0)
        return "unknown";
    return texts[-status]; /* indict: out-of-bounds */
}

const char *error_text_ok(int status)
{
    static const char *const texts[4] = { "fine", "missing", "broken", "full" };

    if (status < -3 || status > 0)
        return "unknown";
    return texts[-status];
}

/* the place in a ring that this file keeps */
static int ring[8], ring_next;

int next_in_ring_bad(void)
{
    if (ring_next > 8)
        ring_next = 0;
    return ring[ring_next++]; /* indict: out-of-bounds */
}

int next_in_ring_ok(void)
{
    if (ring_next > 7)
        ring_next = 0;
    return ring[ring_next++];
}

/* a kind that selects a column, and is one of the few that have one */
int column_bad(const struct item *i)
{
    static const int columns[5] = { 3, 1, 4, 1, 5 };

    switch (i->kind) {
    case 0: return 0;
    case 5: return columns[i->kind]; /* indict: out-of-bounds */
    default: return columns[i->kind - 1];
    }
}

int column_ok(const struct item *i)
{
    static const int columns[5] = { 3, 1, 4, 1, 5 };

    switch (i->kind) {
    case 0: return 0;
    case 5: return columns[4];
    default: return columns[i->kind - 1];
    }
}
