/* The functions that take and release locks for others. */
#include "port.h"

struct mutex ports;

void port_hold(struct port *p)
{
	spin_lock(&p->lock);
}

void port_drop(struct port *p)
{
	spin_unlock(&p->lock);
}

int port_try(struct port *p)
{
	return spin_trylock(&p->lock);
}

/* Zero if it holds the configuration afterwards. */
int port_claim(struct port *p)
{
	mutex_lock(&p->config);
	if (hardware(1) < 0) {
		mutex_unlock(&p->config);
		return -1;
	}
	return 0;
}

/* For those who hold the port. */
int port_reset(struct port *p)
{
	p->state = 0;
	spin_unlock(&p->lock);
	hardware(p->state);
	spin_lock(&p->lock);
	return 0;
}

void ports_hold(void)
{
	mutex_lock(&ports);
}

void ports_drop(void)
{
	mutex_unlock(&ports);
}
