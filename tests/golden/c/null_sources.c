/* Where nulls come from: allocations that a function checks elsewhere, look-ups that may find nothing,
 * library functions that say so, and pointers that a callee resets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
    char *data;
    size_t length;
    size_t capacity;
};

struct option {
    const char *key;
    const char *value;
    struct option *next;
};

struct buffer *buffer_new_bad(size_t capacity)
{
    struct buffer *b = malloc(sizeof *b);

    if (b == NULL)
        return NULL;
    b->data = malloc(capacity + 1);
    b->data[0] = '\0'; /* indict: null-dereference */
    b->length = 0;
    b->capacity = capacity;
    return b;
}

struct buffer *buffer_new_ok(size_t capacity)
{
    struct buffer *b = malloc(sizeof *b);

    if (b == NULL)
        return NULL;
    b->data = malloc(capacity + 1);
    if (b->data) b->data[0] = '\0';
    b->length = 0;
    b->capacity = capacity;
    return b;
}

int buffer_grow_bad(struct buffer *b)
{
    size_t wanted = b->capacity * 2 + 16;
    char *data = realloc(b->data, wanted);

    if (data == NULL && wanted == 0)
        return -1;
    data[b->length] = '\0'; /* indict: null-dereference */
    b->data = data;
    b->capacity = wanted;
    return 0;
}

int buffer_grow_ok(struct buffer *b)
{
    size_t wanted = b->capacity * 2 + 16;
    char *data = realloc(b->data, wanted);

    if (data == NULL)
        return -1;
    data[b->length] = '\0';
    b->data = data;
    b->capacity = wanted;
    return 0;
}

int *pair_alloc_bad(int first, int second)
{
    int *left = malloc(sizeof *left);
    int *right = malloc(sizeof *right);

    if (left == NULL && right == NULL) {
        free(left);
        free(right);
        return NULL;
    }
    *left = first; /* indict: null-dereference */
    if (right)
        *right = second;
    free(right);
    return left;
}

int *pair_alloc_ok(int first, int second)
{
    int *left = malloc(sizeof *left);
    int *right = malloc(sizeof *right);

    if (left == NULL || right == NULL) {
        free(left);
        free(right);
        return NULL;
    }
    *left = first;
    if (right)
        *right = second;
    free(right);
    return left;
}

static const struct option *find_option(const struct option *list, const char *key)
{
    for (; list; list = list->next)
        if (strcmp(list->key, key) == 0)
            return list;
    return NULL;
}

const char *option_value_bad(const struct option *list)
{
    const struct option *o = find_option(list, "depth");
    const struct option *fallback = find_option(list, "any");

    if (fallback != NULL)
        return fallback->value;
    return o->value; /* indict: null-dereference */
}

const char *option_value_ok(const struct option *list)
{
    const struct option *o = find_option(list, "depth");
    const struct option *fallback = find_option(list, "any");

    if (fallback != NULL)
        return fallback->value;
    return o ? o->value : NULL;
}

int split_pair_bad(char *line, struct option *o)
{
    char *colon = strchr(line, ':');

    if (colon != NULL)
        *colon = '\0';
    o->key = line;
    o->value = colon[1] ? colon + 1 : NULL; /* indict: null-dereference */
    return 0;
}

int split_pair_ok(char *line, struct option *o)
{
    char *colon = strchr(line, ':');

    if (colon != NULL)
        *colon = '\0';
    o->key = line;
    o->value = colon && colon[1] ? colon + 1 : NULL;
    return 0;
}

int read_first_bad(const char *path)
{
    FILE *f = fopen(path, "r");
    int c;

    if (f == NULL)
        fprintf(stderr, "%s: cannot be read\n", path);
    c = fgetc(f); /* indict: null-dereference */
    fclose(f);
    return c;
}

int read_first_ok(const char *path)
{
    FILE *f = fopen(path, "r");
    int c;

    if (f == NULL)
        return -1;
    c = fgetc(f);
    fclose(f);
    return c;
}

static void buffer_release(struct buffer *b)
{
    free(b->data);
    b->data = NULL;
    b->length = 0;
}

void buffer_reset_bad(struct buffer *b, int keep)
{
    if (!keep)
        buffer_release(b);
    b->data[b->length] = '\0'; /* indict: null-dereference */
}

void buffer_reset_ok(struct buffer *b, int keep)
{
    if (!keep)
        buffer_release(b);
    if (keep) b->data[b->length] = '\0';
}

static char *skip_blanks(char *s)
{
    while (*s == ' ')
        s++;
    return *s ? s : NULL;
}

char *second_word_bad(char *line)
{
    char *word = skip_blanks(line);

    if (word == NULL)
        return NULL;
    while (*word && *word != ' ')
        word++;
    word = skip_blanks(word);
    *word |= 0x20; /* indict: null-dereference */
    return word;
}

char *second_word_ok(char *line)
{
    char *word = skip_blanks(line);

    if (word == NULL)
        return NULL;
    while (*word && *word != ' ')
        word++;
    word = skip_blanks(word);
    if (word) *word |= 0x20;
    return word;
}

struct option *last_option_bad(struct option *list, struct option *extra)
{
    struct option *last = NULL;

    for (struct option *o = list; o != NULL; o = o->next)
        last = o;
    if (extra != NULL)
        last->next = extra; /* indict: null-dereference */
    return list;
}

struct option *last_option_ok(struct option *list, struct option *extra)
{
    struct option *last = NULL;

    for (struct option *o = list; o != NULL; o = o->next)
        last = o;
    if (extra != NULL && last != NULL)
        last->next = extra;
    return list;
}

static int parse_flag(const char *text, int **out)
{
    static int flag;

    if (text[0] != '+') {
        *out = NULL;
        return 0;
    }
    flag = text[1];
    *out = &flag;
    return 1;
}

int flag_of_bad(const char *text)
{
    int *flag;
    int status = parse_flag(text, &flag);

    if (status < 0)
        return -1;
    return *flag; /* indict: null-dereference */
}

int flag_of_ok(const char *text)
{
    int *flag;
    int status = parse_flag(text, &flag);

    if (status <= 0)
        return -1;
    return *flag;
}
