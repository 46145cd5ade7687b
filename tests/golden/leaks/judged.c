/* What a summary proposes and a run excludes: memory and streams. Each `_ok` looks guilty to an analysis that
   abstracts loops and callees; its twin is guilty. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int work(int);

int rounds_ok(void)
{
	int i, x = 0;
	char *p;
	for (i = 0; i < 10; i++)
		x += 2;
	p = malloc(10);
	if (!p)
		return -1;
	if (x == 7)
		return -2;
	free(p);
	return 0;
}

int rounds_bad(void)
{
	int i, x = 0;
	char *p;
	for (i = 0; i < 10; i++)
		x += 2;
	p = malloc(10); /* indict: memory-leak */
	if (!p)
		return -1;
	if (x == 20)
		return -2;
	free(p);
	return 0;
}

struct box { char *base; unsigned used, size; };

static int box_init(struct box *b, unsigned size)
{
	b->base = malloc(size);
	b->used = 0;
	b->size = size;
	return b->base ? 0 : -1;
}

static void *box_take(struct box *b, unsigned n)
{
	if (b->used + n > b->size)
		return NULL;
	b->used += n;
	return b->base + b->used - n;
}

int box_ok(void)
{
	struct box b;
	char *p;
	if (box_init(&b, 16) != 0)
		return -1;
	p = box_take(&b, 8);
	if (!p)
		return -1;
	free(b.base);
	return 0;
}

int box_bad(void)
{
	struct box b;
	char *p;
	if (box_init(&b, 16) != 0) /* indict: memory-leak */
		return -1;
	p = box_take(&b, 24);
	if (!p)
		return -1;
	free(b.base);
	return 0;
}

/* Both are set, or none. */
static int read_pair(char **name, char **value)
{
	*name = *value = NULL;
	*name = malloc(8);
	if (!*name)
		return 1;
	*value = malloc(8);
	if (!*value) {
		free(*name);
		*name = NULL;
		return 1;
	}
	return 0;
}

int pair_ok(void)
{
	char *n = NULL, *v = NULL;
	read_pair(&n, &v);
	if (n == NULL || v == NULL)
		return 1;
	free(n);
	free(v);
	return 0;
}

int pair_bad(int skip)
{
	char *n = NULL, *v = NULL;
	read_pair(&n, &v); /* indict: memory-leak */
	if (n == NULL || v == NULL)
		return 1;
	free(n);
	if (!skip)
		free(v);
	return 0;
}

static int read_one(char **name, int *ok)
{
	*name = malloc(8);
	if (!*name) {
		*ok = 0;
		return 1;
	}
	*ok = 1;
	return 0;
}

int told_ok(void)
{
	char *n = NULL;
	int ok = 0;
	read_one(&n, &ok);
	if (!ok)
		return 1;
	free(n);
	return 0;
}

int told_bad(void)
{
	char *n = NULL;
	int ok = 0;
	read_one(&n, &ok); /* indict: memory-leak */
	if (ok)
		return 1;
	free(n);
	return 0;
}

/* Two streams, one of them opened behind a wrapper. */
static FILE *scratch(void)
{
	return tmpfile();
}

int streams_ok(const char *path)
{
	FILE *f = fopen(path, "r"), *t;
	if (!f)
		return 1;
	t = scratch();
	if (!t) {
		fclose(f);
		return 1;
	}
	fclose(f);
	fclose(t);
	return 0;
}

int streams_bad(const char *path)
{
	FILE *f = fopen(path, "r"), *t;
	if (!f)
		return 1;
	t = scratch();
	if (!t) {
		fclose(f);
		return 1;
	}
	fclose(f);
	fclose(t);
	fclose(f); /* indict: double-free */
	return 0;
}

/* The result of a division by seven is below seven's multiples: the branch cannot be taken. */
int remainder_ok(unsigned n)
{
	char *p = malloc(4);
	if (!p)
		return -1;
	if (n % 7 == 9)
		return -2;
	free(p);
	return 0;
}

int remainder_bad(unsigned n)
{
	char *p = malloc(4); /* indict: memory-leak */
	if (!p)
		return -1;
	if (n % 7 == 5)
		return -2;
	free(p);
	return 0;
}

/* An interior pointer keeps a block. */
struct header { int length; char text[12]; };

