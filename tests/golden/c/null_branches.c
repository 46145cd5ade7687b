/* Null pointers and branches that belong together: a pointer is set under one condition and used under
 * another, or compared with null on a path that goes on to use it. */
#include <stddef.h>
#include <string.h>

struct device {
    const char *name;
    int irq;
    unsigned flags;
    struct device *parent;
};

#define DEV_WAKE 1u
#define DEV_DMA 2u

int wake_mask_bad(struct device *dev, unsigned flags)
{
    int *irq = NULL;

    if (flags & DEV_WAKE)
        irq = &dev->irq;
    if (flags & DEV_DMA)
        return 1 << (*irq & 31); /* indict: null-dereference */
    return 0;
}

int wake_mask_ok(struct device *dev, unsigned flags)
{
    int *irq = NULL;

    if (flags & DEV_WAKE)
        irq = &dev->irq;
    if (flags & DEV_WAKE)
        return 1 << (*irq & 31);
    return 0;
}

size_t print_parent_bad(struct device *dev, char *out)
{
    struct device *parent = dev->parent;

    if (parent == NULL)
        out[0] = '\0';
    strcpy(out, parent->name); /* indict: null-dereference */
    return strlen(out);
}

size_t print_parent_ok(struct device *dev, char *out)
{
    struct device *parent = dev->parent;

    if (parent == NULL)
        return 0;
    strcpy(out, parent->name);
    return strlen(out);
}

int late_check_bad(struct device *dev, int irq)
{
    if (dev == NULL && irq > 0)
        return -1;
    dev->irq = irq; /* indict: null-dereference */
    return 0;
}

int late_check_ok(struct device *dev, int irq)
{
    if (dev == NULL || irq <= 0)
        return -1;
    dev->irq = irq;
    return 0;
}

int wrong_connective_bad(const struct device *dev)
{
    if (dev != NULL || dev->irq > 0) /* indict: null-dereference */
        return 1;
    return 0;
}

int wrong_connective_ok(const struct device *dev)
{
    if (dev != NULL && dev->irq > 0)
        return 1;
    return 0;
}

struct device *first_match_bad(struct device *table, int count, int irq)
{
    struct device *found = NULL;

    for (int i = 0; i < count; i++) {
        if (table[i].irq == irq) {
            found = &table[i];
            break;
        }
    }
    found->flags |= DEV_WAKE; /* indict: null-dereference */
    return found;
}

struct device *first_match_ok(struct device *table, int count, int irq)
{
    struct device *found = NULL;

    for (int i = 0; i < count; i++) {
        if (table[i].irq == irq) {
            found = &table[i];
            break;
        }
    }
    if (found) found->flags |= DEV_WAKE;
    return found;
}

const char *else_branch_bad(const struct device *dev)
{
    if (dev != NULL && dev->name != NULL)
        return dev->name;
    else if (dev->irq > 0) /* indict: null-dereference */
        return "irq";
    return "none";
}

const char *else_branch_ok(const struct device *dev)
{
    if (dev != NULL && dev->name != NULL)
        return dev->name;
    else if (dev != NULL && dev->irq > 0)
        return "irq";
    return "none";
}

int walk_up_bad(struct device *dev, unsigned want)
{
    while (dev != NULL && (dev->flags & want) == 0)
        dev = dev->parent;
    return dev->irq; /* indict: null-dereference */
}

int walk_up_ok(struct device *dev, unsigned want)
{
    while (dev != NULL && (dev->flags & want) == 0)
        dev = dev->parent;
    return dev == NULL ? -1 : dev->irq;
}

int state_machine_bad(struct device *dev, const char *input)
{
    struct device *current = dev;
    int state = 0;

    if (input[0] == '-') {
        current = NULL;
        state = 1;
    }
    if (state <= 1)
        current->irq = 7; /* indict: null-dereference */
    return state;
}

int state_machine_ok(struct device *dev, const char *input)
{
    struct device *current = dev;
    int state = 0;

    if (input[0] == '-') {
        current = NULL;
        state = 2;
    }
    if (state <= 1)
        current->irq = 7;
    return state;
}

size_t ternary_name_bad(const struct device *dev)
{
    const char *name = dev->irq > 0 ? dev->name : NULL;

    if (dev->irq >= 0)
        return strlen(name); /* indict: null-dereference */
    return 0;
}

size_t ternary_name_ok(const struct device *dev)
{
    const char *name = dev->irq > 0 ? dev->name : NULL;

    if (dev->irq > 0)
        return strlen(name);
    return 0;
}

unsigned reset_in_loop_bad(struct device *dev, const unsigned *masks)
{
    unsigned seen = 0;

    for (int i = 0; i < 3; i++) {
        seen |= dev->flags & masks[i]; /* indict: null-dereference */
        if (masks[i] == 0) dev = NULL;
    }
    return seen;
}

unsigned reset_in_loop_ok(struct device *dev, const unsigned *masks)
{
    unsigned seen = 0;

    for (int i = 0; i < 3; i++) {
        seen |= dev->flags & masks[i];
        if (masks[i] == 0) break;
    }
    return seen;
}
