/* Locks that are taken and released by functions that are called. */
typedef struct { int raw; } spinlock_t;
void spin_lock(spinlock_t *l);
void spin_unlock(spinlock_t *l);
int spin_trylock(spinlock_t *l);
int work(int);

struct box { int n; spinlock_t lock; struct box *next; };

static void enter(struct box *b) { spin_lock(&b->lock); }
static void leave(struct box *b) { spin_unlock(&b->lock); }
static void enter_deep(struct box *b) { enter(b); b->n++; }
static int try_enter(struct box *b) { return spin_trylock(&b->lock); }

/* Locks on success, and says so. */
static int open_box(struct box *b)
{
	spin_lock(&b->lock);
	if (b->n < 0) {
		spin_unlock(&b->lock);
		return -1;
	}
	return 0;
}

/* Locks if it is told to. */
static void maybe_enter(struct box *b, int lock)
{
	if (lock)
		spin_lock(&b->lock);
}

/* Releases, and tells so through a flag. */
static void drop(struct box *b, int *held)
{
	if (*held) {
		spin_unlock(&b->lock);
		*held = 0;
	}
}

/* Asks for the lock to be held. */
static void change_held(struct box *b)
{
	b->n++;
	spin_unlock(&b->lock);
	work(b->n);
	spin_lock(&b->lock);
}

void wrapper_bad(struct box *b)
{
	enter(b);
	b->n++;
	enter(b); /* indict: double-lock */
}

void wrapper_ok(struct box *b)
{
	enter(b);
	b->n++;
	leave(b);
}

void deep_bad(struct box *b)
{
	enter_deep(b);
	spin_lock(&b->lock); /* indict: double-lock */
	leave(b);
}

void deep_ok(struct box *b)
{
	enter_deep(b);
	b->n--;
	leave(b);
}

void trying_bad(struct box *b)
{
	if (!try_enter(b)) {
		b->n = 0;
		leave(b);
		leave(b); /* indict: double-unlock */
	}
}

void trying_ok(struct box *b)
{
	if (try_enter(b)) {
		b->n = 0;
		leave(b);
	}
}

int opening_bad(struct box *b)
{
	int err = open_box(b);
	if (err) {
		leave(b); /* indict: double-unlock */
		return err;
	}
	b->n++;
	leave(b);
	return 0;
}

int opening_ok(struct box *b)
{
	int err = open_box(b);
	if (err)
		return err;
	b->n++;
	leave(b);
	return 0;
}

int opening_negative_bad(struct box *b)
{
	if (open_box(b) < 0)
		return -1;
	enter(b); /* indict: double-lock */
	return 0;
}

int opening_negative_ok(struct box *b)
{
	if (open_box(b) < 0)
		return -1;
	leave(b);
	return 0;
}

void told_bad(struct box *b)
{
	maybe_enter(b, 1);
	b->n++;
	maybe_enter(b, 1); /* indict: double-lock */
}

void told_ok(struct box *b)
{
	maybe_enter(b, 1);
	b->n++;
	maybe_enter(b, 0);
	leave(b);
}

void flag_bad(struct box *b, int n)
{
	int held = 0;
	if (work(n)) {
		enter(b);
		held = 1;
	}
	if (held) {
		leave(b);
		drop(b, &held); /* indict: double-unlock */
	}
}

void flag_ok(struct box *b, int n)
{
	int held = 0;
	if (work(n)) {
		enter(b);
		held = 1;
	}
	drop(b, &held);
	drop(b, &held);
}

void required_bad(struct box *b)
{
	enter(b);
	leave(b);
	change_held(b); /* indict: double-unlock */
}

void required_ok(struct box *b)
{
	enter(b);
	change_held(b);
	leave(b);
}

void next_bad(struct box *b)
{
	enter(b->next);
	work(1);
	enter(b->next); /* indict: double-lock */
}

void next_ok(struct box *b)
{
	enter(b->next);
	work(1);
	leave(b->next);
}

int missed_bad(struct box *b, int n)
{
	enter(b);
	if (work(n))
		return 0; /* indict: lock-imbalance */
	leave(b);
	return 0;
}

int missed_ok(struct box *b, int n)
{
	enter(b);
	if (work(n))
		b->n = 1;
	leave(b);
	return 0;
}

/* Recursion: each call takes and releases. */
static int walk_ok(struct box *b, int n)
{
	int sum;
	if (!b)
		return 0;
	enter(b);
	sum = b->n;
	leave(b);
	return n ? sum + walk_ok(b->next, n - 1) : sum;
}

static int hold_bad(struct box *b, int n)
{
	int sum = 0;
	enter(b);
	if (n)
		sum = hold_bad(b, n - 1); /* indict: double-lock */
	leave(b);
	return sum;
}

int walk_both_ok(struct box *b) { return walk_ok(b, 3) + hold_bad(b, 0); }
