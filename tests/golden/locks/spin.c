/* Spinlocks within one function. */
typedef struct { int raw; } spinlock_t;
void spin_lock(spinlock_t *l);
void spin_unlock(spinlock_t *l);
int spin_trylock(spinlock_t *l);
void spin_lock_bh(spinlock_t *l);
void spin_unlock_bh(spinlock_t *l);
void _raw_spin_lock_irqsave(spinlock_t *l);
void spin_unlock_irqrestore(spinlock_t *l, unsigned long flags);
int work(int);

struct device { int id; spinlock_t lock; int users; struct device *peer; };
static spinlock_t table_lock;
static int table[16];
void fill_table(int i, int value) { table[i & 15] = value; }

void twice_bad(struct device *d)
{
	spin_lock(&d->lock);
	d->users++;
	spin_lock(&d->lock); /* indict: double-lock */
}

void twice_ok(struct device *d)
{
	spin_lock(&d->lock);
	d->users++;
	spin_unlock(&d->lock);
}

void released_twice_bad(struct device *d)
{
	spin_lock(&d->lock);
	d->users--;
	spin_unlock(&d->lock);
	spin_unlock(&d->lock); /* indict: double-unlock */
}

void released_twice_ok(struct device *d)
{
	spin_lock(&d->lock);
	d->users--;
	spin_unlock(&d->lock);
	spin_lock(&d->lock);
	spin_unlock(&d->lock);
}

int early_return_bad(struct device *d, int n)
{
	spin_lock(&d->lock);
	if (work(n) < 0)
		return -1; /* indict: lock-imbalance */
	if (d->users > n) {
		spin_unlock(&d->lock);
		return -2;
	}
	spin_unlock(&d->lock);
	return 0;
}

int early_return_ok(struct device *d, int n)
{
	spin_lock(&d->lock);
	if (work(n) < 0) {
		spin_unlock(&d->lock);
		return -1;
	}
	if (d->users > n) {
		spin_unlock(&d->lock);
		return -2;
	}
	spin_unlock(&d->lock);
	return 0;
}

void goto_bad(struct device *d, int n)
{
	spin_lock(&d->lock);
	if (work(n))
		goto out;
	d->users = n;
	spin_unlock(&d->lock);
out:
	d->id = n; /* indict: lock-imbalance */
}

void goto_ok(struct device *d, int n)
{
	spin_lock(&d->lock);
	if (work(n))
		goto out;
	d->users = n;
out:
	spin_unlock(&d->lock);
	d->id = n;
}

int found_early_bad(int key)
{
	int i;
	spin_lock(&table_lock);
	for (i = 0; i < 16; i++)
		if (table[i] == key)
			return 1; /* indict: lock-imbalance */
	if (work(key)) {
		spin_unlock(&table_lock);
		return 1;
	}
	spin_unlock(&table_lock);
	return 0;
}

int found_ok(int key)
{
	int i;
	spin_lock(&table_lock);
	for (i = 0; i < 16; i++)
		if (table[i] == key) {
			spin_unlock(&table_lock);
			return 1;
		}
	if (work(key)) {
		spin_unlock(&table_lock);
		return 1;
	}
	spin_unlock(&table_lock);
	return 0;
}

int found_bad(int key, int n)
{
	int i;
	spin_lock(&table_lock);
	for (i = 0; i < n; i++)
		if (table[i] == key)
			return 1; /* indict: lock-imbalance */
	if (work(key)) {
		spin_unlock(&table_lock);
		return 1;
	}
	spin_unlock(&table_lock);
	return 0;
}

int tried_bad(struct device *d)
{
	if (spin_trylock(&d->lock)) {
		d->users++;
		return 1;
	}
	spin_unlock(&d->lock);
	spin_unlock(&d->lock); /* indict: double-unlock */
	return 0;
}

int tried_ok(struct device *d)
{
	if (spin_trylock(&d->lock)) {
		d->users++;
		spin_unlock(&d->lock);
		return 1;
	}
	return 0;
}

void try_then_bad(struct device *d)
{
	if (!spin_trylock(&d->lock))
		return;
	spin_lock(&d->lock); /* indict: double-lock */
	d->users++;
	spin_unlock(&d->lock);
}

