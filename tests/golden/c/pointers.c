/* Pointers that are computed: container_of, interior pointers, differences, casts, error pointers,
 * functions reached through pointers, linked rings. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define MAX_ERRNO 4095
#define IS_ERR(ptr) ((uintptr_t)(ptr) >= (uintptr_t)-MAX_ERRNO)
#define ERR_PTR(error) ((void *)(intptr_t)(error))

struct list_head {
    struct list_head *next, *prev;
};

struct task {
    int pid;
    int weight;
    struct list_head link;
};

int container_bad(int pid)
{
    struct task *t = malloc(sizeof *t);
    struct list_head *link;

    if (t == NULL)
        return -1;
    t->pid = pid;
    link = &t->link;
    free(container_of(link, struct task, weight)); /* indict: invalid-free */
    return pid;
}

int container_ok(int pid)
{
    struct task *t = malloc(sizeof *t);
    struct list_head *link;

    if (t == NULL)
        return -1;
    t->pid = pid;
    link = &t->link;
    free(container_of(link, struct task, link));
    return pid;
}

int list_first_bad(void)
{
    struct list_head ring = {&ring, &ring};
    struct task one = {.pid = 1};

    one.link.next = ring.next;
    one.link.prev = &ring;
    ring.next = NULL;
    return one.weight + container_of(ring.next, struct task, link)->pid; /* indict: null-dereference */
}

int list_first_ok(void)
{
    struct list_head ring = {&ring, &ring};
    struct task one = {.pid = 1};

    one.link.next = ring.next;
    one.link.prev = &ring;
    ring.next = &one.link;
    return one.weight + container_of(ring.next, struct task, link)->pid;
}

static void list_del(struct list_head *entry)
{
    entry->next->prev = entry->prev;
    entry->prev->next = entry->next;
    entry->next = NULL;
    entry->prev = NULL;
}

int next_after_delete_bad(struct list_head *ring)
{
    struct list_head *first = ring->next;
    struct list_head *second = first->next;
    int steps = 0;

    list_del(first);
    for (struct list_head *l = first->next; steps < 1; l = l->next) /* indict: null-dereference */
        steps++;
    return steps + (second != NULL);
}

int next_after_delete_ok(struct list_head *ring)
{
    struct list_head *first = ring->next;
    struct list_head *second = first->next;
    int steps = 0;

    list_del(first);
    for (struct list_head *l = second; steps < 1; l = l->next)
        steps++;
    return steps + (second != NULL);
}

void drain_list_bad(struct list_head *ring)
{
    struct list_head *l = ring->next;

    while (l != ring) {
        struct list_head *next = l->next;
        struct task *t = container_of(l, struct task, link);

        free(t);
        l = t->weight ? next : l->next; /* indict: use-after-free */
    }
}

void drain_list_ok(struct list_head *ring)
{
    struct list_head *l = ring->next;

    while (l != ring) {
        struct list_head *next = l->next;
        struct task *t = container_of(l, struct task, link);

        free(t);
        l = next;
    }
}

static struct task *find_task(struct task *table, int pid)
{
    if (pid < 0)
        return ERR_PTR(-EINVAL);
    return table[0].pid == pid ? &table[0] : NULL;
}

int err_or_null_bad(struct task *table, int pid)
{
    struct task *t = find_task(table, pid);

    if (IS_ERR(t))
        return -1;
    return t->weight; /* indict: null-dereference */
}

int err_or_null_ok(struct task *table, int pid)
{
    struct task *t = find_task(table, pid);

    if (IS_ERR(t) || t == NULL)
        return -1;
    return t->weight;
}

char interior_bad(const char *text)
{
    char word[8];
    char *end = word + sizeof word;

    strncpy(word, text, sizeof word);
    return *end; /* indict: out-of-bounds */
}

char interior_ok(const char *text)
{
    char word[8];
    char *end = word + sizeof word;

    strncpy(word, text, sizeof word);
    return end[-1];
}

int difference_bad(const char *line)
{
    static const int widths[4] = {1, 2, 4, 8};
    const char *end = line;

    while (*end != '\0' && end - line < 4)
        end++;
    return widths[end - line]; /* indict: out-of-bounds */
}

int difference_ok(const char *line)
{
    static const int widths[4] = {1, 2, 4, 8};
    const char *end = line;

    while (*end != '\0' && end - line < 4)
        end++;
    return end == line ? 0 : widths[end - line - 1];
}

int before_start_bad(const int *in)
{
    int stack[4];
    int *top = stack;

    memcpy(stack, in, sizeof stack);
    top = top + 1 - 2;
    return *top; /* indict: out-of-bounds */
}

int before_start_ok(const int *in)
{
    int stack[4];
    int *top = stack;

    memcpy(stack, in, sizeof stack);
    top = top + 2 - 1;
    return *top;
}

uint32_t wide_store_bad(uint8_t tag)
{
    uint8_t bytes[8] = {tag};

    memcpy(&bytes[6], &(uint32_t){1}, sizeof(uint32_t)); /* indict: out-of-bounds */
    return bytes[7];
}

uint32_t wide_store_ok(uint8_t tag)
{
    uint8_t bytes[8] = {tag};

    memcpy(&bytes[4], &(uint32_t){1}, sizeof(uint32_t));
    return bytes[7];
}

int cast_view_bad(void)
{
    short halves[2] = {1, 2};

    long long *whole = (long long *)halves;
    return *whole != 0; /* indict: out-of-bounds */
}

int cast_view_ok(void)
{
    short halves[2] = {1, 2};

    short *whole = halves;
    return *whole != 0;
}

typedef int (*handler)(int);

static int twice(int x)
{
    return (x & 0xffff) * 2;
}

static int invert(int x)
{
    return 100 / (x & 0xff);
}

int null_handler_bad(int op, int x)
{
    static const handler handlers[3] = {twice, NULL, twice};

    if (op < 0 || op > 2)
        return -1;
    return handlers[op](x); /* indict: null-dereference */
}

int null_handler_ok(int op, int x)
{
    static const handler handlers[3] = {twice, twice, twice};

    if (op < 0 || op > 2)
        return -1;
    return handlers[op](x);
}

int chosen_handler_bad(int fast)
{
    handler h = fast ? twice : invert;

    if (fast)
        return 0;
    return h(256); /* indict: division-by-zero */
}

int chosen_handler_ok(int fast)
{
    handler h = fast ? invert : twice;

    if (fast)
        return 0;
    return h(256);
}

int pointer_to_pointer_bad(struct task *t)
{
    struct task *local = t;
    struct task **handle = &local;

    *handle = NULL;
    return local->pid; /* indict: null-dereference */
}

int pointer_to_pointer_ok(struct task *t)
{
    struct task *local = t;
    struct task **handle = &local;

    *handle = t;
    return local->pid;
}
