/* Idioms of real code that look like mistakes and are none: correlated conditions, lengths of one that
 * is enough, memory that is freed on one path and used on the other, sentinels. Nothing here is a finding. */
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char *key;
    char *value;
    struct entry *next;
};

struct packet {
    uint16_t length;
    uint8_t bytes[1];
};

int correlated(int mode)
{
    int storage = 3, *p = NULL;

    if (mode == 2)
        p = &storage;
    if (mode == 2)
        *p = 4;
    return storage;
}

int correlated_flag(const char *text)
{
    const char *end = NULL;
    int found = 0;

    for (const char *p = text; *p; p++) {
        if (*p == ';') {
            end = p;
            found = 1;
            break;
        }
    }
    return found ? (int)(end - text) + (*end == ';') : -1;
}

void free_null(struct entry *e)
{
    char *scratch = NULL;

    if (e->key != NULL && e->key[0] == '#')
        scratch = malloc(4);
    free(scratch);
}

int free_then_forget(struct entry *e)
{
    free(e->value);
    e->value = NULL;
    free(e->value);
    return 0;
}

int one_past_the_end(const int *in)
{
    int a[4], sum = 0;

    memcpy(a, in, sizeof a);
    for (const int *p = a, *end = a + 4; p != end; p++)
        sum ^= *p;
    return sum;
}

int open_ended_array(const struct packet *p)
{
    int sum = 0;

    for (int i = 0; i < p->length; i++)
        sum += p->bytes[i];
    return sum;
}

size_t bounded_copy(char *out, const char *in)
{
    char word[8];
    size_t n = 0;

    while (n < sizeof word - 1 && in[n] && !isspace((unsigned char)in[n])) {
        word[n] = in[n];
        n++;
    }
    word[n] = '\0';
    strcpy(out, word);
    return n;
}

int sentinel_table(const char *name)
{
    static const struct {
        const char *name;
        int value;
    } table[] = {{"red", 1}, {"green", 2}, {NULL, 0}};
    int i;

    for (i = 0; table[i].name; i++)
        if (strcmp(table[i].name, name) == 0)
            break;
    return table[i].value;
}

char *grow_or_keep(char *old, size_t size)
{
    char *bigger = realloc(old, size);

    return bigger ? bigger : old;
}

int cleanup_chain(int depth)
{
    int error = -ENOMEM;
    char *a, *b;

    a = malloc(16);
    if (a == NULL)
        goto out;
    b = malloc(16);
    if (b == NULL)
        goto out_a;
    a[0] = b[0] = (char)depth;
    error = a[0] == b[0] ? 0 : -EIO;
    free(b);
out_a:
    free(a);
out:
    return error;
}

int insert_sorted(struct entry **list, struct entry *fresh)
{
    struct entry **at = list;

    while (*at != NULL && strcmp((*at)->key, fresh->key) < 0)
        at = &(*at)->next;
    fresh->next = *at;
    *at = fresh;
    return 0;
}

unsigned hash_of(const char *key)
{
    unsigned hash = 2166136261u;

    while (*key)
        hash = (hash ^ (unsigned char)*key++) * 16777619u;
    return hash % 64;
}

int masked_index(unsigned n)
{
    static const int table[16];

    return table[n & 15];
}

int modulo_index(unsigned n)
{
    static const int table[10];

    return table[n % 10];
}

int null_is_fine(const char *text)
{
    if (text == NULL || *text == '\0')
        return 0;
    return (unsigned char)text[0];
}

int late_null_check(struct entry *e)
{
    char *key = e->key;

    return key ? key[0] : 0;
}

int two_step_division(int total, int parts)
{
    if (parts == 0)
        parts = 1;
    return total / parts;
}

int offset_of_member(void)
{
    return (int)offsetof(struct entry, next) + (int)sizeof(((struct entry *)NULL)->key);
}

int copy_of_zero_bytes(char *out, const char *in, size_t n)
{
    char local[4] = "";

    if (n > sizeof local)
        n = 0;
    memcpy(local, in, n);
    memcpy(out, local, n);
    return (int)n;
}

int printed_length(int value)
{
    char text[12];

    return snprintf(text, sizeof text, "%d", value);
}
