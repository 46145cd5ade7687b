/* The figures of the paper, and its idioms: §5. */
typedef struct { int raw; } spinlock_t;
struct semaphore { int count; };
void spin_lock(spinlock_t *l);
void spin_unlock(spinlock_t *l);
int spin_trylock(spinlock_t *l);
void _raw_spin_lock_irqsave(spinlock_t *l);
void spin_unlock_irqrestore(spinlock_t *l, unsigned long flags);
void down(struct semaphore *s);
void up(struct semaphore *s);

/* Figure 8. */
void complex_wrapper_ok(spinlock_t *l, int flag, int *success)
{
	if (flag)
		*success = spin_trylock(l);
	else {
		spin_unlock(l);
		*success = 1;
	}
}

/* Figure 11. */
struct sscape_info { int base; spinlock_t lock; int dma_allocated; };

static void sscape_write(struct sscape_info *devc, int reg, int data)
{
	_raw_spin_lock_irqsave(&devc->lock);
	devc->base = reg + data;
	spin_unlock_irqrestore(&devc->lock, 0);
}

void sscape_coproc_close_bad(struct sscape_info *devc)
{
	_raw_spin_lock_irqsave(&devc->lock);
	if (devc->dma_allocated) {
		sscape_write(devc, 1, 0x20); /* indict: double-lock */
		devc->dma_allocated = 0;
	}
	spin_unlock_irqrestore(&devc->lock, 0);
}

void sscape_coproc_close_ok(struct sscape_info *devc)
{
	_raw_spin_lock_irqsave(&devc->lock);
	if (devc->dma_allocated) {
		devc->base = 1 + 0x20;
		devc->dma_allocated = 0;
	}
	spin_unlock_irqrestore(&devc->lock, 0);
}

/* Figure 12. */
struct i2o_device { void *owner; int id; };
struct semaphore i2o_configuration_lock;

int i2o_claim_device_bad(struct i2o_device *d, void *h)
{
	down(&i2o_configuration_lock);
	if (d->owner) {
		up(&i2o_configuration_lock);
		return -16;
	}
	d->owner = h;
	if (d->id < 0) {
		d->owner = 0;
		return -16; /* indict: lock-imbalance */
	}
	up(&i2o_configuration_lock);
	return 0;
}

int i2o_claim_device_ok(struct i2o_device *d, void *h)
{
	down(&i2o_configuration_lock);
	if (d->owner) {
		up(&i2o_configuration_lock);
		return -16;
	}
	d->owner = h;
	if (d->id < 0) {
		d->owner = 0;
		up(&i2o_configuration_lock);
		return -16;
	}
	up(&i2o_configuration_lock);
	return 0;
}

/* §5.5: what is locked under a condition is unlocked under the same. */
void conditional_ok(spinlock_t *l, int x, int *data)
{
	if (x)
		spin_lock(l);
	(*data)++;
	if (x)
		spin_unlock(l);
}

void conditional_bad(spinlock_t *l, int x, int *data)
{
	if (x)
		spin_lock(l);
	(*data)++;
	if (x)
		spin_lock(l); /* indict: double-lock */
}
