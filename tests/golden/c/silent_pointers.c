/* Pointers that callers may have moved or put inside of larger objects: container_of, elements before
 * the one that is pointed at, parameters that may be the same object. Nothing here is a finding. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define IS_ERR(ptr) ((uintptr_t)(ptr) >= (uintptr_t)-4095)

struct list_head {
    struct list_head *next, *prev;
};

struct item {
    int key;
    struct list_head link;
    struct item *parent;
};

struct string_header {
    size_t length;
    char text[];
};

struct item *open_item(const char *path);

static int list_empty(const struct list_head *head)
{
    return head->next == head;
}

int key_of_link(struct list_head *link)
{
    return container_of(link, struct item, link)->key;
}

int key_of_next(struct list_head *head)
{
    return container_of(head->next, struct item, link)->key;
}

void set_key_of_member(struct list_head *link, int key)
{
    struct item *item = container_of(link, struct item, link);

    item->key = key;
    item->parent = NULL;
}

void release_by_link(struct list_head *link)
{
    free(container_of(link, struct item, link));
}

int sum_of_ring(struct list_head *head)
{
    int sum = 0;

    for (struct list_head *l = head->next; l != head; l = l->next)
        sum ^= container_of(l, struct item, link)->key;
    return sum;
}

void drain_ring(struct list_head *head)
{
    while (!list_empty(head)) {
        struct list_head *l = head->next;

        l->next->prev = l->prev;
        l->prev->next = l->next;
        free(container_of(l, struct item, link));
    }
}

void add_to_empty(struct list_head *head, struct list_head *entry)
{
    assert(list_empty(head));
    head->next = head->prev = entry;
    entry->next = entry->prev = head;
}

struct item *pop_first(struct list_head *head)
{
    struct list_head *first = head->next;

    assert(!list_empty(head));
    head->next = first->next;
    first->next->prev = head;
    return container_of(first, struct item, link);
}

void remove_last(struct list_head *head)
{
    struct list_head *last = head->prev;

    assert(!list_empty(head) && last->next == head);
    last->prev->next = head;
    head->prev = last->prev;
}

size_t length_before(const char *text)
{
    return ((const struct string_header *)(text - offsetof(struct string_header, text)))->length;
}

int byte_before(const unsigned char *p)
{
    return p[-1];
}

int word_before(const int *p)
{
    return p[-1] + p[-2];
}

int backwards_from_end(const char *end)
{
    while (end[-1] == ' ')
        end--;
    return *end;
}

int moved_and_back(const char *text)
{
    const char *p = text + strlen(text);

    if (p == text)
        return 0;
    return p[-1];
}

int previous_in_scan(const char *s)
{
    int escapes = 0;

    for (s = s + 1; *s; s++)
        if (s[-1] == '\\')
            escapes++;
    return escapes;
}

void free_header(char *text)
{
    free(text - offsetof(struct string_header, text));
}

int same_object(int *a, int *b)
{
    *a = 1;
    *b = 0;
    return 10 / *a;
}

void free_both(struct item *a, struct item *b)
{
    free(a);
    free(b);
}

int read_after_other_freed(struct item *a, struct item *b)
{
    free(a);
    return b->key;
}

int self_parent(struct item *i)
{
    struct item *parent = i->parent;

    free(i);
    return parent->key;
}

int compared_with_other(const struct item *a, const struct item *b)
{
    if (a == b)
        return 0;
    return a->key - b->key;
}

int error_pointer(const char *path)
{
    struct item *i = open_item(path);

    if (IS_ERR(i))
        return -1;
    return i->key;
}

int aligned_access(const unsigned char *bytes)
{
    const uint32_t *words = (const uint32_t *)(((uintptr_t)bytes + 3) & ~(uintptr_t)3);

    return (int)words[0];
}

int tagged_pointer(uintptr_t tagged)
{
    if (tagged & 1)
        return (int)(tagged >> 1);
    return ((const struct item *)tagged)->key;
}

size_t distance(const char *begin, const char *end)
{
    size_t n = 0;

    while (begin < end) {
        n += *begin == ',';
        begin++;
    }
    return n;
}

struct window {
    unsigned size;
    unsigned waiting;
    unsigned char *buffer;
    unsigned char *next;
};

void behind_what_waits(struct window *w)
{
    unsigned char *end;

    if (w->waiting == 0)
        w->next = w->buffer;
    end = w->buffer + (w->next - w->buffer) + w->waiting;
    end[w->size - 1] = 0;
}

struct channel {
    int state;
};

struct client {
    struct channel *channel;
    int flags;
};

/* A client may have no channel, but whoever hands one on has it. */
static struct client *new_client(struct channel *channel)
{
    struct client *c = malloc(sizeof *c);

    if (c == NULL)
        return NULL;
    if (channel)
        channel->state = 1;
    c->channel = channel;
    c->flags = 0;
    return c;
}

struct client *accept_client(struct channel *channel)
{
    struct client *c = new_client(channel);

    if (c == NULL)
        return NULL;
    c->flags = channel->state;
    return c;
}

struct chain {
    struct item *head;
    size_t length;
};

static void touch_head(struct chain *chain)
{
    if (chain->length == 0)
        return;
    chain->head->key = 0;
}

/* A chain of some length has a head: whoever takes the last item away leaves none. */
void drop_head(struct chain *chain)
{
    struct item *first = chain->head;

    if (first->parent == NULL)
        chain->head = NULL;
    else
        chain->head = first->parent;
    chain->length--;
    touch_head(chain);
    free(first);
}
