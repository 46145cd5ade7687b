/* Shapes from drivers: probes, interrupts, queues, lists. */
typedef struct { int raw; } spinlock_t;
struct mutex { int raw; };
void spin_lock(spinlock_t *l);
void spin_unlock(spinlock_t *l);
void spin_lock_irq(spinlock_t *l);
void spin_unlock_irq(spinlock_t *l);
void mutex_lock(struct mutex *m);
void mutex_unlock(struct mutex *m);
int mutex_lock_killable(struct mutex *m);
int hardware(int);
void *allocate(int);

struct request { struct request *next; int id; };
struct chip {
	spinlock_t lock;
	struct mutex config;
	struct request *queue;
	int state, irq;
	struct chip *parent;
};
static struct mutex registry;
static int registered;

int probe_bad(struct chip *c)
{
	mutex_lock(&registry);
	if (registered > 8) {
		mutex_unlock(&registry);
		return -28;
	}
	c->irq = hardware(0);
	if (c->irq < 0)
		return c->irq; /* indict: lock-imbalance */
	registered++;
	mutex_unlock(&registry);
	return 0;
}

int probe_ok(struct chip *c)
{
	mutex_lock(&registry);
	if (registered > 8) {
		mutex_unlock(&registry);
		return -28;
	}
	c->irq = hardware(0);
	if (c->irq < 0) {
		mutex_unlock(&registry);
		return c->irq;
	}
	registered++;
	mutex_unlock(&registry);
	return 0;
}

void *get_bad(struct chip *c)
{
	void *p;
	spin_lock_irq(&c->lock);
	p = allocate(c->state);
	if (!p)
		return 0; /* indict: lock-imbalance */
	if (c->state == 3) {
		spin_unlock_irq(&c->lock);
		return 0;
	}
	spin_unlock_irq(&c->lock);
	return p;
}

void *get_ok(struct chip *c)
{
	void *p;
	spin_lock_irq(&c->lock);
	p = allocate(c->state);
	if (!p) {
		spin_unlock_irq(&c->lock);
		return 0;
	}
	if (c->state == 3) {
		spin_unlock_irq(&c->lock);
		return 0;
	}
	spin_unlock_irq(&c->lock);
	return p;
}

static void start(struct chip *c)
{
	spin_lock(&c->lock);
	c->state = 1;
	spin_unlock(&c->lock);
}

static void finish(struct chip *c, int ok)
{
	c->state = ok ? 2 : 3;
	spin_unlock(&c->lock);
}

void interrupt_bad(struct chip *c)
{
	spin_lock(&c->lock);
	if (hardware(c->irq))
		start(c); /* indict: double-lock */
	spin_unlock(&c->lock);
}

void interrupt_ok(struct chip *c)
{
	int again;
	spin_lock(&c->lock);
	again = hardware(c->irq);
	spin_unlock(&c->lock);
	if (again)
		start(c);
}

void complete_bad(struct chip *c, int n)
{
	spin_lock(&c->lock);
	if (hardware(n)) {
		finish(c, 0);
		spin_unlock(&c->lock); /* indict: double-unlock */
		return;
	}
	finish(c, 1);
}

void complete_ok(struct chip *c, int n)
{
	spin_lock(&c->lock);
	if (hardware(n)) {
		finish(c, 0);
		return;
	}
	finish(c, 1);
}

int drain_bad(struct chip *c)
{
	struct request *r;
	int n = 0;
	spin_lock(&c->lock);
	while ((r = c->queue)) {
		c->queue = r->next;
		spin_unlock(&c->lock);
		n += hardware(r->id);
		if (n > 100)
			break;
		spin_lock(&c->lock);
	}
	spin_unlock(&c->lock); /* indict: double-unlock */
	return n;
}

int drain_ok(struct chip *c)
{
	struct request *r;
	int n = 0;
	spin_lock(&c->lock);
	while ((r = c->queue)) {
		c->queue = r->next;
		spin_unlock(&c->lock);
		n += hardware(r->id);
		spin_lock(&c->lock);
		if (n > 100)
			break;
	}
	spin_unlock(&c->lock);
	return n;
}

