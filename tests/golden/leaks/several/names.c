/* Who allocates, frees and keeps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "names.h"

struct name *name_new(const char *text)
{
	struct name *n = malloc(sizeof *n);
	if (!n)
		return NULL;
	n->text = strdup(text);
	n->next = NULL;
	return n;
}

void name_free(struct name *n)
{
	if (n) {
		free(n->text);
		free(n);
	}
}

void table_add(struct table *t, struct name *n)
{
	n->next = t->first;
	t->first = n;
	t->count++;
}

int table_find(const struct table *t, const char *text)
{
	return t->first && strcmp(t->first->text, text) == 0;
}

int text_of(int number, char **text)
{
	char *made = malloc(16);
	if (!made)
		return -1;
	snprintf(made, 16, "%d", number);
	*text = made;
	return 0;
}

struct table *table_new(void)
{
	return calloc(1, sizeof(struct table));
}

void table_free(struct table *t)
{
	free(t);
}

void *xcopy(const void *from, size_t size)
{
	void *to = malloc(size);
	if (!to)
		abort();
	memcpy(to, from, size);
	return to;
}
