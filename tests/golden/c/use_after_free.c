/* Memory used after it was freed: through a second pointer, behind a clean-up label, in the next round
 * of a loop, after a callee or realloc gave it away. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
    char *name;
};

struct connection {
    struct node *head;
    struct node *current;
    int refs;
};

void free_list_bad(struct node *head)
{
    while (head != NULL) {
        struct node *next = head->next;

        free(head);
        head = head->next; /* indict: use-after-free */
        (void)next;
    }
}

void free_list_ok(struct node *head)
{
    while (head != NULL) {
        struct node *next = head->next;

        free(head);
        head = next;
        (void)next;
    }
}

int second_pointer_bad(struct connection *s)
{
    struct node *n = malloc(sizeof *n);

    if (n == NULL)
        return -1;
    n->value = 3;
    s->head = n;
    s->current = n;
    free(s->current);
    return s->head->value; /* indict: use-after-free */
}

int second_pointer_ok(struct connection *s)
{
    struct node *n = malloc(sizeof *n);

    if (n == NULL)
        return -1;
    n->value = 3;
    s->head = n;
    s->current = n;
    s->current = NULL;
    return s->head->value;
}

int error_path_bad(struct node *n, int status)
{
    if (status < 0) {
        free(n->name);
        free(n);
    }
    n->value = status; /* indict: use-after-free */
    return 0;
}

int error_path_ok(struct node *n, int status)
{
    if (status < 0) {
        free(n->name);
        n->name = NULL;
    }
    n->value = status;
    return 0;
}

int grown_bad(size_t extra)
{
    char *text = malloc(8), *bigger, *first = text;

    if (text == NULL)
        return -1;
    strcpy(text, "key=val");
    bigger = realloc(text, 8 + (extra & 0xff));
    if (bigger == NULL) {
        free(first);
        return -1;
    }
    first[3] = '\0'; /* indict: use-after-free */
    free(bigger);
    return 0;
}

int grown_ok(size_t extra)
{
    char *text = malloc(8), *bigger, *first = text;

    if (text == NULL)
        return -1;
    strcpy(text, "key=val");
    bigger = realloc(text, 8 + (extra & 0xff));
    if (bigger == NULL) {
        free(first);
        return -1;
    }
    bigger[3] = '\0';
    free(bigger);
    return 0;
}

static void connection_put(struct connection *s)
{
    if (--s->refs == 0)
        free(s);
}

int put_then_read_bad(void)
{
    struct connection *s = calloc(1, sizeof *s);

    if (s == NULL)
        return -1;
    s->refs = 1;
    connection_put(s);
    return s->refs; /* indict: use-after-free */
}

int put_then_read_ok(void)
{
    struct connection *s = calloc(1, sizeof *s);

    if (s == NULL)
        return -1;
    s->refs = 2;
    connection_put(s);
    return s->refs;
}

int free_name_bad(struct node *n, int quiet)
{
    char *name = n->name;

    if (name == NULL)
        return quiet;
    free(n->name);
    n->name = NULL;
    return name[0] == '#'; /* indict: use-after-free */
}

int free_name_ok(struct node *n, int quiet)
{
    char *name = n->name;

    if (name == NULL)
        return quiet;
    free(n->name);
    n->name = NULL;
    return !quiet;
}

int unlink_node_bad(struct node **list, int value)
{
    struct node *n = *list;

    if (n == NULL || n->value != value)
        return 0;
    free(n);
    *list = n->next; /* indict: use-after-free */
    return 1;
}

int unlink_node_ok(struct node **list, int value)
{
    struct node *n = *list;

    if (n == NULL || n->value != value)
        return 0;
    *list = n->next;
    return 1;
}

void print_freed_bad(int debug)
{
    char *line = malloc(16);

    if (line == NULL)
        return;
    snprintf(line, 16, "%d", debug);
    free(line);
    puts(line); /* indict: use-after-free */
}

void print_freed_ok(int debug)
{
    char *line = malloc(16);

    if (line == NULL)
        return;
    snprintf(line, 16, "%d", debug);
    free(line);
    puts("done");
}

int stale_tail_bad(struct node *a)
{
    struct node *tail = a;

    if (a->next != NULL) {
        tail = a->next;
        a->next = tail->next;
        free(tail);
        a->value++;
    }
    return tail->value; /* indict: use-after-free */
}

int stale_tail_ok(struct node *a)
{
    struct node *tail = a;

    if (a->next != NULL) {
        tail = a->next;
        a->next = tail->next;
        free(tail);
        tail = a;
    }
    return tail->value;
}

int copy_of_struct_bad(const char *name)
{
    struct node first = {.name = malloc(4)}, second;

    if (first.name == NULL)
        return -1;
    first.name[0] = name[0];
    second = first;
    free(first.name);
    return second.name[0]; /* indict: use-after-free */
}

int copy_of_struct_ok(const char *name)
{
    struct node first = {.name = malloc(4)}, second;

    if (first.name == NULL)
        return -1;
    first.name[0] = name[0];
    second = first;
    free(first.name);
    return second.value;
}

static struct node *cached;

int global_cache_bad(struct node *fresh)
{
    if (cached != NULL) {
        free(cached);
        fresh->value = 1;
    }
    if (cached != NULL)
        return cached->value; /* indict: use-after-free */
    return 0;
}

int global_cache_ok(struct node *fresh)
{
    if (cached != NULL) {
        free(cached);
        cached = fresh;
    }
    if (cached != NULL)
        return cached->value;
    return 0;
}

int conditional_free_bad(const char *arg, int argc)
{
    char *copy = strdup(arg);
    int first;

    if (copy == NULL)
        return -1;
    if (argc > 2)
        free(copy);
    first = copy[0]; /* indict: use-after-free */
    if (argc <= 2)
        free(copy);
    return first;
}

int conditional_free_ok(const char *arg, int argc)
{
    char *copy = strdup(arg);
    int first;

    if (copy == NULL)
        return -1;
    if (argc > 2)
        free(copy);
    first = argc > 2 ? arg[0] : copy[0];
    if (argc <= 2)
        free(copy);
    return first;
}

int shown_bad(const char *arg, int argc)
{
    char *copy = strdup(arg);

    if (copy == NULL)
        return -1;
    if (argc > 2)
        free(copy);
    printf("%d: %s\n", argc, copy); /* indict: use-after-free */
    if (argc <= 2)
        free(copy);
    return 0;
}

int shown_ok(const char *arg, int argc)
{
    char *copy = strdup(arg);

    if (copy == NULL)
        return -1;
    if (argc > 2)
        free(copy);
    printf("%d: %s\n", argc, argc > 2 ? arg : copy);
    if (argc <= 2)
        free(copy);
    return 0;
}

/* a node is taken out of its list by way of its back link */
struct linked { struct linked *next, **back; int value; };
struct linked_list { struct linked *first; };

int taken_out_bad(struct linked_list *list)
{
    struct linked *first = list->first;

    if (first == NULL)
        return 0;
    free(first);
    return list->first->value; /* indict: use-after-free */
}

int taken_out_ok(struct linked_list *list)
{
    struct linked *first = list->first;

    if (first == NULL)
        return 0;
    *first->back = first->next;
    free(first);
    return list->first ? list->first->value : 0;
}