int configure_bad(struct chip *c, int v)
{
	int err = mutex_lock_killable(&c->config);
	if (err)
		return err;
	if (v < 0) {
		err = -22;
		goto out;
	}
	err = hardware(v);
	mutex_unlock(&c->config);
out:
	return err; /* indict: lock-imbalance */
}

int configure_ok(struct chip *c, int v)
{
	int err = mutex_lock_killable(&c->config);
	if (err)
		return err;
	if (v < 0) {
		err = -22;
		goto out;
	}
	err = hardware(v);
out:
	mutex_unlock(&c->config);
	return err;
}

void parent_bad(struct chip *c)
{
	struct chip *p = c->parent;
	spin_lock(&c->lock);
	spin_lock(&p->lock);
	p->state = c->state;
	spin_unlock(&p->lock);
	spin_unlock(&c->lock);
	spin_unlock(&c->parent->lock); /* indict: double-unlock */
}

void parent_ok(struct chip *c)
{
	struct chip *p = c->parent;
	spin_lock(&c->lock);
	spin_lock(&p->lock);
	p->state = c->state;
	spin_unlock(&c->parent->lock);
	spin_unlock(&c->lock);
}

static int claim(struct chip *c)
{
	mutex_lock(&c->config);
	if (c->state)
		return 1;
	mutex_unlock(&c->config);
	return 0;
}

int use_bad(struct chip *c)
{
	if (!claim(c)) {
		mutex_unlock(&c->config); /* indict: double-unlock */
		return -16;
	}
	c->state++;
	mutex_unlock(&c->config);
	return 0;
}

int use_ok(struct chip *c)
{
	if (!claim(c))
		return -16;
	c->state++;
	mutex_unlock(&c->config);
	return 0;
}

void both_bad(struct chip *c)
{
	mutex_lock(&c->config);
	mutex_lock(&registry);
	registered--;
	mutex_unlock(&c->config);
	mutex_unlock(&c->config); /* indict: double-unlock */
	mutex_unlock(&registry);
}

void both_ok(struct chip *c)
{
	mutex_lock(&c->config);
	mutex_lock(&registry);
	registered--;
	mutex_unlock(&registry);
	mutex_unlock(&c->config);
}

void retry_bad(struct chip *c)
{
again:
	spin_lock(&c->lock); /* indict: double-lock */
	if (hardware(1)) {
		c->state++;
		goto again;
	}
	spin_unlock(&c->lock);
}

void retry_ok(struct chip *c)
{
again:
	spin_lock(&c->lock);
	if (hardware(1)) {
		c->state++;
		spin_unlock(&c->lock);
		goto again;
	}
	spin_unlock(&c->lock);
}

int nested_bad(struct chip *c, int a, int b)
{
	int r = 0;
	spin_lock(&c->lock);
	if (a) {
		if (hardware(b)) {
			r = -5;
			goto unlocked;
		}
		c->irq = 1;
	}
	spin_unlock(&c->lock);
	return r;
unlocked:
	return r < 0 ? 0 : 0; /* indict: lock-imbalance */
}

int nested_ok(struct chip *c, int a, int b)
{
	int r = 0;
	spin_lock(&c->lock);
	if (a) {
		if (hardware(b)) {
			r = -5;
			goto out;
		}
		c->irq = 1;
	}
out:
	spin_unlock(&c->lock);
	return r < 0 ? 0 : 0;
}

/* A cursor leads to the lock, and others move it on. */
struct cursor { struct chip *chip; int at, mark; };
void cursor_next(struct cursor *c);
void cursor_store(struct cursor *c);

int cursor_bad(struct chip *chip)
{
	struct cursor c = { .chip = chip, .at = 0, .mark = 1 };
	spin_lock(&c.chip->lock);
	cursor_next(&c);
	cursor_store(&c);
	if (hardware(c.at))
		return 0; /* indict: lock-imbalance */
	spin_unlock(&c.chip->lock);
	return 0;
}

int cursor_ok(struct chip *chip)
{
	struct cursor c = { .chip = chip, .at = 0, .mark = 1 };
	spin_lock(&c.chip->lock);
	cursor_next(&c);
	cursor_store(&c);
	if (hardware(c.at)) {
		spin_unlock(&c.chip->lock);
		return 0;
	}
	spin_unlock(&c.chip->lock);
	return 0;
}
