/* What was freed is not the start of a heap block: the address of a variable, of a member, a string
 * literal, a pointer that has moved. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct record {
    int id;
    char name[12];
    struct record *next;
};

static struct record fallback;

int moved_pointer_bad(const char *text)
{
    char *copy = strdup(text), *p = copy;

    if (copy == NULL)
        return -1;
    if (*p == '/')
        p++;
    free(p); /* indict: invalid-free */
    return 0;
}

int moved_pointer_ok(const char *text)
{
    char *copy = strdup(text), *p = copy;

    if (copy == NULL)
        return -1;
    if (*p == '/')
        p++;
    free(copy);
    return 0;
}

int small_buffer_bad(size_t needed)
{
    char local[32], *work = local;

    if (needed > sizeof local) {
        work = malloc(needed);
        if (work == NULL)
            return -1;
    }
    work[0] = '\0';
    if (needed > sizeof local / 2)
        free(work); /* indict: invalid-free */
    return 0;
}

int small_buffer_ok(size_t needed)
{
    char local[32], *work = local;

    if (needed > sizeof local) {
        work = malloc(needed);
        if (work == NULL)
            return -1;
    }
    work[0] = '\0';
    if (needed > sizeof local)
        free(work);
    return 0;
}

int literal_bad(const char *name)
{
    char *shown = "anonymous";
    int length;

    if (name[0] != '\0') {
        shown = strdup(name);
        if (shown == NULL)
            return -1;
    }
    length = (int)strlen(shown);
    free(shown); /* indict: invalid-free */
    return length;
}

int literal_ok(const char *name)
{
    char *shown = "anonymous";
    int length;

    if (name[0] != '\0') {
        shown = strdup(name);
        if (shown == NULL)
            return -1;
    }
    length = (int)strlen(shown);
    if (name[0] != '\0') free(shown);
    return length;
}

int member_bad(int id)
{
    struct record *r = malloc(sizeof *r);

    if (r == NULL)
        return -1;
    r->id = id;
    free(&r->name); /* indict: invalid-free */
    return 0;
}

int member_ok(int id)
{
    struct record *r = malloc(sizeof *r);

    if (r == NULL)
        return -1;
    r->id = id;
    free(r);
    return 0;
}

int static_fallback_bad(struct record *list, int id)
{
    struct record *r = list;

    while (r != NULL && r->id != id)
        r = r->next;
    if (r == NULL)
        r = &fallback;
    if (r->id >= 0)
        free(r); /* indict: invalid-free */
    return id;
}

int static_fallback_ok(struct record *list, int id)
{
    struct record *r = list;

    while (r != NULL && r->id != id)
        r = r->next;
    if (r == NULL)
        r = &fallback;
    if (r != &fallback)
        free(r);
    return id;
}

void trim_bad(const char *line, char *out)
{
    char *copy = strdup(line);
    char *start = copy;

    if (copy == NULL)
        return;
    while (isspace((unsigned char)*copy)) copy++;
    strcpy(out, start);
    free(copy); /* indict: invalid-free */
}

void trim_ok(const char *line, char *out)
{
    char *copy = strdup(line);
    char *start = copy;

    if (copy == NULL)
        return;
    while (isspace((unsigned char)*start)) start++;
    strcpy(out, start);
    free(copy);
}

int array_element_bad(int count)
{
    struct record *records;

    if (count < 2 || count > 8)
        return -1;
    records = calloc((size_t)count, sizeof *records);
    if (records == NULL)
        return -1;
    for (int i = 0; i < count; i++)
        records[i].id = i;
    free(&records[count - 1]); /* indict: invalid-free */
    return 0;
}

int array_element_ok(int count)
{
    struct record *records;

    if (count < 2 || count > 8)
        return -1;
    records = calloc((size_t)count, sizeof *records);
    if (records == NULL)
        return -1;
    for (int i = 0; i < count; i++)
        records[i].id = i;
    free(&records[0]);
    return 0;
}

static struct record *kept;

int stack_default_bad(const char *name)
{
    struct record local = {0};
    struct record *r = name[0] ? malloc(sizeof *r) : &local;

    if (r == NULL)
        return -1;
    r->id = name[0];
    if (r->id == 0)
        free(r); /* indict: invalid-free */
    else
        kept = r;
    return 0;
}

int stack_default_ok(const char *name)
{
    struct record local = {0};
    struct record *r = name[0] ? malloc(sizeof *r) : &local;

    if (r == NULL)
        return -1;
    r->id = name[0];
    if (r->id != 0)
        free(r);
    return 0;
}
