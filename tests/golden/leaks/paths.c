/* Memory that is lost on some way through one function. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int work(int);
struct item { int key; char *text; struct item *next; };

int second_fails_bad(int n)
{
	char *a = malloc(n), *b; /* indict: memory-leak */
	if (!a)
		return -1;
	b = malloc(n);
	if (!b)
		return -1;
	free(b);
	free(a);
	return 0;
}

int second_fails_ok(int n)
{
	char *a = malloc(n), *b;
	if (!a)
		return -1;
	b = malloc(n);
	if (!b) {
		free(a);
		return -1;
	}
	free(b);
	free(a);
	return 0;
}

struct item *part_bad(int key, const char *text)
{
	struct item *i = malloc(sizeof *i);
	if (!i)
		return NULL;
	i->key = key;
	i->text = strdup(text); /* indict: memory-leak */
	if (!i->text || work(key)) {
		free(i);
		return NULL;
	}
	return i;
}

struct item *part_ok(int key, const char *text)
{
	struct item *i = malloc(sizeof *i);
	if (!i)
		return NULL;
	i->key = key;
	i->text = strdup(text);
	if (!i->text || work(key)) {
		free(i->text);
		free(i);
		return NULL;
	}
	return i;
}

void overwritten_bad(const char *a, const char *b)
{
	char *p = strdup(a); /* indict: memory-leak */
	p = strdup(b);
	free(p);
}

void overwritten_ok(const char *a, const char *b)
{
	char *p = strdup(a);
	free(p);
	p = strdup(b);
	free(p);
}

int goto_bad(int n)
{
	int err = -1;
	char *a = malloc(n); /* indict: memory-leak */
	if (!a)
		return err;
	if (work(n))
		goto out;
	err = 0;
	free(a);
out:
	return err;
}

int goto_ok(int n)
{
	int err = -1;
	char *a = malloc(n);
	if (!a)
		return err;
	if (work(n))
		goto out;
	err = 0;
out:
	free(a);
	return err;
}

int file_bad(const char *path)
{
	FILE *f = fopen(path, "r"); /* indict: memory-leak */
	int c;
	if (!f)
		return -1;
	c = fgetc(f);
	if (c < 0)
		return -2;
	fclose(f);
	return c;
}

int file_ok(const char *path)
{
	FILE *f = fopen(path, "r");
	int c;
	if (!f)
		return -1;
	c = fgetc(f);
	fclose(f);
	return c;
}

char *grown_bad(char *old, int n)
{
	char *new = malloc(n); /* indict: memory-leak if realloc fails */
	char *tmp = realloc(new, 2 * n); /* indict: memory-leak */
	if (work(n))
		return old;
	return tmp;
}

char *grown_ok(char *old, int n)
{
	char *new = malloc(n);
	char *tmp = realloc(new, 2 * n);
	if (!tmp) {
		free(new);
		return old;
	}
	return tmp;
}

static struct item *head;

void listed_ok(int key)
{
	struct item *i = malloc(sizeof *i);
	if (!i)
		return;
	i->key = key;
	i->next = head;
	head = i;
}

void listed_bad(int key)
{
	struct item *i = malloc(sizeof *i); /* indict: memory-leak */
	if (!i)
		return;
	i->key = key;
	i->next = head;
}

void out_ok(char **out, int n)
{
	char *p = malloc(n);
	*out = p;
}

void out_bad(char **out, int n)
{
	char *p = malloc(n); /* indict: memory-leak */
	if (p)
		*out = NULL;
}

int loop_bad(char **names, int n)
{
	int i, sum = 0;
	for (i = 0; i < n; i++) {
		char *copy = strdup(names[i]); /* indict: memory-leak */
		if (!copy)
			return -1;
		sum += copy[0];
	}
	return sum;
}

int loop_ok(char **names, int n)
{
	int i, sum = 0;
	for (i = 0; i < n; i++) {
		char *copy = strdup(names[i]);
		if (!copy)
			return -1;
		sum += copy[0];
		free(copy);
	}
	return sum;
}

int flag_bad(int own, char *given, int n)
{
	char *p = given;
	int r;
	if (own)
		p = calloc(n, 1); /* indict: memory-leak */
	if (!p)
		return -1;
	r = p[0];
	if (!own)
		r++;
	return r;
}

int flag_ok(int own, char *given, int n)
{
	char *p = given;
	int r;
	if (own)
		p = calloc(n, 1);
	if (!p)
		return -1;
	r = p[0];
	if (own)
		free(p);
	return r;
}

int switched_bad(int kind)
{
	char *p = malloc(8); /* indict: memory-leak */
	switch (kind) {
	case 0:
		free(p);
		return 0;
	case 1:
		return 1;
	default:
		free(p);
		return 2;
	}
}

int switched_ok(int kind)
{
	char *p = malloc(8);
	switch (kind) {
	case 0:
		free(p);
		return 0;
	case 1:
		free(p);
		return 1;
	default:
		free(p);
		return 2;
	}
}

int in_array_ok(char *table[4], int n)
{
	table[2] = malloc(n);
	return table[2] != NULL;
}

int in_array_bad(int n)
{
	char *table[4];
	table[2] = malloc(n); /* indict: memory-leak */
	return table[2] != NULL;
}

union either { char *text; long number; };

long in_union_bad(int n)
{
	union either e;
	e.text = malloc(n); /* indict: memory-leak */
	return e.text ? 1 : 0;
}

long in_union_ok(int n)
{
	union either e;
	e.text = malloc(n);
	return e.number;
}

/* Nobody loses anything who asks for nothing. */
static int *numbers;
int none_ok(unsigned n)
{
	int *p = malloc(n);
	unsigned i;
	if (!p)
		return -1;
	for (i = 0; i < n; i++)
		numbers = p;
	return 0;
}

int none_bad(unsigned n)
{
	int *p = malloc(n); /* indict: memory-leak */
	unsigned i;
	if (!p)
		return -1;
	for (i = 1; i < n; i++)
		numbers = p;
	return 0;
}

/* reading a character from a stream */
void first_character_bad(void)
{
	FILE *file = fopen("a", "r"); /* indict: memory-leak */

	if (file)
		printf("%d\n", getc(file));
}

void first_character_ok(void)
{
	FILE *file = fopen("a", "r");

	if (file) {
		printf("%d\n", getc(file));
		fclose(file);
	}
}