char *interior_ok(const char *s)
{
	struct header *h = calloc(1, sizeof *h);
	if (!h)
		return NULL;
	h->length = s[0];
	return h->text;
}

int interior_bad(const char *s)
{
	struct header *h = calloc(1, sizeof *h); /* indict: memory-leak */
	if (!h)
		return 0;
	h->length = s[0];
	return h->text[0];
}

/* A pointer that is stored as a number keeps a block. */
void number_ok(unsigned long *out)
{
	char *p = malloc(4);
	*out = (unsigned long)p;
}

void number_bad(unsigned long *out)
{
	char *p = malloc(4); /* indict: memory-leak */
	*out = (unsigned long)p & 1;
}

/* exit() loses nothing. */
void ends_ok(int n)
{
	char *p = malloc(4);
	if (work(n))
		exit(1);
	free(p);
}

void ends_bad(int n)
{
	char *p = malloc(4); /* indict: memory-leak */
	if (work(n))
		return;
	free(p);
}

/* structures that are returned or passed by value hold on to what they point to */
struct value { unsigned char kind; int size; void *data; };
struct ends { int *first, *last; };
struct many { int *data; int counts[8]; };
void keep_value(struct value);
void keep_many(struct many);

int value_bad(void)
{
	struct value value = { 3, 0, NULL };
	int *data = malloc(sizeof *data); /* indict: memory-leak */
	if (!data)
		abort();
	*data = 1;
	value.data = data;
	return value.kind;
}

struct value value_ok(void)
{
	struct value value = { 3, 0, NULL };
	int *data = malloc(sizeof *data);
	if (!data)
		abort();
	*data = 1;
	value.data = data;
	return value;
}

int both_ends_bad(int a)
{
	struct ends ends;
	int *data = malloc(sizeof *data); /* indict: memory-leak */
	if (!data)
		abort();
	*data = a;
	ends.first = ends.last = data;
	return ends.first == ends.last;
}

struct ends both_ends_ok(int a)
{
	struct ends ends;
	int *data = malloc(sizeof *data);
	if (!data)
		abort();
	*data = a;
	ends.first = ends.last = data;
	return ends;
}

void passed_value_bad(void)
{
	struct value value = { 3, 0, NULL };
	int *data = malloc(sizeof *data); /* indict: memory-leak */
	if (!data)
		abort();
	*data = 1;
	value.size = *data;
	keep_value(value);
}

void passed_value_ok(void)
{
	struct value value = { 3, 0, NULL };
	int *data = malloc(sizeof *data);
	if (!data)
		abort();
	*data = 1;
	value.data = data;
	keep_value(value);
}

void passed_many_bad(void)
{
	struct many many = { NULL, { 0 } };
	int *data = malloc(sizeof *data); /* indict: memory-leak */
	if (!data)
		abort();
	*data = 1;
	many.counts[0] = *data;
	keep_many(many);
}

void passed_many_ok(void)
{
	struct many many = { NULL, { 0 } };
	int *data = malloc(sizeof *data);
	if (!data)
		abort();
	*data = 1;
	many.data = data;
	keep_many(many);
}

/* a run frees what the caller had; a text of the caller is longer than a limit, or a word that the program knows */
struct setting { int mode; char *text; };
struct setting setting;
const char *const shades[] = { "light", "dark" };

int freed_first_bad(const char *name)
{
	FILE *f = fopen(name, "r"); /* indict: memory-leak */
	if (!f)
		return 1;
	if (setting.mode) {
		free(setting.text);
		return 1;
	}
	fclose(f);
	return 0;
}

int freed_first_ok(const char *name)
{
	FILE *f = fopen(name, "r");
	if (!f)
		return 1;
	if (setting.mode) {
		free(setting.text);
		fclose(f);
		return 1;
	}
	fclose(f);
	return 0;
}

char *too_long_bad(const char *name)
{
	char *copy = malloc(256); /* indict: memory-leak */
	if (!copy)
		return NULL;
	if (strlen(name) > 255)
		return NULL;
	strcpy(copy, name);
	return copy;
}

char *too_long_ok(const char *name)
{
	char *copy = malloc(256);
	if (!copy)
		return NULL;
	if (strlen(name) > 255) {
		free(copy);
		return NULL;
	}
	strcpy(copy, name);
	return copy;
}

