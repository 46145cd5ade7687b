/* Sorting: quicksort and heap sort through a pointer to the comparison, merge sort of a list, a library's qsort. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    const char *name;
    int key;
    unsigned short order, group;
};

typedef int (*compare)(const void *, const void *);

static unsigned seed = 12345;

static unsigned next(void)
{
    seed = seed * 1103515245 + 12345;
    return seed >> 16;
}

static int by_key(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static int by_name(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : x->order - y->order;
}

static int descending(const void *a, const void *b)
{
    return -by_key(a, b);
}

static void swap(void *a, void *b, size_t size)
{
    unsigned char *x = a, *y = b;
    while (size--) {
        unsigned char t = *x;
        *x++ = *y;
        *y++ = t;
    }
}

static void quicksort(void *base, size_t count, size_t size, compare order)
{
    char *low = base, *at = low;
    if (count < 2) return;
    swap(low, low + count / 2 * size, size);
    for (char *p = low + size; p < low + count * size; p += size)
        if (order(p, low) < 0) swap(at += size, p, size);
    swap(low, at, size);
    quicksort(low, (at - low) / size, size, order);
    quicksort(at + size, count - (at - low) / size - 1, size, order);
}

static void sift(struct item *heap, size_t at, size_t count, compare order)
{
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && order(&heap[child], &heap[child + 1]) < 0) child++;
        if (order(&heap[at], &heap[child]) >= 0) return;
        struct item t = heap[at];
        heap[at] = heap[child];
        heap[child] = t;
    }
}

static void heapsort_items(struct item *items, size_t count, compare order)
{
    for (size_t i = count / 2; i-- > 0;) sift(items, i, count, order);
    while (count > 1) {
        struct item t = items[0];
        items[0] = items[--count];
        items[count] = t;
        sift(items, 0, count, order);
    }
}

struct list {
    struct list *next;
    struct item item;
};

static struct list *merge(struct list *a, struct list *b, compare order)
{
    struct list *head = NULL, **end = &head;
    while (a && b) {
        struct list **from = order(&a->item, &b->item) <= 0 ? &a : &b;
        *end = *from;
        end = &(*from)->next;
        *from = (*from)->next;
    }
    *end = a ? a : b;
    return head;
}

static struct list *mergesort_list(struct list *list, compare order)
{
    struct list *slow = list, *fast = list;
    if (!list || !list->next) return list;
    while ((fast = fast->next) && (fast = fast->next)) slow = slow->next;
    fast = slow->next;
    slow->next = NULL;
    return merge(mergesort_list(list, order), mergesort_list(fast, order), order);
}

static void print(const char *title, const struct item *items, size_t count)
{
    printf("%s:", title);
    for (size_t i = 0; i < count; i++) printf(" %d%s%u", items[i].key, items[i].name, items[i].order);
    putchar('\n');
}

int main(void)
{
    static const char *const names[] = { "ant", "bee", "cat", "dog" };
    enum { count = 24 };
    struct item items[count], copy[count];
    for (int i = 0; i < count; i++)
        items[i] = (struct item){ .name = names[next() % 4], .key = (int)(next() % 100) - 50, .order = i, .group = 0 };
    memcpy(copy, items, sizeof items);
    quicksort(copy, count, sizeof *copy, by_name);
    print("quick", copy, count);
    memcpy(copy, items, sizeof items);
    heapsort_items(copy, count, by_name);
    print("heap", copy, count);
    struct list *list = NULL;
    for (int i = count; i-- > 0;) {
        struct list *node = malloc(sizeof *node);
        if (!node) return 1;
        node->next = list;
        node->item = items[i];
        list = node;
    }
    list = mergesort_list(list, by_key);
    printf("merge:");
    while (list) {
        struct list *gone = list;
        printf(" %d/%u", list->item.key, list->item.order);
        list = list->next;
        free(gone);
    }
    putchar('\n');
    qsort(items, count, sizeof *items, descending);
    for (int i = 0; i < count; i++) printf("%d ", items[i].key);
    struct item wanted = { .key = items[5].key };
    const struct item *found = bsearch(&wanted, items, count, sizeof *items, descending);
    printf("%d\n", found && found->key == wanted.key);
    return 0;
}
