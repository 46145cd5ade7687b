/* Functions that another file calls: what they certainly do is all that it knows of them. */
#include <stdlib.h>
#include <string.h>

#include "pool.h"

struct slot *slot_make(int size)
{
    struct slot *slot;

    if (size <= 0)
        return NULL;
    slot = calloc(1, sizeof *slot);
    if (slot == NULL)
        abort();
    slot->size = size;
    return slot;
}

struct slot *slot_find(struct slot *head, int size)
{
    while (head != NULL && head->size != size)
        head = head->next;
    return head;
}

struct slot *slot_self(struct slot *slot)
{
    return slot;
}

void slot_free(struct slot *slot)
{
    free(slot->name);
    free(slot);
}

void slot_free_all(struct slot *head)
{
    while (head != NULL) {
        struct slot *next = head->next;

        slot_free(head);
        head = next;
    }
}

void slot_free_if(struct slot *slot, int really)
{
    if (really)
        slot_free(slot);
}

void slot_drop(struct slot *slot)
{
    if (--slot->used == 0)
        slot_free(slot);
}

int slot_size(const struct slot *slot)
{
    return slot->size;
}

int slot_size_or(const struct slot *slot, int otherwise)
{
    return slot != NULL ? slot->size : otherwise;
}

void slot_clear(struct slot *slot)
{
    for (int i = 0; i < slot->size; i++)
        slot->name[i] = 0;
    slot->size = 0;
    slot->name = NULL;
}

void slot_rename(struct slot *slot, char *name)
{
    free(slot->name);
    slot->name = name;
}
