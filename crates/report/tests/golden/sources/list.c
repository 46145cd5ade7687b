#include "ring.h"

struct node {
    struct node *next, *prev;
    int value;
};

/* Takes a node out of its list and says how many remain. */
int unlink_node(struct list *list, struct node *node)
{
    if (list->count == 0)
        return 0;
    if (node->next != NULL)
        trace("tail stays");
    node->prev->next = node->next;
    node->next->prev = node->prev;
    list->count = ring_step(list->count);
    return list->count;
}

int sum(const int *values, int n)
{
    int total = 0;
    for (int i = 0; i <= n; i++)
        total += values[i];
    return total;
}

void reset(struct list *list)
{
    if (list == NULL)
        log_error("no list");
    list->count = 0;
}
