/* A hash table that grows by realloc, with strings as keys, and a growing buffer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char *key;
    int count;
    unsigned hash : 24, used : 1;
};

struct table {
    struct entry *entries;
    size_t size, used;
};

struct buffer {
    char *text;
    size_t length, room;
};

static unsigned hash(const char *key)
{
    unsigned h = 5381;
    while (*key) h = h * 33 ^ (unsigned char)*key++;
    return h & 0xffffff;
}

static struct entry *find(const struct table *table, const char *key)
{
    size_t at = hash(key) & (table->size - 1);
    while (table->entries[at].used && strcmp(table->entries[at].key, key)) at = (at + 1) & (table->size - 1);
    return &table->entries[at];
}

static int grow(struct table *table)
{
    struct table larger = { calloc(table->size ? 2 * table->size : 4, sizeof(struct entry)),
                            table->size ? 2 * table->size : 4, table->used };
    if (!larger.entries) return 0;
    for (size_t i = 0; i < table->size; i++)
        if (table->entries[i].used) *find(&larger, table->entries[i].key) = table->entries[i];
    free(table->entries);
    *table = larger;
    return 1;
}

static void count(struct table *table, const char *key)
{
    if (4 * (table->used + 1) > 3 * table->size && !grow(table)) exit(1);
    struct entry *entry = find(table, key);
    if (!entry->used) {
        entry->key = malloc(strlen(key) + 1);
        if (!entry->key) exit(1);
        strcpy(entry->key, key);
        entry->hash = hash(key);
        entry->used = 1;
        table->used++;
    }
    entry->count++;
}

static void append(struct buffer *buffer, const char *text)
{
    size_t length = strlen(text);
    while (buffer->length + length + 1 > buffer->room) {
        buffer->room = buffer->room ? 2 * buffer->room : 8;
        char *moved = realloc(buffer->text, buffer->room);
        if (!moved) exit(1);
        buffer->text = moved;
    }
    strcpy(buffer->text + buffer->length, text);
    buffer->length += length;
}

int main(void)
{
    char text[] = "the cat and the dog and the bird saw the cat";
    struct table table = { 0 };
    struct buffer buffer = { 0 };
    for (char *word = text, *end; word; word = end) {
        if ((end = strchr(word, ' '))) *end++ = 0;
        count(&table, word);
    }
    for (size_t i = 0; i < table.size; i++)
        if (table.entries[i].used) {
            char line[64];
            snprintf(line, sizeof line, "%s=%d/%06x ", table.entries[i].key, table.entries[i].count,
                     (unsigned)table.entries[i].hash);
            append(&buffer, line);
            free(table.entries[i].key);
        }
    free(table.entries);
    printf("%s\n%zu of %zu, %zu\n", buffer.text, table.used, table.size, buffer.length);
    free(buffer.text);
    return table.used;
}
