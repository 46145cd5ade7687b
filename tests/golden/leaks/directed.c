/* Runs that are found only by what they compare: memory. */
#include <stdlib.h>

struct entry { struct entry *next; unsigned id; int event; };

static struct entry *entries;

static struct entry *find(unsigned id)
{
	struct entry *e;
	for (e = entries; e; e = e->next)
		if (e->id == id)
			return e;
	return NULL;
}

/* Ten entries with the next ten numbers are needed. */
int subscribe_bad(int event, unsigned *result)
{
	static unsigned last;
	struct entry *new;
	int attempts, is_found = 0;

	new = malloc(sizeof(*new)); /* indict: memory-leak */
	if (!new)
		return -1;
	new->event = event;
	for (attempts = 0; attempts < 10; attempts++) {
		if (!find(++last)) {
			new->id = last;
			is_found = 1;
			break;
		}
	}
	if (!is_found)
		return -2;
	new->next = entries;
	entries = new;
	*result = new->id;
	return 0;
}

int subscribe_ok(int event, unsigned *result)
{
	static unsigned last;
	struct entry *new;
	int attempts, is_found = 0;

	new = malloc(sizeof(*new));
	if (!new)
		return -1;
	new->event = event;
	for (attempts = 0; attempts < 10; attempts++) {
		if (!find(++last)) {
			new->id = last;
			is_found = 1;
			break;
		}
	}
	if (!is_found) {
		free(new);
		return -2;
	}
	new->next = entries;
	entries = new;
	*result = new->id;
	return 0;
}
