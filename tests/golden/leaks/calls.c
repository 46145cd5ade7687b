/* Memory that functions give, take, keep, or only look at. */
#include <stdlib.h>
#include <string.h>
int work(int);
extern void keeper(void *);
struct buf { char *data; int len; struct buf *next; };
static struct buf *all;

static struct buf *make(int n)
{
	struct buf *b = malloc(sizeof *b);
	if (!b)
		return NULL;
	b->data = malloc(n);
	if (!b->data) {
		free(b);
		return NULL;
	}
	b->len = n;
	return b;
}

static struct buf *make_deep(int n) { return make(2 * n); }

static void destroy(struct buf *b)
{
	if (!b)
		return;
	free(b->data);
	free(b);
}

static void keep(struct buf *b) { b->next = all; all = b; }
static int look(const struct buf *b) { return b->len; }
static int fill(char **out, int n)
{
	*out = calloc(n, 1);
	if (!*out)
		return -1;
	return 0;
}
static struct buf *same(struct buf *b) { b->len++; return b; }
static struct buf *registered(int n)
{
	struct buf *b = make(n);
	if (b)
		keep(b);
	return b;
}
static void *or_die(int n)
{
	void *p = malloc(n);
	if (!p)
		abort();
	return p;
}

int made_bad(int n)
{
	struct buf *b = make(n); /* indict: memory-leak */
	return b ? b->len : 0;
}

int made_ok(int n)
{
	struct buf *b = make(n);
	int r = b ? b->len : 0;
	destroy(b);
	return r;
}

int deep_bad(int n)
{
	struct buf *b = make_deep(n); /* indict: memory-leak */
	if (!b)
		return -1;
	if (work(n))
		return -2;
	destroy(b);
	return 0;
}

int deep_ok(int n)
{
	struct buf *b = make_deep(n);
	if (!b)
		return -1;
	if (work(n)) {
		destroy(b);
		return -2;
	}
	destroy(b);
	return 0;
}

void kept_ok(int n)
{
	struct buf *b = make(n);
	if (b)
		keep(b);
}

int kept_bad(int n)
{
	struct buf *b = make(n); /* indict: memory-leak */
	if (b)
		return look(b);
	return 0;
}

int filled_bad(int n)
{
	char *p;
	if (fill(&p, n)) /* indict: memory-leak */
		return -1;
	return p[0];
}

int filled_ok(int n)
{
	char *p;
	int r;
	if (fill(&p, n))
		return -1;
	r = p[0];
	free(p);
	return r;
}

struct buf *same_ok(int n)
{
	struct buf *b = make(n);
	if (!b)
		return NULL;
	return same(b);
}

int same_bad(int n)
{
	struct buf *b = make(n), *c; /* indict: memory-leak */
	if (!b)
		return 0;
	c = same(b);
	return c->len;
}

int registered_ok(int n)
{
	struct buf *b = registered(n);
	return b ? b->len : 0;
}

int unregistered_bad(int n)
{
	struct buf *b = make(n); /* indict: memory-leak */
	if (b && work(n))
		keep(b);
	return 0;
}

int certain_bad(int n)
{
	char *p = or_die(n); /* indict: memory-leak */
	p[0] = 1;
	return p[0];
}

int certain_ok(int n)
{
	char *p = or_die(n);
	p[0] = 1;
	free(p);
	return 1;
}

void outside_ok(int n)
{
	char *p = malloc(n);
	keeper(p);
}

void outside_bad(int n)
{
	char *p = malloc(n); /* indict: memory-leak */
	if (!p)
		keeper(p);
}

int part_kept_ok(struct buf *b, int n)
{
	b->data = malloc(n);
	return b->data ? 0 : -1;
}

int part_kept_bad(int n)
{
	struct buf b;
	b.data = malloc(n); /* indict: memory-leak */
	b.len = n;
	return look(&b);
}

static void chain_free(struct buf *b)
{
	if (b) {
		chain_free(b->next);
		free(b);
	}
}

int chain_ok(void)
{
	struct buf *b = malloc(sizeof *b);
	if (!b)
		return -1;
	b->next = NULL;
	chain_free(b);
	return 0;
}

int chain_bad(void)
{
	struct buf *b = malloc(sizeof *b); /* indict: memory-leak */
	if (!b)
		return -1;
	b->next = NULL;
	chain_free(b->next);
	return 0;
}
