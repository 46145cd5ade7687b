/* Their callers, who see declarations only. */
#include <stdlib.h>
#include "names.h"

int added_bad(struct table *t, const char *text)
{
	struct name *n = name_new(text); /* indict: memory-leak */
	if (!n)
		return -1;
	if (table_find(t, text))
		return 0;
	table_add(t, n);
	return 1;
}

int added_ok(struct table *t, const char *text)
{
	struct name *n = name_new(text);
	if (!n)
		return -1;
	if (table_find(t, text)) {
		name_free(n);
		return 0;
	}
	table_add(t, n);
	return 1;
}

int text_bad(struct table *t, int number)
{
	char *text;
	if (text_of(number, &text)) /* indict: memory-leak */
		return -1;
	return table_find(t, text);
}

int text_ok(struct table *t, int number)
{
	char *text;
	int found;
	if (text_of(number, &text))
		return -1;
	found = table_find(t, text);
	free(text);
	return found;
}

int table_bad(const char *text)
{
	struct table *t = table_new(); /* indict: memory-leak */
	struct name *n;
	if (!t)
		return -1;
	n = name_new(text);
	if (!n)
		return -1;
	name_free(n);
	table_free(t);
	return 0;
}

int table_ok(const char *text)
{
	struct table *t = table_new();
	struct name *n;
	if (!t)
		return -1;
	n = name_new(text);
	if (!n) {
		table_free(t);
		return -1;
	}
	name_free(n);
	table_free(t);
	return 0;
}

int copied_bad(const int *values, int n)
{
	int *copy = xcopy(values, n * sizeof *values); /* indict: memory-leak */
	if (copy[0] < 0)
		return -1;
	n = copy[n - 1];
	free(copy);
	return n;
}

int copied_ok(const int *values, int n)
{
	int *copy = xcopy(values, n * sizeof *values);
	if (copy[0] < 0) {
		free(copy);
		return -1;
	}
	n = copy[n - 1];
	free(copy);
	return n;
}

void replaced_bad(const char *a, const char *b)
{
	struct name *n = name_new(a); /* indict: memory-leak */
	n = name_new(b);
	name_free(n);
}

void replaced_ok(const char *a, const char *b)
{
	struct name *n = name_new(a);
	name_free(n);
	n = name_new(b);
	name_free(n);
}