void try_then_ok(struct device *d)
{
	if (spin_trylock(&d->lock))
		goto held;
	spin_lock(&d->lock);
held:
	d->users++;
	spin_unlock(&d->lock);
}

void switch_bad(struct device *d, int how)
{
	spin_lock(&d->lock);
	switch (work(how)) {
	case 0:
		d->users = 0;
		spin_unlock(&d->lock);
		break;
	case 1:
		d->users++;
		spin_unlock(&d->lock);
		break;
	default:
		break;
	}
	d->id = how; /* indict: lock-imbalance */
}

void switch_ok(struct device *d, int how)
{
	spin_lock(&d->lock);
	switch (work(how)) {
	case 0:
		d->users = 0;
		spin_unlock(&d->lock);
		break;
	case 1:
		d->users++;
		spin_unlock(&d->lock);
		break;
	default:
		spin_unlock(&d->lock);
		break;
	}
	d->id = how;
}

void loop_bad(struct device *d, int n)
{
	int i;
	for (i = 0; i < n; i++) {
		spin_lock(&d->lock); /* indict: double-lock */
		d->users += i;
	}
	spin_unlock(&d->lock);
}

void loop_ok(struct device *d, int n)
{
	int i;
	for (i = 0; i < n; i++) {
		spin_lock(&d->lock);
		d->users += i;
		spin_unlock(&d->lock);
	}
}

void alias_bad(struct device *d)
{
	spinlock_t *l = &d->lock;
	spin_lock(l);
	d->users++;
	spin_lock(&d->lock); /* indict: double-lock */
}

void alias_ok(struct device *d)
{
	spinlock_t *l = &d->lock;
	spin_lock(l);
	d->users++;
	spin_unlock(&d->lock);
}

void two_bad(struct device *a, struct device *b)
{
	spin_lock(&a->lock);
	spin_lock(&b->lock);
	a->users += b->users;
	spin_unlock(&b->lock);
	spin_unlock(&b->lock); /* indict: double-unlock */
}

void two_ok(struct device *a, struct device *b)
{
	spin_lock(&a->lock);
	spin_lock(&b->lock);
	a->users += b->users;
	spin_unlock(&b->lock);
	spin_unlock(&a->lock);
}

void peer_bad(struct device *d)
{
	spin_lock_bh(&d->peer->lock);
	d->peer->users++;
	spin_lock_bh(&d->peer->lock); /* indict: double-lock */
}

void peer_ok(struct device *d)
{
	spin_lock_bh(&d->peer->lock);
	d->peer->users++;
	spin_unlock_bh(&d->peer->lock);
}

int chosen_bad(struct device *a, struct device *b, int which)
{
	struct device *d = which ? a : b;
	_raw_spin_lock_irqsave(&d->lock);
	d->users++;
	if (which)
		_raw_spin_lock_irqsave(&a->lock); /* indict: double-lock */
	spin_unlock_irqrestore(&d->lock, 0);
	return 0;
}

int chosen_ok(struct device *a, struct device *b, int which)
{
	struct device *d = which ? a : b;
	_raw_spin_lock_irqsave(&d->lock);
	d->users++;
	if (which)
		a->id++;
	spin_unlock_irqrestore(&d->lock, 0);
	return 0;
}

void flag_bad(struct device *d, int n)
{
	int locked = 0;
	if (work(n)) {
		spin_lock(&d->lock);
		locked = 1;
	}
	d->users++;
	if (locked)
		spin_unlock(&d->lock);
	if (locked)
		spin_unlock(&d->lock); /* indict: double-unlock */
}

void flag_ok(struct device *d, int n)
{
	int locked = 0;
	if (work(n)) {
		spin_lock(&d->lock);
		locked = 1;
	}
	d->users++;
	if (locked)
		spin_unlock(&d->lock);
}

void error_code_bad(struct device *d, int n)
{
	int err = 0;
	spin_lock(&d->lock);
	if (work(n))
		err = -22;
	else
		spin_unlock(&d->lock);
	if (!err)
		spin_unlock(&d->lock); /* indict: double-unlock */
}

void error_code_ok(struct device *d, int n)
{
	int err = 0;
	spin_lock(&d->lock);
	if (work(n))
		err = -22;
	else
		spin_unlock(&d->lock);
	if (err)
		spin_unlock(&d->lock);
}
