/* Idioms of programs that manage memory by hand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int work(int);
extern int sink(const void *);

struct vec { int *items; int len, cap; };
struct pair { char *key, *value; };
struct tree { struct tree *left, *right; int key; };
struct list { struct list *next; char *text; };
static struct list *lists;
static char *cached;

struct vec *vec_new_bad(int cap)
{
	struct vec *v = malloc(sizeof *v); /* indict: memory-leak */
	if (!v)
		return NULL;
	v->items = malloc(cap * sizeof(int));
	if (!v->items)
		return NULL;
	v->cap = cap;
	return v;
}

struct vec *vec_new_ok(int cap)
{
	struct vec *v = malloc(sizeof *v);
	if (!v)
		return NULL;
	v->items = malloc(cap * sizeof(int));
	if (!v->items) {
		free(v);
		return NULL;
	}
	v->cap = cap;
	return v;
}

int pair_set_bad(struct pair *p, const char *k, const char *v)
{
	char *key = strdup(k); /* indict: memory-leak */
	char *value = strdup(v);
	if (!key || !value) {
		free(value);
		return -1;
	}
	p->key = key;
	p->value = value;
	return 0;
}

int pair_set_ok(struct pair *p, const char *k, const char *v)
{
	char *key = strdup(k);
	char *value = strdup(v);
	if (!key || !value) {
		free(value);
		free(key);
		return -1;
	}
	p->key = key;
	p->value = value;
	return 0;
}

const char *cache_ok(const char *s)
{
	if (!cached)
		cached = strdup(s);
	return cached;
}

int cache_bad(const char *s)
{
	char *copy = strdup(s); /* indict: memory-leak */
	if (!cached)
		return copy != NULL;
	free(copy);
	return 0;
}

struct tree *leaf_bad(int key)
{
	struct tree *t = calloc(1, sizeof *t); /* indict: memory-leak */
	if (t && key < 0)
		return NULL;
	if (t)
		t->key = key;
	return t;
}

struct tree *leaf_ok(int key)
{
	struct tree *t = calloc(1, sizeof *t);
	if (t && key < 0) {
		free(t);
		return NULL;
	}
	if (t)
		t->key = key;
	return t;
}

int append_bad(const char *text)
{
	struct list *l = malloc(sizeof *l);
	if (!l)
		return -1;
	l->text = strdup(text); /* indict: memory-leak */
	if (work(1)) {
		free(l);
		return -1;
	}
	l->next = lists;
	lists = l;
	return 0;
}

int append_ok(const char *text)
{
	struct list *l = malloc(sizeof *l);
	if (!l)
		return -1;
	l->text = strdup(text);
	if (work(1)) {
		free(l->text);
		free(l);
		return -1;
	}
	l->next = lists;
	lists = l;
	return 0;
}

int read_bad(const char *path)
{
	char *buf = malloc(100); /* indict: memory-leak */
	FILE *f = fopen(path, "r");
	int n;
	if (!f)
		return -1;
	n = (int)fread(buf, 1, 100, f);
	fclose(f);
	free(buf);
	return n;
}

int read_ok(const char *path)
{
	char *buf = malloc(100);
	FILE *f = fopen(path, "r");
	int n;
	if (!f) {
		free(buf);
		return -1;
	}
	n = (int)fread(buf, 1, 100, f);
	fclose(f);
	free(buf);
	return n;
}

int twice_bad(int n)
{
	char *p = malloc(n);
	if (!p)
		return -1;
	if (n > 10) {
		char *q = malloc(n); /* indict: memory-leak */
		if (!q)
			n = 10;
	}
	free(p);
	return n;
}

int twice_ok(int n)
{
	char *p = malloc(n);
	if (!p)
		return -1;
	if (n > 10) {
		char *q = malloc(n);
		free(q);
	}
	free(p);
	return n;
}

void swap_bad(char **a)
{
	char *t = malloc(4); /* indict: memory-leak */
	char *old = *a;
	*a = t;
	*a = old;
}

void swap_ok(char **a)
{
	char *t = malloc(4);
	char *old = *a;
	*a = t;
	free(old);
}

int conditional_bad(int n)
{
	char *p = NULL;
	if (n > 0)
		p = malloc(n); /* indict: memory-leak */
	if (n > 5)
		free(p);
	return n;
}

int conditional_ok(int n)
{
	char *p = NULL;
	if (n > 0)
		p = malloc(n);
	if (n > 0)
		free(p);
	return n;
}

int error_code_bad(int n)
{
	int err = 0;
	char *p = malloc(n); /* indict: memory-leak */
	if (!p)
		err = -12;
	else if (work(n))
		err = -5;
	if (err)
		return err;
	free(p);
	return 0;
}

int error_code_ok(int n)
{
	int err = 0;
	char *p = malloc(n);
	if (!p)
		err = -12;
	else if (work(n))
		err = -5;
	free(p);
	return err;
}

static int parse(const char *s, char **out)
{
	*out = NULL;
	if (s[0] != '=')
		return -1;
	*out = strdup(s + 1);
	return *out ? 0 : -2;
}

int parse_twice_bad(const char *a, const char *b)
{
	char *x, *y;
	if (parse(a, &x) < 0) /* indict: memory-leak */
		return -1;
	if (parse(b, &y) < 0)
		return -1;
	free(x);
	free(y);
	return 0;
}

int parse_twice_ok(const char *a, const char *b)
{
	char *x, *y;
	if (parse(a, &x) < 0)
		return -1;
	if (parse(b, &y) < 0) {
		free(x);
		return -1;
	}
	free(x);
	free(y);
	return 0;
}

static void tree_free(struct tree *t)
{
	if (!t)
		return;
	tree_free(t->left);
	tree_free(t->right);
	free(t);
}

int tree_bad(int key)
{
	struct tree *t = leaf_ok(key); /* indict: memory-leak */
	if (!t)
		return -1;
	t->left = leaf_ok(key - 1);
	if (!t->left)
		return -1;
	tree_free(t);
	return 0;
}

int tree_ok(int key)
{
	struct tree *t = leaf_ok(key);
	if (!t)
		return -1;
	t->left = leaf_ok(key - 1);
	if (!t->left) {
		tree_free(t);
		return -1;
	}
	tree_free(t);
	return 0;
}

void queue_ok(struct list *head, const char *s)
{
	while (head->next)
		head = head->next;
	head->next = malloc(sizeof *head);
	if (head->next)
		head->next->text = strdup(s);
}

void queue_bad(struct list *head, const char *s)
{
	struct list *n;
	while (head->next)
		head = head->next;
	n = malloc(sizeof *n); /* indict: memory-leak */
	if (n)
		n->next = head;
	sink(s);
}
