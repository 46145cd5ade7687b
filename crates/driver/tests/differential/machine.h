/* What the machine adds to a generated program: functions without body answer from a script, mutexes are checked for
   errors, blocks are tracked. Each operation is told with the line of the outermost function. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096

static long script[MOST];
static int answers, asked;
static int fails[MOST];
static int allocations, allocated;
static int depth, root;
static jmp_buf out;

/* Addresses are kept in disguise, so that this table keeps no block from being lost. */
#define DISGUISE UINT64_C(0x5555555555555555)
static struct { uintptr_t disguised; int line, freed, callers, found; } blocks[MOST];
static int count;

static pthread_mutex_t *mutexes[3];

static void fail(const char *why)
{
	printf("! %s\n", why);
	fflush(stdout);
	exit(3);
}

static long next_answer(void)
{
	if (asked >= answers)
		fail("more is asked than is answered");
	return script[asked++];
}

/* The line of the outermost function. */
static int at(int line) { return depth ? root : line; }

static int which(pthread_mutex_t *m)
{
	for (int i = 0; i < 3; i++)
		if (mutexes[i] == m)
			return i;
	fail("an unknown mutex");
	return -1;
}

static int machine_lock(pthread_mutex_t *m, int line)
{
	int said = next_answer(), held = pthread_mutex_trylock(m);
	if (held == 0)
		pthread_mutex_unlock(m);
	if (said && held == 0) {
		/* The answer is that it could not be locked. */
		printf("%d keeps %d;", at(line), which(m));
		return said;
	}
	switch (pthread_mutex_lock(m)) {
	case 0: printf("%d locks %d;", at(line), which(m)); break;
	case EDEADLK: printf("%d double-lock %d;", at(line), which(m)); break;
	default: fail("lock");
	}
	return said;
}

static int machine_trylock(pthread_mutex_t *m, int line)
{
	int said = next_answer();
	if (said) {
		printf("%d keeps %d;", at(line), which(m));
		return said;
	}
	if (pthread_mutex_trylock(m) != 0)
		fail("what is held was locked");
	printf("%d locks %d;", at(line), which(m));
	return 0;
}

static int machine_unlock(pthread_mutex_t *m, int line)
{
	int said = next_answer();
	switch (pthread_mutex_unlock(m)) {
	case 0: printf("%d unlocks %d;", at(line), which(m)); break;
	case EPERM: printf("%d double-unlock %d;", at(line), which(m)); break;
	default: fail("unlock");
	}
	return said;
}

static void *address_of(int block) { return (void *)(blocks[block].disguised ^ DISGUISE); }

static void *new_block(int line, int callers)
{
	void *p = calloc(1, 16);
	blocks[count].disguised = (uintptr_t)p ^ DISGUISE;
	blocks[count].line = line;
	blocks[count].freed = 0;
	blocks[count].found = callers;
	blocks[count++].callers = callers;
	return p;
}

static void *machine_malloc(size_t n, int line)
{
	if (n != 16)
		fail("an unknown size");
	if (allocated >= allocations)
		fail("more is allocated than is said");
	if (fails[allocated++])
		return 0;
	printf("%d allocates;", at(line));
	return new_block(at(line), 0);
}

/* The block that holds an address. */
static int block_at(uintptr_t address)
{
	for (int i = 0; i < count; i++)
		if (address - (uintptr_t)address_of(i) < 16)
			return i;
	return -1;
}

/* Blocks are really freed after the run, so that no address is used twice. */
static void machine_free(void *p)
{
	int block = block_at((uintptr_t)p);
	if (!p)
		return;
	if (block < 0)
		fail("free of what was not allocated");
	if (blocks[block].freed)
		longjmp(out, 1);
	blocks[block].freed = 1;
}

/* Marks what can be found from a word: every word of memory that is the address of a block counts. */
static void find(uintptr_t word)
{
	int block = block_at(word);
	uintptr_t inner[2];
	if (block < 0 || blocks[block].freed || blocks[block].found == 2)
		return;
	blocks[block].found = 2;
	memcpy(inner, address_of(block), sizeof inner);
	find(inner[0]);
	find(inner[1]);
}

/* What was found becomes known to others; it has to be followed again at the end. */
static void escape(void *p)
{
	find((uintptr_t)p);
	for (int i = 0; i < count; i++)
		blocks[i].found = blocks[i].found != 0;
}

static int ask(void) { return next_answer(); }

struct node;

static int hand(struct node *p)
{
	escape(p);
	return next_answer();
}

#define pthread_mutex_lock(m) machine_lock(m, __LINE__)
#define pthread_mutex_trylock(m) machine_trylock(m, __LINE__)
#define pthread_mutex_unlock(m) machine_unlock(m, __LINE__)
#define malloc(n) machine_malloc(n, __LINE__)
#define free(p) machine_free(p)

/* A call of a generated function; the outermost one notes its line. */
#define CALL(f, ...) ({ \
	if (depth++ == 0) \
		root = __LINE__; \
	__typeof__(f(__VA_ARGS__)) result = f(__VA_ARGS__); \
	depth--; \
	result; \
})
