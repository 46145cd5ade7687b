/* Locks of POSIX. */
#include <pthread.h>
#include <stdlib.h>

struct account { pthread_mutex_t mutex; long balance; pthread_rwlock_t names; };
int work(int);

int withdraw_bad(struct account *a, long amount)
{
	pthread_mutex_lock(&a->mutex);
	if (a->balance < amount)
		return -1; /* indict: lock-imbalance */
	if (work(1)) {
		pthread_mutex_unlock(&a->mutex);
		return -2;
	}
	a->balance -= amount;
	pthread_mutex_unlock(&a->mutex);
	return 0;
}

int withdraw_ok(struct account *a, long amount)
{
	pthread_mutex_lock(&a->mutex);
	if (a->balance < amount) {
		pthread_mutex_unlock(&a->mutex);
		return -1;
	}
	if (work(1)) {
		pthread_mutex_unlock(&a->mutex);
		return -2;
	}
	a->balance -= amount;
	pthread_mutex_unlock(&a->mutex);
	return 0;
}

void transfer_bad(struct account *a, struct account *b, long n)
{
	pthread_mutex_lock(&a->mutex);
	pthread_mutex_lock(&b->mutex);
	a->balance -= n;
	b->balance += n;
	pthread_mutex_unlock(&b->mutex);
	pthread_mutex_unlock(&b->mutex); /* indict: double-unlock */
}

void transfer_ok(struct account *a, struct account *b, long n)
{
	pthread_mutex_lock(&a->mutex);
	pthread_mutex_lock(&b->mutex);
	a->balance -= n;
	b->balance += n;
	pthread_mutex_unlock(&b->mutex);
	pthread_mutex_unlock(&a->mutex);
}

int tried_bad(struct account *a)
{
	if (pthread_mutex_trylock(&a->mutex) != 0)
		return 0;
	pthread_mutex_lock(&a->mutex); /* indict: double-lock */
	return 1;
}

int tried_ok(struct account *a)
{
	if (pthread_mutex_trylock(&a->mutex) != 0)
		return 0;
	pthread_mutex_unlock(&a->mutex);
	return 1;
}

long name_bad(struct account *a)
{
	pthread_rwlock_rdlock(&a->names);
	long n = a->balance;
	pthread_rwlock_wrlock(&a->names); /* indict: double-lock */
	pthread_rwlock_unlock(&a->names);
	return n;
}

long name_ok(struct account *a)
{
	pthread_rwlock_rdlock(&a->names);
	long n = a->balance;
	pthread_rwlock_unlock(&a->names);
	pthread_rwlock_wrlock(&a->names);
	pthread_rwlock_unlock(&a->names);
	return n;
}

static pthread_mutex_t global = PTHREAD_MUTEX_INITIALIZER;
static int counter;

int count_bad(void)
{
	pthread_mutex_lock(&global);
	counter++;
	if (counter > 100)
		counter = 0;
	else
		pthread_mutex_unlock(&global);
	pthread_mutex_unlock(&global); /* indict: double-unlock */
	return counter;
}

int count_ok(void)
{
	pthread_mutex_lock(&global);
	counter++;
	if (counter > 100)
		counter = 0;
	pthread_mutex_unlock(&global);
	return counter;
}
