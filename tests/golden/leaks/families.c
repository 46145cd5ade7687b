/* Families of allocators: the kernel's, GLib's, OpenSSL's, talloc's, and streams. */
#include <stddef.h>
#include <stdio.h>
typedef unsigned gfp_t;
void *kmalloc(size_t n, gfp_t flags);
void *kzalloc(size_t n, gfp_t flags);
void kfree(const void *p);
char *kstrdup(const char *s, gfp_t flags);
void *kmem_cache_alloc(void *cache, gfp_t flags);
void kmem_cache_free(void *cache, void *p);
void *g_malloc(size_t n);
void *g_try_malloc(size_t n);
void g_free(void *p);
char *g_strdup(const char *s);
void *CRYPTO_malloc(size_t n, const char *file, int line);
void CRYPTO_free(void *p, const char *file, int line);
void *_talloc_zero(const void *context, size_t n, const char *name);
void *talloc_strdup(const void *context, const char *s);
int _talloc_free(void *p, const char *where);
unsigned long virt_to_phys(volatile void *p);
int hardware(unsigned long address);
int work(int);

struct ring { int *slots; char *name; };

int ring_bad(struct ring *r, int n)
{
	int *slots = kmalloc(n * sizeof *slots, 0); /* indict: memory-leak */
	char *name;
	if (!slots)
		return -12;
	name = kstrdup("ring", 0);
	if (!name)
		return -12;
	r->slots = slots;
	r->name = name;
	return 0;
}

int ring_ok(struct ring *r, int n)
{
	int *slots = kmalloc(n * sizeof *slots, 0);
	char *name;
	if (!slots)
		return -12;
	name = kstrdup("ring", 0);
	if (!name) {
		kfree(slots);
		return -12;
	}
	r->slots = slots;
	r->name = name;
	return 0;
}

int cached_bad(void *cache, int n)
{
	int *p = kmem_cache_alloc(cache, 0); /* indict: memory-leak */
	if (!p)
		return -12;
	*p = n;
	if (work(*p))
		return -5;
	kmem_cache_free(cache, p);
	return 0;
}

int cached_ok(void *cache, int n)
{
	int *p = kmem_cache_alloc(cache, 0);
	if (!p)
		return -12;
	*p = n;
	if (work(*p)) {
		kmem_cache_free(cache, p);
		return -5;
	}
	kmem_cache_free(cache, p);
	return 0;
}

/* The hardware knows it by another address. */
int mapped_ok(int n)
{
	void *p = kzalloc(n, 0);
	if (!p)
		return -12;
	return hardware(virt_to_phys(p));
}

int mapped_bad(int n)
{
	void *p = kzalloc(n, 0); /* indict: memory-leak */
	if (!p)
		return -12;
	return hardware(0);
}

int glib_bad(const char *s)
{
	char *copy = g_strdup(s); /* indict: memory-leak */
	char *buffer = g_try_malloc(100);
	if (!buffer)
		return -1;
	g_free(buffer);
	g_free(copy);
	return 0;
}

int glib_ok(const char *s)
{
	char *copy = g_strdup(s);
	char *buffer = g_try_malloc(100);
	if (!buffer) {
		g_free(copy);
		return -1;
	}
	g_free(buffer);
	g_free(copy);
	return 0;
}

int crypto_bad(int n)
{
	char *key = CRYPTO_malloc(n, __FILE__, __LINE__); /* indict: memory-leak */
	if (!key)
		return 0;
	if (work(n) <= 0)
		return 0;
	CRYPTO_free(key, __FILE__, __LINE__);
	return 1;
}

int crypto_ok(int n)
{
	char *key = CRYPTO_malloc(n, __FILE__, __LINE__);
	if (!key)
		return 0;
	if (work(n) <= 0) {
		CRYPTO_free(key, __FILE__, __LINE__);
		return 0;
	}
	CRYPTO_free(key, __FILE__, __LINE__);
	return 1;
}

int talloc_bad(int n)
{
	int *p = _talloc_zero(NULL, sizeof *p, "int"); /* indict: memory-leak */
	if (!p)
		return -1;
	*p = n;
	if (work(*p))
		return -1;
	_talloc_free(p, "here");
	return 0;
}

int talloc_ok(int n)
{
	int *p = _talloc_zero(NULL, sizeof *p, "int");
	if (!p)
		return -1;
	*p = n;
	if (work(*p)) {
		_talloc_free(p, "here");
		return -1;
	}
	_talloc_free(p, "here");
	return 0;
}

/* What has a parent goes with it. */
int child_ok(void *parent, const char *s)
{
	char *copy = talloc_strdup(parent, s);
	return copy ? work(copy[0]) : -1;
}

int child_bad(void *parent, const char *s)
{
	char *copy = talloc_strdup(NULL, s); /* indict: memory-leak */
	return copy ? work(copy[0]) : -1;
}

int stream_bad(const char *path)
{
	FILE *in = fopen(path, "r"); /* indict: memory-leak */
	int c;
	if (!in)
		return -1;
	c = fgetc(in);
	if (c == EOF)
		return -1;
	fclose(in);
	return c;
}

int stream_ok(const char *path)
{
	FILE *in = fopen(path, "r");
	int c;
	if (!in)
		return -1;
	c = fgetc(in);
	if (c == EOF) {
		fclose(in);
		return -1;
	}
	fclose(in);
	return c;
}

int closed_twice_bad(const char *path)
{
	FILE *in = fopen(path, "r");
	int c;
	if (!in)
		return -1;
	c = fgetc(in);
	if (c == EOF)
		fclose(in);
	fclose(in); /* indict: double-free */
	return c;
}

int closed_twice_ok(const char *path)
{
	FILE *in = fopen(path, "r");
	int c;
	if (!in)
		return -1;
	c = fgetc(in);
	fclose(in);
	return c;
}

/* New memory is no error code, also where a wrapper returns one or the other. */
static inline void *ERR_PTR(long error) { return (void *)error; }
static inline long PTR_ERR(const void *p) { return (long)p; }
static inline _Bool IS_ERR(const void *p) { return (unsigned long)p >= (unsigned long)-4095; }

static char *copied(const char *from, int n)
{
	char *to = kmalloc(n + 1, 0);
	if (!to)
		return ERR_PTR(-12);
	to[n] = 0;
	return to;
}

int wrapped_bad(struct ring *r, const char *from, int n)
{
	char *name = copied(from, n); /* indict: memory-leak */
	if (IS_ERR(name))
		return PTR_ERR(name);
	if (work(n))
		return -5;
	r->name = name;
	return 0;
}

int wrapped_ok(struct ring *r, const char *from, int n)
{
	r->name = copied(from, n);
	if (IS_ERR(r->name)) {
		int failed = PTR_ERR(r->name);
		r->name = NULL;
		return failed;
	}
	return 0;
}
