/* Their callers, who see declarations only. */
#include "port.h"

static int lock_count;

void hold_twice_bad(struct port *p)
{
	port_hold(p);
	spin_lock(&p->lock); /* indict: double-lock */
	spin_unlock(&p->lock);
}

void hold_twice_ok(struct port *p)
{
	port_hold(p);
	port_drop(p);
	spin_lock(&p->lock);
	spin_unlock(&p->lock);
}

void header_bad(struct port *p)
{
	port_hold(p);
	port_count(p); /* indict: double-lock */
	port_drop(p);
}

void header_ok(struct port *p)
{
	port_hold(p);
	port_drop(p);
	port_count(p);
}

int kept_bad(struct port *p, int n)
{
	port_hold(p);
	if (n > p->users)
		return 0; /* indict: lock-imbalance */
	p->users -= n;
	port_drop(p);
	return 0;
}

int kept_ok(struct port *p, int n)
{
	port_hold(p);
	if (n > p->users) {
		port_drop(p);
		return 0;
	}
	p->users -= n;
	port_drop(p);
	return 0;
}

void tried_bad(struct port *p)
{
	if (!port_try(p)) {
		port_drop(p);
		spin_unlock(&p->lock); /* indict: double-unlock */
		return;
	}
	port_drop(p);
}

void tried_ok(struct port *p)
{
	if (!port_try(p))
		return;
	port_drop(p);
}

int claimed_bad(struct port *p, int v)
{
	if (port_claim(p))
		return -1;
	if (hardware(v) < 0)
		return -1; /* indict: lock-imbalance */
	p->state = v;
	mutex_unlock(&p->config);
	return hardware(v + 1) < 0 ? -1 : 0;
}

int claimed_ok(struct port *p, int v)
{
	if (port_claim(p))
		return -1;
	if (hardware(v) < 0) {
		mutex_unlock(&p->config);
		return -1;
	}
	p->state = v;
	mutex_unlock(&p->config);
	return hardware(v + 1) < 0 ? -1 : 0;
}

int reset_bad(struct port *p)
{
	int code;
	port_hold(p);
	port_drop(p);
	code = port_reset(p); /* indict: double-unlock */
	return code;
}

int reset_ok(struct port *p)
{
	int code;
	port_hold(p);
	code = port_reset(p);
	port_drop(p);
	return code;
}

int global_bad(int n)
{
	ports_hold();
	if (hardware(n) < 0)
		return 0; /* indict: lock-imbalance */
	lock_count++;
	ports_drop();
	return 0;
}

int global_ok(int n)
{
	ports_hold();
	if (hardware(n) < 0) {
		ports_drop();
		return 0;
	}
	lock_count++;
	ports_drop();
	return 0;
}

void global_twice_bad(void)
{
	ports_hold();
	mutex_lock(&ports); /* indict: double-lock */
	mutex_unlock(&ports);
}

void global_twice_ok(void)
{
	ports_hold();
	ports_drop();
	mutex_lock(&ports);
	mutex_unlock(&ports);
}