char *shaded_bad(const char *name)
{
	char *copy = malloc(4); /* indict: memory-leak */
	if (!copy)
		return NULL;
	if (strcmp(name, shades[1]) == 0)
		return NULL;
	copy[0] = '\0';
	return copy;
}

char *shaded_ok(const char *name)
{
	char *copy = malloc(4);
	if (!copy)
		return NULL;
	if (strcmp(name, shades[1]) == 0) {
		free(copy);
		return NULL;
	}
	copy[0] = '\0';
	return copy;
}

/* a function of the library that only the outside defines */
int explained_bad(FILE *log, const char *name)
{
	char *copy = malloc(16); /* indict: memory-leak */
	if (!copy)
		return 1;
	if (remove(name) != 0) {
		fprintf(log, "%s\n", strerror(2));
		return 2;
	}
	free(copy);
	return 0;
}

int explained_ok(FILE *log, const char *name)
{
	char *copy = malloc(16);
	if (!copy)
		return 1;
	if (remove(name) != 0) {
		fprintf(log, "%s\n", strerror(2));
		free(copy);
		return 2;
	}
	free(copy);
	return 0;
}

/* a callee gets what it needs from unknown functions, through pointers to its own variables */
int next_text(void *from, char **text);
int next_count(void *from, int *count);

static int parse_name(void *from, char **name)
{
	char *text = NULL;
	int count;

	*name = NULL;
	if (next_text(from, &text) != 0 || next_count(from, &count) != 0)
		return -1;
	if (strcmp(text, "name") != 0 || count != 7) {
		free(text);
		return -2;
	}
	free(text);
	*name = malloc(8);
	return *name != NULL ? 0 : -3;
}

int parsed_bad(void *from)
{
	char *name;
	if (parse_name(from, &name) != 0) /* indict: memory-leak */
		return -1;
	if (work(name[0] = 1) != 0)
		return -2;
	free(name);
	return 0;
}

int parsed_ok(void *from)
{
	char *name;
	if (parse_name(from, &name) != 0)
		return -1;
	if (work(name[0] = 1) != 0) {
		free(name);
		return -2;
	}
	free(name);
	return 0;
}

/* the old block is gone when it has moved */
static char *line;
static size_t room;

char *longer_ok(FILE *from)
{
	char *p;
	size_t n = 0;
	int c;

	if (!line && !(line = calloc(1, room = 2)))
		return NULL;
	while ((c = getc(from)) != EOF) {
		line[n++] = c;
		if (n == room) {
			if (!(p = reallocarray(line, 2, room)))
				return NULL;
			line = p;
			room = 2 * room;
		}
	}
	return line;
}

char *longer_bad(FILE *from)
{
	char *p;
	size_t n = 0;
	int c;

	if (!line && !(line = calloc(1, room = 2))) /* indict: memory-leak */
		return NULL;
	while ((c = getc(from)) != EOF) {
		line[n++] = c;
		if (n == room) {
			if (!(p = calloc(2, room))) /* indict: memory-leak */
				return NULL;
			memcpy(p, line, room);
			line = p;
			room = 2 * room;
		}
	}
	return line;
}

/* a stream that a callee opens, reads and closes in case of an error */
int headed_ok(const char *name)
{
	char head[4];
	FILE *file = fopen(name, "r");
	if (!file)
		return 1;
	if (fread(head, 1, sizeof(head), file) != sizeof(head))
		goto error;
	fclose(file);
	return 0;
error:
	fprintf(stderr, "%s", strerror(2));
	if (file)
		fclose(file);
	return 2;
}

int headed_bad(const char *name)
{
	char head[4];
	FILE *file = fopen(name, "r"); /* indict: memory-leak */
	if (!file)
		return 1;
	if (fread(head, 1, sizeof(head), file) != sizeof(head))
		goto error;
	fclose(file);
	return 0;
error:
	fprintf(stderr, "%s", strerror(2));
	return 2;
}

/* the program ends when main returns */
int main(int argc, char **argv)
{
	char *copy = malloc(16);
	if (!copy)
		return 1;
	if (argc > 1)
		return work(argv[1][0]);
	free(copy);
	return 0;
}
