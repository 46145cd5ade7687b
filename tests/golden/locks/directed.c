/* Runs that are found only by what they compare: locks. */
#include <pthread.h>

struct stream { pthread_mutex_t lock; unsigned rate, shift, most; int type; };

/* A model of the path may have a shift that makes the divisor zero; other memory is looked for. */
int divided_bad(struct stream *s)
{
	unsigned per, size;
	pthread_mutex_lock(&s->lock);
	per = 8000 >> s->shift;
	size = s->rate / per;
	if (size > s->most)
		return -1; /* indict: lock-imbalance */
	if (s->type == 3) {
		pthread_mutex_unlock(&s->lock);
		return -2;
	}
	pthread_mutex_unlock(&s->lock);
	return 0;
}

int divided_ok(struct stream *s)
{
	unsigned per, size;
	pthread_mutex_lock(&s->lock);
	per = 8000 >> s->shift;
	size = s->rate / per;
	if (size > s->most && per == 0)
		return -1;
	if (s->type == 3) {
		pthread_mutex_unlock(&s->lock);
		return -2;
	}
	pthread_mutex_unlock(&s->lock);
	return 0;
}
