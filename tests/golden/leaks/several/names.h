/* A table of names in several files: what they share. */
#include <stddef.h>

struct name { struct name *next; char *text; };
struct table { struct name *first; int count; };

struct name *name_new(const char *text);
void name_free(struct name *n);
void table_add(struct table *t, struct name *n);
int table_find(const struct table *t, const char *text);
int text_of(int number, char **text);
struct table *table_new(void);
void table_free(struct table *t);
void *xcopy(const void *from, size_t size);
