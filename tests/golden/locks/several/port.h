/* A driver in several files: what they share. */
typedef struct { int raw; } spinlock_t;
struct mutex { int raw; };
void spin_lock(spinlock_t *l);
void spin_unlock(spinlock_t *l);
int spin_trylock(spinlock_t *l);
void mutex_lock(struct mutex *m);
void mutex_unlock(struct mutex *m);
int hardware(int);

struct port {
	spinlock_t lock;
	struct mutex config;
	int state, users;
};

extern struct mutex ports;

void port_hold(struct port *p);
void port_drop(struct port *p);
int port_try(struct port *p);
int port_claim(struct port *p);
int port_reset(struct port *p);
void ports_hold(void);
void ports_drop(void);

static inline void port_count(struct port *p)
{
	spin_lock(&p->lock);
	p->users++;
	spin_unlock(&p->lock);
}
