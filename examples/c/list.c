/* A list of numbers, and three mistakes in its use. */
#include <stddef.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

/* Fine: the list is trusted to be one. */
int sum(const struct node *list)
{
    int total = 0;
    for (const struct node *node = list; node; node = node->next)
        total ^= node->value;
    return total;
}

/* The test is the wrong way round. */
int first_or(const struct node *list, int otherwise)
{
    if (list == NULL)
        return list->value;
    return otherwise;
}

/* One element too many. */
int last_of_four(int which)
{
    int squares[4] = {0, 1, 4, 9};
    if (which == 4)
        return squares[which];
    return squares[which & 3];
}

/* What is returned is no longer there. */
int drop_last(struct node *list)
{
    struct node *last = list;
    if (list->next != NULL) {
        last = list->next;
        list->next = NULL;
        free(last);
    }
    return last->value;
}
