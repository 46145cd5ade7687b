/* The examples and figures of the paper: §6. */
#include <stdlib.h>
#include <string.h>

struct state { void *data; struct state *next; char *name; };
struct node { struct node *next; struct node *prev; int value; };
extern void *error_condition(void);
extern void push(void *);
static struct state *stack;

/* §6.1 */
char *returned_bad(unsigned n)
{
	char *p = malloc(n); /* indict: memory-leak */
	if (error_condition())
		return NULL;
	return p;
}

char *returned_ok(unsigned n)
{
	char *p = malloc(n);
	if (error_condition()) {
		free(p);
		return NULL;
	}
	return p;
}

void if_not_null_ok(unsigned n)
{
	char *p = malloc(n);
	if (p != NULL)
		free(p);
}

void if_not_null_bad(unsigned n)
{
	char *p = malloc(n); /* indict: memory-leak */
	if (p == NULL)
		free(p);
}

int fast_buffer_ok(int len)
{
	char fastbuf[10], *p;
	int r;
	if (len < 10)
		p = fastbuf;
	else
		p = (char *)malloc(len);
	if (!p)
		return -1;
	p[0] = 1;
	r = p[0];
	if (p != fastbuf)
		free(p);
	return r;
}

int fast_buffer_bad(int len)
{
	char fastbuf[10], *p;
	int r;
	if (len < 10)
		p = fastbuf;
	else
		p = (char *)malloc(len); /* indict: memory-leak */
	if (!p)
		return -1;
	p[0] = 1;
	r = p[0];
	if (p == fastbuf)
		r++;
	return r;
}

static void push_on_stack(struct state *p)
{
	p->next = stack;
	stack = p;
}

static void look_at_stack(struct state *p)
{
	if (stack == p)
		p->data = NULL;
}

void pushed_ok(const char *string)
{
	struct state *p = malloc(sizeof *p);
	if (!p)
		return;
	p->name = strdup(string);
	push_on_stack(p);
}

void pushed_bad(const char *string)
{
	struct state *p = malloc(sizeof *p);
	if (!p)
		return;
	p->name = strdup(string); /* indict: memory-leak */
	look_at_stack(p);
	free(p);
}

/* §6.2 */
void through_parameter_ok(struct state *p)
{
	p->data = malloc(4);
}

void through_local_bad(void)
{
	struct state s;
	struct state *p = &s;
	p->data = malloc(4); /* indict: memory-leak */
}

/* §6.4: two that point to each other. */
void cycle_bad(void)
{
	struct node *s = malloc(sizeof *s); /* indict: memory-leak */
	if (!s)
		return;
	s->next = malloc(sizeof *s); /* indict: memory-leak */
	if (s->next)
		s->next->prev = s;
}

struct node *cycle_ok(void)
{
	struct node *s = malloc(sizeof *s);
	if (!s)
		return NULL;
	s->next = malloc(sizeof *s);
	if (s->next)
		s->next->prev = s;
	return s;
}

/* §6.5 */
void *global;
void *f_ok(struct state *p)
{
	global = p->next->data;
	return malloc(5);
}

void insert_after(struct node *head, struct node *new)
{
	new->next = head->next;
	head->next = new;
}

void inserted_ok(struct node *head)
{
	struct node *n = calloc(1, sizeof *n);
	if (n)
		insert_after(head, n);
}

void inserted_bad(struct node *head)
{
	struct node *n = calloc(1, sizeof *n); /* indict: memory-leak */
	if (n)
		insert_after(n, head);
}

/* Figure 17. */
int leave_realm_bad(const char *hostname)
{
	char *host = strdup(hostname); /* indict: memory-leak */
	if (error_condition())
		return -2;
	free(host);
	return 0;
}

int leave_realm_ok(const char *hostname)
{
	char *host = strdup(hostname);
	if (error_condition()) {
		free(host);
		return -2;
	}
	free(host);
	return 0;
}

static char *get_longfilename(const char *info)
{
	char *name = malloc(strlen(info) + 1);
	if (!name)
		return NULL;
	name[0] = '/';
	return name;
}

int tarput_bad(const char *info)
{
	char *longfilename = get_longfilename(info); /* indict: memory-leak */
	return longfilename ? longfilename[0] : 0;
}

int tarput_ok(const char *info)
{
	char *longfilename = get_longfilename(info);
	int r = longfilename ? longfilename[0] : 0;
	free(longfilename);
	return r;
}

static int password_delete(const char *domain)
{
	return domain[0] == 'x';
}

int trust_revoke_bad(char **argv)
{
	char *domain = strdup(argv[0]); /* indict: memory-leak */
	if (!domain)
		return -1;
	if (!password_delete(domain))
		return 1;
	return 0;
}

int trust_revoke_ok(char **argv)
{
	int r;
	char *domain = strdup(argv[0]);
	if (!domain)
		return -1;
	r = !password_delete(domain);
	free(domain);
	return r;
}

/* Figure 18. */
struct bn { int top; int *d; };
static struct bn *bn_new(void) { return calloc(1, sizeof(struct bn)); }
static void bn_free(struct bn *b) { free(b); }
static struct bn *bn_copy(struct bn *a, const struct bn *b)
{
	if (b->top > 1000)
		return NULL;
	a->top = b->top;
	return a;
}

struct bn *bn_dup_ok(const struct bn *a)
{
	struct bn *t, *r;
	t = bn_new();
	if (t == NULL)
		return NULL;
	r = bn_copy(t, a);
	if (r == NULL)
		bn_free(t);
	return r;
}

struct bn *bn_dup_bad(const struct bn *a)
{
	struct bn *t, *r;
	t = bn_new(); /* indict: memory-leak */
	if (t == NULL)
		return NULL;
	r = bn_copy(t, a);
	return r;
}

/* §6.7 */
struct super { int kind; };
struct sub { int value; struct super super; };
struct super *embedded_ok(int value)
{
	struct sub *p = malloc(sizeof *p);
	if (!p)
		return NULL;
	p->value = value;
	return &p->super;
}

struct super *embedded_bad(int value)
{
	struct sub *p = malloc(sizeof *p); /* indict: memory-leak */
	if (!p)
		return NULL;
	p->value = value;
	return NULL;
}

/* §6.6: the loop does not end within the iterations that are unrolled. */
int long_loop_bad(int *sum)
{
	int i;
	char *p = malloc(10); /* indict: memory-leak */
	for (i = 0; i < 10000; i++)
		*sum += i;
	return p ? 1 : 0;
}

int long_loop_ok(int *sum)
{
	int i;
	char *p = malloc(10);
	for (i = 0; i < 10000; i++)
		*sum += i;
	free(p);
	return 1;
}
