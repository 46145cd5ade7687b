/* What a summary proposes and a run excludes: locks. Each `_ok` looks guilty to an analysis that abstracts
   loops and callees; its twin is guilty. */
#include <pthread.h>

int work(int);
static int hits;

int rounds_ok(pthread_mutex_t *m)
{
	int i, x = 0;
	for (i = 0; i < 10; i++)
		x += 2;
	pthread_mutex_lock(m);
	if (x == 7)
		pthread_mutex_lock(m);
	pthread_mutex_unlock(m);
	return x;
}

int rounds_bad(pthread_mutex_t *m)
{
	int i, x = 0;
	for (i = 0; i < 10; i++)
		x += 2;
	pthread_mutex_lock(m);
	if (x == 20)
		pthread_mutex_lock(m); /* indict: double-lock */
	pthread_mutex_unlock(m);
	return x;
}

/* A lock function that returned an error did not lock. */
int refused_ok(pthread_mutex_t *l, int k)
{
	if (pthread_mutex_lock(l))
		return 0;
	hits += k;
	if (pthread_mutex_unlock(l))
		return 0;
	return 1;
}

int refused_bad(pthread_mutex_t *l, int k)
{
	if (pthread_mutex_lock(l))
		return 0;
	hits += k;
	if (k > 8)
		return 0; /* indict: lock-imbalance */
	if (pthread_mutex_unlock(l))
		return 0;
	return 1;
}

static int locked_for(pthread_mutex_t *l, int n)
{
	if (n < 3)
		return 0;
	pthread_mutex_lock(l);
	return 1;
}

int by_result_ok(pthread_mutex_t *l)
{
	int held = locked_for(l, 2);
	if (held)
		pthread_mutex_unlock(l);
	pthread_mutex_lock(l);
	pthread_mutex_unlock(l);
	return held;
}

int by_result_bad(pthread_mutex_t *l)
{
	int held = locked_for(l, 3);
	pthread_mutex_lock(l); /* indict: double-lock */
	pthread_mutex_unlock(l);
	return held;
}

struct pool { pthread_mutex_t lock; int kind; int count; };

static int kind_of(const struct pool *p) { return p->kind * 2 + 1; }

/* An odd number is never four. */
int parity_ok(struct pool *p)
{
	pthread_mutex_lock(&p->lock);
	if (kind_of(p) == 4)
		pthread_mutex_lock(&p->lock);
	p->count++;
	pthread_mutex_unlock(&p->lock);
	return 0;
}

int parity_bad(struct pool *p)
{
	pthread_mutex_lock(&p->lock);
	if (kind_of(p) == 5)
		pthread_mutex_lock(&p->lock); /* indict: double-lock */
	p->count++;
	pthread_mutex_unlock(&p->lock);
	return 0;
}

/* The table is searched to its end: the last entry is always found. */
static const int table[4] = { 3, 5, 7, 9 };

int searched_ok(pthread_mutex_t *l)
{
	int i;
	pthread_mutex_lock(l);
	for (i = 0; i < 4; i++)
		if (table[i] == 9)
			break;
	if (i == 4)
		return -1;
	pthread_mutex_unlock(l);
	return 0;
}

int searched_bad(pthread_mutex_t *l)
{
	int i;
	pthread_mutex_lock(l);
	for (i = 0; i < 4; i++)
		if (table[i] == 9)
			break;
	if (i == 3 && work(i))
		return 0; /* indict: lock-imbalance */
	pthread_mutex_unlock(l);
	return 0;
}

/* Whoever does not look whether a lock function has failed expects it to succeed. */
int unchecked_ok(pthread_mutex_t *m)
{
	int i, x = 0;
	for (i = 0; i < 10; i++)
		x += 2;
	pthread_mutex_lock(m);
	if (x == 7)
		pthread_mutex_unlock(m);
	pthread_mutex_unlock(m);
	return x;
}

int unchecked_bad(pthread_mutex_t *m)
{
	int i, x = 0;
	for (i = 0; i < 10; i++)
		x += 2;
	pthread_mutex_lock(m);
	if (x == 20)
		pthread_mutex_unlock(m);
	pthread_mutex_unlock(m); /* indict: double-unlock */
	return x;
}
