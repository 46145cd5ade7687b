/* The classes of false positives of the paper's Table IV, and their twins. */
typedef struct { int raw; } spinlock_t;
typedef struct { int raw; } rwlock_t;
struct mutex { int raw; };
struct semaphore { int count; };
struct rw_semaphore { int count; };
void spin_lock(spinlock_t *l);
void spin_unlock(spinlock_t *l);
int spin_trylock(spinlock_t *l);
void _raw_read_lock(rwlock_t *l);
void _raw_read_unlock(rwlock_t *l);
void _raw_write_lock(rwlock_t *l);
void _raw_write_unlock(rwlock_t *l);
void mutex_lock(struct mutex *l);
void mutex_unlock(struct mutex *l);
int mutex_lock_interruptible(struct mutex *l);
int mutex_trylock(struct mutex *l);
void down(struct semaphore *s);
int down_interruptible(struct semaphore *s);
void up(struct semaphore *s);
void down_read(struct rw_semaphore *s);
void up_read(struct rw_semaphore *s);
void down_write(struct rw_semaphore *s);
void up_write(struct rw_semaphore *s);
void downgrade_write(struct rw_semaphore *s);
void BUG(void) __attribute__((noreturn));
int work(int);

struct queue { spinlock_t lock; int n; spinlock_t locks[8]; struct semaphore free; };

/* Propositions: what the caller passes, or is left with, tells the state. */
void proposition_ok(struct queue *q, int wait, int *held)
{
	if (wait) {
		spin_lock(&q->lock);
		*held = 1;
	} else
		*held = spin_trylock(&q->lock);
}

void proposition_bad(struct queue *q, int wait, int *held)
{
	if (wait) {
		spin_lock(&q->lock);
		*held = 1;
	} else
		*held = spin_trylock(&q->lock);
	if (*held)
		spin_lock(&q->lock); /* indict: double-lock */
}

/* Trylock as a question. */
void question_ok(struct queue *q)
{
	if (spin_trylock(&q->lock))
		BUG();
	q->n++;
	spin_unlock(&q->lock);
}

void question_bad(struct queue *q)
{
	if (spin_trylock(&q->lock))
		BUG();
	q->n++;
	spin_unlock(&q->lock);
	spin_unlock(&q->lock); /* indict: double-unlock */
}

/* Semaphores count. */
void counting_ok(struct queue *q)
{
	down(&q->free);
	down(&q->free);
	q->n += 2;
	up(&q->free);
}

int counting_bad(struct queue *q, int n)
{
	down(&q->free);
	if (work(n))
		return -4; /* indict: lock-imbalance */
	up(&q->free);
	return q->n ? -4 : 0;
}

/* Locks for reading may be taken twice. */
void reading_ok(rwlock_t *l, int *p)
{
	_raw_read_lock(l);
	_raw_read_lock(l);
	work(*p);
	_raw_read_unlock(l);
	_raw_read_unlock(l);
}

void reading_bad(rwlock_t *l, int *p)
{
	_raw_write_lock(l);
	_raw_read_lock(l); /* indict: double-lock */
	work(*p);
	_raw_read_unlock(l);
	_raw_write_unlock(l);
}

/* Arrays of locks. */
void array_ok(struct queue *q, unsigned i)
{
	spin_lock(&q->locks[i]);
	q->n++;
	spin_unlock(&q->locks[i]);
	i = (i + 1) & 7;
	spin_lock(&q->locks[i]);
	q->n++;
	spin_unlock(&q->locks[i]);
}

void array_bad(struct queue *q, unsigned i)
{
	spin_lock(&q->locks[i]);
	q->n++;
	spin_lock(&q->locks[i]); /* indict: double-lock */
}

/* Mutexes that may be interrupted. */
int interrupted_ok(struct mutex *m, int *p)
{
	if (mutex_lock_interruptible(m))
		return -4;
	(*p)++;
	mutex_unlock(m);
	return 0;
}

int interrupted_bad(struct mutex *m, int *p)
{
	if (mutex_lock_interruptible(m)) {
		mutex_unlock(m); /* indict: double-unlock */
		return -4;
	}
	(*p)++;
	mutex_unlock(m);
	return 0;
}

int mutex_ok(struct mutex *m, int *p)
{
	if (!mutex_trylock(m))
		return 0;
	(*p)++;
	mutex_unlock(m);
	return 1;
}

int mutex_bad(struct mutex *m, int *p)
{
	mutex_lock(m);
	(*p)++;
	mutex_lock(m); /* indict: double-lock */
	return 1;
}

void downgraded_ok(struct rw_semaphore *s, int *p)
{
	down_write(s);
	(*p)++;
	downgrade_write(s);
	work(*p);
	up_read(s);
}

void downgraded_bad(struct rw_semaphore *s, int *p)
{
	down_write(s);
	(*p)++;
	down_write(s); /* indict: double-lock */
	up_write(s);
}

int semaphore_ok(struct semaphore *s)
{
	if (down_interruptible(s))
		return -4;
	work(1);
	up(s);
	return 0;
}

int semaphore_bad(struct semaphore *s)
{
	if (down_interruptible(s))
		return -4;
	if (work(1))
		return 0; /* indict: lock-imbalance */
	up(s);
	return 0;
}

/* The result says the same where nobody got the semaphore and where it was given back. */
int semaphore_either_ok(struct semaphore *s)
{
	if (down_interruptible(s))
		return 0;
	if (!work(1)) {
		up(s);
		return 0;
	}
	up(s);
	return 1;
}

int semaphore_either_bad(struct semaphore *s)
{
	if (down_interruptible(s))
		return 0;
	if (!work(1))
		return 0; /* indict: lock-imbalance */
	up(s);
	return 1;
}

int read_balance_ok(struct rw_semaphore *s, int n)
{
	down_read(s);
	if (work(n)) {
		up_read(s);
		return 0;
	}
	up_read(s);
	return 0;
}

int read_balance_bad(struct rw_semaphore *s, int n)
{
	down_read(s);
	if (work(n))
		return 0; /* indict: lock-imbalance */
	up_read(s);
	return 0;
}

int interrupted_only_bad(struct mutex *m)
{
	int failed = mutex_lock_interruptible(m);

	if (failed == -5)
		return failed;
	mutex_unlock(m); /* indict: double-unlock */
	return 0;
}

int interrupted_only_ok(struct mutex *m)
{
	int failed = mutex_lock_interruptible(m);

	if (failed == -4)
		return failed;
	mutex_unlock(m);
	return 0;
}
