/* What the users of the pool see of it. */
#include <stddef.h>

struct slot {
    struct slot *next;
    char *name;
    int size;
    int used;
};

struct slot *slot_make(int size);
struct slot *slot_find(struct slot *head, int size);
struct slot *slot_self(struct slot *slot);
void slot_free(struct slot *slot);
void slot_free_all(struct slot *head);
void slot_free_if(struct slot *slot, int really);
void slot_drop(struct slot *slot);
int slot_size(const struct slot *slot);
int slot_size_or(const struct slot *slot, int otherwise);
void slot_clear(struct slot *slot);
void slot_rename(struct slot *slot, char *name);
