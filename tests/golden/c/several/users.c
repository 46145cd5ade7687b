/* Memory and pointers across files: what is freed, followed or returned in `pool.c`. */
#include <stdlib.h>

#include "pool.h"

int freed_by_callee_bad(struct slot *slot)
{
    slot_free(slot);
    return slot->size; /* indict: use-after-free */
}

int freed_by_callee_ok(struct slot *slot)
{
    slot_clear(slot);
    return slot->size;
}

void freed_twice_bad(struct slot *slot)
{
    slot_free(slot);
    free(slot); /* indict: double-free */
}

void freed_twice_ok(struct slot *slot)
{
    free(slot->name);
    free(slot);
}

void freed_by_both_bad(struct slot *slot, int n)
{
    if (n > 3)
        slot_free_if(slot, n);
    free(slot); /* indict: double-free */
}

void freed_by_both_ok(struct slot *slot, int n)
{
    if (n > 3)
        slot_free_if(slot, 0);
    free(slot);
}

int freed_in_a_loop_bad(struct slot *head)
{
    if (head == NULL)
        return 0;
    slot_free_all(head);
    return head->size; /* indict: use-after-free */
}

int freed_in_a_loop_ok(struct slot *head)
{
    if (head == NULL)
        return 0;
    slot_free_all(head->next);
    return head->size;
}

int freed_if_asked_bad(struct slot *slot)
{
    slot_free_if(slot, 1);
    return slot->size; /* indict: use-after-free */
}

int freed_if_asked_ok(struct slot *slot)
{
    slot_free_if(slot, 0);
    return slot->size;
}

int freed_and_passed_bad(struct slot *slot)
{
    slot_free(slot);
    return slot_size(slot); /* indict: use-after-free */
}

int freed_and_passed_ok(struct slot *slot)
{
    slot_clear(slot);
    return slot_size(slot);
}

int passed_on_bad(struct slot *slot)
{
    struct slot *same = slot_self(slot);

    slot_free(slot);
    return same->size; /* indict: use-after-free */
}

int passed_on_ok(struct slot *slot)
{
    struct slot *same = slot_self(slot);

    slot_clear(slot);
    return same->size;
}

int name_freed_bad(struct slot *slot, char *fresh)
{
    char *before = slot->name;

    slot_rename(slot, fresh);
    return before[0]; /* indict: use-after-free */
}

int name_freed_ok(struct slot *slot, char *fresh)
{
    char *before = fresh;

    slot_rename(slot, fresh);
    return before[0];
}

int null_to_callee_bad(struct slot *slot)
{
    if (slot == NULL)
        return slot_size(slot); /* indict: null-dereference */
    return 0;
}

int null_to_callee_ok(struct slot *slot)
{
    if (slot == NULL)
        return slot_size_or(slot, 1);
    return 0;
}

int null_from_callee_bad(void)
{
    struct slot *slot = slot_make(0);
    int size = slot->size; /* indict: null-dereference */

    slot_free(slot);
    return size;
}

int null_from_callee_ok(void)
{
    struct slot *slot = slot_make(1);
    int size = slot->size;

    slot_free(slot);
    return size;
}

int null_if_small_bad(int n)
{
    struct slot *slot;
    int size;

    if (n > 0)
        return 0;
    slot = slot_make(n);
    size = slot->size; /* indict: null-dereference */
    slot_free(slot);
    return size;
}

int null_if_small_ok(int n)
{
    struct slot *slot;
    int size;

    if (n <= 0)
        return 0;
    slot = slot_make(n);
    size = slot->size;
    slot_free(slot);
    return size;
}

int nothing_found_bad(int n)
{
    struct slot *slot = slot_find(NULL, n);

    return slot->size; /* indict: null-dereference */
}

int nothing_found_ok(struct slot *head, int n)
{
    struct slot *slot = slot_find(head, n);

    return slot->size;
}

int cleared_bad(struct slot *slot)
{
    slot_clear(slot);
    return 100 / slot->size; /* indict: division-by-zero */
}

int cleared_ok(struct slot *slot)
{
    slot_rename(slot, NULL);
    return 100 / slot->size;
}

int cleared_name_bad(struct slot *slot)
{
    slot_clear(slot);
    return slot->name[0]; /* indict: null-dereference */
}

int cleared_name_ok(struct slot *slot)
{
    slot_drop(slot);
    return slot->name[0];
}

int perhaps_freed_ok(struct slot *slot)
{
    slot_drop(slot);
    return slot->size;
}
